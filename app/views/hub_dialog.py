"""Where models are fetched from, and as whom: the hub's address, and a token for models that need an account."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.theme import GRID
from app.views.dialog import Dialog
from app.views.layouts import make_room
from app.views.style import set_kind

WIDTH = 520


class HubDialog(Dialog):
    """Takes data, tells wishes. What is typed as a token is forgotten as soon as it was told."""

    address_chosen = Signal(str)
    token_given = Signal(str)
    token_unwanted = Signal()

    def __init__(self, parent: QWidget | None, hubs: Sequence[tuple[str, str]]) -> None:
        """hubs: name and address of those that are known."""
        super().__init__(parent)
        self.setWindowTitle(tr("Model hub"))
        self.setMinimumWidth(WIDTH)
        self.address = QComboBox()
        self.address.setEditable(True)
        self.address.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        for name, address in hubs:
            self.address.addItem(address)
            self.address.setItemData(self.address.count() - 1, name, Qt.ItemDataRole.ToolTipRole)
        self.token = QLineEdit()
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.keep = QPushButton(tr("Keep"))
        self.clear = QPushButton(tr("Delete"))
        self._state, self._message = QLabel(), QLabel()
        for label in (self._state, self._message):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        set_kind(self._state, "muted")
        row = QHBoxLayout()
        for widget in (self.token, self.keep, self.clear):
            row.addWidget(widget)
        form = QFormLayout()
        form.setVerticalSpacing(2 * GRID)
        form.addRow(tr("Address"), self.address)
        form.addRow(tr("Token"), row)
        form.addRow("", self._state)
        self.address.setAccessibleName(tr("Address of the model hub"))
        self.token.setAccessibleName(tr("Token for the model hub"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addLayout(form)
        column.addWidget(self._message)
        column.addWidget(buttons)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self.address.activated.connect(self._choose)
        field = self.address.lineEdit()
        if field is not None:
            field.editingFinished.connect(self._choose)
        self.keep.clicked.connect(self._give)
        self.token.returnPressed.connect(self._give)
        self.clear.clicked.connect(self.token_unwanted)
        self._shown = ""

    def show_address(self, address: str, fixed: bool) -> None:
        """fixed: the environment says so, and nothing can be chosen here."""
        self._shown = address
        self.address.setEditText(address)
        self.address.setEnabled(not fixed)
        self.address.setToolTip(tr("HF_ENDPOINT is set, and goes before what is chosen here.") if fixed else "")

    def show_token(self, kept: bool, keyring: bool, variable: bool) -> None:
        """kept: by the system's keyring. variable: HF_TOKEN holds one."""
        self.token.setEnabled(keyring)
        self.keep.setEnabled(keyring)
        self.clear.setEnabled(kept)
        if kept:
            text = tr("The system's keyring keeps a token for this address. It is sent to no other.")
        elif variable:
            text = tr("The token of HF_TOKEN is used.")
        elif keyring:
            text = tr("Needed only for models that ask for an account. The system's keyring keeps it.")
        else:
            text = tr(
                "This system has no keyring that could keep a token: set the environment variable HF_TOKEN instead, or "
                "install one (GNOME Keyring, KWallet)."
            )
        self._state.setText(text)
        make_room(self)

    def show_message(self, text: str, tone: str = "error") -> None:
        self._message.setText(text)
        set_kind(self._message, tone if text else "")
        self._message.setVisible(bool(text))
        make_room(self)

    @property
    def message(self) -> str:
        return self._message.text()

    @property
    def state(self) -> str:
        return self._state.text()

    def _choose(self) -> None:
        text = self.address.currentText().strip().rstrip("/")
        if text != self._shown:
            self._shown = text
            self.address_chosen.emit(text)

    def _give(self) -> None:
        text = self.token.text()
        self.token.clear()
        if text.strip():
            self.token_given.emit(text)

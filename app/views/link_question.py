"""The question before a link is opened: the whole address, and what is odd about it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.language import tr
from app.link_address import Doubt, address_of
from app.theme import GRID
from app.views.dialog import Dialog
from app.views.labels import wrapped

WIDTH, ADDRESS_HEIGHT = 520, 92


class LinkQuestion(Dialog):
    """Says `opened` with the address when the person agrees; what is no web or mail address can only be copied."""

    opened = Signal(str)

    def __init__(self, address: str, parent: QWidget | None, about: str = "") -> None:
        """about: the question, where it was not the model that wrote the address."""
        super().__init__(parent)
        self.setWindowTitle(tr("Open this link?"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        found = address_of(address)
        self.address = address
        asked = about or tr("Open this address in your browser? The model wrote it; nobody has checked it.")
        question = QLabel(
            asked if found.openable else tr("This is no address of the web or of mail, so Foreword does not open it.")
        )
        question.setWordWrap(True)
        whole = QPlainTextEdit(address)
        whole.setReadOnly(True)
        whole.setFixedHeight(ADDRESS_HEIGHT)
        whole.setTabChangesFocus(True)
        whole.setAccessibleName(tr("The whole address"))
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(GRID + GRID // 2)
        column.addWidget(question)
        column.addWidget(whole)
        if found.host:
            column.addWidget(wrapped(tr("It leads to {host}").format(host=found.host), "strong"))
        if found.punycode:
            column.addWidget(
                wrapped(tr("Written without special letters: {host}").format(host=found.punycode), "muted")
            )
        self.warnings = [_meaning(doubt) for doubt in found.doubts]
        for warning in self.warnings:
            column.addWidget(wrapped(warning, "warning"))
        column.addSpacing(GRID)
        column.addWidget(self._buttons(openable=found.openable))
        self.setMinimumWidth(WIDTH)

    def _buttons(self, *, openable: bool) -> QDialogButtonBox:
        box = QDialogButtonBox()
        self.open_button = QPushButton(tr("Open"))
        self.copy_button = QPushButton(tr("Copy address"))
        self.cancel_button = QPushButton(tr("Cancel"))
        box.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button.setVisible(openable)
        box.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        box.addButton(self.cancel_button, QDialogButtonBox.ButtonRole.RejectRole)
        for button in (self.open_button, self.copy_button):
            button.setAutoDefault(False)
        self.cancel_button.setDefault(True)
        self.cancel_button.setFocus()
        self.copy_button.clicked.connect(self._copy)
        box.accepted.connect(self._open)
        box.rejected.connect(self.reject)
        return box

    def _open(self) -> None:
        self.accept()
        self.opened.emit(self.address)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.address)
        self.reject()


def _meaning(doubt: Doubt) -> str:
    meanings: dict[Doubt, str] = {
        "mixed letters": tr("Its name mixes letters of several alphabets, which can imitate a name you know."),
        "foreign letters": tr("Its name has letters beyond a to z, which can look like others."),
        "account": tr("There is a name before an @: the address leads to what stands behind it."),
        "number": tr("It leads to a number instead of a name."),
        "unencrypted": tr("The connection would not be encrypted."),
        "invisible": tr("It has blanks or characters that cannot be seen."),
    }
    return meanings[doubt]

"""The question before something that is under way is ended for another model."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.language import tr
from app.views.style import set_kind


class Interruption(QMessageBox):
    """Says `agreed` when the person lets it end. Enter and Escape let it go on."""

    agreed = Signal()

    def __init__(self, parent: QWidget, what: str, consequence: str, agree: str) -> None:
        """what: is under way, as a sentence; consequence: what becomes of it; agree: on the button."""
        super().__init__(parent)
        self.setIcon(QMessageBox.Icon.NoIcon)
        self.setWindowTitle(tr("Change the model?"))
        self.setText(what)
        self.setInformativeText(consequence)
        self.agree_button = self.addButton(agree, QMessageBox.ButtonRole.DestructiveRole)
        set_kind(self.agree_button, "danger")
        self.keep_button = self.addButton(tr("Let it go on"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.keep_button)
        self.setEscapeButton(self.keep_button)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.buttonClicked.connect(lambda button: self.agreed.emit() if button is self.agree_button else None)

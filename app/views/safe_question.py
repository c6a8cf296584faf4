"""A question before something that cannot be undone: Enter and Escape leave everything as it is."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.views.style import set_kind


class SafeQuestion(QMessageBox):
    """Says `agreed` when the person agrees. agree, decline: on the buttons."""

    agreed = Signal()

    def __init__(self, parent: QWidget, title: str, text: str, details: str, *, agree: str, decline: str) -> None:
        super().__init__(parent)
        self.setIcon(QMessageBox.Icon.NoIcon)
        self.setWindowTitle(title)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setInformativeText(details)
        self.agree_button = self.addButton(agree, QMessageBox.ButtonRole.DestructiveRole)
        set_kind(self.agree_button, "danger")
        self.decline_button = self.addButton(decline, QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.decline_button)
        self.setEscapeButton(self.decline_button)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.buttonClicked.connect(lambda button: self.agreed.emit() if button is self.agree_button else None)

"""What every dialog and the window share: Enter presses the button that has the focus, as Space does.

A dialog that is opened again is where it was.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QWidget

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Dialog(QDialog):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt would press the default button, or none, where a button is not to be pressed from elsewhere."""
        if not press_focused(self, event):
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Qt would put it in the middle again, each time lower by the title bar that it has by now."""
        super().hideEvent(event)
        if not event.spontaneous() and self.windowState() == Qt.WindowState.WindowNoState:
            self.move(self.pos())  # of its frame


def press_focused(window: QWidget, event: QKeyEvent) -> bool:
    """Whether this is an Enter that nobody else wanted, on a button: then it has been pressed."""
    button = window.focusWidget()
    plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if event.key() not in ENTER or not plain or not isinstance(button, QAbstractButton) or not button.isEnabled():
        return False
    if not event.isAutoRepeat():  # of the key that opened a dialog
        button.click()
    return True

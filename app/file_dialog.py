"""The system's question for files and folders, in the person's language and without stopping the event loop."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.language import tr

Mode = QFileDialog.FileMode
SIZE = 820, 520  # of Qt's own dialog, where the system has none


def file_dialog(
    parent: QWidget | None, title: str, mode: Mode, at: Path | None = None, *, lasting: bool = False
) -> QFileDialog:
    """To be opened by who asks. at: a folder, or a file to begin with. One that does not last does away with itself."""
    dialog = QFileDialog(parent, title, str(at or Path.home()))
    dialog.resize(*SIZE)
    dialog.setFileMode(mode)
    if mode == Mode.Directory:
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    label = QFileDialog.DialogLabel  # Qt's own Chinese does not know the texts of its latest version
    dialog.setLabelText(label.LookIn, tr("Look in:"))
    dialog.setLabelText(label.FileType, tr("Files of type:"))
    if not lasting:
        dialog.finished.connect(dialog.deleteLater)
    return dialog

"""Asks where to save something, without stopping the event loop."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.file_dialog import Mode, file_dialog


def ask_where_to_save(
    parent: QWidget, title: str, name: str, filters: dict[str, str], take: Callable[[Path], None]
) -> QFileDialog:
    """filters: what each kind of file is called, by its suffix. `take` is not called when the person changes their
    mind; it gets a path that ends with one of the suffixes."""
    dialog = file_dialog(parent, title, Mode.AnyFile, Path.home() / name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    lines = {f"{words} (*.{suffix})": suffix for suffix, words in filters.items()}
    dialog.setNameFilters(list(lines))

    def chosen(text: str) -> None:
        path = Path(text)
        suffix = lines.get(dialog.selectedNameFilter(), next(iter(filters)))
        take(path if path.suffix.lstrip(".") in filters else path.with_name(f"{path.name}.{suffix}"))

    dialog.fileSelected.connect(chosen)
    dialog.open()
    return dialog

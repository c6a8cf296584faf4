"""What falls on the list of chats or on the page of models: each file goes where it belongs, wherever it fell."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, Signal

from app.errands import Errands
from app.importing.source import has_chats, may_be_chats
from inference.errors import UserError
from inference.manager.folder import looks_like_model

Sorted = tuple[list[Path], list[Path]]  # chats and models


class Dropping(QObject):
    chats_found = Signal(list)  # files and folders (Path), which are imported
    models_found = Signal(list)  # folders and GGUF files (Path), which are taken in

    def __init__(self, errands: Errands) -> None:
        super().__init__()
        self._errands = errands

    def on_chats(self, paths: Sequence[str]) -> None:
        """What is no model is imported, or the import says why not."""
        self._sort(paths, lambda path: has_chats(path) or not looks_like_model(path))

    def on_models(self, paths: Sequence[str]) -> None:
        """What cannot be chats is taken in as a model, or it is said why not."""
        self._sort(paths, lambda path: may_be_chats(path) and not looks_like_model(path))

    def _sort(self, paths: Sequence[str], is_chats: Callable[[Path], bool]) -> None:
        def look(cancel: Event) -> Iterator[Sorted]:
            chats: list[Path] = []
            models: list[Path] = []
            for path in map(Path, paths):
                (chats if is_chats(path) else models).append(path)
            yield chats, models

        def end(found: Sorted) -> None:
            chats, models = found
            if models:
                self.models_found.emit(models)
            if chats:
                self.chats_found.emit(chats)

        def fail(error: UserError) -> None:
            """Of what cannot even be looked at, whoever would read it says why."""
            end(([Path(path) for path in paths], []))

        self._errands.start("dropped", look, end, fail)

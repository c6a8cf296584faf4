"""Where models are kept: shows the folder, and moves it to another."""

import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.errands import Errand, Errands
from app.error_texts import told
from app.file_dialog import Mode, file_dialog
from app.language import tr
from app.load_report import LoadReport, megabytes
from app.views.banner import Action, Banners
from inference.errors import Cancelled, UserError
from inference.events import LoadProgress
from inference.manager import leftovers
from inference.manager.files import existing_parent
from inference.manager.moving import move_models
from inference.manager.paths import models_folder

MOVING = "moving"  # the name of a banner


def free_room() -> int:
    """Bytes, where models are kept."""
    return shutil.disk_usage(existing_parent(models_folder())).free


class ModelsPlace(QObject):
    """Views that show the place hear `shown`, and ask for it once with `tell`."""

    shown = Signal(str, str, str)  # the folder, how much room is there, and what went wrong
    moved = Signal()

    def __init__(self, banners: Banners, errands: Errands, obstacle: Callable[[], str] = lambda: "") -> None:
        """obstacle: why models cannot be moved just now, as a sentence."""
        super().__init__()
        self._banners = banners
        self._errands = errands
        self._obstacle = obstacle
        self._moving: Errand | None = None

    def start(self) -> None:
        """Finish a move that was cut short while it deleted the originals."""
        self._moving = self._errands.start("clear up after moving", _clear, self._show_left, self._fail)

    def tell(self, trouble: str = "") -> None:
        room = tr("{size} are free there").format(size=megabytes(free_room()))
        self.shown.emit(str(models_folder()), room, trouble)

    def ask(self, parent: QWidget) -> None:
        """For another folder."""
        dialog = file_dialog(parent, tr("Where models live"), Mode.Directory, existing_parent(models_folder()))
        dialog.fileSelected.connect(lambda path: self.keep_in(Path(path)))
        dialog.open()

    def open(self) -> None:
        """In the system's file manager."""
        _open(existing_parent(models_folder()))

    def keep_in(self, folder: Path) -> None:
        """What is in the present folder moves along, in a thread."""
        obstacle = tr("Models are being moved already.") if self._moving is not None else self._obstacle()
        if obstacle:
            self.tell(obstacle)
            return
        self.tell()  # why another folder was refused is over
        report = LoadReport()

        def show(step: LoadProgress | None) -> None:
            if step is not None:
                line, fraction = report.line(step, monotonic()), step.done / max(1, step.total)
                cancel = Action(tr("Cancel"), errand.cancel)
                self._banners.show_banner(MOVING, line, actions=[cancel], fraction=fraction, closable=False)

        errand = self._errands.start("move models", partial(move_models, folder), self._end, self._fail)
        errand.progressed.connect(show)
        self._moving = errand

    def _show_left(self, folder: Path | None) -> None:
        self._moving = None
        if folder is not None:
            text = tr(
                "Moving models was cut short. What is left in {folder} is not the same in the new folder: look at it, "
                "and delete what you do not need."
            )
            look = Action(tr("Open the folder"), partial(_open, folder), asks=True)
            self._banners.show_banner(MOVING, text.format(folder=folder), tone="warning", actions=[look])

    def _end(self, _: object) -> None:
        self._moving = None
        self._banners.close_banner(MOVING)
        self.tell()
        self.moved.emit()

    def _fail(self, error: UserError) -> None:
        self._moving = None
        self._banners.close_banner(MOVING)
        self.tell(told(error))
        self._banners.show_banner(MOVING, told(error), tone="" if isinstance(error, Cancelled) else "error")


def _open(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _clear(cancel: threading.Event) -> Iterator[Path | None]:
    yield leftovers.clear(cancel)

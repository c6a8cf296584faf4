"""What can be taken back: the last that was deleted first, in a strip or by Ctrl+Z."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.language import sentences, tr
from app.views.banner import Action
from app.views.window import Window

UNDO_S = 20.0  # after the last deletion; longer while the strip has the mouse or the focus
BANNER = "undo"


@dataclass(frozen=True)
class Step:
    """owner: the chat it happened in, or "" where it has nothing to do with chats."""

    text: str
    act: Callable[[], object]
    owner: str


class Undoing(QObject):
    """Steps are taken back in the opposite order, so that what each of them needs is there again."""

    undone = Signal()

    def __init__(self, window: Window) -> None:
        super().__init__()
        self._banners = window.banners
        self._steps: list[Step] = []
        window.undo_requested.connect(self.undo)
        self._banners.left.connect(lambda name: self._steps.clear() if name == BANNER else None)

    def offer(self, text: str, act: Callable[[], object], owner: str = "") -> None:
        """Say what was done, and how to have it back."""
        self._steps.append(Step(text, act, owner))
        self._show()

    def undo(self) -> None:
        """Take back the last step."""
        if self._steps:
            step = self._steps.pop()
            self._show()
            step.act()
            self.undone.emit()

    def forget(self, owner: str) -> None:
        """A chat went on, or is another: what was deleted in it stays so."""
        kept = [step for step in self._steps if step.owner != owner]
        if len(kept) < len(self._steps):
            self._steps = kept
            self._show()

    def forget_all(self) -> None:
        self._steps.clear()
        self._show()

    def _show(self) -> None:
        if not self._steps:
            self._banners.close_banner(BANNER)
            return
        text = self._steps[-1].text
        if before := len(self._steps) - 1:
            text = sentences(text, tr("{count} before it can be undone too.").format(count=before))
        undo = Action(tr("Undo"), self.undo, tr("Undo (Ctrl+Z)"))
        self._banners.show_banner(BANNER, text, actions=[undo], seconds=UNDO_S)

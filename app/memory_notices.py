"""Tells in the window what was given up because memory ran out, and takes it back when the person asks."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from app.chatting import Chatting
from app.language import tr
from app.loader import Loader
from app.views.banner import Action, Banners
from app.views.memory_notice import sentence
from app.worker import Worker
from inference.ladder import MemoryStep

NOTE_S = 20.0  # for what there is nothing to do about


class MemoryNotices(QObject):
    draft_wanted = Signal(str)  # the draft of this name is to come back; "" is the first draft model

    def __init__(self, banners: Banners, worker: Worker, loader: Loader, chatting: Chatting) -> None:
        super().__init__()
        self._banners, self._worker, self._loader = banners, worker, loader
        chatting.memory_lowered.connect(self.tell)
        loader.memory_lowered.connect(self.tell)

    def tell(self, step: MemoryStep) -> None:
        """One strip for each kind of step: a second one of the kind replaces the first."""
        draft = self._loader.draft
        name = "" if draft is not None and draft.spec.name == step.name else step.name
        if step.kind == "draft":
            self._loader.lose_draft(step.name)
        actions = [Action(tr("Undo"), partial(self._take_back, step, name))] if step.undo else []
        strip, seconds = f"memory {step.kind}", 0.0 if actions else NOTE_S
        self._banners.show_banner(strip, sentence(step), tone="warning", actions=actions, seconds=seconds)

    def _take_back(self, step: MemoryStep, draft: str) -> None:
        if step.kind in ("draft", "draft_precision"):
            self.draft_wanted.emit(draft)
        else:
            self._worker.take_back(step.kind)

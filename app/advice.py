"""Listens to replies, and says beside the gauges what would make the next ones faster. Quiet: only when asked."""

import logging
from collections import Counter
from collections.abc import Callable
from time import time

from PySide6.QtCore import QObject, QPoint, QSettings, Signal

from app.advice_words import words_of_none
from app.chat_message import ChatMessage
from app.conversation import Change as Growth
from app.conversation import Conversation
from app.loader import Loader
from app.replies import Replies
from app.theme import GRID
from app.views.advice_card import AdviceCard
from app.views.window import Window
from app.worker import CostsTold, Letter, Worker
from inference.advice import LEAST_REPLIES, Advice, Change, Heard, Setting, advise, measured
from inference.chat_engine import PassCosts
from inference.events import Failed
from inference.settings import LoadSettings
from inference.tasks import Task

log = logging.getLogger(__name__)

MOST_HEARD = 24  # replies kept in mind
QUIET_S = 14 * 24 * 3600.0  # after a person said that they do not want to hear it


class Advising(QObject):
    change_wanted = Signal(str, object)  # a setting's name and its value

    def __init__(
        self,
        window: Window,
        loader: Loader,
        worker: Worker,
        replies: Replies,
        store: QSettings,
        *,
        clock: Callable[[], float] = time,
    ) -> None:
        """store: where it is kept what a person does not want to hear. clock: seconds since 1970."""
        super().__init__()
        self._window = window
        self._loader = loader
        self._worker = worker
        self._store = store
        self._clock = clock
        self._run_id = ""
        self._costs: PassCosts | None = None
        self._heard: list[Heard] = []
        self._tasks: Counter[Task] = Counter()  # rounds of the present reply
        self.advice: tuple[Advice, ...] = ()
        self._hidden = 0  # findings that are not wanted
        self.card = AdviceCard(window)
        self.card.acted.connect(self.act)
        self.card.dismissed.connect(self.dismiss)
        self.card.closed.connect(window.composer.focus)
        window.advice_requested.connect(self.open_card)
        for chip in window.gauges.advice_chips:
            chip.clicked.connect(self.open_card)
        loader.target_ready.connect(self._take_target)
        loader.changed.connect(self._take_change)
        replies.began.connect(lambda _: self._tasks.clear())
        replies.grew.connect(self._hear)
        replies.ended.connect(self._take_end)

    def open_card(self) -> None:
        """At the chip that can be seen, or in the middle of the window; again closes it."""
        if self.card.isVisible():
            self.card.hide()
            self._window.composer.focus()
            return
        if not self.advice:
            self.card.show_none(words_of_none(measured(self._heard), self._hidden))
        window = self._window
        chip = next((chip for chip in window.gauges.advice_chips if chip.isVisible()), None)
        corner = None
        if chip is not None and window.gauges.is_bar:  # below it
            corner = chip.mapTo(window, QPoint(chip.width(), chip.height() + GRID))
        elif chip is not None:
            corner = chip.mapTo(window, QPoint(chip.width(), -GRID))
        self.card.open_at(corner, below=window.gauges.is_bar and chip is not None)

    def act(self, advice: Advice) -> None:
        match advice.action:
            case Change(name=name, value=value):
                self.change_wanted.emit(name, value)
            case "routes":
                self._window.routes_requested.emit()
            case "train":
                self._window.training_requested.emit()
            case "new_chat":
                self._window.new_requested.emit()
            case "finer_draft":
                context = self._loader.target.context_length if self._loader.target else 8192
                finer = LoadSettings(draft_precision="int8", context_length=context, align=True)  # as it drafts already
                self._loader.load_draft(self._loader.wanted_draft, finer)
        self._show(tuple(one for one in self.advice if one is not advice))

    def dismiss(self, advice: Advice) -> None:
        self._store.setValue(f"advice/{advice.kind}", self._clock())
        self._hidden += 1
        self._show(tuple(one for one in self.advice if one is not advice))

    def take(self, run_id: str, letter: Letter) -> bool:
        """News of a run; False if it is none of ours."""
        if run_id != self._run_id or not run_id:
            return False
        self._run_id = ""
        if isinstance(letter, CostsTold):
            self._costs = letter.costs
        elif isinstance(letter, Failed):
            log.warning("what a pass costs is not known: %s", letter.message)
        return True

    def _take_target(self) -> None:
        self._forget()
        self._costs, self._run_id = None, ""

    def _take_change(self) -> None:
        if self._loader.target is None:
            self._forget()

    def _forget(self) -> None:
        self._heard.clear()
        self._hidden = 0
        self._show(())

    def _hear(self, _: Conversation, change: Growth) -> None:
        if change.round is not None:
            self._tasks[change.round.task] += 1

    def _take_end(self, _: Conversation, reply: ChatMessage) -> None:
        if reply.statistics is None or reply.settings is None or not reply.statistics.reply_tokens:
            return
        task: Task = self._tasks.most_common(1)[0][0] if self._tasks else "prose"
        self._heard = [*self._heard, Heard(reply.statistics, reply.settings, task)][-MOST_HEARD:]
        if self._costs is None and not self._run_id and len(self._heard) == LEAST_REPLIES - 1:
            self._run_id = self._worker.pass_costs()  # now that the model is warm, and nobody waits for a reply
        target, draft = self._loader.target, self._loader.draft
        setting = Setting(self._costs, target.description if target else "", draft.description if draft else "")
        found = advise(self._heard, setting)
        self._show(tuple(advice for advice in found if self._wanted(advice)))
        self._hidden = len(found) - len(self.advice)

    def _wanted(self, advice: Advice) -> bool:
        said = self._store.value(f"advice/{advice.kind}")
        try:
            return said is None or self._clock() - float(str(said)) > QUIET_S
        except ValueError:  # somebody wrote into the file
            return True

    def _show(self, advice: tuple[Advice, ...]) -> None:
        self.advice = advice
        if not advice:
            self.card.hide()
        self.card.show_advice(advice)
        for chip in self._window.gauges.advice_chips:
            chip.show_count(len(advice))

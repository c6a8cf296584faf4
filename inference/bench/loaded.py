"""An engine with its models, loaded for measuring, and what that took."""

import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar, get_args

from inference.bench.forward_clock import ForwardClock
from inference.bench.memory import Peak, resident
from inference.engine import Engine
from inference.errors import UserError
from inference.events import Failed, Finished, LoadProgress, PromptProgress
from inference.ladder import MemoryStep
from inference.manager.catalogue import Catalogue
from inference.manager.cli.output import progress_text
from inference.manager.host import Held
from inference.manager.spec import Spec
from inference.manager.store import Store
from inference.memory import release_memory
from inference.messages import Message
from inference.settings import GenerationSettings, LoadSettings, Precision
from inference.statistics import ReplyStatistics

T = TypeVar("T")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Reply:
    """prompt and reply in tokens. forward_s: what the models computed while decoding; None: they could not be timed."""

    statistics: ReplyStatistics
    prompt: tuple[int, ...]
    reply: tuple[int, ...]
    forward_s: float | None


class LoadedEngine:
    """held_bytes and draft_bytes: what loading the target and the draft added to the process; peak_bytes: the most
    that was resident in between, above what was before."""

    def __init__(self, spec: Spec, draft: Spec | None, settings: LoadSettings, say: Say) -> None:
        """Raises UserError."""
        self.engine = Engine()
        never = threading.Event()
        before, peak = resident(), Peak()
        _load(self.engine.load(spec, settings, never), say)
        release_memory()
        self.peak_bytes = max(peak.bytes - before, 0)
        loaded = resident()
        self.held_bytes = max(loaded - before, 0)
        if draft is not None:
            own = replace(settings, precision="auto", implementation="auto")
            _load(self.engine.load_draft(draft, own, never), say)
            release_memory()
        self.draft_bytes = max(resident() - loaded, 0)
        self._clock = ForwardClock()
        for held in (self.held, self.engine.held_draft):
            if held is not None:
                self._clock.watch(held.model)
        for runner in self.engine.head_runners:
            self._clock.watch_head(runner, self.held.model)

    @property
    def held(self) -> Held:
        held = self.engine.held
        assert held is not None  # loaded when made
        return held

    @property
    def description(self) -> str:
        draft = self.engine.draft
        drafting = f"; draft {draft.spec.name}: {draft.description}" if draft else ""
        return f"{self.held.spec.name}: {self.held.model.description}{drafting}"

    @property
    def precision(self) -> str:
        return precision_in(self.held.model.description)

    def reply(self, prompt: str, settings: GenerationSettings) -> "Reply":
        """Nothing is reused from before."""
        self.engine.forget_chats()
        last = None
        for event in self.engine.generate([Message("user", prompt)], settings, threading.Event()):
            if isinstance(event, PromptProgress):
                self._clock.reset()  # from the last of them on it is decoding
            last = event
        if isinstance(last, Failed):
            raise UserError(last.message, last.remedy)
        assert isinstance(last, Finished) and last.statistics.reused_tokens == 0
        text = tuple(self.engine.forget_chats()[-1])
        cut = last.statistics.prompt_tokens
        return Reply(last.statistics, text[:cut], text[cut:], self._clock.seconds if self._clock.complete else None)


def precision_in(description: str) -> str:
    """The precision that a model's description names; the whole description when it names none."""
    words = description.replace(",", " ").split()
    return next((word for word in words if word in get_args(Precision)), description)


def find_model(store: Store, model: str, say: Say) -> Spec:
    """The folder, .gguf file or catalogue entry `model` on this disk; the starter for "". Raises UserError."""
    catalogue = Catalogue.read()
    listed = catalogue.find(model) if model else catalogue.starter
    never = threading.Event()
    return _drain(store.open(Path(model), never) if listed is None else store.fetch(listed, never), say)


def _load(progress: Iterator[LoadProgress | MemoryStep], say: Say) -> None:
    for step in progress:
        if isinstance(step, MemoryStep):
            raise UserError("There is not enough memory to measure this.", "Take a smaller model or a shorter context.")
        _tell(step, say)


def _drain(progress: Generator[LoadProgress, None, T], say: Say) -> T:
    try:
        while True:
            _tell(next(progress), say)
    except StopIteration as end:
        result: T = end.value
        return result


def _tell(step: LoadProgress, say: Say) -> None:
    say(progress_text(step))

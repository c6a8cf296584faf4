"""A ChatEngine that plays a script, and a store to go with it. The test holds the gates."""

import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path

from inference.chat_engine import Foresight, LoadedModel, PassCosts
from inference.errors import UserError
from inference.events import Delta, Event, Finished, LoadProgress, Origin, Piece, PromptProgress, Round
from inference.ladder import StepKind
from inference.manager.download import DownloadCancelled
from inference.manager.spec import Spec
from inference.messages import Message
from inference.profiles import Candidate, Past, Profile, Routes
from inference.router import Router
from inference.settings import GenerationSettings, LoadSettings
from inference.statistics import ReplyStatistics, RoundStatistics
from inference.tasks import Task

Gate = threading.Event
Step = Event | Gate | BaseException


def rounds(words: Sequence[str], per_round: int = 3) -> list[Step]:
    """A whole reply: prefill, then rounds in which all but the last word of each were drafted and accepted."""
    figures = ReplyStatistics(
        drafter="n-gram", mode="automatic", prompt_tokens=12, prefill_s=0.05, time_to_first_token_s=0.18
    )
    steps: list[Step] = [PromptProgress(12, 12, 0)]
    for index, start in enumerate(range(0, len(words), per_round), 1):
        group = words[start : start + per_round]
        drafted = len(group) - 1
        one = RoundStatistics(per_round - 1, drafted, drafted, drafted, len(group), 0.0004, 0.016, 0.001)
        figures = figures.with_rounds(one)
        origins: list[Origin] = ["accepted"] * drafted + ["bonus"]
        pieces = tuple(Piece(text, origin, index) for text, origin in zip(group, origins, strict=True))
        steps += [Delta(pieces), Round(index, one, figures, 120.0 + index, 0.75, per_round - 1)]
    steps.append(Finished("end", figures))
    return steps


class ScriptedEngine:
    """`replies` are played one after the other; the last one again and again.

    A Gate in a reply or in `loading` waits until the test sets it or the run is cancelled; an exception is raised.
    """

    def __init__(self, *replies: Iterable[Step], loading: Iterable[LoadProgress | Gate | BaseException] = ()) -> None:
        self.replies = [list(reply) for reply in replies] or [rounds(["Hello", " ", "there", "."])]
        self.loading = list(loading)
        self.asked: list[tuple[list[Message], GenerationSettings]] = []
        self.taken_back: list[StepKind] = []
        self.threads: set[int] = set()
        self.unloaded = threading.Event()
        self.draft_error: UserError | None = None
        self._target: LoadedModel | None = None
        self.foresight: Foresight = ""
        self.drafts: tuple[LoadedModel, ...] = ()
        self.router = Router()
        self.past: list[str] | None = None  # what it learned, the newest first

    @property
    def target(self) -> LoadedModel | None:
        return self._target

    @property
    def draft(self) -> LoadedModel | None:
        return self.drafts[0] if self.drafts else None

    def load(self, spec: Spec, settings: LoadSettings, cancel: threading.Event) -> Iterator[LoadProgress]:
        self.threads.add(threading.get_ident())
        self._target, self.drafts = None, ()
        for step in self.loading:
            if isinstance(step, LoadProgress):
                yield step
            elif isinstance(step, BaseException):
                raise step
            elif not _wait(step, cancel):
                return
        self._target = LoadedModel(spec, "scripted", 2048, 1000, self.foresight)

    def load_draft(self, spec: Spec, settings: LoadSettings, cancel: threading.Event) -> Iterator[LoadProgress]:
        if self.draft_error is not None:
            raise self.draft_error
        self.drafts = ()
        yield from self.add_draft(spec, settings, cancel)

    def add_draft(self, spec: Spec, settings: LoadSettings, cancel: threading.Event) -> Iterator[LoadProgress]:
        if self.draft_error is not None:
            raise self.draft_error
        yield LoadProgress("weights", 10, 10, spec.name)
        self.drafts = (*self.drafts, LoadedModel(spec, "scripted draft", 2048, 100))

    def drop_draft(self, name: str = "") -> None:
        self.drafts = tuple(draft for draft in self.drafts if name and draft.spec.name != name)

    def routes(self) -> Routes | None:
        if self._target is None:
            return None
        kinds = [Candidate(kind, draft.spec.name) for draft in self.drafts for kind in ("model", "combined")]
        return self.router.routes("target", self._target.spec.name, [Candidate("ngram"), *kinds], 0.02)

    def set_profile(self, task: Task, profile: Profile) -> None:
        self.router.set_profile("target", task, profile)

    def learn(self, texts: Iterable[str], folder: Path, cancel: threading.Event) -> Past | None:
        self.past = list(texts)
        if self._target is None:
            return None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "learned").write_text("\n".join(self.past), encoding="utf-8")
        return Past(len(self.past), sum(len(text.split()) for text in self.past))

    def forget_past(self, folder: Path) -> None:
        self.past = None
        (folder / "learned").unlink(missing_ok=True)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def generate_apart(
        self, messages: Sequence[Message], settings: GenerationSettings, cancel: threading.Event
    ) -> Iterator[Event]:
        return self.generate(messages, settings, cancel)

    def pass_costs(self) -> PassCosts | None:
        return None if self._target is None else PassCosts({1: 0.010, 2: 0.011, 4: 0.012, 8: 0.014}, 300_000_000, 40e9)

    def take_back(self, kind: StepKind) -> None:
        self.taken_back.append(kind)

    def unload(self) -> None:
        self._target, self.drafts = None, ()
        self.unloaded.set()

    def generate(
        self, messages: Sequence[Message], settings: GenerationSettings, cancel: threading.Event
    ) -> Iterator[Event]:
        self.threads.add(threading.get_ident())
        self.asked.append((list(messages), settings))
        figures = ReplyStatistics(drafter="n-gram", mode=settings.speculation.mode)
        for step in self.replies[min(len(self.asked), len(self.replies)) - 1]:
            if isinstance(step, Gate):
                _wait(step, cancel)
            if cancel.is_set():
                yield Finished("cancelled", figures)
                return
            if isinstance(step, BaseException):
                raise step
            if isinstance(step, Round):
                figures = step.reply
            if not isinstance(step, Gate):
                yield step


class ScriptedStore:
    """Has the starter on disk already, unless a test gives it steps or an error."""

    def __init__(self, *steps: LoadProgress | Gate, error: UserError | None = None) -> None:
        self.steps = steps
        self.error = error

    def open(self, path: Path, cancel: threading.Event) -> Generator[LoadProgress, None, Spec]:
        yield LoadProgress("convert", detail=path.name)
        if not (path / "config.json").is_file():
            raise UserError(f"{path.name} holds no model.", "Choose a folder with a config.json.")
        return Spec(str(path), path.name, folder=path)

    def fetch(self, spec: Spec, cancel: threading.Event) -> Generator[LoadProgress, None, Spec]:
        for step in self.steps:
            if isinstance(step, LoadProgress):
                yield step
            elif not _wait(step, cancel):
                raise DownloadCancelled
        if self.error is not None:
            raise self.error
        return spec.at(Path("starter"))


def _wait(gate: Gate, cancel: threading.Event) -> bool:
    """Until the gate is open (True) or the run is cancelled (False)."""
    while not gate.wait(0.002):
        if cancel.is_set():
            return False
    return True

"""Runs that are measured beside the chats: the same questions under several settings, one after the other."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inference.chat_engine import ChatEngine
from inference.events import Delta, Event, Failed, Finished, PromptProgress, Round
from inference.ladder import MemoryStep
from inference.messages import Message
from inference.settings import GenerationSettings


@dataclass(frozen=True)
class Trial:
    """One reply to be made."""

    messages: tuple[Message, ...]
    settings: GenerationSettings


@dataclass(frozen=True)
class TrialsPlanned:
    """What will be run, before the first of it."""

    trials: tuple[Trial, ...]


@dataclass(frozen=True)
class TrialNews:
    """An event of the trial at `index`: PromptProgress, Round and Delta, and one Finished or Failed at the end."""

    index: int
    event: PromptProgress | Round | Delta | Finished | Failed


@dataclass(frozen=True)
class TrialsDone:
    """Nothing follows. cancelled: before the last trial was whole."""

    cancelled: bool


TrialLetter = TrialsPlanned | TrialNews | TrialsDone | MemoryStep  # what is given up is gone for the chats as well


def run_trials(engine: ChatEngine, trials: Sequence[Trial], cancel: threading.Event) -> Iterator[TrialLetter]:
    """Every trial begins with nothing read before, and leaves nothing in the caches of the chats.

    A trial that fails ends the series: the others would fail likewise.
    """
    yield TrialsPlanned(tuple(trials))
    for index, trial in enumerate(trials):
        if cancel.is_set():
            break
        last: Event | None = None
        for event in engine.generate_apart(trial.messages, trial.settings, cancel):
            last = event
            if isinstance(event, PromptProgress | Round | Delta | Finished | Failed):
                yield TrialNews(index, event)
            elif isinstance(event, MemoryStep):
                yield event
        if isinstance(last, Failed) or (isinstance(last, Finished) and last.reason == "cancelled"):
            break
    else:
        yield TrialsDone(cancelled=False)
        return
    yield TrialsDone(cancelled=cancel.is_set())

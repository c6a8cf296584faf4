"""Loading engines and collecting replies, for the tests that talk to a whole engine."""

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from inference.engine import Engine
from inference.events import Delta, Event, Finished, Piece
from inference.manager.spec import Spec
from inference.messages import Message
from inference.settings import GenerationSettings, LoadSettings, SamplingSettings, SpeculationSettings

FLOAT32 = LoadSettings(precision="float32", implementation="adapter")
DRAFTERS = ("ngram", "model")


def spec(folder: Path) -> Spec:
    return Spec(identifier=str(folder), name=folder.name, folder=folder)


def load(
    folder: Path, draft: Path | None = None, settings: LoadSettings = FLOAT32, *, overlap: bool | None = None
) -> Engine:
    engine = Engine(overlap=overlap)
    for _ in engine.load(spec(folder), settings, threading.Event()):
        pass
    if draft is not None:
        for _ in engine.load_draft(spec(draft), settings, threading.Event()):
            pass
    return engine


def greedy(drafter: str = "none", k: int = 4, max_tokens: int = 48, **more: object) -> GenerationSettings:
    """Greedy, with a fixed draft length that never pauses."""
    return GenerationSettings(
        sampling=SamplingSettings(temperature=0, **more),  # type: ignore[arg-type]
        speculation=SpeculationSettings(mode="on", drafter=drafter, draft_length=k, dynamic=False),  # type: ignore[arg-type]
        max_tokens=max_tokens,
    )


def ask(text: str, *before: str, system: str = "") -> list[Message]:
    """A question, after questions and answers in turn."""
    start = [Message("system", system)] if system else []
    roles = ("user", "assistant")
    return [*start, *(Message(roles[i % 2], turn) for i, turn in enumerate(before)), Message("user", text)]  # type: ignore[arg-type]


def reply(engine: Engine, messages: Sequence[Message], settings: GenerationSettings) -> list[Event]:
    return list(engine.generate(messages, settings, threading.Event()))


def text_of(events: Iterable[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Delta))


def pieces_of(events: Iterable[Event]) -> list[Piece]:
    return [piece for event in events if isinstance(event, Delta) for piece in event.pieces]


def finished(events: Sequence[Event]) -> Finished:
    last = events[-1]
    assert isinstance(last, Finished), last
    return last


def held(engine: Engine) -> list[list[int]]:
    """The texts whose caches the engine keeps, in tokens."""
    return [session.tokens for session in engine._pool._sessions] if engine._pool else []

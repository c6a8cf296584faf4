"""The surface of the engine that a program needs; `inference.engine.Engine` is the real one, tests have a scripted one.

Importing this module imports neither torch nor transformers.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from inference.events import Event, LoadProgress
from inference.heads.shelf import ShelfEntry
from inference.ladder import MemoryStep, StepKind
from inference.manager.spec import Spec
from inference.messages import Message
from inference.profiles import Past, Profile, Routes
from inference.settings import GenerationSettings, LoadSettings
from inference.tasks import Task

# Layers of the checkpoint's own that foresee further tokens: none, ready to draft, there but of no use, promised and
# not there.
Foresight = Literal["", "ready", "unused", "absent"]


@dataclass(frozen=True)
class LoadedModel:
    """A model in memory. description is for people, e.g. "fused, int4, AVX-512 VNNI". device: cpu, cuda:0, ..."""

    spec: Spec
    description: str
    context_length: int
    nbytes: int
    foresight: Foresight = ""
    device: str = "cpu"


@dataclass(frozen=True)
class LoadedHead:
    """A trained head in memory. task: code, prose or any. measured: what its card says that it gains."""

    name: str
    task: str
    folder: Path
    nbytes: int
    measured: Mapping[str, Any]


@dataclass(frozen=True)
class PassCosts:
    """seconds: of a pass on an empty cache, by its number of rows. nbytes: of the weights, which a pass reads once.

    bytes_per_second: what the memory that holds them delivers, measured; None where it could not be.
    utilization: the share of the time in which a graphics card computed meanwhile; None where it cannot be read.
    """

    seconds: Mapping[int, float]
    nbytes: int
    bytes_per_second: float | None
    utilization: float | None = None


class ChatEngine(Protocol):
    """Every method is called from one thread. Generators may be closed at any point and leave a usable engine."""

    @property
    def target(self) -> LoadedModel | None: ...

    @property
    def draft(self) -> LoadedModel | None:
        """The first of `drafts`."""
        ...

    @property
    def drafts(self) -> tuple[LoadedModel, ...]:
        """The draft models in memory."""
        ...

    def load(self, spec: Spec, settings: LoadSettings, cancel: threading.Event) -> Iterator[LoadProgress | MemoryStep]:
        """Load `spec` (on disk: spec.folder is set) as the target, in place of the one before. Raises UserError."""
        ...

    def load_draft(
        self, spec: Spec, settings: LoadSettings, cancel: threading.Event
    ) -> Iterator[LoadProgress | MemoryStep]:
        """Load a draft for the present target, in place of all others.

        Raises UserError with the reason when the vocabularies differ.
        """
        ...

    def add_draft(
        self, spec: Spec, settings: LoadSettings, cancel: threading.Event
    ) -> Iterator[LoadProgress | MemoryStep]:
        """Load one more draft, beside the others; they stay when it fails. Raises UserError as `load_draft` does."""
        ...

    def drop_draft(self, name: str = "") -> None:
        """Free the draft of that name, or every draft."""
        ...

    @property
    def heads(self) -> tuple[LoadedHead, ...]:
        """The trained heads in memory."""
        ...

    def shelf(self) -> tuple[ShelfEntry, ...]:
        """Every trained head on this machine, those that fit the target first; loading it loaded these already."""
        ...

    def load_head(self, folder: Path) -> LoadedHead:
        """Load a trained head (`inference.heads`) for the present target, beside others. Takes half a second.

        Raises UserError with the reason where it cannot draft for the target.
        """
        ...

    def drop_head(self, name: str = "") -> None:
        """Free the head of that name, or every head."""
        ...

    def routes(self) -> Routes | None:
        """What was measured for the present target, and what drafts for each task; None without a target."""
        ...

    def set_profile(self, task: Task, profile: Profile) -> None:
        """What the person decides about a task of the present target. Kept."""
        ...

    def learn(self, texts: Iterable[str], folder: Path, cancel: threading.Event) -> Past | None:
        """From now on draft from these past texts, too, and from no others: the newest come first, the oldest may not
        fit. Kept in `folder` by vocabulary; what is not among the texts leaves all of its files, also without a target.

        `cancel` is looked at between two texts; then nothing has changed, and what was read is not read again.
        """
        ...

    def forget_past(self, folder: Path) -> None:
        """Draft from past texts no longer, and remove what `learn` kept."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The tokens of each text in the target's vocabulary. Raises UserError without a target."""
        ...

    def take_back(self, kind: StepKind) -> None:
        """Have again what memory ran out for (draft_length, cache_bits or context) from the next reply on.

        A draft model comes back by being loaded; draft: all trained drafts that came with the target.
        """
        ...

    def unload(self) -> None:
        """Give the memory of target and drafts back."""
        ...

    def generate(
        self, messages: Sequence[Message], settings: GenerationSettings, cancel: threading.Event
    ) -> Iterator[Event]:
        """Reply to `messages` (the last one is the user's, or an assistant's to be continued).

        Ends with exactly one Finished or Failed. `cancel` is looked at once a round. Faults the person can mend come as
        Failed, never as an exception.
        """
        ...

    def generate_apart(
        self, messages: Sequence[Message], settings: GenerationSettings, cancel: threading.Event
    ) -> Iterator[Event]:
        """As `generate`, beside the chats: with nothing read before, and nothing of theirs touched. For measuring."""
        ...

    def pass_costs(self) -> PassCosts | None:
        """What a pass of the target costs on this machine; None without a target. Takes a fifth of a second once."""
        ...

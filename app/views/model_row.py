"""What the page of models shows of one model, as plain data."""

from dataclasses import dataclass
from typing import Literal

from app.settings import CacheBits, DraftDevice, Int4Group
from inference.settings import Precision

Where = Literal["here", "catalogue", "hub"]


@dataclass(frozen=True)
class ModelRow:
    """detail: a short second line. facts: label and value. note: one sentence about it. own: its files are ours to
    delete; a folder elsewhere is only forgotten. obstacle: why it cannot be fetched, "" if it can. parameters: 0 where
    they are not known."""

    identifier: str
    name: str
    where: Where
    detail: str
    facts: tuple[tuple[str, str], ...] = ()
    note: str = ""
    own: bool = True
    loaded: bool = False
    obstacle: str = ""
    context_length: int = 0
    parameters: int = 0
    fits: bool = False  # the memory that is free holds it at 4 bits
    drafted: bool = False  # a draft for it is known


@dataclass(frozen=True)
class DraftRow:
    """A draft that could be chosen; reason: why not, "" if it can. note: why it is only the second choice."""

    identifier: str
    name: str
    reason: str = ""
    note: str = ""


@dataclass(frozen=True)
class LoadWish:
    """What the person wants to load, and how. draft: the identifier of a model here, "" for none."""

    identifier: str
    precision: Precision = "auto"
    context: int = 8192
    draft: str = ""
    cache_bits: CacheBits = "16"  # of keys and values
    int4_group: Int4Group = "32"  # 4-bit weights that share a scale, on the processor
    draft_device: DraftDevice = "auto"
    offload: bool = False  # layers that do not fit may lie elsewhere


@dataclass(frozen=True)
class Fetching:
    """How far a download is. fraction 0..1, None while that is not known. paused: it waits to be resumed. failed: and
    `line` says why. hub: another address of the hub, or a token, may help."""

    line: str
    fraction: float | None = None
    paused: bool = False
    failed: bool = False
    hub: bool = False

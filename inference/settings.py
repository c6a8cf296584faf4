"""Everything that can be set about loading and generating. Frozen, and checked when made."""

import re
from dataclasses import dataclass, field
from typing import Literal, get_args

from inference.tasks import TaskChoice

Mode = Literal["off", "on", "automatic"]
DrafterKind = Literal["automatic", "none", "ngram", "model", "head", "combined"]
Precision = Literal["auto", "float32", "bfloat16", "float16", "int8", "int4"]
Implementation = Literal["auto", "adapter", "fused"]
FourBitKind = Literal["nf4", "fp4"]
FLOATS: tuple[Precision, ...] = ("float32", "bfloat16", "float16")
ComputeType = Literal["auto", "bfloat16", "float16", "float32"]
FOUR_BIT_BLOCKS = (64, 128)
DEVICE = re.compile(r"auto|cpu|mps|cuda(:\d{1,2})?")  # torch takes cuda:256 for cuda:0
CACHE_BITS = (16, 8, 4, 2)  # of keys and values; below 8, keys have 5
INT4_GROUPS = (32, 64, 128)  # inputs that share a scale and a minimum
TABLES = "_tables"

MAX_DRAFT_LENGTH = 16


def check_group(inputs: int) -> None:
    """ValueError for groups that int4 weights do not have."""
    if inputs not in INT4_GROUPS:
        raise ValueError(f"{', '.join(map(str, INT4_GROUPS))} weights of 4 bits share a scale, not {inputs!r}")


def packed_kind(precision: str, group: int, tables: bool = False) -> str:
    """The name of the native kernels' format (`inference.native.weights.Format`) that a model is packed in: int8, int4,
    int4_64 or int4_128. Embedding and head have 8 bits; with `tables` they are as the other matrices, and the name ends
    in TABLES."""
    if precision != "int4":
        return precision
    return ("int4" if group == INT4_GROUPS[0] else f"int4_{group}") + (TABLES if tables else "")


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} must be between {low:g} and {high:g}, not {value!r}")


@dataclass(frozen=True)
class SamplingSettings:
    """Shared by draft and target: there is no way to set them apart.

    temperature 0 is greedy. top_k 0, top_p 1, min_p 0 and repetition_penalty 1 mean "off".
    seed None draws a fresh one for every reply.
    """

    temperature: float = 0.7
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int | None = None

    def __post_init__(self) -> None:
        _check("temperature", self.temperature, 0.0, 5.0)
        _check("top_k", self.top_k, 0, 1_000_000)
        _check("top_p", self.top_p, 0.0, 1.0)
        _check("min_p", self.min_p, 0.0, 1.0)
        _check("repetition_penalty", self.repetition_penalty, 0.5, 3.0)
        if self.seed is not None:
            _check("seed", self.seed, 0, 2**63 - 1)

    @property
    def greedy(self) -> bool:
        return self.temperature == 0.0


@dataclass(frozen=True)
class SpeculationSettings:
    """mode off: never draft; on: always; automatic: pause (K = 0) while drafting loses.

    drafter head: a head trained for the target, the one for the task where there are several. combined: n-gram lookup
    where the text repeats itself at length, else the draft model or the head. automatic: the router takes what is
    fastest for the task, of all that is at hand.
    task: what is being written; automatic follows the text, code and prose pin it.
    draft: the name of the draft model or head that shall draft, of several of that kind; "": what fits the task best.

    draft_length is K when `dynamic` is off, and the first guess when it is on (then K moves in 0..max_draft_length).
    min_acceptance is on yield (accepted / proposed): below it a dynamic K shrinks.
    """

    mode: Mode = "automatic"
    drafter: DrafterKind = "ngram"
    draft_length: int = 4
    dynamic: bool = True
    max_draft_length: int = 8
    min_acceptance: float = 0.6
    task: TaskChoice = "automatic"
    draft: str = ""

    def __post_init__(self) -> None:
        if self.mode not in ("off", "on", "automatic"):
            raise ValueError(f"speculation must be off, on or automatic, not {self.mode!r}")
        if self.drafter not in get_args(DrafterKind):
            raise ValueError(f"drafter must be one of {', '.join(get_args(DrafterKind))}, not {self.drafter!r}")
        if self.task not in get_args(TaskChoice):
            raise ValueError(f"the task must be automatic, code or prose, not {self.task!r}")
        _check("draft_length", self.draft_length, 1, MAX_DRAFT_LENGTH)
        _check("max_draft_length", self.max_draft_length, 1, MAX_DRAFT_LENGTH)
        _check("min_acceptance", self.min_acceptance, 0.0, 1.0)

    @property
    def enabled(self) -> bool:
        return self.mode != "off" and self.drafter != "none"

    def statement(self, drafter: str) -> str:
        """One line for the log; `drafter` is the name of what really drafts."""
        if not self.enabled:
            return "speculative decoding off"
        length = f"{self.max_draft_length} at most" if self.dynamic else self.draft_length
        return f"speculative decoding enabled: {drafter}, K={length}, mode {self.mode}"

    @property
    def needs_model(self) -> bool:
        return self.enabled and self.drafter in ("model", "combined")


@dataclass(frozen=True)
class GenerationSettings:
    """One reply: how to sample, how to speculate, when to stop. max_tokens is a bound on the reply alone."""

    sampling: SamplingSettings = field(default_factory=SamplingSettings)
    speculation: SpeculationSettings = field(default_factory=SpeculationSettings)
    max_tokens: int = 1024
    stop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check("max_tokens", self.max_tokens, 1, 1_000_000)
        if any(not text for text in self.stop):
            raise ValueError("a stop string must not be empty")


@dataclass(frozen=True)
class FourBit:
    """How bitsandbytes packs weights into 4 bits, where it does: on a graphics card, and for what the fused decoder and
    the native kernels do not know.

    kind: NormalFloat (Dettmers et al. 2023, arXiv 2305.14314) or 4-bit floats. double: the scales are packed as well.
    block: weights that share a scale. compute: the type that products are made in; auto: bfloat16 where the device has
    it, else float16.
    """

    kind: FourBitKind = "nf4"
    double: bool = True
    block: int = 64
    compute: ComputeType = "auto"

    def __post_init__(self) -> None:
        if self.kind not in get_args(FourBitKind):
            raise ValueError(f"4-bit weights are nf4 or fp4, not {self.kind!r}")
        if self.block not in FOUR_BIT_BLOCKS:
            raise ValueError(f"64 or 128 weights share a scale, not {self.block!r}")
        if self.compute not in get_args(ComputeType):
            raise ValueError(f"products are made in {', '.join(get_args(ComputeType))}, not {self.compute!r}")

    @property
    def bits(self) -> float:
        """Of memory for a weight: its own four, and its share of a scale (256 scales of 8 bits share one of 32)."""
        return 4 + (8 + 32 / 256 if self.double else 32) / self.block


@dataclass(frozen=True)
class LoadSettings:
    """How a model is held in memory. context_length is an upper bound; the model's own bound holds as well.

    cache_bits: of keys and values, where the native kernels compute; elsewhere they stay as they are.
    four_bit: for int4 weights that bitsandbytes packs. int4_group: inputs that share a scale and a minimum in int4
    weights that are packed here, on the processor; blocks of a GGUF stay as they are. int4_tables: embedding and head
    are packed to int4 as well, and not to 8 bits, as is good enough for a draft. draft_precision: of a draft;
    auto: a float where the target is asked for in one, else 4 bits where the native kernels compute, and 16 elsewhere.
    draft_device: of a draft: auto (see `plan.placement`), target (where that is), cpu, cuda:1, ...
    offload: the person accepts that layers which do not fit lie elsewhere and are fetched in every pass (see
    `plan.offload`); away: percent of the weights that have to, whatever the plan says.
    align: a draft with another vocabulary is taken as well, and drafts by its text (`drafters.aligned_draft`).
    """

    precision: Precision = "auto"
    implementation: Implementation = "auto"
    device: str = "auto"
    context_length: int = 8192
    trust_remote_code: bool = False
    cache_bits: int = 16
    align: bool = False
    four_bit: FourBit = field(default_factory=FourBit)
    draft_precision: Precision = "auto"
    int4_group: int = INT4_GROUPS[0]
    int4_tables: bool = False
    draft_device: str = "auto"
    offload: bool = False
    away: int = 0

    def __post_init__(self) -> None:
        if self.draft_device != "target" and not DEVICE.fullmatch(self.draft_device):
            raise ValueError(f"a draft is held by auto, target, cpu or cuda:0, not {self.draft_device!r}")
        _check("context_length", self.context_length, 16, 10_000_000)
        check_group(self.int4_group)
        _check("away", self.away, 0, 99)
        if self.cache_bits not in CACHE_BITS:
            raise ValueError(f"keys and values have {CACHE_BITS} bits, not {self.cache_bits!r}")

"""What would make replies faster, from what was measured of the last ones. Pure: figures in, findings out.

Nothing is said without a measurement, and nothing before enough was measured. Times in seconds, shares from 0 to 1.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import mul
from typing import Literal

from inference.chat_engine import PassCosts
from inference.costs import Costs
from inference.settings import GenerationSettings
from inference.statistics import ReplyStatistics, ratio
from inference.tasks import Task

LEAST_REPLIES, LEAST_TOKENS, LEAST_JUDGED = 3, 200, 60  # before anything is said; judged: verified tokens
MOST_REPLIES = 8  # the latest, all made with the same settings
MOST_ADVICE = 3
SLOW_SHARE = 0.30  # of the decoding time, in the draft
BAD_ACCEPTANCE = 0.50
HOT, HOT_ACCEPTANCE, COOL = 0.8, 0.60, 0.5  # a temperature from which it is to blame, and the one that is proposed
TASK_GAP = 0.20  # of acceptance between code and prose
WORTH = 1.05  # times as fast: what a change must promise
LOSING = 0.98
COARSE_ACCEPTANCE, COARSE_SHARE, COARSE_TEMPERATURE = 0.70, 0.20, 0.5
LONG_PROMPT, LONG_RATIO = 1500, 1.5  # tokens; times as long as a pass over an empty cache
MEMORY_SHARE, FLAT, STEEP = 0.5, 0.15, 0.35  # of the bandwidth; a further row's cost, of the first
BUSY = 0.6  # of the time; a card that computes less waits for the processor
UNDISTURBED = 0.9  # a pass over more rows is not faster than that, of the first
FOUR_BIT = ("int4", "q4", "nf4", "4-bit", "4 bit")

AdviceKind = Literal[
    "losing",
    "hot",
    "wrong_draft",
    "guesses_badly",
    "draft_slow",
    "too_long",
    "draft_coarse",
    "long_context",
    "compute_bound",
    "memory_bound",
]
Errand = Literal["routes", "train", "new_chat", "finer_draft"]  # what no setting does


@dataclass(frozen=True)
class Change:
    """A setting of the program, and what it should be."""

    name: str
    value: object


@dataclass(frozen=True)
class Advice:
    """figures: what was measured, by name. action: what helps."""

    kind: AdviceKind
    figures: Mapping[str, float] = field(default_factory=dict)
    action: Change | Errand = "routes"


@dataclass(frozen=True)
class Heard:
    """One reply and how it was made. task: of most of it."""

    statistics: ReplyStatistics
    settings: GenerationSettings
    task: Task = "prose"

    @property
    def setup(self) -> tuple[object, ...]:
        """Replies of one setup are judged together."""
        return (self.settings.speculation, self.settings.sampling.temperature)

    @property
    def plain_s(self) -> float:
        """What a token would have taken without speculation, at its context; 0: not known."""
        figures = self.statistics
        per_token = ratio(figures.decode_s, figures.reply_tokens)
        return per_token * (1.0 if figures.mode == "off" else figures.measured_gain or 0.0)


@dataclass(frozen=True)
class Setting:
    """What the replies were made on. precision, draft_precision: descriptions of the weights; "" not known or none."""

    costs: PassCosts | None = None
    precision: str = ""
    draft_precision: str = ""


@dataclass(frozen=True)
class Measured:
    """What the latest replies show, whether or not that calls for advice. None: nothing was drafted, or not known."""

    replies: int
    tokens: int
    tokens_per_second: float = 0.0
    acceptance: float | None = None
    draft_share: float | None = None
    gain: float | None = None

    @property
    def enough(self) -> bool:
        return self.replies >= LEAST_REPLIES and self.tokens >= LEAST_TOKENS


@dataclass(frozen=True)
class _Sum:
    """The latest replies of one setup, pooled."""

    replies: tuple[Heard, ...]
    others: tuple[Heard, ...]  # earlier ones, made otherwise
    setting: Setting

    def total(self, name: str) -> float:
        return float(sum(getattr(heard.statistics, name) for heard in self.replies))

    @property
    def last(self) -> Heard:
        return self.replies[-1]

    @property
    def speculating(self) -> bool:
        return self.last.settings.speculation.enabled

    @property
    def judged(self) -> bool:
        return self.speculating and self.total("verified") >= LEAST_JUDGED

    @property
    def acceptance(self) -> float:
        return ratio(self.total("accepted"), self.total("verified"))

    @property
    def draft_share(self) -> float:
        return ratio(self.total("draft_s"), self.total("decode_s"))

    @property
    def gain(self) -> float:
        """Times as fast as without speculation; 0: not known."""
        known = [h.statistics for h in self.replies if h.statistics.measured_gain is not None]
        plain = sum((one.measured_gain or 0.0) * one.decode_s for one in known)
        return ratio(plain, sum(one.decode_s for one in known))

    @property
    def by_position(self) -> list[float]:
        """Acceptance by place in the draft."""
        longest = max((len(h.statistics.verified_by_position) for h in self.replies), default=0)
        sums = []
        for names in ("accepted_by_position", "verified_by_position"):
            rows = [getattr(h.statistics, names) for h in self.replies]
            sums.append([sum(row[i] for row in rows if i < len(row)) for i in range(longest)])
        return [ratio(a, v) for a, v in zip(*sums, strict=True)]

    @property
    def other_way(self) -> Change | Errand:
        """Let Foreword choose the draft, or show what it has to choose from."""
        automatic = self.last.settings.speculation.drafter == "automatic"
        return "routes" if automatic else Change("drafter", "automatic")

    def acceptance_at(self, task: Task) -> float | None:
        """None: not enough of it was judged."""
        return _acceptance([heard for heard in self.replies if heard.task == task])


def _acceptance(replies: Sequence[Heard]) -> float | None:
    """Of all together; None: not enough was judged."""
    verified = sum(heard.statistics.verified for heard in replies)
    return ratio(sum(heard.statistics.accepted for heard in replies), verified) if verified >= LEAST_JUDGED else None


def advise(replies: Sequence[Heard], setting: Setting | None = None) -> tuple[Advice, ...]:
    """The most useful first, MOST_ADVICE at most. replies: of one target, the latest last."""
    if not replies or not measured(replies).enough:
        return ()
    pooled = _pooled(replies, setting or Setting())
    found: dict[AdviceKind, Advice] = {}
    for rule in RULES:
        if (advice := rule(pooled)) is not None and not found.keys() & STANDS_BEHIND.get(advice.kind, set()):
            found[advice.kind] = advice
    return tuple(found.values())[:MOST_ADVICE]


def measured(replies: Sequence[Heard]) -> Measured:
    """Of the latest that were made with the same settings."""
    if not replies:
        return Measured(0, 0)
    pooled = _pooled(replies, Setting())
    tokens = round(pooled.total("reply_tokens"))
    return Measured(
        len(pooled.replies),
        tokens,
        ratio(tokens, pooled.total("decode_s")),
        pooled.acceptance if pooled.judged else None,
        pooled.draft_share if pooled.judged else None,
        pooled.gain or None,
    )


def _pooled(replies: Sequence[Heard], setting: Setting) -> _Sum:
    setup = replies[-1].setup
    same = [heard for heard in replies if heard.setup == setup][-MOST_REPLIES:]
    return _Sum(tuple(same), tuple(heard for heard in replies if heard.setup != setup), setting)


def _losing(sum_: _Sum) -> Advice | None:
    mode = sum_.last.settings.speculation.mode
    if not sum_.judged or mode != "on" or not 0.0 < sum_.gain < LOSING:
        return None
    return Advice("losing", {"gain": sum_.gain}, Change("speculation", "automatic"))


def _hot(sum_: _Sum) -> Advice | None:
    temperature = sum_.last.settings.sampling.temperature
    if not sum_.judged or temperature < HOT or sum_.acceptance >= HOT_ACCEPTANCE:
        return None
    figures = {"temperature": temperature, "acceptance": sum_.acceptance, "wanted": COOL}
    cooler = [h for h in sum_.others if h.settings.sampling.temperature < temperature and h.statistics.verified]
    acceptance = _acceptance(cooler)
    if acceptance is not None and acceptance > sum_.acceptance:
        figures["cooler"] = max(h.settings.sampling.temperature for h in cooler)
        figures["cooler_acceptance"] = acceptance
    return Advice("hot", figures, Change("temperature", COOL))


def _wrong_draft(sum_: _Sum) -> Advice | None:
    here = sum_.last.task
    there: Task = "prose" if here == "code" else "code"
    low, high = sum_.acceptance_at(here), sum_.acceptance_at(there)
    if not sum_.speculating or low is None or high is None or high - low < TASK_GAP:
        return None
    if sum_.last.settings.speculation.drafter == "automatic" and low >= BAD_ACCEPTANCE:
        return None  # the router has found nothing better, and this is good enough
    figures = {"acceptance": low, "other_acceptance": high, "code": float(here == "code")}
    return Advice("wrong_draft", figures, sum_.other_way)


def _guesses_badly(sum_: _Sum) -> Advice | None:
    if not sum_.judged or sum_.acceptance >= BAD_ACCEPTANCE:
        return None
    automatic = sum_.last.settings.speculation.drafter == "automatic"
    figures = {"acceptance": sum_.acceptance, "verified": sum_.total("verified")}
    return Advice("guesses_badly", figures, "train" if automatic else sum_.other_way)


def _draft_slow(sum_: _Sum) -> Advice | None:
    if not sum_.judged or sum_.draft_share <= SLOW_SHARE:
        return None
    each = ratio(sum_.total("draft_s"), sum_.total("proposed"))
    return Advice("draft_slow", {"share": sum_.draft_share, "each_s": each}, sum_.other_way)


def _too_long(sum_: _Sum) -> Advice | None:
    """The best K by the measured acceptance and costs; a dynamic length finds it by itself."""
    speculation, rates = sum_.last.settings.speculation, sum_.by_position
    k = min(speculation.draft_length, len(rates))
    if not sum_.judged or speculation.dynamic or k < 2:
        return None
    rounds = sum_.total("rounds")
    costs = Costs(sum_.setting.costs.seconds if sum_.setting.costs else {1: ratio(sum_.total("verify_s"), rounds)})
    factor = ratio(sum_.total("verify_s"), rounds) / costs.verify_s(k + 1)  # the context and the machine as they are
    each, other = ratio(sum_.total("draft_s"), sum_.total("proposed")), ratio(sum_.total("other_s"), rounds)
    reached = [1.0, *accumulate(rates, mul)]
    speeds = {i: sum(reached[: i + 1]) / (i * each + factor * costs.verify_s(i + 1) + other) for i in range(1, k + 1)}
    best = max(speeds, key=speeds.__getitem__)
    if speeds[best] < WORTH * speeds[k]:
        return None
    figures = {"length": k, "best": best, "last": rates[k - 1], "gain": speeds[best] / speeds[k]}
    return Advice("too_long", figures, Change("draft_length", best))


def _draft_coarse(sum_: _Sum) -> Advice | None:
    precision = sum_.setting.draft_precision.lower()
    coarse = any(name in precision for name in FOUR_BIT)
    guesses = BAD_ACCEPTANCE <= sum_.acceptance < COARSE_ACCEPTANCE
    cool = sum_.last.settings.sampling.temperature <= COARSE_TEMPERATURE
    if not (sum_.judged and coarse and guesses and cool and 0.0 < sum_.draft_share < COARSE_SHARE):
        return None
    return Advice("draft_coarse", {"acceptance": sum_.acceptance, "share": sum_.draft_share}, "finer_draft")


def _long_context(sum_: _Sum) -> Advice | None:
    costs, prompt = sum_.setting.costs, sum_.last.statistics.prompt_tokens
    slower = ratio(sum_.last.plain_s, costs.seconds.get(1, 0.0)) if costs else 0.0
    if prompt < LONG_PROMPT or slower < LONG_RATIO:
        return None
    return Advice("long_context", {"tokens": prompt, "ratio": slower}, "new_chat")


def _compute_bound(sum_: _Sum) -> Advice | None:
    speculation, slope = sum_.last.settings.speculation, _slope(sum_.setting.costs)
    if not sum_.judged or slope is None or slope < STEEP or _waits(sum_.setting.costs):
        return None
    change = None
    if speculation.mode == "on":
        change = Change("speculation", "automatic")
    elif not speculation.dynamic and speculation.draft_length > 2:
        change = Change("dynamic", True)
    figures = {"slope": slope, "acceptance": sum_.acceptance, **_busy(sum_.setting.costs)}
    return Advice("compute_bound", figures, change) if change else None


def _memory_bound(sum_: _Sum) -> Advice | None:
    costs, slope, speculation = sum_.setting.costs, _slope(sum_.setting.costs), sum_.last.settings.speculation
    if costs is None or slope is None or not costs.bytes_per_second:
        return None
    reading = costs.nbytes / costs.seconds[1]
    if reading < MEMORY_SHARE * costs.bytes_per_second or slope > FLAT or _waits(costs):
        return None
    figures = {
        "nbytes": costs.nbytes,
        "reading": reading,
        "bandwidth": costs.bytes_per_second,
        "slope": slope,
        **_busy(costs),
    }
    if not speculation.enabled:
        return Advice("memory_bound", figures, Change("speculation", "automatic"))
    if any(name in sum_.setting.precision for name in ("float32", "float16")):  # bfloat16 is one of them
        return Advice("memory_bound", figures, Change("precision", "int4"))
    return None


def _busy(costs: PassCosts | None) -> dict[str, float]:
    """What the graphics card says of itself, if it does."""
    return {} if costs is None or costs.utilization is None else {"busy": costs.utilization}


def _waits(costs: PassCosts | None) -> bool:
    """Neither memory nor arithmetic bounds a card that has nothing to do for much of the time."""
    return costs is not None and costs.utilization is not None and costs.utilization < BUSY


def _slope(costs: PassCosts | None) -> float | None:
    """What each further row costs, of the first; None: not measured, or the measurement was disturbed."""
    if costs is None or len(costs.seconds) < 2 or not costs.seconds.get(1):
        return None
    most = max(costs.seconds)
    if min(costs.seconds.values()) < UNDISTURBED * costs.seconds[1]:
        return None
    return (costs.seconds[most] / costs.seconds[1] - 1.0) / (most - 1)


RULES: tuple[Callable[[_Sum], Advice | None], ...] = (
    _losing,
    _hot,
    _wrong_draft,
    _guesses_badly,
    _draft_slow,
    _too_long,
    _draft_coarse,
    _long_context,
    _compute_bound,
    _memory_bound,
)
# What another finding explains already is not said as well.
STANDS_BEHIND: dict[AdviceKind, set[AdviceKind]] = {
    "wrong_draft": {"hot"},
    "guesses_badly": {"hot", "wrong_draft"},
    "draft_coarse": {"hot", "wrong_draft", "guesses_badly"},
    "compute_bound": {"losing"},
}

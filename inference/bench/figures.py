"""From samples to a row of figures for each arm and group: medians, and ratios paired within a pass."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

from inference.bench.sample import Run, Sample
from inference.statistics import ReplyStatistics, ratio

WIDE = 0.1  # (most - least) / median of the passes over one prompt, above which an arm is marked
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Ratio:
    """Speed over the first arm's, pair by pair. low and high: 95 % confidence interval of the median, from 6 pairs."""

    median: float
    least: float
    most: float
    pairs: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Row:
    """One arm in one group. Speeds and times are medians over passes, then over prompts; shares pool all replies.

    None: not known, or it says nothing (the acceptance of an arm that never drafted).
    """

    group: str
    arm: str
    runs: int
    tok_s: float
    ratio: Ratio | None
    first_token_s: float | None
    prefill_tok_s: float | None
    prompt_tokens: float | None
    reply_tokens: float | None
    acceptance_rate: float | None
    first_acceptance: float | None  # of the first token of every draft
    draft_yield: float | None
    tokens_per_round: float | None
    draft_share: float | None
    draft_ms: float | None  # of one draft
    draft_length: float | None  # K: proposed tokens a round, rounds without a draft included
    paused_share: float | None  # of the rounds
    loop_share: float | None  # of decode time: outside of the models' forwards
    peak_memory: int | None  # bytes
    spread: float | None

    @property
    def wide(self) -> bool:
        return self.spread is not None and self.spread > WIDE


def rows(samples: Sequence[Sample], order: Sequence[str]) -> list[Row]:
    """A row for each group and arm that has samples; arms in `order`, groups as they first occur."""
    groups = dict.fromkeys(sample.group for sample in samples)
    result = []
    for group in groups:
        of_group = [sample for sample in samples if sample.group == group]
        first = [sample for sample in of_group if sample.arm == order[0]]
        for arm in order:
            if own := [sample for sample in of_group if sample.arm == arm]:
                result.append(_row(own, first))
    return result


def _row(samples: Sequence[Sample], first: Sequence[Sample]) -> Row:
    runs = [sample.run for sample in samples]
    figures = [run.statistics for run in runs if run.statistics is not None]
    proposed, accepted = sum(run.proposed for run in runs), sum(run.accepted for run in runs)
    drafted = any(figure.mode != "off" for figure in figures)
    return Row(
        group=samples[0].group,
        arm=samples[0].arm,
        runs=len(samples),
        tok_s=_typical((sample, sample.run.tok_s) for sample in samples) or 0.0,
        ratio=paired(samples, first),
        first_token_s=_typical((sample, sample.run.first_token_s) for sample in samples),
        prefill_tok_s=_typical((sample, sample.run.prefill_tok_s) for sample in samples),
        prompt_tokens=_middle(len(run.prompt) for run in runs if run.prompt),
        reply_tokens=_middle(len(run.reply) for run in runs if run.reply),
        acceptance_rate=_pooled(figures, "accepted", "verified") if drafted and proposed else None,
        first_acceptance=_first_acceptance(figures) if drafted and proposed else None,
        draft_yield=accepted / proposed if proposed else None,
        tokens_per_round=_pooled(figures, "reply_tokens", "rounds"),
        draft_share=_pooled(figures, "draft_s", "decode_s") if drafted else None,
        draft_ms=_draft_ms(figures) if drafted else None,
        draft_length=_pooled(figures, "proposed", "rounds") if drafted else None,
        paused_share=_pooled(figures, "paused_rounds", "rounds") if drafted else None,
        loop_share=_loop_share(runs),
        peak_memory=max((run.memory for run in runs if run.memory is not None), default=None),
        spread=spread(samples),
    )


def paired(samples: Sequence[Sample], first: Sequence[Sample]) -> Ratio | None:
    """Ratios of runs on the same prompt in the same pass; of whole passes where a peer sums them up."""
    if all(sample.case is not None for sample in (*samples, *first)):
        own, other = _speeds(samples, by_case=True), _speeds(first, by_case=True)
    else:
        own, other = _speeds(samples, by_case=False), _speeds(first, by_case=False)
    ratios = sorted(own[key] / other[key] for key in own if other.get(key))
    if not ratios:
        return None
    low, high = interval(ratios)
    return Ratio(median(ratios), ratios[0], ratios[-1], len(ratios), low, high)


def interval(ordered: Sequence[float]) -> tuple[float | None, float | None]:
    """Confidence interval of the median of sorted values, from the binomial distribution; None for fewer than six.

    The values with ranks r and n + 1 - r hold the median with probability 1 - 2 P(B(n, 1/2) < r), whatever their
    distribution; r is the largest rank for which that is at least CONFIDENCE.
    """
    n, below, rank = len(ordered), 0.0, 0
    while rank < n // 2 and 2 * (below + comb(n, rank) / 2**n) <= 1 - CONFIDENCE:
        below += comb(n, rank) / 2**n
        rank += 1
    return (ordered[rank - 1], ordered[n - rank]) if rank else (None, None)


def spread(samples: Sequence[Sample]) -> float | None:
    """How far the passes over one prompt lie apart: (most - least) / median, for the median prompt."""
    spreads = [
        (max(speeds) - min(speeds)) / median(speeds)
        for speeds in _by_case((sample, sample.run.tok_s) for sample in samples)
        if len(speeds) > 1
    ]
    return _middle(spreads)


def _speeds(samples: Sequence[Sample], by_case: bool) -> dict[tuple[int, int | None], float]:
    gathered: dict[tuple[int, int | None], list[float]] = {}
    for sample in samples:
        if sample.run.tok_s > 0:
            gathered.setdefault((sample.number, sample.case if by_case else None), []).append(sample.run.tok_s)
    return {key: median(speeds) for key, speeds in gathered.items()}


def _by_case(values: Iterable[tuple[Sample, float | None]]) -> list[list[float]]:
    gathered: dict[int | None, list[float]] = {}
    for sample, value in values:
        if value:  # 0 as a speed says that there was nothing to time
            gathered.setdefault(sample.case, []).append(value)
    return list(gathered.values())


def _typical(values: Iterable[tuple[Sample, float | None]]) -> float | None:
    return _middle(median(passes) for passes in _by_case(values))


def _middle(values: Iterable[float]) -> float | None:
    known = list(values)
    return float(median(known)) if known else None


def _loop_share(runs: Sequence[Run]) -> float | None:
    timed = [(run.forward_s, run.statistics.decode_s) for run in runs if run.forward_s is not None and run.statistics]
    decode_s = sum(decode for _, decode in timed)
    return 1.0 - sum(forward for forward, _ in timed) / decode_s if decode_s else None


def _first_acceptance(figures: Sequence[ReplyStatistics]) -> float | None:
    verified = sum(sum(figure.verified_by_position[:1]) for figure in figures)
    return ratio(sum(sum(figure.accepted_by_position[:1]) for figure in figures), verified) if verified else None


def _draft_ms(figures: Sequence[ReplyStatistics]) -> float | None:
    drafts = sum(sum(figure.rounds_by_draft_length[1:]) for figure in figures)
    return 1000 * sum(figure.draft_s for figure in figures) / drafts if drafts else None


def _pooled(figures: Sequence[ReplyStatistics], part: str, whole: str) -> float | None:
    total = sum(getattr(figure, whole) for figure in figures)
    return ratio(sum(getattr(figure, part) for figure in figures), total) if total else None

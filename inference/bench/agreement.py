"""Do arms of one precision say the same? Greedy replies, token for token."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inference.bench.sample import Run, Sample
from inference.models.causal_model import CausalModel

Gap = Callable[[Sequence[str], Sequence[int], int, int], float | None]


@dataclass(frozen=True)
class Difference:
    """Where a reply first leaves that of `reference`.

    position: of the token in the reply, from 0. expected, found: tokens, None where a reply had ended. gap: by how much
    the target's logit of the expected token is above that of the found one; near 0, rounding alone decides.
    """

    group: str
    case: int
    arm: str
    reference: str
    position: int
    expected: int | None
    found: int | None
    gap: float | None = None


@dataclass(frozen=True)
class Agreement:
    """compared: replies that had another to be compared with. differences: one for each arm and prompt at most."""

    compared: int
    differences: tuple[Difference, ...]


def agreement(samples: Sequence[Sample], precisions: dict[str, str], greedy: Sequence[bool], gap: Gap) -> Agreement:
    """Compare with the first arm of the same precision, on its first pass.

    precisions: of every arm. greedy: of every case. gap(arms, text, expected, found): see `logit_gap`; by the model of
    one of the arms, None when they have none to ask.
    """
    references: dict[tuple[str, int], Sample] = {}
    differences: dict[tuple[str, int], Difference] = {}
    compared = 0
    for sample in samples:
        case = sample.case
        if case is None or not greedy[case]:
            continue
        reference = references.setdefault((precisions[sample.arm], case), sample)
        if reference is sample:
            continue
        compared += 1
        position = parting(reference.run, sample.run)
        if position is not None and (sample.arm, case) not in differences:
            differences[sample.arm, case] = _difference(reference, sample, case, position, gap)
    return Agreement(compared, tuple(differences.values()))


def _difference(reference: Sample, sample: Sample, case: int, position: int, gap: Gap) -> Difference:
    expected, found = _at(reference.run, position), _at(sample.run, position)
    size = None
    if expected is not None and found is not None:
        text = [*sample.run.prompt, *sample.run.reply[:position]]
        size = gap((reference.arm, sample.arm), text, expected, found)
    return Difference(sample.group, case, sample.arm, reference.arm, position, expected, found, size)


def parting(one: Run, other: Run) -> int | None:
    """The first position at which two replies differ; None when they are the same."""
    if one.reply == other.reply:
        return None
    pairs = zip(one.reply, other.reply, strict=False)
    shorter = min(len(one.reply), len(other.reply))
    return next((position for position, (a, b) in enumerate(pairs) if a != b), shorter)


def logit_gap(model: CausalModel, text: Sequence[int], expected: int, found: int) -> float:
    """The target's logit of `expected` minus that of `found` after `text`, by one reading of the whole text."""
    logits = model.forward(text, model.new_cache())[0]
    return float(logits[expected] - logits[found])


def _at(run: Run, position: int) -> int | None:
    return run.reply[position] if position < len(run.reply) else None

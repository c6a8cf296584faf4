"""The decode loop: propose, verify, commit. One round yields one to K + 1 tokens of the target's own words."""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import NamedTuple

from inference.controller import ANY, DraftLengthController
from inference.drafters.drafter import Draft, DraftsAhead, Proposer
from inference.drafters.sourced import Sourced
from inference.events import Origin
from inference.sampling import Sampler
from inference.session import Session
from inference.statistics import RoundStatistics
from inference.verify import Verdict, verify

NOTHING = Draft()
PLAIN: tuple[Origin, ...] = ("plain",)


class Committed(NamedTuple):
    """What a round added to the text: tokens and how each came about."""

    tokens: tuple[int, ...]
    origins: tuple[Origin, ...]


Cut = Callable[[Committed], int]  # how many of these tokens stand; less than none when earlier ones fall, too


def decode(
    session: Session, drafter: Proposer | None, sampler: Sampler, controller: DraftLengthController, cut: Cut
) -> Iterator[RoundStatistics]:
    """Rounds without end, until the caller stops asking. After each, caches, drafters and text agree.

    While the target judges a draft, a drafter on another device may write the next one.
    """
    ahead: DraftsAhead | None = drafter if isinstance(drafter, DraftsAhead) else None
    sourced: Sourced | None = drafter if isinstance(drafter, Sourced) else None
    source: str | None = ANY
    behind = 0  # tokens committed since the drafter last proposed, unless it says itself
    finished = perf_counter()
    try:
        while True:
            started = perf_counter()
            elsewhere_s = started - finished  # what the caller did with the round before
            if sourced is not None:
                source, behind = sourced.source(), sourced.behind
            k = min(controller.next_length(source, behind), session.room - 1)
            draft = drafter.propose(k, sampler) if drafter is not None and source is not None and k > 0 else NOTHING
            proposed = len(draft.tokens)
            drafted = perf_counter()
            if ahead is not None and proposed:
                ahead.go_on()
            logits = session.forward(draft.tokens)  # [k + 1, vocabulary]
            verdict = verify(draft, logits, sampler)
            verified = perf_counter()

            committed = _committed(draft, verdict)
            kept = cut(committed)
            tokens = committed.tokens[: max(kept, 0)]
            session.commit(tokens, verdict.accepted)
            if kept < 0:
                session.rewind(len(session.tokens) + kept)
            sampler.commit(tokens)

            finished = perf_counter()
            figures = RoundStatistics(
                draft_length=k,
                proposed=proposed,
                verified=min(verdict.accepted + 1, proposed, len(tokens)),
                accepted=min(verdict.accepted, len(tokens)),
                committed=len(tokens),
                draft_s=drafted - started,
                verify_s=verified - drafted,
                other_s=finished - verified + elsewhere_s,
                past=draft.past,
                ready=ahead.ready if ahead is not None and proposed else 0,
            )
            controller.update(figures, proposed + 1, source, behind)
            behind = 0 if proposed else behind + len(tokens)
            yield figures
    finally:
        if ahead is not None:
            ahead.rest()


def _committed(draft: Draft, verdict: Verdict) -> Committed:
    if not draft.tokens:
        return Committed((verdict.token,), PLAIN)
    accepted = verdict.accepted
    stood: Origin = "recalled" if draft.past else "accepted"
    last: Origin = "bonus" if accepted == len(draft.tokens) else "recovered"
    return Committed((*draft.tokens[:accepted], verdict.token), (stood,) * accepted + (last,))

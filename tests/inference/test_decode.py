"""Whatever is accepted, cut off or taken back: text, caches and drafters stay in step."""

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from inference.acceptance import Acceptance
from inference.controller import DraftLengthController
from inference.costs import Costs
from inference.decode import Committed, decode
from inference.drafters.draft_model import ModelDrafter
from inference.drafters.drafter import Draft, Drafter
from inference.drafters.ngram import NgramDrafter
from inference.sampling import Sampler
from inference.session import Session
from inference.settings import SamplingSettings, SpeculationSettings
from tests.inference.fake_model import VOCABULARY, FakeCache, FakeModel, continuation

PROMPT = [3, 1, 4, 1, 5, 9, 2, 6]


class PatternDrafter:
    """Proposes the target's own tokens as far as a pattern says, then wrong ones."""

    name = "pattern"

    def __init__(self, pattern: Sequence[int]) -> None:
        self._pattern = list(pattern)
        self._text: list[int] = []

    @property
    def length(self) -> int:
        return len(self._text)

    def commit(self, tokens: Sequence[int]) -> None:
        self._text.extend(tokens)

    def rewind(self, length: int) -> None:
        del self._text[length:]

    def copy(self, length: int) -> "PatternDrafter":
        other = PatternDrafter(self._pattern)
        other.commit(self._text[:length])
        return other

    def propose(self, k: int, sampler: Sampler) -> Draft:
        right = self._pattern.pop(0) if self._pattern else 0
        tokens = continuation(self._text, k)
        return Draft(tuple(t if i < right else (t + 1) % VOCABULARY for i, t in enumerate(tokens)))


def controller(k: int) -> DraftLengthController:
    speculation = SpeculationSettings(mode="on", drafter="model", draft_length=k, dynamic=False)
    return DraftLengthController(speculation, Costs(), Acceptance(), 0.0)


def greedy() -> Sampler:
    return Sampler(SamplingSettings(temperature=0), torch.device("cpu"))


def everything(committed: Committed) -> int:
    return len(committed.tokens)


def in_step(session: Session, drafter: Drafter) -> bool:
    held = session._cache.tokens  # type: ignore[attr-defined]
    return session.tokens[: len(held)] == held and len(held) < len(session.tokens) == drafter.length


@given(
    pattern=st.lists(st.integers(0, 9), min_size=1, max_size=12),
    k=st.integers(1, 9),
    step=st.sampled_from([1, 4, 30, 1000]),
)
def test_any_pattern_of_acceptance_gives_the_targets_own_text(pattern: list[int], k: int, step: int) -> None:
    session = Session(FakeModel(step))
    session.begin(PROMPT)
    drafter = session.add_drafter("pattern", PatternDrafter(pattern))
    rounds = decode(session, drafter, greedy(), controller(k), everything)
    for right in pattern:
        figures = next(rounds)
        assert in_step(session, drafter)
        assert figures.accepted == min(right, k)
        assert figures.committed == figures.accepted + 1
        assert figures.verified == min(figures.accepted + 1, k)
    reply = session.tokens[len(PROMPT) :]
    assert reply == continuation(PROMPT, len(reply))


@given(
    cuts=st.lists(st.integers(-3, 6), min_size=1, max_size=10),
    pattern=st.lists(st.integers(0, 5), min_size=10, max_size=10),
    step=st.sampled_from([1, 7]),
)
def test_what_is_cut_off_leaves_no_trace(cuts: list[int], pattern: list[int], step: int) -> None:
    """A cut keeps a round's first tokens, or takes back earlier ones too; what follows is as if they never were."""
    session = Session(FakeModel(step))
    session.begin(PROMPT)
    drafter = session.add_drafter("pattern", PatternDrafter(pattern))
    remaining = cuts.copy()

    def cut(committed: Committed) -> int:
        written = len(session.tokens) - len(PROMPT)
        return max(min(remaining.pop(0), len(committed.tokens)), -written)

    rounds = decode(session, drafter, greedy(), controller(5), cut)
    for _ in cuts:
        before = len(session.tokens)
        figures = next(rounds)
        assert figures.committed == max(len(session.tokens) - before, 0)
        assert figures.accepted <= figures.verified <= figures.proposed
        assert session.tokens == [*PROMPT, *continuation(PROMPT, len(session.tokens) - len(PROMPT))]
        held = session._cache.tokens  # type: ignore[attr-defined]
        assert held == session.tokens[: len(held)]
        assert drafter.length == len(session.tokens)


@given(
    prompts=st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=30), min_size=1, max_size=6),
    step=st.sampled_from([1, 5]),
)
def test_a_session_goes_on_with_any_other_text(prompts: list[list[int]], step: int) -> None:
    model = FakeModel(step)
    session = Session(model)
    draft = session.add_drafter("model", ModelDrafter(FakeModel(step), "fake", VOCABULARY))
    session.add_drafter("ngram", NgramDrafter())
    for prompt in prompts:
        before = model.read
        reused = session.begin(prompt)
        assert 0 <= reused < len(prompt)
        while session.read(4) < len(prompt) - 1:
            pass
        assert model.read - before == len(prompt) - 1 - reused, "only what is new was read"
        rounds = decode(session, draft, greedy(), controller(3), everything)
        for _ in range(3):
            next(rounds)
            assert in_step(session, draft)
        reply = session.tokens[len(prompt) :]
        assert reply == continuation(prompt, len(reply))
        assert len(reply) == 12, "a draft that is the target is always right"


def test_a_paused_draft_model_takes_in_what_it_missed() -> None:
    draft_model = FakeModel()
    drafter = ModelDrafter(draft_model, "fake", VOCABULARY)
    drafter.commit(PROMPT)
    drafter.commit(continuation(PROMPT, 5))
    assert draft_model.read == 0, "queueing costs nothing"
    text = [*PROMPT, *continuation(PROMPT, 5)]
    assert list(drafter.propose(3, greedy()).tokens) == continuation(text, 3)
    assert draft_model.read == len(text) + 2


def test_the_draft_keeps_what_was_accepted_and_reads_the_last_token_after_a_full_acceptance() -> None:
    draft_model = FakeModel()
    drafter = ModelDrafter(draft_model, "fake", VOCABULARY)
    drafter.commit(PROMPT)
    drafter.propose(4, greedy())
    before = draft_model.read
    drafter.commit(continuation(PROMPT, 5))  # all four and the bonus
    drafter.propose(1, greedy())
    assert draft_model.read - before == 2


def test_a_token_the_draft_has_no_row_for_is_no_fault() -> None:
    class Narrow(FakeModel):
        vocabulary_size = 8

    drafter = ModelDrafter(Narrow(), "narrow", VOCABULARY)
    drafter.commit([1, 60, 2])
    assert len(drafter.propose(2, greedy())) == 2


def test_automatic_pauses_a_draft_that_costs_too_much_and_the_text_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that only models move: 1 s for a pass of the target, 0.9 s for each of a draft that is wrong."""
    now = [0.0]

    class Timed(FakeModel):
        def __init__(self, cost: float) -> None:
            super().__init__()
            self._cost = cost

        def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
            now[0] += self._cost
            logits = super().forward(tokens, cache, rows)
            return logits.roll(1, -1) if self._cost < 1 else logits

    monkeypatch.setattr("inference.decode.perf_counter", lambda: now[0])
    session = Session(Timed(1.0))
    session.begin(PROMPT)
    drafter = session.add_drafter("model", ModelDrafter(Timed(0.9), "slow", VOCABULARY))
    speculation = SpeculationSettings(mode="automatic", drafter="model")
    automatic = DraftLengthController(speculation, Costs({1: 1.0, 8: 1.1}), Acceptance(), 0.0)
    rounds = decode(session, drafter, greedy(), automatic, everything)
    history = [next(rounds) for _ in range(100)]
    assert sum(figures.draft_length == 0 for figures in history) > 80
    assert automatic.pause_reason == "losing"
    reply = session.tokens[len(PROMPT) :]
    assert reply == continuation(PROMPT, len(reply))


def test_a_copy_of_what_lags_behind_is_a_copy_all_the_same() -> None:
    session = Session(FakeModel())
    session.begin(PROMPT)
    session.add_drafter("model", ModelDrafter(FakeModel(), "fake", VOCABULARY))
    other = session.copy(len(PROMPT))
    assert other.tokens == PROMPT
    assert list(other.drafters["model"].propose(3, greedy()).tokens) == continuation(PROMPT, 3)

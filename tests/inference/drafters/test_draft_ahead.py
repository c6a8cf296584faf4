"""A draft that is written on while the target verifies: right guesses are ready, wrong ones leave no trace."""

import threading
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from inference.decode import decode
from inference.drafters.background import Background
from inference.drafters.draft_model import ModelDrafter
from inference.sampling import Sampler
from inference.session import Session
from inference.settings import SamplingSettings
from tests.inference.conftest import TinyFactory
from tests.inference.engines import load
from tests.inference.fake_model import VOCABULARY, FakeCache, FakeModel, continuation
from tests.inference.test_decode import PROMPT, controller, everything, greedy, in_step
from tests.patience import WAIT_S


class Straying(FakeModel):
    """A draft that writes as the target does, but for the tokens at some places of the text."""

    def __init__(self, wrong: Sequence[int], step: int = 1, context_length: int = 10_000) -> None:
        super().__init__(step, context_length)
        self._wrong = set(wrong)
        self.passed = threading.Semaphore(0)

    def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
        logits = super().forward(tokens, cache, rows)
        if cache.length in self._wrong:
            logits[-1] = logits[-1].roll(1)
        self.passed.release()
        return logits


class Waiting(FakeModel):
    """A target on another device, whose pass lasts until the draft has made `passes` more, if it is that far ahead."""

    def __init__(self, draft: Straying, passes: int) -> None:
        super().__init__()
        self._draft, self.passes = draft, passes

    def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
        for _ in range(self.passes if rows > 1 else 0):
            assert self._draft.passed.acquire(timeout=WAIT_S), "nobody drafts meanwhile"
        return super().forward(tokens, cache, rows)


def drafter_of(model: FakeModel, background: Background) -> ModelDrafter:
    return ModelDrafter(model, "ahead", VOCABULARY, background=background)


def follows(drafter: ModelDrafter) -> bool:
    """Its cache holds the text and what it drafted beyond it, but for the last token."""
    held: list[int] = drafter._cache.tokens  # type: ignore[attr-defined]
    known = [*drafter._text, *drafter._drafted]
    return held == known[: len(held)] and len(held) < len(known)


@settings(max_examples=40)
@given(
    wrong=st.sets(st.integers(8, 60), max_size=12),
    lengths=st.lists(st.integers(1, 8), min_size=1, max_size=10),
    step=st.sampled_from([1, 4, 1000]),
)
def test_any_pattern_of_guesses_gives_the_targets_own_text(wrong: set[int], lengths: list[int], step: int) -> None:
    background = Background()
    session = Session(FakeModel())
    session.begin(PROMPT)
    drafter = session.add_drafter("ahead", drafter_of(Straying(sorted(wrong), step), background))
    for k in lengths:  # K changes between rounds, and a plan's rounds end at any point
        rounds = decode(session, drafter, greedy(), controller(k), everything)
        for _ in range(2):
            figures = next(rounds)
            assert figures.proposed == k >= figures.ready
            assert in_step(session, drafter) and follows(drafter)
        del rounds
        assert drafter._drafted == [] and drafter._cache.length <= len(session.tokens)
    background.close()
    reply = session.tokens[len(PROMPT) :]
    assert reply == continuation(PROMPT, len(reply))


def test_after_a_right_guess_the_next_draft_is_there() -> None:
    """The target takes as long as seven tokens of the draft: three more and the bonus that was guessed, and so on."""
    draft, background = Straying([]), Background()
    target = Waiting(draft, passes=3 + 4)
    session = Session(target)
    session.begin(PROMPT)
    drafter = session.add_drafter("ahead", drafter_of(draft, background))
    rounds = decode(session, drafter, greedy(), controller(3), everything)
    first = next(rounds)
    assert (first.ready, first.accepted, first.committed) == (0, 3, 4)
    target.passes = 4
    before = draft.read
    second = next(rounds)
    assert (second.ready, second.accepted) == (3, 3)
    assert draft.read <= before + 4, "nothing was drafted between the rounds"
    rounds.close()
    background.close()


def test_a_wrong_guess_costs_a_token_at_most_and_is_forgotten() -> None:
    draft, background = Straying([len(PROMPT) + 1]), Background()  # the second drafted token is refused
    session = Session(FakeModel())
    session.begin(PROMPT)
    drafter = session.add_drafter("ahead", drafter_of(draft, background))
    rounds = decode(session, drafter, greedy(), controller(4), everything)
    first, second = next(rounds), next(rounds)
    assert (first.accepted, first.committed) == (1, 2)
    assert second.ready == 0
    assert in_step(session, drafter) and follows(drafter)
    rounds.close()
    background.close()


def test_the_draft_ends_where_its_context_does() -> None:
    draft, background = Straying([], context_length=len(PROMPT) + 5), Background()
    session = Session(FakeModel())
    session.begin(PROMPT)
    drafter = session.add_drafter("ahead", drafter_of(draft, background))
    rounds = decode(session, drafter, greedy(), controller(4), everything)
    proposed = [next(rounds).proposed for _ in range(4)]
    assert proposed == [4, 0, 0, 0]
    rounds.close()
    background.close()


def test_no_memory_for_drafting_on_is_told_when_the_next_draft_is_asked_for() -> None:
    class Full(Straying):
        full = False

        def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
            if self.full and threading.current_thread() is not threading.main_thread():
                raise MemoryError
            return super().forward(tokens, cache, rows)

    class Filling(FakeModel):
        """While its pass lasts, the draft's memory runs out."""

        def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
            if rows > 1 and (job := drafter._job) is not None:
                assert isinstance(job._future.exception(WAIT_S), MemoryError)
            return super().forward(tokens, cache, rows)

    draft, background = Full([]), Background()
    session = Session(Filling())
    session.begin(PROMPT)
    drafter = session.add_drafter("ahead", drafter_of(draft, background))
    draft.full = True
    rounds = decode(session, drafter, greedy(), controller(2), everything)
    assert next(rounds).committed == 3, "the round that was judged meanwhile stands"
    with pytest.raises(MemoryError):
        next(rounds)
    session.mend()
    background.close()
    assert session.tokens == [*PROMPT, *continuation(PROMPT, 3)]


def test_drawn_drafts_have_their_own_chance_and_another_reply_does_not_get_them() -> None:
    background, hot = Background(), SamplingSettings(temperature=1.0, repetition_penalty=1.2, seed=7)
    session = Session(FakeModel())
    session.begin(PROMPT)
    drafter = session.add_drafter("ahead", drafter_of(Straying([9, 12]), background))
    sampler = Sampler(hot, torch.device("cpu"), PROMPT)
    untouched = Sampler(hot, torch.device("cpu"), PROMPT)
    draft = drafter.propose(4, sampler)
    assert draft.probabilities is not None and draft.probabilities.shape == (4, VOCABULARY)
    assert torch.equal(sampler.generator.get_state(), untouched.generator.get_state())
    drafter.go_on()
    drafter.commit(draft.tokens)
    sampler.commit(draft.tokens)
    again = drafter.propose(3, sampler)
    assert again.probabilities is not None and again.probabilities.shape == (3, VOCABULARY)
    drafter.propose(3, greedy())
    assert drafter.ready == 0 and not drafter._rows
    drafter.rest()
    background.close()


def test_chance_goes_on_when_another_way_to_draft_came_between() -> None:
    """The same text drafted again, as if the router had been elsewhere meanwhile: other numbers, other words."""
    background = Background()
    drafter = drafter_of(Straying([]), background)
    drafter.commit(PROMPT)
    sampler = Sampler(SamplingSettings(temperature=5.0, seed=7), torch.device("cpu"), PROMPT)
    drafts = []
    for _ in range(3):
        drafts.append(drafter.propose(8, sampler).tokens)
        drafter.rest()
    assert len(set(drafts)) == 3
    background.close()


def test_no_thread_is_left() -> None:
    before = threading.active_count()
    background = Background()
    drafter = drafter_of(Straying([]), background)
    drafter.commit(PROMPT)
    drafter.propose(2, greedy())
    drafter.go_on()
    drafter.rest()
    assert threading.active_count() == before + 1
    background.close()
    background.close()
    assert threading.active_count() == before


def test_only_a_draft_on_another_device_goes_on(
    tiny: TinyFactory, tiny_draft: TinyFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one processor both would only take longer."""
    engine = load(tiny("llama"), tiny_draft("llama", keep=1))
    crew, target = engine._crew, engine.held
    assert target is not None
    candidate = crew.candidate("model", "prose")

    def goes_on() -> bool:
        drafter = crew.drafter(candidate, Session(target.model))
        assert isinstance(drafter, ModelDrafter)
        return drafter._background is not None

    assert not goes_on()
    monkeypatch.setattr("inference.crew.same_device", lambda one, other: False)
    assert goes_on()
    engine.unload()

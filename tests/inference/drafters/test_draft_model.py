"""A draft model that takes over in the middle of a reply reads what it can in the time there is."""

import math
from collections.abc import Sequence

import pytest
from torch import Tensor

from inference.drafters.draft_model import LEAST_CHANCE, LONGEST_WINDOW, SHORTEST_WINDOW, ModelDrafter
from inference.sampling import Sampler
from inference.settings import SamplingSettings
from tests.inference.fake_model import VOCABULARY, FakeCache, FakeModel, continuation

TEXT = continuation([3, 1, 4], 700)
GREEDY = SamplingSettings(temperature=0)


def sampler() -> Sampler:
    return Sampler(GREEDY, FakeModel.device)


def drafter(read_s: float = 0.0, step: int = 1, text: list[int] = TEXT) -> tuple[ModelDrafter, FakeModel]:
    model = FakeModel(step)
    made = ModelDrafter(model, "fake", VOCABULARY, read_s=read_s)
    made.commit(text)
    return made, model


@pytest.mark.parametrize(
    ("read_s", "read"), [(0.0, SHORTEST_WINDOW), (0.001, 100), (1.0, SHORTEST_WINDOW), (1e-6, LONGEST_WINDOW)]
)
def test_in_a_hurry_only_the_end_of_the_text_is_read(read_s: float, read: int) -> None:
    hurried, model = drafter(read_s)
    hurried.catch_up(0.1)
    assert hurried.behind == 1 and model.read == read - 1
    assert list(hurried.propose(3, sampler()).tokens) == continuation(TEXT[-read:], 3)
    assert model.read == read + 2
    assert hurried.length == len(TEXT)


def test_what_can_be_read_whole_is() -> None:
    hurried, model = drafter(1e-6, text=TEXT[:400])
    hurried.catch_up(0.1)
    assert model.read == 399
    assert list(hurried.propose(3, sampler()).tokens) == continuation(TEXT[:400], 3)


def test_a_short_queue_is_taken_in_where_it_stands() -> None:
    hurried, model = drafter(0.001, text=TEXT[:600])
    hurried.propose(1, sampler())
    hurried.commit(TEXT[600:620])
    read = model.read
    hurried.catch_up(0.05)
    assert model.read == read + 19
    assert list(hurried.propose(2, sampler()).tokens) == continuation(TEXT[:620], 2)


@pytest.mark.parametrize("step", [1, 8])
def test_after_a_hurry_it_stays_in_step(step: int) -> None:
    """Whatever is committed, taken back or copied: it goes on from the text that it knows."""
    hurried, _ = drafter(0.001, step)
    hurried.catch_up(0.1)
    start = len(TEXT) - 100
    text = list(TEXT)
    for proposed, kept in ((4, 2), (3, 0), (5, 5)):
        draft = list(hurried.propose(proposed, sampler()).tokens)
        assert draft == continuation(text[start:], proposed)
        fresh = [*draft[:kept], 9]
        hurried.commit(fresh)
        text += fresh
    other = hurried.copy(len(text) - 5)
    assert other.length == len(text) - 5
    assert list(other.propose(3, sampler()).tokens) == continuation(text[start:-5], 3)
    hurried.rewind(len(text) - 7)
    assert list(hurried.propose(3, sampler()).tokens) == continuation(text[start:-7], 3)


@pytest.mark.parametrize("length", [0, 1, 300, 600])
def test_a_text_that_ends_before_the_window_is_read_from_its_start(length: int) -> None:
    hurried, _ = drafter(0.001)
    hurried.catch_up(0.1)
    hurried.propose(2, sampler())
    copied = hurried.copy(length)
    hurried.rewind(length)
    for one in (hurried, copied):
        assert one.length == length
        one.commit([5, 6])
        assert list(one.propose(2, sampler()).tokens) == continuation([*TEXT[:length], 5, 6], 2)


class Unsure(FakeModel):
    """Gives every next token that it means three quarters."""

    def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> Tensor:
        return super().forward(tokens, cache, rows) * (math.log(3 * (VOCABULARY - 1)) / 10)


def unsure(least_chance: float = LEAST_CHANCE) -> ModelDrafter:
    made = ModelDrafter(Unsure(), "unsure", VOCABULARY, least_chance=least_chance)
    made.commit(TEXT[:20])
    return made


@pytest.mark.parametrize(
    ("least_chance", "length"),
    [(0.0, 8), (0.2, 6), (0.4, 4), (0.7, 2), (0.75, 2), (0.76, 1), (1.0, 1)],  # of 0.75, 0.56, 0.42, 0.32, 0.24, 0.18
)
def test_a_greedy_draft_ends_where_it_would_hardly_stand(least_chance: float, length: int) -> None:
    """What has cost a pass already is proposed, at least one token."""
    made = unsure(least_chance)
    assert list(made.propose(8, sampler()).tokens) == continuation(TEXT[:20], length)
    assert list(made.propose(8, sampler()).tokens) == continuation(TEXT[:20], length), "asked again, it says the same"


@pytest.mark.parametrize("stood", range(5))
def test_a_draft_that_ended_early_goes_on_rightly(stood: int) -> None:
    made, text = unsure(), TEXT[:20]
    for _ in range(4):
        draft = list(made.propose(8, sampler()).tokens)
        assert draft == continuation(text, 4)
        fresh = [*draft[:stood], 9]
        made.commit(fresh)
        text += fresh
        made = made.copy(len(text))
    made.rewind(len(text) - 2)
    assert list(made.propose(8, sampler()).tokens) == continuation(text[:-2], 4)


def test_what_is_drawn_never_ends_early() -> None:
    """Whether a drawn draft goes on may not depend on what was drawn: the reply would have another distribution."""
    drawn = unsure(1.0).propose(8, Sampler(SamplingSettings(temperature=1, seed=1), FakeModel.device))
    assert len(drawn.tokens) == 8 and drawn.probabilities is not None

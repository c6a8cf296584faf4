"""The cache of a head holds what reading the text anew would put there, whatever happened to the text before."""

import random
from collections.abc import Sequence

import pytest
import torch

from inference.drafters.head import HeadDrafter
from inference.sampling import Sampler
from inference.session import Session
from inference.settings import SamplingSettings
from tests.inference.fake_model import FakeCache, FakeModel, continuation

HIDDEN = 2
SAMPLER = Sampler(SamplingSettings(temperature=0), torch.device("cpu"), [])


def state(text: Sequence[int]) -> float:
    """What the fake target's layers leave behind at the last of these tokens: it knows them all."""
    value = 11
    for token in text:
        value = (value * 29 + token + 3) % 100_003
    return float(value)


class ShownModel(FakeModel):
    """A FakeModel whose features are `state` plus the layer's number."""

    def __init__(self) -> None:
        super().__init__()
        self.depths: tuple[int, ...] = ()
        self._features = torch.empty(0)

    def observe(self, depths: Sequence[int]) -> None:
        self.depths = tuple(depths)

    def features(self) -> torch.Tensor:
        return self._features

    def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
        before = cache.tokens.copy()
        self._features = torch.empty(len(tokens), len(self.depths), HIDDEN)
        for row in range(len(tokens)):
            for column, depth in enumerate(self.depths):
                self._features[row, column] = state([*before, *tokens[: row + 1]]) + depth
        return super().forward(tokens, cache, rows)


class RecordingRunner:
    """Its caches hold entries as they are: token and features. Drafts what the fake target would say, `right` times."""

    nbytes = 0
    capacity = 10_000

    def __init__(self, depths: tuple[int, ...] = (0, 1, 2), right: int = 3, reach: int = 10_000) -> None:
        self.depths = depths
        self.right = right
        self.reach = reach
        self.entries: dict[int, list[tuple[int, tuple[float, ...]]]] = {}

    def new_cache(self) -> "EntryCache":
        return EntryCache(1)

    def draft(
        self, tokens: Sequence[int], features: torch.Tensor, cache: "EntryCache", k: int, least: float = 0.0
    ) -> list[int]:
        assert self.reach >= len(tokens) == len(features) > 0
        for token, feature in zip(tokens, features, strict=True):
            cache.tokens.append((token, tuple(feature[:, 0].tolist())))  # type: ignore[arg-type]
        return [*continuation(self.text, self.right), *[1] * k][:k] if k else []

    text: Sequence[int] = ()  # set by the test: the head guesses well


class EntryCache(FakeCache):
    def copy(self, length: int) -> "EntryCache":
        other = EntryCache(1)
        other.tokens = self.tokens[:length]
        return other


def check(drafter: HeadDrafter, text: Sequence[int]) -> None:
    """Every entry is that of its position."""
    assert drafter.length == len(text)
    entries = drafter._cache.tokens  # type: ignore[attr-defined]
    assert drafter._first + len(entries) <= max(len(text), drafter._first)
    for at, entry in enumerate(entries, drafter._first):
        expected = tuple(state(text[:at]) + depth for depth in drafter.depths)
        assert entry == (text[at], expected), f"position {at}"


def propose(session: Session, drafter: HeadDrafter, runner: RecordingRunner, k: int) -> tuple[int, ...]:
    runner.text = session.tokens
    draft = drafter.propose(k, SAMPLER).tokens
    check(drafter, session.tokens)
    return draft


def turn(session: Session, drafter: HeadDrafter | None, runner: RecordingRunner, rounds: int, k: int) -> int:
    """Rounds of a reply; returns how many drafted tokens were accepted."""
    accepted = 0
    for _ in range(rounds):
        draft = propose(session, drafter, runner, k) if drafter else ()
        said = session.forward(draft).argmax(-1).tolist()
        right = next((i for i, token in enumerate(draft) if token != said[i]), len(draft))
        session.commit([*draft[:right], said[right]], right)
        accepted += right
    return accepted


def talking(right: int = 3, reach: int = 10_000) -> tuple[Session, HeadDrafter, RecordingRunner]:
    runner = RecordingRunner(right=right, reach=reach)
    session = Session(ShownModel())  # type: ignore[arg-type]
    return session, session.add_drafter("head", HeadDrafter(runner, "head")), runner


@pytest.mark.parametrize("k", [1, 3, 8])
def test_a_reply_is_drafted_from_its_first_round(k: int) -> None:
    session, drafter, runner = talking()
    session.begin([5, 6, 7, 8])
    session.read(100)
    assert len(propose(session, drafter, runner, k)) == k
    session, drafter, runner = talking()
    session.begin(list(range(1, 30)))
    for _ in range(6):
        session.read(5)
    accepted = turn(session, drafter, runner, 10, k)
    assert accepted == 10 * min(k, 3), "every round drafts, and the right tokens are accepted"
    assert drafter._first == 1


def test_regenerating_and_editing_keep_what_is_the_same() -> None:
    session, drafter, runner = talking()
    first = list(range(1, 40))
    session.begin(first)
    session.read(100)
    turn(session, drafter, runner, 5, 4)
    session.begin(first)  # the same again
    session.read(100)
    assert propose(session, drafter, runner, 4) == (), "the features before the last token are gone, so one plain round"
    turn(session, None, runner, 1, 0)
    assert len(propose(session, drafter, runner, 4)) == 4
    assert drafter._first == 1, "nothing was forgotten"
    session.begin([*first[:20], 9, 9, 9, 9])
    session.read(100)
    assert len(propose(session, drafter, runner, 4)) == 4
    assert drafter._first == 1


def test_a_drafter_that_comes_later_begins_where_it_came() -> None:
    session = Session(ShownModel())  # type: ignore[arg-type]
    runner = RecordingRunner()
    session.begin(list(range(1, 50)))
    session.read(100)
    turn(session, None, runner, 3, 0)
    drafter = session.add_drafter("head", HeadDrafter(runner, "head"))
    assert propose(session, drafter, runner, 4) == ()
    turn(session, None, runner, 1, 0)
    assert turn(session, drafter, runner, 5, 4) == 15
    session.begin([1, 2, 3, 60, 61])  # before all it knows
    session.read(100)
    assert len(propose(session, drafter, runner, 4)) == 4
    assert drafter._first == 3


def test_nothing_is_read_while_speculation_pauses_but_in_bounds() -> None:
    session, drafter, runner = talking()
    session.begin([3, 4, 5])
    session.read(10)
    turn(session, None, runner, 100, 0)
    assert drafter._cache.length == 0
    turn(session, None, runner, 200, 0)
    assert len(drafter._queue) < 256 and drafter._cache.length > 250
    assert turn(session, drafter, runner, 3, 4) == 9


def test_of_a_long_prompt_the_end_is_read() -> None:
    session, drafter, runner = talking(reach=8)
    session.begin([at % 50 + 1 for at in range(900)])
    while session.read(100) < 899:
        assert len(drafter._queue) < 256
    assert drafter._first > 880 and drafter._cache.length <= 8
    session.begin([at % 50 + 2 for at in range(200)])
    session.read(200)
    assert drafter.behind == 8
    assert turn(session, drafter, runner, 1, 4) == 3
    assert (drafter._first, drafter._cache.length) == (192, 8)
    assert turn(session, drafter, runner, 6, 4) == 18 and drafter._first == 192, "what follows is read as it comes"
    turn(session, None, runner, 3, 0)
    assert drafter.behind == 7, "with what the last round wrote"
    assert turn(session, drafter, runner, 1, 4) == 3 and drafter._first == 192
    turn(session, None, runner, 20, 0)
    assert turn(session, drafter, runner, 1, 4) == 3 and drafter._first > 200, "it begins anew behind a longer gap"


def test_two_heads_read_their_own_layers() -> None:
    session, drafter, runner = talking()
    other_runner = RecordingRunner((1, 4, 6))
    other = session.add_drafter("prose", HeadDrafter(other_runner, "prose"))
    session.begin([3, 4, 5, 6])
    session.read(10)
    turn(session, drafter, runner, 4, 3)
    assert len(propose(session, other, other_runner, 3)) == 3
    session.drop_drafter("head")
    turn(session, other, other_runner, 3, 3)
    session.drop_drafter("prose")
    turn(session, None, runner, 1, 0)
    assert session._model.depths == (), "nothing is observed when nobody reads"  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(20))
def test_any_history_leaves_the_entries_of_the_text(seed: int) -> None:
    chance = random.Random(seed)
    session, drafter, runner = talking(reach=chance.choice([1, 3, 10, 10_000]))
    for _ in range(40):
        runner.right = chance.randrange(5)
        match chance.randrange(7):
            case 0:  # another prompt
                keep = chance.randrange(len(session.tokens) + 1)
                session.begin(
                    [*session.tokens[:keep], *(chance.randrange(1, 60) for _ in range(chance.randint(1, 12)))]
                )
            case 1:
                session.read(chance.randint(1, 9))
            case 2:
                session = session.copy(chance.randrange(1, len(session.tokens) + 1)) if session.tokens else session
                drafter = session.drafters["head"]  # type: ignore[assignment]
                check(drafter, session.tokens)
            case 3 if len(session.tokens) > 3:
                session.rewind(len(session.tokens) - chance.randint(1, 2))
            case _ if session.tokens:
                turn(
                    session, chance.choice([drafter, drafter, None]), runner, chance.randint(1, 4), chance.randint(1, 5)
                )
        check(drafter, session.tokens)

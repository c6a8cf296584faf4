"""Chats keep their caches: going back, branching and regenerating read only what is new."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import torch

from inference.models.causal_model import CausalModel
from inference.models.fused.architecture import Architecture
from inference.models.fused.model import FusedModel
from inference.models.fused.static_decoder import load_static
from inference.models.transformers_model import TransformersModel
from inference.session import Session
from inference.session_pool import SPARED, SessionPool
from tests.inference.conftest import TinyFactory
from tests.inference.fake_model import FakeCache, FakeModel, continuation


def talk(pool: SessionPool, model: FakeModel, prompt: list[int], reply: int = 5) -> tuple[list[int], int]:
    """One turn; returns the text after it and how many tokens were read of the prompt."""
    session = pool.take(prompt)
    before = model.read
    session.begin(prompt)
    session.read(len(prompt))
    read = model.read - before
    for _ in range(reply):
        token = int(session.forward(())[0].argmax())
        session.commit([token], 0)
    assert session.tokens[len(prompt) :] == continuation(prompt, reply)
    return session.tokens.copy(), read


def test_the_next_turn_reads_only_what_is_new() -> None:
    model = FakeModel()
    pool = SessionPool(model)
    text, read = talk(pool, model, list(range(1, 41)))
    assert read == 39
    for _ in range(10):
        prompt = [*text, 7, 8, 9]
        text, read = talk(pool, model, prompt)
        assert read == 3


def test_switching_between_two_chats_reads_neither_again() -> None:
    model = FakeModel()
    pool = SessionPool(model)
    first, _ = talk(pool, model, [1, 2, *[3] * 60])
    second, read = talk(pool, model, [1, 2, *[4] * 60])
    assert read == 59, "the common beginning is not read again"
    for _ in range(3):
        first, read = talk(pool, model, [*first, 5, 6])
        assert read == 2
        second, read = talk(pool, model, [*second, 5, 6])
        assert read == 2


def test_editing_an_earlier_message_keeps_what_is_before_it_and_the_old_branch() -> None:
    model = FakeModel()
    pool = SessionPool(model)
    text, _ = talk(pool, model, [5] * 100)
    _, read = talk(pool, model, [*text[:40], 9, 9, 9])
    assert read == 2
    _, read = talk(pool, model, [*text, 8])
    assert read == 1, "the branch before the edit is still there"


def test_a_short_tail_is_given_up_and_not_copied() -> None:
    model = FakeModel()
    pool = SessionPool(model)
    text, _ = talk(pool, model, [5] * 100, reply=SPARED - 1)
    talk(pool, model, text[:100])
    assert len(pool._sessions) == 1


def test_the_oldest_chat_goes_first() -> None:
    model = FakeModel()
    pool = SessionPool(model, most=2)
    texts = [talk(pool, model, [i] * 50)[0] for i in (1, 2, 3)]
    assert [session.tokens[0] for session in pool._sessions] == [2, 3]
    small = SessionPool(model, most_bytes=50)
    for text in texts:
        talk(small, model, text)
    assert len(small._sessions) == 1


def test_a_session_that_cannot_be_trusted_is_not_used_again() -> None:
    model = FakeModel()
    pool = SessionPool(model)
    talk(pool, model, [5] * 50)
    session = pool.take([5] * 50)
    pool.discard(session)
    pool.discard(Session(model))
    assert pool._sessions == []


class CardCache(FakeCache):
    """On a card that is pretended. A pass needs it there."""

    in_ram = False

    @property
    def card_bytes(self) -> int:
        return 0 if self.in_ram else self.nbytes

    def park(self) -> None:
        self.in_ram = True


class CardModel(FakeModel):
    returns = 0
    full = False  # the computer's memory

    def new_cache(self) -> FakeCache:
        model = self

        class Cache(CardCache):
            def park(self) -> None:
                if model.full:
                    raise MemoryError
                super().park()

        return Cache(1)

    def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
        assert isinstance(cache, CardCache)
        self.returns += cache.in_ram
        cache.in_ram = False
        return super().forward(tokens, cache, rows)


def test_chats_that_wait_leave_the_card_before_they_are_forgotten() -> None:
    model = CardModel()
    pool = SessionPool(model, most_bytes=230, most_card_bytes=60)
    first, _ = talk(pool, model, [1] * 50)
    talk(pool, model, [2] * 50)
    talk(pool, model, [3] * 50)
    waiting = {session.tokens[0]: session.card_bytes for session in pool._sessions[:-1]}
    assert waiting == {1: 0, 2: 54}, "the least recently used has left the card"
    first, read = talk(pool, model, [*first, 9])
    assert read == 1 and model.returns == 1, "it came back, and was not read again"
    assert [session.tokens[0] for session in pool._sessions] == [2, 3, 1]
    talk(pool, model, [4] * 50)
    talk(pool, model, [5] * 50)
    assert [session.tokens[0] for session in pool._sessions] == [3, 1, 4, 5], "the oldest is forgotten"
    assert pool.idle_card_bytes(pool._sessions[-1]) <= 60 < pool.idle_bytes(pool._sessions[-1])


def test_a_chat_for_which_memory_has_no_room_is_forgotten() -> None:
    model = CardModel()
    pool = SessionPool(model, most_card_bytes=0)
    talk(pool, model, [1] * 50)
    model.full = True
    talk(pool, model, [2] * 50)
    assert [session.tokens[0] for session in pool._sessions] == [2]


def static(folder: Path) -> CausalModel:
    """What a card computes with, on the processor."""
    architecture = Architecture.read(folder)
    assert architecture is not None
    decoder = load_static(folder, architecture, "float32", torch.device("cpu"), 512)
    return FusedModel(architecture, decoder, "float32", "plain calls", 512)


def adapter(folder: Path) -> CausalModel:
    return TransformersModel.load(folder, "float32", "cpu", 512)


@pytest.mark.parametrize(("make", "kind"), [(static, "llama"), (adapter, "gemma3"), (adapter, "qwen3_5")])
def test_what_waited_in_memory_goes_on_exactly(
    tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], CausalModel], kind: str
) -> None:
    """The processor is taken for a card; what is parked is copied for real, and a pass brings it back."""
    for module in ("fused.static_cache", "transformers_cache"):
        monkeypatch.setattr(f"inference.models.{module}.on_card", lambda device: True)
    model = make(tiny(kind, layers=4, seed=3))

    def chats(pool: SessionPool) -> list[list[int]]:
        texts = [list(range(3, 40)), list(range(50, 80)), list(range(3, 30))]
        for _ in range(2):
            for i, text in enumerate(texts):
                session = pool.take(text)
                session.begin(text)
                for _ in range(4):
                    session.commit([int(session.forward(())[-1].argmax())], 0)
                texts[i] = [*session.tokens, 7]
                waiting = [one.card_bytes for one in pool._sessions[:-1]]
                assert not any(waiting) if pool is moving else all(waiting)
        return texts

    moving = SessionPool(model, most_card_bytes=0)
    expected = chats(SessionPool(model))
    assert chats(moving) == expected
    moving.park_idle(None)
    assert moving.idle_card_bytes(None) == 0 < moving.idle_bytes(None)

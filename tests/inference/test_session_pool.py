"""Chats keep their caches: going back, branching and regenerating read only what is new."""

from inference.session import Session
from inference.session_pool import SPARED, SessionPool
from tests.inference.fake_model import FakeModel, continuation


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

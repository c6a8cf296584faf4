"""What a program sees of the engine: events, limits, stopping, prefix reuse, freeing."""

import logging
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from inference.chat_template import render
from inference.engine import Engine
from inference.errors import UserError
from inference.events import Delta, Failed, PromptProgress, Round, TurnsOmitted
from inference.messages import Message
from inference.models.causal_model import CausalModel
from inference.settings import GenerationSettings, LoadSettings, SamplingSettings
from tests.inference.conftest import TinyFactory
from tests.inference.engines import FLOAT32, ask, finished, greedy, held, load, pieces_of, reply, spec, text_of

QUESTION = ask("and on and on and on", "is the string on?", "the string is on and on")
GO = threading.Event()  # never set


@pytest.fixture(scope="module")
def engine(tiny: TinyFactory, tiny_draft: TinyFactory) -> Engine:
    """Its vocabulary is small enough to have letters only, so that any token is text by itself."""
    options = {"layers": 4, "seed": 3, "vocabulary": 70}
    return load(tiny("llama", **options), tiny_draft("llama", keep=3, **options))


def prompt_tokens(engine: Engine, messages: list[Message]) -> list[int]:
    assert engine._host.target is not None
    return render(engine._host.target.tokenizer, messages)


@pytest.fixture
def every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each round is told by itself."""
    monkeypatch.setattr("inference.reply.NEWS_S", 0.0)


@pytest.mark.usefixtures("every_round")
def test_a_reply_is_told_in_order(engine: Engine) -> None:
    events = reply(engine, QUESTION, greedy("ngram"))
    kinds = [type(event) for event in events]
    assert kinds[0] is PromptProgress
    assert kinds.index(Round) < kinds.index(Delta)
    statistics = finished(events).statistics
    rounds = [event for event in events if isinstance(event, Round)]
    assert [event.index for event in rounds] == list(range(1, len(rounds) + 1))
    assert rounds[-1].reply == statistics
    assert statistics.reply_tokens == sum(event.round.committed for event in rounds)
    assert statistics.prompt_tokens == len(prompt_tokens(engine, QUESTION))
    assert 0 < statistics.prefill_s <= statistics.time_to_first_token_s
    assert statistics.decode_s == pytest.approx(statistics.draft_s + statistics.verify_s + statistics.other_s)


def test_rounds_told_together_are_the_same_reply(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is told at once; the others wait, and none is lost."""
    tellings = []
    for news_s in (0.0, 1e9):
        monkeypatch.setattr("inference.reply.NEWS_S", news_s)
        events = reply(engine, QUESTION, greedy("model", 3))
        rounds = [event for event in events if isinstance(event, Round)]
        statistics = finished(events).statistics
        assert rounds[-1].reply == statistics
        assert rounds[0].index == 1
        if news_s:
            assert [event.index for event in rounds] == [1, statistics.rounds]
            assert sum(isinstance(event, Delta) for event in events) <= 2
        counts = {name: value for name, value in statistics.to_json().items() if isinstance(value, int | tuple)}
        tellings.append((pieces_of(events), counts))
    assert tellings[0] == tellings[1]


def test_pieces_say_how_they_came_about(engine: Engine) -> None:
    assert {piece.origin for piece in pieces_of(reply(engine, QUESTION, greedy()))} == {"plain"}
    events = reply(engine, QUESTION, greedy("model", 3))
    pieces, statistics = pieces_of(events), finished(events).statistics
    assert {"accepted", "recovered"} <= {piece.origin for piece in pieces}
    for piece in pieces:
        assert 1 <= piece.round <= statistics.rounds


def test_the_reply_ends_after_max_tokens(engine: Engine) -> None:
    for drafter in ("none", "model"):
        for most in (1, 2, 7):
            events = reply(engine, QUESTION, greedy(drafter, 8, max_tokens=most))
            assert finished(events).reason == "length"
            assert finished(events).statistics.reply_tokens == most


def test_end_tokens_end_it_and_are_not_shown(engine: Engine) -> None:
    assert engine._host.target is not None
    tokenizer = engine._host.target.tokenizer
    for drafter in ("none", "ngram", "model"):
        for seed in range(12):
            settings = GenerationSettings(
                SamplingSettings(temperature=1.5, seed=seed), greedy(drafter, 6).speculation, max_tokens=300
            )
            events = reply(engine, QUESTION, settings)
            assert not any(name in text_of(events) for name in tokenizer.special_tokens)
            if finished(events).reason == "end":
                tokens = held(engine)[-1][finished(events).statistics.prompt_tokens :]
                assert tokens[-1] in tokenizer.end_tokens()
                assert not set(tokens[:-1]) & tokenizer.end_tokens()
                return
    pytest.fail("no reply reached an end token")


@pytest.mark.parametrize("drafter", ["none", "ngram", "model"])
def test_a_stop_string_ends_it_wherever_the_borders_of_tokens_lie(engine: Engine, drafter: str) -> None:
    whole = text_of(reply(engine, QUESTION, greedy()))
    for start in range(0, len(whole) - 6, 5):
        for length in (1, 3, 5):
            stop = whole[start : start + length]
            settings = greedy(drafter, 6)
            events = reply(engine, QUESTION, GenerationSettings(settings.sampling, settings.speculation, 48, (stop,)))
            assert text_of(events) == whole[: whole.index(stop)]
            assert finished(events).reason == "stop_string"
            assert engine._host.target is not None
            kept = held(engine)[-1][finished(events).statistics.prompt_tokens :]
            shown = engine._host.target.tokenizer.decode(kept)
            assert text_of(events).startswith(shown), "nothing more is kept than was shown"


@pytest.mark.usefixtures("every_round")
@pytest.mark.parametrize("drafter", ["none", "ngram", "model"])
def test_cancelled_at_any_round_the_chat_goes_on_as_if_the_reply_had_ended_there(engine: Engine, drafter: str) -> None:
    settings = greedy(drafter, 4, max_tokens=24)
    total = finished(reply(engine, QUESTION, settings)).statistics.rounds
    for stop_after in range(total):
        cancel = threading.Event()
        events = []
        for event in engine.generate(QUESTION, settings, cancel):
            events.append(event)
            if stop_after == (event.index if isinstance(event, Round) else 0):
                cancel.set()
        if finished(events).reason != "cancelled":
            continue
        assert finished(events).statistics.rounds == stop_after, "it ends within one round"
        following = [*QUESTION, Message("assistant", text_of(events)), Message("user", "the string?")]
        after = text_of(reply(engine, following, settings))
        engine.forget_chats()
        if said := finished(events).statistics.reply_tokens:
            assert text_of(reply(engine, QUESTION, greedy(max_tokens=said))) == text_of(events)
        assert text_of(reply(engine, following, settings)) == after


@pytest.mark.parametrize("drafter", ["none", "ngram", "model"])
def test_closed_at_any_event_the_engine_stays_usable(engine: Engine, drafter: str) -> None:
    settings = greedy(drafter, 4, max_tokens=16)
    expected = text_of(reply(engine, QUESTION, settings))
    for count in range(1, 14, 3):
        events = engine.generate(QUESTION, settings, GO)
        for _ in zip(range(count), events, strict=False):
            pass
        events.close()  # type: ignore[attr-defined]
        assert text_of(reply(engine, QUESTION, settings)) == expected


def test_ten_turns_read_only_what_is_new(engine: Engine) -> None:
    for drafter in ("ngram", "model"):
        engine.forget_chats()
        messages: list[Message] = []
        known = 0
        for turn in range(10):
            messages.append(Message("user", f"the string is {turn}"))
            statistics = finished(reply(engine, messages, greedy(drafter, max_tokens=8))).statistics
            assert statistics.reused_tokens >= known - 1
            messages.append(Message("assistant", "on and on"))
            known = statistics.prompt_tokens


def test_editing_and_switching_chats_reuse_what_is_common(engine: Engine) -> None:
    long = "the string is on and on and on " * 8
    first, second = ask(f"a {long}"), ask(f"b {long}")
    reply(engine, first, greedy(max_tokens=4))
    reply(engine, second, greedy(max_tokens=4))
    for chat in (first, second, first):
        statistics = finished(reply(engine, chat, greedy(max_tokens=4))).statistics
        assert statistics.reused_tokens == statistics.prompt_tokens - 1
    edited = [Message("user", first[0].content + "hello")]
    statistics = finished(reply(engine, edited, greedy(max_tokens=4))).statistics
    assert statistics.reused_tokens > 0.9 * statistics.prompt_tokens - 10


def test_a_full_context_leaves_the_oldest_turns_out_and_says_so(tiny: TinyFactory) -> None:
    small = load(tiny("llama", layers=2), settings=LoadSettings("float32", "adapter", context_length=160))
    messages = [Message("system", "system is on")]
    for turn in range(12):
        messages += [Message("user", f"question {turn} is the string"), Message("assistant", "on and on")]
    messages.append(Message("user", "the last question"))
    events = reply(small, messages, greedy(max_tokens=8))
    assert isinstance(events[0], TurnsOmitted) and events[0].messages > 0
    assert small._host.target is not None
    read = small._host.target.tokenizer.decode(held(small)[-1])
    assert "system is on" in read and "the last question" in read and "question 0" not in read


def test_a_question_that_cannot_fit_is_refused_with_the_numbers(tiny: TinyFactory) -> None:
    small = load(tiny("llama", layers=2), settings=LoadSettings("float32", "adapter", context_length=160))
    events = reply(small, ask("the string " * 300), greedy(max_tokens=8))
    assert isinstance(events[-1], Failed)
    assert "152" in events[-1].message and events[-1].remedy


def test_the_reply_ends_with_the_context(tiny: TinyFactory) -> None:
    small = load(tiny("llama", layers=4, seed=3), settings=LoadSettings("float32", "adapter", context_length=96))
    for drafter in ("none", "ngram"):
        settings = greedy(drafter, 8, max_tokens=500)
        events = reply(small, QUESTION, settings)
        assert finished(events).reason == "context"
        assert len(held(small)[-1]) == 96


def test_a_continued_reply_goes_on_where_it_stopped(engine: Engine) -> None:
    whole = reply(engine, QUESTION, greedy(max_tokens=20))
    begun = text_of(reply(engine, QUESTION, greedy(max_tokens=10)))
    rest = reply(engine, [*QUESTION, Message("assistant", begun)], greedy(max_tokens=10))
    assert begun + text_of(rest) == text_of(whole)


def test_what_is_not_there_is_said(tiny: TinyFactory) -> None:
    engine = Engine()
    assert isinstance(reply(engine, QUESTION, greedy())[-1], Failed)
    with pytest.raises(UserError, match="not on this machine"):
        list(engine.load(spec(tiny("llama")).at(None), FLOAT32, GO))  # type: ignore[arg-type]
    with pytest.raises(UserError, match="no target"):
        list(engine.load_draft(spec(tiny("llama")), FLOAT32, GO))
    engine = load(tiny("llama"))
    assert isinstance(reply(engine, QUESTION, greedy("model"))[-1], Failed)
    assert isinstance(reply(engine, [], greedy())[-1], Failed)


def test_a_draft_with_another_vocabulary_is_refused_with_the_first_difference(tiny: TinyFactory) -> None:
    engine = load(tiny("llama"))
    with pytest.raises(UserError, match=r"Token '.*' is \d+ in the target"):
        list(engine.load_draft(spec(tiny("llama", vocabulary=40)), FLOAT32, GO))
    assert engine.target is not None and engine.draft is None
    assert finished(reply(engine, QUESTION, greedy())).statistics.reply_tokens > 0


def test_a_draft_stays_when_the_one_in_its_place_cannot_be_had(tiny: TinyFactory, tiny_draft: TinyFactory) -> None:
    engine = load(tiny("llama"), tiny_draft("llama"))
    before = engine.held_draft
    assert before is not None
    other = replace(spec(tiny("llama", vocabulary=40)), name=before.spec.name)
    with pytest.raises(UserError, match="cannot draft for"):
        list(engine.add_draft(other, FLOAT32, GO))
    assert engine.held_draft is before
    statistics = finished(reply(engine, QUESTION, greedy("model"))).statistics
    assert statistics.drafter == before.spec.name and statistics.proposed


def test_loading_can_be_cancelled(tiny: TinyFactory) -> None:
    engine = Engine()
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(UserError, match="cancelled"):
        list(engine.load(spec(tiny("llama")), FLOAT32, cancel))
    assert engine.target is None


def test_a_cancelled_load_gives_back_what_it_has_read(tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    halves: list[weakref.ref[torch.Tensor]] = []
    cancel, given_back = threading.Event(), []

    def half_a_model(folder: Path, settings: LoadSettings, report: Callable[[int, int], None]) -> CausalModel:
        half = torch.zeros(9)
        halves.append(weakref.ref(half))
        cancel.set()
        report(1, 2)
        raise AssertionError("a cancelled report goes on")

    monkeypatch.setattr("inference.manager.host.load_model", half_a_model)
    monkeypatch.setattr("inference.engine.release_memory", lambda: given_back.append([half() for half in halves]))
    engine = Engine()
    with pytest.raises(UserError, match="cancelled") as caught:
        list(engine.load(spec(tiny("llama")), FLOAT32, cancel))
    assert given_back == [[None]]  # the half is gone before memory is handed back
    assert caught.value.__traceback__ is not None


def test_unloading_forgets_everything(tiny: TinyFactory, tiny_draft: TinyFactory) -> None:
    engine = load(tiny("llama"), tiny_draft("llama"))
    reply(engine, QUESTION, greedy("model"))
    engine.drop_draft()
    assert engine.draft is None and engine.target is not None
    assert engine._host.target is not None
    model = weakref.ref(engine._host.target.model)
    engine.unload()
    assert engine.target is None and held(engine) == []
    assert model() is None  # nobody holds the weights any more


def test_the_log_says_what_is_on_and_what_a_reply_cost(tiny: TinyFactory, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="inference"):
        engine = load(tiny("llama"))
        reply(engine, ask("a secret question"), greedy("ngram", 4))
    assert any("speculative decoding enabled: n-gram, K=4" in line for line in caplog.messages)
    assert sum(line.startswith("reply: ") and "tok/s" in line for line in caplog.messages) == 1
    assert not any("secret" in line for line in caplog.messages)


def test_a_failure_in_the_middle_drops_the_caches_it_may_have_spoiled(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = text_of(reply(engine, QUESTION, greedy()))
    assert engine._host.target is not None
    model = engine._host.target.model
    forward, calls = model.forward, iter(range(1000))

    def failing(*args: object, **kwargs: object) -> torch.Tensor:
        if next(calls) >= 5:
            raise ZeroDivisionError
        return forward(*args, **kwargs)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(model, "forward", failing, raising=True)
        with pytest.raises(ZeroDivisionError):
            reply(engine, QUESTION, greedy())
    assert text_of(reply(engine, QUESTION, greedy())) == expected

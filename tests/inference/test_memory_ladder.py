"""Memory runs out at the n-th call of an allocator: the ladder is walked, and the reply is the same."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import torch

from inference import load_relief
from inference.engine import Engine
from inference.errors import UserError
from inference.events import Event, Failed, PromptProgress
from inference.ladder import MemoryStep, Standing, next_step
from inference.manager import host
from inference.memory import out_of_memory
from inference.models.causal_model import Cache
from inference.relief import Relief
from inference.session_pool import SessionPool
from inference.settings import LoadSettings
from tests.inference.conftest import TinyFactory
from tests.inference.engines import FLOAT32, ask, finished, greedy, load, reply, spec, text_of

QUESTION = ask("and on and on and on " * 12, "is the string on?", "the string is on and on " * 12)
CPU_ALLOCATOR = "[enforce fail at alloc_cpu.cpp:124] err == 0. DefaultCPUAllocator: can't allocate memory: you tried"
FAULTS = (MemoryError("none"), RuntimeError(CPU_ALLOCATOR), torch.OutOfMemoryError("CUDA out of memory."))


class Allocator:
    """Stands before a model's forward: fails `times` times from the n-th call on, before the pass or after it."""

    def __init__(self, model: Any, first: int, times: int, fault: Exception, *, after: bool = False) -> None:
        self.calls = 0
        self._forward: Callable[..., torch.Tensor] = type(model).forward.__get__(model)
        self._fails, self._fault, self._after = range(first, first + times), fault, after

    def __call__(self, tokens: Sequence[int], cache: Cache, rows: int = 1) -> torch.Tensor:
        self.calls += 1
        fails = self.calls in self._fails
        if fails and not self._after:
            raise self._fault
        logits = self._forward(tokens, cache, rows)
        if fails:
            raise self._fault
        return logits


def steps(events: Sequence[Event]) -> list[MemoryStep]:
    return [event for event in events if isinstance(event, MemoryStep)]


OTHER = ask("hello and hello and hello " * 6)
SHAPE: dict[str, Any] = {"layers": 2, "seed": 3, "vocabulary": 70}


@pytest.fixture
def engine(tiny: TinyFactory) -> Engine:
    return load(tiny("llama", **SHAPE))


def anew(engine: Engine) -> None:
    """As after loading, with one other chat."""
    assert engine._pool is not None
    engine.forget_chats()
    engine._relief = Relief(engine._host, engine._crew, engine._pool)
    reply(engine, OTHER, greedy(max_tokens=1))


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("drafter", ["none", "ngram", "model"])
def test_wherever_memory_runs_out_the_reply_is_the_same(
    engine: Engine, tiny_draft: TinyFactory, monkeypatch: pytest.MonkeyPatch, drafter: str, after: bool
) -> None:
    assert engine.held is not None
    model, settings = engine.held.model, greedy(drafter, 4, max_tokens=12)
    if drafter == "model":
        for _ in engine.load_draft(spec(tiny_draft("llama", keep=1, **SHAPE)), FLOAT32, threading.Event()):
            pass
    anew(engine)
    counter = Allocator(model, 0, 0, FAULTS[0])
    with monkeypatch.context() as patch:
        patch.setattr(model, "forward", counter)
        wanted = reply(engine, QUESTION, settings)
    reading = sum(isinstance(event, PromptProgress) for event in wanted) - 1  # passes over the prompt
    for first in range(1, counter.calls + 1):
        anew(engine)
        with monkeypatch.context() as patch:
            patch.setattr(model, "forward", Allocator(model, first, 1, FAULTS[first % 3], after=after))
            events = reply(engine, QUESTION, settings)
        assert text_of(events) == text_of(wanted)
        assert finished(events).reason == finished(wanted).reason
        assert [step.kind for step in steps(events)] == ["chunk" if first <= reading else "idle"]


def test_the_whole_ladder_is_walked_and_then_the_numbers_are_told(
    engine: Engine, tiny_draft: TinyFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every pass of the target fails from the fifth on: a round, and then the text that is read again."""
    assert engine.held is not None
    model = engine.held.model
    for _ in engine.load_draft(spec(tiny_draft("llama", keep=1, **SHAPE)), FLOAT32, threading.Event()):
        pass
    anew(engine)
    settings = greedy("model", 8, max_tokens=12)
    wanted = text_of(reply(engine, QUESTION, settings))
    anew(engine)
    with monkeypatch.context() as patch:
        patch.setattr(model, "forward", Allocator(model, 5, 10_000, FAULTS[1]))
        events = reply(engine, QUESTION, settings)
    kinds = [step.kind for step in steps(events)]
    assert kinds[0] == "idle"
    assert kinds.index("chunk") < kinds.index("draft") < kinds.index("context")
    last = events[-1]
    assert isinstance(last, Failed)
    assert "Memory ran out" in last.message
    assert "free" in last.message
    assert last.remedy
    assert wanted.startswith(text_of(events)), "what was said stands"
    assert engine.drafts == ()
    following = reply(engine, QUESTION, settings)
    assert finished(following).statistics.drafter == "n-gram", "the draft is gone, and the reply comes all the same"


def test_a_draft_that_finds_no_memory_goes_and_the_reply_stays(
    engine: Engine, tiny_draft: TinyFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in engine.load_draft(spec(tiny_draft("llama", keep=1, **SHAPE)), FLOAT32, threading.Event()):
        pass
    settings = greedy("model", 2, max_tokens=12)
    wanted = text_of(reply(engine, QUESTION, greedy(max_tokens=12)))
    assert engine.held_draft is not None
    draft = engine.held_draft.model
    monkeypatch.setattr(draft, "forward", Allocator(draft, 2, 10_000, FAULTS[0]))
    events = reply(engine, QUESTION, settings)
    assert text_of(events) == wanted
    assert steps(events)[-1].kind in ("draft", "draft_precision")
    finished(events)


def test_each_step_leaves_less_and_the_last_one_is_none() -> None:
    now = Standing("prefill", 512, 9, 8, "d", 4, 16, 8, 8192, 4096)
    assert [next_step(now)] == [MemoryStep("chunk", 512, 128)]
    now = replace(now, chunk=32)
    assert next_step(now) == MemoryStep("idle", 9)
    now = replace(now, idle=0)
    assert next_step(now) == MemoryStep("draft_precision", 0, 4, "d", undo=True)
    assert next_step(replace(now, phase="decode")) == MemoryStep("draft_length", 8, 4, undo=True)
    now = replace(now, draft_bits=0)
    assert next_step(now) == MemoryStep("draft", name="d", undo=True)
    now = replace(now, draft="")
    assert next_step(now) == MemoryStep("cache_bits", 16, 8, undo=True)
    now = replace(now, fewer_cache_bits=0)
    assert next_step(now) == MemoryStep("context", 8192, 4096, undo=True)
    assert next_step(replace(now, shorter=0)) is None
    loading = Standing("load", context=8192, precision_bits=4, on_card=True)
    assert next_step(loading) == MemoryStep("precision", 0, 4)
    loading = replace(loading, precision_bits=0)
    assert next_step(loading) == MemoryStep("context", 8192, 4096)
    loading = replace(loading, context=2048)
    assert next_step(loading) == MemoryStep("processor")
    loading = replace(loading, on_card=False)
    assert next_step(loading) is None
    assert next_step(replace(loading, more_away=50)) == MemoryStep("offload", 0, 50)
    assert next_step(replace(loading, away=50, more_away=90)) == MemoryStep("offload", 50, 90)
    chats = Standing("load", idle=9, idle_on_card=5)
    assert next_step(chats) == MemoryStep("park", 5)
    assert next_step(replace(chats, idle_on_card=0)) == MemoryStep("idle", 9)


@pytest.mark.parametrize(("place", "kind"), [("cpu", "idle"), ("cuda", "park")])
def test_chats_leave_the_card_only_for_a_draft_that_goes_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str, kind: str
) -> None:
    monkeypatch.setattr(load_relief, "resolve_device", torch.device)
    pool = SessionPool(Mock())
    monkeypatch.setattr(pool, "idle_bytes", lambda busy: 9)
    monkeypatch.setattr(pool, "idle_card_bytes", lambda busy: 9)
    standing = load_relief._standing(spec(tmp_path), LoadSettings(device="cuda", draft_device=place), pool)
    step = next_step(standing)
    assert step is not None and step.kind == kind


def test_what_counts_as_no_memory() -> None:
    assert all(out_of_memory(fault) for fault in FAULTS)
    assert not out_of_memory(RuntimeError("shapes do not fit"))
    assert not out_of_memory(ValueError("out of memory"))


def test_the_last_rung_leaves_layers_on_the_disk(tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where the person accepts its price; the reply is the same."""
    folder, load_model = tiny("llama", **SHAPE), host.load_model
    expected = text_of(reply(load(folder), OTHER, greedy(max_tokens=5)))

    def short(folder: Any, settings: Any, report: Any) -> Any:
        if settings.away < 90:
            raise MemoryError
        return load_model(folder, settings, report)

    monkeypatch.setattr(host, "load_model", short)
    engine = Engine()
    with pytest.raises(UserError, match="not enough memory to load"):
        list(engine.load(spec(folder), FLOAT32, threading.Event()))
    told = steps(list(engine.load(spec(folder), replace(FLOAT32, offload=True), threading.Event())))  # type: ignore[arg-type]
    assert [(step.kind, step.after) for step in told if step.kind != "context"] == [("offload", 50), ("offload", 90)]
    assert engine.target is not None and engine.target.description.endswith("on the disk")
    assert text_of(reply(engine, OTHER, greedy(max_tokens=5))) == expected
    engine.unload()


@pytest.mark.parametrize("fault", FAULTS)
def test_memory_that_runs_out_while_loading(
    tiny: TinyFactory, tiny_draft: TinyFactory, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    fails = iter([True, True, False, True, False])
    load_model = host.load_model

    def short(*args: Any) -> Any:
        if next(fails, True):
            raise fault
        return load_model(*args)

    monkeypatch.setattr(host, "load_model", short)
    engine = Engine()
    told = list(engine.load(spec(tiny("llama", **SHAPE)), FLOAT32, threading.Event()))
    assert [(step.kind, step.after) for step in told if isinstance(step, MemoryStep)] == [
        ("context", 4096),
        ("context", 2048),
    ]
    assert engine.target is not None
    reply(engine, OTHER, greedy(max_tokens=1))
    small = spec(tiny_draft("llama", keep=1, **SHAPE))
    told = list(engine.load_draft(small, FLOAT32, threading.Event()))
    assert [step.kind for step in told if isinstance(step, MemoryStep)] == ["idle"]
    assert len(engine.drafts) == 1
    with pytest.raises(UserError, match="not enough memory to load"):
        list(engine.load_draft(small, FLOAT32, threading.Event()))
    assert engine.drafts == ()
    finished(reply(engine, OTHER, greedy(max_tokens=4)))

"""A model larger than its device: the same words, with weights that are fetched from the files in every pass.

A card is not needed: on the processor accelerate leaves on the disk what has no room, with the same hooks.
"""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from inference.manager import offload_room as module
from inference.manager.offload_room import offload_room
from inference.models.offload import Room, Spread, spread_of
from inference.models.transformers_model import TransformersModel
from inference.plan.machine import Machine
from inference.plan.memory_plan import RESERVE_BYTES
from inference.settings import LoadSettings
from tests.inference.conftest import TinyFactory
from tests.inference.engines import FLOAT32, ask, finished, greedy, load, reply, text_of

QUESTION = ask("hello hello hello the system is the system is")


def small(folder: Path, share: float) -> Room:
    whole = TransformersModel.load(folder, "float32", "cpu", 512)
    return Room(round(share * whole.nbytes))


@pytest.mark.parametrize("kind", ["llama", "qwen3_5"])
def test_passes_and_rollback_are_the_same(tiny: TinyFactory, kind: str) -> None:
    folder, text = tiny(kind, layers=4, seed=3), list(range(3, 30))
    whole = TransformersModel.load(folder, "float32", "cpu", 512)
    part = TransformersModel.load(folder, "float32", "cpu", 512, room=small(folder, 0.8))
    assert part.nbytes < whole.nbytes and part.description.endswith("% on the disk")
    assert part.device == torch.device("cpu") and "disk" not in whole.description
    caches = whole.new_cache(), part.new_cache()
    for model, cache in zip((whole, part), caches, strict=True):
        model.forward(text, cache)
        model.forward([7, 8, 9, 10], cache, 4)
        cache.truncate(len(text) + 2)
    logits = [model.forward([11, 12], cache, 2) for model, cache in zip((whole, part), caches, strict=True)]
    assert torch.equal(*logits)


def test_the_engine_replies_with_layers_elsewhere_and_a_draft(tiny: TinyFactory, tiny_draft: TinyFactory) -> None:
    folder, draft = tiny("llama", layers=4, seed=3), tiny_draft("llama", keep=3, layers=4, seed=3)
    whole = load(folder)
    expected = reply(whole, QUESTION, greedy(max_tokens=16))
    whole.unload()
    engine = load(folder, draft, replace(FLOAT32, offload=True, away=50))
    assert engine.target is not None and "on the disk" in engine.target.description
    drafted = reply(engine, QUESTION, greedy("model", 4, max_tokens=16))
    assert text_of(drafted) == text_of(expected) and finished(drafted).statistics.proposed
    engine.unload()
    assert threading.active_count() == 1 or engine.target is None


def test_what_fits_is_held_whole_and_nothing_is_moved_unasked(
    tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tiny("llama", layers=4)
    how = LoadSettings(precision="float32", implementation="adapter", context_length=512)
    assert offload_room(folder, how) is None
    assert offload_room(folder, replace(how, offload=True)) is None, "it fits"
    least = Machine(2**30, 1_000_000_000)
    monkeypatch.setattr(Machine, "here", lambda: least)
    assert offload_room(folder, replace(how, offload=True)) is None, "program and model fit by a little"
    monkeypatch.setattr(Machine, "here", lambda: replace(least, ram_free=100_000_000))
    assert offload_room(folder, replace(how, offload=True)) is None, "not even a layer fits beside the program"
    assert offload_room(folder, replace(how, offload=True, away=50)) is not None


def test_what_a_card_has_no_room_for_is_measured_against_the_computers_memory(
    tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card, which just ran out, is pretended."""
    free = {"cuda": 10**6, "cpu": 10**10}
    monkeypatch.setattr(module, "resolve_device", torch.device)
    monkeypatch.setattr(module, "free_memory", lambda device: free[device.type])
    how = LoadSettings(device="cuda:0", offload=True, away=50)
    room = offload_room(tiny("llama", layers=4), how)
    assert room is not None and room.ram == free["cpu"] - RESERVE_BYTES
    on_processor = offload_room(tiny("llama", layers=4), replace(how, device="cpu"))
    assert on_processor is not None and on_processor.ram == 0


def test_where_weights_lie() -> None:
    """As accelerate tells it, of a card that is pretended."""

    class Dispatched(torch.nn.Module):
        device = torch.device("meta")

        def __init__(self) -> None:
            super().__init__()
            with torch.device("meta"):
                self.layers = torch.nn.ModuleList(torch.nn.Linear(10, 10, bias=False) for _ in range(12))
                self.head = torch.nn.Linear(10, 20, bias=False)

    model = Dispatched()
    places: dict[str, object] = {f"layers.{i}": "disk" if i > 10 else "cpu" if i else 1 for i in range(12)}
    model.hf_device_map = places | {"head": 1}  # type: ignore[assignment]
    found = spread_of(model)
    assert found == Spread(torch.device("cuda", 1), own=1200, ram=4000, disk=400)
    assert found.note == "71% in main memory, 7% on the disk" and found.away == pytest.approx(4400 / 5600)
    assert Room(7, 9).max_memory(torch.device("cuda", 1)) == {1: 7, "cpu": 9}

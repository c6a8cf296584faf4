"""What a target brings along to draft with: the plan's figures are the bytes of what is loaded, with a full cache."""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest
import torch

from inference.drafters.head import CHUNK
from inference.engine import Engine
from inference.heads import shelf
from inference.heads.fingerprint import identify
from inference.heads.native_runner import NativeRunner
from inference.heads.prediction import HeldPrediction
from inference.heads.runner import HeadRunner
from inference.heads.shape import HeadShape
from inference.heads.torch_runner import TorchRunner
from inference.manager.cli.commands import plan_json, plan_text
from inference.plan.choice import choose
from inference.plan.foresight import WAITING
from inference.plan.machine import Machine
from inference.plan.memory_plan import RESERVE_BYTES, MemoryPlan, PlanSettings, plan
from inference.plan.model_shape import shape_in
from inference.settings import MAX_DRAFT_LENGTH, LoadSettings, Precision
from inference.tokenizer import Tokenizer
from tests.inference.conftest import TinyFactory
from tests.inference.engines import load
from tests.inference.heads.predicting import add_prediction_layer
from tests.inference.heads.tiny import save_random
from tests.tiny_models import CONTEXT

MACHINE = Machine(16 << 30, 10 << 30)
NEW = ("snapshots", "prediction layer", "trained heads")


def part(made: MemoryPlan, name: str) -> int:
    return sum(one.nbytes for one in made.parts if one.name == name)


def with_full_cache(runner: HeadRunner, hidden: int) -> int:
    """Bytes that a text as long as the context leaves behind, and the features that wait."""
    cache = runner.new_cache()
    features = torch.zeros(CONTEXT, len(runner.depths), hidden)
    runner.draft([5] * CONTEXT, features, cache, MAX_DRAFT_LENGTH)
    return cache.nbytes + features[:CHUNK].nbytes


def tensors_of(thing: object) -> Iterator[torch.Tensor]:
    """In a dataclass and those within it, but the target's own embedding."""
    if isinstance(thing, torch.Tensor):
        yield thing
    elif is_dataclass(thing):
        for field in fields(thing):
            if field.name != "embedding":
                yield from tensors_of(getattr(thing, field.name))


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("layout", ["mtp", "beyond"])
def test_the_checkpoints_own_prediction_layer(
    tiny: TinyFactory, tmp_path: Path, layout: str, precision: Precision
) -> None:
    source = tiny("qwen3_5", layers=2, seed=3)
    folder = add_prediction_layer(source, tmp_path / "model", layout)
    engine = load(folder, settings=LoadSettings(precision=precision))
    (head,) = engine._host.heads.values()
    assert isinstance(head, HeldPrediction)
    settings = PlanSettings(precision, CONTEXT)
    made, without = plan(shape_in(folder), MACHINE, settings), plan(shape_in(source), MACHINE, settings)
    assert engine.target is not None
    assert part(made, "weights") == part(without, "weights") == pytest.approx(engine.target.nbytes, rel=0.02)
    actual = head.runner.nbytes + with_full_cache(head.runner, 64)
    assert part(made, "prediction layer") == pytest.approx(actual, rel=0.01)
    assert part(without, "prediction layer") == 0


def test_a_prediction_layer_that_is_not_loaded_takes_nothing(tiny: TinyFactory, tmp_path: Path) -> None:
    """It has embeddings of its own; or the fused decoder computes, which does not show what it would read."""
    own = add_prediction_layer(tiny("qwen3_5", layers=2, seed=3), tmp_path / "own")
    config = json.loads((own / "config.json").read_text(encoding="utf-8")) | {"mtp_use_dedicated_embeddings": True}
    (own / "config.json").write_text(json.dumps(config), encoding="utf-8")
    fused = add_prediction_layer(tiny("qwen3", layers=2, seed=3), tmp_path / "fused")
    for folder in (own, fused):
        assert part(plan(shape_in(folder), MACHINE, PlanSettings(context=CONTEXT)), "prediction layer") == 0
        assert not load(folder).heads
    assert shape_in(fused).prediction > 0


@pytest.fixture
def trained(tiny: TinyFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A target with two heads on the shelf, and one there that another target has."""
    folder = tiny("llama", layers=4, seed=3)
    target = identify("tiny", folder, Tokenizer.load(folder).vocabulary)
    assert target.architecture is not None
    shape = HeadShape.for_target(target.architecture, 60)
    tokens = target.architecture.vocabulary_size
    save_random(tmp_path / "code", shape, target, tokens=tokens, task="code")
    save_random(tmp_path / "prose", replace(shape, intermediate=48, window=8), target, tokens=tokens, task="prose")
    save_random(tmp_path / "theirs", shape, replace(target, fingerprint="theirs"), tokens=tokens, task="any")
    monkeypatch.setattr(shelf, "places", lambda: (tmp_path,))
    return folder


@pytest.mark.parametrize("precision", ["int8", "int4", "float32", "bfloat16"])
def test_trained_heads(trained: Path, precision: Precision) -> None:
    engine = load(trained, settings=LoadSettings(precision=precision, implementation="fused"))
    held = engine._host.heads
    assert sorted(head.task for head in held.values()) == ["code", "prose"]
    actual = 0
    for head in held.values():
        runner = head.runner
        if isinstance(runner, NativeRunner):
            own = tensors_of(runner._head.weights)
        else:
            assert isinstance(runner, TorchRunner)
            own = iter([runner._output, runner._vocabulary, *runner._head.parameters()])
        actual += sum(tensor.nbytes for tensor in own) + with_full_cache(runner, 64)
    made = plan(shape_in(trained), MACHINE, PlanSettings(precision, CONTEXT))
    assert part(made, "trained heads") == pytest.approx(actual, rel=0.03)


def test_the_command_line_names_them(trained: Path, tiny: TinyFactory) -> None:
    for folder, name in ((trained, "trained heads"), (tiny("qwen3_5", layers=2, seed=3), "snapshots")):
        made = plan(shape_in(folder), MACHINE)
        told = plan_json(made, "")["parts"]
        assert {"name": name, "bytes": part(made, name), "place": "ram"} in told  # type: ignore[operator]
        assert name in plan_text(made, "")


def test_what_is_not_there_is_not_shown(tiny: TinyFactory, trained: Path) -> None:
    names = [one.name for one in plan(shape_in(tiny("llama", layers=2, seed=9)), MACHINE).parts]
    assert not set(NEW) & set(names)
    adapter = plan(shape_in(trained), MACHINE, PlanSettings(implementation="adapter"))
    assert part(adapter, "trained heads") == 0, "the adapter shows a head nothing"
    hybrid = plan(shape_in(tiny("qwen3_5", layers=2, seed=3)), MACHINE)
    assert part(hybrid, "snapshots") > 0


def test_they_count_in_the_choice(trained: Path, tiny: TinyFactory) -> None:
    """With a byte less than they need, less is chosen, although all else would fit."""
    for folder in (trained, tiny("qwen3_5", layers=2, seed=3)):
        shape = replace(shape_in(folder), context_length=1 << 16)
        still = tuple(replace(layer, state=0, convolution=0) for layer in shape.layers)
        wish = PlanSettings("bfloat16", 8192)
        tight = replace(MACHINE, ram_free=plan(shape, MACHINE, wish).needed("ram") + RESERVE_BYTES - 1)
        assert plan(replace(shape, trained=(), layers=still), tight, wish).fits
        assert not plan(shape, tight, wish).fits
        assert choose(shape, tight, wish).settings != wish


def test_as_many_positions_wait_as_the_drafter_keeps() -> None:
    assert WAITING == CHUNK


def test_the_weights_of_a_model_without_such_heads_are_not_read(
    tiny: TinyFactory, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    whole = shelf.target_fingerprint
    monkeypatch.setattr(shelf, "target_fingerprint", lambda folder: asked.append(folder) or whole(folder))
    shape_in(tiny("llama", layers=2, seed=9))  # the heads read its fourth layer, too
    assert not asked
    assert shape_in(trained).trained and asked == [trained]


def test_an_engine_loads_the_heads_that_are_planned(trained: Path) -> None:
    engine: Engine = load(trained, settings=LoadSettings(precision="int8", implementation="fused"))
    assert len(shape_in(trained).trained) == len(engine.heads) == 2

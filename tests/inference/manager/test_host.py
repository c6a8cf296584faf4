"""What a draft is loaded as, and that only one model is loaded at a time."""

import threading
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager.host import Host, draft_settings
from inference.manager.spec import Spec
from inference.models.fused.model import FusedModel
from inference.native.weights import Format
from inference.plan.machine import Machine
from inference.plan.memory_plan import PlanSettings, plan
from inference.plan.model_shape import shape_in
from inference.settings import LoadSettings
from tests.inference.conftest import TinyFactory


@pytest.mark.parametrize(
    ("settings", "native", "precision"),
    [
        (LoadSettings(), True, "int4"),
        (LoadSettings(device="cpu"), True, "int4"),
        (LoadSettings(), False, "auto"),
        (LoadSettings(precision="float32"), True, "float32"),
        (LoadSettings(implementation="adapter"), True, "auto"),
        (LoadSettings(device="mps"), True, "auto"),
    ],
)
def test_a_draft_has_four_bits_where_that_is_fast_and_nothing_else_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, settings: LoadSettings, native: bool, precision: str
) -> None:
    monkeypatch.setattr(FusedModel, "computes_natively", lambda *_: native)
    found = draft_settings(Path("anywhere"), settings)
    assert found.precision == precision and found.int4_tables


@pytest.mark.parametrize("group", [32, 64])
def test_of_a_draft_all_matrices_have_four_bits_and_the_plan_knows(tiny: TinyFactory, group: int) -> None:
    host, folder, settings = Host(), tiny("llama"), LoadSettings("int4", context_length=64, int4_group=group)
    spec = Spec(str(folder), "tiny", folder=folder)
    for load in (host.load, host.load_draft):
        for _ in load(spec, settings, threading.Event()):
            pass
    assert host.target is not None and host.draft is not None
    kinds = []
    for held in (host.target, host.draft):
        assert isinstance(held.model, FusedModel)
        assert held.model.native is not None
        weights = held.model.native.weights
        kinds.append((weights.embedding.format, weights.head.format, weights.layers[0].down.format))
    four = Format.INT4 if group == 32 else Format.INT4_64
    assert kinds == [(Format.INT8, Format.INT8, four), (four, four, four)]
    shape = shape_in(folder)
    made = plan(shape, Machine(16 << 30, 10 << 30), PlanSettings("int4", context=64, int4_group=group), shape)
    parts = {part.name: part.nbytes for part in made.parts}
    assert parts["weights"] == host.target.model.nbytes + 4 * shape.vectors
    assert parts["draft weights"] == host.draft.model.nbytes + 4 * shape.vectors


def test_native_kernels_need_an_architecture_they_know(tmp_path: Path) -> None:
    assert not FusedModel.computes_natively(tmp_path, "int4")


def test_a_second_load_is_refused_while_one_runs(tiny: TinyFactory) -> None:
    host = Host()
    folder = tiny("llama")
    spec = Spec(str(folder), "tiny", folder=folder)
    first = host.load(spec, LoadSettings(precision="float32"), threading.Event())
    next(first)
    with pytest.raises(UserError, match="being loaded"):
        next(host.load(spec, LoadSettings(precision="float32"), threading.Event()))
    for _ in first:
        pass
    assert host.target is not None
    host.unload()
    assert host.target is None

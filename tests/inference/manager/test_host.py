"""What a draft is loaded as, and that only one model is loaded at a time."""

import threading
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager.host import Host, draft_settings
from inference.manager.spec import Spec
from inference.models.fused.model import FusedModel
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
    assert draft_settings(Path("anywhere"), settings).precision == precision


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

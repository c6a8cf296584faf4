"""A draft on another device than the target. The cards are pretended: none was there when this was written."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from inference.device import named_device
from inference.errors import UserError
from inference.manager import draft_device as module
from inference.manager import host as host_module
from inference.manager.draft_device import draft_device
from inference.manager.host import Host, draft_settings
from inference.models.causal_model import CausalModel
from inference.models.fused.model import FusedModel
from inference.plan.machine import Card, Machine
from inference.settings import LoadSettings
from tests.inference.conftest import TinyFactory
from tests.inference.engines import spec

GB = 10**9


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> object:
    """A machine with cards of so many free bytes."""

    def machine(*free: int) -> None:
        cards = tuple(Card("Card", 24 * GB, one) for one in free)
        monkeypatch.setattr(module, "find_cards", lambda: cards)
        monkeypatch.setattr(Machine, "here", lambda: Machine(32 * GB, 30 * GB, cards))

    return machine


@pytest.mark.parametrize(
    ("free", "settings", "device"),
    [
        ((), LoadSettings(), "auto"),
        ((20 * GB,), LoadSettings(), "cuda:0"),
        ((20 * GB, 20 * GB), LoadSettings(), "cuda:1"),
        ((GB // 2, GB // 2), LoadSettings(), "cpu"),
        ((20 * GB, 20 * GB), LoadSettings(device="cpu"), "cpu"),
        ((20 * GB, 20 * GB), LoadSettings(draft_device="target"), "cuda:0"),
        ((20 * GB, 20 * GB), LoadSettings(draft_device="cpu"), "cpu"),
    ],
)
def test_where_a_draft_is_loaded(
    tiny: TinyFactory, pretend: object, free: tuple[int, ...], settings: LoadSettings, device: str
) -> None:
    pretend(*free)  # type: ignore[operator]
    folder = tiny("llama")
    assert draft_device(folder, LoadSettings(device="cuda:0"), folder, settings, [folder]) == device


def test_the_host_loads_it_there_and_remembers(
    tiny: TinyFactory, pretend: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    load = host_module.load_model

    def on_the_processor(folder: Path, settings: LoadSettings, report: object) -> CausalModel:
        asked.append(settings.device)
        return load(folder, LoadSettings(precision="float32", device="cpu"), report)  # type: ignore[arg-type]

    monkeypatch.setattr(host_module, "load_model", on_the_processor)
    monkeypatch.setattr("inference.manager.prepared.resolve_device", named_device)
    host, folder = Host(), tiny("llama")
    steps: Sequence[object] = [*host.load(spec(folder), LoadSettings(precision="float32"), threading.Event())]
    assert steps and asked == ["auto"]
    pretend(20 * GB, 20 * GB)  # type: ignore[operator]
    assert [*host.load_draft(spec(folder), LoadSettings(precision="float32"), threading.Event())]
    assert asked == ["auto", "cuda:1"]
    assert host.draft is not None and host.draft.settings.device == "cuda:1"
    host.unload()


def test_a_card_that_is_not_there_is_missed_before_anything_is_freed(tiny: TinyFactory) -> None:
    host, folder, never = Host(), tiny("llama"), threading.Event()
    how = LoadSettings(precision="float32", device="cpu")
    assert [*host.load(spec(folder), how, never), *host.load_draft(spec(folder), how, never)]
    held = host.target, host.draft
    with pytest.raises(UserError, match="cuda:9 is not available"):
        list(host.load_draft(spec(folder), replace(how, draft_device="cuda:9"), never))
    with pytest.raises(UserError, match="cuda:9 is not available"):
        list(host.load(spec(folder), replace(how, device="cuda:9"), never))
    assert (host.target, host.draft) == held
    host.unload()


def test_beside_a_card_four_bits_are_for_a_draft_on_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FusedModel, "computes_natively", lambda *_: True)
    assert draft_settings(Path("anywhere"), LoadSettings(device="cuda:1")).precision == "auto"
    assert draft_settings(Path("anywhere"), LoadSettings(device="cpu")).precision == "int4"


@pytest.mark.parametrize("device", ["gpu", "cuda:x", ""])
def test_no_name_of_a_device(device: str) -> None:
    with pytest.raises(ValueError, match="held by"):
        LoadSettings(draft_device=device)

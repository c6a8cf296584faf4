"""A damaged model is told in one sentence with a remedy, and the model that was loaded before still answers."""

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from inference.engine import Engine
from inference.errors import UserError
from inference.loading import LoadCancelledError
from inference.manager import host
from inference.plan.model_shape import shape_in
from inference.settings import Implementation, LoadSettings
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, load, reply, spec
from tests.inference.manager.damages import DAMAGES, Damage

PATHS: tuple[Implementation, ...] = ("adapter", "auto")


@pytest.fixture(scope="module", params=PATHS)
def loaded(request: pytest.FixtureRequest, tiny: TinyFactory) -> Iterator[tuple[Engine, LoadSettings]]:
    """An engine with a good model, and the settings that a damaged one is loaded with."""
    settings = LoadSettings(precision="auto", implementation=cast(Implementation, request.param))
    engine = load(tiny("llama"), settings=settings)
    yield engine, settings
    engine.unload()


def late(act: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """The damage is done when everything has been looked at and the weights are to be read, and once only."""
    real, done = host.load_model, False

    def damaging(folder: Path, *rest: Any) -> Any:
        nonlocal done
        if not done:
            done = True
            act(folder)
        return real(folder, *rest)

    monkeypatch.setattr(host, "load_model", damaging)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_a_damaged_folder(
    damage: Damage,
    loaded: tuple[Engine, LoadSettings],
    tiny: TinyFactory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine, settings = loaded
    before = engine.target
    folder = shutil.copytree(tiny("llama"), tmp_path / "模型")
    if damage.late:
        late(damage.act, monkeypatch)
    else:
        damage.act(folder)
    with pytest.raises(UserError, match=damage.told) as raised:
        for _ in engine.load(spec(folder), settings, threading.Event()):
            pass
    message = raised.value.message
    assert raised.value.remedy and message.endswith((".", "?")) and "\n" not in message and "Error" not in message
    assert engine.target == before
    assert finished(reply(engine, ask("hello"), greedy(max_tokens=2))).statistics


@pytest.mark.parametrize("damage", [one for one in DAMAGES if not one.late], ids=lambda damage: damage.name)
def test_a_damaged_folder_is_planned_for_or_it_is_said_why_not(
    damage: Damage, tiny: TinyFactory, tmp_path: Path
) -> None:
    """As when it is loaded. What does not change the sizes shows only then."""
    folder = shutil.copytree(tiny("llama"), tmp_path / "模型")
    damage.act(folder)
    try:
        shape_in(folder)
    except UserError as error:
        assert re.search(f"{damage.told}|config.json does not say", error.message) and error.remedy
        assert "planned for" not in error.message  # but what is wrong with which file


@pytest.mark.parametrize("at_once", [True, False])
def test_drafts_stay_with_the_model_that_stays(
    at_once: bool, tiny: TinyFactory, tiny_draft: TinyFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = load(tiny("llama"), tiny_draft("llama"))
    folder = shutil.copytree(tiny("llama"), tmp_path / "模型")
    if at_once:
        (folder / "config.json").unlink()
    else:
        late(shutil.rmtree, monkeypatch)
    drafts = engine.drafts
    with pytest.raises(UserError):
        for _ in engine.load(spec(folder), LoadSettings(implementation="adapter"), threading.Event()):
            pass
    assert drafts and engine.drafts == drafts
    assert finished(reply(engine, ask("hello"), greedy("model", max_tokens=8))).statistics.drafter
    engine.unload()


def test_who_cancels_is_left_without_a_model(tiny: TinyFactory) -> None:
    engine, cancel = load(tiny("llama")), threading.Event()
    with pytest.raises(LoadCancelledError):
        for step in engine.load(spec(tiny("qwen3")), LoadSettings(implementation="adapter"), cancel):
            if step.stage == "tokenizer":
                assert engine.target is not None
                cancel.set()
    assert engine.target is None

"""In the window: a damaged model is told in a banner, and the chat goes on with the model that was there before."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.worker import APOLOGY
from inference.engine import Engine
from inference.manager import host
from inference.manager.store import Store
from tests.app.conftest import MakeProgram
from tests.inference.manager.damages import DAMAGES
from tests.tiny_models import tiny_model

PATIENCE_MS = 240_000  # the first load imports torch and may build the kernels
SOME = [damage for at, damage in enumerate(DAMAGES) if damage.late or at % 3 == 0]  # each is tried with the engine


def late(act: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Done once, when the weights are about to be read."""
    real = host.load_model

    def damaging(folder: Path, *rest: Any) -> Any:
        monkeypatch.setattr(host, "load_model", real)
        act(folder)
        return real(folder, *rest)

    monkeypatch.setattr(host, "load_model", damaging)


def test_every_damage_leaves_the_program_usable(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = tiny_model("llama", tmp_path / "good")
    store = Store(tmp_path / "models")
    program = make_program(engine=Engine(), store=store, session={"model": str(good), "max_tokens": 2})
    with program.qtbot.waitSignal(program.application.model_ready, timeout=PATIENCE_MS):
        program.application.start()
    loader = program.application.loader
    for number, damage in enumerate(SOME):
        folder = shutil.copytree(good, tmp_path / str(number) / "模型")
        if damage.late:
            late(damage.act, monkeypatch)
        else:
            damage.act(folder)
        with program.qtbot.waitSignal(loader.failed, timeout=PATIENCE_MS):
            program.application.models.load(str(folder))
        assert loader.failure is not None and loader.failure.message != APOLOGY, damage.name
        assert program.banner("load failed").endswith(" good stays loaded."), damage.name
        assert loader.target is not None and loader.target.spec.folder == good and not loader.obstacle(), damage.name
    assert program.ask("hello").role == "assistant"

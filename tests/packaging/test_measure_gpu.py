"""The figures of a graphics card, here of a processor: what is measured is real, and nothing is said without a card."""

import json
from pathlib import Path

import measure_gpu
import pytest
from measure_gpu import BAD_INPUT, NO_CARD, ROWS, Plan, main, measure, report

from inference.settings import LoadSettings
from tests.inference.engines import spec
from tests.tiny_models import tiny_model, truncated_copy

PLAN = Plan(tokens=6, runs=1, prompts=1, lengths=(2,))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("models")
    target = tiny_model("llama", folder / "target")
    return target, truncated_copy(target, folder / "draft", 1)


def test_every_way_of_decoding(models: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_gpu, "REPEATS", 2)
    target, draft = (spec(folder) for folder in models)
    setup = measure(target, draft, LoadSettings("float32", device="cpu", context_length=512), False, PLAN)
    assert [(arm.arm, arm.task) for arm in setup.arms] == [
        (arm, task) for task in ("code", "prose") for arm in ("off", "n-gram", "draft K=2", "automatic")
    ]
    assert all(arm.tok_s > 0 and arm.differs == 0 for arm in setup.arms)
    assert set(setup.verify_ms) == set(ROWS)
    assert setup.draft_step_ms is not None and setup.draft_step_ms > 0
    said = report(setup)
    assert "fused, float32" in said and "draft K=2" in said


def test_without_a_card_it_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure_gpu, "find_device", lambda: None)
    assert main(["anything"]) == NO_CARD
    assert "no graphics card" in capsys.readouterr().err


def test_json_and_what_cannot_be_loaded(
    models: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path))
    monkeypatch.setattr(measure_gpu, "find_device", lambda: "cpu")
    monkeypatch.setattr(measure_gpu, "REPEATS", 1)
    assert main([str(models[0]), "--tokens", "4", "--runs", "1", "--context", "512", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["device"].startswith("cpu, torch")
    assert {arm["arm"] for arm in values["setups"][0]["arms"]} == {"off", "n-gram", "automatic"}
    assert main([str(tmp_path / "nothing")]) == BAD_INPUT
    assert "nothing" in capsys.readouterr().err

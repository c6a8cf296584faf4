"""The memory plan against reality: the real SmolLM2 in a process of its own, within 10 %."""

import json
from pathlib import Path

import measure_memory
import pytest
from measure_memory import TOLERANCE, main

from tests.real_model import real_model_folder


@pytest.mark.model
def test_the_plan_holds_for_a_real_model(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    status = main([str(real_model_folder()), "--contexts", "2048", "--json"])
    (result,) = json.loads(capsys.readouterr().out)
    assert result["context"] == 2048 and sum(result["parts"].values()) == result["planned"]
    assert abs(result["ratio"] - 1) <= TOLERANCE, result
    assert status == 0


@pytest.mark.parametrize(("peak", "status", "said"), [(900, 0, "ratio 1.000"), (700, 1, "ratio 1.286")])
def test_a_difference_of_more_than_a_tenth_is_a_failure(
    peak: int, status: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = {"context": 1024, "planned": 900, "measured": peak, "ratio": 900 / peak, "parts": {"weights": 900}}
    monkeypatch.setattr(measure_memory, "compare", lambda *_: result)
    assert main(["somewhere"]) == status
    assert said in capsys.readouterr().out


def test_a_folder_that_cannot_be_planned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "it has no config.json" in capsys.readouterr().err

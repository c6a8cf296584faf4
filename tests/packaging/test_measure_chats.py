"""What many chats and long ones cost: that all of it is done and shown, and what the answer is."""

import json

import measure_chats
import pytest
from measure_chats import Act, main, took
from PySide6.QtWidgets import QApplication

FEW = ["--chats", "20", "--messages", "12", "--times", "1"]


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is."""
    monkeypatch.setattr(measure_chats, "STEP_MS", 60_000.0)
    monkeypatch.setattr(measure_chats, "OPEN_MS", 60_000.0)


@pytest.mark.parametrize("slow", [False, True])
def test_one_act_above_its_mark_is_a_failure(
    slow: bool, qapp: QApplication, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if slow:
        monkeypatch.setattr(measure_chats, "OPEN_MS", 0.0)
    assert main([*FEW, "--json"]) == int(slow)
    results = json.loads(capsys.readouterr().out)
    assert [one["act"] for one in results if one["worst_ms"] > one["mark_ms"]] == (
        ["open a long chat", "switch between versions"] if slow else []
    )
    assert all(0 < one["median_ms"] <= one["worst_ms"] for one in results) and len(results) == 9
    assert main(FEW) == int(slow)
    said = capsys.readouterr().out.splitlines()
    assert [line.startswith(one["act"]) for line, one in zip(said, results, strict=True)] == [True] * 9


def test_of_each_step_the_median_counts(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    times = iter([1.0, 30.0, 2.0, 50.0, 900.0, 40.0])

    def milliseconds(step: object) -> float:
        assert callable(step)
        step()
        return next(times)

    monkeypatch.setattr(measure_chats, "milliseconds", milliseconds)
    act = Act("two steps", 9.0, [lambda: done.append("a"), lambda: done.append("b")], lambda: done.append("-"))
    assert took(act, 3) == [2.0, 40.0]
    assert "".join(done) == "-ab-ab-ab"

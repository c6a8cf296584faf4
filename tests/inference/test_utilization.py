"""What the driver's tool says while work is done, by a tool that stands in for it."""

from pathlib import Path

import pytest
import torch

import inference.utilization
from inference.utilization import asked_while, utilization


@pytest.mark.parametrize(("says", "share"), [("93", 0.93), ("[N/A]", None), ("", None), ("120", 1.0)])
def test_the_driver_is_asked_while_work_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, share: float | None
) -> None:
    tool, asked, done = tmp_path / "tool", tmp_path / "asked", list[int]()
    tool.write_text(f'#!/bin/sh\necho "$*" > {asked}\necho "{says}"\n')
    tool.chmod(0o755)
    monkeypatch.setattr(inference.utilization, "driver_tool", lambda: str(tool))
    monkeypatch.setattr(inference.utilization, "PERIOD_S", 0.01)
    assert asked_while("GPU-7", lambda: done.append(1)) == share
    assert len(done) > 1 and "--id=GPU-7 --query-gpu=utilization.gpu" in asked.read_text()


def test_nothing_is_said_without_a_card_or_a_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    assert utilization(torch.device("cpu"), pytest.fail) is None
    monkeypatch.setattr(inference.utilization, "driver_tool", lambda: None)
    assert asked_while("GPU-7", pytest.fail) is None

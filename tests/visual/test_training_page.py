"""Pictures of the page that trains a draft, to be looked at; and a few probes."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.theme import Theme
from app.training_run import TrainingState
from app.views.training_page import TrainingPage
from tests.visual.test_panel import colours, picture, shown, theme

assert theme  # the fixture

CURVE = tuple(0.6 * (1 - 0.94**i) for i in range(60))
GAINED = {
    "head": "code",
    "acceptance_by_position": [0.66, 0.55, 0.5],
    "by_draft_length": {"3": {"tokens_per_round": 2.31, "measured_gain": 1.42, "expected_gain": 1.5}},
}
STATES = {
    "fresh": TrainingState(),
    "estimated": TrainingState(
        running=True,
        estimate={"disk_bytes": 4.4e9, "memory_bytes": 2.7e9, "seconds": {"replies": 900.0, "train": 4200.0}},
    ),
    "training": TrainingState(
        running=True,
        step="train",
        head="any",
        done=600_000,
        total=1_500_000,
        left_s=2700.0,
        figures={"head": "any", "tokens_per_second": 512.3, "agreement_1": 0.55, "held_out_1": 0.52},
        curve=CURVE,
    ),
    "done": TrainingState(step="package", head="code", done=1, total=1, drafts=("x/code",), gained={"code": GAINED}),
    "failed": TrainingState(step="replies", done=3, total=9, error="Not enough disk space. Make room on the disk."),
}


@pytest.mark.parametrize("state", STATES)
def test_training_page(qtbot: QtBot, theme: Theme, state: str) -> None:
    page = TrainingPage()
    page.show_model("SmolLM2 135M Instruct")
    page.show_state(STATES[state])
    window = shown(qtbot, page, page.width(), page.height())
    QApplication.processEvents()
    seen = colours(picture(window, f"training-{state}-{theme.name}", 2))
    assert seen.get("#ff00ff", 0) == 0, "every pixel is painted"
    assert max(seen, key=lambda name: seen[name]) in (theme.ground, theme.raised)
    assert page.curve.isHidden() or seen.get(theme.accent, 0) > 100, "the curve is drawn in the theme's colour"

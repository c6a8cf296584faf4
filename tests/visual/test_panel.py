"""Pictures of the gauge and settings panels in every state, light and dark, at one and two pixels a point.

They go to tests/visual/out/, to be looked at; the probes here only hold what a machine can see.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.settings import Settings
from app.theme import DARK, LIGHT, Theme
from app.views import settings_panel
from app.views.gauge_panel import GaugePanel
from app.views.settings_panel import SettingsPanel
from app.views.style import dress
from inference.events import PromptProgress
from tests.app.panel_events import OFF, REPLY, play, round_event, settle, show

OUT = Path(__file__).parent / "out"


def before(panel: GaugePanel) -> None:
    panel.show_draft("")


def reading(panel: GaugePanel) -> None:
    panel.begin_reply()
    panel.show_prompt(PromptProgress(done=320, total=1024, reused=200))


def running(panel: GaugePanel) -> None:
    panel.show_draft("Coder-0.5B")
    panel.set_task("code")
    play(panel, draft_s=1.8, expected_gain=1.64, measured_gain=1.42)


def paused(panel: GaugePanel) -> None:
    running = play(panel, 40)
    for i in range(30):
        show(panel, running.round(31.0 + i % 3 / 2, 0.38, "high_temperature"))


def off(panel: GaugePanel) -> None:
    panel.begin_reply()
    for i in range(60):
        show(panel, round_event(22.0 + i % 5 / 3, None, statistics=replace(OFF, reply_tokens=i + 1)))


def finished(panel: GaugePanel) -> None:
    play(panel)
    panel.finish_reply(REPLY)


def no_model(panel: GaugePanel) -> None:
    panel.show_idle("No model is loaded yet.")


# The state, and whether it is grey.
STATES: dict[str, tuple[Callable[[GaugePanel], None], bool]] = {
    "before": (before, False),
    "reading": (reading, False),
    "running": (running, False),
    "paused": (paused, True),
    "off": (off, True),
    "finished": (finished, False),
    "no-model": (no_model, True),
}


@pytest.fixture(params=[LIGHT, DARK], ids=lambda theme: theme.name)
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Theme]:
    dress(qapp, request.param)
    yield request.param
    qapp.setStyleSheet("")


def picture(widget: QWidget, name: str, ratio: int) -> QImage:
    image = QImage(widget.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor("#ff00ff"))
    painter = QPainter(image)
    widget.render(painter, QPoint())
    painter.end()
    OUT.mkdir(exist_ok=True)
    assert image.save(str(OUT / f"{name}-{ratio}x.png"))
    return image


def colours(image: QImage) -> dict[str, int]:
    pixels = memoryview(image.constBits()).cast("I")  # 0xffrrggbb
    return {f"#{pixel & 0xFFFFFF:06x}": count for pixel, count in Counter(pixels).items()}


def shown(qtbot: QtBot, panel: QWidget, width: int, height: int) -> QWidget:
    """The panel alone in a window of this size."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(width, height)
    panel.setParent(window)
    panel.setGeometry(0, 0, width, height)
    window.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.setFocus()  # the ring around a control is another picture
    window.show()
    panel.show()
    return window


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("state", STATES)
def test_gauge_panel(qtbot: QtBot, theme: Theme, state: str, ratio: int) -> None:
    play_state, grey = STATES[state]
    panel = GaugePanel()
    panel.set_theme(theme)
    window = shown(qtbot, panel, 248, 800)
    play_state(panel)
    settle(panel)
    QApplication.processEvents()
    seen = colours(picture(window, f"gauges-{state}-{theme.name}", ratio))
    assert seen.get("#ff00ff", 0) == 0, "every pixel is painted"
    assert max(seen, key=lambda name: seen[name]) == theme.ground
    assert seen.get(theme.track, 0) > 20
    filled = state in ("running", "paused", "off", "finished")
    assert (seen.get(theme.idle, 0) > 20) == (filled and grey)
    assert (seen.get(theme.accent, 0) > 20) == (filled and not grey)
    assert (seen.get(theme.good, 0) > 20) == (filled and not grey)


@pytest.mark.parametrize("ratio", [1, 2])
def test_gauge_bar(qtbot: QtBot, theme: Theme, ratio: int) -> None:
    panel = GaugePanel()
    panel.set_theme(theme)
    panel.as_bar(True)
    window = shown(qtbot, panel, 760, panel.sizeHint().height())
    running(panel)
    settle(panel)
    QApplication.processEvents()
    seen = colours(picture(window, f"bar-{theme.name}", ratio))
    assert seen.get("#ff00ff", 0) == 0
    assert seen.get(theme.accent, 0) > 0 and seen.get(theme.good, 0) > 0


SHOWN = {
    "defaults": Settings(),
    "changed": Settings(
        drafter="model",
        draft_model="/models/Qwen2.5-Coder-0.5B-Instruct",
        dynamic=False,
        temperature=1.2,
        seed=7,
        system_prompt="You are terse.\n用中文回答。",
        show_tokens=True,
    ),
    "off": Settings(speculation="off"),
}


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("state", SHOWN)
def test_settings_panel(qtbot: QtBot, theme: Theme, state: str, ratio: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_panel, "reduced_motion", lambda: True)
    panel = SettingsPanel()
    panel.set_theme(theme)
    panel.show_settings(SHOWN[state])
    window = shown(qtbot, panel, 376, 1400)
    if state == "off":
        row = panel.rows["top_k"]
        row.control.setProperty("text", "12x")
        row.control.flush()
    QApplication.processEvents()
    seen = colours(picture(window, f"settings-{state}-{theme.name}", ratio))
    assert seen.get("#ff00ff", 0) == 0
    assert seen.get(theme.accent, 0) > 20
    assert (seen.get(theme.error, 0) > 0) == (state == "off")

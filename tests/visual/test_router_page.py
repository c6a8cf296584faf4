"""Pictures of "What works here" and of a reply whose task changed, to be looked at; and a few probes."""

import random
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.theme import Theme
from app.views.gauge_panel import GaugePanel
from app.views.router_page import RouterPage
from inference.events import TaskChanged
from inference.profiles import Candidate, Profile
from inference.router import Router
from tests.app.panel_events import play, settle, show
from tests.inference.test_router import rounds_of
from tests.visual.test_panel import colours, picture, shown, theme

CODER, PROSE = "Qwen2.5-Coder-0.5B-Instruct", "SmolLM2-prose-head"
CANDIDATES = (Candidate("ngram"), *(Candidate(kind, CODER) for kind in ("model", "combined")), Candidate("head", PROSE))

assert theme  # the fixture


def measured() -> Router:
    router, chance = Router(), random.Random(1)
    gains = {"code": (1.05, 1.37, 1.44, 1.31), "prose": (1.0, 0.52, 0.61, 1.18)}
    for task in ("code", "prose"):
        for one, gain in zip(CANDIDATES, gains[task], strict=True):
            router.note("t", task, one, rounds_of(gain, 150, chance, 0.8 if task == "code" else 0.4), 0.03)  # type: ignore[arg-type]
        router.book("t", task).lost = 8.0  # type: ignore[arg-type]
    return router


def fresh() -> Router:
    return Router()


def pinned() -> Router:
    router = measured()
    router.set_profile("t", "code", Profile(f"model:{CODER}", 6))
    router.set_profile("t", "prose", Profile("none"))
    return router


STATES: dict[str, Callable[[], Router]] = {"measured": measured, "fresh": fresh, "pinned": pinned}


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("state", STATES)
def test_router_page(qtbot: QtBot, theme: Theme, state: str, ratio: int) -> None:
    page = RouterPage()
    page.show_routes(STATES[state]().routes("t", "Qwen2.5-Coder-1.5B-Instruct", CANDIDATES, 0.036))
    window = shown(qtbot, page, page.width(), 760)
    QApplication.processEvents()
    seen = colours(picture(window, f"routes-{state}-{theme.name}", ratio))
    assert seen.get("#ff00ff", 0) == 0, "every pixel is painted"
    assert max(seen, key=lambda name: seen[name]) in (theme.ground, theme.raised)
    assert seen.get(theme.good, 0) > 20, "what drafts is marked"
    for label in page.findChildren(QLabel):
        if label.isVisible() and not label.wordWrap():
            assert label.width() >= label.sizeHint().width() - 1, f"{label.text()!r} is cut"


@pytest.mark.parametrize("width", [248, 760])
@pytest.mark.parametrize("ratio", [1, 2])
def test_a_reply_of_prose_code_prose(qtbot: QtBot, theme: Theme, width: int, ratio: int) -> None:
    panel = GaugePanel()
    panel.set_theme(theme)
    panel.as_bar(width > 400)
    window = shown(qtbot, panel, width, 52 if width > 400 else 800)
    reply = play(panel, 30)
    for task, speed in (("code", 70.0), ("prose", 40.0)):
        panel.mark_task(TaskChanged(task, reply.so_far.rounds, "n-gram", 0.0))  # type: ignore[arg-type]
        for i in range(40):
            show(panel, reply.round(speed + i % 5, 0.9))
    panel.mark_task(TaskChanged("code", reply.so_far.rounds, "n-gram", 0.0))
    settle(panel)
    QApplication.processEvents()
    seen = colours(picture(window, f"gauges-tasks-{width}-{theme.name}", ratio))
    assert seen.get("#ff00ff", 0) == 0
    if width < 400:
        assert seen.get(theme.accent_soft, 0) > 100 * ratio, "code is shaded in the lines"

"""Pictures of what helps to understand speed: advice, comparing, checking, benchmarks; and a few probes."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.benchmarks_store import ArmResult, BenchmarkResult
from app.checking_report import CheckReport, Reply
from app.compare_verdict import Expected, parting
from app.theme import Theme
from app.views.advice_card import AdviceCard
from app.views.benchmarks_page import BenchmarksPage
from app.views.checking_page import CheckingPage
from app.views.compare_page import ComparePage, Shown, Verdict
from app.views.gauge_panel import GaugePanel
from inference.advice import Advice, Change
from inference.bench import prompts
from inference.statistics import ReplyStatistics
from inference.tasks import Task
from tests.app.panel_events import REPLY, play, settle
from tests.visual.test_panel import colours, picture, shown, theme

assert theme  # the fixture

MODEL, HELD = "SmolLM2 135M Instruct", "fused, int4 g32, AVX-512 VNNI"
PLAIN = ReplyStatistics(mode="off", reply_tokens=128, decode_s=1.6, rounds=128, time_to_first_token_s=0.12)
DRAFTED = replace(
    PLAIN, mode="on", drafter="code", decode_s=1.0, rounds=60, draft_s=0.12, proposed=180, verified=140, accepted=98
)
LEFT = (
    "def merge(left, right):\n    result = []\n    i = j = 0\n    while i < len(left) and j < len(right):\n"
    "        if left[i] <= right[j]:\n            result.append(left[i])\n            i += 1\n        else:\n"
    "            result.append(right[j])\n            j += 1\n    return result + left[i:] + right[j:]\n"
)


def compare(same: bool) -> QWidget:
    page = ComparePage()
    page.show_question("Write a Python function that merges two sorted lists into one sorted list.", 2)
    page.show_base(0.0, 4)
    page.begin(["Without speculation", "With speculation"])
    right = LEFT if same else LEFT.replace("    return", "    # what is left\n    return")
    page.extend(0, LEFT)
    page.extend(1, right)
    page.show_figures(0, Shown(PLAIN, 1.72, True))
    page.show_figures(1, Shown(DRAFTED, 1.12, True))
    expected = Expected(1.64, 0.7, 3.0, 2.43, 1.48)
    page.show_verdict(Verdict(1.6, expected, True, parting(LEFT, right)), cancelled=False, trouble="")
    return page


def check(done: int, whole: bool) -> QWidget:
    page = CheckingPage()
    asked = prompts.in_languages(prompts.shipped("prompts.jsonl"), ["en"])
    report = CheckReport.begin(MODEL, HELD, 128, asked)
    for index in range(done):
        report = report.with_reply(index, drafted=False, reply=Reply(LEFT, PLAIN))
        text = LEFT if whole or index != 4 else LEFT.replace("append", "insert")
        report = report.with_reply(index, drafted=True, reply=Reply(text, DRAFTED))
    page.begin(report)
    if done < len(asked):
        page.show_state(running=True, obstacle="")
        page.show_progress(report, done / len(asked), 48.0)
    else:
        page.finish(replace(report, finished=True))
        page.show_state(running=False, obstacle="")
    return page


def arm(task: Task, name: str, tok_s: float, x: float | None = None, heat: float = 0.0) -> ArmResult:
    return ArmResult(task, name, x, heat, 10, tok_s, tok_s / 80, 0.72, 0.11, 2.9, 0.14, 610.0)


RESULT = BenchmarkResult(
    "2026-11-20T10:00:00+01:00",
    MODEL,
    HELD,
    "short",
    "none",
    128,
    20,
    71.0,
    True,
    (
        arm("code", "plain", 80.0),
        arm("code", "speculation", 128.0),
        arm("prose", "plain", 81.0),
        arm("prose", "speculation", 104.0),
    ),
)
SPEEDS: dict[Task, tuple[int, ...]] = {
    "code": (96, 114, 126, 131, 130, 124, 118, 109),
    "prose": (92, 101, 104, 99, 93, 87, 80, 73),
}
SWEPT = replace(
    RESULT,
    began="2026-11-29T21:10:00+01:00",
    sweep="length",
    arms=tuple(
        one
        for task, speeds in SPEEDS.items()
        for one in (
            arm(task, "plain", 80.0),
            *(arm(task, f"K = {k}", float(speed), k) for k, speed in enumerate(speeds, 1)),
        )
    ),
)
HISTORY = [
    replace(
        RESULT,
        began=f"2026-11-{20 + day}T10:00:00+01:00",
        arms=tuple(replace(one, tok_s=one.tok_s * (1 + 0.02 * (day % 3))) for one in RESULT.arms),
    )
    for day in range(7)
]


def benchmark(kind: str) -> QWidget:
    page = BenchmarksPage()
    if kind == "empty":
        return page
    page.show_history([*HISTORY, SWEPT] if kind != "bars" else HISTORY)
    if kind == "history":
        page.past.setCurrentIndex(1)
        page.past.activated.emit(1)
        page.view.buttons["history"].click()
    if kind == "running":
        page.begin()
        page.show_result(replace(SWEPT, finished=False))
        page.show_state(running=True, obstacle="")
        page.show_progress(41, 189, 312.0)
    return page


ADVICE = [
    Advice("draft_slow", {"share": 0.41, "each_s": 0.0042}, Change("drafter", "automatic")),
    Advice(
        "hot",
        {"temperature": 1.0, "acceptance": 0.38, "cooler": 0.3, "cooler_acceptance": 0.75},
        Change("temperature", 0.5),
    ),
    Advice(
        "memory_bound",
        {"nbytes": 4.1e9, "reading": 31e9, "bandwidth": 45e9, "slope": 0.04},
        Change("precision", "int4"),
    ),
]


def advice() -> QWidget:
    host = QWidget()
    card = AdviceCard(host)
    card.show_advice(ADVICE)
    host.setFixedSize(card.width() + 32, card.sizeHint().height() + 32)
    return host


def gauges(bar: bool) -> QWidget:
    panel = GaugePanel()
    panel.as_bar(bar)
    panel.resize(860 if bar else 248, 52 if bar else 800)
    play(panel)
    panel.finish_reply(REPLY)
    settle(panel)
    for chip in panel.advice_chips:
        chip.show_count(2)
    return panel


PAGES: dict[str, Callable[[], QWidget]] = {
    "advice": advice,
    "advice-chip": lambda: gauges(bar=False),
    "advice-bar": lambda: gauges(bar=True),
    "compare-same": lambda: compare(True),
    "compare-apart": lambda: compare(False),
    "compare-empty": ComparePage,
    "check-running": lambda: check(9, whole=True),
    "check-passed": lambda: check(20, whole=True),
    "check-different": lambda: check(20, whole=False),
    "bench-empty": lambda: benchmark("empty"),
    "bench-bars": lambda: benchmark("bars"),
    "bench-curves": lambda: benchmark("curves"),
    "bench-history": lambda: benchmark("history"),
    "bench-running": lambda: benchmark("running"),
}


@pytest.mark.parametrize("name", PAGES)
def test_page(qtbot: QtBot, theme: Theme, name: str) -> None:
    page = PAGES[name]()
    window = shown(qtbot, page, page.width(), page.height())
    if isinstance(page, GaugePanel):
        page.set_theme(theme)
    for card in page.findChildren(AdviceCard):
        card.open_at(QPoint(page.width() - 16, page.height() - 16))
    QApplication.processEvents()
    seen = colours(picture(window, f"speed-{name}-{theme.name}", 2))
    assert seen.get("#ff00ff", 0) == 0, "every pixel is painted"
    assert max(seen, key=lambda colour: seen[colour]) in (theme.ground, theme.raised)


def test_values_are_read_by_hovering_and_by_keys(qtbot: QtBot, theme: Theme) -> None:
    page = benchmark("curves")
    assert isinstance(page, BenchmarksPage)
    window = shown(qtbot, page, page.width(), page.height())
    chart = page.chart
    place = chart.place(0, 3)
    none = Qt.MouseButton.NoButton
    move = QMouseEvent(
        QEvent.Type.MouseMove, place, chart.mapToGlobal(place), none, none, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(chart, move)
    assert chart.words == "Code, K = 4: 131 tok/s"
    QApplication.processEvents()
    picture(window, f"speed-bench-hover-{theme.name}", 2)
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.words == "Code, K = 5: 130 tok/s" == chart.accessibleDescription()
    qtbot.keyClick(chart, Qt.Key.Key_Down)
    assert chart.words == "Prose, K = 5: 93.0 tok/s"

"""The panel from before the first reply to the averages after it, and why it is grey."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.course import Moment
from app.theme import DARK, LIGHT
from app.views import figures, reason
from app.views.gauge_panel import PAUSED_AFTER_S, WIDEST, GaugePanel
from inference.events import PauseReason, PromptProgress, TaskChanged
from tests.app.panel_events import OFF, REPLY, Reply, play, reply, round_event, settle, show
from tests.patience import WAIT_MS

ROWS = ("length", "per_round", "share", "first", "expected", "measured")


@pytest.fixture
def panel(qtbot: QtBot) -> GaugePanel:
    made = GaugePanel()
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    made.show()
    return made


def plain(text: str) -> str:
    return text.replace(figures.THIN, " ")


def test_before_the_first_reply_it_says_what_it_will_show(panel: GaugePanel) -> None:
    assert "tokens per second appear here" in panel.speed.accessibleDescription()
    assert panel.acceptance.accessibleDescription()
    assert panel.speed.value is None
    assert all(panel.figure(name) == figures.UNKNOWN for name in ROWS)
    assert panel.reason == ""


def test_a_reply_from_prompt_to_average(panel: GaugePanel) -> None:
    panel.show_draft("Coder-0.5B")
    panel.begin_reply()
    panel.show_prompt(PromptProgress(done=320, total=1024, reused=200))
    assert panel.reason == "Reading the chat"
    panel.show_round(round_event(48.2, 0.84))
    assert panel.speed.value == 48.2
    assert panel.acceptance.value == 0.84
    assert panel.reason == ""
    assert {name: plain(panel.figure(name)) for name in ("draft", *ROWS)} == {
        "draft": "Coder-0.5B",
        "length": "3",
        "per_round": "3.9",
        "share": "9 %",
        "first": "180 ms",
        "expected": "1.6x",
        "measured": "1.4x",
    }
    panel.finish_reply(REPLY)
    assert panel.speed.value == pytest.approx(REPLY.tokens_per_second)
    assert panel.acceptance.value == pytest.approx(REPLY.acceptance_rate)
    assert panel.figure("length") == "3.0"
    assert not panel.speed.idle


def test_a_new_reply_forgets_the_one_before(panel: GaugePanel) -> None:
    play(panel, 10)
    panel.show_round(round_event(390.0))
    panel.finish_reply(REPLY)
    panel.begin_reply()
    assert panel.speed.value is None
    assert panel.speed_line.points == []
    assert all(panel.figure(name) == figures.UNKNOWN for name in ROWS)
    panel.show_round(round_event(20.0))
    assert panel.speed.scale == 50.0


def test_the_scale_grows_in_steps_while_a_reply_runs(panel: GaugePanel) -> None:
    panel.begin_reply()
    scales = []
    for speed in (20.0, 60.0, 30.0, 130.0, 20.0):
        panel.show_round(round_event(speed))
        scales.append(panel.speed.scale)
    assert scales == [50.0, 100.0, 100.0, 200.0, 200.0]


@pytest.mark.parametrize("why", ["losing", "high_temperature", "no_match"])
def test_a_lasting_pause_is_grey_and_says_why(panel: GaugePanel, why: PauseReason) -> None:
    running = play(panel, 10)
    began = running.so_far.decode_s
    while not panel.speed.idle:
        panel.show_round(running.round(paused=why))
    assert running.so_far.decode_s - began == pytest.approx(PAUSED_AFTER_S, abs=0.1), "one empty round is no pause"
    assert panel.acceptance.idle
    assert panel.reason == reason.of_pause(why).title != ""
    assert panel.figure("length") == "0"
    panel.show_round(running.round())
    assert not panel.speed.idle
    assert panel.reason == ""


def test_a_probe_does_not_end_a_pause(panel: GaugePanel) -> None:
    running = play(panel, 10)
    for i in range(40):
        panel.show_round(running.round(paused="losing", probe=i % 15 == 14))
        if i > 12:
            assert panel.speed.idle and panel.reason


def test_alternating_rounds_do_not_flicker(panel: GaugePanel) -> None:
    running = play(panel, 10)
    shown = set()
    for i in range(60):
        panel.show_round(running.round(paused="no_match" if i % 3 else None))
        shown.add((panel.speed.idle, panel.reason))
    assert shown == {(False, "")}


def test_rounds_that_were_not_shown_count_too(panel: GaugePanel) -> None:
    """The window takes the latest round of a frame: the ones between may have drafted."""
    running = play(panel, 10)
    for _ in range(20):
        running.round()
        panel.show_round(running.round(paused="no_match"))
    assert not panel.speed.idle


def test_off_is_grey_with_the_reason(panel: GaugePanel) -> None:
    panel.begin_reply()
    panel.show_round(round_event(acceptance=None, statistics=OFF))
    assert panel.speed.idle and panel.speed.value == 50.0
    assert panel.acceptance.value is None
    assert panel.reason == "Speculation is off."
    assert {panel.figure(name) for name in ("length", "share", "expected", "measured")} == {figures.UNKNOWN}
    panel.finish_reply(OFF)
    assert panel.speed.idle
    assert panel.reason == "Speculation was off in this reply."  # it may be turned on by now


def test_idle_is_said_and_taken_back(panel: GaugePanel) -> None:
    panel.show_idle("No model is loaded yet.")
    assert panel.speed.idle and panel.acceptance.idle
    assert panel.reason == "No model is loaded yet."
    panel.show_idle("")
    assert not panel.speed.idle
    assert panel.reason == ""
    panel.show_idle("Speculation is off.")
    panel.begin_reply()
    assert panel.reason == ""


def test_the_finding_of_a_reply_outlives_being_idle(panel: GaugePanel) -> None:
    panel.begin_reply()
    panel.finish_reply(OFF)
    panel.show_idle("")
    assert panel.speed.idle and panel.reason == "Speculation was off in this reply."
    panel.finish_reply(reply(accepted=50))
    panel.show_idle("No model is loaded yet.")
    assert panel.speed.idle and panel.reason == "No model is loaded yet."
    panel.show_idle("")
    assert not panel.speed.idle and "Few drafted tokens" in panel.reason


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"draft_s": 2.2}, "half the time"),
        ({"accepted": 50}, "Few drafted tokens"),
        ({"measured_gain": 0.8}, "lost time"),
        ({}, ""),
        ({"verified": 5, "accepted": 0}, ""),
    ],
)
def test_the_finding_of_a_reply(panel: GaugePanel, changes: dict[str, float], words: str) -> None:
    panel.begin_reply()
    panel.finish_reply(reply(**changes))
    assert words in panel.reason
    assert bool(panel.reason) == bool(words)


def test_a_reply_that_ended_before_it_began(panel: GaugePanel) -> None:
    panel.begin_reply()
    panel.finish_reply(reply(rounds=0, reply_tokens=1, decode_s=0.0, verified=0, accepted=0, proposed=0))
    assert panel.speed.value is None
    assert panel.acceptance.value is None


def test_as_a_bar_it_is_low_and_shows_the_same(panel: GaugePanel) -> None:
    panel.begin_reply()
    panel.show_round(round_event(48.2, 0.84))
    panel.as_bar(True)
    assert panel.is_bar
    assert panel.maximumHeight() < 80 and panel.maximumWidth() > 2000
    texts = [plain(label.text()) for label in panel._bar.values.values()]
    assert texts == ["48.2", "84 %", "3", "3.9"]
    panel.show_round(round_event(51.0, 0.8))
    assert panel._bar.values["speed"].text() == "51.0"
    panel.as_bar(False)
    assert not panel.is_bar
    assert panel.maximumWidth() == WIDEST


def test_the_gauges_do_not_move_when_a_line_is_said(panel: GaugePanel) -> None:
    before = [panel.speed.geometry(), panel.acceptance.geometry()]
    panel.show_idle("No model is loaded yet.")
    QApplication.processEvents()
    assert [panel.speed.geometry(), panel.acceptance.geometry()] == before


def test_advice_stands_under_the_figures_whatever_the_card_says(panel: GaugePanel) -> None:
    chip = panel.advice_chips[0]
    chip.show_count(1)
    places = []
    for line in ("No model is loaded yet.", ""):
        panel.show_idle(line)
        QApplication.processEvents()
        places.append(chip.geometry())
    assert places[0] == places[1]
    last = panel.task_chips[0]
    assert chip.mapTo(panel, chip.rect().topLeft()).y() - last.mapTo(panel, last.rect().bottomLeft()).y() < 20


def test_nothing_runs_once_a_reply_has_ended(panel: GaugePanel, qtbot: QtBot) -> None:
    play(panel)
    panel.finish_reply(REPLY)
    qtbot.waitUntil(lambda: not (panel.speed.easing or panel.acceptance.easing), timeout=WAIT_MS)
    assert not any(timer.isActive() for timer in panel.findChildren(QTimer))


def test_a_theme_reaches_every_part(panel: GaugePanel) -> None:
    play(panel, 20)
    settle(panel)
    pictures = []
    for theme in (LIGHT, DARK):
        panel.set_theme(theme)
        pictures.append(panel.grab().toImage())
    assert pictures[0] != pictures[1]
    assert panel.speed.colour == DARK.accent and panel.acceptance.colour == DARK.good


def test_the_chip_says_the_task(panel: GaugePanel) -> None:
    assert panel.figure("task") == "automatic"
    panel.begin_reply()
    panel.show_round(round_event())
    assert panel.figure("task") == "prose"
    panel.mark_task(TaskChanged("code", 1, "n-gram", 0.0))
    assert panel.figure("task") == "code" and panel.task_chips[1].text() == "code"
    panel.pin_task("prose")
    assert panel.figure("task") == "prose, pinned"
    panel.set_task("code")
    assert panel.figure("task") == "prose, pinned"
    panel.pin_task("automatic")
    panel.begin_reply()
    assert panel.figure("task") == "automatic"


def test_a_choice_said_again_leaves_the_task_of_a_reply(panel: GaugePanel) -> None:
    """All choices are said again whenever any setting changes, in the middle of a reply too."""
    panel.begin_reply()
    panel.set_task("code")
    panel.pin_task("automatic")
    assert [chip.text() for chip in panel.task_chips] == ["code", "code"]


def test_lines_drawn_seldom_show_every_moment(panel: GaugePanel) -> None:
    """On a slow machine figures come some times a second; a short reply's line would be a dot."""
    course = [Moment(i, 40.0 + i, 0.5 if i % 2 else None) for i in range(1, 21)]
    panel.begin_reply()
    for shown in (1, 12, 12, 20):
        panel.show_course(course[:shown])
    assert panel.speed_line.points == [moment.tokens_per_second for moment in course]
    assert panel.acceptance_line.points == [0.5] * 10


def test_a_switch_is_marked_in_both_lines(panel: GaugePanel) -> None:
    reply = Reply()
    panel.begin_reply()
    for task in ("code", "prose"):
        for _ in range(5):
            show(panel, reply.round())
        panel.mark_task(TaskChanged(task, reply.so_far.rounds, "n-gram", 0.0))  # type: ignore[arg-type]
    show(panel, reply.round())
    for line in (panel.speed_line, panel.acceptance_line):
        assert line.marks == [(5, True), (10, False)]
        assert "code, prose" in line.toolTip()
        (band,) = line.bands()
        first, last = line.line().elementAt(0), line.line().currentPosition()
        assert band.left() == pytest.approx((first.x + last.x()) / 2) and band.right() == pytest.approx(last.x())
    panel.begin_reply()
    assert panel.speed_line.marks == [] and panel.speed_line.toolTip() == ""


def test_marks_keep_their_places_when_a_line_is_squeezed(panel: GaugePanel) -> None:
    line = panel.speed_line
    for i in range(1000):
        if i == 400:
            line.mark(shaded=True)
        line.add(1.0 if i < 400 else 2.0)
    (mark, _) = line.marks[0]
    first = next(i for i, value in enumerate(line.points) if value > 1.0)
    assert len(line.points) <= 200 and abs(first - mark) <= 1


def test_a_chips_menu_pins_and_opens_the_table(panel: GaugePanel, qtbot: QtBot) -> None:
    chip = panel.task_chips[0]
    with qtbot.waitSignal(panel.task_chosen) as pinned:
        chip.choices["code"].trigger()
    assert pinned.args == ["code"]
    with qtbot.waitSignal(panel.routes_requested):
        chip.table.trigger()


def test_where_foreword_chooses_the_row_says_what_drafts_now(panel: GaugePanel) -> None:
    panel.show_draft("automatic", follows=True)
    assert panel.figure("draft") == "automatic"
    panel.begin_reply()
    panel.show_round(round_event(statistics=reply(drafter="Coder-0.5B")))
    assert panel.figure("draft") == "Coder-0.5B"


def test_what_drafted_the_last_reply_stands_until_the_next(panel: GaugePanel) -> None:
    panel.show_draft("n-gram", follows=True)
    panel.begin_reply()
    panel.finish_reply(reply(drafter="SmolLM2/prose"))
    panel.show_draft("n-gram", follows=True)  # as after every reply
    assert panel.figure("draft") == "prose head"
    assert panel._rows.values["draft"].toolTip() == "SmolLM2/prose"
    panel.show_draft("n-gram")
    assert panel.figure("draft") == "n-gram"

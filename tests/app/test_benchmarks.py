"""Benchmarks: what is asked, what is kept, and what the page shows of it."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.benchmarks_curves import comparable, of_history, of_result
from app.benchmarks_plan import TEMPERATURES, BenchmarkWish, Series, arm_words, arms, lengthened, plan
from app.benchmarks_store import ArmResult, BenchmarkResult, BenchmarkStore, to_csv
from app.views.figures import tick, ticks
from inference.bench.prompts import Prompt
from inference.events import Failed
from inference.profiles import PLAIN, Candidate
from inference.settings import GenerationSettings, SpeculationSettings
from inference.tasks import Task
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.app.scripted_engine import Gate, ScriptedEngine, Step, rounds


def arm(task: Task, name: str, tok_s: float, x: float | None = None, ratio: float | None = None) -> ArmResult:
    return ArmResult(task, name, x, 0.0, 10, tok_s, ratio, 0.75, 0.1, 3.1, 0.2, 400.0)


RESULT = BenchmarkResult(
    "2026-11-20T10:00:00+01:00",
    "SmolLM2",
    "fused, int4",
    "short",
    "none",
    128,
    10,
    60.0,
    True,
    (arm("code", "plain", 80.0), arm("code", "speculation", 120.0, ratio=1.5), arm("prose", "plain", 82.0)),
)
SWEPT = replace(
    RESULT,
    sweep="length",
    arms=(arm("code", "plain", 80.0), *(arm("code", f"K = {k}", 80.0 + k, k) for k in range(1, 9))),
)


def made(wish: BenchmarkWish) -> Series:
    return plan(wish, GenerationSettings(), ScriptedEngine())


def test_arms_take_turns_after_a_warm_up() -> None:
    series = made(BenchmarkWish("short", runs=20))
    assert len(series.trials) == 2 + 40 and series.tokens == 128
    assert series.place(1) is None
    places = [series.place(index) for index in (2, 3, 4)]
    assert [(place[0], place[1].name) for place in places if place] == [(0, "plain"), (0, "speculation"), (1, "plain")]
    assert [case.task for case in series.cases[:4]] == ["code", "prose", "code", "prose"]
    assert len({case.messages for case in series.cases}) == 20
    seeds = [trial.settings.sampling.seed for trial in series.trials[2:6]]
    assert seeds == [1, 1, 2, 2], "both ways of a case have one seed"


def test_the_long_protocol_has_a_thousand_tokens_to_read() -> None:
    series = made(BenchmarkWish("long", runs=2))
    lengths = [len(case.messages[0].content.split()) for case in series.cases]
    assert series.tokens == 200 and all(950 <= length <= 1010 for length in lengths)
    text = lengthened(Prompt("code", "Say:", text="a b c "), 50, lambda texts: [len(text.split()) for text in texts])
    assert 45 <= len(text.split()) <= 50, "a short text starts again"


def test_sweeps_change_one_thing() -> None:
    speculation = SpeculationSettings()
    lengths = arms("length", speculation, [])
    assert [one.speculation.draft_length for one in lengths[1:]] == list(range(1, 9))
    assert all(not one.speculation.dynamic and one.speculation.mode == "on" for one in lengths[1:])
    assert [one.temperature for one in arms("temperature", speculation, [])[1:]] == list(TEMPERATURES)
    candidates = [Candidate("ngram"), Candidate("head", "T/code"), Candidate("head", "T/prose"), PLAIN]
    drafts = [(one.speculation.drafter, one.speculation.draft) for one in arms("drafts", speculation, candidates)[1:]]
    assert drafts == [("ngram", ""), ("head", "T/code"), ("head", "T/prose"), ("automatic", "")]
    assert [arm_words(one.name) for one in arms("drafts", speculation, candidates)][:3] == [
        "Without",
        "N-gram",
        "Code head",
    ]


def test_results_are_kept_and_what_is_damaged_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "benchmarks.jsonl"
    store = BenchmarkStore(path)
    assert store.all() == []
    store.add(RESULT)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"began": 1}\nnot json\n')
    store.add(SWEPT)
    assert store.all() == [RESULT, SWEPT]
    assert "not json" in path.read_text(encoding="utf-8")
    assert [child.name for child in path.parent.iterdir()] == ["benchmarks.jsonl"]


def test_csv_has_a_line_for_each_way() -> None:
    lines = list(csv.DictReader(to_csv([RESULT, SWEPT]).splitlines()))
    assert len(lines) == 3 + 9
    assert lines[1]["arm"] == "speculation" and float(lines[1]["ratio"]) == 1.5 and lines[0]["ratio"] == ""


def test_results_become_bars_and_sweeps_curves() -> None:
    bars = of_result(RESULT, "tok_s")
    assert bars.bars and [curve.name for curve in bars.curves] == ["Code", "Prose"]
    assert bars.curves[0].points[1].words == "Code, with speculation: 120 tok/s"
    curves = of_result(SWEPT, "tok_s")
    assert not curves.bars and [point.x for point in curves.curves[0].points] == list(range(1, 9))
    assert curves.curves[1].name == "Code, without speculation" and {point.y for point in curves.curves[1].points} == {
        80.0
    }
    later = replace(RESULT, began="2026-11-21T10:00:00+01:00")
    other = replace(RESULT, model="Qwen")
    same = comparable([RESULT, SWEPT, other, later, replace(later, finished=False)], RESULT)
    assert same == [RESULT, later]
    history = of_history(same, "tok_s")
    assert [len(curve.points) for curve in history.curves] == [2, 2, 2]
    assert history.labels == {0.0: "11-20", 1.0: "11-21"}


def opened(make_program: MakeProgram, *replies: list[Step], runs: int = 2) -> Program:
    program = make_program(engine=ScriptedEngine(*replies)).start()
    program.window.benchmark_requested.emit()
    page = program.application.speed.benchmarks.page
    page.runs.setCurrentIndex(page.runs.findData(runs))
    return program


def run(program: Program, qtbot: QtBot) -> None:
    with qtbot.waitSignal(program.application.speed.trials.ended, timeout=WAIT_MS):
        program.application.speed.benchmarks.page.start_button.click()


WORDS = ["one ", "two ", "three ", "four ", "five", "."]


def test_a_benchmark_is_run_shown_kept_and_exported(make_program: MakeProgram, qtbot: QtBot, tmp_path: Path) -> None:
    program = opened(make_program, rounds(WORDS))
    benchmarks = program.application.speed.benchmarks
    page = benchmarks.page
    assert not page.figures and not page.export_button.isEnabled()
    run(program, qtbot)
    assert len(program.engine.asked) == 2 + 2 * 2
    table = page.figures
    assert [line[0] for line in table] == [
        "Way",
        *(f"{task}, {way} speculation" for task in ("Code", "Prose") for way in ("without", "with")),
    ]
    assert table[2][2] == "1.00" and table[2][-1] == "1"
    assert len(page.chart.curves) == 2 and page.chart.bars and page.past.count() == 1
    page.view.buttons["history"].click()
    assert not page.chart.bars and len(page.chart.curves) == 4
    benchmarks.save(tmp_path / "all.csv")
    qtbot.waitUntil(lambda: page.note.text() == "Saved as all.csv.", timeout=WAIT_MS)
    assert len((tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()) == 5
    assert not program.messages


def test_a_stopped_benchmark_keeps_what_was_measured(make_program: MakeProgram, qtbot: QtBot) -> None:
    reply = rounds(WORDS)
    program = opened(make_program, reply, reply, reply, [Gate()])
    benchmarks = program.application.speed.benchmarks
    benchmarks.page.start_button.click()
    qtbot.waitUntil(lambda: benchmarks.page.left.text().startswith("reply 3 of 6"), timeout=WAIT_MS)
    assert program.application.chatting.obstacle() == "A benchmark is running."
    with qtbot.waitSignal(program.application.speed.trials.ended, timeout=WAIT_MS):
        benchmarks.page.stop_button.click()
    assert benchmarks.result is not None and not benchmarks.result.finished and len(benchmarks.result.arms) == 1
    assert benchmarks.page.note.text() == "Stopped; what was measured is kept."
    assert not program.application.chatting.obstacle()


def test_what_goes_wrong_is_said(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = opened(make_program, [Failed("No draft model is loaded.", "Choose a draft model.")])
    run(program, qtbot)
    benchmarks = program.application.speed.benchmarks
    assert (
        benchmarks.page.note.text() == "No draft model is loaded. Choose a draft model." and benchmarks.result is None
    )


def test_none_begins_while_a_reply_is_written(make_program: MakeProgram, qtbot: QtBot) -> None:
    gate = Gate()
    program = make_program(engine=ScriptedEngine([gate, *rounds(WORDS)])).start()
    program.begin("Why?")
    program.window.benchmark_requested.emit()
    page = program.application.speed.benchmarks.page
    assert not page.start_button.isEnabled() and page.note.text().startswith("A reply is being written.")
    program.application.speed.benchmarks.start(BenchmarkWish(runs=2))
    assert not program.application.speed.trials.running
    with qtbot.waitSignal(program.application.replies.ended, timeout=WAIT_MS):
        gate.set()
    assert page.start_button.isEnabled()


@pytest.mark.parametrize(
    ("value", "labels"),
    [
        (0.0, "0 0.2 0.4 0.6 0.8 1"),
        (0.9, "0 0.2 0.4 0.6 0.8 1"),
        (1.0, "0 0.2 0.4 0.6 0.8 1"),
        (11.0, "0 2.5 5 7.5 10 12.5"),
        (23.0, "0 5 10 15 20 25"),
        (248.0, "0 50 100 150 200 250"),
        (250.0, "0 50 100 150 200 250"),
        (251.0, "0 100 200 300"),
        (5200.0, "0 2,000 4,000 6,000"),
        (0.0042, "0 0.001 0.002 0.003 0.004 0.005"),
    ],
)
def test_axes_go_in_round_steps(value: float, labels: str) -> None:
    assert " ".join(tick(one) for one in ticks(value)) == labels


@pytest.mark.parametrize("most", [4, 5])
def test_no_value_has_an_odd_axis(most: int) -> None:
    for exponent in range(-300, 600):
        value = 10 ** (exponent / 100)
        axis = ticks(value, most)
        assert tick(axis[1]).replace(",", "").replace(".", "").strip("0") in ("1", "2", "25", "5")
        assert axis[-1] >= value * (1 - 1e-9) and len(axis) - 1 <= most and axis[-2] < value
        assert [float(tick(one).replace(",", "")) for one in axis] == axis

"""Results as curves and bars for the chart: of one benchmark, or of one protocol over time. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.benchmarks_plan import PLAIN, arm_words
from app.benchmarks_store import ArmResult, BenchmarkResult
from app.language import tr
from app.views import figures
from app.views.benchmarks_chart import Curve, Point
from inference.tasks import TASKS, Task

Measure = Literal["tok_s", "ratio", "acceptance_rate", "draft_share"]


@dataclass(frozen=True)
class Chart:
    curves: tuple[Curve, ...]
    labels: dict[float, str]
    unit: str
    bars: bool = False


def measure_words(measure: Measure) -> str:
    names = {
        "tok_s": tr("Tokens a second"),
        "ratio": tr("Times as fast"),
        "acceptance_rate": tr("Accepted"),
        "draft_share": tr("Draft share"),
    }
    return names[measure]


def value_words(measure: Measure, value: float | None) -> str:
    if value is None:
        return figures.UNKNOWN
    write: dict[Measure, Callable[[float], str]] = {
        "tok_s": lambda number: tr("{speed} tok/s").format(speed=figures.speed(number)),
        "ratio": lambda number: tr("{ratio} times as fast").format(ratio=f"{number:.2f}"),
        "acceptance_rate": lambda number: tr("{rate} accepted").format(rate=figures.percent(number)),
        "draft_share": lambda number: tr("draft share {share}").format(share=figures.percent(number)),
    }
    return write[measure](value)


def task_words(task: str) -> str:
    return tr("Code") if task == "code" else tr("Prose")


def way_words(task: str, arm: str) -> str:
    """A way of replying at a task, as it is shown."""
    if arm == PLAIN:
        return tr("{task}, without speculation").format(task=task_words(task))
    if arm == "speculation":
        return tr("{task}, with speculation").format(task=task_words(task))
    return f"{task_words(task)}, {arm_words(arm)}"


def of_result(result: BenchmarkResult, measure: Measure) -> Chart:
    """A curve for each task over the axis of the sweep; bars where that has no numbers."""
    tasks = tuple(dict.fromkeys(arm.task for arm in result.arms))
    swept = any(arm.x is not None for arm in result.arms)
    arms = tuple(dict.fromkeys(arm.arm for arm in result.arms))
    curves, labels = [], {}
    for task in tasks:
        points = []
        for arm in (one for one in result.arms if one.task == task):
            x = arm.x if swept else float(arms.index(arm.arm))
            value = getattr(arm, measure)
            if x is None or value is None:
                continue
            labels[x] = arm_words(arm.arm)
            points.append(Point(x, value, f"{way_words(task, arm.arm)}: {value_words(measure, value)}"))
        curves.append(Curve(task_words(task), tuple(points), TASKS.index(task)))
    if swept:
        curves += [_plain(result, task, measure) for task in tasks if measure == "tok_s"]
    return Chart(tuple(curves), labels, _unit(measure), bars=not swept)


def of_history(results: Sequence[BenchmarkResult], measure: Measure) -> Chart:
    """Over time: without and with speculation, for each task. results: of one model and protocol, oldest first."""
    names: dict[tuple[Task, str], list[Point]] = {}
    labels = {}
    for x, result in enumerate(results):
        began = datetime.fromisoformat(result.began)
        labels[float(x)] = f"{began:%m-%d}"
        for arm in result.arms:
            value = getattr(arm, measure)
            if value is None or (arm.arm == PLAIN and measure != "tok_s"):
                continue
            words = (
                f"{began:%Y-%m-%d %H:%M}, {task_words(arm.task)}, {arm_words(arm.arm)}: {value_words(measure, value)}"
            )
            names.setdefault((arm.task, arm.arm), []).append(Point(float(x), value, words))
    curves = [
        Curve(way_words(task, arm), tuple(points), TASKS.index(task), dashed=arm == PLAIN)
        for (task, arm), points in names.items()
    ]
    return Chart(tuple(curves), labels, _unit(measure))


def comparable(results: Sequence[BenchmarkResult], like: BenchmarkResult) -> list[BenchmarkResult]:
    """Finished ones of the same model and protocol, without a sweep."""
    return [
        one
        for one in results
        if (one.model, one.protocol, one.sweep) == (like.model, like.protocol, "none") and one.finished
    ]


def _plain(result: BenchmarkResult, task: str, measure: Measure) -> Curve:
    """Without speculation: a level line, to compare with."""
    arm = next((one for one in result.arms if (one.task, one.arm) == (task, PLAIN)), None)
    places = [one.x for one in result.arms if one.task == task and one.x is not None]
    name = way_words(task, PLAIN)
    if arm is None or not places:
        return Curve(name, ())
    points = tuple(_level(arm, x, measure, name) for x in (min(places), max(places)))
    return Curve(name, points, TASKS.index(arm.task), dashed=True)


def _level(arm: ArmResult, x: float, measure: Measure, name: str) -> Point:
    value = float(getattr(arm, measure))
    return Point(x, value, f"{name}: {value_words(measure, value)}")


def _unit(measure: Measure) -> str:
    return {"tok_s": tr("tok/s"), "ratio": "×"}.get(measure, "%")

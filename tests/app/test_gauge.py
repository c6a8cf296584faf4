"""A gauge walks to its latest value and then rests; its line stays small however long a reply gets."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.theme import DARK, LIGHT, Theme
from app.views import easing, figures
from app.views.gauge import START, SWEEP, Gauge
from app.views.sparkline import MOST, Sparkline
from tests.patience import WAIT_MS


@pytest.fixture
def gauge(qtbot: QtBot) -> Gauge:
    made = Gauge("tokens per second", "tok/s", "speed appears here", write=figures.speed, colour="accent")
    qtbot.addWidget(made)
    made.resize(200, 160)
    made.show()
    return made


def on_arc(gauge: Gauge, fraction: float) -> QColor:
    """The colour painted in the middle of the arc, `fraction` along it."""
    circle = gauge.arc_rect()
    angle = math.radians(START - SWEEP * fraction)
    x = circle.center().x() + circle.width() / 2 * math.cos(angle)
    y = circle.center().y() - circle.height() / 2 * math.sin(angle)
    pixmap = gauge.grab()
    ratio = pixmap.devicePixelRatio()
    return pixmap.toImage().pixelColor(int(x * ratio), int(y * ratio))


def test_before_a_value_it_says_what_it_will_show(gauge: Gauge) -> None:
    assert gauge.value is None
    assert gauge.accessibleDescription() == "speed appears here"
    assert on_arc(gauge, 0.3).name() == LIGHT.track


def test_it_walks_and_then_rests(gauge: Gauge) -> None:
    seen: list[float] = []
    gauge.fraction._moved = lambda: seen.append(gauge.fraction.value)
    gauge.show_value(40.0, 50.0)
    assert gauge.value == 40.0
    assert gauge.easing
    assert gauge.fraction.value < 0.8
    for moment in range(0, easing.DURATION_MS + 1, easing.DURATION_MS // 5):
        for part in (gauge.fraction, gauge.number):
            part._animation.setCurrentTime(moment)
    assert not gauge.easing
    assert gauge.fraction.value == pytest.approx(0.8)
    assert gauge.number.value == pytest.approx(40.0)
    assert seen == sorted(seen), "it never goes back on the way"
    assert len(seen) > 2, "it does not jump"
    gauge.show_value(40.0, 50.0)
    assert not gauge.easing, "an unchanged value starts nothing"


def test_the_latest_value_wins(gauge: Gauge, qtbot: QtBot) -> None:
    for value in (10.0, 45.0, 25.0):
        gauge.show_value(value, 50.0)
    assert gauge.value == 25.0
    qtbot.waitUntil(lambda: not gauge.easing, timeout=WAIT_MS)
    assert gauge.fraction.value == pytest.approx(0.5)


def test_without_motion_it_is_there_at_once(gauge: Gauge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(easing, "reduced_motion", lambda: True)
    gauge.show_value(25.0, 50.0)
    assert gauge.fraction.value == 0.5
    assert not gauge.easing


@pytest.mark.parametrize("value", [-3.0, 0.0, 75.0, 1e9])
def test_values_beyond_the_scale_stay_on_the_arc(gauge: Gauge, value: float) -> None:
    gauge.show_value(value, 50.0)
    gauge.fraction.finish()
    assert 0.0 <= gauge.fraction.value <= 1.0
    assert not gauge.grab().isNull()


def test_what_stands_still_is_drawn_again_when_it_changes(gauge: Gauge) -> None:
    def still() -> int:
        gauge.grab()
        return gauge._still.cacheKey()

    gauge.show_value(25.0, 50.0)
    first = still()
    gauge.show_value(30.0, 50.0)
    gauge.number.finish()
    gauge.fraction.finish()
    assert still() == first, "another number changes nothing of it"
    keys = {first}
    for change in (
        lambda: gauge.show_value(60.0, 100.0),
        lambda: gauge.set_theme(DARK),
        lambda: gauge.resize(180, 140),
    ):
        change()
        keys.add(still())
    assert len(keys) == 4, "another scale, theme or size does"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_arc_is_as_long_as_the_value_and_grey_when_idle(gauge: Gauge, theme: Theme) -> None:
    gauge.set_theme(theme)
    gauge.show_value(25.0, 50.0)
    gauge.number.finish()
    gauge.fraction.finish()
    assert on_arc(gauge, 0.2).name() == theme.accent
    assert on_arc(gauge, 0.8).name() == theme.track
    gauge.set_idle(True)
    assert on_arc(gauge, 0.2).name() == theme.idle
    gauge.clear()
    assert gauge.value is None
    assert on_arc(gauge, 0.2).name() == theme.track


def test_the_scale_grows_in_steps_and_never_shrinks() -> None:
    assert figures.step_up(10.0, 50.0) == 50.0
    assert figures.step_up(50.0, 50.0) == 50.0
    assert figures.step_up(50.1, 50.0) == 100.0
    assert figures.step_up(390.0, 100.0) == 400.0
    assert figures.step_up(3.0, 400.0) == 400.0
    assert figures.step_up(0.0, 0.0) == 50.0


def test_figures_as_people_read_them() -> None:
    assert figures.speed(50.13) == "50.1"
    assert figures.speed(99.97) == "100"
    assert figures.speed(1234.4) == "1234"
    assert figures.percent(0.964).replace(figures.THIN, " ") == "96 %"
    assert figures.seconds(0.1804).replace(figures.THIN, " ") == "180 ms"
    assert figures.seconds(2.345).replace(figures.THIN, " ") in ("2.34 s", "2.35 s")
    assert figures.seconds(83.21).replace(figures.THIN, " ") == "83.2 s"
    assert figures.gain(None) == figures.UNKNOWN
    assert figures.gain(1.42) == "1.4x"


def test_a_line_keeps_its_course_and_its_size(qtbot: QtBot) -> None:
    line = Sparkline("accent")
    qtbot.addWidget(line)
    for i in range(50 * MOST):
        line.add(float(i))
    assert MOST // 2 <= len(line.points) <= MOST
    assert line.points == sorted(line.points)
    assert line.points[0] < 100
    assert line.points[-1] > 0.98 * 50 * MOST
    line.clear()
    assert line.points == []


def test_a_curve_goes_through_what_the_points_were(qtbot: QtBot) -> None:
    """It is grown piece by piece; squeezed to half its points, it is made of those that are left."""
    line = Sparkline("accent")
    qtbot.addWidget(line)
    line.resize(300, 32)
    values = [float(i % 7) for i in range(MOST + 1)]
    for count, value in enumerate(values, start=1):
        line.add(value)
        path = line.line()
        drawn = len(line.points)
        assert drawn == (count if count <= MOST else MOST // 2)
        assert path.elementCount() == 1 + 3 * max(0, drawn - 2) + (
            drawn > 1
        )  # a beginning, curves of three points, an end
    assert line.points == [(a + b) / 2 for a, b in zip(values[::2], values[1::2], strict=False)]


@given(values=st.lists(st.floats(-10, 1e6, allow_nan=False), max_size=60))
@settings(max_examples=40, deadline=None)
def test_a_line_stays_inside(values: list[float]) -> None:
    line = Sparkline("good")
    line.resize(200, 36)
    for value in values:
        line.add(value)
    assert not values or line.rect().toRectF().contains(line.line().boundingRect().adjusted(0, 0, 0.01, 0.01))
    assert not line.grab().isNull()

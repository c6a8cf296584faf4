"""Figures as people read them: a plain number in, a short text out."""

import math

from app.language import tr

THIN = "\u202f"  # narrow no-break space, between a number and its unit
UNKNOWN = "–"  # "not known"


def speed(tokens_per_second: float) -> str:
    """One decimal under 100, none above, so that the width hardly changes."""
    return f"{tokens_per_second:.1f}" if tokens_per_second < 99.95 else f"{tokens_per_second:.0f}"


def percent(share: float) -> str:
    return f"{share * 100:.0f}{THIN}%"


def seconds(value: float) -> str:
    if value < 1.0:
        return f"{value * 1000:.0f}{THIN}ms"
    return f"{value:.2f}{THIN}s" if value < 10.0 else f"{value:.1f}{THIN}s"


def duration(value: float) -> str:
    """Of something long, in seconds: to the second, the minute, or a tenth of an hour."""
    if value < 90:
        return tr("{count} s").format(count=max(1, round(value)))
    if value < 5400:
        return tr("{count} min").format(count=round(value / 60))
    return tr("{count} h").format(count=f"{value / 3600:.1f}".removesuffix(".0"))


def gain(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.1f}x"


def step_up(value: float, scale: float) -> float:
    """The first of 50, 100, 200, 400, ... that holds `value`, and never less than `scale`."""
    scale = max(scale, 50.0)
    while value > scale:
        scale *= 2
    return scale


def ceiling(value: float) -> float:
    """Where an axis ends: the first of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 times a power of ten not below `value`."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    steps = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
    return next(step * power for step in steps if step * power >= value * (1 - 1e-9))

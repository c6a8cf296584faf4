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


def ticks(value: float, most: int = 5) -> list[float]:
    """What stands at an axis: from 0 in equal steps, `most` at most, to the first that is not below `value`.

    A step is 1, 2, 2.5 or 5 times a power of ten.
    """
    value = value if value > 0 else 1.0
    power = 10.0 ** math.floor(math.log10(value / most))
    steps = (round(step * power, 12) for step in (1.0, 2.0, 2.5, 5.0, 10.0))
    step = next(step for step in steps if step * most >= value * (1 - 1e-9))
    return [round(step * place, 12) for place in range(math.ceil(value / step * (1 - 1e-9)) + 1)]


def tick(value: float) -> str:
    """As it stands at the axis."""
    return f"{value:,.10g}"

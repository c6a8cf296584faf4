"""Figures as people read them: a plain number in, a short text out."""

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


def gain(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.1f}x"


def step_up(value: float, scale: float) -> float:
    """The first of 50, 100, 200, 400, ... that holds `value`, and never less than `scale`."""
    scale = max(scale, 50.0)
    while value > scale:
        scale *= 2
    return scale

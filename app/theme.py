"""The one table of colours, type and spacing. Light and dark differ only here."""

from dataclasses import dataclass

GRID = 8  # pixels; every margin and gap is a multiple of half of it
RADIUS = 10
READING_WIDTH = 720  # about 72 characters of body text
TITLE, BODY, LABEL, DISPLAY = 17, 15, 13, 32  # the type scale, in pixels


@dataclass(frozen=True)
class Theme:
    """Colours as #rrggbb. Text on its ground has a contrast of 4.5:1 or better (a test computes it)."""

    name: str
    ground: str  # the conversation
    side: str  # left column
    raised: str  # cards, code, inputs
    line: str  # hairlines and borders
    text: str
    muted: str  # secondary text
    accent: str
    accent_soft: str  # selection, accepted tokens
    on_accent: str
    good: str
    good_soft: str
    warning: str
    error: str
    track: str  # the unfilled part of a gauge
    idle: str  # gauges while speculation is off or paused


LIGHT = Theme(
    name="light",
    ground="#ffffff",
    side="#f4f6f8",
    raised="#f7f8fa",
    line="#e2e5ea",
    text="#1a1c22",
    muted="#5f6573",
    accent="#225fe8",
    accent_soft="#e3ebfd",
    on_accent="#ffffff",
    good="#17794f",
    good_soft="#dff3ea",
    warning="#9a5b00",
    error="#b42318",
    track="#e2e5ea",
    idle="#9aa1ad",
)

DARK = Theme(
    name="dark",
    ground="#17181d",
    side="#111216",
    raised="#1e2027",
    line="#2c2f38",
    text="#e8e9ed",
    muted="#9ba1ae",
    accent="#6ea2ff",
    accent_soft="#22304d",
    on_accent="#0d1526",
    good="#5cc99e",
    good_soft="#1d3a30",
    warning="#e3a857",
    error="#ff8a80",
    track="#2c2f38",
    idle="#626876",
)


def theme_of(appearance: str, system_is_dark: bool) -> Theme:
    """The theme of "light", "dark" or "system"."""
    dark = system_is_dark if appearance == "system" else appearance == "dark"
    return DARK if dark else LIGHT

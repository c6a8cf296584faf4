"""Every text can be read on every ground it stands on, by the WCAG formula, in both themes."""

from dataclasses import fields

import pytest
from PySide6.QtGui import QFont, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication

from app.theme import DARK, LIGHT, Theme
from app.views.icons import RATIOS, SHAPES, application_icon, icon
from app.views.style import blend, mono_font, palette, stylesheet, ui_font

GROUNDS = ("ground", "side", "raised")
TEXT_ON = [
    *[(text, ground) for text in ("text", "muted", "accent", "good", "warning", "error") for ground in GROUNDS],
    ("text", "accent_soft"),
    ("accent", "accent_soft"),
    ("muted", "accent_soft"),
    ("text", "good_soft"),
    ("good", "good_soft"),
    ("on_accent", "accent"),
    ("muted", "track"),
]
# Marks that carry meaning without being text need 3:1 (WCAG 1.4.11); a track is only the absence of one.
MARK_ON = [(mark, ground) for mark in ("accent", "good") for ground in ("ground", "track")]


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb, WCAG 2.2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    lighter, darker = sorted((luminance(a), luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_formula_is_the_known_one() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.01)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(("text", "ground"), TEXT_ON)
def test_text_on_its_ground(theme: Theme, text: str, ground: str) -> None:
    assert contrast(getattr(theme, text), getattr(theme, ground)) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(("mark", "ground"), MARK_ON)
def test_marks_on_their_ground(theme: Theme, mark: str, ground: str) -> None:
    assert contrast(getattr(theme, mark), getattr(theme, ground)) >= 3.0


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_hover_and_pressed_keep_their_text_readable(theme: Theme) -> None:
    for share in (0.05, 0.10):
        assert contrast(theme.text, blend(theme.text, theme.raised, share)) >= 4.5
    for share in (0.12, 0.24):
        assert contrast(theme.on_accent, blend(theme.text, theme.accent, share)) >= 4.5


def test_every_colour_is_written_in_full() -> None:
    for theme in (LIGHT, DARK):
        for field in fields(theme):
            value = getattr(theme, field.name)
            assert field.name == "name" or (len(value) == 7 and value[0] == "#" and int(value[1:], 16) >= 0)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_style_sheet_and_palette_use_the_theme(qapp: QApplication, theme: Theme) -> None:
    sheet = stylesheet(theme)  # pytest-qt fails the test when Qt cannot parse it
    qapp.setStyleSheet(sheet)
    qapp.setStyleSheet("")
    assert theme.accent in sheet and "None" not in sheet
    assert sheet.count("{") == sheet.count("}")
    colours = palette(theme)
    assert colours.color(QPalette.ColorRole.Window).name() == theme.ground
    assert colours.color(QPalette.ColorRole.Highlight).name() == theme.accent


def test_fonts_are_there_and_figures_line_up(qapp: QApplication) -> None:
    def widths(font: QFont, characters: str) -> set[float]:
        return {round(QFontMetricsF(font).horizontalAdvance(character), 2) for character in characters}

    assert len(widths(mono_font(), "ilW0.@")) == 1
    assert len(widths(ui_font(32, strong=True, tabular=True), "0123456789")) == 1


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_icons_are_painted_in_their_colour_and_inside_their_square(qapp: QApplication, name: str) -> None:
    made = icon(name, "#2563eb", 24)
    image = made.pixmap(24, 24).toImage()
    inked = [
        (x, y) for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y).alphaF() > 0.5
    ]
    assert inked
    assert all(0 < x < image.width() - 1 and 0 < y < image.height() - 1 for x, y in inked)
    solid = max((image.pixelColor(*at) for at in inked), key=lambda colour: colour.alpha())
    assert solid.blue() > solid.red()


def test_icons_are_sharp_at_every_ratio(qapp: QApplication) -> None:
    made = icon("check", "#000000", 20)
    assert {size.width() for size in made.availableSizes()} == {round(20 * ratio) for ratio in RATIOS}


def test_the_application_has_an_icon_at_every_size(qapp: QApplication) -> None:
    sizes = {size.width() for size in application_icon().availableSizes()}
    assert {16, 32, 48, 256} <= sizes
    centre = application_icon().pixmap(256, 256).toImage().pixelColor(128, 220)
    assert centre.blue() > 180 and centre.alpha() == 255

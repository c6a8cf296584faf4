"""A paragraph that grows is painted again only where it looks another way."""

import random

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.blocks import Prose, Span
from app.theme import LIGHT
from app.views.reading_style import ReadingStyle
from app.views.text_block import TextBlock

WORDS = ["a", "draft", "verifies", "recovered", "词元", "接受率，", "（目标模型）", "“quoted”", "co-operate", "x" * 70]


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.mark.parametrize("seed", range(4))
def test_what_changes_while_a_paragraph_grows_is_painted_again(
    host: QWidget, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    draw = random.Random(seed)
    text = " ".join(draw.choice(WORDS) for _ in range(60))
    code = draw.randint(5, 40) if seed % 2 else 0  # so many letters are code, with a ground of their own
    view = TextBlock(ReadingStyle(LIGHT), host)
    view.show_block(_paragraph(text[:code], code))
    view.lay_out(300)
    surface = view.surfaces[0]
    surface.set_caret(True)
    tops: list[int] = []
    monkeypatch.setattr(type(surface), "update", lambda _, *area: tops.append(area[1] if area else 0))
    shown, spared = code, 0
    while shown < len(text):
        before = _rows(surface.grab().toImage())
        shown += draw.randint(1, 9)
        tops.clear()
        view.show_block(_paragraph(text[:shown], code))
        view.lay_out(300)
        after = _rows(surface.grab().toImage())
        first = next((y for y, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before))
        assert min(tops) <= first, f"{text[:shown]!r} is not what is seen"
        spared += min(tops) > 0
    assert spared > 20, "most of a long paragraph is left as it is"


def _paragraph(text: str, code: int) -> Prose:
    spans = [Span(text[:code], code=True)] if code else []
    return Prose((*spans, Span(text[code:])))


def _rows(image: QImage) -> list[bytes]:
    wide = image.bytesPerLine()
    data = bytes(image.constBits())
    return [data[y * wide : (y + 1) * wide] for y in range(image.height())]

"""Colours of code: who reads them, and that none are left of code that has become another."""

import threading

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app import colour_reading
from app.blocks import Code
from app.highlight import Coloured, coloured
from app.theme import DARK, LIGHT
from app.views import code_block
from app.views.code_block import CodeBlock
from app.views.reading_style import ReadingStyle


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def shown(host: QWidget, language: str, text: str) -> CodeBlock:
    view = CodeBlock(ReadingStyle(LIGHT), host)
    view.show_block(Code(text, language))
    return view


def colours(view: CodeBlock) -> set[str]:
    block, found = view.surfaces[0].document.begin(), set()
    while block.isValid():
        found |= {form.format.foreground().color().name() for form in block.layout().formats()}
        block = block.next()
    return found


def test_only_a_short_reading_of_a_known_language_holds_up_the_window(
    host: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[bool] = []

    def note(language: str, text: str, start: int) -> Coloured:
        readers.append(threading.current_thread() is threading.main_thread())
        return coloured(language, text, start)

    monkeypatch.setattr(colour_reading, "coloured", note)
    monkeypatch.setattr(code_block, "coloured", note)
    for text, in_window in (("x = 1", False), ("x = 1", True), ("x = 1\n" * 2000, False)):
        view = shown(host, "elixir", text)
        qtbot.waitUntil(lambda view=view: bool(colours(view)))
        assert readers == [in_window]
        readers.clear()


def test_code_that_became_another_keeps_no_colours_of_the_first(host: QWidget, qtbot: QtBot) -> None:
    view = shown(host, "julia", "function f() end\n")
    view.show_block(Code("function f() end\n", "no-such-language"))
    view.seal()
    other = shown(host, "julia", "function f() end\n")
    qtbot.waitUntil(lambda: bool(colours(other)))
    assert not colours(view)


def test_code_that_grew_while_it_was_read_is_read_again(host: QWidget, qtbot: QtBot) -> None:
    view = shown(host, "nim", "proc f() =\n")
    view.show_block(Code("proc f() =\n  return 12\n", "nim"))
    view.seal()
    expected = coloured("nim", "proc f() =\n  return 12\n").lines
    qtbot.waitUntil(lambda: view._formats == expected)


def test_what_a_thread_has_read_is_not_read_again_while_code_streams(
    host: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings: list[tuple[int, int]] = []

    def note(language: str, text: str, start: int) -> Coloured:
        readings.append((start, len(text)))
        return coloured(language, text, start)

    monkeypatch.setattr(colour_reading, "coloured", note)
    monkeypatch.setattr(code_block, "coloured", note)
    code = "def f():\n    return 1\n" * 200
    view = shown(host, "python", code)
    view.show_block(Code(code + "x = 1\n", "python"))  # 150 ms have not gone by: not looked at yet
    view.seal()
    qtbot.waitUntil(lambda: view._formats == coloured("python", code + "x = 1\n").lines)
    assert readings == [(0, len(code)), (0, len(code) + 6)]
    view = shown(host, "python", code)
    view._read_at = 0.0
    view.show_block(Code(code + "x = 1\n", "python"))
    qtbot.waitUntil(lambda: view._formats == coloured("python", code + "x = 1\n").lines)
    assert readings[2] == (0, len(code)) and readings[3][0] > len(code) - 1000 and len(readings) == 4


def test_another_theme_colours_what_is_known_at_once(host: QWidget, qtbot: QtBot) -> None:
    view = shown(host, "python", "def f():\n    return 1\n" * 500)
    qtbot.waitUntil(lambda: bool(colours(view)))
    before = colours(view)
    view.set_style(ReadingStyle(DARK))
    assert colours(view) and not colours(view) & before


def test_a_block_may_go_before_its_colours_are_found(host: QWidget, qtbot: QtBot) -> None:
    view = shown(host, "fortran", "end program\n" * 3000)
    view.deleteLater()
    other = shown(host, "fortran", "end program\n")
    qtbot.waitUntil(lambda: bool(colours(other)))


@pytest.mark.parametrize("gap", [0, 13])
def test_a_part_of_the_card_looks_as_in_the_whole(host: QWidget, gap: int) -> None:
    view = shown(host, "", "\n".join("x" * n for n in range(12)))
    view.set_gap(gap, 0)
    view.lay_out(300)
    whole = view.grab().toImage()
    for top in range(0, view.height() - 7, 5):
        part = view.grab(QRect(0, top, view.width(), 7)).toImage()
        pairs = zip(_bytes(part), _bytes(whole.copy(0, top, view.width(), 7)), strict=True)
        assert max(abs(one - other) for one, other in pairs) < 12, f"{top}: more than the soft edge of a corner"


def _bytes(image: QImage) -> bytes:
    return bytes(image.constBits())


def test_colours_are_looked_for_more_seldom_where_that_takes_long(
    host: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s, worked_s, cost_s = 100.0, 0.0, 0.003

    def work(*asked: object) -> Coloured:
        nonlocal worked_s
        worked_s += cost_s
        return coloured(*asked)  # type: ignore[arg-type]

    assert coloured("python", "x = 1").lines  # its patterns are made
    monkeypatch.setattr(code_block, "monotonic", lambda: now_s)
    monkeypatch.setattr(code_block, "thread_time", lambda: worked_s)
    monkeypatch.setattr(code_block, "coloured", work)
    for cheap in (True, False):
        cost_s = 0.0 if cheap else 0.003
        view, text = shown(host, "python", "x = 1\n"), "x = 1\n"
        read = []
        for _ in range(12):
            text += "y = 2\n"
            now_s += 0.16
            view.show_block(Code(text, "python"))
            read.append(view._read_to[1] == len(text))
        assert read == ([True] * 12 if cheap else [False, False, False, True] * 3)


def test_code_that_stops_growing_has_its_colours_soon(host: QWidget, qtbot: QtBot) -> None:
    assert coloured("python", "x = 1").lines  # its patterns are made
    view = shown(host, "python", "x = 1\n")
    view.show_block(Code("x = 1\ny = 'grown within the pause'  # seen\n", "python"))
    qtbot.waitUntil(lambda: view._formats == coloured("python", view._block.text).lines)

"""One message: what is rendered when, what is selected and copied, which token is marked where."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage, Run
from app.highlight import coloured
from app.theme import DARK, LIGHT
from app.token_runs import TokenRuns
from app.views.code_block import CodeBlock
from app.views.message_view import MessageView
from app.views.reading_style import ReadingStyle
from app.views.table_block import TableBlock
from app.views.text_block import TextBlock
from app.views.text_surface import TextSurface
from inference.events import Origin, Piece
from inference.messages import Role
from inference.statistics import ReplyStatistics

SPECULATED = ReplyStatistics(
    mode="on", reply_tokens=39, decode_s=0.78, draft_s=0.39, time_to_first_token_s=0.18, rounds=10, proposed=30,
    verified=29, accepted=28,
)  # fmt: skip
PLAIN = ReplyStatistics(reply_tokens=40, decode_s=1.0, time_to_first_token_s=0.5, rounds=40)

MIXED = """Before *it* 🙂 `b🙂c` all.

```python
x = "🙂"  # é
for y in x:
    print(y)
```

1. **one** & two
2. 中文 three

| k | v |
|---|---|
| a🙂 | b |
"""


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(700, 900)
    widget.show()
    return widget


def view_of(message: ChatMessage, host: QWidget, *, tokens: bool = False) -> MessageView:
    view = MessageView(message, ReadingStyle(LIGHT), tokens, host)
    view.lay_out(640)
    view.show()
    return view


def reply(text: str, size: int = 5, **fields: object) -> ChatMessage:
    """A reply in pieces whose origins take turns, a round each."""
    message = ChatMessage("assistant")
    origins: tuple[Origin, ...] = ("accepted", "recovered", "accepted", "bonus", "plain")
    for number, at in enumerate(range(0, len(text), size)):
        message.append(Piece(text[at : at + size], origins[number % len(origins)], number))
    for name, value in fields.items():
        setattr(message, name, value)
    return message


def marked_text(surface: TextSurface, start: int, end: int) -> str:
    cursor = QTextCursor(surface.document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().replace("\u2028", "\n").replace("\u2029", "\n")


def test_blocks_become_their_kind_of_view(host: QWidget) -> None:
    view = view_of(reply(MIXED), host)
    assert [type(v) for v in view.block_views] == [TextBlock, CodeBlock, TextBlock, TextBlock, TableBlock]
    tops = [v.geometry().top() for v in view.block_views]
    assert tops == sorted(tops)
    assert view.height() > view.block_views[-1].geometry().bottom()


@pytest.mark.parametrize("size", [1, 3, 7])
def test_every_mark_covers_what_its_token_wrote(host: QWidget, size: int) -> None:
    message = reply(MIXED, size)
    view = view_of(message, host, tokens=True)
    ends = {run.round: sum(r.length for r in message.runs[: i + 1]) for i, run in enumerate(message.runs)}
    seen = 0
    for surface in view.selection.surfaces:
        for mark in surface._marks:
            written = message.text[ends[mark.run.round] - mark.run.length : ends[mark.run.round]]
            shown = marked_text(surface, mark.start, mark.end)
            assert shown and shown in written
            assert mark.run.origin != "plain"
            seen += len(shown)
    marked = sum(run.length for run in message.runs if run.origin != "plain")
    assert seen > 0.5 * marked  # the rest is Markdown: fences, bars, stars


def test_marks_while_streaming_are_those_of_the_whole(host: QWidget) -> None:
    whole = reply(MIXED, 4)
    streaming = ChatMessage("assistant", state="streaming")
    view = view_of(streaming, host, tokens=True)
    at = 0
    for run in whole.runs:
        streaming.append(Piece(whole.text[at : at + run.length], run.origin, run.round))
        at += run.length
        view.extend()
    expected = [s._marks for s in view_of(whole, host, tokens=True).selection.surfaces]
    assert [s._marks for s in view.selection.surfaces] == expected
    view.set_show_tokens(False)
    assert not any(s._marks for s in view.selection.surfaces)
    view.set_show_tokens(True)
    assert [s._marks for s in view.selection.surfaces] == expected


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from(["accepted", "plain", "bonus"])), max_size=20), st.data())
def test_runs_are_found_by_place(pieces: list[tuple[int, Origin]], data: st.DataObject) -> None:
    runs = [Run(length, origin, number) for number, (length, origin) in enumerate(pieces)]
    by_character = [run for run in runs for _ in range(run.length)]
    index = TokenRuns()
    cut = data.draw(st.integers(0, len(runs)))
    index.update(runs[:cut])
    index.update(runs)
    start = data.draw(st.integers(0, len(by_character)))
    length = data.draw(st.integers(0, len(by_character) - start))
    found: list[Run | None] = [None] * length
    for mark in index.marks(start, length, 100):
        for place in range(mark.start, mark.end):
            found[place - 100] = mark.run
    expected = [run if run.origin != "plain" else None for run in by_character[start : start + length]]
    assert found == expected


@pytest.mark.parametrize("language", ["python", "Python", "rust", "no-such-language"])
def test_colours_of_code_are_the_same_streamed_and_whole(host: QWidget, qtbot: QtBot, language: str) -> None:
    """The patterns of a language are made in a thread, and long code is read in one: colours come a moment later."""
    lines = 'def f(x):\n    """A\n    doc"""\n    return x + 1\n\n' * 60
    code = f"```{language}\n{lines}```\n"
    expected = coloured(language, lines).lines
    placed = [[(token.start, token.length) for token in line] for line in expected]

    def shown(view: MessageView) -> list[list[tuple[int, int]]]:
        return [[(start, length) for start, length, _ in line] for line in colours(view)]

    streaming = ChatMessage("assistant", state="streaming")
    view = view_of(streaming, host)
    for at in range(0, len(code), 37):
        streaming.append(Piece(code[at : at + 37], "plain", 0))
        view.extend()
    streaming.state = "finished"
    view.finish()
    whole = view_of(reply(code), host)
    qtbot.waitUntil(lambda: shown(view) == placed[:-1])  # the document ends before the last line end
    qtbot.waitUntil(lambda: shown(whole) == placed[:-1])
    assert colours(view) == colours(whole)
    assert any(colours(whole)) == (language != "no-such-language")


def colours(view: MessageView) -> list[list[tuple[int, int, str]]]:
    block = view.selection.surfaces[0].document.begin()
    lines = []
    while block.isValid():
        formats = block.layout().formats()
        lines.append([(f.start, f.length, f.format.foreground().color().name()) for f in formats])
        block = block.next()
    return lines


def test_a_selection_runs_over_blocks(host: QWidget) -> None:
    view = view_of(reply("First words here.\n\n```py\na = 1\nb = 2\n```\n\n- item one\n- item two"), host)
    view.selection.select_all()
    assert view.selection.text() == "First words here.\n\na = 1\nb = 2\n\n• item one\n• item two"


def test_dragging_selects_and_copying_copies(host: QWidget, qtbot: QtBot) -> None:
    view = view_of(reply("Alpha beta gamma.\n\nDelta epsilon."), host)
    first, second = view.selection.surfaces
    start = first.mapTo(view, QPoint(0, 10))
    end = second.mapTo(view, QPoint(second.width() - 2, 10))
    with qtbot.waitSignal(view.selecting):
        QTest.mousePress(first, Qt.MouseButton.LeftButton, pos=first.mapFrom(view, start))
    view.selection.extend(view.selection.spot_at(QPointF(end)))
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Alpha beta gamma.\n\nDelta epsilon."
    view.selection.clear()
    assert view.selection.text() == ""


def test_a_double_click_selects_a_word_and_a_third_click_the_paragraph(host: QWidget) -> None:
    view = view_of(reply("Alpha beta gamma."), host)
    surface = view.selection.surfaces[0]
    inside = QPoint(8, 10)
    QTest.mouseDClick(surface, Qt.MouseButton.LeftButton, pos=inside)
    assert view.selection.text() == "Alpha"
    QTest.mousePress(surface, Qt.MouseButton.LeftButton, pos=inside)
    assert view.selection.text() == "Alpha beta gamma."


def test_copy_without_a_selection_takes_the_markdown(host: QWidget, qtbot: QtBot) -> None:
    view = view_of(reply("A **bold** word."), host)
    with qtbot.waitSignal(view.copied) as copied:
        QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert copied.args == [view.message.id]
    assert QGuiApplication.clipboard().text() == "A **bold** word."


def test_a_copy_button_takes_the_code_alone(host: QWidget) -> None:
    view = view_of(reply("x\n\n```py\nprint(1)\n```"), host)
    button = view.block_views[1].findChild(QToolButton)
    button.click()
    assert QGuiApplication.clipboard().text() == "print(1)"
    assert button.text() == "Copied"


def test_a_click_on_a_link_asks_and_the_menu_has_it_too(host: QWidget, qtbot: QtBot) -> None:
    view = view_of(reply("[here](https://example.org/x)"), host)
    surface = view.selection.surfaces[0]
    with qtbot.waitSignal(view.link_clicked) as clicked:
        QTest.mouseClick(surface, Qt.MouseButton.LeftButton, pos=QPoint(6, 10))
    assert clicked.args == ["https://example.org/x"]
    entries = view.menu().actions()
    with qtbot.waitSignal(view.link_clicked):
        next(action for action in entries if "example.org" in action.text()).trigger()


def test_the_footer_says_only_what_means_something(host: QWidget) -> None:
    speculated = view_of(reply("x", statistics=SPECULATED), host).footer
    plain = view_of(reply("x", statistics=PLAIN), host).footer
    none = view_of(reply("x"), host).footer
    assert speculated is not None and plain is not None and none is not None
    assert speculated.texts() == ["50.0 tok/s", "97 % accepted", "0.18 s to first", "3.9 per round", "draft share 50 %"]
    assert plain.texts() == ["40.0 tok/s", "0.50 s to first"]
    assert none.texts() == []


def test_no_footer_while_streaming_and_none_for_the_person(host: QWidget) -> None:
    message = reply("x", state="streaming")
    view = view_of(message, host)
    assert view.footer is None
    assert view.selection.surfaces[-1].caret
    message.state = "finished"
    view.finish()
    assert view.footer is not None
    assert not view.selection.surfaces[-1].caret
    assert view_of(ChatMessage("user", "hi"), host).footer is None


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        (
            {"state": "failed", "error": "Out of memory. Use a shorter context."},
            "Out of memory. Use a shorter context.",
        ),
        ({"state": "failed", "error": "Out of memory."}, "kept"),
        ({"state": "stopped", "finish_reason": "cancelled"}, "Stopped"),
        ({"finish_reason": "length"}, "longest"),
        ({"finish_reason": "context"}, "context is full"),
    ],
)
def test_why_it_ended_is_said_and_the_text_stays(host: QWidget, fields: dict[str, object], part: str) -> None:
    view = view_of(reply("Half a sen", **fields), host)
    assert view.notice is not None and not view.notice.isHidden()
    assert part in view.notice.text()
    assert view.block_views[0].plain_text() == "Half a sen"


def test_a_whole_reply_needs_no_notice(host: QWidget) -> None:
    view = view_of(reply("Done.", finish_reason="end"), host)
    assert view.notice is not None and view.notice.isHidden()


def test_a_person_s_text_is_not_markdown(host: QWidget) -> None:
    view = view_of(ChatMessage("user", "*a* <b>\n  # x\n```\ncode\n```"), host)
    assert [v.plain_text() for v in view.block_views] == ["*a* <b>\n  # x", "code"]


def test_right_to_left_text_stands_at_the_right(host: QWidget) -> None:
    view = view_of(reply("مرحبا بالعالم"), host)
    rectangle = view.selection.surfaces[0].rectangles(0, 13)[0]
    assert rectangle.right() > view.selection.surfaces[0].width() - 9


def test_long_lines_of_code_scroll_sideways_and_do_not_widen(host: QWidget) -> None:
    view = view_of(reply("```\n" + "x" * 400 + "\n```"), host)
    surface = view.selection.surfaces[0]
    assert surface.width() > 1000
    assert view.width() == 640
    assert view.block_views[0].geometry().right() < 640


def test_a_theme_change_keeps_the_text(host: QWidget) -> None:
    view = view_of(reply(MIXED), host, tokens=True)
    before = [v.plain_text() for v in view.block_views]
    height, marks = view.lay_out(640), [s._marks for s in view.selection.surfaces]
    view.set_style(ReadingStyle(DARK))
    assert [v.plain_text() for v in view.block_views] == before
    assert view.lay_out(640) == height
    assert [s._marks for s in view.selection.surfaces] == marks
    view.selection.select_all()
    assert "for y in x:" in view.selection.text() and "a🙂" in view.selection.text()


def test_every_control_has_a_name_and_a_tip(host: QWidget) -> None:
    view = view_of(reply(MIXED), host)
    buttons = view.findChildren(QToolButton)
    assert len(buttons) == 9  # the code's, the versions', the footer's
    for button in buttons:
        assert button.accessibleName() and button.toolTip()
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert all(v.accessibleName() for v in view.block_views)


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_no_button_is_cut_off_at_the_edge(host: QWidget, role: Role) -> None:
    """The frame that shows the focus is seen on all sides."""
    view = view_of(
        ChatMessage(
            role, "<think>\nHm.\n</think>\n\n```\nWhy?\n```", statistics=PLAIN if role == "assistant" else None
        ),
        host,
    )
    buttons = [button for button in view.findChildren(QToolButton) if button.isVisibleTo(view)]
    assert len(buttons) > 2
    for button in buttons:
        around = button.parentWidget()
        while around is not host:
            shown = button.rect().translated(button.mapTo(around, QPoint()))
            assert around.rect().contains(shown), (button.accessibleName(), around)
            around = around.parentWidget()

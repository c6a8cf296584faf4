"""Replies of every odd kind: nothing is loaded, nothing breaks, everything can be read."""

from PySide6.QtCore import QPointF, QRectF, Qt

from app.blocks import Code, Prose
from app.chat_message import ChatMessage
from app.markdown import parse
from app.markdown_stream import MarkdownStream
from app.token_runs import Mark
from app.views.message_view import MessageView
from app.views.transcript import Transcript
from inference.events import Piece

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


def shown(transcript: Transcript, text: str) -> MessageView:
    transcript.show_messages([ChatMessage("assistant", text)])
    view = transcript.messages.views[0]
    view.grab()
    return view


def test_pictures_show_what_they_are_and_where_from(transcript: Transcript) -> None:
    view = shown(transcript, "![a heap](https://example.org/heap.png) ![](data:image/png;base64,AAAA)")
    text = view.block_views[0].plain_text()
    assert text == "a heap (https://example.org/heap.png) data:image/png;base64,AAAA"
    assert view.links == ["https://example.org/heap.png"]


def test_html_is_read_as_text(transcript: Transcript) -> None:
    source = '<img src="http://e.v/x.png"><script>alert(1)</script>\n\n<div style="color:red">x</div>'
    view = shown(transcript, source)
    assert "\n\n".join(block.plain_text() for block in view.block_views) == source


def test_a_fence_without_an_end_is_code_all_along() -> None:
    stream = MarkdownStream()
    for piece in ("Words\n\n```py", "thon\nx", " = 1\n\n", "# not a heading\n", "- no list"):
        stream.append(piece)
    assert [type(block) for block in stream.blocks] == [Prose, Code]
    assert stream.blocks == parse(stream.text)
    assert not stream.finish()


def test_very_long_lines_stay_in_the_column(transcript: Transcript) -> None:
    view = shown(transcript, "x" * 5000 + "\n\n> " + "y" * 3000 + "\n\n- " + "https://e.v/" + "z" * 2000)
    for surface in view.selection.surfaces:
        assert surface.document.idealWidth() <= surface.width() <= view.width()
    code = shown(transcript, "```\n" + "y" * 20_000 + "\n```")
    assert all(block.width() <= code.width() for block in code.block_views)


def test_right_to_left_text_stands_at_the_right(transcript: Transcript) -> None:
    view = shown(transcript, "مرحبا بالعالم.\n\nHello.")
    right, left = view.selection.surfaces
    assert right.rectangles(0, right.length)[0].right() > right.width() * 0.9
    assert left.rectangles(0, left.length)[0].left() < 5
    block = right.document.firstBlock()
    assert block.textDirection() == Qt.LayoutDirection.RightToLeft
    assert right.place_at(QPointF(right.width() - 1, 10)) == 0  # it begins there


def test_joined_emoji_stay_whole_while_they_stream(transcript: Transcript) -> None:
    reply = ChatMessage("assistant", state="streaming")
    transcript.show_messages([reply])
    text = f"A {FAMILY} and **{FAMILY}**."
    for number, letter in enumerate(text):
        reply.append(Piece(letter, "accepted", number))
        transcript.extend(reply.id)
    reply.state = "finished"
    transcript.finish(reply.id)
    (surface,) = transcript.messages.views[0].selection.surfaces
    assert surface.document.toPlainText() == f"A {FAMILY} and {FAMILY}."
    transcript.set_show_tokens(True)
    assert all(isinstance(mark, Mark) and mark.start < mark.end <= surface.length for mark in surface._marks)
    assert surface._chips_within(QRectF(surface.rect()).toAlignedRect())

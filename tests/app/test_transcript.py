"""The conversation: sealed blocks, the end that is followed or not, and widgets only where somebody looks."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage
from app.theme import DARK
from app.views.block_view import BlockView
from app.views.text_surface import ORIGIN
from app.views.transcript import Transcript
from inference.events import Origin, Piece
from inference.messages import Role

SECTION = """## Part {n}

Some *words* about part {n}, with `code` and [a link](https://example.org/{n}), and more words after it.

- first of {n}
- second, which is **longer** than the first one
  - and one within

```python
def part_{n}(x: int) -> int:
    return x + {n}  # the sum
```

| a | b |
|---|---|
| {n} | two |

"""


def long_reply(letters: int = 12_000) -> str:
    text = ""
    while len(text) < letters:
        text += SECTION.format(n=len(text))
    return text[:letters]


def talk(turns: int) -> list[ChatMessage]:
    roles: tuple[Role, ...] = ("user", "assistant")
    return [ChatMessage(role, f"Message {i}.\n\nIt has two paragraphs.") for i in range(turns) for role in roles]


def stream(transcript: Transcript, message: ChatMessage, text: str, size: int = 24) -> None:
    """Let the message grow."""
    for at in range(0, len(text), size):
        message.append(Piece(text[at : at + size], "plain", 0))
        transcript.extend(message.id)


def bar_value(transcript: Transcript) -> int:
    return transcript.messages.verticalScrollBar().value()


def at_bottom(transcript: Transcript) -> bool:
    bar = transcript.messages.verticalScrollBar()
    return bar.value() == bar.maximum()


def test_sealed_blocks_are_never_rendered_again(transcript: Transcript, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[BlockView] = []
    original = BlockView.show_block
    monkeypatch.setattr(BlockView, "show_block", lambda self, block: (rendered.append(self), original(self, block))[1])
    reply = ChatMessage("assistant", state="streaming")
    transcript.show_messages([ChatMessage("user", "go"), reply])
    view = transcript.messages.views[-1]
    stream(transcript, reply, long_reply(3000))
    finished = view.block_views[:-12]
    assert len(finished) > 10
    rendered.clear()
    stream(transcript, reply, long_reply(3000))
    reply.state = "finished"
    transcript.finish(reply.id)
    assert rendered
    assert not set(rendered) & set(finished)


def test_a_long_reply_costs_little(transcript: Transcript) -> None:
    """What is drawn grows with the reply, not with its square."""
    reply = ChatMessage("assistant", state="streaming")
    transcript.show_messages([ChatMessage("user", "go")])
    transcript.add_message(reply)
    stream(transcript, reply, long_reply(), 48)
    blocks = sum(view.renders for view in transcript.messages.views[-1].block_views)
    assert blocks < 2.5 * len(long_reply()) / 48


def test_streamed_and_whole_look_the_same(transcript: Transcript, qtbot: QtBot) -> None:
    text = long_reply(2500) + "\n\n[ref]\n\n[ref]: https://example.org\n"
    reply = ChatMessage("assistant", state="streaming")
    transcript.show_messages([ChatMessage("user", "go"), reply])
    stream(transcript, reply, text, 7)
    reply.state = "finished"
    transcript.finish(reply.id)
    streamed = transcript.messages.views[-1]
    other = Transcript()
    qtbot.addWidget(other)
    other.resize(800, 600)
    other.show()
    other.show_messages([ChatMessage("user", "go"), ChatMessage("assistant", text)])
    whole = other.messages.views[-1]
    assert [v.plain_text() for v in streamed.block_views] == [v.plain_text() for v in whole.block_views]
    assert [v.geometry() for v in streamed.block_views] == [v.geometry() for v in whole.block_views]
    assert streamed.height() == whole.height()


def test_opens_at_the_end_with_widgets_only_near_it(transcript: Transcript) -> None:
    messages = talk(1000)
    transcript.show_messages(messages)
    assert at_bottom(transcript)
    shown = transcript.messages.views
    assert len(shown) < 30
    assert shown[-1].message is messages[-1]
    assert shown[-1].geometry().bottom() <= transcript.messages.viewport().height()


def test_scrolling_makes_what_comes_into_sight_and_lets_go_of_the_rest(transcript: Transcript) -> None:
    transcript.show_messages(talk(300))
    bar = transcript.messages.verticalScrollBar()
    while bar.value() > 0:
        bar.setValue(bar.value() - 400)
        height = transcript.messages.viewport().height()
        tops = sorted((v.geometry().top(), v.geometry().bottom()) for v in transcript.messages.views)
        seen = [(top, bottom) for top, bottom in tops if bottom >= 0 and top <= height]
        assert seen
        for (_, above), (below, _) in pairwise(seen):
            assert 0 < below - above < 40  # neither gaps nor overlaps
        assert len(transcript.messages.views) < 90
    assert transcript.messages.views[0].message.text.startswith("Message 0.")


def test_follows_the_end_while_the_reader_is_there(transcript: Transcript) -> None:
    reply = ChatMessage("assistant", state="streaming")
    transcript.show_messages([*talk(5), reply])
    stream(transcript, reply, long_reply(2000))
    assert at_bottom(transcript)
    assert transcript.messages.at_end


def test_nothing_moves_under_a_reader_who_went_back(transcript: Transcript) -> None:
    reply = ChatMessage("assistant", state="streaming")
    transcript.show_messages([*talk(20), reply])
    stream(transcript, reply, long_reply(1000))
    bar = transcript.messages.verticalScrollBar()
    bar.setValue(bar.maximum() - 300)
    seen = [(v.message.id, v.y()) for v in transcript.messages.views]
    value = bar.value()
    stream(transcript, reply, long_reply(2000))
    reply.state = "finished"
    transcript.finish(reply.id)
    assert bar.value() == value
    assert [(v.message.id, v.y()) for v in transcript.messages.views] == seen


def test_no_way_leads_to_the_newest_once_all_is_in_sight(transcript: Transcript) -> None:
    transcript.show_messages([ChatMessage("assistant", "\n\n".join("word " * 4 for _ in range(8)))])
    transcript.set_zoom(200)
    transcript.messages.verticalScrollBar().setValue(0)
    assert not transcript._newest.isHidden()
    transcript.set_zoom(100)
    assert transcript.messages.verticalScrollBar().maximum() == 0
    assert transcript._newest.isHidden()


def test_the_newest_button_leads_back(transcript: Transcript) -> None:
    transcript.show_messages(talk(30))
    button = transcript._newest
    assert button.isHidden()
    transcript.messages.verticalScrollBar().setValue(100)
    assert not button.isHidden()
    assert button.toolTip() and button.accessibleName()
    button.click()
    assert at_bottom(transcript)
    assert button.isHidden()


def test_a_question_of_ones_own_is_shown(transcript: Transcript) -> None:
    transcript.show_messages(talk(30))
    transcript.messages.verticalScrollBar().setValue(0)
    transcript.add_message(ChatMessage("user", "And now?"))
    assert at_bottom(transcript)


def test_what_is_read_stays_when_the_window_changes_its_width(transcript: Transcript) -> None:
    transcript.show_messages(talk(100))
    bar = transcript.messages.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    first = min((v for v in transcript.messages.views if v.geometry().bottom() > 0), key=lambda v: v.y())
    before, message = first.y(), first.message
    transcript.resize(500, 600)
    again = next(v for v in transcript.messages.views if v.message is message)
    assert again.y() == before
    assert again.width() < 500


def test_removing_and_clearing(transcript: Transcript) -> None:
    messages = talk(3)
    transcript.show_messages(messages)
    transcript.remove_from(messages[3].id)
    assert [v.message for v in transcript.messages.views] == messages[:3]
    assert transcript._empty.isHidden()
    transcript.remove_from(messages[0].id)
    assert not transcript._empty.isHidden()
    with pytest.raises(KeyError):
        transcript.extend(messages[0].id)


def test_growth_out_of_sight_is_there_when_it_comes_into_sight(transcript: Transcript) -> None:
    reply = ChatMessage("assistant", "x", state="streaming")
    messages = [*talk(60), reply]
    transcript.show_messages(messages)
    transcript.messages.verticalScrollBar().setValue(0)
    stream(transcript, reply, "Some words.\n\n" * 40)
    transcript.messages.go_to_end()
    assert transcript.messages.views[-1].block_views[-1].plain_text() == "Some words."
    assert at_bottom(transcript)


def test_regenerate_and_copy_say_which(transcript: Transcript, qtbot: QtBot) -> None:
    reply = ChatMessage("assistant", "**Words**")
    transcript.show_messages([ChatMessage("user", "go"), reply])
    footer = transcript.messages.views[-1].footer
    assert footer is not None
    with qtbot.waitSignal(transcript.regenerate_requested) as regenerate:
        footer._regenerate.click()
    with qtbot.waitSignal(transcript.copy_requested) as copy:
        footer._copy.click()
    assert regenerate.args == copy.args == [reply.id]
    assert QApplication.clipboard().text() == "**Words**"


def test_a_link_opens_only_after_asking(transcript: Transcript, qtbot: QtBot) -> None:
    address = "https://example.org/a/long/path?with=query&and=more"
    transcript.show_messages([ChatMessage("assistant", f"[innocent]({address})")])
    opened: list[str] = []
    transcript.link_opened.connect(opened.append)
    view = transcript.messages.views[0]
    view.link_clicked.emit(address)
    box = transcript.question
    assert box is not None
    assert box.address == address
    box.cancel_button.click()
    assert opened == []
    qtbot.waitUntil(lambda: transcript.question is None)
    view.link_clicked.emit(address)
    box = transcript.question
    assert box is not None
    with qtbot.waitSignal(transcript.link_opened):
        box.open_button.click()
    assert opened == [address]
    view.link_clicked.emit(address)
    box = transcript.question
    assert box is not None
    box.copy_button.click()
    assert opened == [address] and QApplication.clipboard().text() == address


def test_the_empty_state_offers_three_questions(transcript: Transcript, qtbot: QtBot) -> None:
    transcript.show_messages([])
    cards = transcript._empty.cards
    assert len(cards) == 3
    assert any("Python" in card.question for card in cards)
    assert any("\u4e00" <= card.question[0] <= "\u9fff" for card in cards)
    for card in cards:
        assert card.isVisible() and card.accessibleName() and card.toolTip()
        with qtbot.waitSignal(transcript.example_chosen) as chosen:
            card.setFocus()
            QTest.keyClick(card, Qt.Key.Key_Space)
        assert chosen.args == [card.question]
    transcript.add_message(ChatMessage("user", "hi"))
    assert transcript._empty.isHidden()


def test_the_legend_is_shown_with_coloured_tokens_only(transcript: Transcript) -> None:
    reply = ChatMessage("assistant")
    origins: tuple[Origin, ...] = ("accepted", "recovered", "bonus", "recalled")
    for number, word in enumerate(("One ", "two ", "three, ", "four.")):
        reply.append(Piece(word, origins[number], number))
    transcript.show_messages([reply])
    surface = transcript.messages.views[0].selection.surfaces[0]
    assert transcript._legend.isHidden() and not surface._marks
    transcript.set_show_tokens(True)
    assert not transcript._legend.isHidden()
    assert [mark.run.origin for mark in surface._marks] == list(origins)
    tips = [surface._tip(rectangle.center() + ORIGIN) for rectangle, _ in surface._chips_within(surface.rect())]
    assert "earlier chat" in tips[-1] and "(round 3)" in tips[-1] and "earlier chat" not in tips[0]
    transcript.set_show_tokens(False)
    assert transcript._legend.isHidden() and not surface._marks


def test_no_legend_stands_over_a_chat_without_drafted_tokens(transcript: Transcript) -> None:
    transcript.set_show_tokens(True)
    reply = ChatMessage("assistant", state="streaming")
    reply.append(Piece("Plain ", "plain", 0))
    transcript.show_messages([ChatMessage("user", "Why?"), reply])
    assert transcript._legend.isHidden() and transcript.messages.y() == 0
    reply.append(Piece("words ", "accepted", 1))
    transcript.extend(reply.id)  # from the first drafted token on
    assert not transcript._legend.isHidden() and transcript.messages.y() > 0
    reply.append(Piece("and more", "plain", 2))
    transcript.extend(reply.id)
    assert not transcript._legend.isHidden()
    transcript.show_messages(talk(2))
    assert transcript._legend.isHidden() and transcript.messages.y() == 0


def test_only_one_message_has_a_selection(transcript: Transcript) -> None:
    transcript.show_messages(talk(2))
    first, second = transcript.messages.views[:2]
    first.selection.select_all()
    QTest.keyClick(second, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert first.selection.text() == ""
    assert second.selection.text()


def test_themes_change_while_streaming(transcript: Transcript) -> None:
    reply = ChatMessage("assistant", state="streaming")
    transcript.show_messages([ChatMessage("user", "go"), reply])
    stream(transcript, reply, long_reply(700))
    transcript.set_theme(DARK)
    stream(transcript, reply, long_reply(700))
    reply.state = "finished"
    transcript.finish(reply.id)
    assert at_bottom(transcript)
    shown = "".join(v.plain_text() for v in transcript.messages.views[-1].block_views)
    assert shown.count("def part_0(x: int) -> int:") == 2


def test_the_wheel_over_code_scrolls_the_conversation(transcript: Transcript) -> None:
    transcript.show_messages([*talk(30), ChatMessage("assistant", "```\n" + "x" * 500 + "\n```")])
    surface = transcript.messages.views[-1].selection.surfaces[0]
    end = bar_value(transcript)
    place = surface.mapTo(transcript, QPointF(20, 5))
    QTest.wheelEvent(transcript.windowHandle(), place, QPoint(0, 240))
    QApplication.processEvents()
    assert bar_value(transcript) < end


def test_a_selection_drawn_past_the_edge_takes_the_page_along(transcript: Transcript) -> None:
    transcript.show_messages([*talk(5), ChatMessage("assistant", "Words.\n\n" * 60)])
    end = bar_value(transcript)
    transcript.messages.views[-1].dragged.emit(-10)
    assert bar_value(transcript) == end - 10
    transcript.messages.views[-1].dragged.emit(50)
    assert bar_value(transcript) == end - 10


def test_half_written_styles_do_not_show_their_stars(transcript: Transcript) -> None:
    reply = ChatMessage("assistant", "A **bold wo", state="streaming")
    transcript.show_messages([reply])
    view = transcript.messages.views[0]
    assert view.block_views[0].plain_text() == "A bold wo"
    reply.state = "stopped"
    transcript.finish(reply.id)
    assert view.block_views[0].plain_text() == "A **bold wo"


def test_keys_scroll(transcript: Transcript) -> None:
    transcript.show_messages(talk(50))
    end = bar_value(transcript)
    QTest.keyClick(transcript.messages, Qt.Key.Key_PageUp)
    assert bar_value(transcript) < end
    QTest.keyClick(transcript.messages, Qt.Key.Key_Home)
    assert bar_value(transcript) == 0
    QTest.keyClick(transcript.messages, Qt.Key.Key_End)
    assert at_bottom(transcript)


@pytest.mark.parametrize(("turns", "fits"), [(1, True), (60, False)])
def test_the_way_to_the_newest_is_offered_only_where_there_is_one(
    transcript: Transcript, turns: int, fits: bool
) -> None:
    messages = talk(turns)
    transcript.show_messages(messages)
    transcript.go_to(messages[0].id)
    assert transcript._newest.isHidden() == fits

"""Everything that is read gets larger and smaller, and stays so."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage
from app.message_tree import Version
from app.views.code_block import CodeBlock
from app.views.legend import Legend
from app.views.transcript import Transcript
from inference.statistics import ReplyStatistics
from tests.app.conftest import MakeProgram

TEXT = "# Head\n\nWords 中文.\n\n- one\n- two\n\n```python\nx = 1\n```\n\n| a |\n|---|\n| b |\n"


def wheel(widget: Transcript, notches: float) -> None:
    view = widget.messages
    event = QWheelEvent(
        QPointF(100, 100), QPointF(view.mapToGlobal(QPoint(100, 100))), QPoint(), QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    view.wheelEvent(event)


def test_a_new_size_is_that_of_a_fresh_view(transcript: Transcript) -> None:
    reply = ChatMessage("assistant", TEXT)
    transcript.show_messages([reply])
    usual = transcript.messages.views[0].height()
    transcript.set_zoom(150)
    zoomed = [surface.document.size() for surface in transcript.messages.views[0].selection.surfaces]
    assert 1.3 * usual < transcript.messages.views[0].height() < 1.6 * usual
    transcript.show_messages([reply])
    assert zoomed == [surface.document.size() for surface in transcript.messages.views[0].selection.surfaces]
    transcript.set_zoom(100)
    assert transcript.messages.views[0].height() == usual


def test_what_stands_around_the_words_has_their_size(transcript: Transcript, qtbot: QtBot) -> None:
    reply = ChatMessage("assistant", TEXT)
    transcript.show_messages([reply], {reply.id: Version(2, 2)})
    legend, switch = transcript.findChild(Legend), transcript.messages.views[0].head.versions
    assert legend is not None
    usual, place = legend.height(), switch.geometry()
    legend.show()
    transcript.set_zoom(200)
    assert legend.height() == 2 * usual and transcript.messages.geometry().top() > legend.geometry().bottom()
    qtbot.waitUntil(lambda: switch.width() > place.width())
    transcript.set_zoom(100)
    qtbot.waitUntil(lambda: switch.geometry() == place)


def test_the_wheel_counts_whole_notches(transcript: Transcript) -> None:
    chosen: list[int] = []
    transcript.zoom_chosen.connect(chosen.append)
    transcript.show_messages([ChatMessage("assistant", TEXT)])
    wheel(transcript, 0.5)
    assert chosen == []
    wheel(transcript, 0.5)
    wheel(transcript, -1)
    assert chosen == [110, 90]


def test_the_size_is_kept(make_program: MakeProgram) -> None:
    program = make_program().start()
    transcript = program.window.transcript
    transcript.step_zoom(1)
    transcript.step_zoom(1)
    assert transcript.zoom == program.application.settings.zoom == 120
    program.application.close()
    again = make_program().start()
    assert again.window.transcript.zoom == 120
    again.window.transcript.step_zoom(0)
    assert again.window.transcript.zoom == 100


def test_long_lines_of_code_wrap_on_request(transcript: Transcript) -> None:
    transcript.show_messages([ChatMessage("assistant", "```\n" + "word " * 200 + "\n```\n\nafter")])
    view = transcript.messages.views[0]
    block = view.block_views[0]
    assert isinstance(block, CodeBlock)
    height, below = block.height(), view.block_views[1].y()
    toggle = next(button for button in block.findChildren(QToolButton) if button.isCheckable())
    toggle.click()
    assert block.height() > 3 * height
    assert view.block_views[1].y() - below == block.height() - height
    assert block.surfaces[0].document.size().width() <= block.width()
    toggle.click()
    assert block.height() == height


def test_no_words_of_a_message_are_cut_off(transcript: Transcript) -> None:
    """Buttons with words, labels and figures have the height of their font, whatever the size."""
    text = "<think>\nSo.\n</think>\n\n" + TEXT
    transcript.show_messages(
        [ChatMessage("user", "Why?"), ChatMessage("assistant", text, statistics=ReplyStatistics())]
    )
    for zoom in (100, 150, 200):
        transcript.set_zoom(zoom)
        for view in transcript.messages.views:
            shown: list[QToolButton | QLabel] = [*view.findChildren(QToolButton), *view.findChildren(QLabel)]
            worded = [one for one in shown if one.isVisibleTo(view) and one.text()]
            assert worded
            for one in worded:
                assert one.fontMetrics().height() <= one.height(), (zoom, one.text())

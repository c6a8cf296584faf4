"""What is known about a reply: kept with it, shown and copied."""

import dataclasses
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage
from app.conversation import Conversation
from app.course import MOST, Moment, packed, unpacked, with_moment
from app.history import History
from app.reply_figures import as_text, figures_of
from app.theme import LIGHT
from app.views.reply_details import ReplyDetails
from app.views.transcript import Transcript
from inference.events import Delta, Finished, Piece, Round
from inference.settings import GenerationSettings, SamplingSettings
from inference.statistics import ReplyStatistics, RoundStatistics

ROUND = RoundStatistics(4, 4, 3, 2, 3, 0.01, 0.02, 0.005)
WHOLE = ReplyStatistics(
    drafter="ngram", mode="on", prompt_tokens=300, reused_tokens=200, prefill_s=0.1, time_to_first_token_s=0.12, seed=7
).with_rounds(*[ROUND] * 20)
SETTINGS = GenerationSettings(SamplingSettings(temperature=0.5, top_k=40))


def reply(points: int = 30) -> ChatMessage:
    course: list[Moment] = []
    for number in range(points):
        course = with_moment(course, Moment(3 * number, 60 + number % 7, None if number < 3 else 0.7))
    return ChatMessage("assistant", "Words", statistics=WHOLE, model="A target", settings=SETTINGS, course=course)


def test_what_came_from_earlier_chats_is_told() -> None:
    assert "earlier chats" not in as_text(figures_of(reply()))
    statistics = WHOLE.with_rounds(*[ROUND._replace(past=True)] * 3)
    assert (statistics.past_proposed, statistics.past_accepted) == (12, 6)
    text = as_text(figures_of(ChatMessage("assistant", "Words", statistics=statistics)))
    assert "Copied from earlier chats: 12 drafted, 6 accepted" in text.replace("\t", " ")


def test_a_course_stays_short_and_keeps_its_ends() -> None:
    course: list[Moment] = []
    for tokens in range(0, 20_000, 3):
        course = with_moment(course, Moment(tokens, 50.0))
    assert MOST // 3 <= len(course) <= MOST
    assert course[0].tokens == 0 and course[-1].tokens > 19_700
    assert unpacked([list(one) for one in packed(course)]) == course


def test_a_reply_collects_its_course() -> None:
    chat = Conversation()
    chat.ask("Why?")
    message = chat.begin_reply("run", "A target", SETTINGS)
    for number in range(1, 4):
        statistics = ReplyStatistics().with_rounds(*[ROUND] * number)
        chat.apply("run", [Delta((Piece("w ", "plain", number),)), Round(number, ROUND, statistics, 60.0, 0.5)])
    chat.apply("run", [Finished("end", WHOLE)])
    assert [one.tokens for one in message.course] == [3, 6, 9]
    chat.continue_reply("again", SETTINGS)
    assert message.course == []


def test_course_and_settings_are_kept(tmp_path: Path) -> None:
    history, _ = History.open(tmp_path / "chats.sqlite")
    history.create("chat", "A chat")
    message = reply()
    history.save_message("chat", message)
    (kept,) = history.messages("chat")
    history.close()
    assert (kept.course, kept.settings, kept.statistics) == (message.course, SETTINGS, WHOLE)


def test_every_figure_is_in_the_details(qtbot: QtBot) -> None:
    details = ReplyDetails(reply(), LIGHT, None)
    qtbot.addWidget(details)
    text = as_text(details.groups)
    for piece in ("300 tokens", "200 tokens", "0.12 s", "tok/s", "40 (67 %)", "50 %", "3.00", "4: 20", "A target"):
        assert piece in text
    for piece in ("100 %  100 %  0 %  0 %", "Temperature: 0.5", "Top-k: 40", "Seed: 7", "Top-p: off"):
        assert piece in text
    details.copy_button.click()
    assert QApplication.clipboard().text() == text
    chart = details.chart
    assert chart is not None
    chart.resize(500, 148)
    assert len(chart.speed_line()) == 30 and len(chart.acceptance_line()) == 27
    assert all(chart.area.adjusted(-1, -1, 1, 1).contains(point) for point in chart.speed_line())


def test_without_speculation_there_is_nothing_about_it() -> None:
    plain = dataclasses.replace(WHOLE, proposed=0)
    titles = [group.title for group in figures_of(ChatMessage("assistant", "x", statistics=plain))]
    assert titles == ["Speed"]


def test_the_footer_opens_them(qtbot: QtBot) -> None:
    transcript = Transcript()
    qtbot.addWidget(transcript)
    transcript.resize(800, 600)
    transcript.show()
    transcript.show_messages([ChatMessage("user", "go"), reply()])
    footer = transcript.messages.views[-1].footer
    assert footer is not None
    footer._details.click()
    assert transcript.details is not None
    transcript.details.reject()
    qtbot.waitUntil(lambda: transcript.details is None)
    transcript.show_last_details()
    assert transcript.details is not None

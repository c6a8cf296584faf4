from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.attachments import Attachment
from app.chat_message import ChatMessage
from app.history import History
from app.search import excerpt, query_of, spaced

TEXTS = {
    "sky": "Why is the sky blue? It's Rayleigh scattering.",
    "天": "今天的天空为什么是蓝色的？因为瑞利散射。",
    "code": "Use foo_bar(x) -> 100% of C++ and naïve GPT模型 here.",
    "full": "ＦＵＬＬ width カタカナ 한국어는",
}


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    history = History(tmp_path / "chats.sqlite")
    for name, text in TEXTS.items():
        history.create(name, name)
        history.save_message(name, ChatMessage("user", text, id=f"message {name}"))
    history.index_some()
    yield history
    history.close()


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("SKY is", ["sky"]),
        ("sca", ["sky"]),  # a word that is only begun
        ("cattering", []),
        ("天", ["天"]),  # Chinese words of one character
        ("天空", ["天"]),  # and of two
        ("散射", ["天"]),
        ("空天", []),  # in this order only
        ("天空 蓝色", ["天"]),
        ("模型", ["code"]),
        ("gpt模", ["code"]),
        ("foo_bar", ["code"]),
        ("foo-bar", []),
        ("C++", ["code"]),
        ("->", ["code"]),
        ("100%", ["code"]),
        ("naive", ["code"]),
        ("full", ["full"]),
        ("タカ", ["full"]),
        ("국어", ["full"]),
        ("it's", ["sky"]),
        ('"', []),
        ("\\", []),
        ("AND OR NOT", []),
        ("   ", []),
    ],
)
def test_words_are_found_in_every_script(history: History, search: str, found: list[str]) -> None:
    assert [hit.conversation for hit in history.find(search)] == found


def test_a_hit_is_shown_as_it_is_read(history: History) -> None:
    """A reply that thought first is stored with tags around the thought; nobody sees them in the chat."""
    text = "<think>\nThe moon is grey.\n</think>\n\nThe moon is white."
    history.save_message("sky", ChatMessage("assistant", text, id="reply"))
    history.index_some()
    for search in ("moon", "grey", "white"):
        (hit,) = history.find(search)
        assert hit.line.endswith("on is grey. The moon is white.") and "<" not in hit.line
    assert history.find("think") == []


def test_what_is_deleted_changed_or_growing(history: History) -> None:
    history.delete("sky")
    assert history.find("sky") == []
    history.restore("sky")
    assert len(history.find("sky")) == 1
    history.remove_messages(["message sky"], [], "")
    assert history.find("sky") == []
    history.save_message("code", ChatMessage("user", "sea", id="message code"))
    history.save_message("code", ChatMessage("assistant", "half a lake", id="reply", state="streaming"))
    history.index_some()
    assert history.find("foo_bar") == [] and history.find("lake") == []
    assert [hit.message for hit in history.find("sea")] == ["message code"]


def test_attachments_are_found_and_shown(history: History) -> None:
    log = Attachment("服务器.log", "line one\nconnection refused by host\nline three")
    history.save_message("sky", ChatMessage("user", "What is this?", id="asked", attachments=(log,)))
    history.index_some()
    (hit,) = history.find("refused")
    assert (hit.message, hit.line[hit.start : hit.end]) == ("asked", "refused")
    assert [hit.message for hit in history.find("服务")] == ["asked"]


def test_a_deleted_chat_leaves_no_word_behind(history: History) -> None:
    history.delete("sky")
    history.close()
    again, trouble = History.open(history.path)
    assert trouble == ""
    again.tidy()
    again.close()
    content = b"".join(file.read_bytes() for file in history.path.parent.iterdir()).lower()
    assert b"rayleigh" not in content and b"foo_bar" in content


@given(st.text(max_size=40))
def test_any_search_is_a_query_that_can_be_asked(text: str) -> None:
    import sqlite3

    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
    if query := query_of(text):
        db.execute("SELECT * FROM words WHERE words MATCH ?", (query,)).fetchall()
    db.close()


@given(st.text(alphabet="ab 天空.,\n", max_size=60), st.integers(0, 59), st.integers(1, 4))
def test_every_part_of_a_text_of_whole_words_is_found(text: str, start: int, length: int) -> None:
    part = text[start : start + length]
    line, begin, end = excerpt(text, part)
    assert 0 <= begin <= end <= len(line) and "\n" not in line
    if part.strip() and part in text:
        assert line[begin:end].split() == part.split()


def test_spaced_words_stay_words() -> None:
    assert spaced("GPT模型a").split() == ["GPT", "模", "型", "a"]

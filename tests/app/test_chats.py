from collections.abc import Iterator
from pathlib import Path

import pytest

from app.chats import Chats
from app.conversation import Conversation
from inference.manager.paths import CHATS


@pytest.fixture
def chats(tmp_path: Path) -> Iterator[Chats]:
    chats = Chats(tmp_path, pytest.fail)
    assert chats.trouble == ""
    yield chats
    chats.close()


def ask(chats: Chats, text: str) -> Conversation:
    conversation = Conversation()
    question = conversation.ask(text)
    chats.save(conversation, question)
    chats.touch(conversation)
    return conversation


def test_a_chat_is_listed_from_its_first_message_on(chats: Chats) -> None:
    empty = Conversation()
    assert not chats.knows(empty)
    first, second = ask(chats, "First?"), ask(chats, "Second?")
    assert [row.title for row in chats.rows()] == ["Second?", "First?"]
    assert chats.conversation(first.id) is first
    chats.touch(first)
    assert [row.id for row in chats.rows()] == [first.id, second.id]
    with pytest.raises(KeyError):
        chats.conversation(empty.id)


def test_everything_is_there_in_the_next_session(tmp_path: Path) -> None:
    chats = Chats(tmp_path, pytest.fail)
    kept, gone, back = ask(chats, "Kept?"), ask(chats, "Gone?"), ask(chats, "Back?")
    chats.rename(kept.id, "A better name")
    chats.delete(gone.id)
    assert chats.delete(back.id).title == "Back?"
    chats.restore(back.id)
    answer = kept.begin_reply("run")
    chats.save(kept, answer)
    kept.abandon()
    chats.remove(kept, kept.remove(answer.id))
    chats.close()
    chats = Chats(tmp_path, pytest.fail)
    assert {row.title for row in chats.rows()} == {"A better name", "Back?"}
    again = chats.conversation(kept.id)
    assert again is not kept and again.title == "A better name"
    assert [message.text for message in again.messages] == ["Kept?"]
    chats.close()


def test_a_reply_that_goes_on_in_a_deleted_chat_does_not_bring_it_back(chats: Chats) -> None:
    conversation = ask(chats, "Why?")
    reply = conversation.begin_reply("run")
    chats.delete(conversation.id)
    chats.save(conversation, reply)
    assert chats.rows() == []


def test_search_finds_titles_before_the_disk_has_them(chats: Chats) -> None:
    ask(chats, "ÜBER the sky")
    assert [row.title for row in chats.rows("über")] == ["ÜBER the sky"]
    assert chats.rows("sea") == []


def test_where_nothing_can_be_kept_the_session_still_works(tmp_path: Path) -> None:
    (tmp_path / CHATS).mkdir()
    chats = Chats(tmp_path, pytest.fail)
    assert "neither read nor kept" in chats.trouble
    conversation = ask(chats, "Why?")
    assert chats.conversation(conversation.id).messages
    chats.close()
    assert not chats._history.path.parent.exists()

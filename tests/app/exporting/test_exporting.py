import json
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.attachments import Attachment
from app.chat_message import ChatMessage, Run
from app.exporting.chat_markdown import chat_to_markdown
from app.exporting.export import export_json, export_markdown, file_name
from app.history import ConversationRow, Folder, History, StoredChat
from app.importing.run import import_chats
from inference.errors import UserError
from inference.manager.paths import CHATS
from inference.settings import GenerationSettings, SamplingSettings
from inference.statistics import ReplyStatistics


@st.composite
def chats(draw: st.DrawFn) -> StoredChat:
    number = draw(st.integers(0, 10**9))
    messages: list[ChatMessage] = []
    for place in range(draw(st.integers(1, 8))):
        parent = draw(st.sampled_from(["", *(message.id for message in messages)]))
        text = draw(st.text(max_size=12))
        reply = draw(st.booleans())
        messages.append(
            ChatMessage(
                "assistant" if reply else "user",
                text,
                f"m{number}-{place}",
                parent=parent,
                created=draw(st.floats(0, 1e10)),
                state=draw(st.sampled_from(["finished", "stopped", "failed"])),
                finish_reason=draw(st.sampled_from([None, "end", "length"])),
                error=draw(st.text(max_size=4)),
                runs=[Run(len(text), "accepted", 3)] if reply else [],
                statistics=ReplyStatistics(drafter="n-gram", proposed=place, seed=5) if reply else None,
                settings=GenerationSettings(SamplingSettings(temperature=0.25), stop=("x",)) if reply else None,
                attachments=() if reply else (Attachment("a.py", draw(st.text(max_size=5))),),
                thought_s=draw(st.none() | st.floats(0, 100)),
                edited=draw(st.booleans()),
                model="SmolLM2" if reply else "",
            )
        )
    chosen = {message.parent: message.id for message in messages if draw(st.booleans())}
    row = ConversationRow(f"c{number}", draw(st.text(max_size=6)), 5.0, draw(st.floats(0, 1e10)), draw(st.booleans()))
    return StoredChat(row, messages, chosen, draw(st.text(max_size=3)), {"temperature": 0.5})


def export(history: History, target: Path) -> bytes:
    identifiers = sorted(row.id for row in history.conversations())
    list(export_json(history.path, identifiers, target, threading.Event()))
    return target.read_bytes()


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.lists(chats(), min_size=1, max_size=3, unique_by=lambda chat: chat.row.id))
def test_json_there_and_back_is_exact(tmp_path_factory: pytest.TempPathFactory, some: list[StoredChat]) -> None:
    folder = tmp_path_factory.mktemp("chats")
    first, second = History(folder / "first.sqlite"), History(folder / "second.sqlite")
    first.add_chats(some)
    first.save_folder(Folder("f", "工作"))
    first.move(some[0].row.id, "f")
    before = export(first, folder / "first.json")
    *_, result = import_chats([folder / "first.json"], second.path, threading.Event())
    assert result.skipped_count == 0 and result.new_chats == len(some)
    assert export(second, folder / "second.json") == before
    for chat in some:
        assert first.chat(chat.row.id) == second.chat(chat.row.id)
    *_, again = import_chats([folder / "first.json"], second.path, threading.Event())
    assert (again.new_chats, again.new_messages) == (0, 0)
    first.close()
    second.close()


def test_messages_that_are_in_another_chat_already_get_names_of_their_own(tmp_path: Path) -> None:
    history = History(tmp_path / CHATS)
    message, reply = ChatMessage("user", "Why?", "m"), ChatMessage("assistant", "So.", "n", parent="m")
    for name in ("a", "b"):
        history.add_chats([StoredChat(ConversationRow(name, name, 1.0, 1.0), [message, reply], {"": "m", "m": "n"})])
    assert history.add_chats([StoredChat(ConversationRow("b", "b", 1.0, 1.0), [message, reply])]) == (0, 0)
    for name in ("a", "b"):
        chat = history.chat(name)
        assert chat is not None and [one.text for one in chat.messages] == ["Why?", "So."]
        assert chat.messages[1].parent == chat.messages[0].id == chat.chosen[""]
    history.close()


def test_markdown_shows_what_is_shown(tmp_path: Path) -> None:
    messages = [
        ChatMessage("user", "Why?", "q", attachments=(Attachment("a.py", "x = 1\n"),)),
        ChatMessage("assistant", "Old.", "r1", parent="q"),
        ChatMessage(
            "assistant", "<think>\nHm.\n\nSo.\n</think>\n\nNew.", "r2", parent="q", model="Qwen", thought_s=3.2
        ),
    ]
    chat = StoredChat(ConversationRow("c", "Sky\n# x", 0.0, 0.0), messages, {"q": "r2"})
    text = chat_to_markdown(chat)
    assert text.startswith("# Sky # x\n\n19") and "Old." not in text
    assert "\n## You\n\na.py:\n```py\nx = 1\n```\n\nWhy?\n\n## Foreword (Qwen)\n\n" in text
    assert text.endswith("\n\n> *Thought for 3 s*\n>\n> Hm.\n>\n> So.\n\nNew.\n")


def test_several_chats_as_markdown_are_a_file_each(tmp_path: Path) -> None:
    history = History(tmp_path / CHATS)
    titles = ["Sky", "sky", "a/b: c?", "con", "..."]
    for title in titles:
        message = ChatMessage("user", title)
        history.add_chats([StoredChat(ConversationRow(title, title, 1.0, 1.0), [message])])
    history.close()
    list(export_markdown(tmp_path / CHATS, titles, tmp_path / "out", threading.Event()))
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["Sky.md", "a b c.md", "chat.md", "con chat.md", "sky 2.md"]


def test_what_cannot_be_written_is_told_and_nothing_is_left(tmp_path: Path) -> None:
    History(tmp_path / CHATS).close()
    with pytest.raises(UserError, match="could not be written"):
        list(export_json(tmp_path / CHATS, [], tmp_path / "no folder" / "x.json", threading.Event()))
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(UserError, match="cancelled"):
        list(export_json(tmp_path / CHATS, ["x"], tmp_path / "x.json", cancel))
    assert [path.name for path in tmp_path.iterdir()] == [CHATS]


def test_a_newer_export_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"format": "foreword-chats", "version": 2, "chats": []}))
    *_, result = import_chats([tmp_path / "x.json"], tmp_path / CHATS, threading.Event())
    assert "newer" in result.skipped[0].why


@given(st.text(max_size=80))
def test_every_title_makes_a_name(title: str) -> None:
    name = file_name(title, ".md")
    assert name.endswith(".md") and len(name) > 3 and not set(name) & set('\\/:*?"<>|\0\n')

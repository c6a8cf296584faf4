import json
import random
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.history import History, StoredChat
from app.importing.found import Skipped
from app.importing.run import ImportProgress, import_chats
from app.importing.source import has_chats, read
from app.message_tree import MessageTree
from inference.errors import UserError
from tests.work import calls


def bring(path: Path, database: Path) -> ImportProgress:
    *_, last = import_chats([path], database, threading.Event())
    return last


def chats_in(database: Path) -> dict[str, StoredChat]:
    history = History(database)
    chats = [history.chat(row.id) for row in history.conversations()]
    history.close()
    return {chat.row.title: chat for chat in chats if chat is not None}


def shown(chat: StoredChat) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in MessageTree(chat.messages, chat.chosen).path]


def node(
    name: str, parent: str | None, role: str, parts: list[Any], children: list[str], **more: Any
) -> dict[str, Any]:
    content = {"content_type": "text", "parts": parts} | more.pop("content", {})
    message = {"author": {"role": role}, "content": content, "create_time": 1_700_000_000.5, "metadata": more}
    return {"id": name, "message": message, "parent": parent, "children": children}


CHATGPT = [
    {
        "title": "西湖",
        "conversation_id": "one",
        "create_time": 1_700_000_000.0,
        "update_time": 1_700_000_100.0,
        "current_node": "a1",
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": ["s"]},
            "s": node("s", "root", "system", [""], ["q"], is_visually_hidden_from_conversation=True),
            "q": node("q", "s", "user", ["Where?", {"content_type": "image_asset_pointer"}], ["t", "a2"]),
            "t": node("t", "q", "assistant", [], ["tool"], content={"content_type": "thoughts", "thoughts": [
                {"summary": "Think", "content": "Hm."}]}),
            "tool": node("tool", "t", "tool", ["found it"], ["a1"]),
            "a1": node("a1", "tool", "assistant", ["In Hangzhou."], [], model_slug="gpt-5"),
            "a2": node("a2", "q", "assistant", ["Nowhere."], ["q2"]),
            "q2": node("q2", "a2", "user", ["Really?"], []),
        },
    },
    {"title": "Empty", "conversation_id": "two", "mapping": {}},
    {"title": "Damaged", "mapping": None},
]  # fmt: skip


def test_chatgpt_with_its_branches(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps(CHATGPT))
        archive.writestr("user.json", "{}")
    result = bring(tmp_path / "export.zip", tmp_path / "chats.sqlite")
    assert (result.new_chats, result.new_messages, result.known) == (1, 4, 0)
    assert result.done == result.total > 0
    whys = [skipped.why for skipped in result.skipped]
    assert whys == [
        "1 × picture or file",
        "1 × message of a tool",
        "none of its messages has text",
        "it has no messages",
    ]
    (chat,) = chats_in(tmp_path / "chats.sqlite").values()
    assert shown(chat) == [("user", "Where?"), ("assistant", "<think>\nHm.\n</think>\n\nIn Hangzhou.")]
    assert chat.messages[1].model == "gpt-5" and chat.row.updated == 1_700_000_100.0
    tree = MessageTree(chat.messages, chat.chosen)
    tree.show(next(message.id for message in tree if message.text == "Really?"))
    assert [message.text for message in tree.path] == ["Where?", "Nowhere.", "Really?"]
    again = bring(tmp_path / "export.zip", tmp_path / "chats.sqlite")
    assert (again.new_chats, again.new_messages, again.known) == (0, 0, 4)


def write_parts(archive: zipfile.ZipFile) -> None:
    """As ChatGPT writes a large export."""
    for number, chat in enumerate(CHATGPT[:2]):
        archive.writestr(f"conversations-00{number}.json", json.dumps([chat]))
    archive.writestr("shared_conversations.json", json.dumps([{"id": "s", "title": "西湖", "is_anonymous": True}]))
    archive.writestr("user.json", json.dumps({"id": "user", "email": "a@b.c"}))


def test_chatgpt_in_parts_and_nothing_said_of_the_other_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        write_parts(archive)
        archive.extractall(tmp_path / "unpacked")
    assert has_chats(tmp_path / "export.zip") and has_chats(tmp_path / "unpacked")
    result = bring(tmp_path / "export.zip", tmp_path / "chats.sqlite")
    assert (result.new_chats, result.new_messages) == (1, 4)
    assert {skipped.where for skipped in result.skipped} == {"西湖", "conversations-001.json, chat 1: Empty"}
    again = bring(tmp_path / "unpacked", tmp_path / "chats.sqlite")
    assert (again.new_messages, again.known, again.skipped_count) == (0, 4, result.skipped_count)


def test_several_files_are_brought_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.jsonl", "gone.json", "b.ndjson")]
    for path in (paths[0], paths[2]):
        path.write_text(json.dumps({"messages": [{"role": "user", "content": path.name}]}))
    fractions = []
    for result in import_chats(paths, tmp_path / "chats.sqlite", threading.Event()):
        fractions.append(result.done / max(1, result.total))
    assert sorted(chats_in(tmp_path / "chats.sqlite")) == ["a.jsonl", "b.ndjson"]
    assert fractions == sorted(fractions) and fractions[-1] == 1.0
    assert [skipped.where for skipped in result.skipped] == ["gone.json"]


def test_a_chat_that_has_grown_gets_what_is_new(tmp_path: Path) -> None:
    path, database = tmp_path / "conversations.json", tmp_path / "chats.sqlite"
    path.write_text(json.dumps(CHATGPT))
    bring(path, database)
    chat = json.loads(json.dumps(CHATGPT[0]))
    chat["mapping"]["a1"]["children"] = ["more"]
    chat["mapping"]["more"] = node("more", "a1", "user", ["And then?"], [])
    chat["current_node"] = "more"
    path.write_text(json.dumps([chat]))
    result = bring(path, database)
    assert (result.new_chats, result.new_messages, result.known) == (0, 1, 4)
    assert shown(chats_in(database)["西湖"])[-1] == ("user", "And then?")


def test_sharegpt_and_openai_lines(tmp_path: Path) -> None:
    lines = [
        {"id": "x", "conversations": [{"from": "system", "value": "Be brief."}, {"from": "human", "value": "Hi"}]},
        {
            "conversations": [
                {"from": "human", "value": "Ho"},
                {"from": "gpt", "value": "Ha"},
                {"from": "owl", "value": "Hu"},
            ]
        },
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "One"}, {"type": "image_url"}]}]},
        {"messages": [{"role": "user", "content": "One"}]},
        {"messages": [{"role": "tool", "content": "x"}, {"role": "user", "content": None}]},
        {"prompt": "?"},
        7,
    ]
    text = "\n".join(json.dumps(line) for line in lines) + "\n{broken\n\n"
    (tmp_path / "talk.jsonl").write_text(text)
    result = bring(tmp_path / "talk.jsonl", tmp_path / "chats.sqlite")
    chats = chats_in(tmp_path / "chats.sqlite")
    assert sorted(chats) == ["Hi", "Ho", "One"]
    assert chats["Hi"].overrides == {"system_prompt": "Be brief."}
    assert shown(chats["Ho"]) == [("user", "Ho"), ("assistant", "Ha")]
    assert (result.new_messages, result.known, result.skipped_count) == (4, 1, 5)
    assert [skipped.where for skipped in result.skipped[1:]] == [f"talk.jsonl, line {n}" for n in (5, 6, 7, 8)]


def test_lm_studio_with_versions_steps_and_nulls(tmp_path: Path) -> None:
    def block(text: str, style: str = "default") -> dict[str, Any]:
        return {"type": "contentBlock", "content": [{"type": "text", "text": text}], "style": {"type": style}}

    def reply(*steps: Any) -> dict[str, Any]:
        return {"type": "multiStep", "role": "assistant", "senderInfo": {"senderName": "qwen"}, "steps": list(steps)}

    def asked(text: str) -> dict[str, Any]:
        return {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": text}, None]}

    chat = {
        "name": None,
        "createdAt": 1_700_000_000_000,
        "pinned": True,
        "systemPrompt": "Be kind.",
        "messages": [
            {"versions": [asked("Why?"), None], "currentlySelected": 0},
            {
                "versions": [
                    reply(
                        block("Hm.", "thinking"), None, {"type": "debugInfoBlock", "debugInfo": "x"}, block("Light.")
                    ),
                    reply(block("Air.")),
                    None,
                ],
                "currentlySelected": 1,
            },
            None,
            {"versions": None, "currentlySelected": None},
            {
                "versions": [{"role": "user", "content": [{"type": "file", "fileType": "image"}]}],
                "currentlySelected": 0,
            },
            {"versions": [asked("And?")], "currentlySelected": None},
        ],
    }
    folder = tmp_path / "conversations" / "work"
    folder.mkdir(parents=True)
    (folder / "1700000000000.conversation.json").write_text(json.dumps(chat))
    result = bring(tmp_path / "conversations", tmp_path / "chats.sqlite")
    (stored,) = chats_in(tmp_path / "chats.sqlite").values()
    assert stored.row.title == "Why?" and stored.row.pinned and stored.overrides == {"system_prompt": "Be kind."}
    assert shown(stored) == [("user", "Why?"), ("assistant", "Air."), ("user", "And?")]
    assert [m.text for m in stored.messages if m.model] == ["<think>\nHm.\n</think>\n\nLight.", "Air."]
    assert [skipped.why for skipped in result.skipped] == ["1 × picture or file"]
    assert bring(tmp_path / "conversations", tmp_path / "chats.sqlite").new_messages == 0


def many_chats() -> str:
    """Too many for one chunk of the reading, and such as cannot be packed away."""
    letters = random.Random(1)
    chats = [{"messages": [{"role": "user", "content": letters.randbytes(6_000).hex()}]} for _ in range(400)]
    return json.dumps(chats)


def test_what_comes_before_a_damaged_place_is_brought(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations-1.json", many_chats())
        archive.writestr("conversations-2.json", json.dumps(CHATGPT))
    content = bytearray((tmp_path / "export.zip").read_bytes())
    middle = len(content) * 3 // 4
    content[middle : middle + 64] = b"\xff" * 64
    (tmp_path / "export.zip").write_bytes(content)
    result = bring(tmp_path / "export.zip", tmp_path / "chats.sqlite")
    assert [(one.where, one.why) for one in result.skipped[:1]] == [
        ("conversations-1.json", "from here on it is damaged")
    ]
    assert 10 < result.new_chats < 400 and "西湖" in chats_in(tmp_path / "chats.sqlite")


def test_a_cut_text_says_where_it_ends(tmp_path: Path) -> None:
    chat = json.dumps({"messages": [{"role": "user", "content": "Why?"}]})
    (tmp_path / "in.json").write_text(f"[{chat}, {chat[:20]}")
    (skipped,) = [found for found in read(tmp_path / "in.json") if isinstance(found, Skipped)]
    assert skipped == Skipped("in.json, chat 2", "from here on it is no JSON")


@pytest.mark.parametrize(
    ("change", "why"),
    [("password", "it is locked with a password"), ("packing", "it is packed in a way we cannot open")],
)
def test_what_cannot_be_unpacked_is_left_out(tmp_path: Path, change: str, why: str) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("conversations-1.json", json.dumps(CHATGPT))
        archive.writestr("conversations-2.json", json.dumps(CHATGPT))
    content = bytearray((tmp_path / "export.zip").read_bytes())
    at = content.index(b"PK\x01\x02") + (8 if change == "password" else 10)  # of the first entry's line in the list
    content[at] = 1 if change == "password" else 99
    (tmp_path / "export.zip").write_bytes(content)
    result = bring(tmp_path / "export.zip", tmp_path / "chats.sqlite")
    assert Skipped("conversations-1.json", why) in result.skipped and result.new_chats == 1


def test_what_holds_no_chats_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with zipfile.ZipFile(tmp_path / "pictures.zip", "w") as archive:
        archive.writestr("a.png", b"")
    for name in ("empty", "pictures.zip", "nobody.json"):
        with pytest.raises(UserError, match=name):
            bring(tmp_path / name, tmp_path / "chats.sqlite")


def test_chats_without_a_time_are_listed_as_the_file_has_them(tmp_path: Path) -> None:
    names = [f"Chat {number}" for number in range(40)]
    chats = [{"id": name, "title": name, "messages": [{"role": "user", "content": "Why?"}]} for name in names]
    (tmp_path / "talk.jsonl").write_text("\n".join(map(json.dumps, chats)))
    bring(tmp_path / "talk.jsonl", tmp_path / "chats.sqlite")
    history = History(tmp_path / "chats.sqlite")
    assert [row.title for row in history.conversations()] == names
    history.close()


def test_what_is_deleted_comes_back_when_it_is_imported_again(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(json.dumps(CHATGPT))
    database = tmp_path / "chats.sqlite"
    bring(tmp_path / "c.json", database)
    history = History(database)
    history.delete(history.conversations()[0].id)
    history.close()
    assert bring(tmp_path / "c.json", database).new_chats == 1
    assert len(chats_in(database)) == 1


def test_cancelling_keeps_what_was_read_and_can_be_taken_up(tmp_path: Path) -> None:
    lines = [{"messages": [{"role": "user", "content": f"Question {n}"}]} for n in range(3000)]
    (tmp_path / "talk.jsonl").write_text("\n".join(map(json.dumps, lines)))
    cancel, database = threading.Event(), tmp_path / "chats.sqlite"
    for progress in import_chats([tmp_path / "talk.jsonl"], database, cancel):
        if progress.new_messages:
            cancel.set()
    assert progress.cancelled and 0 < progress.new_messages < 3000
    assert bring(tmp_path / "talk.jsonl", database).new_messages == 3000 - progress.new_messages


def test_a_message_of_a_large_import_costs_no_more_than_one_of_a_small_one(tmp_path: Path) -> None:
    words = "A reply of some length, with 中文 in it. " * 8
    turns = [(role, turn) for turn in range(10) for role in ("user", "assistant")]

    def work(chats: int) -> int:
        lines = [
            {"messages": [{"role": role, "content": f"{n} {turn} {words}"} for role, turn in turns]}
            for n in range(chats)
        ]
        file = tmp_path / f"{chats}.jsonl"
        file.write_text("\n".join(map(json.dumps, lines)))
        results: list[ImportProgress] = []
        count = calls(lambda: results.append(bring(file, tmp_path / f"{chats}.sqlite")))
        assert results[0].new_messages == 20 * chats
        return count

    assert work(500) < 12 * work(50)


KEYS = [
    "mapping", "messages", "conversations", "versions", "steps", "content", "role", "from", "value",
    "message", "author", "parts", "children", "parent", "createdAt", "type", "text", "currentlySelected",
    "format", "version", "chats", "create_time", "metadata", "title", "id",
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.sampled_from(["user", "assistant", "text"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)  # fmt: skip


@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(JSON, st.sampled_from([".json", ".jsonl"]))
def test_no_file_stops_an_import(tmp_path_factory: pytest.TempPathFactory, value: Any, ending: str) -> None:
    path = tmp_path_factory.getbasetemp() / f"any{ending}"
    path.write_text(json.dumps(value))
    for found in read(path):
        if isinstance(found, StoredChat):
            before = {""}
            for message in found.messages:
                assert message.parent in before and message.text.strip()
                before.add(message.id)
        elif isinstance(found, Skipped):
            assert found.why

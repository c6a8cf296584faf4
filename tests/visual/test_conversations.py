"""Pictures of what can be done with chats and messages, for people to look at: tests/visual/out/chats-*.png."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from app.attachments import Attachment
from app.chat_message import ChatMessage
from app.history import ConversationRow, Folder, History, StoredChat
from app.theme import DARK, LIGHT, Theme
from app.views.import_dialog import ImportDialog
from app.views.restore_dialog import BackupChoice, RestoreDialog
from app.views.window import Window
from inference.statistics import ReplyStatistics
from tests.app.program import Program
from tests.visual.picture import picture

FIGURES = ReplyStatistics(
    mode="automatic", reply_tokens=90, decode_s=0.8, draft_s=0.1, time_to_first_token_s=0.2, rounds=30, proposed=80,
    verified=75, accepted=60,
)  # fmt: skip
THOUGHT = "The person asks about two lists.\n\n- both are sorted\n- so one pass is enough"


def chats() -> list[StoredChat]:
    code = Attachment("merge_sort_helpers.py", "def merge(a, b):\n    pass\n" * 40)
    question = ChatMessage(
        "user", "How do I merge these? 怎么合并？", "q1", attachments=(code, Attachment("数据.csv", "1,2\n"))
    )
    other = ChatMessage("user", "How do I merge them?", "q0")
    reply = ChatMessage(
        "assistant", f"<think>\n{THOUGHT}\n</think>\n\nWalk both lists **once** and take the smaller head.", "r1",
        parent="q1", statistics=FIGURES, thought_s=3.4, finish_reason="end",
    )  # fmt: skip
    again = ChatMessage("assistant", "Use `heapq.merge`.", "r2", parent="q1", statistics=FIGURES)
    stopped = ChatMessage("user", "And three?", "q2", parent="r1")
    half = ChatMessage("assistant", "With three lists a heap", "r3", parent="q2", state="stopped", statistics=FIGURES)
    now = time.time()
    merging = ConversationRow("merging", "Merging sorted lists", now, now - 60, pinned=True)
    talk = StoredChat(merging, [other, question, reply, again, stopped, half], {"": "q1", "q1": "r1"})
    rows = [
        ConversationRow("w1", "Quarterly report", now, now - 9e5, folder="work"),
        ConversationRow("w2", "一封给房东的信", now, now - 8e5, folder="work"),
        ConversationRow("sky", "Why the sky is blue", now, now - 3600),
        ConversationRow("rome", "Notes on Rome", now, now - 90_000),
        ConversationRow("lake", "西湖", now, now - 9e5),
    ]
    return [talk, *(StoredChat(row, [ChatMessage("user", f"{row.title}: tell me about lists")]) for row in rows)]


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[Theme], Program]]:
    programs: list[Program] = []

    def make(theme: Theme) -> Program:
        history = History(tmp_path / "data" / "chats.sqlite")
        history.save_folder(Folder("work", "Work 工作"))
        history.add_chats(chats())
        while history.index_some():
            pass
        history.close()
        programs.append(Program(qtbot, tmp_path, session={"appearance": theme.name}).start())
        return programs[-1]

    yield make
    for program in programs:
        program.application.close()
        program.window.deleteLater()
        program.application.deleteLater()


def colours(image: QImage) -> set[str]:
    step = 5 * round(image.devicePixelRatio())
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), step) for y in range(0, image.height(), 2)}


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_versions_thoughts_files_and_folders(
    make: Callable[[Theme], Program], theme: Theme, ratio: int, tmp_path: Path
) -> None:
    program = make(theme)
    window: Window = program.window
    window.sidebar.chosen.emit("merging")
    (tmp_path / "notes.md").write_text("one two three " * 30)
    window.composer.set_text("What about this file?")
    window.composer.files_offered.emit([str(tmp_path / "notes.md")])
    window.composer.presets.chosen.emit("Code")
    program.qtbot.waitUntil(lambda: any("tokens" in one.chip.note for one in window.composer.attachments.chips))
    image = picture(window, f"chats-folded-{theme.name}-{ratio}x", ratio)
    assert {theme.ground, theme.raised, theme.line} <= colours(image)
    thought = window.transcript.messages.views[1].thought
    assert thought is not None
    thought.line.click()
    window.transcript.messages.views[0].head.set_busy(True)
    unfolded = picture(window, f"chats-unfolded-{theme.name}-{ratio}x", ratio)
    assert unfolded != image
    window.transcript.edit("q1")
    window.transcript.delete_requested.emit("r3")
    edited = picture(window, f"chats-editing-{theme.name}-{ratio}x", ratio)
    assert QColor(theme.accent).name() in colours(edited)  # the editor's button


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_searching(make: Callable[[Theme], Program], theme: Theme) -> None:
    program = make(theme)
    sidebar = program.window.sidebar
    with program.qtbot.waitSignal(program.application.searcher.found):
        sidebar.search.setText("lists")
    program.qtbot.waitUntil(lambda: "In messages" in sidebar.titles())
    sidebar.go(3)
    image = picture(program.window, f"chats-searching-{theme.name}", 1)
    assert theme.accent_soft in colours(image)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_dialogs(make: Callable[[Theme], Program], theme: Theme) -> None:
    program = make(theme)
    dialog = ImportDialog(program.window, "chatgpt-export.zip")
    dialog.show_progress(0.4, 412, 10_233, 20, 0)
    dialog.show()
    picture(dialog, f"chats-importing-{theme.name}", 1)
    dialog.show_progress(1.0, 500, 12_400, 20, 2)
    dialog.finish("chatgpt-export.zip was imported.", ["Lisbon: 2 × picture or file", "chat 7: it has no messages"])
    picture(dialog, f"chats-imported-{theme.name}", 1)
    dialog.close()
    backups = [BackupChoice(Path("a.sqlite"), 1.8e9 - day * 86_400, 4_200_000) for day in range(4)]
    restore = RestoreDialog(program.window, backups)
    restore.show()
    image = picture(restore, f"chats-restoring-{theme.name}", 1)
    assert QColor(theme.accent).name() in colours(image)
    restore.close()

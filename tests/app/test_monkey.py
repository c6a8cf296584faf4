"""Five hundred random actions in the window: no exception, no message lost, and the disk has what the window shows."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from app.chats import Chats
from app.history import History
from app.views.chat_list_model import Group
from inference.manager.paths import CHATS
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.app.scripted_engine import Gate, ScriptedEngine, rounds

ACTIONS = 500
TEXTS = [
    "Why?",
    "天空为什么是蓝色的？",
    "<think>",
    "```python\nx = 1",
    "| a |\n|---|",
    "",
    "🙂‍↔️ \u202eright",
    "word " * 60,
]


class Monkey:
    def __init__(self, program: Program, folder: Path, seed: int) -> None:
        self.program = program
        self.window = program.window
        self.application = program.application
        self.chance = random.Random(seed)
        self.kept: dict[str, str] = {}  # every message that ought to be there, and its chat
        self.files = []
        for number, text in enumerate(TEXTS):
            path = folder / f"file {number}.txt"
            path.write_text(text)
            self.files.append(str(path))

    def act(self) -> None:
        actions: list[tuple[int, Callable[[], None]]] = [
            (8, self.ask), (4, self.stop), (4, self.regenerate), (4, self.edit), (5, self.step), (3, self.delete),
            (3, self.undo), (2, self.branch), (2, self.go_on), (3, self.new), (6, self.choose), (1, self.rename),
            (1, self.pin), (2, self.file_away), (1, self.delete_chat), (2, self.search), (2, self.preset),
            (2, self.attach), (2, self.resize), (1, self.toggle), (2, self.write), (2, self.edit_in_place),
            (3, self.try_out), (2, self.set), (1, self.find), (1, self.settings),
        ]  # fmt: skip
        chosen = self.chance.choices([act for _, act in actions], [weight for weight, _ in actions])[0]
        chosen()
        for _ in range(self.chance.randrange(4)):
            QCoreApplication.processEvents()
        self.note()

    def note(self) -> None:
        """Whatever is in an open chat stays, unless it is deleted."""
        for conversation in self.application.chats._open.values():
            for message in conversation.tree:
                self.kept.setdefault(message.id, conversation.id)

    def message(self, role: str = "") -> str:
        ids = [m.id for m in self.application.conversation.messages if role in ("", m.role)]
        return self.chance.choice(ids) if ids else ""

    def chat(self) -> str:
        rows = self.application.chats.rows()
        return self.chance.choice(rows).id if rows else ""

    def ask(self) -> None:
        self.window.composer.set_text(self.chance.choice(TEXTS))
        self.window.composer.button.click()

    def stop(self) -> None:
        self.window.stop_requested.emit()

    def regenerate(self) -> None:
        if message := self.message("assistant"):
            self.window.transcript.regenerate_requested.emit(message)

    def edit(self) -> None:
        if message := self.message():
            self.window.transcript.edited.emit(message, self.chance.choice(TEXTS) or "x")

    def edit_in_place(self) -> None:
        self.window.edit_requested.emit()
        for view in self.window.transcript.messages.views:
            if view.editor is not None and self.chance.random() < 0.7:
                (view.editor.save if self.chance.random() < 0.5 else view.end_edit)()
                break

    def step(self) -> None:
        if message := self.message():
            self.window.transcript.version_requested.emit(message, self.chance.choice([-1, 1]))

    def delete(self) -> None:
        before = {message.id for message in self.application.conversation.tree}
        if message := self.message():
            self.window.transcript.delete_requested.emit(message)
        for gone in before - {message.id for message in self.application.conversation.tree}:
            self.kept.pop(gone, None)

    def undo(self) -> None:
        if self.window.banners.banner("undo") is not None:
            self.program.press_in_banner("undo", "Undo")

    def branch(self) -> None:
        if message := self.message():
            self.window.transcript.branch_requested.emit(message)

    def go_on(self) -> None:
        self.window.continue_requested.emit()

    def new(self) -> None:
        self.window.new_requested.emit()

    def choose(self) -> None:
        if chat := self.chat():
            self.window.sidebar.chosen.emit(chat)

    def rename(self) -> None:
        if chat := self.chat():
            self.window.sidebar.renamed.emit(chat, self.chance.choice(TEXTS))

    def pin(self) -> None:
        if chat := self.chat():
            self.window.sidebar.pin_requested.emit(chat, self.chance.random() < 0.5)

    def file_away(self) -> None:
        chat, folders = self.chat(), self.application.chats.folders()
        if chat and (not folders or self.chance.random() < 0.3):
            self.window.sidebar.folder_requested.emit(chat, f"Folder {self.chance.randrange(4)}")
        elif folders and self.chance.random() < 0.2:
            sidebar, folder = self.window.sidebar, self.chance.choice(folders).id
            with_chats = self.chance.random() < 0.3 and self.application.chats.listed_in(folder)
            (sidebar.folder_delete_requested if with_chats else sidebar.folder_remove_requested).emit(folder)
        elif chat and self.chance.random() < 0.5:
            group = self.chance.choice([Group(), Group(pinned=True), *(Group(one.id) for one in folders)])
            self.window.sidebar.dropped.emit(chat, group)
        elif chat:
            self.window.sidebar.move_requested.emit(chat, self.chance.choice(["", *(one.id for one in folders)]))

    def delete_chat(self) -> None:
        if chat := self.chat():
            self.window.sidebar.delete_requested.emit(chat)

    def search(self) -> None:
        self.window.sidebar.search.setText(self.chance.choice(["", "", "why", "天空", "<think>", '"']))
        self.window.sidebar.search_changed.emit(self.window.sidebar.search.text())
        self.window.sidebar.go(self.chance.choice([-1, 1, 2]))

    def preset(self) -> None:
        self.window.composer.presets.chosen.emit(self.chance.choice(["", "Code", "Story"]))

    def attach(self) -> None:
        if self.window.composer.attachments.chips:
            self.window.composer.attachment_removed.emit(0)
        else:
            self.window.composer.files_offered.emit(self.chance.sample(self.files, 2))

    def resize(self) -> None:
        self.window.resize(self.chance.randrange(500, 1400), self.chance.randrange(430, 900))

    def toggle(self) -> None:
        self.chance.choice([self.window.toggle_sidebar, self.window.toggle_gauges, self.window.toggle_settings])()

    def try_out(self) -> None:
        """Compare, check or measure: open, begin, close and stop in any order."""
        speed = self.application.speed
        run = self.chance.choice([speed.comparing, speed.checking, speed.benchmarks])
        page = run.page
        act = self.chance.choice([run.open_page, page.start_button.click, page.stop_button.click, page.reject])
        act()
        if run is speed.comparing:
            what = speed.comparing.page.choice.what
            what.setCurrentIndex(self.chance.randrange(what.count()))

    def set(self) -> None:
        name, value = self.chance.choice(
            [("temperature", 0.0), ("temperature", 1.2), ("speculation", "off"), ("speculation", "automatic"),
             ("draft_length", 2), ("drafter", "ngram"), ("drafter", "automatic"), ("zoom", 100), ("zoom", 120),
             ("show_tokens", True), ("show_tokens", False)]
        )  # fmt: skip
        self.application.change_one_here(name, value)

    def find(self) -> None:
        self.window.transcript.open_find()
        self.window.transcript.step_hit(self.chance.choice([-1, 1]))
        if self.chance.random() < 0.5:
            self.window.transcript.close_find()

    def settings(self) -> None:
        self.window.all_settings_requested.emit()
        dialog = self.application.all_settings.dialog
        assert dialog is not None
        dialog.search.setText(self.chance.choice(["", "draft", "温度"]))
        if self.chance.random() < 0.7:
            dialog.reject()

    def write(self) -> None:
        self.window.composer.set_text(self.chance.choice(TEXTS))


def test_five_hundred_random_actions(make_program: MakeProgram, tmp_path: Path) -> None:
    gates = [Gate() for _ in range(3)]
    replies = [rounds(["<think>\n", "Hm.", "\n</think>\n\n", "Because", " ", "**it**", " is."]) for _ in range(4)]
    replies += [[*rounds(["Slow", " words"])[:-1], gate, *rounds(["."])[-1:]] for gate in gates]
    replies += [rounds([word + " " for word in text.split(" ")]) for text in TEXTS if text]
    random.Random(1).shuffle(replies)
    program = make_program(engine=ScriptedEngine(*(replies * 30))).start()
    program.application.titles._timer.setInterval(1)
    monkey = Monkey(program, tmp_path, int(os.environ.get("MONKEY_SEED", "7")))
    for number in range(ACTIONS):
        monkey.act()
        if number % 50 == 25:
            gates[number // 50 % 3].set()
    for gate in gates:
        gate.set()
    program.window.stop_requested.emit()
    program.qtbot.waitUntil(lambda: not program.application.replying, timeout=WAIT_MS)
    monkey.note()
    listed = {row.id for row in program.application.chats.rows()}
    shown = {
        chat: conversation.tree for chat, conversation in program.application.chats._open.items() if chat in listed
    }
    paths = {chat: [message.id for message in tree.path] for chat, tree in shown.items()}
    wanted = {message for message, chat in monkey.kept.items() if chat in listed}
    assert len(wanted) > 30 and len(listed) > 5
    program.application.close()
    history = History(program.chats_folder / CHATS)
    found = {message.id: message for row in history.conversations() for message in history.messages(row.id)}
    assert wanted == set(found)
    history.close()
    again = Chats(program.chats_folder, pytest.fail)
    for chat, path in paths.items():
        conversation = again.conversation(chat)
        assert [message.id for message in conversation.messages] == path
        assert {m.id: m.text for m in conversation.tree} == {m.id: m.text for m in shown[chat]}
    again.close()

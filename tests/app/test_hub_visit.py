"""The dialog of the model hub: an address and a token, and what is said of them."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.views.hub_dialog import HubDialog
from inference.manager import addresses
from inference.manager.hub_choice import chosen_hub
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.inference.manager.test_hub_token import SECRET, MemoryKeyring


@pytest.fixture
def ring() -> Iterator[MemoryKeyring]:
    before = keyring.get_keyring()
    made = MemoryKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def opened(program: Program) -> HubDialog:
    manager = program.application.model_manager
    manager.open_page()
    assert manager.page is not None
    with program.qtbot.waitSignal(manager.hub.changed):
        manager.page.hub.click()
    assert manager.hub.dialog is not None
    return manager.hub.dialog


def test_the_dialog_has_room_for_all_its_words(make_program: MakeProgram) -> None:
    dialog = opened(make_program())
    dialog.show_token(kept=False, keyring=False, variable=False)
    dialog.show_message("127.0.0.1 is not the address of a hub. Write it with https:// in front. " * 4)
    check_room(dialog)


def test_words_that_come_when_it_is_shown_have_room_too(qtbot: QtBot) -> None:
    dialog = HubDialog(None, [("A hub", "https://example.org")])
    qtbot.addWidget(dialog)
    dialog.show_message("")
    dialog.show()
    QApplication.processEvents()
    dialog.show_token(kept=False, keyring=False, variable=False)
    dialog.show_message("")
    check_room(dialog)


def check_room(dialog: HubDialog) -> None:
    QApplication.processEvents()
    for label in (label for label in dialog.findChildren(QLabel) if label.wordWrap() and label.isVisible()):
        assert label.height() >= label.heightForWidth(label.width()), label.text()


def test_a_token_is_kept_and_deleted(make_program: MakeProgram, ring: MemoryKeyring, tmp_path: Path) -> None:
    program = make_program()
    dialog = opened(program)
    changed = program.application.model_manager.hub.changed
    assert dialog.address.currentText() == addresses.HUB and "ask for an account" in dialog.state
    assert not dialog.clear.isEnabled()
    with program.qtbot.waitSignal(changed):
        dialog.token.setText(SECRET)
        dialog.keep.click()
    assert dialog.token.text() == "" and list(ring.kept.values()) == [SECRET] and "keeps a token" in dialog.state
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    with program.qtbot.waitSignal(changed):
        dialog.clear.click()
    assert not ring.kept
    dialog.token.setText("two words")
    dialog.keep.click()
    program.qtbot.waitUntil(lambda: "not a token" in dialog.message)


def test_a_mirror_is_offered_and_an_own_address_is_checked(make_program: MakeProgram) -> None:
    program = make_program()
    dialog = opened(program)
    assert "HF_TOKEN" in dialog.state and not dialog.keep.isEnabled()  # no keyring here
    changed = program.application.model_manager.hub.changed
    with program.qtbot.waitSignal(changed):
        dialog.address.setCurrentIndex(dialog.address.findText(addresses.MIRROR))
        dialog.address.activated.emit(1)
    assert addresses.hub() == addresses.MIRROR
    dialog.address.setEditText("gopher://hub")
    dialog.address.activated.emit(0)
    program.qtbot.waitUntil(lambda: "not the address" in dialog.message)
    assert chosen_hub() == addresses.MIRROR
    with program.qtbot.waitSignal(changed):
        dialog.address.setEditText(addresses.HUB)
        dialog.address.activated.emit(0)
    assert chosen_hub() == ""


def test_the_environment_goes_before(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.example")
    monkeypatch.setenv("HF_TOKEN", SECRET)
    dialog = opened(make_program())
    assert dialog.address.currentText() == "https://mirror.example" and not dialog.address.isEnabled()
    assert dialog.state == "The token of HF_TOKEN is used."

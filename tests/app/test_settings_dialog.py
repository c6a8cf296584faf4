"""One dialog with every setting: found in both languages, explained, changed, taken back."""

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.settings import TABLE, Settings
from app.theme import LIGHT
from app.views.segmented import Segmented
from app.views.settings_dialog import ELSEWHERE, SettingsDialog
from app.views.toggle import Toggle
from tests.app.conftest import MakeProgram


@pytest.fixture
def dialog(qtbot: QtBot) -> SettingsDialog:
    dialog = SettingsDialog(None, LIGHT)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def shown(dialog: SettingsDialog) -> set[str]:
    return {name for name, row in dialog.rows.items() if row.isVisible()}


def test_every_setting_is_there_with_its_sentence(dialog: SettingsDialog) -> None:
    assert set(dialog.rows) == {setting.name for setting in TABLE} - ELSEWHERE
    for row in dialog.rows.values():
        assert row.help is not None and row.help.text() == row.setting.help
        assert row.control.accessibleName() and row.reset.accessibleName()


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("temper", "temperature"),
        ("likeliest token", "temperature"),
        ("温度", "temperature"),
        ("深色", "appearance"),
        ("float16", "precision"),
        ("LANGUAGE window", "language"),
    ],
)
def test_it_is_found_by_name_and_help_in_both_languages(dialog: SettingsDialog, question: str, found: str) -> None:
    dialog.search.setText(question)
    assert found in shown(dialog) and len(shown(dialog)) < 12
    visible = [dialog.sections.item(i).isHidden() for i in range(dialog.sections.count())]
    assert not all(visible) and any(visible)
    dialog.search.clear()
    assert shown(dialog) == set(dialog.rows)


def test_nothing_found_is_said(dialog: SettingsDialog) -> None:
    dialog.search.setText("no such thing")
    assert not shown(dialog) and dialog._nothing.isVisible()


def test_a_change_is_told_and_taken_back(dialog: SettingsDialog) -> None:
    told: list[Settings] = []
    dialog.changed.connect(told.append)
    toggle = dialog.rows["name_chats"].control
    assert isinstance(toggle, Toggle)
    toggle.click()
    dialog.rows["name_chats"].reset.click()
    assert [settings.name_chats for settings in told] == [False, True]
    dialog.show_settings(Settings(temperature=1.5, model="a"))
    dialog._reset_all.click()
    assert told[-1] == Settings(model="a")


def test_a_section_is_gone_to(dialog: SettingsDialog, qtbot: QtBot) -> None:
    dialog.sections.setCurrentRow(dialog.sections.count() - 1)
    bar = dialog._scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() > 0)


def test_another_language_opens_the_window_again_with_one_click(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.window.all_settings_requested.emit()
    dialog = program.application.all_settings.dialog
    assert dialog is not None
    segments = dialog.rows["language"].control
    assert isinstance(segments, Segmented)
    segments.buttons["zh"].click()
    assert program.application.settings.language == "zh"
    assert program.window.shortcuts[0].text() == "New chat", "never half translated"
    assert program.banner("language") == "The language changes when the window is opened again."
    segments.buttons["en"].click()
    assert program.banner("language") == ""
    segments.buttons["zh"].click()
    again = next(one for one in dialog.findChildren(QPushButton) if one.text() == "Open again now")
    with program.qtbot.waitSignal(program.application.closed):
        again.click()
    assert program.application.reopening

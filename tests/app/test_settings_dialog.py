"""One dialog with every setting: found in both languages, explained, changed, taken back."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.models_place import ModelsPlace
from app.settings import TABLE, Settings
from app.theme import LIGHT
from app.views.segmented import Segmented
from app.views.settings_dialog import ELSEWHERE, SettingsDialog
from app.views.toggle import Toggle
from inference.manager.paths import models_folder
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


def test_nothing_is_called_the_same_twice(dialog: SettingsDialog) -> None:
    """A row that its group is named after has the group's heading alone."""
    texts = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible() and label.text()]
    names = {row.setting.label for row in dialog.rows.values()} | {one.text() for one in dialog._headings.values()}
    assert [text for text in texts if text in names].count("Speculation") == 1
    assert all(texts.count(name) == 1 for name in names), texts


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


@pytest.mark.parametrize("question", ["folder", "models", "Models folder", "模型", "文件夹", "where models"])
def test_the_folder_of_models_is_found_too(dialog: SettingsDialog, question: str) -> None:
    dialog.search.setText(question)
    assert dialog.folder.isVisible() and not dialog._nothing.isVisible()
    (section,) = (i for i in range(dialog.sections.count()) if dialog.sections.item(i).text() == "Models")
    assert not dialog.sections.item(section).isHidden()
    dialog.search.setText("temperature")
    assert not dialog.folder.isVisible() and dialog.sections.item(section).isHidden()


def test_the_folder_of_models_is_shown_and_moved(
    make_program: MakeProgram, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ModelsPlace, "ask", lambda place, parent: place.keep_in(tmp_path / "新硬盘"))
    program = make_program().start()
    program.application.all_settings.open_dialog()
    dialog = program.application.all_settings.dialog
    assert dialog is not None
    row = dialog.folder
    assert row.folder.text() == str(models_folder()) and "free" in row.room.text()
    (models_folder() / "one").mkdir(parents=True)
    (models_folder() / "one" / "config.json").write_text("{}")
    place = program.application.models_place
    monkeypatch.setattr(program.application.model_manager.downloads, "_errands_of", {"x": object()})
    row.mover.click()
    assert "being downloaded" in row.room.text() and models_folder() != tmp_path / "新硬盘"
    monkeypatch.setattr(program.application.model_manager.downloads, "_errands_of", {})
    with qtbot.waitSignal(place.moved):
        row.mover.click()
        assert "being downloaded" not in row.room.text()  # nor is it said while they are on their way
    assert row.folder.text() == str(tmp_path / "新硬盘") == str(models_folder())
    assert (tmp_path / "新硬盘" / "one" / "config.json").is_file() and "free" in row.room.text()


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

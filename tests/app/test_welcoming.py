"""The first run: shown once, skipped or gone through, never in the way of a model that was named."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.starts import Starts
from app.views.welcome import Welcome
from inference.manager.files import read_json
from inference.manager.paths import keep_models_in, models_folder, usual_models_folder
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program


def welcomed(program: Program) -> Welcome:
    program.application.start()
    dialog = program.application.welcoming.dialog
    assert dialog is not None
    program.qtbot.waitUntil(dialog.isVisible, timeout=WAIT_MS)
    return dialog


def known(dialog: Welcome) -> bool:
    return "Looking" not in dialog.best.text()


def test_gone_through_to_the_end(make_program: MakeProgram, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    program = make_program(welcome=True)
    wanted: list[str] = []
    monkeypatch.setattr(program.application.model_manager, "download", wanted.append)
    program.application.welcoming.download_wanted.disconnect()
    program.application.welcoming.download_wanted.connect(wanted.append)
    dialog = welcomed(program)
    assert not program.application.loader.loading  # it is not known yet where models are kept
    dialog.next.click()
    assert dialog.folder.text() == str(models_folder()) and "free" in dialog.room.text()
    dialog.next.click()
    assert "SmolLM2" in dialog.starter.text() and "English" in dialog.starter.text()
    qtbot.waitUntil(lambda: known(dialog), timeout=WAIT_MS)
    assert dialog.take_best.isVisible() and "tokens a second" in dialog.best.text()
    assert "Recommended" in dialog.best_name.text() and "SmolLM2 135M" not in dialog.best_name.text()
    assert not dialog.take_best.isChecked()  # the starter will do
    dialog.take_best.setChecked(True)
    with qtbot.waitSignal(program.application.model_ready, timeout=WAIT_MS):
        dialog.next.click()
    assert len(wanted) == 1 and wanted[0]
    assert program.ask("Hello?").text == "Hello there."


def test_where_the_starter_is_no_help_another_model_is_proposed(
    make_program: MakeProgram, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The starter speaks English only."""
    dialog = welcomed(make_program(welcome=True, session={"language": "zh", "appearance": "light"}))
    qtbot.waitUntil(lambda: dialog.take_best.isVisibleTo(dialog._pages.widget(2)), timeout=WAIT_MS)
    assert dialog.take_best.isChecked() and "Qwen" in dialog.best_name.text()
    dialog.skip.click()
    monkeypatch.setattr("app.welcoming.free_room", lambda: 1_000)
    program = make_program(welcome=True, session={"language": "zh", "appearance": "light"})
    program.window.sidebar.welcome_requested.emit()
    again = program.application.welcoming.dialog
    assert again is not None
    qtbot.waitUntil(lambda: again.take_best.isVisibleTo(again._pages.widget(2)), timeout=WAIT_MS)
    assert not again.take_best.isChecked() and "room" in again.best.text()


def test_skipped_it_does_not_come_again(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = make_program(welcome=True)
    dialog = welcomed(program)
    with qtbot.waitSignal(program.application.model_ready, timeout=WAIT_MS):
        dialog.skip.click()
    program.application.close()
    again = make_program(welcome=True).start()
    assert again.application.welcoming.dialog is None
    again.window.sidebar.welcome_requested.emit()
    dialog = again.application.welcoming.dialog
    assert dialog is not None and dialog.isVisible()
    dialog.skip.click()


@pytest.mark.parametrize("welcome", [True, False])
def test_skipped_what_any_start_loads_is_loaded(
    make_program: MakeProgram, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, welcome: bool
) -> None:
    """The model that was used last, and not the starter."""
    program = make_program(welcome=welcome, session={"appearance": "light", "model": "qwen2.5-0.5b-instruct"})
    asked: list[str] = []
    monkeypatch.setattr(program.application.models, "load", asked.append)
    if welcome:
        welcomed(program).skip.click()
    else:
        program.application.start()
    assert asked == ["qwen2.5-0.5b-instruct"]


@pytest.mark.parametrize("close", [QWidget.close, lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Escape)])
def test_closed_it_is_put_off_and_nothing_is_fetched(
    make_program: MakeProgram, qtbot: QtBot, close: Callable[[QWidget], object]
) -> None:
    program = make_program(welcome=True)
    dialog = welcomed(program)
    dialog.next.click()
    close(dialog)
    application = program.application
    assert application.welcoming.due and not application.loader.loading and application.loader.target is None
    assert "comes again" in program.banner("welcome")
    application.close()
    next_time = make_program(welcome=True)
    dialog = welcomed(next_time)
    assert dialog.step == 1
    dialog.close()
    next_time.window.sidebar.welcome_requested.emit()
    again = next_time.application.welcoming.dialog
    assert again is not None and again.step == 1
    with qtbot.waitSignal(next_time.application.model_ready, timeout=WAIT_MS):
        again.skip.click()
    assert not next_time.application.welcoming.due and not next_time.banner("welcome")


def test_put_off_it_does_not_stand_in_the_way_of_a_model(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = make_program(welcome=True)
    welcomed(program).close()
    with qtbot.waitSignal(program.application.model_ready, timeout=WAIT_MS):
        program.window.header.model_chosen.emit("")
    assert not program.banner("welcome") and program.ask("Hello?").text == "Hello there."
    program.application.close()
    next_time = make_program(welcome=True)  # it has nothing left to do, and would keep that model from being loaded
    with qtbot.waitSignal(next_time.application.model_ready, timeout=WAIT_MS):
        next_time.application.start()
    assert next_time.application.welcoming.dialog is None


def test_put_off_the_start_did_not_fail(make_program: MakeProgram) -> None:
    """Or two of them, ended by a power cut, would be taken for starts that did not come up."""
    program = make_program(welcome=True)
    welcomed(program).close()
    starts = program.application.troubleshooting._starts
    starts.later.flush()
    assert read_json(starts.path)["ready"]


def test_in_safe_mode_it_does_not_come(make_program: MakeProgram, tmp_path: Path) -> None:
    """It ends with loading a model, which is what may have failed."""
    starts = Starts(tmp_path / "starts.json")
    starts.begin(careful=True)
    program = make_program(welcome=True, starts=starts)
    program.application.start()
    assert program.application.welcoming.dialog is None and program.application.welcoming.due
    assert program.banner("safe mode") and not program.application.loader.loading


def test_closed_later_it_changes_nothing(make_program: MakeProgram) -> None:
    program = make_program(welcome=True)
    welcomed(program).skip.click()
    program.window.sidebar.welcome_requested.emit()
    dialog = program.application.welcoming.dialog
    assert dialog is not None
    dialog.close()
    assert not program.banner("welcome") and not program.application.welcoming.due


def test_it_goes_on_where_it_was_left(make_program: MakeProgram) -> None:
    first = make_program(welcome=True)
    welcomed(first).next.click()
    first.application.close()
    again = make_program(welcome=True)
    assert welcomed(again).step == 1


def test_it_stays_in_the_middle_of_the_window(make_program: MakeProgram) -> None:
    """A window manager may place the window only once both are shown."""
    program = make_program(welcome=True)
    dialog, window = welcomed(program), program.application.window
    off = dialog.frameGeometry().center() - window.frameGeometry().center()
    assert off.manhattanLength() <= 2, "also where nothing moved the window after it was shown"
    window.move(window.pos() + QPoint(90, 40))
    off = dialog.frameGeometry().center() - window.frameGeometry().center()
    assert off.manhattanLength() <= 2


class Places(QObject):
    """Where a dialog is when it is shown, and after each move."""

    def __init__(self, dialog: QWidget) -> None:
        super().__init__(dialog)
        self.seen: list[QPoint] = []
        dialog.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        assert isinstance(watched, QWidget)
        if event.type() in (QEvent.Type.Show, QEvent.Type.Move) and watched.isVisible():
            self.seen.append(watched.frameGeometry().center())
        return super().eventFilter(watched, event)


def test_it_is_in_its_place_when_it_is_first_seen(qtbot: QtBot) -> None:
    """It opened in the corner and jumped. (How wide the frame is, 2 here, is known only later.)"""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 700)
    dialog = Welcome(window, "en")
    places = Places(dialog)
    window.show()
    dialog.open()
    window.move(150, 80)
    with qtbot.waitSignal(dialog._placed.timeout, timeout=WAIT_MS):
        qtbot.waitUntil(dialog.isVisible, timeout=WAIT_MS)
    assert all((place - window.frameGeometry().center()).manhattanLength() <= 4 for place in places.seen)
    assert len({(place.x(), place.y()) for place in places.seen}) == 1


def test_it_waits_for_its_window(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.winId()  # there is a window for the system, that nobody has seen
    dialog = Welcome(window, "en")
    dialog.open()
    assert not dialog.isVisible()
    window.show()
    qtbot.waitUntil(dialog.isVisible, timeout=WAIT_MS)


def test_another_language_opens_the_window_again(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = make_program(welcome=True, session={"language": "en", "appearance": "light"})
    dialog = welcomed(program)
    with qtbot.waitSignal(program.application.closed, timeout=WAIT_MS):
        dialog.language_chosen.emit("zh")
    assert program.application.reopening and program.application.settings.language == "zh"
    assert make_program(welcome=True).application.welcoming.due


def test_models_move_to_where_the_person_says(make_program: MakeProgram, qtbot: QtBot, tmp_path: Path) -> None:
    program = make_program(welcome=True)
    dialog = welcomed(program)
    dialog.go_to(1)
    (models_folder() / "one").mkdir(parents=True)
    (models_folder() / "one" / "config.json").write_text("{}")
    with qtbot.waitSignal(program.application.models_place.moved, timeout=WAIT_MS):
        program.application.models_place.keep_in(tmp_path / "big 硬盘" / "models")
    assert models_folder() == tmp_path / "big 硬盘" / "models" == Path(dialog.folder.text())
    (tmp_path / "file").write_text("")
    program.application.models_place.keep_in(tmp_path / "file" / "models")
    qtbot.waitUntil(lambda: str(tmp_path / "file") in dialog.room.text(), timeout=WAIT_MS)
    assert models_folder() == tmp_path / "big 硬盘" / "models"


@pytest.mark.parametrize("note", [b"", b"relative/path", b"\xff\xfe"])
def test_a_damaged_note_of_the_folder_counts_for_nothing(tmp_path: Path, home: Path, note: bytes) -> None:
    keep_models_in(tmp_path / "models")
    (found,) = home.rglob("models-folder.txt")
    found.write_bytes(note)
    assert models_folder() == usual_models_folder()

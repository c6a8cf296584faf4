"""After something went wrong, in the window."""

import subprocess
import sys
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.crash_report import save_report
from app.history import History
from app.log import report_uncaught
from app.settings import Settings
from app.starts import Starts
from app.views.text_window import TextWindow
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS, Program
from tests.app.test_main import PROGRAM, ROOT, environment

CRASH = """
import faulthandler
from app.application import Application
start = Application.start
def start_and_crash(self):
    start(self)
    self.model_ready.connect(lambda _: faulthandler._sigsegv())
Application.start = start_and_crash
from tests.app.scripted_program import run
run([])
"""


def shown(program: Program) -> TextWindow:
    (window,) = program.window.findChildren(TextWindow)
    return window


def buttons(program: Program) -> list[str]:
    banner = program.window.banners.banner("safe mode")
    assert banner is not None
    return [button.text() for button in banner.buttons]


def test_what_nobody_caught_is_reported_once(
    make_program: MakeProgram, qtbot: QtBot, tmp_path: Path, expected_errors: list[str]
) -> None:
    expected_errors.append("uncaught exception")
    program = make_program().start()
    for word in ("secret", "secret again"):
        report_uncaught(ValueError(word))
    qtbot.waitUntil(lambda: len(list((tmp_path / "log").glob("reports/*"))) == 2, timeout=WAIT_MS)
    assert "went wrong" in program.banner("crash")
    program.press_in_banner("crash", "Show the report")
    assert "ValueError" in shown(program).body.toPlainText() and "secret" not in shown(program).body.toPlainText()
    shown(program).close()
    assert program.ask("Are you there?").text == "Hello there."


def test_starting_again_closes_first(make_program: MakeProgram, qtbot: QtBot, expected_errors: list[str]) -> None:
    expected_errors.append("uncaught exception")
    program = make_program().start()
    report_uncaught(ValueError())
    qtbot.waitUntil(lambda: program.banner("crash") != "", timeout=WAIT_MS)
    with qtbot.waitSignal(program.application.closed, timeout=WAIT_MS):
        program.press_in_banner("crash", "Start again")
    assert program.application.restarting


def test_a_crash_of_the_last_time_is_told(make_program: MakeProgram, tmp_path: Path) -> None:
    before = Starts(tmp_path / "starts.json")
    before.begin()
    before.ready()
    before.later.flush()
    starts = Starts(tmp_path / "starts.json")
    starts.begin()
    program = make_program(starts=starts).start()
    assert "ended unexpectedly" in program.banner("crash")


def test_safe_mode_loads_no_model_until_asked(make_program: MakeProgram, qtbot: QtBot, tmp_path: Path) -> None:
    starts = Starts(tmp_path / "starts.json")
    for _ in range(3):
        starts.begin()
    program = make_program(starts=starts)
    program.application.change_settings(Settings(temperature=1.3))
    program.application.start()
    assert "did not come up" in program.banner("safe mode")
    assert not program.application.loader.loading
    with qtbot.waitSignal(program.application.model_ready, timeout=WAIT_MS):
        program.press_in_banner("safe mode", "Load the model")
    assert starts.failed == 0
    assert program.ask("Hello?").text == "Hello there."


def test_safe_mode_shows_the_report_of_what_went_wrong(make_program: MakeProgram, tmp_path: Path) -> None:
    """It stays meanwhile: what to do about it is decided after reading."""
    starts = Starts(tmp_path / "starts.json")
    for _ in range(3):
        starts.begin()
    program = make_program(starts=starts)
    program.application.start()
    assert "Show the report" not in buttons(program)  # there is none
    program.application.close()
    save_report(tmp_path / "log" / "reports", "ValueError here", tmp_path / "log" / "foreword.log")
    for _ in range(3):
        starts.begin()
    program = make_program(starts=starts)
    program.application.start()
    program.press_in_banner("safe mode", "Show the report")
    assert "ValueError here" in shown(program).body.toPlainText()
    shown(program).close()
    assert "did not come up" in program.banner("safe mode")


def test_safe_mode_is_over_when_a_model_is_there(make_program: MakeProgram, tmp_path: Path) -> None:
    """However it was chosen."""
    starts = Starts(tmp_path / "starts.json")
    starts.begin(careful=True)
    program = make_program(starts=starts)
    program.application.start()
    assert program.banner("safe mode")
    with program.qtbot.waitSignal(program.application.model_ready):
        program.application.models.load("")
    assert not program.banner("safe mode")


def test_safe_mode_resets_the_settings_and_keeps_the_chats(make_program: MakeProgram, tmp_path: Path) -> None:
    make_program().start().ask("Keep me")
    starts = Starts(tmp_path / "starts.json")
    starts.begin(careful=True)
    program = make_program(starts=starts)
    program.application.change_settings(Settings(temperature=1.3))
    program.application.start()
    assert "as you asked" in program.banner("safe mode")
    program.press_in_banner("safe mode", "Reset the settings")
    assert program.application.settings.temperature == Settings().temperature
    assert "back at their defaults" in program.banner("safe mode") and "Chats" in program.banner("safe mode")
    assert buttons(program) == ["Load the model", "Choose a model…"]  # what comes next is still offered
    assert len(program.application.chats.rows()) == 1


def test_the_log_can_be_read_and_copied(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "foreword.log").write_text("2026-01-01 10:00:00,000 INFO    MainThread app: started\nmore\n")
    program = make_program().start()
    program.window.sidebar.log_requested.emit()
    assert "app: started" in shown(program).body.toPlainText()
    assert "more" not in shown(program).body.toPlainText().splitlines()
    shown(program).copy.click()
    assert "✓" in shown(program).copy.text()
    shown(program).close()


def test_a_native_crash_costs_no_chat_and_is_told_next_time(home: Path) -> None:
    arguments = [sys.executable, "-c", CRASH]
    where = environment(home)
    done = subprocess.run(arguments, cwd=ROOT, env=where, stdout=subprocess.PIPE, text=True, check=False, timeout=60)
    assert done.returncode != 0
    shot = home / "shot.png"
    subprocess.run([*PROGRAM, "--demo", "--screenshot", str(shot)], cwd=ROOT, env=where, check=True, timeout=60)
    (report,) = (home / "log" / "reports").iterdir()
    assert "Segmentation fault" in report.read_text(encoding="utf-8")
    starts = Starts(home / "config" / "starts.json")
    starts.begin()
    assert starts.crashed and starts.failed == 0
    history, trouble = History.open(home / "data" / "chats.sqlite")
    history.close()
    assert trouble == ""

"""Every test of the program: a home of its own, no thread left alive, no error logged that was not expected."""

import gc
import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from qasync import QEventLoop

from app.theme import LIGHT
from app.views.style import dress, stylesheet
from app.views.transcript import Transcript
from tests.app.program import Program
from tests.patience import WAIT_S

NEVER_MS = 2**31 - 1  # the longest that Qt knows


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "foreword home"
    monkeypatch.setenv("FOREWORD_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def nothing_comes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the program does when nobody asked for a while comes in tests that want it: on a busy machine it would come
    in the middle of others."""
    for timer in ("title_maker.IDLE_MS", "past_learning.IDLE_MS", "transfer.BACKUP_WAIT_MS"):
        monkeypatch.setattr(f"app.{timer}", NEVER_MS)


@pytest.fixture(autouse=True)
def cycles_die_here() -> Iterator[None]:
    """As in the program (see `app.garbage`): threads of a test never take apart the widgets of another."""
    gc.disable()
    yield
    gc.collect(2 if gc.get_count()[2] > 10 else 1)
    gc.enable()


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        thread.join(WAIT_S)
    alive = [thread.name for thread in left if thread.is_alive()]
    assert not alive, f"threads outlived the test: {alive}"


@pytest.fixture(autouse=True)
def expected_errors(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """A test that provokes an error in the log appends a part of its message here."""
    expected: list[str] = []
    yield expected
    records = [r for phase in ("setup", "call") for r in caplog.get_records(phase) if r.levelno >= logging.ERROR]
    messages = [record.getMessage() for record in records]
    surprises = [message for message in messages if not any(part in message for part in expected)]
    assert not surprises, f"errors in the log: {surprises}"
    missing = [part for part in expected if not any(part in message for message in messages)]
    assert not missing, f"expected in the log: {missing}"


@pytest.fixture
def transcript(qtbot: QtBot, qapp: QApplication) -> Transcript:
    """Shown, and empty."""
    if qapp.styleSheet() != stylesheet(LIGHT):
        dress(qapp, LIGHT)
    widget = Transcript()
    qtbot.addWidget(widget)
    widget.resize(800, 600)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


MakeProgram = Callable[..., Program]


@pytest.fixture
def make_program(qtbot: QtBot, tmp_path: Path, no_thread_left: None) -> Iterator[MakeProgram]:
    """Makes sessions in one folder; each is closed at the end of the test, if it was not before."""
    programs: list[Program] = []

    def make(**parts: Any) -> Program:
        programs.append(Program(qtbot, tmp_path, **parts))
        return programs[-1]

    yield make
    for program in programs:
        program.application.close()
        program.window.deleteLater()
        program.application.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def event_loop(qapp: QApplication) -> Iterator[QEventLoop]:
    """asyncio on Qt's event loop, as the program runs it: for `run_until_complete`."""
    loop = QEventLoop(qapp)
    yield loop
    loop.close()

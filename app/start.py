"""Puts the program together and runs its event loop."""

import asyncio
import contextlib
import faulthandler
import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox
from qasync import QEventLoop

import assets
from app.application import Application
from app.crash_report import native_crash, save_report
from app.demo import run_demo
from app.garbage import Garbage, settle
from app.language import Interface, tr
from app.log import report_uncaught, start_log
from app.opened_files import OpenedFiles
from app.options import Options
from app.parts import Parts
from app.preferences import Preferences
from app.settings_file import SettingsFile
from app.single_instance import SingleInstance
from app.starts import Starts
from app.system_motion import system_reduces_motion
from app.text_scale import following_text_scale
from app.worker import ModelStore
from inference import child_process
from inference.chat_engine import ChatEngine
from inference.manager import paths

log = logging.getLogger(__name__)


def start(options: Options) -> int:
    """Returns the exit status of the program."""
    try:
        start_log(paths.log_folder())
    except OSError as error:
        print(f"No log is kept: {error}", file=sys.stderr)
    try:
        preferences = Preferences(SettingsFile(paths.config_folder() / paths.SETTINGS), options.session_values())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    with following_text_scale(os.environ):
        qt = QApplication(sys.argv[:1])
    qt.setApplicationName("foreword")
    qt.setApplicationDisplayName("Foreword")
    qt.setWindowIcon(_window_icon())
    interface = Interface(qt)
    interface.speak(preferences.current.language)
    qt.setQuitOnLastWindowClosed(False)  # the event loop ends when everything has been closed
    file = str(options.file.absolute()) if options.file else ""
    with _chats_folder(options) as chats, QEventLoop(qt) as loop:
        instance = SingleInstance(chats)
        if not instance.claim():
            return _join(instance, file)
        state = chats / "window.ini" if options.demo else paths.config_folder() / "window.ini"
        garbage, files = Garbage(), OpenedFiles(qt)
        logs = paths.log_folder()
        starts = Starts((chats if options.demo else paths.config_folder()) / "starts.json")
        _keep_native_crashes(logs)
        welcome = options.demo is None and not options.model
        stillness = partial(system_reduces_motion, os.environ)
        parts = Parts(preferences, chats, state, _make_engine, _make_store, logs, starts, stillness, welcome)
        log.info("started")
        again, chat = True, ""
        while again:  # a window is made in one language: for another it is closed and made again
            interface.speak(preferences.current.language)
            starts.begin(careful=options.safe_mode)
            application = Application(qt, parts)
            garbage.is_busy = partial(attrgetter("replying"), application)
            doors = (instance.asked.connect(application.come_forward), files.opened.connect(application.come_forward))
            status: int = loop.run_until_complete(_run(application, options, file, chat))
            again, file, chat = application.reopening, "", application.conversation.id
            for door in doors:
                QObject.disconnect(door)
            application.window.deleteLater()
            application.deleteLater()
        garbage.close()
        instance.close()
    if application.restarting:
        command = application.restart_command or child_process.command([])
        subprocess.Popen(command, env=child_process.variables(), start_new_session=True)
    qt.shutdown()  # hands what was copied on to the desktop
    return status


def _join(instance: SingleInstance, file: str) -> int:
    """The window that is open already takes over."""
    if instance.hand_over(file):
        return 0
    text = tr("Foreword is already running, but its window does not answer.")
    remedy = tr("Wait for a moment and start it again, or end it in the system's list of programs.")
    print(text, remedy, file=sys.stderr)
    QMessageBox.warning(None, "Foreword", f"{text}\n\n{remedy}")
    return 1


def _keep_native_crashes(logs: Path) -> None:
    """What kills the process from below Python leaves a trace in a file, which becomes a report at the next start."""
    trace = logs / "native-crash.txt"
    if text := native_crash(trace):
        with contextlib.suppress(OSError):
            save_report(logs / paths.REPORTS, text, logs / paths.LOG)
    try:
        faulthandler.enable(trace.open("a", encoding="utf-8"))  # open for as long as the process lives
    except OSError as error:
        log.warning("no trace of a crash would be kept: %s", error)


async def _run(application: Application, options: Options, file: str, chat: str) -> int:
    """chat: the one that was shown before the window was made again."""
    closed = asyncio.Event()
    application.closed.connect(closed.set)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_report)
    with contextlib.suppress(NotImplementedError):  # Windows has no such handlers
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, application.window.close)
    application.start()
    if options.demo is None:
        application.updates.follow(application.settings)
    if chat in [row.id for row in application.chats.rows()]:
        application.shelf.select(chat)
    if file:
        application.come_forward(file)
    status = 0
    try:
        if options.demo is not None:
            status = await run_demo(application, options)
            application.window.close()
        await closed.wait()
    finally:
        application.close()
    return status


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Of a task that nobody waits for."""
    error = context.get("exception")
    if error is None:
        log.error("%s", context.get("message"))
    else:
        report_uncaught(error)


@contextlib.contextmanager
def _chats_folder(options: Options) -> Iterator[Path]:
    """A demonstration leaves the person's chats alone."""
    if options.demo is None:
        yield paths.data_folder()
        return
    with tempfile.TemporaryDirectory(prefix="foreword-") as folder:
        yield Path(folder)


def _window_icon() -> QIcon:
    icon = QIcon()
    for path in sorted((Path(assets.__file__).parent / "icons").glob("foreword-*.png")):
        icon.addFile(str(path))
    return icon


def _make_engine() -> ChatEngine:
    from inference.engine import Engine
    from inference.router import Router

    engine = Engine(Router(paths.config_folder() / "routes.json"))
    settle()
    return engine


def _make_store() -> ModelStore:
    from inference.manager.store import Store

    return Store()

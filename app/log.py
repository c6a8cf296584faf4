"""The log: a small rotating file. It never holds a word of a chat."""

import copy
import logging
import sys
import threading
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from app.crash_report import places
from inference.manager.paths import LOG

BYTES, FILES = 1_000_000, 3
LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


_observers: list[Callable[[BaseException], None]] = []


def set_observer(observer: Callable[[BaseException], None] | None) -> None:
    """Who is told of every uncaught exception, in the thread that raised it."""
    _observers[:] = [] if observer is None else [observer]


def report_uncaught(error: BaseException) -> None:
    """Log what nobody caught, and tell the observer."""
    logging.getLogger("app").error("uncaught exception", exc_info=error)
    for observer in _observers:
        observer(error)


def start_log(folder: Path) -> Path:
    """Send our own records from INFO up, everybody else's from WARNING up, and every uncaught exception to the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / LOG
    handler = RotatingFileHandler(path, maxBytes=BYTES, backupCount=FILES - 1, encoding="utf-8")
    handler.setFormatter(_Wordless("%(asctime)s %(levelname)-7s %(threadName)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    for ours in ("app", "inference"):
        logging.getLogger(ours).setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    qInstallMessageHandler(_qt_message)
    return path


class _Wordless(logging.Formatter):
    """Of errors, kinds and places: their messages may quote what they stumbled over."""

    def format(self, record: logging.LogRecord) -> str:
        record = copy.copy(record)
        record.exc_text = None  # what another handler made of it
        return super().format(record)

    def formatException(self, ei: Any) -> str:
        return places(ei[1]) if ei[1] is not None else ""


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    report_uncaught(error)
    sys.__excepthook__(kind, error, trace)


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        _uncaught(args.exc_type, args.exc_value, args.exc_traceback)


def _qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    logging.getLogger("qt").log(LEVELS[kind], "%s", message)

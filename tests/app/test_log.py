import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import qInstallMessageHandler, qWarning

from app.log import start_log
from inference.manager.paths import LOG


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    root = logging.getLogger()
    before = (list(root.handlers), root.level, sys.excepthook, threading.excepthook)
    yield start_log(tmp_path / "log")
    qInstallMessageHandler(None)
    logging.captureWarnings(capture=False)
    for handler in set(root.handlers) - set(before[0]):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(before[1])
    sys.excepthook, threading.excepthook = before[2:]
    for ours in ("app", "inference"):
        logging.getLogger(ours).setLevel(logging.NOTSET)


@pytest.mark.qt_no_exception_capture
def test_what_goes_into_the_file(
    log_file: Path, expected_errors: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    expected_errors.append("uncaught exception")
    assert log_file.name == LOG
    logging.getLogger("app.x").info("ours")
    logging.getLogger("inference.x").debug("too much")
    logging.getLogger("httpx").info("theirs")
    logging.getLogger("httpx").warning("their warning")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("a warning of Python", stacklevel=1)
    qWarning("a warning of Qt")
    try:
        raise ZeroDivisionError(" ".join(("words", "of a chat")))
    except ZeroDivisionError:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    text = log_file.read_text(encoding="utf-8")
    for part in (
        "ours",
        "their warning",
        "a warning of Python",
        "a warning of Qt",
        "ZeroDivisionError",
        "test_log.py:",
    ):
        assert part in text
    for part in ("too much", "theirs", "words of a chat"):
        assert part not in text
    assert "words of a chat" in capsys.readouterr().err


def test_the_file_stays_small(log_file: Path) -> None:
    log = logging.getLogger("app.x")
    for _ in range(400):
        log.info("x" * 10_000)
    files = list(log_file.parent.iterdir())
    assert 2 <= len(files) <= 3
    assert all(file.stat().st_size <= 1_000_000 for file in files)

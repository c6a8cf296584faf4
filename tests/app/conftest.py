"""Every test of the program: a home of its own, no thread left alive, no error logged that was not expected."""

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "foreword home"
    monkeypatch.setenv("FOREWORD_HOME", str(folder))
    return folder


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        thread.join(2.0)
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

"""Cycles are taken apart in the GUI thread, whoever asks."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.garbage import LIBRARY, Garbage
from inference.garbage import collect


class Cycle:
    """Says in which thread it died."""

    died_in = ""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        Cycle.died_in = threading.current_thread().name


@pytest.fixture
def garbage(qtbot: QtBot) -> Iterator[Garbage]:
    gc.collect()
    made = Garbage()
    yield made
    made.close()
    assert gc.isenabled()


def test_a_cycle_that_another_thread_wants_gone_dies_in_the_gui_thread(garbage: Garbage, qtbot: QtBot) -> None:
    gone = weakref.ref(Cycle())
    worker = threading.Thread(target=collect, name="worker")
    worker.start()
    qtbot.waitUntil(lambda: not worker.is_alive() and gone() is None)
    assert gone() is None
    assert Cycle.died_in == threading.main_thread().name


def test_allocating_in_another_thread_collects_nothing(garbage: Garbage, qtbot: QtBot) -> None:
    gone = weakref.ref(Cycle())
    kept: list[object] = []
    worker = threading.Thread(target=lambda: kept.extend([[i]] for i in range(20_000)))
    worker.start()
    worker.join()
    assert gone() is not None
    garbage.collect_some()
    assert gone() is None


def test_a_library_that_is_being_read_is_not_gone_through(garbage: Garbage) -> None:
    """Half a million objects hold up the window; but those that stay are looked at once, at the next beat."""
    gone = weakref.ref(Cycle())
    kept = [[i] for i in range(LIBRARY + 1000)]
    garbage.collect_some()
    assert gone() is not None
    kept += [[i] for i in range(1000)]
    garbage.collect_some()
    assert gone() is not None
    garbage.collect_some()
    assert gone() is None
    assert len(kept) > LIBRARY


def test_while_a_reply_runs_only_the_young_are_gone_through(garbage: Garbage) -> None:
    old = weakref.ref(Cycle())
    kept = old()
    gc.collect()  # it is old now
    del kept
    garbage.is_busy = lambda: True
    gone, many = weakref.ref(Cycle()), [[i] for i in range(1000)]
    for _ in range(2 * gc.get_threshold()[1]):
        many += [[i] for i in range(1000)]
        garbage.collect_some()
    assert gone() is None and old() is not None
    garbage.is_busy = lambda: False
    for _ in range(2):
        many += [[i] for i in range(1000)]
        garbage.collect_some()
    gc.collect()
    assert old() is None


def test_without_a_window_the_caller_collects() -> None:
    gone = weakref.ref(Cycle())
    collect()
    assert gone() is None

"""Shared by all tests: no screen, no network unless asked, --full for the long ones."""

import gc
import os
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"  # never the person's own
os.environ.pop("HF_TOKEN", None)
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # tiny models gain nothing from threads that wait for each other

import pytest
from hypothesis import settings
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from tests.patience import WAIT_MS

# The same commit gives the same result: new examples are looked for with --full and by hand.
settings.register_profile("same", derandomize=True, database=None)
for wait in (QtBot.waitSignal, QtBot.waitSignals, QtBot.waitUntil, QtBot.waitExposed, QtBot.waitActive):
    wait.__kwdefaults__["timeout"] = WAIT_MS


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="also run the long tests")


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--full"):
        settings.load_profile("same")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--full"):
        return
    kept = [item for item in items if item.get_closest_marker("full") is None]
    dropped = [item for item in items if item.get_closest_marker("full") is not None]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept


@pytest.fixture(autouse=True)
def closed_windows_are_gone() -> Iterator[None]:
    """Their end waits for an event loop; with thousands of widgets, setting the style sheet took minutes."""
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture(autouse=True, scope="module")
def imports_are_no_garbage() -> None:
    """A look for garbage, as when a model is unloaded, sees what the tests of a module made. Beside torch, transformers
    and all that was collected it took a third of a second each time."""
    gc.collect()
    gc.freeze()

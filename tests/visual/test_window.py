"""Pictures of the whole window, for people to look at: tests/visual/out/window-*.png. The test itself looks for the
few pixels that must be there.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage
from app.history import History
from app.theme import DARK, LIGHT, Theme
from inference.errors import UserError
from inference.events import LoadProgress
from tests.app.panel_events import play, settle
from tests.app.program import Program
from tests.app.scripted_engine import Gate, ScriptedEngine, ScriptedStore, Step, rounds
from tests.visual.picture import picture

ANSWER = """Walk both lists once and always take the smaller head:

```python
def merge(a, b):
    result, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            result.append(a[i]); i += 1
        else:
            result.append(b[j]); j += 1
    return result + a[i:] + b[j:]
```

Each element is looked at once, so the time grows with the **sum of both lengths**. 中文也可以。"""


def words(text: str) -> list[str]:
    return [part + " " for part in text.split(" ")]


def running_reply() -> list[Step]:
    steps = rounds(words(ANSWER), per_round=4)
    return [*steps[:-1], Gate()]


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path, qapp: QApplication) -> Iterator[Callable[..., Program]]:
    programs: list[Program] = []

    def make(**parts: object) -> Program:
        data = tmp_path / "data"
        history, _ = History.open(data / "chats.sqlite")
        day = 86_400
        chats = [
            ("Why the sky is blue", 60),
            ("A letter to the landlord", day),
            ("Notes on Rome", day),
            ("西湖", 9 * day),
        ]
        for number, (title, age) in enumerate(chats):
            history.create(f"chat {number}", title)
            history.save_message(f"chat {number}", ChatMessage("user", title))
            history._db.execute("UPDATE conversations SET updated = ? WHERE title = ?", (time.time() - age, title))
        history.close()
        programs.append(Program(qtbot, tmp_path, **parts))  # type: ignore[arg-type]
        return programs[-1]

    yield make
    for program in programs:
        program.application.close()
        program.window.deleteLater()
        program.application.deleteLater()


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_reply_in_the_window(make: Callable[..., Program], theme: Theme, ratio: int) -> None:
    program = make(engine=ScriptedEngine(running_reply()), session={"appearance": theme.name}).start()
    program.begin("Write a function that merges two sorted lists.")
    program.until(ANSWER[:-1])
    play(program.window.gauges)
    settle(program.window.gauges)
    image = picture(program.window, f"window-{theme.name}-{ratio}x", ratio)
    assert image.pixelColor(4 * ratio, 300 * ratio) == QColor(theme.side)
    assert image.pixelColor(600 * ratio, 640 * ratio) == QColor(theme.ground)
    colours = {
        image.pixelColor(x, y).name() for x in range(1040 * ratio, image.width()) for y in range(0, 700 * ratio, 3)
    }
    assert {theme.accent, theme.good} <= colours  # the arcs of both gauges


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_empty_window_and_a_narrow_one(make: Callable[..., Program], theme: str) -> None:
    program = make(session={"appearance": theme}).start()
    picture(program.window, f"window-empty-{theme}", 1)
    program.ask("Write a function that merges two sorted lists.")
    settle(program.window.gauges)
    program.window.resize(820, 640)
    assert program.window.gauges.is_bar
    picture(program.window, f"window-narrow-{theme}", 1)
    program.window.resize(520, 560)
    picture(program.window, f"window-slim-{theme}", 1)
    assert program.window.sidebar.isHidden()


def test_loading_failing_and_settings(make: Callable[..., Program]) -> None:
    gate = Gate()
    store = ScriptedStore(LoadProgress("download", 34_000_000, 98_000_000, "SmolLM2-135M-Instruct"), gate)
    program = make(store=store)
    program.application.start()
    program.qtbot.waitUntil(lambda: "34 of 98" in program.banner("loading"))
    picture(program.window, "window-loading", 1)
    store.error = UserError("SmolLM2 could not be fetched: there is no network.", "Connect, or open a model you have.")
    with program.qtbot.waitSignal(program.application.loader.failed):
        gate.set()
    program.window.sidebar.delete_requested.emit("chat 1")
    picture(program.window, "window-failed", 1)
    program.window.toggle_settings()
    panel = program.window.settings_panel
    program.qtbot.waitUntil(lambda: panel.geometry().right() <= program.window.width())
    picture(program.window, "window-settings", 1)
    program.window.show_shortcuts()
    shortcuts = next(child for child in program.window.children() if type(child).__name__ == "ShortcutSheet")
    assert isinstance(shortcuts, QWidget)
    picture(shortcuts, "window-shortcuts", 1)

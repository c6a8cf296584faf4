import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.theme import LIGHT
from app.views.header import Header, ModelChoice, speculation_statement
from app.views.style import dress
from inference.settings import SpeculationSettings

TITLE = "Write a function that merges two sorted lists."


@pytest.fixture
def header(qtbot: QtBot, qapp: QApplication) -> Header:
    dress(qapp, LIGHT)
    header = Header()
    qtbot.addWidget(header)
    header.set_title(TITLE)
    header.set_model("SmolLM2 135M Instruct (English)", "fused, int4")
    header.set_speculation(SpeculationSettings())
    return header


@pytest.mark.parametrize(
    ("settings", "draft", "statement"),
    [
        (SpeculationSettings(), "", "Speculation: automatic, n-gram, K up to 8"),
        (SpeculationSettings(drafter="automatic"), "B", "Speculation: automatic, the fastest draft, K up to 8"),
        (SpeculationSettings(mode="off"), "", "Speculation: off"),
        (SpeculationSettings(mode="on", dynamic=False), "", "Speculation: on, n-gram, K = 4"),
        (SpeculationSettings(drafter="none"), "", "Speculation: automatic, no draft"),
        (SpeculationSettings(drafter="model"), "Coder-0.5B", "Speculation: automatic, Coder-0.5B, K up to 8"),
        (SpeculationSettings(drafter="combined"), "B", "Speculation: automatic, n-gram + B, K up to 8"),
        (SpeculationSettings(drafter="model"), "", "Speculation: automatic, no draft model, K up to 8"),
    ],
)
def test_the_statement_is_plain(settings: SpeculationSettings, draft: str, statement: str) -> None:
    assert speculation_statement(settings, draft) == statement


def _at_ease(header: Header) -> bool:
    buttons = (header.model_button, header.speculation_button)
    return all(button.width() == button.sizeHint().width() for button in buttons)


def test_everything_fits_at_every_width(header: Header, qtbot: QtBot) -> None:
    header.show()
    seen = set()
    for width in (1200, 900, 700, 560, 448, 360):
        header.resize(width, header.height())
        qtbot.waitUntil(lambda: _at_ease(header))
        assert header.speculation_button.geometry().right() < header.width()
        assert header._room() >= 0
        seen.add(header.speculation_button.text())
        assert header.speculation_button.toolTip() == header.statement
    assert seen == {"Speculation: automatic, n-gram, K up to 8", "Speculation: automatic", "automatic"}
    assert header.title == TITLE


def test_the_menus_say_what_was_chosen(header: Header, qtbot: QtBot) -> None:
    header.show_models([ModelChoice("starter", "Starter", current=True), ModelChoice("/a/b", "Another")])
    texts = [action.text() for action in header.model_menu.actions() if action.text()]
    assert texts == ["Starter", "Another", "All models…", "Open a folder or GGUF…", "Unload: give its memory back"]
    actions = {action.text(): action for action in header.model_menu.actions()}
    assert actions["Starter"].isChecked() and not actions["Another"].isChecked()
    with qtbot.waitSignal(header.model_chosen) as chosen:
        actions["Another"].trigger()
    assert chosen.args == ["/a/b"]
    with qtbot.waitSignal(header.models_requested):
        actions["All models…"].trigger()
    with qtbot.waitSignal(header.open_model_requested):
        actions["Open a folder or GGUF…"].trigger()
    modes = []
    header.mode_chosen.connect(modes.append)
    for action in header.speculation_menu.actions()[:3]:
        action.trigger()
    assert modes == ["automatic", "on", "off"]


def test_the_mode_in_force_is_marked(header: Header) -> None:
    header.set_speculation(SpeculationSettings(mode="off"))
    marked = [action.text() for action in header.speculation_menu.actions() if action.isChecked()]
    assert len(marked) == 1 and marked[0].startswith("Off")
    assert header.speculation_button.property("tone") == "muted"

"""Who asked for less motion gets it: from the settings or from the system, in every animation of the window."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractAnimation, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import app
from app.settings import BY_NAME, MotionChoice
from app.system_motion import system_reduces_motion
from app.views.easing import reduced_motion, set_reduced_motion
from app.views.settings_dialog import found, texts_of
from tests.app.conftest import MakeProgram
from tests.app.program import Program

ANIMATIONS = {"QPropertyAnimation", "QVariantAnimation", "QTimeLine", "QScroller", "QGraphicsOpacityEffect", "QMovie"}


@pytest.fixture(autouse=True)
def usual_motion(qapp: QApplication) -> Iterator[None]:
    yield
    set_reduced_motion(qapp, False)


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str, str], dict[str, str]]:
    """A Linux desktop whose tools say this; gives its environment."""
    monkeypatch.setattr("app.system_motion.sys.platform", "linux")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    def made(tool: str, script: str) -> dict[str, str]:
        for name in ("gsettings", "gdbus"):
            path = tmp_path / name
            path.write_text(f"#!/bin/sh\n{script if name == tool else 'exit 1'}\n")
            path.chmod(0o755)
        return {"XDG_CONFIG_HOME": str(tmp_path)}

    return made


@pytest.mark.parametrize(
    ("tool", "script", "reduced"),
    [
        ("gsettings", "[ $3 = enable-animations ] && echo false", True),
        ("gsettings", "[ $3 = enable-animations ] && echo true", False),
        ("gsettings", "printf '\\377\\376'", False),
        ("gdbus", "[ ${12} = reduced-motion ] && echo '(<<uint32 1>>,)'", True),
        ("gdbus", "echo '(<<uint32 0>>,)'", False),
        ("none", "", False),
    ],
)
def test_what_gnome_and_the_portal_say(
    desktop: Callable[[str, str], dict[str, str]], tool: str, script: str, reduced: bool
) -> None:
    assert system_reduces_motion(desktop(tool, script)) == reduced


@pytest.mark.parametrize(
    ("content", "reduced"),
    [
        ("[KDE]\nAnimationDurationFactor=0\n", True),
        ("[KDE]\nAnimationDurationFactor=0.5\n", False),
        ("[KDE]\n", False),
        ("no such file", False),
    ],
)
def test_what_kde_says(
    desktop: Callable[[str, str], dict[str, str]], tmp_path: Path, content: str, reduced: bool
) -> None:
    environment = desktop("none", "")
    (tmp_path / "kdeglobals").write_text(content)
    assert system_reduces_motion(environment) == reduced


def choose(program: Program, choice: MotionChoice) -> None:
    program.application.change_settings(program.application.settings.with_value("motion", choice))


def test_the_system_is_followed_until_the_settings_say_otherwise(make_program: MakeProgram, qtbot: QtBot) -> None:
    program = make_program(system_reduces_motion=lambda: True).start()
    qtbot.waitUntil(reduced_motion)
    choose(program, "full")
    assert not reduced_motion()
    choose(program, "reduced")
    assert reduced_motion()
    choose(program, "full")
    choose(program, "system")
    assert reduced_motion(), "what it said before holds until it answers again"


def test_a_change_of_the_system_is_seen_when_the_window_comes_forward(
    make_program: MakeProgram, qtbot: QtBot, qapp: QApplication
) -> None:
    answers = [True, False]
    program = make_program(system_reduces_motion=lambda: answers.pop(0)).start()
    qtbot.waitUntil(reduced_motion)
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    qtbot.waitUntil(lambda: not reduced_motion())
    assert not answers
    choose(program, "full")
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)  # nobody asks: there are no more answers


def test_a_system_that_cannot_be_asked_changes_nothing(
    make_program: MakeProgram, qtbot: QtBot, expected_errors: list[str]
) -> None:
    def fail() -> bool:
        raise RuntimeError("no answer")

    expected_errors.append("motion failed")
    program = make_program(system_reduces_motion=fail).start()
    qtbot.waitUntil(lambda: program.application.motion._asking is None)
    assert not reduced_motion()


@pytest.mark.parametrize(("choice", "moves"), [("reduced", False), ("full", True)])
def test_every_animation_of_the_window_obeys(
    make_program: MakeProgram, qtbot: QtBot, choice: MotionChoice, moves: bool
) -> None:
    program = make_program().start()
    choose(program, choice)
    window = program.window
    assert window.settings_panel.rows
    program.application.all_settings.open_dialog()
    program.application.all_settings.dialog.close()  # type: ignore[union-attr]
    ran: list[QAbstractAnimation] = []
    animations = window.findChildren(QAbstractAnimation)
    for animation in animations:
        animation.stateChanged.connect(
            lambda new, _, one=animation: ran.append(one) if new == QAbstractAnimation.State.Running else None
        )
    assert len(animations) > 4, "gauges, switches, the panel"
    program.ask("Go")
    window.toggle_settings()
    window.settings_panel.rows["show_tokens"].findChildren(QAbstractAnimation)[0].parent().parent().click()
    window.toggle_settings()
    assert bool(ran) == moves


def test_nothing_moves_without_asking() -> None:
    """Whoever makes an animation asks `reduced_motion` in the same file."""
    careless = []
    for path in sorted(Path(app.__path__[0]).rglob("*.py")):
        names = {node.id for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Name)}
        if names & ANIMATIONS and "reduced_motion" not in names:
            careless.append(path.name)
    assert not careless


@pytest.mark.parametrize("words", ["motion", "animation", "动画", "减少", "system"])
def test_it_is_found_in_the_settings(words: str) -> None:
    assert found(texts_of(BY_NAME["motion"]), words)

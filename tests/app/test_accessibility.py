"""Every control of every page can be reached, and tells what it is, for those who do not see it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QScrollBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.language import Interface
from tests.app.chinese import chinese
from tests.app.conftest import MakeProgram
from tests.app.program import Program

assert chinese  # the fixture
CONTROLS = (
    *(QAbstractButton, QAbstractItemView, QAbstractSlider, QComboBox, QLineEdit, QPlainTextEdit, QProgressBar),
    QTextEdit,
)


def controls(widget: QWidget) -> Iterator[QWidget]:
    for child in widget.findChildren(QWidget):
        inner = child.objectName().startswith("qt_") or isinstance(child.parent(), QComboBox | QLineEdit)
        inner = inner or child.window().windowType() == Qt.WindowType.Popup  # the list of a QComboBox
        if isinstance(child, CONTROLS) and not isinstance(child, QScrollBar) and not inner:
            yield child


def name_of(control: QWidget) -> str:
    text = control.text() if isinstance(control, QAbstractButton) else ""
    return control.accessibleName() or text


def nameless(widget: QWidget) -> list[str]:
    return [
        f"{type(one).__name__} of {type(one.parent()).__name__} ({one.toolTip()})"
        for one in controls(widget)
        if not name_of(one)
    ]


def unreachable(widget: QWidget) -> list[str]:
    """Buttons and fields that are shown and that Tab never comes to."""
    return [
        f"{type(one).__name__} {name_of(one)!r}"
        for one in controls(widget)
        if isinstance(one, QAbstractButton | QLineEdit | QComboBox)
        and one.isVisible()
        and one.isEnabled()
        and not one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not (isinstance(one, QAbstractButton) and one.isCheckable() and one.group() is not None)
    ]


def opened(program: Program) -> dict[str, QDialog]:
    """Every page that the window can open."""
    window = program.window
    window.settings_panel.show()
    window.all_settings_requested.emit()
    window.models_requested.emit()
    window.routes_requested.emit()
    window.training_requested.emit()
    window.check_requested.emit()
    window.benchmark_requested.emit()
    window.compare_requested.emit("")
    window.show_shortcuts()
    window.sidebar.about_requested.emit()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.MetaCall.value)
    return {type(dialog).__name__: dialog for dialog in window.findChildren(QDialog) if dialog.isVisible()}


@pytest.fixture
def program(make_program: MakeProgram) -> Program:
    program = make_program().start()
    program.ask("Hello")
    return program


def test_every_control_has_a_name_and_can_be_reached(program: Program) -> None:
    pages: dict[str, QWidget] = {"Window": program.window, **opened(program)}
    expected = {"SettingsDialog", "ModelsPage", "RouterPage", "TrainingPage", "ShortcutSheet"}
    assert expected | {"CheckingPage", "BenchmarksPage", "ComparePage"} <= pages.keys()
    found = sorted({wrong for page in pages.values() for wrong in nameless(page) + unreachable(page)})
    assert not found, "\n".join(found)


def test_names_are_chinese_in_a_chinese_window(chinese: Interface, program: Program) -> None:
    """What stays English is a name: of a model, a key, a format."""
    opened(program)
    known = {"Foreword", "Top-p", "Top-k", "Min-p", "n-gram", "Enter", "Esc", "float32", "bfloat16", "float16"}
    for control in controls(program.window):
        name = name_of(control)
        if name and name not in known and name.isascii() and any(letter.islower() for letter in name):
            assert "SmolLM" in name or "Hello" in name or not name.strip(), f"{type(control).__name__}: {name!r}"


def test_tab_goes_round_the_window_in_reading_order(program: Program, qtbot: QtBot) -> None:
    window = program.window
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.composer.focus()
    seen: list[QWidget] = []
    for _ in range(80):
        qtbot.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
        focused = window.focusWidget()
        assert focused is not None
        if seen and focused is seen[0]:
            break
        seen.append(focused)
    places = {id(one): index for index, one in enumerate(seen)}
    order = [window.sidebar.search, window.header.model_button, window.header.speculation_button]
    indices = [places[id(one)] for one in order]
    assert indices == sorted(indices), "the search, the model, speculation"

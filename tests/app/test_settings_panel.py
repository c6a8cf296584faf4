"""The panel shows the table, tells each valid edit once, and refuses the rest in words."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from app.setting_rules import Flag, Number
from app.settings import TABLE, Settings
from app.theme import DARK, LIGHT
from app.views import settings_panel
from app.views.draft_picker import DraftPicker
from app.views.fields import ChoiceField, NumberField, TextField
from app.views.segmented import Segmented
from app.views.settings_panel import HERE, SettingsPanel
from app.views.slider import Slider
from app.views.style import dress
from app.views.toggle import Toggle
from tests.patience import WAIT_MS

LEARNING = {"learn_from_chats"}  # of use where the n-gram drafts
KNOWN = {"drafter", "draft_model", "dynamic", "draft_length", "max_draft_length", "min_acceptance", *LEARNING}


class Bench:
    """A panel over a window, and every Settings it told."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.window.resize(1000, 800)
        self.panel = SettingsPanel(self.window)
        self.told: list[Settings] = []
        self.panel.changed.connect(self.told.append)
        self.window.show()
        self.panel.show()

    def control(self, name: str) -> QWidget:
        return self.panel.rows[name].control


@pytest.fixture
def bench(qtbot: QtBot) -> Bench:
    return Bench(qtbot)


def test_every_heading_is_there_once(bench: Bench) -> None:
    labels = bench.panel.findChildren(QLabel)
    headings = [label.text() for label in labels if label.property("kind") == "heading" and label.isVisible()]
    assert headings == ["Speculation", "Sampling", "Reply"]


def test_every_setting_has_a_row_that_can_be_named_explained_and_reached(bench: Bench) -> None:
    assert list(bench.panel.rows) == [setting.name for setting in HERE]
    for name, row in bench.panel.rows.items():
        assert row.control.accessibleName() == row.setting.label, name
        assert row.label.toolTip() == row.setting.help
        assert row.reset.accessibleName() == f"Reset {row.setting.label}"
        target = row.control
        if isinstance(target, Segmented):
            reachable = all(b.focusPolicy() & Qt.FocusPolicy.TabFocus for b in target.buttons.values() if b.isChecked())
        elif isinstance(target, DraftPicker):
            reachable = bool(target.button.focusPolicy() & Qt.FocusPolicy.TabFocus)
        else:
            reachable = bool(target.focusPolicy() & Qt.FocusPolicy.TabFocus)
        assert reachable, name


def test_it_says_when_changes_apply(bench: Bench) -> None:
    assert "Changes apply to the next reply." in [label.text() for label in bench.panel.findChildren(QLabel)]


def test_showing_settings_tells_nothing(bench: Bench, qtbot: QtBot) -> None:
    shown = Settings(
        speculation="on",
        drafter="model",
        draft_model="/models/Coder-0.5B",
        dynamic=False,
        draft_length=9,
        temperature=0.33,
        top_k=40,
        seed=5,
        max_tokens=77,
        system_prompt="简短。",
        show_tokens=True,
        appearance="dark",
        precision="int4",
    )
    bench.panel.show_settings(shown)
    bench.panel.flush()
    QApplication.processEvents()
    assert bench.told == []
    assert bench.panel.settings == shown
    assert bench.panel.rows["temperature"].figure.text() == "0.33"
    picker = bench.control("draft_model")
    assert isinstance(picker, DraftPicker) and picker.label.text() == "Coder-0.5B"


def test_segments_are_chosen_by_mouse_and_arrow_keys(bench: Bench, qtbot: QtBot) -> None:
    segmented = bench.control("speculation")
    assert isinstance(segmented, Segmented)
    qtbot.mouseClick(segmented.buttons["off"], Qt.MouseButton.LeftButton)
    segmented.buttons["off"].setFocus()
    qtbot.keyClick(segmented.buttons["off"], Qt.Key.Key_Right)
    assert [settings.speculation for settings in bench.told] == ["off", "on"]
    assert segmented.value == "on"


def test_a_toggle(bench: Bench, qtbot: QtBot) -> None:
    toggle = bench.control("show_tokens")
    assert isinstance(toggle, Toggle)
    qtbot.mouseClick(toggle, Qt.MouseButton.LeftButton)
    qtbot.keyClick(toggle, Qt.Key.Key_Space)
    assert [settings.show_tokens for settings in bench.told] == [True, False]


def test_a_slider_by_keys_and_by_a_click_on_its_groove(bench: Bench, qtbot: QtBot) -> None:
    slider = bench.control("temperature")
    assert isinstance(slider, Slider)
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert bench.told[-1].temperature == pytest.approx(0.75)
    assert bench.panel.rows["temperature"].figure.text() == "0.75"
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() - 2, slider.height() // 2))
    assert bench.told[-1].temperature == 2.0
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    assert bench.told[-1].temperature == 0.0


def test_a_slider_that_was_clicked_has_the_arrow_keys_and_shows_the_focus_only_to_them(
    bench: Bench, qtbot: QtBot, qapp: QApplication
) -> None:
    dress(qapp, LIGHT)
    slider = bench.control("temperature")
    bench.window.activateWindow()
    qtbot.waitUntil(bench.window.isActiveWindow, timeout=WAIT_MS)
    place = QPoint(slider.width() // 2, slider.height() // 2)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=place)
    assert slider.hasFocus()
    bench.told.clear()
    assert LIGHT.accent != handle_colour(slider, place)
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert len(bench.told) == 2
    assert LIGHT.accent == handle_colour(slider, place)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=place)
    assert LIGHT.accent != handle_colour(slider, place)
    qtbot.keyClick(slider, Qt.Key.Key_Tab)
    assert not slider.hasFocus()
    qtbot.keyClick(QApplication.focusWidget() or bench.window, Qt.Key.Key_Backtab)
    assert slider.hasFocus()
    assert LIGHT.accent == handle_colour(slider, place)


def handle_colour(slider: QWidget, place: QPoint) -> str:
    return slider.grab().toImage().pixelColor(place).name()


@pytest.mark.parametrize("setting", [s for s in HERE if isinstance(s.rule, Number)], ids=lambda s: s.name)
def test_every_step_of_a_slider_is_a_valid_value(bench: Bench, setting: object) -> None:
    name = setting.name  # type: ignore[attr-defined]
    slider = bench.control(name)
    assert isinstance(slider, Slider)
    for position in range(slider.minimum(), slider.maximum() + 1):
        Settings().with_value(name, slider._at(position))


def test_dragging_shows_the_value_and_tells_it_once(bench: Bench) -> None:
    slider = bench.control("temperature")
    assert isinstance(slider, Slider)
    slider.setSliderDown(True)
    for position in (20, 25, 30):
        slider.setSliderPosition(position)
    assert bench.panel.rows["temperature"].figure.text() == "1.50"
    assert bench.told == []
    slider.setSliderDown(False)
    assert [settings.temperature for settings in bench.told] == [1.5]


@pytest.mark.parametrize("name", ["temperature", "drafter"])
def test_the_wheel_is_left_to_the_page(bench: Bench, name: str) -> None:
    control = bench.control(name)
    centre = QPointF(control.rect().center())
    wheel = QWheelEvent(
        centre,
        control.mapToGlobal(centre),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    type(control).wheelEvent(control, wheel)  # type: ignore[arg-type]
    assert not wheel.isAccepted()
    assert bench.told == []


def test_typing_is_told_once_after_a_pause(bench: Bench, qtbot: QtBot) -> None:
    field = bench.control("max_tokens")
    assert isinstance(field, NumberField)
    field.selectAll()
    with qtbot.waitSignal(bench.panel.changed, timeout=WAIT_MS):
        qtbot.keyClicks(field, "2048")
    assert [settings.max_tokens for settings in bench.told] == [2048]


def test_text_is_told_when_the_panel_hides(bench: Bench) -> None:
    field = bench.control("system_prompt")
    assert isinstance(field, TextField)
    field.setPlainText("用中文回答。")
    assert bench.told == []
    bench.panel.hide()
    assert [settings.system_prompt for settings in bench.told] == ["用中文回答。"]


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("top_k", "many", "whole number"),
        ("top_k", "", "whole number"),
        ("top_k", "5000", "between 0 and 1000"),
        ("max_tokens", "0", "between 1 and"),
        ("seed", "-1", "between 0 and"),
        ("seed", "1.5", "whole number"),
    ],
)
def test_a_wrong_value_is_refused_in_words_and_can_be_mended(bench: Bench, name: str, typed: str, words: str) -> None:
    row = bench.panel.rows[name]
    assert isinstance(row.control, NumberField)
    row.control.setText(typed if typed else " ")
    row.control.flush()
    assert bench.told == []
    assert words in row.error.text() and row.error.isVisible()
    assert row.control.property("invalid") is True
    assert row.reset.isVisible()
    row.reset.click()
    assert not row.error.isVisible()
    assert row.control.property("invalid") is False
    assert bench.panel.settings == Settings()


def test_a_seed_may_be_empty(bench: Bench) -> None:
    field = bench.control("seed")
    assert isinstance(field, NumberField)
    for text in ("7", ""):
        field.setText(text)
        field.flush()
    assert [settings.seed for settings in bench.told] == [7, None]


def test_arrow_keys_step_a_number_within_its_bounds(bench: Bench, qtbot: QtBot) -> None:
    field = bench.control("top_k")
    assert isinstance(field, NumberField)
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert field.text() == "0"
    qtbot.keyClick(field, Qt.Key.Key_PageUp)
    field.flush()
    assert bench.told[-1].top_k == 10


def test_a_choice_of_many(bench: Bench) -> None:
    field = bench.control("drafter")
    assert isinstance(field, ChoiceField)
    field.activated.emit(field.findData("model"))
    assert bench.told[-1].drafter == "model"


def test_reset_appears_with_a_change_and_takes_it_back(bench: Bench, qtbot: QtBot) -> None:
    row = bench.panel.rows["temperature"]
    place = row.figure.geometry()
    assert not row.reset.isVisible()
    bench.panel.show_settings(Settings(temperature=1.2))
    assert row.reset.isVisible()
    assert row.figure.geometry() == place
    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    assert [settings.temperature for settings in bench.told] == [0.7]
    assert not row.reset.isVisible()


def test_reset_all_keeps_the_models(bench: Bench) -> None:
    bench.panel.show_settings(Settings(model="a", draft_model="/b", temperature=0.1, seed=3))
    bench.panel._reset_all.click()
    assert bench.told == [Settings(model="a", draft_model="/b")]


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        (Settings(speculation="off"), set()),
        (Settings(drafter="none"), {"drafter"}),
        (
            Settings(),
            {"drafter", "draft_model", "dynamic", "draft_length", "max_draft_length", "min_acceptance", *LEARNING},
        ),
        (Settings(drafter="ngram", dynamic=False), {"drafter", "dynamic", "draft_length", *LEARNING}),
        (Settings(drafter="model", dynamic=False), {"drafter", "draft_model", "dynamic", "draft_length"}),
    ],
)
def test_only_what_matters_is_shown(bench: Bench, settings: Settings, shown: set[str]) -> None:
    bench.panel.show_settings(settings)
    dependent = {s.name for s in HERE if s.group == "speculation"} - {"speculation"}
    assert {name for name in dependent & KNOWN if bench.panel.rows[name].isVisible()} == shown


def test_a_draft_is_asked_for(bench: Bench, qtbot: QtBot) -> None:
    bench.panel.show_settings(Settings(drafter="model"))
    picker = bench.control("draft_model")
    assert isinstance(picker, DraftPicker)
    with qtbot.waitSignal(bench.panel.choose_draft_requested):
        picker.button.click()


def test_escape_and_the_cross_close_it(bench: Bench, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bench.panel.closed):
        qtbot.keyClick(bench.panel, Qt.Key.Key_Escape)
    assert not bench.panel.isVisible()
    bench.panel.show()
    with qtbot.waitSignal(bench.panel.closed):
        bench.panel._close.click()
    assert not bench.panel.isVisible()


def at_rest(bench: Bench) -> bool:
    panel = bench.panel
    return panel.pos() == QPoint(bench.window.width() - panel.width(), 0) and panel.height() == bench.window.height()


def test_it_lies_over_the_right_edge_and_follows_it(bench: Bench, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: at_rest(bench), timeout=WAIT_MS)
    bench.window.resize(800, 600)
    qtbot.waitUntil(lambda: at_rest(bench), timeout=WAIT_MS)


def test_without_motion_it_is_there_at_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_panel, "reduced_motion", lambda: True)
    assert at_rest(Bench(qtbot))


def test_a_splitter_does_not_make_a_column_of_it(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    splitter = QSplitter(window)
    splitter.addWidget(QWidget())
    panel = SettingsPanel(splitter)
    assert splitter.count() == 1
    assert panel.parentWidget() is window


def test_tab_walks_through_the_panel(bench: Bench, qtbot: QtBot) -> None:
    bench.window.activateWindow()
    qtbot.waitUntil(bench.window.isActiveWindow, timeout=WAIT_MS)
    seen = set()
    bench.panel._close.setFocus()
    for _ in range(60):
        QTest.keySequence(bench.window, QKeySequence(Qt.Key.Key_Tab))
        focus = bench.window.focusWidget()
        if focus is not None:
            seen.add(focus)
    for name in ("temperature", "top_k", "seed", "max_tokens", "system_prompt", "show_tokens", "drafter"):
        assert bench.control(name) in seen, name


def test_themes_recolour_the_icons(bench: Bench) -> None:
    bench.panel.show_settings(replace(Settings(), temperature=1.0))
    pictures = []
    for theme in (LIGHT, DARK):
        bench.panel.set_theme(theme)
        pictures.append(bench.panel._close.icon().pixmap(20, 20).toImage())
    assert pictures[0] != pictures[1]


def test_flags_tell_booleans_only() -> None:
    assert all(isinstance(setting.default, bool) for setting in TABLE if isinstance(setting.rule, Flag))

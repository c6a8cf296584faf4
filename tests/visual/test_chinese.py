"""Every screen in Chinese, light and dark, at one and two pixels a point: tests/visual/out/zh-*.png, to be looked at.
What a machine can see: that no text is cut.
"""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.language import Interface
from app.licences import Licence
from app.model_rows import rows_of
from app.settings import Settings
from app.theme import DARK, LIGHT, Theme
from app.views.about_box import AboutBox
from app.views.benchmarks_page import BenchmarksPage
from app.views.checking_page import CheckingPage
from app.views.compare_page import ComparePage
from app.views.doctor_page import DoctorPage
from app.views.elided_label import ElidedLabel
from app.views.import_dialog import ImportDialog
from app.views.model_row import DraftRow, LoadWish
from app.views.models_page import ModelsPage
from app.views.restore_dialog import RestoreDialog
from app.views.router_page import RouterPage
from app.views.settings_dialog import SettingsDialog
from app.views.shortcut_sheet import ShortcutSheet
from app.views.style import dress
from app.views.training_page import TrainingPage
from app.views.welcome import Welcome
from inference.doctor.finding import Finding
from inference.manager.catalogue import Catalogue
from inference.plan.choice import choose
from inference.plan.machine import Machine
from inference.plan.memory_plan import PlanSettings
from inference.plan.model_shape import shape_of
from tests.app.chinese import chinese
from tests.app.panel_events import play, settle
from tests.app.program import Program
from tests.app.scripted_engine import ScriptedEngine
from tests.inference.plan.configs import QWEN3_06B, QWEN3_8B
from tests.visual.picture import picture
from tests.visual.test_router_page import CANDIDATES, measured
from tests.visual.test_training_page import STATES
from tests.visual.test_window import ANSWER, make, running_reply

assert chinese and make  # the fixtures
GIB = 1 << 30


def cut(widget: QWidget) -> list[str]:
    """Texts that have less room than they need."""
    found = []
    for child in widget.findChildren(QWidget):
        if not child.isVisible() or not isinstance(child, QLabel | QAbstractButton) or isinstance(child, ElidedLabel):
            continue
        wraps = isinstance(child, QLabel) and child.wordWrap()
        needed = child.heightForWidth(child.width()) if wraps else child.sizeHint().width()
        room = child.height() if wraps else child.width()
        if child.text() and room < needed - 2:
            found.append(f"{type(child).__name__} {child.text()!r}: {room} of {needed}")
    return found


@pytest.fixture(params=[LIGHT, DARK], ids=lambda theme: theme.name)
def theme(request: pytest.FixtureRequest, qapp: QApplication, chinese: Interface) -> Theme:
    dress(qapp, request.param)
    assert isinstance(request.param, Theme)
    return request.param


def look(widget: QWidget, name: str, theme: Theme) -> None:
    for ratio in (1, 2):
        picture(widget, f"zh-{name}-{theme.name}-{ratio}x", ratio)
    assert not cut(widget)


def test_the_window(chinese: Interface, make: Callable[..., Program]) -> None:
    for theme in (LIGHT, DARK):
        program = make(engine=ScriptedEngine(running_reply()), session={"appearance": theme.name}).start()
        window = program.window
        look(window, "empty", theme)
        program.begin("写一个函数，合并两个已排序的列表。")
        program.until(ANSWER[:-1])
        play(window.gauges)
        settle(window.gauges)
        look(window, "window", theme)
        window.toggle_settings()
        panel = window.settings_panel
        program.qtbot.waitUntil(lambda window=window, panel=panel: panel.geometry().right() <= window.width())  # type: ignore[misc]
        look(window, "panel", theme)
        window.toggle_settings()
        window.show_shortcuts()
        sheet = window.findChild(ShortcutSheet)
        assert isinstance(sheet, ShortcutSheet)
        look(sheet, "shortcuts", theme)
        sheet.reject()
        window.resize(820, 640)
        look(window, "narrow", theme)
        program.application.close()


def test_the_settings(qtbot: QtBot, theme: Theme) -> None:
    dialog = SettingsDialog(None, theme)
    qtbot.addWidget(dialog)
    dialog.show_settings(Settings(temperature=1.2, appearance="dark"))
    dialog.offer_reopening(True)
    dialog.show()
    look(dialog, "settings", theme)
    dialog.resize(dialog.width(), 2600)
    look(dialog, "settings-long", theme)
    dialog.search.setText("模型")
    dialog.resize(dialog.width(), 620)
    look(dialog, "settings-search", theme)


def test_the_models(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    page = ModelsPage(window, theme)
    catalogue = Catalogue.read()
    here = [spec for spec in catalogue.specs if spec.identifier in ("Qwen3-8B", "Qwen3-0.6B")]
    machine = Machine(32 * GIB, 9 * GIB)
    disk = {spec.identifier: spec.size_bytes for spec in here}
    page.show()
    page.show_models(rows_of(here, disk, catalogue.specs, loaded="Qwen3-0.6B", machine=machine), "")
    page.list.choose("Qwen3-8B")
    choice = choose(shape_of(QWEN3_8B), machine, PlanSettings("bfloat16"), shape_of(QWEN3_06B))
    page.show_drafts("Qwen3-8B", [DraftRow("Qwen3-0.6B", "Qwen3 0.6B")])
    wish = LoadWish("Qwen3-8B", choice.settings.precision, choice.plan.context, "Qwen3-0.6B")
    page.show_plan("Qwen3-8B", wish, choice.plan, choice.reason)
    look(page, "models", theme)
    page.close()


def test_the_other_dialogs(qtbot: QtBot, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    doctor = DoctorPage(window, theme)
    doctor.show_findings(
        [
            Finding("python", "Python", "good", "Python 3.13.1."),
            Finding(
                "card",
                "Graphics cards",
                "warning",
                "No NVIDIA card: the processor does the work.",
                "The log has the details.",
            ),
        ],
        finished=True,
    )
    routes = RouterPage(window)
    routes.show_routes(measured().routes("t", "Qwen2.5-Coder-1.5B-Instruct", CANDIDATES, 0.036))
    training = TrainingPage(window)
    training.show_model("SmolLM2 135M Instruct")
    training.show_state(STATES["training"])
    importing = ImportDialog(window, "chats.zip")
    importing.show_progress(0.4, 120, 3456, 7, 2)
    pages = {
        "doctor": doctor,
        "routes": routes,
        "training": training,
        "import": importing,
        "restore": RestoreDialog(window, []),
        "welcome": Welcome(window, "zh"),
        "check": CheckingPage(window),
        "benchmark": BenchmarksPage(window),
        "compare": ComparePage(window),
        "about": AboutBox(window, [Licence("Foreword", "0.1", "Apache-2.0", "")]),
    }
    for name, page in pages.items():
        page.show()
        look(page, name, theme)
        page.close()

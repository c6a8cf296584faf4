"""Pictures of the page of models and of the doctor, for people to look at: tests/visual/out/models-*.png."""

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.model_rows import rows_of
from app.theme import DARK, LIGHT, Theme
from app.views.doctor_page import DoctorPage
from app.views.model_row import DraftRow, Fetching, LoadWish
from app.views.models_page import ModelsPage
from app.views.style import dress
from inference.doctor.finding import Finding
from inference.manager.catalogue import Catalogue
from inference.plan.choice import choose
from inference.plan.machine import Machine
from inference.plan.memory_plan import PlanSettings
from inference.plan.model_shape import shape_of
from tests.inference.plan.configs import QWEN3_06B, QWEN3_8B
from tests.visual.picture import picture

GIB = 1 << 30


@pytest.mark.parametrize("ratio", [1, 2])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_plan_on_the_page(qtbot: QtBot, qapp: QApplication, theme: Theme, ratio: int) -> None:
    dress(qapp, theme)
    window = QWidget()
    qtbot.addWidget(window)
    page = ModelsPage(window, theme)
    catalogue = Catalogue.read()
    here = [spec for spec in catalogue.specs if spec.identifier in ("Qwen3-8B", "Qwen3-0.6B")]
    machine = Machine(32 * GIB, (9 if ratio == 1 else 5) * GIB)
    disk = {spec.identifier: spec.size_bytes for spec in here}
    page.show()
    page.show_models(
        rows_of(here, disk, catalogue.specs, loaded="Qwen3-0.6B", machine=machine), "2 models take 17.6 GB"
    )
    page.list.choose("Qwen3-8B")
    choice = choose(shape_of(QWEN3_8B), machine, PlanSettings("bfloat16"), shape_of(QWEN3_06B))
    wish = LoadWish("Qwen3-8B", choice.settings.precision, choice.plan.context, "Qwen3-0.6B")
    page.show_drafts("Qwen3-8B", [DraftRow("Qwen3-0.6B", "Qwen3 0.6B"), DraftRow("x", "X", "It is too large.")])
    page.show_plan("Qwen3-8B", wish, choice.plan, choice.reason)
    image = picture(page, f"models-plan-{theme.name}-{ratio}x", ratio)
    colours = {
        image.pixelColor(x, y).name() for x in range(340 * ratio, 960 * ratio, 3) for y in range(0, 680 * ratio, 7)
    }
    assert {theme.accent, theme.ground, theme.good if ratio == 1 else theme.error} <= colours
    page.list.choose("Qwen3-14B")
    page.show_fetching({"Qwen3-14B": Fetching("Downloading Qwen3 14B, 3.4 of 29.5 GB, 12 MB/s, 36 min left", 0.12)})
    picture(page, f"models-download-{theme.name}-{ratio}x", ratio)
    page.close()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_doctor(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    dress(qapp, theme)
    window = QWidget()
    qtbot.addWidget(window)
    page = DoctorPage(window, theme)
    page.show()
    findings = [
        Finding("python", "Python", "good", "Python 3.13.1."),
        Finding("torch", "torch", "bad", "torch 2.13, CPU build. It cannot use the card in this machine.",
                "Start packaging/launch.py setup --cuda: it installs the CUDA build."),
        Finding("disk", "Disk", "warning", "3.1 GB are free where models are kept.", "Make room, or remove models."),
    ]  # fmt: skip
    page.show_findings(findings, finished=True)
    image = picture(page, f"models-doctor-{theme.name}", 1)
    colours = {image.pixelColor(x, y).name() for x in range(60) for y in range(40, 400)}
    assert {theme.good, theme.error} & colours
    page.close()

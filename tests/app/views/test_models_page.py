"""The page of models and the doctor's page by themselves: what they are given, and what they tell."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.language import Interface
from app.model_rows import rows_of
from app.theme import DARK, LIGHT
from app.views.doctor_page import DoctorPage
from app.views.model_row import DraftRow, Fetching, LoadWish, ModelRow
from app.views.models_page import ModelsPage
from app.views.plan_bar import PlanBar, part_name
from app.views.style import dress
from inference.chat_engine import LoadedModel
from inference.doctor.finding import Finding
from inference.heads.shape import HeadShape
from inference.manager.hub_search import HubModel
from inference.manager.spec import Spec
from inference.plan.machine import Card, Machine
from inference.plan.memory_plan import PartName, PlanSettings, plan
from inference.plan.model_shape import shape_of
from tests.app.chinese import chinese
from tests.inference.plan.configs import HYBRID, QWEN3_8B, SMOLLM2

GIB = 1 << 30
assert chinese  # the fixture
ROOMY, TIGHT = Machine(16 * GIB, 10 * GIB), Machine(GIB, GIB // 4)
CARD = Machine(32 * GIB, 30 * GIB, (Card("Card 24 GB", 24 * GIB, 20 * GIB),))
ROWS = [
    ModelRow("here", "Here", "here", "135 M", loaded=True, context_length=8192),
    ModelRow("there", "There", "catalogue", "8.2 B"),
    ModelRow("far", "someone/far", "hub", "", obstacle="It needs an account."),
]


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> QWidget:
    dress(qapp, LIGHT)
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def page(window: QWidget) -> ModelsPage:
    page = ModelsPage(window, LIGHT)
    page.show_models(ROWS, "1 model takes 1 GB")
    return page


def test_the_loaded_model_is_looked_at_first(page: ModelsPage) -> None:
    assert page.list.current is not None and page.list.current.identifier == "here"
    assert not page.details.form.isHidden() and page.details.download.parent().isHidden()  # type: ignore[attr-defined]


def test_what_went_wrong_before_the_list_was_there_is_still_said(window: QWidget) -> None:
    page = ModelsPage(window, LIGHT)
    page.show_message("A shard is missing.")
    page.show_models(ROWS, "")
    assert page.details._message.text() == "A shard is missing." and not page.details._message.isHidden()
    page.list.choose("there")
    assert page.details._message.isHidden(), "that was about another"


def test_rows_tell_which_of_them_are_being_fetched(page: ModelsPage) -> None:
    def said() -> str:
        items = [page.list.item(index) for index in range(page.list.count())]
        (told,) = [item.toolTip() for item in items if item.text() == "There"]
        return told.splitlines()[1]

    page.resize(980, 720)
    page.list.resize(280, 500)
    before, plain = said(), page.list.grab().toImage()
    page.show_fetching({"there": Fetching("Downloading There", 0.45)})
    assert said() == "downloading, 45 %"
    assert page.list.grab().toImage() != plain
    page.show_models(ROWS, "")
    assert said() == "downloading, 45 %", "also after the list was filled again"
    page.show_fetching({"there": Fetching("Paused.", 0.45, paused=True)})
    assert said() == "paused at 45 %"
    page.show_fetching({"there": Fetching("No.", 0.0, paused=True, failed=True)})
    assert said() == "stopped at 0 %"
    page.show_fetching({})
    assert said() == before and page.list.grab().toImage() == plain


def test_a_long_reason_keeps_to_the_width_of_the_page(page: ModelsPage) -> None:
    page.list.choose("there")
    width = page.details.minimumSizeHint().width()
    page.show_fetching({"there": Fetching("The hub does not give it. " * 20, 0.0, paused=True, failed=True)})
    assert page.details.minimumSizeHint().width() == width


def test_where_another_address_may_help_a_button_leads_to_it(page: ModelsPage, qtbot: QtBot) -> None:
    assert page.details.hub.isHidden()
    page.show_message("The hub cannot be reached.", hub=True)
    with qtbot.waitSignal(page.hub_requested):
        page.details.hub.click()
    page.show_message("")
    page.list.choose("there")
    assert page.details.hub.isHidden()
    page.show_fetching({"there": Fetching("Refused.", 0.0, paused=True, failed=True, hub=True)})
    assert not page.details.hub.isHidden()


def test_a_model_that_is_not_here_can_be_downloaded(page: ModelsPage, qtbot: QtBot) -> None:
    page.list.choose("there")
    assert page.details.form.isHidden()
    with qtbot.waitSignal(page.download_requested) as asked:
        page.details.download.click()
    assert asked.args == ["there"]
    page.show_fetching({"there": Fetching("1 of 8 GB", 0.125)})
    assert page.details.bar.value() == 125 and page.details.download.isHidden()
    with qtbot.waitSignal(page.pause_requested):
        page.details.pause.click()
    page.show_fetching({"there": Fetching("Paused", 0.125, paused=True)})
    assert page.details.pause.isHidden() and page.details.download.text() == "Resume"


def test_what_cannot_be_downloaded_says_why(page: ModelsPage) -> None:
    page.list.choose("far")
    assert not page.details.download.isEnabled()
    assert any(label.text() == "It needs an account." for label in page.details.findChildren(QLabel))


@pytest.mark.parametrize(
    ("search", "shown"),
    [
        (
            "",
            ["On this machine", "Qwen2.5-Coder-0.5B", "To download", "Qwen3 0.6B", "Found on the hub", "a/coder-qwen"],
        ),
        ("qwen coder", ["On this machine", "Qwen2.5-Coder-0.5B", "Found on the hub", "a/coder-qwen"]),
        ("CODER 0.5b", ["On this machine", "Qwen2.5-Coder-0.5B"]),
        ("qwen3-0.6b", ["To download", "Qwen3 0.6B"]),
        ("llama", ["Not here. Enter searches the hub."]),
    ],
)
def test_words_are_searched_in_any_order_and_case(page: ModelsPage, search: str, shown: list[str]) -> None:
    names = (("Qwen2.5-Coder-0.5B", "here"), ("Qwen3 0.6B", "catalogue"), ("a/coder-qwen", "hub"))
    page.show_models([ModelRow(name, name, where, "") for name, where in names], "")  # type: ignore[arg-type]
    page.search.setText(search)
    assert [page.list.item(index).text() for index in range(page.list.count())] == shown


def test_the_list_is_narrowed_by_size_fit_and_draft(page: ModelsPage) -> None:
    billion = 1_000_000_000
    page.show_models(
        [
            ModelRow("a", "tiny", "here", "", parameters=billion // 7, fits=True, drafted=False),
            ModelRow("b", "middle", "here", "", parameters=4 * billion, fits=True, drafted=True),
            ModelRow("c", "large", "catalogue", "", parameters=32 * billion, fits=False, drafted=True),
            ModelRow("d", "unknown", "hub", ""),
        ],
        "",
    )

    def shown() -> list[str]:
        names = [page.list.item(index).text() for index in range(page.list.count())]
        return [name for name in names if name in ("tiny", "middle", "large", "unknown")]

    filters = page.filters
    assert shown() == ["tiny", "middle", "large", "unknown"]
    filters.sizes.setCurrentIndex(filters.sizes.findData(billion))
    assert shown() == ["tiny"]
    filters.sizes.setCurrentIndex(0)
    filters.drafted.click()
    assert shown() == ["middle", "large"]
    filters.fits.click()
    assert shown() == ["middle"]
    filters.drafted.click()
    assert shown() == ["tiny", "middle"]


def test_what_is_looked_at_stays_though_it_is_narrowed_out(page: ModelsPage) -> None:
    page.list.choose("there")
    page.search.setText("nothing like that")
    page.show_models(ROWS, "news")
    assert page.list.current is not None and page.list.current.identifier == "there"
    assert page.details.download.isEnabled() and not page.details.download.isHidden()
    page.search.clear()
    assert page.list.currentItem().text() == "There"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_question_before_deleting_says_what_it_frees(
    window: QWidget, request: pytest.FixtureRequest, language: str
) -> None:
    if language == "zh":
        request.getfixturevalue("chinese")
    page = ModelsPage(window, LIGHT)
    spec = Spec("mine", "Mine", folder=Path("/models/mine"))
    page.show_models(rows_of([spec], {"mine": 467_000_000}, []), "")
    page.ask_to_remove("mine")
    (box,) = page.findChildren(QMessageBox)
    assert "467 MB" in box.informativeText()
    box.close()


def test_news_of_another_model_are_dropped(page: ModelsPage) -> None:
    page.show_plan("here", LoadWish("here", context=4096), plan(shape_of(SMOLLM2), ROOMY), "It fits.")
    page.show_plan("there", LoadWish("there"), None, "Something else.")
    assert page.details.form.reason.text() == "It fits." and page.details.form.wish.context == 4096


def test_only_contexts_that_the_model_reads_are_offered(page: ModelsPage) -> None:
    page.show_plan("here", LoadWish("here", context=3000), plan(shape_of(SMOLLM2), ROOMY), "")
    context = page.details.form.context
    assert [context.itemData(i) for i in range(context.count())] == [2048, 3000, 4096, 8192]
    assert context.currentData() == 3000


def test_a_model_that_keeps_sixteen_bits_says_so_before_it_is_loaded(page: ModelsPage) -> None:
    form, shape = page.details.form, shape_of(QWEN3_8B)
    page.show_plan("here", LoadWish("here", cache_bits="2"), plan(shape, ROOMY), "")
    assert form.kept.isHidden(), "the native kernels have two bits"
    page.show_plan("here", LoadWish("here", cache_bits="2"), plan(shape, CARD), "")
    assert not form.kept.isHidden()
    assert "stays at 16 bits" in form.kept.text()
    page.show_plan("here", LoadWish("here"), plan(shape, CARD), "")
    assert form.kept.isHidden()


def test_drafts_with_a_reason_come_last_and_cannot_be_chosen(page: ModelsPage) -> None:
    page.show_drafts("here", [DraftRow("a", "A", "It is too large."), DraftRow("b", "B")])
    draft = page.details.form.draft
    assert [draft.itemText(i) for i in range(draft.count())] == ["None", "B", "A: It is too large."]
    page.show_plan("here", LoadWish("here", draft="a"), plan(shape_of(SMOLLM2), ROOMY), "")
    assert draft.currentData() == ""
    page.show_plan("here", LoadWish("here", draft="b"), plan(shape_of(SMOLLM2), ROOMY), "")
    assert draft.currentData() == "b"


def test_nothing_is_loaded_by_the_plan_of_the_model_before(page: ModelsPage) -> None:
    form = page.details.form
    page.show_plan("here", LoadWish("here"), plan(shape_of(SMOLLM2), ROOMY), "It fits.")
    assert form.isEnabled() and form.wish.identifier == "here"
    page.list.choose("there")
    assert not form.isEnabled() and "Reading" in form.reason.text() and form.bar.isHidden()
    page.list.choose("here")
    assert not form.button.isEnabled()
    page.show_plan("here", LoadWish("here"), plan(shape_of(SMOLLM2), ROOMY), "It fits.")
    assert form.button.isEnabled() and not form.bar.isHidden()


def test_the_list_of_drafts_is_as_wide_as_their_reasons(page: ModelsPage) -> None:
    draft = page.details.form.draft
    page.show_drafts("here", [DraftRow("b", "B")])
    narrow = draft.view().minimumWidth()
    page.show_drafts("here", [DraftRow("a", "A", "It is too large for what is free."), DraftRow("b", "B")])
    assert narrow < draft.view().sizeHintForColumn(0) <= draft.view().minimumWidth() <= page.details.form.width()


def test_the_bar_is_as_long_as_the_figures_say(qtbot: QtBot) -> None:
    bar = PlanBar()
    qtbot.addWidget(bar)
    assert bar.segments == () and bar.free_left == 0
    made = plan(shape_of(SMOLLM2), ROOMY)
    bar.show_plan(made)
    assert sum(segment.nbytes for segment in bar.segments) == made.needed("ram")
    assert bar.free_left == made.free("ram") - made.needed("ram") > 0
    bar.resize(400, 60)
    image = bar.grab().toImage()
    colours = {image.pixelColor(x, 8).name() for x in range(400)}
    assert {LIGHT.accent, LIGHT.good, LIGHT.track} <= colours
    bar.set_theme(DARK)
    bar.show_plan(plan(shape_of(SMOLLM2), TIGHT))
    image = bar.grab().toImage()
    assert bar.free_left < 0
    assert DARK.error in {image.pixelColor(x, 8).name() for x in range(image.width())}


def test_the_bar_of_a_card_leaves_main_memory_out(page: ModelsPage) -> None:
    made = plan(shape_of(QWEN3_8B), CARD)
    page.show_plan("here", LoadWish("here"), made, "")
    labels = [segment.label for segment in page.details.form.bar.segments]
    assert "driver" in labels and "program" not in labels
    assert any("Card 24 GB" in label.text() for label in page.details.form.findChildren(QLabel))


def test_the_drafts_device_is_a_choice_where_there_is_one(page: ModelsPage, qtbot: QtBot) -> None:
    """The cards are pretended."""
    form, target, draft = page.details.form, shape_of(QWEN3_8B), shape_of(SMOLLM2)
    page.show_plan("here", LoadWish("here"), plan(target, ROOMY, draft=draft), "")
    assert form.draft_device.isHidden() and not form.where.text()
    two = replace(CARD, cards=(*CARD.cards, replace(CARD.cards[0], name="Other card")))
    wish = LoadWish("here", draft_device="cuda:1")
    page.show_plan("here", wish, plan(target, two, PlanSettings(draft_device="cuda:1"), draft), "")
    field = form.draft_device
    assert not field.isHidden() and field.currentData() == "cuda:1"
    assert [field.itemText(i) for i in range(field.count())] == [
        "Automatic", "As the model", "Processor", f"1: {CARD.cards[0].name}", "2: Other card"
    ]  # fmt: skip
    assert "The draft is on Other card. The next draft is written while" in form.where.text()
    with qtbot.waitSignal(form.changed) as told:
        field.setCurrentIndex(2)
        field.activated.emit(2)
    assert told.args[0].draft_device == "cpu"
    page.show_plan("here", told.args[0], plan(target, two, PlanSettings(draft_device="target"), draft), "")
    assert field.currentData() == "cpu" and form.where.text().endswith(f"The draft is on {CARD.cards[0].name}.")


def test_a_model_larger_than_memory_is_a_choice_with_its_price(page: ModelsPage, qtbot: QtBot) -> None:
    form, target, tight = page.details.form, shape_of(QWEN3_8B), replace(ROOMY, ram_free=9 * GIB)
    page.show_plan("here", LoadWish("here"), plan(shape_of(SMOLLM2), ROOMY), "")
    assert form.offload.isHidden()
    page.show_plan("here", LoadWish("here", "bfloat16"), plan(target, tight, PlanSettings("bfloat16")), "")
    assert not form.offload.isHidden() and not form.offload.isChecked()
    with qtbot.waitSignal(form.changed) as told:
        form.offload.click()
    wish = told.args[0]
    assert wish.offload
    made = plan(target, tight, PlanSettings("bfloat16", offload=True))
    page.show_plan("here", wish, made, made.sentence)
    assert not form.offload.isHidden() and form.offload.isChecked() and form.button.text() == "Load"
    assert "every pass takes about" in form.reason.text()


def test_what_is_loaded_says_where() -> None:
    here = Spec("a", "A", folder=None)
    for device, place in (("cpu", "the processor"), ("cuda:1", "graphics card 2"), ("cuda", "graphics card 1")):
        (row,) = rows_of([here], {}, [], held=[LoadedModel(here, "fused", 512, 5_000_000, device=device)])
        assert ("loaded", f"5.0 MB on {place}") in row.facts


def test_a_narrow_bar_breaks_its_legend(qtbot: QtBot) -> None:
    bar = PlanBar()
    qtbot.addWidget(bar)
    bar.show_plan(plan(shape_of(QWEN3_8B), CARD), "card")
    assert bar.heightForWidth(240) > bar.heightForWidth(1200)


def test_rows_say_what_is_known() -> None:
    here = Spec("a", "A", folder=None, parameters=135_000_000, context_length=8192)
    gated, pickled = HubModel("x/gated", gated=True), HubModel("x/pickled", pickle=True)
    again = replace(here, size_bytes=5)
    rows = rows_of([here], {"a": 12_000_000}, [again, Spec("b", "B")], [gated, pickled], loaded="a", machine=ROOMY)
    assert [(row.identifier, row.where) for row in rows] == [
        ("a", "here"),
        ("b", "catalogue"),
        ("x--gated", "hub"),
        ("x--pickled", "hub"),
    ]
    assert rows[0].loaded and rows[0].detail == "135 M · 12 MB"
    assert "accounts" in rows[2].note and not rows[2].obstacle and "pickles" in rows[3].obstacle


FINDINGS = [
    Finding("python", "Python", "good", "Python 3.13.", facts=(("system", "Linux"),)),
    Finding("torch", "torch", "bad", "The CPU build.", "Install the other one."),
]


def test_the_doctor_shows_findings_as_they_come(qtbot: QtBot, window: QWidget) -> None:
    page = DoctorPage(window, LIGHT)
    page.show_findings(FINDINGS[:1], finished=False)
    assert not page.again.isEnabled()
    page.show_findings(FINDINGS, finished=True)
    texts = [label.text() for label in page.findChildren(QLabel)]
    assert texts.count("Python 3.13.") == 1 and "Install the other one." in texts and "1 to be mended" in texts
    assert page.text().splitlines()[:2] == ["[good] Python: Python 3.13.", "    system: Linux"]
    page.set_theme(DARK)
    assert "Install the other one." in [label.text() for label in page.findChildren(QLabel)]
    with qtbot.waitSignal(page.again_requested):
        page.again.click()
    page.begin()
    assert page.text() == ""


def test_what_a_target_brings_along_is_in_the_bar(window: QWidget, chinese: Interface) -> None:
    """Snapshots of states, a prediction layer, trained heads: each with its colour, and none where there is none."""
    shape = shape_of(HYBRID)
    bar = PlanBar()
    bar.show_plan(plan(replace(shape, prediction=10**8), ROOMY))
    assert {"可回退的状态", "自带预测层"} < {segment.label for segment in bar.segments}
    head = HeadShape((0, 1, 2), 576, 9, 3, 64, 1536, 4096)
    bar.show_plan(plan(replace(shape_of(SMOLLM2), trained=(head, head)), ROOMY))
    labels = {segment.label for segment in bar.segments}
    assert "专训草稿" in labels and not labels & {"可回退的状态", "自带预测层"}
    names = get_args(PartName)
    assert len({part_name(name) for name in names}) == len(names)
    assert len({bar._colour(name) for name in names}) == len(names) - 1, "program and driver are one colour"

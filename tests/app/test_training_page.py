"""What the training page shows of a state, and what it tells."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from app.views.training_page import TrainingPage
from tests.visual.test_training_page import STATES


def page(qtbot: QtBot, state: str, model: str = "SmolLM2") -> TrainingPage:
    made = TrainingPage()
    qtbot.addWidget(made)
    made.show_model(model)
    made.show_state(STATES[state])
    made.show()
    return made


def test_nothing_can_be_started_without_a_model_or_a_task(qtbot: QtBot) -> None:
    made = page(qtbot, "fresh", model="")
    assert not made.start_button.isEnabled() and "Load the model" in made.intro.text()
    made.show_model("SmolLM2")
    assert made.start_button.isEnabled()
    for box in made.tasks.values():
        box.setChecked(False)
    assert not made.start_button.isEnabled()


def test_chats_are_left_alone_unless_the_person_says_so(qtbot: QtBot) -> None:
    made = page(qtbot, "fresh")
    with qtbot.waitSignal(made.start_requested) as told:
        made.start_button.click()
    assert told.args == [("code", "prose"), False]
    made.chats.setChecked(True)
    made.tasks["code"].setChecked(False)
    with qtbot.waitSignal(made.start_requested) as told:
        made.start_button.click()
    assert told.args == [("prose",), True]


def test_a_run_is_shown_and_can_be_paused_and_stopped(qtbot: QtBot) -> None:
    made = page(qtbot, "training")
    assert made.step.text() == "Training for all tasks · 40%" and made.left.text() == "45 min left"
    assert made.bar.value() == 400 and made.curve.isVisible()
    assert "52%" in made.figures.text() and not made.start_button.isVisible()
    assert not made.chats.isEnabled()
    with qtbot.waitSignal(made.pause_requested) as told:
        made.pause_button.click()
    assert told.args == [True]
    made.show_state(replace(STATES["training"], paused=True))
    assert made.left.text() == "paused" and made.pause_button.text() == "Resume"
    with qtbot.waitSignal(made.pause_requested) as told:
        made.pause_button.click()
    assert told.args == [False]
    with qtbot.waitSignal(made.stop_requested):
        made.stop_button.click()


def test_the_estimate_stands_there_before_anything_is_done(qtbot: QtBot) -> None:
    made = page(qtbot, "estimated")
    assert made.figures.text() == "About 85 min, 4.4 GB of disk and 2.7 GB of memory."


def test_a_result_says_what_it_gains_and_is_offered(qtbot: QtBot) -> None:
    made = page(qtbot, "done")
    item = made.results.itemAt(0)
    assert item is not None
    text = item.widget().text()  # type: ignore[attr-defined]
    assert text == "Code: accepted 66%, 55%, 50% by position, 2.31 tokens a round, 1.42 times as fast."
    with qtbot.waitSignal(made.use_requested):
        made.use_button.click()


def test_a_stopped_run_offers_to_go_on_and_says_what_was_wrong(qtbot: QtBot) -> None:
    made = page(qtbot, "failed")
    assert made.start_button.text() == "Go on" and made.left.text() == "stopped"
    assert made.trouble.text().startswith("Not enough disk space.") and not made.use_button.isVisible()

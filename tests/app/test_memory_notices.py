"""Memory runs out in a reply: a strip says what was given up, and its button takes it back."""

from app.views.memory_notice import sentence
from inference.ladder import MemoryStep
from inference.messages import Message
from inference.settings import GenerationSettings
from inference.trials import Trial, TrialsDone
from tests.app.conftest import MakeProgram
from tests.app.program import WAIT_MS
from tests.app.scripted_engine import ScriptedEngine
from tests.app.test_application import END, piece


def test_every_step_has_a_sentence() -> None:
    steps = (
        MemoryStep("chunk", 512, 128),
        MemoryStep("park", 2_000_000),
        MemoryStep("idle", 2_000_000),
        MemoryStep("draft_length", 8, 4),
        MemoryStep("draft_length", 2, 1),
        MemoryStep("draft_precision", 0, 4, "small"),
        MemoryStep("draft", name="small"),
        MemoryStep("cache_bits", 16, 8),
        MemoryStep("context", 8192, 4096),
        MemoryStep("context", 8192, 4096, "model"),
        MemoryStep("precision", 0, 4, "model"),
        MemoryStep("processor", name="model"),
        MemoryStep("offload", 0, 50, "model"),
    )
    said = [sentence(step) for step in steps]
    assert len(set(said)) == len(steps)
    assert all(text.startswith("Memory ran out: ") and "{" not in text for text in said)
    assert not [text for text in said if " 1 tokens" in text]


def test_a_step_is_told_and_taken_back(make_program: MakeProgram) -> None:
    script = [piece("First"), MemoryStep("draft_length", 8, 4, undo=True), MemoryStep("idle", 2_000_000), END]
    program = make_program(engine=ScriptedEngine(script)).start()
    reply = program.ask("Go")
    assert (reply.text, reply.state) == ("First", "finished")
    banners = program.window.banners
    idle, shorter = banners.banner("memory idle"), banners.banner("memory draft_length")
    assert idle is not None
    assert shorter is not None
    assert idle.buttons == []
    assert shorter.text == "Memory ran out: drafts are at most 4 tokens long."
    shorter.buttons[0].click()
    program.qtbot.waitUntil(lambda: program.engine.taken_back == ["draft_length"])
    assert banners.banner("memory draft_length") is None


def test_a_trained_draft_comes_back_from_the_engines_shelf(make_program: MakeProgram) -> None:
    script = [piece("First"), MemoryStep("draft", name="SmolLM2/prose", undo=True), END]
    program = make_program(engine=ScriptedEngine(script)).start()
    program.ask("Go")
    program.press_in_banner("memory draft", "Undo")
    program.qtbot.waitUntil(lambda: program.engine.taken_back == ["draft"])


def test_what_a_comparison_gave_up_is_told_as_well(make_program: MakeProgram) -> None:
    script = [piece("First"), MemoryStep("cache_bits", 16, 8, undo=True), END]
    program = make_program(engine=ScriptedEngine(script)).start()
    trials, heard = program.application.speed.trials, list[object]()
    trial = Trial((Message("user", "Go"),), GenerationSettings())
    with program.qtbot.waitSignal(trials.ended, timeout=WAIT_MS):
        assert trials.start(lambda _: [trial], "Comparing.", heard.append)
    assert program.window.banners.banner("memory cache_bits") is not None
    assert isinstance(heard[-1], TrialsDone)

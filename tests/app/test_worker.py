import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.mailbox import Mailbox
from app.worker import DEATH, DEATH_REMEDY, Died, DraftLoaded, Letter, Loaded, Worker
from inference.errors import UserError
from inference.events import Delta, Failed, Finished, LoadProgress, Piece
from inference.manager.catalogue import Catalogue
from inference.messages import Message
from inference.settings import GenerationSettings, LoadSettings
from inference.statistics import ReplyStatistics
from tests.app.scripted_engine import Gate, ScriptedEngine, ScriptedStore, rounds
from tests.patience import WAIT_S

QUESTION = [Message("user", "Why?")]
TEXT = Delta((Piece("Some", "plain", 0),))
END = Finished("end", ReplyStatistics())


class Desk:
    """A worker and what it posted."""

    def __init__(self, engine: ScriptedEngine, store: ScriptedStore | None = None) -> None:
        self.woken = threading.Event()
        self.mailbox: Mailbox[Letter] = Mailbox(self.woken.set)
        self.worker = Worker(lambda: engine, lambda: store or ScriptedStore(), self.mailbox)
        self.letters: list[tuple[str, Letter]] = []

    def until(self, run_id: str, *kinds: type) -> list[Letter]:
        """What a run said until one of these came."""
        while not (said := [letter for run, letter in self.letters if run == run_id]) or not isinstance(
            said[-1], kinds
        ):
            assert self.woken.wait(WAIT_S), self.letters
            self.woken.clear()
            self.letters += self.mailbox.take_all()
        return said


MakeDesk = Callable[..., Desk]


@pytest.fixture
def make_desk() -> Iterator[MakeDesk]:
    desks: list[Desk] = []

    def make(engine: ScriptedEngine | None = None, store: ScriptedStore | None = None) -> Desk:
        desks.append(Desk(engine or ScriptedEngine(), store))
        return desks[-1]

    yield make
    for desk in desks:
        desk.worker.close()


def test_loading_tells_every_stage(make_desk: MakeDesk) -> None:
    engine = ScriptedEngine(loading=[LoadProgress("weights", 5, 10)])
    desk = make_desk(engine, ScriptedStore(LoadProgress("download", 1, 2)))
    said = desk.until(desk.worker.load("", LoadSettings()), Loaded, Failed)
    assert [(step.stage, step.done) for step in said if isinstance(step, LoadProgress)] == [
        ("download", 1),
        ("libraries", 0),
        ("weights", 5),
    ]
    assert isinstance(said[-1], Loaded) and said[-1].model.spec.name == Catalogue.read().starter.name


def test_the_engine_lives_in_the_worker_thread_alone(make_desk: MakeDesk) -> None:
    engine = ScriptedEngine()
    desk = make_desk(engine)
    desk.until(desk.worker.load("", LoadSettings()), Loaded)
    desk.until(desk.worker.generate(QUESTION, GenerationSettings()), Finished)
    assert len(engine.threads) == 1 and threading.get_ident() not in engine.threads


def test_a_missing_model_is_told_with_its_remedy(make_desk: MakeDesk) -> None:
    desk = make_desk(store=ScriptedStore(error=UserError("No network.", "Open a folder.")))
    said = desk.until(desk.worker.load("", LoadSettings()), Loaded, Failed)
    assert said == [Failed("No network.", "Open a folder.")]


def test_a_folder_without_a_model(make_desk: MakeDesk, tmp_path: Path) -> None:
    desk = make_desk()
    said = desk.until(desk.worker.load(str(tmp_path), LoadSettings()), Loaded, Failed)
    assert isinstance(said[-1], Failed) and said[-1].remedy
    (tmp_path / "config.json").write_text("{}")
    said = desk.until(desk.worker.load(str(tmp_path), LoadSettings()), Loaded, Failed)
    assert isinstance(said[-1], Loaded) and said[-1].model.spec.folder == tmp_path


def test_drafts_come_and_go(make_desk: MakeDesk, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    engine = ScriptedEngine()
    desk = make_desk(engine)
    said = desk.until(desk.worker.load_draft(str(tmp_path), LoadSettings()), DraftLoaded, Failed)
    assert isinstance(said[-1], DraftLoaded) and said[-1].draft == engine.draft
    assert desk.until(desk.worker.drop_draft(), DraftLoaded, Failed) == [DraftLoaded(None)]
    assert engine.draft is None
    engine.draft_error = UserError("Another vocabulary.")
    said = desk.until(desk.worker.load_draft(str(tmp_path), LoadSettings()), DraftLoaded, Failed)
    assert said[-1:] == [Failed("Another vocabulary.")]


def test_stop_ends_a_reply_that_is_running_and_one_that_waits(make_desk: MakeDesk) -> None:
    engine = ScriptedEngine([TEXT, Gate(), END])
    desk = make_desk(engine)
    first = desk.worker.generate(QUESTION, GenerationSettings())
    desk.until(first, Delta)
    second = desk.worker.generate(QUESTION, GenerationSettings())
    desk.worker.cancel(second)
    desk.worker.cancel(first)
    desk.worker.cancel("no such run")
    assert desk.until(first, Finished)[-1] == Finished("cancelled", ReplyStatistics("n-gram", "automatic"))
    said = desk.until(second, Finished)
    assert isinstance(said[-1], Finished) and said[-1].reason == "cancelled" and TEXT not in said


def test_an_error_of_ours_is_logged_and_the_worker_lives(make_desk: MakeDesk, expected_errors: list[str]) -> None:
    expected_errors.append("the engine failed")
    desk = make_desk(ScriptedEngine([TEXT, ZeroDivisionError("secret")], rounds(["fine"])))
    said = desk.until(desk.worker.generate(QUESTION, GenerationSettings()), Failed, Finished)
    assert said[0] == TEXT and isinstance(said[-1], Failed)
    assert "secret" not in said[-1].message and said[-1].remedy
    said = desk.until(desk.worker.generate(QUESTION, GenerationSettings()), Failed, Finished)
    assert isinstance(said[-1], Finished)


def test_closing_cancels_what_runs_skips_what_waits_and_frees_the_engine() -> None:
    engine = ScriptedEngine([TEXT, Gate(), END])
    desk = Desk(engine)
    running = desk.worker.generate(QUESTION, GenerationSettings())
    desk.until(running, Delta)
    desk.worker.generate(QUESTION, GenerationSettings())
    desk.worker.close()
    assert engine.unloaded.is_set()
    assert len(engine.asked) == 1


def test_closing_does_not_wait_for_what_cannot_be_interrupted() -> None:
    importing, imported = threading.Event(), threading.Event()

    def make_engine() -> ScriptedEngine:
        importing.set()
        imported.wait()
        return ScriptedEngine()

    worker = Worker(make_engine, ScriptedStore, Mailbox(lambda: None))
    worker.load("", LoadSettings())
    assert importing.wait(WAIT_S)
    assert not worker.close(0.01)
    imported.set()
    assert worker.close()


@pytest.mark.parametrize("death", [SystemExit(3), KeyboardInterrupt(), GeneratorExit()])
def test_the_death_of_the_thread_fails_every_run_and_the_next_starts_another(
    make_desk: MakeDesk, expected_errors: list[str], death: BaseException
) -> None:
    expected_errors.append("thread died")
    gate = Gate()
    desk = make_desk(ScriptedEngine([TEXT, gate, death], [TEXT, END]))
    first = desk.worker.generate(QUESTION, GenerationSettings())
    desk.until(first, Delta)
    waiting = desk.worker.count_tokens(["so"])
    gate.set()
    assert desk.until(first, Failed)[-1] == Failed(DEATH, DEATH_REMEDY)
    assert desk.until(waiting, Failed) == [Failed(DEATH, DEATH_REMEDY)]
    assert desk.until("", Died) == [Died()]
    assert isinstance(desk.until(desk.worker.load("", LoadSettings()), Loaded)[-1], Loaded)
    desk.until(desk.worker.generate(QUESTION, GenerationSettings()), Finished)

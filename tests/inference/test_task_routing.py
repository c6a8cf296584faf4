"""The draft follows the task in the middle of a reply: two switches, at once, and not one word is different."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from inference import router as router_module
from inference.engine import Engine
from inference.events import Delta, Event, Failed, Round, TaskChanged
from inference.messages import Message
from inference.profiles import Profile
from inference.router import Router
from inference.settings import GenerationSettings, SamplingSettings, SpeculationSettings
from tests.inference.conftest import TinyFactory
from tests.inference.engines import FLOAT32, ask, finished, reply, spec, text_of
from tests.inference.guided_model import guide

OPTIONS = {"layers": 4, "seed": 3}
QUESTION = ask("hello hello the system is the system is on and on")
PARTS = (20, "\n\n```python\n", 40, "\n", 20, "\n```\n", 30)
SWITCHES = [("code", "```python\n"), ("prose", "\n```\n")]


def settings(drafter: str = "automatic", **more: object) -> GenerationSettings:
    return GenerationSettings(
        sampling=SamplingSettings(temperature=0),
        speculation=SpeculationSettings(drafter=drafter, **more),  # type: ignore[arg-type]
        max_tokens=400,
    )


def add(engine: Engine, folder: Path, name: str) -> None:
    list(engine.add_draft(replace(spec(folder), name=name), FLOAT32, threading.Event()))


@pytest.fixture(scope="module")
def shared(tiny: TinyFactory, tiny_draft: TinyFactory) -> Engine:
    """With two draft models: the first three layers of the target, and the first two."""
    engine = Engine()
    list(engine.load(spec(tiny("llama", **OPTIONS)), FLOAT32, threading.Event()))
    add(engine, tiny_draft("llama", keep=3, **OPTIONS), "close")
    add(engine, tiny_draft("llama", keep=2, **OPTIONS), "distant")
    return engine


@pytest.fixture
def engine(shared: Engine) -> Iterator[Engine]:
    """With a router that knows nothing yet."""
    shared._router = Router()
    guide(shared, QUESTION, *PARTS)
    yield shared
    assert shared._pool is not None
    for session in shared._pool._sessions:
        assert all(drafter.length == len(session.tokens) for drafter in session.drafters.values())


def switches(events: list[Event]) -> list[TaskChanged]:
    return [event for event in events if isinstance(event, TaskChanged)]


def round_of(events: list[Event], end: str) -> int:
    """The round that wrote the last character of the first `end`."""
    text = ""
    for piece in [piece for event in events if isinstance(event, Delta) for piece in event.pieces]:
        text += piece.text
        if end in text:
            return piece.round
    raise AssertionError(f"{end!r} is not in {text!r}")


def check_two_switches(events: list[Event]) -> None:
    told = switches(events)
    assert [event.task for event in told] == [task for task, _ in SWITCHES]
    for event, (_, end) in zip(told, SWITCHES, strict=True):
        assert event.round == round_of(events, end), "within the round that wrote it"
    rounds = [event for event in events if isinstance(event, Round)]
    assert [rounds[0].task, rounds[-1].task] == ["prose", "prose"]
    assert "code" in [event.task for event in rounds]


@pytest.mark.parametrize(
    ("drafter", "mode"),
    [
        ("automatic", "on"),
        ("automatic", "automatic"),
        ("ngram", "on"),
        ("model", "on"),
        ("combined", "on"),
        ("none", "on"),
    ],
)
def test_two_switches_and_the_same_text(engine: Engine, drafter: str, mode: str) -> None:
    plain = reply(engine, QUESTION, settings(mode="off"))
    guide(engine, QUESTION, *PARTS)
    events = reply(engine, QUESTION, settings(drafter, mode=mode))
    assert text_of(events) == text_of(plain)
    check_two_switches(events)
    check_two_switches(plain)
    if mode == "on":
        assert (finished(events).statistics.proposed > 0) == (drafter != "none")


@pytest.mark.parametrize(
    ("code", "prose", "length"),
    [("model:close", "model:distant", 2), ("model:close", "model:distant", 7), ("ngram", "combined:close", 4)],
)
def test_each_task_has_its_own_draft(engine: Engine, code: str, prose: str, length: int) -> None:
    plain = reply(engine, QUESTION, settings(mode="off"))
    guide(engine, QUESTION, *PARTS)
    engine.set_profile("code", Profile(code, length))
    engine.set_profile("prose", Profile(prose, length))
    events = reply(engine, QUESTION, settings(mode="on"))
    assert text_of(events) == text_of(plain)
    check_two_switches(events)
    names = {"model:close": "close", "model:distant": "distant", "ngram": "n-gram", "combined:close": "n-gram + close"}
    assert [event.drafter for event in switches(events)] == [names[code], names[prose]]
    assert finished(events).statistics.drafter == f"{names[prose]}, {names[code]}"
    assert {event.reply.drafter for event in events if isinstance(event, Round)} == {names[code], names[prose]}
    lengths = {event.round.draft_length for event in events if isinstance(event, Round)}
    assert lengths <= {length, 0} and length in lengths
    for task, key in (("code", code), ("prose", prose)):
        cell = engine.routes().cell(key, task)  # type: ignore[union-attr, arg-type]
        assert cell is not None and cell.chosen and cell.measured.tokens > 0


def test_chance_is_not_disturbed(engine: Engine) -> None:
    """The same seed gives the same reply, whoever drafted: drafters that take turns keep the sampling in step."""
    sampled = GenerationSettings(
        sampling=SamplingSettings(temperature=0.8, seed=7),
        speculation=SpeculationSettings(mode="on", drafter="automatic"),
        max_tokens=400,
    )
    engine.set_profile("code", Profile("model:close", 3))
    engine.set_profile("prose", Profile("model:distant", 3))
    first = reply(engine, QUESTION, sampled)
    guide(engine, QUESTION, *PARTS)
    assert text_of(reply(engine, QUESTION, sampled)) == text_of(first)
    check_two_switches(first)


def test_nothing_is_drafted_where_the_person_says_so(engine: Engine) -> None:
    engine.set_profile("prose", Profile("none"))
    engine.set_profile("code", Profile("model:close"))
    events = reply(engine, QUESTION, settings(mode="on"))
    proposed = {task: [] for task in ("code", "prose")}  # type: ignore[var-annotated]
    for event in events:
        if isinstance(event, Round):
            proposed[event.task].append(event.round.proposed)
    assert set(proposed["prose"]) == {0} and any(proposed["code"])
    assert finished(events).statistics.drafter == "none, close"


@pytest.mark.parametrize("task", ["code", "prose"])
def test_a_pinned_task_never_switches(engine: Engine, task: str) -> None:
    events = reply(engine, QUESTION, settings(task=task))
    assert switches(events) == []
    assert {event.task for event in events if isinstance(event, Round)} == {task}


def test_the_first_guess_follows_the_task(engine: Engine) -> None:
    engine._crew.begin({})  # nothing measured
    events = reply(engine, QUESTION, settings(task="code"))
    assert next(event for event in events if isinstance(event, Round)).round.draft_length == 6
    guide(engine, QUESTION, *PARTS)
    engine._crew.begin({})
    events = reply(engine, QUESTION, settings(task="prose"))
    assert next(event for event in events if isinstance(event, Round)).round.draft_length == 4


def test_a_reply_that_is_continued_knows_where_it_is(engine: Engine) -> None:
    begun = [*QUESTION, Message("assistant", "Here:\n\n```python\nprint(")]
    guide(engine, begun, 20, "\n```\n", 20)
    events = reply(engine, begun, settings())
    assert [event.task for event in switches(events)] == ["prose"]
    assert next(event for event in events if isinstance(event, Round)).task == "code"


def test_every_candidate_gets_its_turn(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inference.routing.FOLLOW_S", 0.0)  # however fast the machine
    for name, value in (("SETTLED", 8), ("TRIAL", 8), ("PAUSE", 8), ("READY", 8), ("HEAD_START", 1_000_000)):
        monkeypatch.setattr(router_module, name, value)
    guide(engine, QUESTION, 300)
    plain = reply(engine, QUESTION, settings(mode="off"))
    guide(engine, QUESTION, 300)
    events = reply(engine, QUESTION, settings(mode="on"))
    assert text_of(events) == text_of(plain)
    routes = engine.routes()
    assert routes is not None and len(routes.candidates) == 6
    tried = [cell for cell in routes.cells if cell.task == "prose" and cell.measured.tokens]
    assert {cell.candidate.key for cell in tried} == {candidate.key for candidate in routes.candidates}
    assert sum(cell.measured.trials for cell in tried) >= 4


def test_a_reply_that_is_left_in_the_middle_of_a_trial(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SETTLED", 4), ("TRIAL", 1000), ("PAUSE", 0)):
        monkeypatch.setattr(router_module, name, value)
    guide(engine, QUESTION, 300)
    events = engine.generate(QUESTION, settings(mode="on"), threading.Event())
    for event in events:
        if isinstance(event, Round) and event.index > 40:
            break
    events.close()  # type: ignore[attr-defined]
    routes = engine.routes()
    assert routes is not None and sum(cell.measured.trials for cell in routes.cells) == 1
    guide(engine, QUESTION, *PARTS)
    check_two_switches(reply(engine, QUESTION, settings()))


def test_drafts_come_and_go_while_the_target_stays(tiny: TinyFactory, tiny_draft: TinyFactory) -> None:
    engine = Engine()
    assert engine.routes() is None
    list(engine.load(spec(tiny("llama", **OPTIONS)), FLOAT32, threading.Event()))
    before = engine.held
    folders = [tiny_draft("llama", keep=keep, **OPTIONS) for keep in (3, 2)]
    for folder in folders:
        list(engine.add_draft(spec(folder), FLOAT32, threading.Event()))
    assert [draft.spec.name for draft in engine.drafts] == ["llama-3", "llama-2"]
    assert engine.draft == engine.drafts[0]
    reply(engine, QUESTION, settings("combined"))
    engine.drop_draft("llama-3")
    assert [draft.spec.name for draft in engine.drafts] == ["llama-2"]
    assert engine._pool is not None and engine._pool._sessions
    assert all("model:llama-3" not in session.drafters for session in engine._pool._sessions)
    assert finished(reply(engine, QUESTION, settings("model"))).statistics.drafter == "llama-2"
    list(engine.load_draft(spec(folders[0]), FLOAT32, threading.Event()))  # in place of all others
    assert [draft.spec.name for draft in engine.drafts] == ["llama-3"]
    engine.drop_draft()
    assert engine.drafts == () and engine.held is before
    assert isinstance(reply(engine, QUESTION, settings("model"))[-1], Failed)
    assert finished(reply(engine, QUESTION, settings())).statistics.drafter == "n-gram"


def test_a_draft_that_does_not_fit_leaves_the_others(engine: Engine, tiny: TinyFactory) -> None:
    other = tiny("llama", layers=1, vocabulary=70)
    with pytest.raises(Exception, match="cannot draft"):
        add(engine, other, "other")
    assert [draft.spec.name for draft in engine.drafts] == ["close", "distant"]
    check_two_switches(reply(engine, QUESTION, settings("combined")))


def test_what_was_measured_outlasts_the_engine(tiny: TinyFactory, tmp_path: Path) -> None:
    path = tmp_path / "routes.json"
    figures = []
    for _ in range(2):
        engine = Engine(Router(path))
        list(engine.load(spec(tiny("llama", **OPTIONS)), FLOAT32, threading.Event()))
        cell = engine.routes().cell("ngram", "prose")  # type: ignore[union-attr]
        assert cell is not None
        figures.append(cell.measured.tokens)
        guide(engine, QUESTION, 30)
        reply(engine, QUESTION, settings())
    assert figures[0] == 0 and figures[1] == pytest.approx(31, rel=0.03), "the last rounds count, too"


def test_the_draft_that_is_named_drafts(engine: Engine) -> None:
    for name in ("distant", "close"):
        guide(engine, QUESTION, *PARTS)
        assert finished(reply(engine, QUESTION, settings("model", draft=name))).statistics.drafter == name
    refused = reply(engine, QUESTION, settings("model", draft="gone"))[-1]
    assert isinstance(refused, Failed) and "gone is not loaded" in refused.message

"""Replies drafted by a trained head: the target's own words, whatever its precision, at any draft length."""

import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from inference.engine import Engine
from inference.errors import UserError
from inference.events import Failed
from inference.heads.fingerprint import identify
from inference.heads.held import HeldHead
from inference.heads.package import WEIGHTS
from inference.heads.shape import HeadShape
from inference.ladder import MemoryStep
from inference.messages import Message
from inference.settings import LoadSettings, Precision
from inference.tokenizer import Tokenizer
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, held, load, reply, text_of
from tests.inference.heads.tiny import save_random
from tests.inference.heads.trained import save_trained

QUESTIONS = (
    ask("hello hello hello the system is the system is"),
    ask("and on and on and on", "is the string on?", "the string is on and on"),
)
PRECISIONS: tuple[Precision, ...] = ("float32", "bfloat16", "int8", "int4")


@pytest.fixture(scope="module")
def folder(tiny: TinyFactory) -> Path:
    return tiny("llama", layers=4, seed=3)


@pytest.fixture(scope="module")
def packages(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Heads of that target: trained (for code), random (for prose)."""
    place = tmp_path_factory.mktemp("drafts")
    target = identify("tiny", folder, Tokenizer.load(folder).vocabulary)
    assert target.architecture is not None
    save_trained(place / "code", target, folder, "code")
    shape = HeadShape.for_target(target.architecture, 60, window=8)
    save_random(place / "prose", shape, target, tokens=target.architecture.vocabulary_size, task="prose")
    return place


def fused(folder: Path, precision: Precision = "int8") -> Engine:
    return load(folder, settings=LoadSettings(precision=precision, implementation="fused"))


@pytest.fixture(scope="module", params=PRECISIONS)
def engine(request: pytest.FixtureRequest, folder: Path, packages: Path) -> Engine:
    engine = fused(folder, request.param)
    engine.load_head(packages / "code")
    return engine


@pytest.mark.parametrize(("drafter", "lengths"), [("head", range(1, 9)), ("combined", (2, 5, 8))])
def test_every_draft_length_gives_the_same_tokens(engine: Engine, drafter: str, lengths: Sequence[int]) -> None:
    accepted = 0
    for question in QUESTIONS:
        plain = reply(engine, question, greedy())
        expected = held(engine)[-1].copy()
        for k in lengths:
            drafted = reply(engine, question, greedy(drafter, k))
            assert held(engine)[-1] == expected, f"K = {k}"
            assert text_of(drafted) == text_of(plain)
            assert finished(drafted).reason == finished(plain).reason
            accepted += finished(drafted).statistics.accepted
    assert accepted > 0, "nothing was accepted, so half of it was not tested"


def test_a_conversation_that_goes_on_is_edited_and_goes_back(engine: Engine) -> None:
    def talk(settings_of: str) -> list[str]:
        """The replies of a conversation with a regenerated answer, an edited question and a longer one."""
        texts, messages = [], ask("the system is on")
        for content in ("and the user?", "the string, and on"):
            texts.append(text_of(reply(engine, messages, greedy(settings_of, 5, 20))))
            messages = [*messages, Message("assistant", texts[-1]), Message("user", content)]
        texts.append(text_of(reply(engine, messages, greedy(settings_of, 5, 20))))
        texts.append(text_of(reply(engine, messages, greedy(settings_of, 5, 20))))
        texts.append(
            text_of(reply(engine, [*messages[:2], Message("user", "and the end?")], greedy(settings_of, 5, 20)))
        )
        texts.append(text_of(reply(engine, [*messages, Message("assistant", "the")], greedy(settings_of, 5, 20))))
        return texts

    engine.forget_chats()
    plain = talk("none")
    engine.forget_chats()
    assert talk("head") == plain
    assert talk("head") == plain, "from the caches"


def test_two_heads_and_what_each_is_for(folder: Path, packages: Path) -> None:
    engine = fused(folder)
    question = ask("write it in code: the system is on")
    plain = text_of(reply(engine, question, greedy()))
    refused = reply(engine, question, greedy("head"))[-1]
    assert isinstance(refused, Failed) and "trained draft" in refused.message
    names = [engine.load_head(packages / task).name for task in ("prose", "code")]
    assert [head.task for head in engine.heads] == ["prose", "code"]
    assert all(head.nbytes > 0 for head in engine.heads)
    assert text_of(reply(engine, question, greedy("head"))) == plain
    routes = engine.routes()
    assert routes is not None
    keys = {candidate.key for candidate in routes.candidates}
    assert keys >= {f"head:{name}" for name in names} | {f"combined:{name}" for name in names}
    engine.drop_head(names[1])
    assert [head.name for head in engine.heads] == names[:1]
    assert text_of(reply(engine, question, greedy("head"))) == plain
    engine.drop_head()
    assert engine.heads == ()
    assert all(not session.drafters.keys() - {"ngram"} for session in engine._pool._sessions)  # type: ignore[union-attr]
    engine.load_head(packages / "code")
    for _ in engine.load(engine.target.spec, LoadSettings(), threading.Event()):  # type: ignore[union-attr]
        pass
    assert engine.heads == (), "another target, no heads"


def test_a_head_of_another_target_is_refused(folder: Path, packages: Path, tiny: TinyFactory) -> None:
    with pytest.raises(UserError, match="weights are not those of"):
        fused(tiny("llama", layers=4, seed=4)).load_head(packages / "code")
    with pytest.raises(UserError, match="vocabulary"):
        fused(tiny("llama", layers=4, vocabulary=280)).load_head(packages / "code")
    with pytest.raises(UserError, match="adapter"):
        load(folder).load_head(packages / "code")
    with pytest.raises(UserError, match="Load a model first"):
        Engine().load_head(packages / "code")
    with pytest.raises(UserError, match="not a draft"):
        fused(folder).load_head(packages)


def test_heads_on_the_shelf_are_loaded_with_their_target(
    folder: Path, packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: TinyFactory
) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path))
    shutil.copytree(packages, tmp_path / "data" / "drafts" / "tiny")
    (tmp_path / "data" / "drafts" / "tiny" / "prose" / WEIGHTS).write_bytes(b"cut off")
    engine = fused(folder)
    assert [(head.name, head.task) for head in engine.heads] == [("tiny/code", "code")]
    (held,) = engine._host.heads.values()
    assert isinstance(held, HeldHead) and set(held.package.tensors) == {"vocabulary"}, "what it was packed from is gone"
    mine = [entry for entry in engine.shelf() if tmp_path in entry.folder.parents]
    assert [entry.reason for entry in mine] == [None, None], "weights are not read to list them"
    assert engine._relief is not None
    engine._relief.give_up(MemoryStep("draft", name="tiny/code", undo=True), None)
    assert engine.heads == ()
    engine.take_back("draft")
    assert [head.name for head in engine.heads] == ["tiny/code"]
    assert "tiny/code" not in engine._relief.limits.lost
    other = fused(tiny("llama", layers=4, seed=4))
    assert other.heads == ()
    assert all(entry.reason for entry in other.shelf() if tmp_path in entry.folder.parents)
    assert Engine().shelf() == ()


@pytest.mark.parametrize(
    ("rates", "prior"), [([0.7, 0.6], 1.635), ([0.05], 1.0), ("seven", 1.0), ([2.0], 1.0), (None, 1.0)]
)
def test_the_router_expects_what_the_card_says(folder: Path, packages: Path, rates: object, prior: float) -> None:
    engine = fused(folder)
    engine.load_head(packages / "code")
    (head,) = engine._host.heads.values()
    card = replace(head.package.card, measured={"acceptance_by_position": rates})
    told = replace(head, package=replace(head.package, card=card))
    assert told.prior == pytest.approx(prior, abs=0.01)

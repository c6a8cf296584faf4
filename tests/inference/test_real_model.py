"""The real SmolLM2: greedy replies are the same with and without speculation, in every format the CPU has."""

import threading
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest

from inference.engine import Engine
from inference.settings import Implementation, LoadSettings, Precision
from tests.inference.engines import ask, finished, greedy, held, load, reply, spec, text_of
from tests.real_model import real_model_folder
from tests.tiny_models import truncated_copy

QUESTIONS = (
    "Repeat this sentence three times: The quick brown fox jumps over the lazy dog.",
    "Write a Python function that merges two sorted lists.",
    "Why is the sky blue?",
    "Count from one to twenty in words.",
    "Write a haiku about the sea.",
    "List the planets of the solar system, one per line.",
    "Write an HTML page with a heading and two paragraphs.",
    "What is the capital of France, and what is it known for?",
    "Translate 'good morning' into Spanish, Italian and German.",
    "Explain recursion to a child.",
)
FORMATS: list[tuple[Implementation, Precision, int]] = [
    ("adapter", "float32", 16),
    ("fused", "float32", 16),
    ("fused", "bfloat16", 16),
    ("fused", "int8", 16),
    ("fused", "int8", 2),
    ("fused", "int4", 16),
]

pytestmark = [pytest.mark.model, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def draft_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A poor draft with the right vocabulary: the target's own first layers."""
    return truncated_copy(real_model_folder(), tmp_path_factory.mktemp("draft") / "first-layers", 4)


@pytest.fixture(scope="module", params=FORMATS, ids=lambda format: "-".join(map(str, format)))
def engine(request: pytest.FixtureRequest, draft_folder: Path) -> Engine:
    implementation, precision, bits = request.param
    settings = LoadSettings(precision=precision, implementation=implementation, context_length=1024, cache_bits=bits)
    if implementation == "fused":
        return load(real_model_folder(), draft_folder, settings)
    # The words are the target's, whoever drafts: on the adapter a draft of four layers would take hours, where the one
    # that is loaded when nothing is chosen takes minutes.
    engine = load(real_model_folder(), None, settings)
    for _ in engine.load_draft(spec(draft_folder), LoadSettings(context_length=1024), threading.Event()):
        pass
    return engine


DRAFTERS = ("ngram", "model", "combined")
LENGTHS = tuple(range(1, 9))


def assert_lossless(engine: Engine, question: str, cases: Iterable[tuple[str, int]], tokens: int) -> int:
    """Gives how many drafted tokens were accepted."""
    reply(engine, ask(question), greedy(max_tokens=tokens))
    expected = held(engine)[-1].copy()
    accepted = 0
    for drafter, k in cases:
        events = reply(engine, ask(question), greedy(drafter, k, max_tokens=tokens))
        assert held(engine)[-1] == expected, f"{question!r} with {drafter}, K = {k}"
        accepted += finished(events).statistics.accepted
    return accepted


def test_speculation_changes_no_token(engine: Engine) -> None:
    """Every drafter at every length, in turn on one of three questions."""
    cases = list(product(DRAFTERS, LENGTHS))
    accepted = sum(assert_lossless(engine, QUESTIONS[i], cases[i::3], 12) for i in range(3))
    assert accepted > 0, "nothing was accepted, so nothing was tested"


@pytest.mark.full
@pytest.mark.timeout(7200)
def test_speculation_changes_no_token_for_any_length(engine: Engine) -> None:
    accepted = sum(assert_lossless(engine, question, product(DRAFTERS, LENGTHS), 64) for question in QUESTIONS)
    assert accepted > 0, "nothing was accepted, so nothing was tested"


def test_it_answers(engine: Engine) -> None:
    assert "Paris" in text_of(reply(engine, ask(QUESTIONS[7]), greedy(max_tokens=24)))

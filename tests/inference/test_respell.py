"""The same text in other tokens is read back in those it was written in, and nothing else is changed."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inference.respell import respelled
from inference.tokenizer import Tokenizer
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, held, load, reply, text_of

END = 2  # <|im_end|> of the tiny tokenizer


@pytest.fixture(scope="module")
def tokenizer(tiny: TinyFactory) -> Tokenizer:
    return Tokenizer.load(Path(tiny("llama")))


def spelled_out(tokenizer: Tokenizer, text: str, seed: int) -> list[int]:
    """`text` in tokens, cut at random places first, so that merges are missing there."""
    chance = random.Random(seed)
    tokens: list[int] = []
    while text:
        size = chance.randint(1, 6)
        tokens += tokenizer.encode(text[:size], special=False)
        text = text[size:]
    return tokens


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text("thesyang 你😀", max_size=30), min_size=1, max_size=4), seed=st.integers(0, 99))
def test_what_reads_the_same_is_taken_as_it_was_written(tokenizer: Tokenizer, texts: list[str], seed: int) -> None:
    written, read = [], []
    for text in texts:
        written += [*spelled_out(tokenizer, text, seed), END]
        read += [*tokenizer.encode(text, special=False), END]
    question = [*tokenizer.encode("and the system?"), END]
    assert respelled([*read, *question], written, tokenizer) == [*written, *question]
    assert respelled([*read, *question], written[:-1], tokenizer) == [*written, *question], "ended without an end token"


def test_what_reads_differently_stays(tokenizer: Tokenizer) -> None:
    written = [*spelled_out(tokenizer, "the string is on", 3), END]
    for other in ("the string is off", "the string is on and on", "the string", ""):
        prompt = [*tokenizer.encode(other), END]
        assert respelled(prompt, written, tokenizer) == prompt
    prompt = tokenizer.encode("hello")
    assert respelled(prompt, [], tokenizer) == prompt


def test_a_reply_is_not_read_again_however_it_is_spelled(tiny: TinyFactory) -> None:
    engine = load(tiny("llama", layers=4, seed=3, vocabulary=110))
    assert engine.held is not None
    tokenizer, unusual = engine.held.tokenizer, 0
    for word in ("on", "the", "is", "and", "hello", "string"):
        said = reply(engine, ask(word), greedy(max_tokens=24))
        written = held(engine)[-1].copy()
        own = written[finished(said).statistics.prompt_tokens :]
        if tokenizer.special_ids & set(own[:-1]):
            continue  # what a control token inside a reply meant is not in its text
        unusual += tokenizer.encode(text_of(said)) != own
        following = reply(engine, ask("the string?", word, text_of(said)), greedy(max_tokens=4))
        assert finished(following).statistics.reused_tokens >= len(written) - 1
        assert held(engine)[-1][: len(written)] == written
    assert unusual, "every reply was spelled as the tokenizer does, so nothing was tested"

"""A draft with other tokens: the same text for it at any time, and only tokens that more text cannot change."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import one_hot

from inference.drafters.aligned_draft import AlignedDrafter, unfinished
from inference.drafters.draft_model import ModelDrafter
from inference.engine import Engine
from inference.errors import UserError
from inference.sampling import Sampler
from inference.settings import GenerationSettings, LoadSettings, SamplingSettings
from inference.tokenizer import Tokenizer
from inference.vocabulary import SECOND_CHOICE
from tests import tiny_tokenizers
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, held, load, reply, spec, text_of
from tests.inference.fake_model import FakeCache, FakeModel

KINDS = {
    "bytes": tiny_tokenizers.byte_level(),
    "pieces": tiny_tokenizers.sentencepiece(),
    "gemma": tiny_tokenizers.gemma(),
}
PAIRS = [(a, b) for a in KINDS for b in KINDS if a != b]
WORDS = st.lists(
    st.sampled_from(["the", " the", " hello", "世界", " 🙂", "\n", "  ", "!", " other.", "th", "x"]), max_size=30
)


class Writing(FakeModel):
    """Goes on with a text, from wherever it is in it."""

    vocabulary_size = 400

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        super().__init__()
        self._tokenizer, self._text = tokenizer, text.encode()
        self._plan: list[int] = []

    def forward(self, tokens: Sequence[int], cache: FakeCache, rows: int = 1) -> torch.Tensor:
        cache.tokens.extend(tokens)
        written = sum(len(self._tokenizer.token_bytes(token)) for token in cache.tokens)
        try:
            self._plan = self._tokenizer.continuation(self._text[written:].decode())
        except UnicodeDecodeError:  # within a character
            del self._plan[0]
        return one_hot(torch.tensor([self._plan[0]]), self.vocabulary_size).float()


def drafter(kinds: tuple[str, str], text: str = "") -> tuple[AlignedDrafter, Tokenizer, Tokenizer]:
    ours, theirs = KINDS[kinds[0]], KINDS[kinds[1]]
    inner = ModelDrafter(Writing(theirs, text), "other", Writing.vocabulary_size)
    return AlignedDrafter(inner, ours, theirs), ours, theirs


@pytest.mark.parametrize("kinds", PAIRS)
@given(words=WORDS, cuts=st.lists(st.integers(0, 40), max_size=5))
def test_the_draft_is_told_the_text_whatever_was_taken_back(
    kinds: tuple[str, str], words: list[str], cuts: list[int]
) -> None:
    one, ours, theirs = drafter(kinds)
    tokens = ours.continuation("".join(words))
    for cut in cuts:
        one.rewind(min(cut, one.length))
        one.commit(tokens[one.length : one.length + cut])
        one._follow()
        other = one.copy(min(cut, one.length))
        other.commit(tokens[other.length :])
        other._follow()
        assert spelled(other, theirs) == "".join(words)
    one.commit(tokens[one.length :])
    one._follow()
    assert spelled(one, theirs) == "".join(words)
    assert one._inner._text == one._spelled


def spelled(one: AlignedDrafter, theirs: Tokenizer) -> str:
    return b"".join(map(theirs.token_bytes, one._spelled)).decode()


@pytest.mark.parametrize("kinds", PAIRS)
@given(words=WORDS, more=WORDS)
def test_what_is_certain_stays_whatever_follows(kinds: tuple[str, str], words: list[str], more: list[str]) -> None:
    one, ours, _ = drafter(kinds)
    text = "".join(words)
    certain = one._certain(text)
    assert ours.continuation(text + "".join(more))[: len(certain)] == certain
    if " " in text.strip() and kinds[0] == "bytes":
        assert certain or text.strip().count(" ") < 2


@pytest.mark.parametrize("kinds", PAIRS)
def test_it_proposes_the_targets_tokens_of_the_drafts_text(kinds: tuple[str, str]) -> None:
    text = "the other world hello there the thing 世界 and so on, and on, hello hello hello hello hello"
    one, ours, _ = drafter(kinds, text)
    tokens = ours.continuation(text)
    sampler = Sampler(SamplingSettings(temperature=0.9, seed=1), FakeModel.device)
    proposed = 0
    for position in range(1, len(ours.continuation(text[:40]))):
        one.rewind(0)
        one.commit(tokens[:position])
        draft = one.propose(12, sampler)
        assert draft.probabilities is None, "points, at any temperature"
        assert list(draft.tokens) == tokens[position : position + len(draft)]
        proposed += len(draft)
    assert proposed > 20


@given(st.text(max_size=8), st.integers(0, 3))
def test_half_a_character_is_known_as_one(text: str, cut: int) -> None:
    data = text.encode("utf-8", "replace")
    whole = data[: len(data) - cut].decode("utf-8", "ignore").encode()
    assert unfinished(data[: len(data) - cut]) == len(data) - cut - len(whole) if cut <= len(data) else True


ALIGN = LoadSettings(precision="float32", implementation="adapter", align=True)
QUESTIONS = (ask("hello hello hello the system is the system is"), ask("and on and on", "is it?", "the string is on"))


@pytest.fixture(scope="module")
def engine(tiny: TinyFactory) -> Engine:
    """The draft has the same weights behind other tokens as far as they go, and so agrees now and then."""
    return load(tiny("llama", layers=2, seed=3), tiny("llama", layers=2, seed=3, vocabulary=290), ALIGN)


@pytest.mark.parametrize("drafter", ["model", "combined"])
def test_every_draft_length_gives_the_same_tokens(engine: Engine, drafter: str) -> None:
    for question in QUESTIONS:
        plain = reply(engine, question, greedy(max_tokens=32))
        expected = held(engine)[-1].copy()
        proposed = 0
        for k in range(1, 9):
            drafted = reply(engine, question, greedy(drafter, k, max_tokens=32))
            assert held(engine)[-1] == expected, f"K = {k}"
            assert text_of(drafted) == text_of(plain)
            proposed += finished(drafted).statistics.proposed
        assert proposed > 0, "nothing was drafted, so nothing was tested"


def test_sampled_replies_come_and_are_the_seeds_own(engine: Engine) -> None:
    settings = GenerationSettings(
        SamplingSettings(temperature=1.0, seed=5), greedy("model", 4).speculation, max_tokens=40
    )
    first, again = (text_of(reply(engine, QUESTIONS[0], settings)) for _ in range(2))
    assert first == again
    assert finished(reply(engine, QUESTIONS[0], settings)).statistics.drafter.endswith("(by its text)")


def test_it_is_refused_unless_it_is_asked_for_and_the_second_choice_is_told(tiny: TinyFactory, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot draft for") as refused:
        load(tiny("llama"), tiny("llama", vocabulary=290))
    assert refused.value.remedy == SECOND_CHOICE
    engine = load(tiny("llama"))
    for _ in engine.load_draft(spec(tiny("llama")), ALIGN, threading.Event()):
        pass
    assert not next(iter(engine._host.drafts.values())).aligned, "the same vocabulary needs no alignment"

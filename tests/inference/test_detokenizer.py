import random
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial, partialmethod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inference.detokenizer import Detokenizer
from inference.tokenizer import Tokenizer
from tests import tiny_tokenizers
from tests.work import calls

KINDS = {"byte_level": tiny_tokenizers.byte_level(), "sentencepiece": tiny_tokenizers.sentencepiece(),
         "gemma": tiny_tokenizers.gemma(), "metaspace": tiny_tokenizers.metaspace()}  # fmt: skip
SPELT = ("byte_level", "sentencepiece", "gemma")
BYTES = {kind: [next(i for i in range(tokenizer.vocabulary.__len__()) if tokenizer.token_bytes(i) == bytes([byte]))
                for byte in range(256)] for kind, tokenizer in KINDS.items() if kind in SPELT}  # fmt: skip

# Joined emoji, flags, Chinese (also outside the basic plane), Arabic, Devanagari, combining marks, code, spaces.
PIECES = ["👩\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈", "🇨🇳", "👍🏽",
          "世界", "𠮷", "مرحبا", "नमस्ते", "e\u0301", "Z\u0351\u036b", "ñ", "ß",
          " ", "  ", "\n", "\t", "the", " hello", "def f(x):\n    return x", "�", "\u200b", "<0xE4>"]  # fmt: skip
TEXT = st.lists(st.sampled_from(PIECES) | st.text(st.characters(blacklist_categories=("Cs",)), max_size=4)).map("".join)


def pushed(tokenizer: Tokenizer, tokens: list[int], continuing: bool = False) -> list[str]:
    detokenizer = Detokenizer(tokenizer, continuing)
    return [*map(detokenizer.push, tokens), detokenizer.flush()]


def scattered(tokenizer: Tokenizer, kind: str, text: str, source: random.Random) -> list[int]:
    """Tokens of `text` as a model might write it: any mix of whole pieces and single bytes."""
    tokens: list[int] = []
    place = 0
    while place < len(text):
        part = text[place : place + source.randint(1, 6)]
        place += len(part)
        if source.random() < 0.5 or "<" in part:
            tokens += [BYTES[kind][byte] for byte in part.encode()]
        else:
            tokens += tokenizer._encode_inner(part)
    return tokens


@pytest.mark.parametrize("kind", SPELT)
@settings(max_examples=200, deadline=None)
@given(text=TEXT, seed=st.integers(0, 2**32))
def test_pushed_text_is_the_decoded_text(kind: str, text: str, seed: int) -> None:
    tokenizer = KINDS[kind]
    tokens = scattered(tokenizer, kind, text, random.Random(seed))
    parts = pushed(tokenizer, tokens)
    assert "".join(parts) == tokenizer.decode(tokens)
    if "▁" not in text:
        assert "".join(pushed(tokenizer, tokens, continuing=True)) == text
    if "�" not in text:
        assert not any("�" in part for part in parts)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=100, deadline=None)
@given(text=TEXT)
def test_its_own_tokens(kind: str, text: str) -> None:
    tokenizer = KINDS[kind]
    tokens = tokenizer.encode(text)
    assert "".join(pushed(tokenizer, tokens)) == tokenizer.decode(tokens)


@pytest.mark.parametrize("kind", SPELT)
@settings(max_examples=100, deadline=None)
@given(text=TEXT, cut=st.integers(1, 3))
def test_a_character_is_shown_by_the_token_that_completes_it(kind: str, text: str, cut: int) -> None:
    tokenizer = KINDS[kind]
    tokens = [BYTES[kind][byte] for byte in text.encode()]
    detokenizer = Detokenizer(tokenizer, continuing=True)
    shown = ""
    for count, token in enumerate(tokens, start=1):
        shown += detokenizer.push(token)
        assert shown == text.encode()[:count].decode(errors="ignore")


@pytest.mark.parametrize("kind", SPELT)
def test_unfinished_character_at_the_end_is_left_out(kind: str) -> None:
    tokens = [BYTES[kind][byte] for byte in "a世".encode()[:-1]]
    assert "".join(pushed(KINDS[kind], tokens)) == "a"


@pytest.mark.parametrize("kind", SPELT)
@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=12))
def test_bytes_that_are_no_text_do_not_hide_what_follows(kind: str, data: bytes) -> None:
    tokens = [BYTES[kind][byte] for byte in data + b" end"]
    assert "".join(pushed(KINDS[kind], tokens, continuing=True)) == (data + b" end").decode(errors="replace")


def test_invalid_byte_is_shown_at_once() -> None:
    detokenizer = Detokenizer(KINDS["byte_level"])
    assert detokenizer.push(BYTES["byte_level"][0xFF]) == "�"


@pytest.mark.parametrize("kind", KINDS)
def test_special_and_unknown_tokens_show_nothing(kind: str) -> None:
    tokenizer = KINDS[kind]
    a, b = tokenizer.encode("the"), tokenizer.encode("hello")
    special = sorted(tokenizer.special_ids)[-1]
    tokens = [special, *a, special, *b, 10**6, special]
    assert "".join(pushed(tokenizer, tokens)) == tokenizer.decode([*a, *b])


def test_added_tokens_that_are_not_special_are_shown() -> None:
    tokenizer = KINDS["byte_level"]
    assert "".join(pushed(tokenizer, tokenizer.encode("<think>hello</think>"))) == "<think>hello</think>"


def test_first_space_is_dropped_once_and_kept_when_continuing() -> None:
    tokenizer = KINDS["sentencepiece"]
    tokens = [tokenizer.vocabulary["▁the"], tokenizer.vocabulary["▁the"]]
    assert "".join(pushed(tokenizer, tokens)) == "the the"
    assert "".join(pushed(tokenizer, tokens, continuing=True)) == " the the"
    assert "".join(pushed(KINDS["gemma"], tokens)) == " the the"


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_costs_as_little_however_long_the_reply(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0

    def counted(act: Callable[[Tokenizer, Sequence[int]], str], tokenizer: Tokenizer, tokens: Sequence[int]) -> str:
        nonlocal looked_at
        looked_at += len(tokens)
        return act(tokenizer, tokens)

    monkeypatch.setattr(Tokenizer, "decode", partialmethod(partial(counted, Tokenizer.decode)))
    tokenizer = KINDS[kind]
    detokenizer = Detokenizer(tokenizer)
    passage = tokenizer.encode(unicodedata.normalize("NFD", "hello 世界 👩‍👩‍👧‍👦 naïve "))

    def work() -> tuple[int, int]:
        before = looked_at
        return calls(lambda: [*map(detokenizer.push, passage * 20)]), looked_at - before

    first, *_, last = (work() for _ in range(10))
    assert last[0] < 1.1 * first[0], "calls"
    assert last[1] <= 1.1 * first[1], "tokens decoded again"

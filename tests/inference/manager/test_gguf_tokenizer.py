"""Tokenizers out of GGUF metadata: the split before merging, SentencePiece against a plain reading of its algorithm,
and odd vocabularies.
"""

import itertools
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from inference.errors import UserError
from inference.manager.gguf_file import GgufFile
from inference.manager.gguf_tokenizer import GgufVocabulary
from tests.inference.manager import tiny_gguf


def vocabulary(path: Path, architecture: str = "llama", **fields: Any) -> GgufVocabulary:
    """From a file with nothing but a tokenizer. A field of None leaves it out."""
    values = {
        "model": "gpt2", "pre": "qwen2", "tokens": tiny_gguf.TOKENS, "token_type": tiny_gguf.TYPES,
        "merges": tiny_gguf.MERGES, "bos_token_id": 1, "eos_token_id": 2,
    } | fields  # fmt: skip
    writer = gguf.GGUFWriter(path, architecture)
    for key, value in values.items():
        name = f"tokenizer.{key}" if key == "chat_template" else f"tokenizer.ggml.{key}"
        match value:
            case None:
                pass
            case bool():
                writer.add_bool(name, value)
            case int():
                writer.add_uint32(name, value)
            case str():
                writer.add_string(name, value)
            case _:
                writer.add_array(name, value)
    writer.add_tensor("token_embd.weight", np.zeros((1, 32), dtype=np.float32))
    tiny_gguf.finish(writer)
    with GgufFile(path) as file:
        return GgufVocabulary(file)


def pieces(tokenizer: Tokenizer, text: str) -> list[str]:
    assert tokenizer.pre_tokenizer is not None
    return [piece.replace("Ġ", " ").replace("Ċ", "\n") for piece, _ in tokenizer.pre_tokenizer.pre_tokenize_str(text)]


@pytest.mark.parametrize(
    ("split", "text", "expected"),
    [
        ("smollm", "x12 345\n\nab", ["x", "1", "2", " ", "3", "4", "5", "\n", "\n", "ab"]),
        ("smollm", "it's 日", ["it", "'s", " æĹ¥"]),
        ("qwen2", "x12 345\n\nab", ["x", "1", "2", " ", "3", "4", "5", "\n\n", "ab"]),
        ("qwen2", "IT'S (ok);\n", ["IT", "'S", " (", "ok", ");\n"]),
        ("llama-bpe", "x12 3456", ["x", "12", " ", "345", "6"]),
        ("llama-bpe", "a  b\t c", ["a", " ", " b", "ĉ", " c"]),
        ("tekken", "helloWorld 12/\n", ["hello", "World", " ", "1", "2", "/\n"]),
        ("gpt-2", "x12 345's", ["x", "12", " 345", "'s"]),
    ],
)
def test_text_is_split_as_each_family_splits_it(tmp_path: Path, split: str, text: str, expected: list[str]) -> None:
    assert pieces(vocabulary(tmp_path / "t.gguf", pre=split).tokenizer(), text) == expected


def test_an_unknown_split_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not know \\(brand-new\\)"):
        vocabulary(tmp_path / "t.gguf", pre="brand-new").tokenizer()


@pytest.mark.parametrize(("architecture", "split"), [("qwen2", "qwen2"), ("qwen3", "qwen2"), ("llama", "unnamed")])
def test_a_split_that_is_not_named_follows_from_the_architecture_or_is_refused(
    tmp_path: Path, architecture: str, split: str
) -> None:
    assert vocabulary(tmp_path / "t.gguf", architecture, pre=None).split == split


def test_llama_3_is_known_by_its_first_token(tmp_path: Path) -> None:
    tokens = ["<|begin_of_text|>", *tiny_gguf.TOKENS[1:]]
    assert vocabulary(tmp_path / "t.gguf", pre=None, tokens=tokens).split == "llama-bpe"


def test_whole_words_of_the_vocabulary_are_not_merged_where_the_family_does_not(tmp_path: Path) -> None:
    """ "hello" cannot be reached by these merges; Llama 3 finds it all the same, Qwen does not."""
    merges = [merge for merge in tiny_gguf.MERGES if merge != "hell o"]
    qwen = vocabulary(tmp_path / "q.gguf", merges=merges).tokenizer()
    llama = vocabulary(tmp_path / "l.gguf", pre="llama-bpe", merges=merges).tokenizer()
    assert qwen.encode("hello").tokens == ["hell", "o"]
    assert llama.encode("hello").tokens == ["hello"]


@pytest.mark.parametrize(("flag", "first"), [(True, ["<|im_start|>"]), (False, []), (None, [])])
def test_the_first_token_is_added_when_the_file_says_so(tmp_path: Path, flag: bool | None, first: list[str]) -> None:
    tokenizer = vocabulary(tmp_path / "t.gguf", add_bos_token=flag).tokenizer()
    assert tokenizer.encode("he").tokens == [*first, "he"]
    assert tokenizer.encode("he", add_special_tokens=False).tokens == ["he"]


# Odd vocabularies


def test_rows_that_only_pad_the_matrix_are_no_tokens(tmp_path: Path) -> None:
    tokens = [*tiny_gguf.TOKENS, "[PAD268]", "[PAD269]"]
    found = vocabulary(tmp_path / "t.gguf", tokens=tokens, token_type=[*tiny_gguf.TYPES, 5, 5])
    assert found.tokens == tiny_gguf.TOKENS
    assert found.tokenizer().get_vocab_size() == len(tiny_gguf.TOKENS)


def test_a_token_that_is_there_twice_keeps_its_number(tmp_path: Path) -> None:
    tokens = [*tiny_gguf.TOKENS, "he"]
    tokenizer = vocabulary(tmp_path / "t.gguf", tokens=tokens, token_type=[*tiny_gguf.TYPES, 1]).tokenizer()
    assert tokenizer.get_vocab_size() == len(tokens)
    assert tokenizer.encode("he").ids == [tiny_gguf.TOKENS.index("he")]


def test_merges_of_tokens_that_do_not_exist_are_left_out(tmp_path: Path) -> None:
    merges = ["x y", "he", "z  z", *tiny_gguf.MERGES]
    assert vocabulary(tmp_path / "t.gguf", merges=merges).tokenizer().encode("hello").tokens == ["hello"]


def test_without_types_no_token_is_special(tmp_path: Path) -> None:
    found = vocabulary(tmp_path / "t.gguf", token_type=None)
    assert found.types == [1] * len(tiny_gguf.TOKENS)
    assert found.tokenizer().encode("<|im_end|>").ids != [2]


@pytest.mark.parametrize("number", [len(tiny_gguf.TOKENS), (1 << 32) - 1])
def test_a_special_token_outside_the_vocabulary_counts_as_none(tmp_path: Path, number: int) -> None:
    found = vocabulary(tmp_path / "t.gguf", bos_token_id=number, eos_token_id=number, add_bos_token=True)
    assert found.special("bos") is None and not found.add_bos
    assert found.end_tokens == [2, 0]  # still known by their names
    assert "bos_token" not in found.configuration()


@pytest.mark.parametrize("template", [None, "", "  \n"])
def test_a_missing_template_is_left_out(tmp_path: Path, template: str | None) -> None:
    found = vocabulary(tmp_path / "t.gguf", chat_template=template)
    assert found.chat_template is None and "chat_template" not in found.configuration()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"tokens": None}, "no tokenizer"),
        ({"tokens": "text"}, "no tokenizer"),
        ({"tokens": [1, 2]}, "no tokenizer"),
        ({"token_type": [1, 1]}, "damaged tokenizer"),
        ({"merges": None}, "without its merges"),
        ({"merges": ["x y"]}, "without its merges"),
        ({"model": "llama", "scores": None}, "without its scores"),
        ({"model": "llama", "scores": [0.5]}, "without its scores"),
        ({"model": "bert"}, "kind 'bert'"),
        ({"model": None}, "kind ''"),
    ],
)
def test_half_a_tokenizer_is_refused(tmp_path: Path, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        vocabulary(tmp_path / "t.gguf", **fields).tokenizer()


# SentencePiece

WORDS = ["▁a", "ab", "▁ab", "abc", "bc", "ca", "cab", "▁cab", "aa", "aaa", "aaaa", "▁▁", "你好"]
LETTERS = ["▁", "a", "b", "c", "你", "好"]
BYTE_TOKENS = [f"<0x{b:02X}>" for b in range(256)]
SPM_TOKENS = ["<unk>", "<s>", "</s>", *BYTE_TOKENS, *WORDS, *LETTERS]
SPM_TYPES = [2, 3, 3] + [6] * 256 + [1] * (len(WORDS) + len(LETTERS))
SPM_SCORES = [0.0] * 259 + [-float(i) for i in range(len(WORDS))] + [-100.0 - i for i in range(len(LETTERS))]


def spm(path: Path, architecture: str = "llama", **fields: Any) -> Tokenizer:
    values = {"model": "llama", "pre": None, "tokens": SPM_TOKENS, "token_type": SPM_TYPES, "scores": SPM_SCORES}
    return vocabulary(path, architecture, **(values | {"merges": None, "unknown_token_id": 0} | fields)).tokenizer()


def merge_by_score(text: str) -> list[str]:
    """SentencePiece BPE as described: join the neighbours whose joint piece scores best, the leftmost first."""
    score = dict(zip(SPM_TOKENS[259:], SPM_SCORES[259:], strict=True))
    symbols = list(text)
    while True:
        joints = [(score[a + b], -i) for i, (a, b) in enumerate(itertools.pairwise(symbols)) if a + b in score]
        if not joints:
            break
        i = -max(joints)[1]
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
    return [token for s in symbols for token in ([s] if s in score else [f"<0x{b:02X}>" for b in s.encode()])]


@pytest.fixture(scope="module")
def spm_tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return spm(tmp_path_factory.mktemp("spm") / "t.gguf")


@settings(max_examples=200, deadline=None)
@given(text=st.text("abc 你好é😀", min_size=1, max_size=24))
def test_sentencepiece_joins_by_score(spm_tokenizer: Tokenizer, text: str) -> None:
    found = spm_tokenizer.encode(text, add_special_tokens=False)
    assert found.tokens == merge_by_score("▁" + text.replace(" ", "▁"))
    assert spm_tokenizer.decode(found.ids) == text


def test_sentencepiece_begins_with_its_first_token_unless_told_not_to(tmp_path: Path) -> None:
    assert spm(tmp_path / "a.gguf").encode("ab").tokens == ["<s>", "▁ab"]
    assert spm(tmp_path / "b.gguf", add_bos_token=False).encode("ab").tokens == ["▁ab"]
    assert spm(tmp_path / "c.gguf", add_space_prefix=False).encode("ab").tokens == ["<s>", "ab"]


def test_gemma_merges_in_the_order_of_its_tokens_and_knows_runs_of_blanks(tmp_path: Path) -> None:
    """Its scores say the opposite here, and its blanks are written as blanks."""
    tokens = ["  " if token == "▁▁" else token for token in SPM_TOKENS]
    scores = [-score for score in SPM_SCORES]
    tokenizer = spm(tmp_path / "t.gguf", "gemma3", tokens=tokens, scores=scores, add_space_prefix=False)
    assert tokenizer.encode("  ab", add_special_tokens=False).tokens == ["▁", "▁ab"]
    assert tokenizer.encode("b  c", add_special_tokens=False).tokens == ["b", "▁▁", "c"]
    assert tokenizer.decode(tokenizer.encode("b  c").ids) == "b  c"

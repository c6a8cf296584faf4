import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.vocabulary import compare, fingerprint
from tests import tiny_tokenizers

VOCABULARY = st.dictionaries(st.text(max_size=4), st.integers(0, 500), max_size=20)


def test_equal_vocabularies() -> None:
    result = compare({"a": 0, "b": 1}, {"b": 1, "a": 0})
    assert result.compatible
    assert result.reason is None
    assert result.forbidden == frozenset()


def test_first_difference_is_named() -> None:
    target = {"a": 0, "x": 123, "y": 7, "z": 500}
    draft = {"a": 0, "x": 456, "y": 7, "z": 499}
    result = compare(target, draft)
    assert not result.compatible
    assert result.reason == "Token 'x' is 123 in the target and 456 in the draft, and 1 more differs."


@pytest.mark.parametrize(
    ("target", "draft", "reason"),
    [
        ({"a": 0, "b": 1}, {"a": 0}, "Token 'b' is 1 in the target and missing in the draft."),
        ({"a": 0}, {"a": 0, "b": 1}, "Token 'b' is 1 in the draft and missing in the target."),
        ({"a": 0, "b": 1}, {"a": 1, "b": 0}, "Token 'a' is 0 in the target and 1 in the draft, and 1 more differs."),
        (
            {"a": 9, "b": 4, "c": 5},
            {"a": 1, "b": 5, "c": 4},
            "Token 'a' is 9 in the target and 1 in the draft, and 2 more differ.",
        ),
    ],
)
def test_ordinary_differences_refuse(target: dict[str, int], draft: dict[str, int], reason: str) -> None:
    assert compare(target, draft).reason == reason


def test_one_different_special_token_is_a_mismatch_only_for_that_token() -> None:
    target = {"a": 0, "<|end|>": 1, "<|tool|>": 2}
    draft = {"a": 0, "<|end|>": 1, "<|fim|>": 2, "<|more|>": 3}
    result = compare(target, draft, {"<|end|>", "<|tool|>"}, {"<|end|>", "<|fim|>", "<|more|>"})
    assert result.compatible
    assert result.forbidden == {2, 3}


def test_special_tokens_that_changed_places() -> None:
    result = compare({"a": 0, "<x>": 1, "<y>": 2}, {"a": 0, "<x>": 2, "<y>": 1}, {"<x>", "<y>"}, {"<x>", "<y>"})
    assert result.compatible
    assert result.forbidden == {1, 2}


def test_a_token_that_is_special_on_one_side_only_is_not_tolerated() -> None:
    assert not compare({"a": 0, "x": 1}, {"a": 0, "x": 2}, (), {"x"}).compatible


def test_a_special_token_in_the_place_of_an_ordinary_one_refuses() -> None:
    assert not compare({"a": 0, "b": 1}, {"a": 0, "<x>": 1}, (), {"<x>"}).compatible


def test_padding_is_no_difference() -> None:
    target = {"a": 0, "b": 1}
    padded = {**target, **{f"[PAD{row}]": row for row in range(2, 6)}}
    assert compare(target, padded).compatible
    assert compare(padded, target).forbidden == {2, 3, 4, 5}
    assert not compare(target, {**target, "[PAD9]": 2}).compatible


def test_tokens_that_cannot_be_printed_are_named_readably() -> None:
    reason = compare({"\n\u200b": 0}, {}).reason
    assert reason == r"Token '\n\u200b' is 0 in the target and missing in the draft."


@given(target=VOCABULARY, draft=VOCABULARY, added=st.sets(st.text(max_size=4)))
def test_whatever_is_proposed_means_the_same_on_both_sides(
    target: dict[str, int], draft: dict[str, int], added: set[str]
) -> None:
    result = compare(target, draft, added, added)
    differing = {token for token in {*target, *draft} if target.get(token) != draft.get(token)}
    assert result.compatible == (differing <= added)
    if result.compatible:
        allowed = {token: index for token, index in draft.items() if index not in result.forbidden}
        assert all(target[token] == index for token, index in allowed.items())


def test_real_kinds() -> None:
    first, second = tiny_tokenizers.byte_level(), tiny_tokenizers.byte_level()
    assert (
        compare(first.vocabulary, second.vocabulary, first.added_tokens, second.added_tokens).forbidden == frozenset()
    )
    other = tiny_tokenizers.gemma()
    assert not compare(first.vocabulary, other.vocabulary, first.added_tokens, other.added_tokens).compatible


def test_fingerprint_is_of_the_map_and_not_of_its_order() -> None:
    assert fingerprint({"a": 0, "世": 1}) == fingerprint({"世": 1, "a": 0})
    assert fingerprint({"a": 0}) != fingerprint({"a": 1})
    assert fingerprint({"a": 0}) == hashlib.sha256(b'[["a",0]]').hexdigest()
    assert len(fingerprint({"\ud800": 3})) == 64

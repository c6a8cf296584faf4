import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.importing.json_stream import elements

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(VALUES, max_size=6), st.integers(1, 9), st.sampled_from([None, 2]))
def test_every_element_whatever_the_chunks(values: list[Any], chunk: int, indent: int | None) -> None:
    text = " \n" + json.dumps(values, indent=indent, ensure_ascii=False) + "\n"
    assert list(elements(io.StringIO(text), chunk)) == values


@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=3), st.integers(1, 9))
def test_one_object(value: dict[str, Any], chunk: int) -> None:
    assert list(elements(io.StringIO(json.dumps(value)), chunk)) == [value]


@pytest.mark.parametrize("text", ["[1, 2", "[1 2]", "[{]", "[1,,2]", "", "{", "[1, 2}"])
@pytest.mark.parametrize("chunk", [1, 100])
def test_what_is_no_json_is_told_after_what_was(text: str, chunk: int) -> None:
    found = []
    with pytest.raises(json.JSONDecodeError):
        for value in elements(io.StringIO(text), chunk):
            found.append(value)
    assert found == [1, 2][: len(found)]

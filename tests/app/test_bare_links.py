import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.bare_links import bare_links
from app.blocks import Prose
from app.markdown import parse


def links(text: str) -> list[str]:
    return [address for _, address in bare_links(text) if address]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://example.com/a_b_(c), and so on.", ["https://example.com/a_b_(c)"]),
        ("(https://example.com/x?y=1&z=2)", ["https://example.com/x?y=1&z=2"]),
        ("见 https://example.com/路，以及HTTP://A.org。", ["https://example.com/", "HTTP://A.org"]),
        ("https://a.org https://b.org/", ["https://a.org", "https://b.org/"]),
        ("https:// and http and ://x and xhttps://a", []),
        ("**https://example.com**", ["https://example.com"]),
    ],
)
def test_addresses_end_where_they_end(text: str, found: list[str]) -> None:
    assert links(text) == found


@given(st.text(alphabet="htps:/.a )(*_，路\n", max_size=40))
def test_nothing_is_lost(text: str) -> None:
    assert "".join(piece for piece, _ in bare_links(text)) == text


def test_in_a_reply_they_are_links_where_they_stand() -> None:
    text = "Read **https://example.com/a_b** or `https://code.org` or [this](https://other.org)."
    (block,) = parse(text)
    assert isinstance(block, Prose)
    assert [(span.text, span.link) for span in block.spans if span.link] == [
        ("https://example.com/a_b", "https://example.com/a_b"),
        ("this", "https://other.org"),
    ]
    assert all(text[span.start : span.start + len(span.text)] == span.text for span in block.spans)

"""What is odd about an address is said before it is opened."""

import pytest
from pytestqt.qtbot import QtBot

from app.link_address import address_of
from app.views.link_question import LinkQuestion


@pytest.mark.parametrize(
    ("text", "host", "doubts"),
    [
        ("https://example.org/a?b=c", "example.org", ()),
        ("http://example.org", "example.org", ("unencrypted",)),
        ("https://paypal.com@evil.org/", "evil.org", ("account",)),
        ("https://192.0.2.7/x", "192.0.2.7", ("number",)),
        ("https://xn--e1afmkfd.org", "пример.org", ("foreign letters",)),
        ("https://p\u0430ypal.com", "p\u0430ypal.com", ("mixed letters",)),  # a Cyrillic a
        ("https://例子.cn/", "例子.cn", ("foreign letters",)),
        ("https://example.org/\u200b", "example.org", ("invisible",)),
        ("mailto:somebody@example.org", "example.org", ()),
    ],
)
def test_doubts_about_an_address(text: str, host: str, doubts: tuple[str, ...]) -> None:
    found = address_of(text)
    assert found.openable
    assert (found.host, found.doubts) == (host, doubts)


@pytest.mark.parametrize("text", ["file:///etc/passwd", "javascript:x()", "http://", "https://[x", "", "ftp://a.b"])
def test_what_cannot_be_opened(text: str) -> None:
    assert not address_of(text).openable


def test_a_name_of_other_letters_is_shown_in_both_forms() -> None:
    assert address_of("https://xn--e1afmkfd.org").punycode == "xn--e1afmkfd.org"
    assert address_of("https://пример.org").punycode == "xn--e1afmkfd.org"
    assert address_of("https://example.org").punycode == ""


def test_the_question_warns_and_offers_to_open_only_what_can_be(qtbot: QtBot) -> None:
    question = LinkQuestion("https://p\u0430ypal.com/" + "x" * 500, None)
    qtbot.addWidget(question)
    assert len(question.warnings) == 1 and not question.open_button.isHidden()
    refused = LinkQuestion("file:///etc/passwd", None)
    qtbot.addWidget(refused)
    assert refused.open_button.isHidden()

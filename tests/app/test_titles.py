import pytest

from app.chat_message import ChatMessage
from app.titles import MOST_READ, title_prompt, title_settings, usable_title


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("Blue skies", "Blue skies"),
        ('"Blue skies."\n\nI chose this', "Blue skies"),
        ("**Blue** skies", "Blue** skies"),
        ("《天空的颜色》", "天空的颜色"),
        ("<think>\nHm.\n</think>\n\nBlue skies", "Blue skies"),
        ("Title: Blue skies", ""),
        ("The code to merge two lists is:\n\ndef merge", ""),
        ("Sure, here is one", ""),
        ("I'm sorry, I cannot", ""),
        ("The sky is blue. It scatters light.", ""),
        ("x" * 61, ""),
        ("12", ""),
        ("", ""),
        ("\n\n", ""),
        ("a", ""),
    ],
)
def test_only_what_reads_as_a_title_is_taken(written: str, title: str) -> None:
    assert usable_title(written) == title


def test_the_model_reads_little_and_writes_less() -> None:
    messages = [ChatMessage("user", "Why? " * 1000), ChatMessage("assistant", "<think>\nHm.\n</think>\n\nBecause.")]
    prompt = title_prompt(messages)
    assert [message.role for message in prompt] == ["user", "assistant", "user"]
    assert len(prompt[0].content) == MOST_READ and prompt[1].content == "Because."
    settings = title_settings()
    assert settings.sampling.greedy and settings.max_tokens < 50

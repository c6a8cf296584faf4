"""A chat's title, written by the model that answered: what it is asked, and which of its answers will do."""

import re
from collections.abc import Sequence

from app.chat_message import ChatMessage
from app.thoughts import answer_of
from inference.messages import Message
from inference.settings import GenerationSettings, SamplingSettings, SpeculationSettings

MOST_READ = 600  # characters of the question and of the reply
LONGEST, SHORTEST = 60, 2  # characters of a title
MOST_TOKENS = 24
_REFUSALS = re.compile(
    r"(i'm sorry|i am sorry|i cannot|i can't|as an ai|sure[,!]|here is|here's|title\b|对不起|抱歉)", re.I
)
_FRAME = " \t\"'“”‘’「」『』《》*#`_.。:：-"


def title_prompt(messages: Sequence[ChatMessage]) -> list[Message]:
    """From the first question and its reply."""
    question = next(message.text for message in messages if message.role == "user")[:MOST_READ]
    reply = next((answer_of(message.text) for message in messages if message.role == "assistant"), "")[:MOST_READ]
    return [
        Message("user", question),
        Message("assistant", reply or "…"),
        Message(
            "user", "Give this conversation a title of two to six words in its own language. Write only the title."
        ),
    ]


def title_settings() -> GenerationSettings:
    """Greedy and short; drafting would not pay for so few tokens."""
    sampling, speculation = SamplingSettings(temperature=0.0), SpeculationSettings(mode="off")
    return GenerationSettings(sampling, speculation, MOST_TOKENS)


def usable_title(written: str) -> str:
    """What the model wrote, trimmed; "" when it is no title: too long, sentences, or talk of what follows."""
    lines = [line for line in answer_of(written).splitlines() if line.strip()]
    announced = bool(lines) and lines[0].rstrip().endswith((":", "："))  # something is to follow
    title = " ".join(lines[0].strip(_FRAME).split()) if lines and not announced else ""
    if not SHORTEST <= len(title) <= LONGEST or _REFUSALS.match(title) or re.search(r"[.!?。！？]\s*\S", title):
        return ""
    return title if any(character.isalpha() for character in title) else ""

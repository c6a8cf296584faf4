"""A message in the list: its height, real or assumed, and its view while it is near the viewport."""

from dataclasses import dataclass, field

from app.chat_message import ChatMessage
from app.views.message_view import MARGIN, MessageView
from app.views.reading_style import ReadingStyle


@dataclass
class Entry:
    message: ChatMessage
    height: int
    view: MessageView | None = field(default=None)


def estimate(message: ChatMessage, width: int, style: ReadingStyle) -> int:
    """About how high a message is in a column of this width, both in pixels, before it has a view."""
    letters = max(20, width // max(1, style.px(8)))
    lines = message.text.count("\n") + len(message.text) // letters + 1
    return 2 * MARGIN + 25 + style.line * lines + (40 if message.role == "assistant" else 0)

"""A chat as a Markdown text for people: the messages that are shown, one after the other."""

import time

from app.attachments import with_attachments
from app.chat_message import ChatMessage
from app.history import StoredChat
from app.message_tree import MessageTree
from app.thoughts import thought_of


def chat_to_markdown(chat: StoredChat) -> str:
    parts = [f"# {' '.join(chat.row.title.split()) or 'Chat'}", _date(chat.row.created)]
    for message in MessageTree(chat.messages, chat.chosen).path:
        parts += [f"## {_who(message)}", *_body(message)]
    return "\n\n".join(parts) + "\n"


def _who(message: ChatMessage) -> str:
    if message.role == "assistant":
        return f"Foreword ({message.model})" if message.model else "Foreword"
    return "You" if message.role == "user" else "System"


def _body(message: ChatMessage) -> list[str]:
    text, parts = message.text, []
    if message.role == "assistant":
        thought = thought_of(text)
        if words := text[thought.start : thought.end].strip():
            seconds = f" for {message.thought_s:.0f} s" if message.thought_s else ""
            parts.append("\n".join(f"> {line}".rstrip() for line in [f"*Thought{seconds}*", "", *words.split("\n")]))
        text = text[thought.answer :]
    content = with_attachments(text, message.attachments)
    parts += [content] if content else []
    if message.state == "failed":
        parts.append(f"*{message.error}*")
    return parts


def _date(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))

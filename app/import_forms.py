"""The sentences in which an import says what it left out and why, with places for names and numbers."""

from app.language import mark

IMPORT_FORMS: tuple[str, ...] = (
    mark("it holds no chats"),
    mark("it has no messages"),
    mark("none of its messages has text"),
    mark("it is no JSON"),
    mark("from here on it is no JSON"),
    mark("from here on it is damaged"),
    mark("it is locked with a password"),
    mark("it is packed in a way we cannot open"),
    mark("it is nested too deeply"),
    mark("no program we know writes this"),
    mark("it is not as we know it"),
    mark("a chat is not as we know it"),
    mark("it is from a newer Foreword"),
    mark("{count} × {reason}"),
    mark("message of a tool"),
    mark("message without text"),
    mark('message of "{who}"'),
    mark("picture or file"),
    mark("{name}, line {number}"),
    mark("{name}, chat {number}"),
)

"""The Exec line of a desktop entry, read as desktops read it (Desktop Entry Specification 1.5, "The Exec key")."""

from pathlib import Path

_VALUE = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


def command(entry: Path) -> list[str]:
    """The arguments, without the codes for files and addresses. Raises ValueError for a line that makes no sense."""
    for line in entry.read_text(encoding="utf-8").splitlines():
        key, equals, value = line.partition("=")
        if equals and key.strip() == "Exec":
            return [part for part in _split(_unescape(value.strip(), _VALUE)) if part]
    raise ValueError(f"{entry.name} has no Exec line")


def _unescape(text: str, known: dict[str, str]) -> str:
    parts = iter(text)
    return "".join(known.get(follows := next(parts, ""), f"\\{follows}") if part == "\\" else part for part in parts)


def _split(line: str) -> list[str]:
    arguments, current, quoted = [], "", False
    parts = iter(line)
    for part in parts:
        if part == '"':
            quoted = not quoted
        elif part == "\\" and quoted:
            current += next(parts, "")
        elif part == "%":
            code = next(parts, "")
            current += "%" if code == "%" else ""
        elif part == " " and not quoted:
            arguments.append(current)
            current = ""
        else:
            current += part
    if quoted:
        raise ValueError("a quotation is not closed")
    return [*arguments, current]

"""Text files that go with a question: what may be attached, and how the model reads it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inference.errors import UserError

MOST_BYTES = 4 * 2**20  # more than any context holds; reading more would only take time
PASTED_LINES = 200  # a longer paste becomes an attachment
PASTED_CHARACTERS = 20_000  # likewise: one endless line takes seconds to lay out
_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)


@dataclass(frozen=True)
class Attachment:
    name: str
    text: str

    @property
    def language(self) -> str:
        """What follows the fence: the ending of the name."""
        ending = self.name.rpartition(".")[2] if "." in self.name else ""
        return ending.lower() if re.fullmatch(r"\w{1,12}", ending) else ""


def read_attachment(path: Path) -> Attachment:
    """A text file, whatever its encoding. Raises UserError when it is none, or far too big."""
    try:
        if path.is_dir():
            raise UserError(f"{path.name} is a folder.", "Attach the files in it one by one.")
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise UserError(
                f"{path.name} has {size / 2**20:.1f} MB, more than any model can read at once.",
                f"Attach a part of it, up to {MOST_BYTES // 2**20} MB.",
            )
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path.name} cannot be read ({error.strerror}).") from error
    return Attachment(path.name, decoded(content, path.name))


def decoded(content: bytes, name: str) -> str:
    """Text of a file in UTF-8, UTF-16 with its mark, or the Chinese GB 18030. Raises UserError for anything else."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif b"\0" in content:
        encodings = []
    else:
        encodings = ["utf-8-sig", "gb18030"]
    for encoding in encodings:
        try:
            return content.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError:
            continue
    raise UserError(
        f"{name} is not a text file.", "Only text and code can be attached. If this is text, save it as UTF-8."
    )


def is_long_paste(text: str) -> bool:
    return text.count("\n") >= PASTED_LINES or len(text) > PASTED_CHARACTERS


def with_attachments(question: str, attachments: Sequence[Attachment]) -> str:
    """What the model reads: every file in a fence no line of it can close, then the question."""
    return "\n\n".join([*map(_fenced, attachments), *([question] if question else [])])


def _fenced(attachment: Attachment) -> str:
    longest = max((len(found[1]) for found in _FENCE.finditer(attachment.text)), default=2)
    fence = "`" * max(3, longest + 1)
    body = attachment.text.removesuffix("\n")
    return f"{attachment.name}:\n{fence}{attachment.language}\n{body}\n{fence}"

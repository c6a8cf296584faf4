"""Which hub the person wants models from: an address in a small file, or none for the usual one."""

from pathlib import Path
from urllib.parse import urlsplit

from inference.errors import UserError
from inference.manager.files import explained, write_atomically
from inference.manager.paths import config_folder


def chosen_hub() -> str:
    """ "" where nothing was chosen, or nothing that could be one."""
    try:
        text = _note().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return text if is_address(text) else ""


def choose_hub(address: str) -> None:
    """From now on; "" takes the usual one again. Raises UserError for what is no address."""
    address = address.strip().rstrip("/")
    if address and not is_address(address):
        raise UserError(f"{address[:200]} is not the address of a hub.", "Write it with https:// in front.")
    note = _note()
    with explained(note):
        if address:
            note.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(note, f"{address}\n".encode())
        else:
            note.unlink(missing_ok=True)


def is_address(text: str) -> bool:
    """Of a web server, without a name, a password or a question in it."""
    try:
        parts = urlsplit(text)
        return (
            parts.scheme in ("https", "http")
            and bool(parts.hostname)
            and "@" not in parts.netloc
            and not (parts.query or parts.fragment or any(c.isspace() for c in text))
            and parts.port != 0
        )
    except ValueError:
        return False


def _note() -> Path:
    return config_folder() / "hub.txt"

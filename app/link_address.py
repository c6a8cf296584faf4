"""What can be wrong with an address that a model wrote: whether it may be opened at all, and what to look at twice."""

import ipaddress
import unicodedata
from dataclasses import dataclass
from typing import Literal
from urllib.parse import SplitResult, urlsplit

SCHEMES = ("http", "https", "mailto")
Doubt = Literal["foreign letters", "mixed letters", "account", "number", "unencrypted", "invisible"]


@dataclass(frozen=True)
class Address:
    """`text` as it was written. host as a browser shows it, and `punycode` as it is asked for, "" where alike."""

    text: str
    host: str = ""
    punycode: str = ""
    openable: bool = False
    doubts: tuple[Doubt, ...] = ()


def address_of(text: str) -> Address:
    """Never raises: what cannot be read as an address cannot be opened."""
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return Address(text)
    if parts.scheme not in SCHEMES or (parts.scheme != "mailto" and not host):
        return Address(text)
    if parts.scheme == "mailto":
        host = parts.path.rpartition("@")[2]
    shown, asked = _both_forms(host)
    doubts = tuple(_doubts(text, parts, shown))
    return Address(text, shown, asked if asked != shown else "", openable=True, doubts=doubts)


def _both_forms(host: str) -> tuple[str, str]:
    """With its letters, and as xn-- labels."""
    shown, asked = [], []
    for label in host.split("."):
        try:
            written = label.encode("ascii").decode("idna") if label.startswith("xn--") else label
            shown.append(written)
            asked.append(written.encode("idna").decode("ascii"))
        except UnicodeError:
            shown.append(label)
            asked.append(label)
    return ".".join(shown), ".".join(asked)


def _doubts(text: str, parts: SplitResult, host: str) -> list[Doubt]:
    found: list[Doubt] = []
    if any(len(_scripts(label)) > 1 for label in host.split(".")):
        found.append("mixed letters")
    elif not host.isascii():
        found.append("foreign letters")
    if parts.scheme != "mailto" and "@" in parts.netloc:
        found.append("account")
    if _is_number(host):
        found.append("number")
    if parts.scheme == "http":
        found.append("unencrypted")
    if any(unicodedata.category(character) in ("Cf", "Cc", "Zl", "Zp", "Zs") for character in text):
        found.append("invisible")
    return found


def _scripts(label: str) -> set[str]:
    """The alphabets of its letters: LATIN, CYRILLIC, GREEK, CJK..."""
    return {unicodedata.name(letter, "UNKNOWN").split()[0] for letter in label if letter.isalpha()}


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host.isdecimal()
    return True

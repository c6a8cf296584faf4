"""Addresses of the web that stand in a text as they are, without being marked as links."""

import re
from collections.abc import Iterator

_ADDRESS = re.compile(
    r"(?<![a-zA-Z0-9])https?://[^\s<>\"'`\u2018-\u201f\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+", re.IGNORECASE
)
_END = ".,;:!?*_~|]}"  # what follows an address more often than it ends one


def bare_links(text: str) -> Iterator[tuple[str, str]]:
    """The text in pieces, each with its address if it is one, else with ""."""
    at = 0
    for found in _ADDRESS.finditer(text) if "://" in text else ():
        address = _whole(found[0])
        if not address:
            continue
        if found.start() > at:
            yield text[at : found.start()], ""
        yield address, address
        at = found.start() + len(address)
    if at < len(text):
        yield text[at:], ""


def _whole(address: str) -> str:
    """Without the punctuation of the sentence around it; "" where nothing is left but the beginning."""
    while address:
        lone = address.endswith(")") and address.count(")") > address.count("(")
        if not lone and address[-1] not in _END:
            break
        address = address[:-1]
    return "" if address.endswith("/") and address.count("/") == 2 else address

"""How a tokenizer spells text: the bytes each of its tokens stands for, so that text can grow token by token.

Read from the decoder part of tokenizer.json. Two families cover nearly every causal model: byte-level BPE (GPT-2 and
after) writes each byte as a printable character; SentencePiece with byte fallback (Llama 2, Gemma) writes spaces as "▁"
and bytes without a piece of their own as "<0xE4>".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


@lru_cache(maxsize=1)
def _byte_level_characters() -> dict[str, int]:
    """Character -> byte, as in GPT-2's byte-level BPE: printable Latin-1 is itself, the rest stands from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {chr(256 + i): byte for i, byte in enumerate(others)}


@dataclass(frozen=True)
class Spelling:
    """From a token's name in the vocabulary to its bytes. strips_first_space: a text's first space is not its own."""

    byte_level: bool = False
    byte_fallback: bool = False
    replacements: tuple[tuple[str, str], ...] = ()
    strips_first_space: bool = False

    def bytes_of(self, token: str) -> bytes:
        if self.byte_level:
            characters = _byte_level_characters()
            try:
                return bytes(characters[character] for character in token)
            except KeyError:  # an added token, written as it is read
                return token.encode("utf-8", "replace")
        for pattern, content in self.replacements:
            token = token.replace(pattern, content)
        if self.byte_fallback and (piece := _BYTE_PIECE.fullmatch(token)):
            return bytes([int(piece[1], 16)])
        return token.encode("utf-8", "replace")


def spelling_of(decoder: Mapping[str, Any]) -> Spelling | None:
    """The spelling that a decoder's description in tokenizer.json stands for; None when it is of another kind."""
    steps = decoder["decoders"] if decoder.get("type") == "Sequence" else [decoder]
    if [step.get("type") for step in steps] == ["ByteLevel"]:
        return Spelling(byte_level=True)
    replacements: list[tuple[str, str]] = []
    byte_fallback = fused = strips = False
    for step in steps:
        match step:
            case {"type": "Replace", "pattern": {"String": str(pattern)}, "content": str(content)} if not byte_fallback:
                replacements.append((pattern, content))
            case {"type": "ByteFallback"}:
                byte_fallback = True
            case {"type": "Fuse"} if byte_fallback:
                fused = True
            case {"type": "Strip", "content": " ", "start": 1, "stop": 0} if fused and not strips:
                strips = True
            case _:
                return None
    return Spelling(False, byte_fallback, tuple(replacements), strips) if fused else None

"""What this person read and wrote before, to draft from: every place of past texts, by the tokens in front of it.

Prompt lookup decoding (Saxena 2023) beyond the present text. A place is found by the three tokens before it, exact and
sorted in one array of numbers; of the latest such places the one whose text agrees longest with the present is taken.
"""

import hashlib
import struct
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ORDER = 3  # tokens that must agree; fewer say too little about another text
BITS = 21  # of a token in a key: ORDER of them fit into a signed number of 64 bits
END = (1 << BITS) - 1  # stands behind every text; no vocabulary is as large
MOST_TOKENS = 1_000_000  # 4 MB on the disk, 16 MB in memory
LOOKED_AT = 16  # of the places with the same tokens in front, the latest
LONGEST = 24  # tokens by which two matches are compared
PART = 4000  # characters of a text that are kept, and forgotten, as one
DIGEST = 16  # bytes
MAGIC = b"FWPAST1\n"

Tokens = NDArray[np.int32]
Encode = Callable[[str], Sequence[int]]
_HEAD = struct.Struct("<8s32sqqI")


@dataclass(frozen=True)
class Found:
    """length: tokens that agree; tokens: what followed them then."""

    length: int
    tokens: tuple[int, ...]


NOTHING = Found(0, ())


class HistoryIndex:
    """Past texts in one vocabulary. A lookup takes some 20 microseconds whatever the size.

    proposed, accepted: tokens drafted from it since it was opened, and how many of them stood.
    """

    def __init__(self, fingerprint: str) -> None:
        """fingerprint: of the vocabulary (`inference.heads.fingerprint.vocabulary_fingerprint`)."""
        self.fingerprint = fingerprint
        self.proposed = self.accepted = 0
        self._texts: dict[bytes, Tokens] = {}  # by the digest of each, the oldest first
        self._fresh: dict[bytes, Tokens] = {}  # already in tokens, from a `learn` that was given up
        self._arrange()

    @property
    def texts(self) -> int:
        return len(self._texts)

    @property
    def tokens(self) -> int:
        return sum(len(text) for text in self._texts.values())

    @property
    def digests(self) -> frozenset[bytes]:
        return frozenset(self._texts)

    @property
    def largest(self) -> int:
        """The largest token id; -1 without any."""
        return max((int(text.max()) for text in self._texts.values() if len(text)), default=-1)

    def find(self, text: Sequence[int], most: int) -> Found:
        """Up to `most` tokens that followed the last time the end of `text` was read: never more than agree."""
        if len(text) < ORDER or not len(self._keys):
            return NOTHING
        key = text[-1] << 2 * BITS | text[-2] << BITS | text[-3]
        first = int(self._keys.searchsorted(key))
        last = int(self._keys.searchsorted(key + 1))
        if first == last:
            return NOTHING
        place, length = 0, 0
        end = list(text[-LONGEST:])
        for candidate in reversed(self._places[max(first, last - LOOKED_AT) : last].tolist()):
            before = self._all[candidate - len(end) : candidate].tolist()
            agree = ORDER
            while agree < len(end) and before[-agree - 1] == end[-agree - 1]:
                agree += 1
            if agree > length:
                place, length = candidate, agree
        followed = self._all[place : place + min(most, length)].tolist()
        return Found(length, tuple(followed[: followed.index(END)] if END in followed else followed))

    def learn(self, texts: Iterable[str], encode: Encode) -> Generator[None, None, frozenset[bytes]]:
        """Hold exactly these texts, as many as fit; the newest come first. Returns the digests of all their parts,
        whether they fit or not. Yields after each part that was encoded: closed there it has changed nothing.
        """
        held: dict[bytes, Tokens] = {}
        seen: set[bytes] = set()
        room = MOST_TOKENS
        for text in texts:
            for part in parts(text):
                digest = hashlib.blake2b(part.encode("utf-8", "replace"), digest_size=DIGEST).digest()
                if digest in seen:
                    continue
                seen.add(digest)
                if room > 0:
                    tokens = self._texts.get(digest, self._fresh.get(digest))
                    if tokens is None:
                        tokens = self._fresh[digest] = np.array(encode(part), dtype=np.int32)
                        yield
                    room -= len(tokens) + 1
                    if room >= 0:
                        held[digest] = tokens
        if held.keys() != self._texts.keys():
            self._texts = dict(reversed(held.items()))
            self._arrange()
        self._fresh.clear()
        return frozenset(seen)

    def keep(self, digests: frozenset[bytes]) -> bool:
        """Forget every other text; whether there was one."""
        kept = {digest: tokens for digest, tokens in self._texts.items() if digest in digests}
        if len(kept) == len(self._texts):
            return False
        self._texts = kept
        self._arrange()
        return True

    def pack(self) -> bytes:
        """For a file. Format: magic, fingerprint, number of texts and of tokens, CRC-32 of the rest; then 16 bytes of
        digest for each text, its length, and all tokens, in little-endian numbers of 32 bits.
        """
        lengths = np.array([len(text) for text in self._texts.values()], dtype="<i4")
        tokens = np.concatenate([*self._texts.values(), np.empty(0, np.int32)]).astype("<i4")
        body = b"".join([*self._texts, lengths.tobytes(), tokens.tobytes()])
        return _HEAD.pack(MAGIC, bytes.fromhex(self.fingerprint), len(lengths), len(tokens), zlib.crc32(body)) + body

    @classmethod
    def unpack(cls, content: bytes) -> "HistoryIndex":
        """Raises ValueError for what `pack` did not make."""
        if len(content) < _HEAD.size:
            raise ValueError("it is cut off")
        magic, fingerprint, texts, tokens, checksum = _HEAD.unpack_from(content)
        body = content[_HEAD.size :]
        if magic != MAGIC or texts < 0 or tokens < 0 or len(body) != texts * (DIGEST + 4) + tokens * 4:
            raise ValueError("it is cut off, or something else")
        if zlib.crc32(body) != checksum:
            raise ValueError("it is damaged")
        ends = np.cumsum(np.frombuffer(body, "<i4", texts, texts * DIGEST))[:-1]
        cut = np.split(np.frombuffer(body, "<i4", tokens, texts * (DIGEST + 4)).astype(np.int32), ends)
        index = cls(fingerprint.hex())
        index._texts = {body[i * DIGEST : (i + 1) * DIGEST]: cut[i] for i in range(texts)}
        index._arrange()
        return index

    def _arrange(self) -> None:
        """Sort the places of all texts."""
        end = np.array([END], dtype=np.int32)
        pieces: list[Tokens] = [np.full(LONGEST, END, dtype=np.int32)]  # so that one can look back from every place
        for text in self._texts.values():
            pieces += [text, end]
        self._all: Tokens = np.concatenate(pieces)
        long = self._all.astype(np.int64)
        keys: NDArray[Any] = long[ORDER - 1 : -1] << 2 * BITS | long[1:-2] << BITS | long[:-3]
        places = np.arange(ORDER, len(long), dtype=np.int32)
        whole = (long[ORDER - 1 : -1] != END) & (long[1:-2] != END) & (long[:-3] != END) & (long[ORDER:] != END)
        keys, places = keys[whole], places[whole]
        order = keys.argsort(kind="stable")  # of equal keys the latest last
        self._keys, self._places = keys[order], places[order]


def parts(text: str) -> Iterator[str]:
    """The text in parts of some PART characters, cut behind a line where there is one."""
    start = 0
    while len(text) - start > PART:
        cut = text.rfind("\n", start + PART // 2, start + PART) + 1 or start + PART
        yield text[start:cut]
        start = cut
    if start < len(text):
        yield text[start:]

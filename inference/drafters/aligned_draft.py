"""A draft model with another tokenizer writes ahead as text, which the target's tokenizer spells again.

String alignment (Timor et al. 2025, arXiv 2502.05202, algorithm 2: exact match on the level of strings). The target
judges its own tokens, as always, so the text is exact; the drafts are points, whatever the temperature. A token at the
end of the drafted text that more text could still change is not proposed.
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from itertools import accumulate

from inference.common_prefix import common_prefix
from inference.drafters.draft_model import ModelDrafter
from inference.drafters.drafter import Draft
from inference.sampling import Sampler
from inference.settings import SamplingSettings
from inference.tokenizer import Tokenizer

SETTLED = 8  # tokens behind a place that has to stay as it is read by both
LONGEST_TAIL = 64  # tokens that are spelled again each time, where no better place is found
BORDER = 1  # drafted tokens beyond those asked for, since the last word is rarely certain
# What stands at the end of a text and may go on: a word or signs with a blank before them, or blanks. Scripts that do
# not part their words may go on at every character.
_UNPARTED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff"
_OPEN = re.compile(rf"(?:\s?(?:[^\W{_UNPARTED}]+|[{_UNPARTED}]|[^\w\s]+)|\s+|)\Z")
_BLANK = b" \t\r\n"


class AlignedDrafter:
    """Keeps the text in the draft's own tokens: from the latest mark on, they are spelled anew at each proposal.

    A mark is a pair of lengths, in the target's and in the draft's tokens, of the same text.
    """

    def __init__(self, inner: ModelDrafter, ours: Tokenizer, theirs: Tokenizer) -> None:
        """inner: drafts in its own vocabulary, as far as it is asked, and was told nothing yet. Both tokenizers have a
        `spelling`."""
        self.name = f"{inner.name} (by its text)"
        self._inner, self._ours, self._theirs = inner, ours, theirs
        self._text: list[int] = []
        self._spelled: list[int] = []  # what `inner` was told
        self._known = 0  # tokens of the text that this stands for
        self._marks = [(0, 0)]
        self._ends = theirs.end_tokens()
        self._end, self._their_end = _end_of_turn(ours), _end_of_turn(theirs)

    @property
    def length(self) -> int:
        return len(self._text)

    @property
    def nbytes(self) -> int:
        return self._inner.nbytes

    @property
    def card_bytes(self) -> int:
        return self._inner.card_bytes

    def park(self) -> None:
        self._inner.park()

    @property
    def behind(self) -> int:
        """Tokens of the text that it has not read, about. (`Sourced`)"""
        return self._inner.behind + max(0, len(self._text) - self._known)

    def source(self) -> str | None:
        return self._inner.source()

    def commit(self, tokens: Sequence[int]) -> None:
        self._text.extend(tokens)

    def rewind(self, length: int) -> None:
        del self._text[length:]
        while self._marks[-1][0] > length:
            self._marks.pop()
        self._known = min(self._known, length)

    def copy(self, length: int) -> "AlignedDrafter":
        marks = [mark for mark in self._marks if mark[0] <= length]
        other = AlignedDrafter(self._inner.copy(marks[-1][1]), self._ours, self._theirs)
        other._text, other._spelled, other._marks = self._text[:length], self._spelled[: marks[-1][1]], marks
        other._known = marks[-1][0]
        return other

    def catch_up(self, seconds: float) -> None:
        if self._follow():
            self._inner.catch_up(seconds)

    def propose(self, k: int, sampler: Sampler) -> Draft:
        if k < 1 or not self._follow():
            return Draft()
        greedy = Sampler(SamplingSettings(temperature=0.0), sampler.device)
        drafted = self._inner.propose(k + BORDER, greedy).tokens
        end = next((i for i, token in enumerate(drafted) if token in self._theirs.special_ids), len(drafted))
        data = b"".join(map(self._theirs.token_bytes, drafted[:end]))
        text = data[: len(data) - unfinished(data)].decode("utf-8", "replace")
        if end == len(drafted):
            tokens = self._certain(text)
        else:  # it would stop there, so nothing more follows
            tokens = self._ours.continuation(text)
            if drafted[end] in self._ends and self._end is not None:
                tokens.append(self._end)
        return Draft(tuple(tokens[:k]))

    def _certain(self, text: str) -> list[int]:
        """The target's tokens of the text that stay the same whatever follows."""
        tokens = self._ours.continuation(text)
        opened = _OPEN.search(text)
        assert opened is not None  # the empty end matches at the latest
        bound = len(text[: opened.start()].encode())
        ends = accumulate(len(self._ours.token_bytes(token)) for token in tokens)
        return tokens[: sum(end <= bound for end in ends)]

    def _follow(self) -> bool:
        """Bring the draft's text up to date. False while the text ends within a character, or there is none."""
        start, held = self._marks[-1]
        spelled: list[int] = []
        pairs: list[tuple[int, int]] = []  # places that both tokenizers have in common, after `start` and `held`
        place = start
        for run, special in self._runs(start):
            if special is not None:
                spelled += self._special(special)
                place += 1
            else:
                data = b"".join(map(self._ours.token_bytes, run))
                if place + len(run) == len(self._text) and unfinished(data):
                    return False
                text = data.decode("utf-8", "replace")
                tokens = self._theirs.continuation(text)
                pairs += [(place + a, held + len(spelled) + b) for a, b in self._common(run, tokens, data)]
                spelled += tokens
                place += len(run)
            pairs.append((place, held + len(spelled)))
        if start == 0:
            opening = self._theirs.opening_tokens
            if spelled[: len(opening)] != [*opening]:
                spelled, pairs = [*opening, *spelled], [(a, b + len(opening)) for a, b in pairs]
        shared = held + common_prefix(self._spelled[held:], spelled)
        if shared < len(self._spelled):
            self._inner.rewind(shared)
        self._inner.commit(spelled[shared - held :])
        del self._spelled[shared:]
        self._spelled.extend(spelled[shared - held :])
        self._known = len(self._text)
        settled = [pair for pair in pairs if pair[0] <= len(self._text) - SETTLED]
        if settled and settled[-1] != self._marks[-1]:
            self._marks.append(settled[-1])
        return bool(self._spelled)

    def _runs(self, start: int) -> Iterator[tuple[list[int], int | None]]:
        """The text from `start` on, cut at special tokens: tokens of a run, or one special token."""
        run: list[int] = []
        for token in self._text[start:]:
            if token in self._ours.special_ids:
                if run:
                    yield run, None
                yield [], token
                run = []
            else:
                run.append(token)
        if run:
            yield run, None

    def _special(self, token: int) -> list[int]:
        """The token of the same name; for another end of a turn the draft's own; else nothing."""
        name = self._ours.token_text(token)
        if name in self._theirs.special_tokens:
            return [self._theirs.vocabulary[name]]
        return [self._their_end] if token == self._end and self._their_end is not None else []

    def _common(self, ours: Sequence[int], theirs: Sequence[int], data: bytes) -> list[tuple[int, int]]:
        """Places within a run where tokens of both end, and a word begins; every one where those are rare."""
        ends = {end: i for i, end in enumerate(accumulate(len(self._theirs.token_bytes(t)) for t in theirs), 1)}
        if next(reversed(ends), 0) != len(data):  # spelled otherwise
            return []
        places = list(accumulate(len(self._ours.token_bytes(token)) for token in ours))
        found = []
        for i, place in enumerate(places[:-1], 1):
            if place in ends and data[place] & 0xC0 != 0x80:
                word = data[place] in _BLANK and data[place - 1] not in _BLANK
                if word or len(ours) - i > LONGEST_TAIL:
                    found.append((i, ends[place]))
        return found


def unfinished(data: bytes) -> int:
    """Bytes at the end that begin a character of UTF-8 and do not finish it."""
    decoder = getincrementaldecoder("utf-8")("replace")
    decoder.decode(data)
    return len(decoder.getstate()[0])


def _end_of_turn(tokenizer: Tokenizer) -> int | None:
    """What the template writes after a reply, or any token that ends one."""
    name = tokenizer.template.end_of_turn(tokenizer.special_tokens)
    if name in tokenizer.vocabulary:
        return tokenizer.vocabulary[name]
    return min(tokenizer.end_tokens(), default=None)

"""Which candidate drafts for which task: the fastest one measured here, with a look at the others now and then.

Trying costs little: a trial is a short stretch within a reply, it ends as soon as it has lost more than is allowed, and
all trials of a task together may lose SHARE of the tokens written (and HEAD_START tokens' worth before that).
"""

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inference.manager.files import read_json, write_json
from inference.profiles import PLAIN, UNMEASURED, Candidate, Cell, Measured, Profile, Routes
from inference.statistics import RoundStatistics
from inference.tasks import TASKS, Task

log = logging.getLogger(__name__)

VERSION = 1
SHARE = 0.01  # of all tokens that trials may lose
HEAD_START = 3000  # tokens that count as written before the first, so that a beginner's drafts are tried as well
SETTLED = 48  # tokens the best candidate writes in a stretch before another is tried in it
TRIAL = 48  # tokens of a trial
PAUSE = 300  # tokens between two trials of a task
LEAST = 6.0  # tokens that may be lost before a trial is begun
READY = 24  # tokens after which a measurement counts for more than what was expected
MOST_TARGETS = 24  # kept in the file, the latest used


@dataclass
class Book:
    """What is known about one target at one task."""

    task: Task
    profile: Profile = field(default_factory=Profile)
    measured: dict[str, Measured] = field(default_factory=dict)  # by Candidate.key
    tokens: int = 0
    lost: float = 0.0
    since_trial: int = PAUSE
    tried_at: dict[str, int] = field(default_factory=dict)  # by key: tokens written when it was tried last

    def gain(self, candidate: Candidate) -> float:
        """What is expected of it: measured, and the prior for as much as READY tokens are worth."""
        m = self.measured.get(candidate.key, UNMEASURED)
        each = m.plain_s / m.tokens if m.tokens else 1.0  # seconds; cancels where nothing was measured
        return (m.plain_s + READY * each) / (m.seconds + READY * each / candidate.prior_at(self.task))

    @property
    def allowance(self) -> float:
        """Tokens that trials may still lose."""
        return SHARE * (self.tokens + HEAD_START) - self.lost

    def best(self, candidates: Sequence[Candidate]) -> Candidate:
        """The first of the fastest that were measured; before any was, the most promising."""
        ready = [one for one in candidates if self.ready(one)]
        return max(ready, key=self.gain) if ready else max(candidates, key=lambda one: one.prior_at(self.task))

    def ready(self, candidate: Candidate) -> bool:
        return self.measured.get(candidate.key, UNMEASURED).tokens >= READY

    def trial(self, candidates: Sequence[Candidate]) -> Candidate | None:
        """The candidate whose turn it is to be tried, if it may."""
        if self.since_trial < PAUSE:
            return None
        best = self.best(candidates)
        others = [candidate for candidate in candidates if candidate != best]
        if not others:
            return None
        due = max(others, key=lambda one: (self.tried_at.get(one.key, -math.inf) == -math.inf, self._worth(one, best)))
        price = TRIAL * max(0.0, self.gain(best) / self.gain(due) - 1.0) if self.ready(due) else LEAST
        return due if max(price, LEAST) <= self.allowance else None

    def _worth(self, candidate: Candidate, best: Candidate) -> float:
        """The longer ago it was tried and the closer it is to the best, the more another look is worth."""
        return (self.tokens - self.tried_at.get(candidate.key, 0)) * (self.gain(candidate) / self.gain(best)) ** 4


class Router:
    """Measurements and decisions for every target. `save` writes them; without a path they last as long as this."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._books: dict[str, dict[Task, Book]] = {}  # by target, the latest used last
        self._changed = False
        self.trouble = ""  # what was wrong with the file, a sentence for the log
        if path is not None:
            self._read(path)

    def book(self, target: str, task: Task) -> Book:
        """target: any name that is another one for another model, format or machine."""
        books = self._books.pop(target, None) or {task: Book(task) for task in TASKS}
        self._books[target] = books
        return books[task]

    def set_profile(self, target: str, task: Task, profile: Profile) -> None:
        self.book(target, task).profile = profile
        self._changed = True
        self.save()

    def pinned(self, target: str, task: Task, candidates: Sequence[Candidate]) -> Candidate | None:
        """What the person chose, if it is to be had."""
        key = self.book(target, task).profile.candidate
        return next((one for one in (*candidates, PLAIN) if one.key == key), None)

    def note(
        self, target: str, task: Task, candidate: Candidate, rounds: Sequence[RoundStatistics], plain_s: float
    ) -> int:
        """Some rounds, and how many tokens they wrote. plain_s: seconds of a token without speculation."""
        book, tokens = self.book(target, task), sum(one.committed for one in rounds)
        before = book.measured.get(candidate.key, UNMEASURED)
        book.measured[candidate.key] = before.with_rounds(rounds, plain_s)
        book.tokens += tokens
        book.since_trial += tokens
        self._changed = True
        return tokens

    def routes(self, target: str, name: str, candidates: Sequence[Candidate], plain_s: float) -> Routes:
        """The table. plain_s: as for `note`; 0 when it is not known."""
        cells = []
        for task in TASKS:
            book = self.book(target, task)
            chosen = self.pinned(target, task, candidates) or book.best(candidates)
            for one in (*candidates, PLAIN):
                cells.append(Cell(one, task, book.measured.get(one.key, UNMEASURED), one == chosen, book.ready(one)))
        books = {task: self.book(target, task) for task in TASKS}
        return Routes(
            target=name,
            cells=tuple(cells),
            profiles={task: book.profile for task, book in books.items()},
            tokens={task: book.tokens for task, book in books.items()},
            lost={task: book.lost for task, book in books.items()},
            plain_tokens_per_second=1.0 / plain_s if plain_s else 0.0,
        )

    def save(self) -> None:
        """Write what has changed. A disk that refuses costs the memory of it, and nothing else."""
        if self._path is None or not self._changed:
            return
        targets = dict(list(self._books.items())[-MOST_TARGETS:])
        content = {name: {task: _to_json(book) for task, book in books.items()} for name, books in targets.items()}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_json(self._path, {"version": VERSION, "targets": content})
            self._changed = False
        except OSError as error:
            log.warning("what was measured could not be saved: %s", error)

    def _read(self, path: Path) -> None:
        try:
            content = read_json(path)
            if not isinstance(content, dict) or content.get("version") != VERSION:
                raise ValueError("another version wrote it")
            for name, books in content["targets"].items():
                self._books[name] = {task: _from_json(task, books.get(task, {})) for task in TASKS}
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            self._books.clear()
            self.trouble = f"what was measured earlier cannot be used: {error}"
            log.warning("%s", self.trouble)


class Stretch:
    """One stretch of a reply with one task: `candidate` drafts, and another is tried for a moment when it may be."""

    def __init__(
        self,
        router: Router,
        target: str,
        task: Task,
        candidates: Sequence[Candidate],
        pinned: Candidate | None = None,
    ) -> None:
        """pinned: it drafts, and is measured, but nothing is chosen."""
        self._router, self._target, self._task, self._candidates = router, target, task, candidates
        self._book = router.book(target, task)
        self._pinned = pinned
        self.candidate = pinned or self._book.best(candidates)
        self.trying = False
        self._tokens = 0  # since the candidate began
        self._allowance = self._lost = 0.0

    def add(self, rounds: Sequence[RoundStatistics], plain_s: float) -> bool:
        """Some rounds of `candidate`. True when another one drafts from here on."""
        best_gain = self._book.gain(self._book.best(self._candidates)) if self.trying else 1.0
        tokens = self._router.note(self._target, self._task, self.candidate, rounds, plain_s)
        self._tokens += tokens
        if self._pinned is not None:
            return False
        if self.trying:
            seconds = sum(one.seconds for one in rounds)
            self._lost += seconds * best_gain / plain_s - tokens if plain_s else 0.0
            if self._tokens < TRIAL and self._lost < self._allowance:
                return False
            self.end()
            return self._become(self._book.best(self._candidates))
        if self._tokens < SETTLED:
            return False
        due = self._book.trial(self._candidates)
        if due is None:
            return self._become(self._book.best(self._candidates))
        self.trying, self._allowance, self._lost = True, self._book.allowance, 0.0
        self._book.tried_at[due.key] = self._book.tokens
        return self._become(due)

    def end(self) -> None:
        """The stretch is over: what a trial in it has cost is booked."""
        if self.trying:
            self.trying = False
            book, key = self._book, self.candidate.key
            book.lost += max(0.0, self._lost)
            book.since_trial = 0
            measured = book.measured.get(key, UNMEASURED)
            book.measured[key] = replace(measured, trials=measured.trials + 1)

    def _become(self, candidate: Candidate) -> bool:
        if candidate == self.candidate:
            return False
        self.candidate, self._tokens = candidate, 0
        return True


def _to_json(book: Book) -> dict[str, Any]:
    return {
        "draft": book.profile.candidate,
        "draft_length": book.profile.draft_length,
        "tokens": book.tokens,
        "lost": book.lost,
        "tried_at": book.tried_at,
        "measured": {key: measured.to_json() for key, measured in book.measured.items()},
    }


def _from_json(task: Task, values: dict[str, Any]) -> Book:
    candidate, length = values.get("draft"), values.get("draft_length")
    return Book(
        task,
        Profile(None if candidate is None else str(candidate), None if length is None else int(length)),
        {str(key): Measured.from_json(measured) for key, measured in values.get("measured", {}).items()},
        tokens=int(values.get("tokens", 0)),
        lost=float(values.get("lost", 0.0)),
        tried_at={str(key): int(at) for key, at in values.get("tried_at", {}).items()},
    )

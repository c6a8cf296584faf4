"""Looks through the chat for words, a little at a time, so that the window never waits for it."""

from collections.abc import Callable, Sequence
from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat_message import ChatMessage
from app.finding import Finder, Pattern

SLICE_S = 0.008


class HitSearch(QObject):
    """`current` is a hit: the place of its message, and which of the message's hits it is."""

    changed = Signal()  # counts
    arrived = Signal(int, int)  # the current hit is another: show it

    def __init__(self, messages: Callable[[], Sequence[ChatMessage]], parent: QObject) -> None:
        super().__init__(parent)
        self._messages = messages
        self.finder = Finder()
        self.pattern: Pattern | None = None
        self.counts: dict[int, int] = {}  # hits by the place of their message, those without left out
        self.current: tuple[int, int] | None = None
        self._waiting: list[int] = []  # places still to be read, the next one last
        self._jump = False
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._read_on)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def complete(self) -> bool:
        return not self._waiting

    @property
    def number(self) -> int:
        """Of the current hit among all, from 1; 0 for none."""
        if self.current is None:
            return 0
        place, nth = self.current
        return sum(count for at, count in self.counts.items() if at < place) + nth + 1

    def begin(self, pattern: Pattern | None, first: int, *, jump: bool) -> None:
        """Look for other words, from message `first` on and round; jump: to the first hit found."""
        self.pattern, self.current = pattern, None
        self._look(first, jump=jump)

    def again(self) -> None:
        """The messages are others now, or longer; the current hit stays where that can be."""
        if self.current is not None and self.current[0] >= len(self._messages()):
            self.current = None
        self._look(self.current[0] if self.current else 0, jump=False)

    def step(self, by: int) -> None:
        """The next hit or the one before, round the ends."""
        places = sorted(self.counts)
        if not places:
            return
        if self.current is None or self.current[0] not in self.counts:
            at = places[0] if by > 0 else places[-1]
            self._go(at, 0 if by > 0 else self.counts[at] - 1)
            return
        place, nth = self.current
        if 0 <= nth + by < self.counts[place]:
            self._go(place, nth + by)
            return
        at = places[(places.index(place) + by) % len(places)]
        self._go(at, 0 if by > 0 else self.counts[at] - 1)

    def stop(self) -> None:
        self._timer.stop()
        self._waiting, self.counts, self.current, self.pattern = [], {}, None, None

    def _look(self, first: int, *, jump: bool) -> None:
        self.counts = {}
        count = len(self._messages()) if self.pattern is not None else 0
        order = [(first + step) % count for step in range(count)]
        self._waiting = order[::-1]
        self._jump = jump
        self.changed.emit()
        if self._waiting:
            self._timer.start()
            self._read_on()

    def _read_on(self) -> None:
        messages, until = self._messages(), perf_counter() + SLICE_S
        while self._waiting and self.pattern is not None:
            place = self._waiting.pop()
            count = self.finder.hits(messages[place], self.pattern) if place < len(messages) else 0
            if self.current is not None and self.current[0] == place and self.current[1] >= count:
                self.current = None  # it is gone
            if count:
                self.counts[place] = count
                if self._jump:
                    self._jump = False
                    self._go(place, 0)
            if perf_counter() > until:
                break
        if not self._waiting:
            self._timer.stop()
        self.changed.emit()

    def _go(self, place: int, nth: int) -> None:
        self.current = (place, nth)
        self.arrived.emit(place, nth)
        self.changed.emit()

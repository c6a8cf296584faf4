"""The chats whose caches are kept, so that going back to one does not read it again."""

import logging
from collections.abc import Sequence

from inference.common_prefix import common_prefix
from inference.memory import OUT_OF_MEMORY, out_of_memory
from inference.models.causal_model import CausalModel
from inference.session import Session

log = logging.getLogger(__name__)

SPARED = 32  # a cache that would lose at most this many tokens is continued instead of copied


class SessionPool:
    """Sessions of one target, most recently used last.

    Those that wait on a card move to the computer's memory when they take more of it than `most_card_bytes`, the least
    recently used first. The oldest go when there are too many, or they are too big altogether.
    """

    def __init__(
        self, model: CausalModel, most: int = 4, most_bytes: int = 2 << 30, most_card_bytes: int = 256 << 20
    ) -> None:
        self._model = model
        self._most = most
        self._most_bytes = most_bytes
        self._most_card_bytes = most_card_bytes
        self._sessions: list[Session] = []

    def take(self, prompt: Sequence[int], *, copies: bool = True) -> Session:
        """The session that shares the longest prefix with `prompt`; a copy when another chat may need the original.

        copies False: never a copy, for when there is no memory for it.
        """
        best = max(self._sessions, key=lambda session: common_prefix(session.tokens, prompt), default=None)
        shared = common_prefix(best.tokens, prompt) if best is not None else 0
        if best is None or shared == 0:
            best = Session(self._model)
        elif copies and len(best.tokens) - shared > SPARED:
            best = best.copy(shared)
        else:
            self._sessions.remove(best)
        self._sessions.append(best)
        self._trim()
        return best

    def nearest(self, prompt: Sequence[int]) -> Sequence[int]:
        """The held text that shares the longest prefix with `prompt`; empty when nothing is held."""
        return max((s.tokens for s in self._sessions), key=lambda held: common_prefix(held, prompt), default=[])

    def discard(self, session: Session) -> None:
        """Its caches are not to be trusted any more."""
        if session in self._sessions:
            self._sessions.remove(session)

    def idle_bytes(self, busy: Session | None) -> int:
        """Of the caches of every chat but `busy`."""
        return sum(session.nbytes for session in self._idle(busy))

    def idle_card_bytes(self, busy: Session | None) -> int:
        """Of these, what lies on a card."""
        return sum(session.card_bytes for session in self._idle(busy))

    def park_idle(self, busy: Session | None, most_bytes: int = 0) -> None:
        """Move the caches of every chat but `busy` off the card, until so many bytes of them are left there.

        A chat for which the computer's memory has no room is forgotten.
        """
        for session in self._idle(busy):
            if self.idle_card_bytes(busy) <= most_bytes:
                return
            try:
                session.park()
            except OUT_OF_MEMORY as error:
                if not out_of_memory(error):
                    raise
                log.warning("no memory for a chat that waits: %s", error)
                self.discard(session)

    def drop_idle(self, busy: Session | None) -> None:
        """Forget every chat but `busy`."""
        self._sessions = [session for session in self._sessions if session is busy]

    def drop_drafter(self, kind: str) -> None:
        for session in self._sessions:
            session.drop_drafter(kind)

    def clear(self) -> list[list[int]]:
        """Forget every chat. Returns their texts in tokens, the most recently used last."""
        texts = [session.tokens for session in self._sessions]
        self._sessions.clear()
        return texts

    def _idle(self, busy: Session | None) -> list[Session]:
        return [session for session in self._sessions if session is not busy]

    def _trim(self) -> None:
        self.park_idle(self._sessions[-1], self._most_card_bytes)
        while len(self._sessions) > 1 and (
            len(self._sessions) > self._most or sum(s.nbytes for s in self._sessions) > self._most_bytes
        ):
            self._sessions.pop(0)

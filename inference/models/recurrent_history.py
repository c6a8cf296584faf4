"""Takes linear-attention layers back to an earlier point of the text.

Their state is a sum over the whole text, so a token cannot be taken out of it. Two ways back, both exact:
a snapshot of every state, made at the start of each pass and after long prompts; and replay: the inputs these layers
saw in the last short pass are kept, and the layers alone (without attention, feed-forward and output head) read the
accepted ones again from the snapshot at its start.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

logger = logging.getLogger(__name__)

REPLAY_TOKENS = 64  # longest pass whose inputs are kept
RECENT = 20  # snapshots at the starts of the last passes; a draft reads one token a pass, up to 16 times
LASTING = 6  # snapshots spread over the text: ends of prompts and now and then within a reply
LASTING_EVERY = 256  # tokens
BUDGET_BYTES = 256 * 2**20  # for each of the two; at least one snapshot is always kept


@dataclass(frozen=True)
class Snapshot:
    """States of all linear-attention layers after `length` tokens, in the order of their layers."""

    length: int
    states: tuple[tuple[torch.Tensor, ...], ...]

    @property
    def nbytes(self) -> int:
        return sum(tensor.nbytes for states in self.states for tensor in states)


@dataclass(frozen=True)
class Call:
    """How a linear-attention module was called in the last pass."""

    module: torch.nn.Module
    hidden_states: torch.Tensor  # [1, tokens, hidden]
    options: Mapping[str, Any]


class RecurrentHistory:
    """Snapshots and kept inputs of the linear-attention layers of one cache."""

    def __init__(self, layers: Mapping[int, Any]) -> None:
        """layers: index -> the library's LinearAttentionLayer."""
        self._layers = layers
        self._recent: list[Snapshot] = []
        self._lasting: list[Snapshot] = []
        self._pass_start = 0
        self._entered: Call | None = None
        self._calls: dict[int, Call] = {}
        self._recording = False
        self._complete = False  # every layer's inputs of the last pass are here and can be replayed

    @property
    def nbytes(self) -> int:
        now = sum(tensor.nbytes for states in self._states() for tensor in states)
        kept = {id(snapshot): snapshot.nbytes for snapshot in (*self._recent, *self._lasting)}
        return now + sum(kept.values())

    def begin(self, length: int, count: int) -> None:
        """A pass over `count` tokens starts after `length`."""
        self._pass_start = length
        self._entered = None
        self._calls.clear()
        self._complete = False
        self._recording = 1 < count <= REPLAY_TOKENS
        if length == 0:
            return  # an empty cache is the snapshot
        if not self._recent or self._recent[-1].length != length:
            known = next((snapshot for snapshot in self._lasting if snapshot.length == length), None)
            self._recent.append(known or self._snapshot(length))
        newest = self._recent[-1]
        while len(self._recent) > max(1, min(RECENT, BUDGET_BYTES // max(newest.nbytes, 1))):
            del self._recent[0]
        if length >= LASTING_EVERY + max((snapshot.length for snapshot in self._lasting), default=0):
            self._keep(newest)

    def finish(self, length: int, count: int) -> None:
        """The pass is over; the text now has `length` tokens."""
        self._recording = False
        self._complete = len(self._calls) == len(self._layers)
        if count > REPLAY_TOKENS:
            self._keep(self._snapshot(length))

    def enter(self, module: torch.nn.Module, hidden_states: torch.Tensor, options: Mapping[str, Any]) -> None:
        """A module that may hold linear attention is about to run; keep what it was given if it can be given again."""
        if self._recording:
            whole = not any(isinstance(value, torch.Tensor) for value in options.values())
            self._entered = Call(module, hidden_states, options) if whole else None

    def confirm(self, layer: int) -> None:
        """The module entered last is the one that updates the states of `layer`."""
        if self._recording and self._entered is not None:
            self._calls[layer] = self._entered

    def rewind(self, new_length: int, cache: Any) -> int:
        """Set all states back to `new_length`, or to the nearest point before it that is known, and return that."""
        self._recent = [snapshot for snapshot in self._recent if snapshot.length <= new_length]
        self._lasting = [snapshot for snapshot in self._lasting if snapshot.length <= new_length]
        nearest = max((*self._recent, *self._lasting), key=lambda snapshot: snapshot.length, default=None)
        remaining = nearest.length if nearest else 0
        self._restore(nearest)
        if remaining == new_length:
            return remaining
        if remaining == self._pass_start and self._complete:
            for call in self._calls.values():
                call.module(call.hidden_states[:, : new_length - remaining], cache=cache, **call.options)
            return new_length
        logger.debug("linear attention goes back to %d, the nearest snapshot before %d", remaining, new_length)
        return remaining

    def copy_from(self, other: "RecurrentHistory") -> None:
        """Take over the states and the past of another cache. Snapshots are never written to and may be shared."""
        for mine, theirs in zip(self._layers.values(), other._layers.values(), strict=True):
            for name, value in vars(theirs).items():
                if isinstance(value, dict):  # state index -> tensor, or a fact about it
                    copied = {i: v.clone() if isinstance(v, torch.Tensor) else v for i, v in value.items()}
                    setattr(mine, name, copied)
            mine.device, mine.dtype = theirs.device, theirs.dtype
        self._recent, self._lasting = list(other._recent), list(other._lasting)
        self._pass_start, self._calls, self._complete = other._pass_start, dict(other._calls), other._complete

    def _states(self) -> list[tuple[torch.Tensor, ...]]:
        return [
            tuple(
                state for state in (*layer.conv_states.values(), *layer.recurrent_states.values()) if state is not None
            )
            for layer in self._layers.values()
        ]

    def _snapshot(self, length: int) -> Snapshot:
        return Snapshot(length, tuple(tuple(tensor.clone() for tensor in states) for states in self._states()))

    def _restore(self, snapshot: Snapshot | None) -> None:
        if snapshot is None:
            for layer in self._layers.values():
                layer.reset()
            return
        for states, saved in zip(self._states(), snapshot.states, strict=True):
            for state, tensor in zip(states, saved, strict=True):
                state.copy_(tensor)

    def _keep(self, snapshot: Snapshot) -> None:
        """Add a lasting snapshot; when there are too many, drop the one that leaves the smallest gap."""
        if self._lasting and self._lasting[-1].length >= snapshot.length:
            return
        self._lasting.append(snapshot)
        while len(self._lasting) > max(1, min(LASTING, BUDGET_BYTES // max(snapshot.nbytes, 1))):
            starts = [0, *(kept.length for kept in self._lasting)]
            gaps = [starts[i + 2] - starts[i] for i in range(len(self._lasting) - 1)]
            del self._lasting[gaps.index(min(gaps)) if gaps else 0]

"""A transformers cache that is addressed by length and can always be rolled back exactly, or says how far it can.

Full attention and sliding windows keep every key and value in buffers that grow, so truncation is arithmetic: a sliding
layer shows the model only the part its window can reach. Linear attention has one state and no past; see
`recurrent_history` for how that is taken back.
"""

import logging
from collections.abc import Sequence
from typing import Any

import torch
from transformers.cache_utils import (
    DummyLayer,
    DynamicCache,
    DynamicLayer,
    DynamicSlidingWindowLayer,
    LinearAttentionAndFullAttentionLayer,
    LinearAttentionLayer,
)

from inference.device import on_card
from inference.models.recurrent_history import RecurrentHistory

logger = logging.getLogger(__name__)

FIRST_CAPACITY = 256


class GrowingLayer(DynamicLayer):  # type: ignore[misc]  # transformers is untyped
    """Keys and values [1, heads, length, size] of one attention layer, views of buffers that double when full."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._length = 0
        self._buffers: list[torch.Tensor] = []  # keys and values, [1, heads, capacity, size]

    def update(self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        """Append [1, heads, n, size] and return the keys and values that n queries may look at."""
        count = key_states.shape[-2]
        end = self._length + count
        if not self._buffers or end > self._buffers[0].shape[-2]:
            self._grow(end, key_states, value_states)
        keys, values = self._buffers
        keys[:, :, self._length : end] = key_states
        values[:, :, self._length : end] = value_states
        start = self._visible_from(self._length)
        self._length = end
        self.keys, self.values = keys[:, :, start:end], values[:, :, start:end]
        return self.keys, self.values

    def _grow(self, end: int, *states: torch.Tensor) -> None:
        old = self._buffers[0].shape[-2] if self._buffers else 0
        capacity = max(end, min(max(2 * old, FIRST_CAPACITY), self._limit))
        grown = [state.new_empty((*state.shape[:2], capacity, state.shape[-1])) for state in states]
        for buffer, previous in zip(grown, self._buffers, strict=False):
            buffer[:, :, : self._length] = previous[:, :, : self._length]
        self._buffers = grown
        self.is_initialized = True

    def _visible_from(self, length: int) -> int:
        """Position of the first key that the query at position `length` may look at."""
        return 0

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        start = self._visible_from(self._length)
        return self._length + query_length - start, start

    def get_seq_length(self) -> int:
        return self._length

    def truncate(self, length: int) -> None:
        self._length = min(self._length, length)

    def copy_from(self, other: "GrowingLayer", length: int) -> None:
        """Take over the first `length` positions of another layer of the same kind."""
        if other._buffers and length:
            self._grow(length, *other._buffers)
            for mine, theirs in zip(self._buffers, other._buffers, strict=True):
                mine[:, :, :length] = theirs[:, :, :length]
            self._length = length

    @property
    def held_by(self) -> torch.device | None:
        """Where the buffers are; None: there are none yet."""
        return self._buffers[0].device if self._buffers else None

    def moved(self, device: torch.device | None) -> list[torch.Tensor]:
        """The buffers as they would be there, for `hold`."""
        return [buffer.to(device) for buffer in self._buffers]

    def hold(self, buffers: list[torch.Tensor]) -> None:
        self._buffers = buffers
        if buffers:
            self.keys, self.values = buffers

    @property
    def nbytes(self) -> int:
        return sum(buffer.nbytes for buffer in self._buffers)


class GrowingWindowLayer(GrowingLayer):
    """A sliding window (or chunk) of `window` positions over keys and values that are all kept.

    The library's own layer forgets what left the window, so a rollback past it could not be exact. The price is that
    these layers take the memory of full attention.
    """

    is_sliding = True

    def __init__(self, window: int, limit: int) -> None:
        super().__init__(limit)
        self.sliding_window = window

    def _visible_from(self, length: int) -> int:
        return max(length - self.sliding_window + 1, 0)


class GrowingHybridLayer(LinearAttentionLayer, GrowingLayer):  # type: ignore[misc]  # transformers is untyped
    """Linear and full attention side by side in one layer."""

    def __init__(self, number_of_states: int, limit: int) -> None:
        GrowingLayer.__init__(self, limit)
        LinearAttentionLayer.__init__(self, number_of_states=number_of_states)


class TransformersCache(DynamicCache):  # type: ignore[misc]  # transformers is untyped
    """Implements `inference.models.causal_model.Cache`; handed to the model as it is."""

    def __init__(self, config: Any, limit: int) -> None:
        """config: the model's own; limit: most tokens that will be kept."""
        self._config = config
        self._limit = limit
        self._length = 0
        self._home: list[torch.device | None] | None = None  # while it waits elsewhere: where each layer belongs
        super().__init__(config=config)
        self._build()

    def _build(self) -> None:
        """Empty layers in place of whatever was there."""
        self._length = 0
        self._home = None
        self.layers: list[Any] = [self._own_layer(layer) for layer in DynamicCache(config=self._config).layers]
        self._growing = [layer for layer in self.layers if isinstance(layer, GrowingLayer)]
        self._can_truncate = all(
            isinstance(layer, GrowingLayer) or type(layer) in (LinearAttentionLayer, DummyLayer)
            for layer in self.layers
        )
        self.recurrent_layers = {
            i: layer for i, layer in enumerate(self.layers) if isinstance(layer, LinearAttentionLayer)
        }
        self.history = RecurrentHistory(self.recurrent_layers) if self.recurrent_layers else None

    def _own_layer(self, layer: Any) -> Any:
        if type(layer) is DynamicLayer:
            return GrowingLayer(self._limit)
        if type(layer) is DynamicSlidingWindowLayer:
            return GrowingWindowLayer(layer.sliding_window, self._limit)
        if type(layer) is LinearAttentionAndFullAttentionLayer:
            return GrowingHybridLayer(layer.number_of_states, self._limit)
        return layer

    def get_seq_length(self, layer_idx: int = 0) -> int:
        """Every layer has seen the same text, also those that cannot tell how long it is."""
        return self._length

    def get_mask_sizes(self, query_length: int, layer_idx: int) -> tuple[int, int]:
        layer = self.layers[layer_idx]
        if type(layer) in (LinearAttentionLayer, DummyLayer):
            return self._length + query_length, 0
        sizes: tuple[int, int] = layer.get_mask_sizes(query_length)
        return sizes

    def update_conv_state(self, conv_states: torch.Tensor, layer_idx: int, *args: Any, **kwargs: Any) -> Any:
        if self.history is not None:
            self.history.confirm(layer_idx)
        return super().update_conv_state(conv_states, layer_idx, *args, **kwargs)

    def update_recurrent_state(self, recurrent_states: torch.Tensor, layer_idx: int, *args: Any, **kwargs: Any) -> Any:
        if self.history is not None:
            self.history.confirm(layer_idx)
        return super().update_recurrent_state(recurrent_states, layer_idx, *args, **kwargs)

    @property
    def length(self) -> int:
        return self._length

    @property
    def nbytes(self) -> int:
        own = sum(layer.nbytes for layer in self._growing)
        return own + (self.history.nbytes if self.history else 0)

    @property
    def card_bytes(self) -> int:
        """See `inference.models.causal_model.Movable`. Recurrent states are small, and stay where they are."""
        if self._home is not None:
            return 0
        held = ((layer.held_by, layer.nbytes) for layer in self._growing)
        return sum(nbytes for device, nbytes in held if device is not None and on_card(device))

    def park(self) -> None:
        if self._home is None:
            home = [layer.held_by for layer in self._growing]
            self._move([torch.device("cpu")] * len(home))
            self._home = home

    def _move(self, places: Sequence[torch.device | None]) -> None:
        """All layers or, where memory runs out, none."""
        moved = [layer.moved(place) for layer, place in zip(self._growing, places, strict=True)]
        for layer, buffers in zip(self._growing, moved, strict=True):
            layer.hold(buffers)

    @property
    def exact_truncation(self) -> bool:
        """Whether attention alone decides, so that any truncation is exact and free."""
        return self._can_truncate and self.history is None

    def begin(self, count: int) -> None:
        """`count` tokens are about to be read in one pass."""
        if self._home is not None:
            self._move(self._home)
            self._home = None
        if self.history is not None:
            self.history.begin(self._length, count)

    def finish(self, count: int) -> None:
        """They have been read."""
        self._length += count
        if self.history is not None:
            self.history.finish(self._length, count)

    def abandon(self) -> None:
        """The pass failed half-way: some layers have taken its tokens in, others not."""
        length = self._length
        self._length = length + 1  # not a length that is already right
        self.truncate(length)

    @torch.inference_mode()
    def truncate(self, new_length: int) -> int:
        """Forget everything from `new_length` on; see `Cache.truncate`. Exact, or shorter than asked, never wrong."""
        if new_length >= self._length:
            return self._length
        remaining = max(new_length, 0)
        if not self._can_truncate:
            kinds = sorted({type(layer).__name__ for layer in self.layers})
            _say_once(f"this model's cache ({', '.join(kinds)}) cannot be rolled back: the text is read again instead")
            remaining = 0
        elif self.history is not None:
            remaining = self.history.rewind(remaining, self)
        if remaining == 0:
            self._build()
            return 0
        for layer in self._growing:
            layer.truncate(remaining)
        self._length = remaining
        return remaining

    @torch.inference_mode()
    def copy(self, length: int) -> "TransformersCache":
        """An independent cache of the first `length` tokens, or of as many as `truncate` would leave."""
        other = TransformersCache(self._config, self._limit)
        length = min(length, self._length)
        if not self._can_truncate or length <= 0:
            return other
        for mine, theirs in zip(self._growing, other._growing, strict=True):
            theirs.copy_from(mine, length)
        other._home = self._home
        other._length = self._length
        if self.history is not None and other.history is not None:
            other.history.copy_from(self.history)
        other.truncate(length)
        return other


_said: set[str] = set()


def _say_once(reason: str) -> None:
    if reason not in _said:
        _said.add(reason)
        logger.info(reason)

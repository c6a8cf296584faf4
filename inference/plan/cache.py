"""Bytes of what is kept of a text: keys and values token by token, and the states of recurrent layers."""

from inference.plan.model_shape import ModelShape
from inference.plan.weights import Engine

PAGE = 256  # positions of a page of the native cache
BLOCK = 512  # positions by which the torch cache grows
ALIGNMENT = 64
FIRST_BUCKET = 256
# Bits of a value with what it takes of scales and minima, 16 bits for every 32 values (at 4, keys stay at 8).
STORED_BITS = {4: ((8 + 0.5) + (4 + 1)) / 2, 8: 8.5}
SNAPSHOTS = 26  # of recurrent states: 20 at the starts of the last passes and 6 along the text
SNAPSHOT_BYTES = 512 << 20  # at most


def cache_bytes(shape: ModelShape, tokens: int, engine: Engine, value_bits: int = 16) -> int:
    """Of a text of `tokens`. value_bits: 32, 16, or 8, 4 (see `STORED_BITS`).

    Layers with a sliding window keep the whole text here, because only so can a rejected draft be taken back exactly;
    recurrent layers keep their state, and snapshots of it to go back to.
    """
    bits = STORED_BITS.get(value_bits, value_bits)
    states = sum(layer.state_bytes for layer in shape.layers)
    snapshots = min(SNAPSHOTS * states, max(SNAPSHOT_BYTES, 2 * states))
    return round(shape.values_per_token * capacity(tokens, engine) * bits / 8) + states + snapshots


def capacity(tokens: int, engine: Engine) -> int:
    """Positions for which there is room when a text of `tokens`, the whole context, is held."""
    match engine:
        case "native":
            return _round_up(tokens, PAGE)
        case "torch":
            return _round_up(tokens, BLOCK)
        case "cuda":
            size = FIRST_BUCKET
            while size < tokens:
                size *= 2
            last = _round_up(tokens, ALIGNMENT)
            return last if size + FIRST_BUCKET > last else size
        case "adapter":
            return tokens


def per_thousand(shape: ModelShape, value_bits: int = 16) -> int:
    """Bytes of keys and values for every 1,000 tokens."""
    bits = STORED_BITS.get(value_bits, value_bits)
    return round(1000 * shape.values_per_token * bits / 8)


def _round_up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple

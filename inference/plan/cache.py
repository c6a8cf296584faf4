"""Bytes of what is kept of a text: keys and values token by token, and the states of recurrent layers."""

from inference.plan.model_shape import ModelShape
from inference.plan.weights import Engine

PAGE = 256  # positions of a page of the native cache
BLOCK = 512  # positions by which the torch cache grows
ALIGNMENT = 64
FIRST_BUCKET = 256
RECENT, LASTING = 20, 6  # snapshots of recurrent states: at the starts of the last passes, and along the text
SNAPSHOT_BYTES = 256 << 20  # of each of the two, at most, but always one


def cache_bytes(shape: ModelShape, tokens: int, engine: Engine, value_bits: int = 16) -> int:
    """Of a text of `tokens`. value_bits: 32, 16, or fewer (see `stored_bits`).

    Layers with a sliding window keep the whole text here, because only so can a rejected draft be taken back exactly;
    recurrent layers keep their state (and snapshots of it: `snapshot_bytes`).
    """
    bits = stored_bits(shape.head_size, value_bits)
    return round(shape.values_per_token * capacity(tokens, engine) * bits / 8) + shape.state_bytes(value_bits)


def snapshot_bytes(shape: ModelShape, value_bits: int = 16) -> int:
    """Of the recurrent layers' states, kept to go back to (`inference.models.recurrent_history`); 0 without such."""
    one = shape.state_bytes(value_bits)
    return one * sum(max(1, min(most, SNAPSHOT_BYTES // one)) for most in (RECENT, LASTING)) if one else 0


def stored_bits(head_size: int, value_bits: int) -> float:
    """Of a key or a value in the mean, with its share of scales and minima. Below 8 bits keys have 5.

    `inference.native.page_cache.part_bytes` says where they stand.
    """
    if value_bits >= 16:
        return value_bits
    group = 32 if head_size % 32 == 0 else 16
    scales = (16 if value_bits == 8 else 32) / group
    if value_bits == 8:
        return 8 + scales
    together = 128 // value_bits  # values share sixteen bytes
    return (5 + 128 * -(-head_size // together) / head_size) / 2 + scales


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
    bits = stored_bits(shape.head_size, value_bits)
    return round(1000 * shape.values_per_token * bits / 8)


def _round_up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple

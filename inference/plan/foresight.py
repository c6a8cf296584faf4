"""Bytes of what a target brings along to draft with: trained heads, and prediction layers of its own; each with what it
keeps of a text."""

from inference.heads.shape import DEPTHS, HeadShape
from inference.plan.cache import PAGE
from inference.plan.model_shape import ModelShape
from inference.plan.weights import Engine, native_bytes
from inference.settings import MAX_DRAFT_LENGTH

WAITING = 256  # positions whose features wait to be read, float32


def head_bytes(head: HeadShape, engine: Engine, context: int) -> int:
    """Packed at 4 bits where the native kernels compute (`heads.native_runner`), else in float32."""
    shapes = head.tensors.values()
    matrices = [shape for shape in shapes if len(shape) == 2] + [(head.vocabulary_size, head.hidden)]
    vectors = 4 * sum(shape[0] for shape in shapes if len(shape) == 1)
    waiting = 4 * WAITING * DEPTHS * head.hidden
    values, positions = 2 * head.kv_heads * head.head_dim, context + MAX_DRAFT_LENGTH
    if engine == "native" and head.head_dim % 16 == 0:
        weights = sum(native_bytes("int4", *matrix) for matrix in matrices)
        rotary = 4 * positions * head.head_dim
        return weights + vectors + rotary + 2 * values * -(-positions // PAGE) * PAGE + waiting
    return 4 * sum(a * b for a, b in matrices) + vectors + 4 * values * positions + waiting


def prediction_bytes(shape: ModelShape, value_bits: int, context: int) -> int:
    """Of the first prediction layer, which stays at 16 bits (or 32) however the target is packed."""
    if not shape.prediction:
        return 0
    values = max(layer.values for layer in shape.layers)
    kept = values * (context + MAX_DRAFT_LENGTH)
    return (shape.prediction + kept) * value_bits // 8 + 4 * WAITING * shape.hidden

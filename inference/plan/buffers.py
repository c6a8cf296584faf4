"""Bytes of what passes need beside weights and cache."""

from inference.plan.model_shape import ModelShape
from inference.plan.weights import Engine

NATIVE_ROWS = 256  # rows that go through the native layers together
PREFILL_ROWS = 512  # and through torch's
GROUP_BYTES = 48  # 32 activations of 8 bits with their scale and sum
SAMPLING_COPIES = 6  # of float32 probabilities, while the filters are at work
DRAFT_COPIES = 3
PREPARED_GRAPHS = 9


def pass_bytes(shape: ModelShape, engine: Engine, context: int) -> int:
    """Activations of the longest stretch of prefill, with masks and partial sums of attention."""
    query, key = shape.heads * shape.head_size, shape.key_size
    widest = max(shape.hidden, query)
    if engine == "native":
        floats = 4 * (shape.hidden + query + 2 * key + widest)
        groups = GROUP_BYTES * (-(-widest // 32) + -(-shape.intermediate // 32))
        partials = 4 * 16 * shape.heads * -(-context // 256) * (shape.head_size + 2)
        return NATIVE_ROWS * (floats + groups) + partials
    row = 4 * (4 * shape.hidden + 2 * (query + 2 * key) + 4 * shape.intermediate)
    group = max(1, query // max(key, 1))
    mask = 4 * group * context
    return PREFILL_ROWS * (row + mask)


def verify_bytes(shape: ModelShape, draft_length: int, draft: bool) -> int:
    """Logits and probabilities of a round of `draft_length` drafted tokens."""
    row = 4 * shape.vocabulary
    rows = (1 + SAMPLING_COPIES) * (draft_length + 1)
    return row * (rows + (DRAFT_COPIES * draft_length if draft else 0))


def graph_bytes(shape: ModelShape, draft_length: int) -> int:
    """Pools of CUDA graphs: one for each number of rows up to the longest verify pass."""
    row = 4 * (shape.vocabulary + 8 * shape.hidden + 4 * shape.intermediate)
    return (draft_length + 1) * PREPARED_GRAPHS * row

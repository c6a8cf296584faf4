"""Bytes of weights in memory, in every format that the engine has."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from inference.models.fused.int4 import fitting_group
from inference.settings import INT4_GROUPS, FourBit, Precision, packed_kind

if TYPE_CHECKING:
    from inference.plan.model_shape import ModelShape

Engine = Literal["native", "torch", "adapter", "cuda"]

TILE, GROUP = 16, 32
# Bytes of 16 outputs and 32 inputs, as `inference.native.weights.Format` lays them out (a test compares). In int4 so
# many groups of 32 inputs share 64 bytes of scales and minima.
_TILE_BYTES = {"int8": 544.0, "int5": 352.0, "int4k": 2368 / 8, "int6": 3392 / 8}
_SHARED = {"int4": 1, "int4_64": 2, "int4_128": 4}
NF4_BITS = FourBit().bits


@dataclass(frozen=True)
class Bits:
    """Of a weight: in the layers' matrices, in the embedding, and in a head of its own.

    second_table: where embedding and head are one matrix in the files, whether it is held twice all the same.
    """

    layers: float
    embedding: float
    head: float
    second_table: bool = False


_BITS: dict[tuple[Engine, str], Bits] = {
    ("torch", "int8"): Bits(8, 16, 8, second_table=True),
    ("adapter", "int8"): Bits(8, 16, 16),
    ("adapter", "int4"): Bits(NF4_BITS, 16, 16),
    ("cuda", "int4"): Bits(NF4_BITS, 16, 16),
}


def native_bytes(kind: str, outputs: int, inputs: int) -> int:
    """A matrix in one of the native kernels' formats: int4, int4_64, int4_128, int8, int5, int4k or int6."""
    tiles, groups = -(-outputs // TILE), -(-inputs // GROUP)
    if kind in _SHARED:
        return tiles * (256 * groups + 64 * -(-groups // _SHARED[kind]))
    return round(tiles * groups * _TILE_BYTES[kind])


def weight_bytes(
    shape: "ModelShape",
    engine: Engine,
    precision: Precision,
    four_bit: FourBit | None = None,
    int4_group: int = INT4_GROUPS[0],
    *,
    int4_tables: bool = False,
) -> int:
    """precision: what "auto" became. A model whose files are quantized keeps their size on the adapter. four_bit: how
    bitsandbytes packs. int4_group, int4_tables: how the processor's own int4 is packed."""
    if shape.quantized and engine == "adapter":
        return shape.stored_bytes
    vectors = 4 * shape.vectors
    if engine == "native":
        if shape.packed_blocks is not None and (precision == "int8" or shape.four_bit_blocks):
            return shape.packed_blocks
        kind = packed_kind(precision, int4_group)
        matrices = sum(native_bytes(kind, *matrix) for matrix in shape.matrices)
        of_tables = kind if int4_tables and precision == "int4" else "int8"
        return matrices + sum(native_bytes(of_tables, *table) for table in shape.tables) + vectors
    width = 32 if precision == "float32" else 16
    bits = _BITS.get((engine, precision), Bits(width, width, width))
    if (engine, precision) == ("torch", "int4"):
        return _torch_int4_bytes(shape, int4_group) + vectors
    if four_bit is not None and precision == "int4" and engine in ("adapter", "cuda"):
        bits = replace(bits, layers=four_bit.bits)
    matrices = round(sum(a * b for a, b in shape.matrices) * bits.layers / 8)
    table = shape.vocabulary * shape.hidden
    tables = table * bits.embedding / 8
    if not shape.tied or bits.second_table:
        tables += table * bits.head / 8
    return matrices + round(tables) + vectors


def _torch_int4_bytes(shape: "ModelShape", int4_group: int) -> int:
    """Without norms and biases. The embedding stays at 16 bits, and is packed once more as the head where it is one."""
    packed = sum(a * b * (4 + 32 / fitting_group(int4_group, b)) for a, b in (*shape.matrices, shape.tables[-1]))
    return round(packed / 8) + 2 * shape.vocabulary * shape.hidden

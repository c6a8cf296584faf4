"""How many bytes the blocks of a GGUF file take in the native kernels' formats, without packing them."""

import functools
from dataclasses import dataclass
from pathlib import Path

from inference.errors import UserError
from inference.plan.weights import native_bytes

# What `inference.native.gguf_blocks.pack_gguf` makes of each type; everything else becomes int8.
_FORMATS = {"Q4_0": "int4", "Q4_1": "int4", "Q4_K": "int4k", "Q5_0": "int5", "Q6_K": "int6"}
_FOUR_BIT = ("Q4_0", "Q4_1", "Q4_K")


@dataclass(frozen=True)
class PackedSize:
    """four_bit: more than half of the weights are stored at 4 bits."""

    nbytes: int
    four_bit: bool


def packed_size(path: Path) -> PackedSize | None:
    """None for a file that the kernels cannot take over block by block. Asked again, it costs nothing."""
    try:
        status = path.stat()
    except OSError:
        return None
    return _look(path, status.st_size, status.st_mtime_ns)


@functools.lru_cache(maxsize=32)
def _look(path: Path, size: int, modified: int) -> PackedSize | None:
    """size, modified: so that a file which changed is looked at again."""
    from inference.manager.gguf_architecture import blueprint
    from inference.manager.gguf_file import GgufFile

    try:
        with GgufFile(path) as file:
            tensors = [weight.tensor for weight in blueprint(file).weights]
    except UserError:
        return None
    total = 0
    for tensor in tensors:
        if len(tensor.shape) == 1:
            total += 4 * tensor.elements
        else:
            outputs, inputs = tensor.shape
            total += native_bytes(_FORMATS.get(tensor.type, "int8"), outputs, inputs)
    four = sum(tensor.elements for tensor in tensors if tensor.type in _FOUR_BIT)
    return PackedSize(total, 2 * four > sum(tensor.elements for tensor in tensors))

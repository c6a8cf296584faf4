"""What the GGUF file beside a model offers: whether its blocks can be used, and how fine they are."""

import functools
import logging
from dataclasses import dataclass
from pathlib import Path

from inference.errors import UserError

log = logging.getLogger(__name__)

GGUF_NAME = "source.gguf"
_FOUR_BIT = ("Q4_0", "Q4_1", "Q4_K")


@dataclass(frozen=True)
class Blocks:
    """four_bit: more than half of the weights are stored at 4 bits."""

    four_bit: bool


def blocks_of(folder: Path) -> Blocks | None:
    """None where there is no GGUF file, or none that is known in every detail. Asked again, it costs nothing."""
    path = folder / GGUF_NAME
    try:
        status = path.stat()
    except OSError:
        return None
    return _look(path, status.st_size, status.st_mtime_ns)


@functools.lru_cache(maxsize=16)
def _look(path: Path, size: int, modified: int) -> Blocks | None:
    """size, modified: so that a file which changed is looked at again."""
    from inference.manager.gguf_architecture import blueprint
    from inference.manager.gguf_file import GgufFile

    try:
        with GgufFile(path) as file:
            tensors = [weight.tensor for weight in blueprint(file).weights]
            four = sum(tensor.elements for tensor in tensors if tensor.type in _FOUR_BIT)
            return Blocks(2 * four > sum(tensor.elements for tensor in tensors))
    except UserError as error:
        log.info("%s is not used: %s", path.name, error)
        return None

"""The compiled kernels as Python sees them. `load()` gives a Library, or None: then torch does it all.

    library = load()                                  # finds the shipped or built library, or compiles it (seconds)
    library.threads = 2
    matrix = weights.pack_int4(weight)                # float32 [out, in] -> PackedMatrix (weights.py, gguf_blocks.py)
    groups = library.norm_quantize(x, norm, 1e-5)     # float32 [n, in] -> Groups (int8, a scale per row and 32 values)
    y = library.matmul(matrix, groups)                # [n, out] = x W^T + bias
    inner = library.gate_up(gate, up, groups)         # quantized silu(x G^T) * (x U^T), ready for the down projection
    o = library.attention(heads, q, k, v, cache=cache, layer=0)  # rotary, q/k norm, cache write and attention
    model = NativeModel(library, ModelWeights(...))   # everything above in one call a forward

Tensors are float32, contiguous and on the CPU. A row's result depends on no other row, bit for bit: one row, K + 1 rows
and a long prefill agree. FOREWORD_KERNELS = scalar | avx2 | avx512vnni | neon | off chooses by hand.
Every call releases the interpreter lock while it computes.
"""

import ctypes
import functools
import logging
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from inference.native import build, structures

if TYPE_CHECKING:
    import torch

    from inference.native.float_matrix import FloatMatrix
    from inference.native.native_model import Heads
    from inference.native.page_cache import PageCache
    from inference.native.weights import PackedMatrix

log = logging.getLogger(__name__)

Activation = Literal["silu", "gelu_tanh"]
ACTIVATIONS: dict[Activation, int] = {"silu": 0, "gelu_tanh": 1}
GROUP_BYTES = 48  # sizeof(ForewordGroup)


@dataclass(frozen=True)
class Groups:
    """Quantized activations, `rows` x `inputs`: bytes [rows * ceil(inputs / 32) * 48], for the kernels only."""

    data: "torch.Tensor"
    rows: int
    inputs: int


_loading = threading.Lock()  # the cache alone would let two threads compile at once


def load() -> "Library | None":
    """The library, shipped beside this file or built; compiled now when a compiler is there. None: torch must do.

    May take half a minute the first time, so never on the thread of a window. The answer is kept for the process.
    """
    with _loading:
        return _load()


def loaded() -> "Library | None":
    """The library, if somebody has loaded it: nobody waits for a compiler here."""
    return _load() if _load.cache_info().currsize else None


@functools.cache
def _load() -> "Library | None":
    wanted = os.environ.get("FOREWORD_KERNELS", "").lower()
    if wanted == "off":
        log.info("native kernels: off (FOREWORD_KERNELS)")
        return None
    path = _find()
    if path is None:
        return None
    try:
        library = Library(path)
    except OSError as error:
        log.warning("native kernels: %s cannot be loaded (%s)", path.name, error)
        return None
    if wanted:
        library.use(wanted)
    elif library.instruction_set == "scalar":
        log.info("native kernels: this processor has none of the instruction sets, torch is faster")
        return None
    log.info("native kernels: %s", library.instruction_set)
    return library


def _find() -> Path | None:
    if not any(build.HERE.glob("*.cpp")):  # a packaged program: one library, without the sources that it belongs to
        return next(iter(sorted(build.HERE.glob(f"foreword-{build.architecture()}-*"))), None)
    name = build.library_name()
    for folder in (build.HERE, build.BUILT):
        if (folder / name).exists():
            return folder / name
    try:
        return build.build()
    except (RuntimeError, OSError) as error:
        log.info("native kernels: not compiled (%s)", str(error).splitlines()[0])
        return None


class Library:
    """Raises ValueError for shapes and types that do not fit, MemoryError when the kernels find no memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.functions: Any = ctypes.CDLL(str(path))
        for name, (result, arguments) in structures.FUNCTIONS.items():
            function = getattr(self.functions, name)
            function.restype, function.argtypes = result, arguments
        self.threads = os.cpu_count() or 1

    @property
    def instruction_set(self) -> str:
        """avx512vnni, avx2, neon or scalar."""
        return str(self.functions.foreword_instruction_set().decode())

    def use(self, name: str) -> None:
        """Use another instruction set. ValueError if this processor or this library does not have it."""
        if self.functions.foreword_use(name.encode()) != 0:
            raise ValueError(f"no {name!r} kernels on this machine")

    @property
    def threads(self) -> int:
        """Threads the kernels run on, the caller's among them. They are not torch's."""
        return int(self.functions.foreword_threads())

    @threads.setter
    def threads(self, count: int) -> None:
        self.check(self.functions.foreword_set_threads(count))

    def lend(self, threads: int) -> None:
        """So many of them stay away until the next call: see foreword_lend."""
        self.check(self.functions.foreword_lend(threads))

    def fetch_from(self, rows: int) -> None:
        """See foreword_fetch_from."""
        self.check(self.functions.foreword_fetch_from(rows))

    @staticmethod
    def check(error: int) -> None:
        if error == 1:
            raise ValueError("the kernels refuse these arguments")
        if error == 2:
            raise MemoryError("no memory for the kernels' buffers")

    def quantize(self, x: "torch.Tensor") -> Groups:
        """x [n, inputs]. A group of 32 with a NaN or an infinity makes its row's products NaN, and no other's."""
        rows, inputs = _rows(x)
        groups = new_groups(rows, inputs)
        self.check(self.functions.foreword_quantize(x.data_ptr(), rows, inputs, groups.data.data_ptr()))
        return groups

    def norm(self, x: "torch.Tensor", weight: "torch.Tensor", epsilon: float) -> "torch.Tensor":
        """x / sqrt(mean(x^2) + epsilon) * weight, [n, size]. (Zhang and Sennrich 2019, arXiv 1910.07467.)"""
        rows, size = _rows(x)
        _vector(weight, size)
        out = x.new_empty(x.shape)
        self.check(self.functions.foreword_norm(x.data_ptr(), weight.data_ptr(), epsilon, rows, size, out.data_ptr()))
        return out

    def norm_quantize(self, x: "torch.Tensor", weight: "torch.Tensor", epsilon: float) -> Groups:
        """quantize(norm(x, weight, epsilon)) in one pass."""
        rows, size = _rows(x)
        _vector(weight, size)
        groups = new_groups(rows, size)
        self.check(
            self.functions.foreword_norm_quantize(
                x.data_ptr(), weight.data_ptr(), epsilon, rows, size, groups.data.data_ptr()
            )
        )
        return groups

    def matmul(
        self, matrix: "PackedMatrix", groups: Groups, out: "torch.Tensor | None" = None, accumulate: bool = False
    ) -> "torch.Tensor":
        """x W^T + bias, [n, outputs], written to (accumulate: added to) `out` when it is given."""
        if groups.inputs != matrix.inputs:
            raise ValueError(f"a matrix of {matrix.inputs} inputs does not take rows of {groups.inputs}")
        if out is None:
            import torch

            out = torch.empty(groups.rows, matrix.outputs)
        elif _rows(out) != (groups.rows, matrix.outputs):
            raise ValueError(f"the result is {groups.rows} x {matrix.outputs}, not {tuple(out.shape)}")
        self.check(
            self.functions.foreword_matmul(
                ctypes.byref(matrix.structure), groups.data.data_ptr(), groups.rows, out.data_ptr(), accumulate
            )
        )
        return out

    def float_matmul(self, matrix: "FloatMatrix", x: "torch.Tensor") -> "torch.Tensor":
        """x W^T + bias, float32 [n, outputs], of float weights in their own type and float32 rows x [n, inputs]."""
        rows, inputs = _rows(x)
        if inputs != matrix.inputs:
            raise ValueError(f"a matrix of {matrix.inputs} inputs does not take rows of {inputs}")
        out = x.new_empty(rows, matrix.outputs)
        self.check(
            self.functions.foreword_float_matmul(ctypes.byref(matrix.structure), x.data_ptr(), rows, out.data_ptr())
        )
        return out

    def float_attention(
        self, heads: "Heads", qkv: "torch.Tensor", keys: "torch.Tensor", values: "torch.Tensor", position: int
    ) -> "torch.Tensor":
        """Causal attention of rows at `position`.. over float caches; float32 [n, heads * size].

        qkv [n, (heads + 2 kv_heads) * size]: queries and keys are normalized and rotated in place. keys and values
        [kv_heads, capacity, size] of one float type; those of the rows are written to them.
        """
        from inference.native.float_matrix import FORMATS

        rows, width = _rows(qkv)
        shape = (heads.kv_heads, keys.shape[1], heads.head_size)
        if width != (heads.heads + 2 * heads.kv_heads) * heads.head_size:
            raise ValueError("queries, keys and values do not fit the heads")
        for cache in (keys, values):
            if cache.shape != shape or cache.dtype != keys.dtype or cache.dtype not in FORMATS:
                raise ValueError(f"the cache is not {shape} of one float type")
            if not cache.is_contiguous() or cache.device.type != "cpu":
                raise ValueError("the cache is not contiguous on the CPU")
        heads.check_positions(position + rows)
        out = qkv.new_empty(rows, heads.heads * heads.head_size)
        self.check(
            self.functions.foreword_float_attention(
                ctypes.byref(heads.structure),
                qkv.data_ptr(),
                rows,
                position,
                keys.data_ptr(),
                values.data_ptr(),
                keys.shape[1],
                FORMATS[keys.dtype],
                out.data_ptr(),
            )
        )
        return out

    def float_gate(self, gate_up: "torch.Tensor", activation: Activation = "silu") -> "torch.Tensor":
        """activation(gate) * up of rows [n, 2 * size], gates first; float32 [n, size]."""
        rows, width = _rows(gate_up)
        if width % 2:
            raise ValueError(f"rows of {width} are no pairs")
        out = gate_up.new_empty(rows, width // 2)
        self.check(
            self.functions.foreword_float_gate(
                gate_up.data_ptr(), rows, width // 2, ACTIVATIONS[activation], out.data_ptr()
            )
        )
        return out

    def gate_up(
        self, gate: "PackedMatrix", up: "PackedMatrix", groups: Groups, activation: Activation = "silu"
    ) -> Groups:
        """quantize(activation(x gate^T) * (x up^T)), [n, gate.outputs]. Without biases."""
        if groups.inputs != gate.inputs:
            raise ValueError(f"a matrix of {gate.inputs} inputs does not take rows of {groups.inputs}")
        out = new_groups(groups.rows, gate.outputs)
        self.check(
            self.functions.foreword_gate_up(
                ctypes.byref(gate.structure),
                ctypes.byref(up.structure),
                groups.data.data_ptr(),
                groups.rows,
                ACTIVATIONS[activation],
                out.data.data_ptr(),
            )
        )
        return out

    def embed(self, table: "PackedMatrix", tokens: Sequence[int], scale: float = 1.0) -> "torch.Tensor":
        """Rows of a packed table, float32 [n, inputs]. ValueError for a token that the table does not have."""
        import torch

        ids = (ctypes.c_int32 * len(tokens))(*tokens)
        out = torch.empty(len(tokens), table.inputs)
        self.check(
            self.functions.foreword_embed(ctypes.byref(table.structure), ids, len(tokens), scale, out.data_ptr())
        )
        return out

    def attention(
        self, heads: "Heads", q: "torch.Tensor", k: "torch.Tensor", v: "torch.Tensor", *, cache: "PageCache", layer: int
    ) -> "torch.Tensor":
        """Causal, from position cache.length on: q [n, heads * size], k, v [n, kv_heads * size] -> [n, heads * size].

        q and k are normalized and rotated in place, k and v written to the cache; the caller advances its length after
        the last layer.
        """
        rows, q_size = _rows(q)
        kv_size = heads.kv_heads * heads.head_size
        if q_size != heads.heads * heads.head_size or _rows(k) != (rows, kv_size) or _rows(v) != (rows, kv_size):
            raise ValueError("queries, keys and values do not fit the heads")
        if not cache.fits(layer, heads.kv_heads, heads.head_size):
            raise ValueError("the cache was made for other heads or fewer layers")
        cache.reserve(cache.length + rows)
        heads.check_positions(cache.length + rows)
        out = q.new_empty(q.shape)
        self.check(
            self.functions.foreword_attention(
                ctypes.byref(heads.structure),
                q.data_ptr(),
                k.data_ptr(),
                v.data_ptr(),
                rows,
                cache.length,
                cache.pointers,
                layer,
                out.data_ptr(),
            )
        )
        return out

    def argmax(self, x: "torch.Tensor") -> list[int]:
        """Index of each row's largest value, the first of equals; -1 for a row of NaN."""
        rows, size = _rows(x)
        out = (ctypes.c_int32 * rows)()
        self.check(self.functions.foreword_argmax(x.data_ptr(), rows, size, out))
        return list(out)

    def top_k(self, x: "torch.Tensor", k: int) -> "tuple[torch.Tensor, torch.Tensor]":
        """The k largest of each row, falling: values float32 [n, k], indices int32 [n, k] (-1: only NaN left)."""
        import torch

        rows, size = _rows(x)
        values, indices = torch.empty(rows, k), torch.empty(rows, k, dtype=torch.int32)
        self.check(self.functions.foreword_top_k(x.data_ptr(), rows, size, k, values.data_ptr(), indices.data_ptr()))
        return values, indices


def new_groups(rows: int, inputs: int) -> Groups:
    import torch

    return Groups(torch.empty(rows * -(-inputs // 32) * GROUP_BYTES, dtype=torch.uint8), rows, inputs)


def _rows(x: "torch.Tensor") -> tuple[int, int]:
    import torch

    if x.dtype != torch.float32 or x.dim() != 2 or not x.is_contiguous() or x.device.type != "cpu":
        raise ValueError(f"expected contiguous float32 rows on the CPU, not {x.dtype} {tuple(x.shape)} {x.device}")
    return x.shape[0], x.shape[1]


def _vector(x: "torch.Tensor", size: int) -> None:
    import torch

    if x.dtype != torch.float32 or tuple(x.shape) != (size,) or not x.is_contiguous() or x.device.type != "cpu":
        raise ValueError(f"expected a float32 vector of {size} on the CPU, not {x.dtype} {tuple(x.shape)}")

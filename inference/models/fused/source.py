"""Where weights come from: safetensors files, or the GGUF file they were converted from."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from inference.errors import UserError
from inference.models.fused.architecture import Architecture
from inference.models.fused.gguf_blocks import groups_of
from inference.models.fused.groups import Groups

if TYPE_CHECKING:
    import numpy as np
    import torch

    from inference.manager.gguf_file import GgufFile

GGUF_NAME = "source.gguf"


class Source(Protocol):
    """Tensors by the names transformers gives them, e.g. "model.layers.0.self_attn.q_proj.weight"."""

    def matrix(self, name: str) -> "torch.Tensor | Groups":
        """[outputs, inputs] as stored: floats, or groups where the file holds such. Raises UserError if missing."""
        ...

    def vector(self, name: str) -> "torch.Tensor | None":
        """float32 [n], or None where the model has no such tensor."""
        ...


class SafetensorsSource:
    """One or several safetensors files of a folder, read tensor by tensor."""

    def __init__(self, files: dict[str, Any]) -> None:
        self._files = files  # tensor name -> open file

    def matrix(self, name: str) -> "torch.Tensor | Groups":
        if name not in self._files:
            raise UserError(f"The model's files lack the tensor {name}.", "Download the model again.")
        tensor: torch.Tensor = self._files[name].get_tensor(name)
        return tensor

    def vector(self, name: str) -> "torch.Tensor | None":
        if name not in self._files:
            return None
        tensor: torch.Tensor = self._files[name].get_tensor(name)
        return tensor.float()


class GgufSource:
    """A GGUF file of the families whose tensor layout is known for certain."""

    families = ("llama", "mistral", "qwen2", "qwen3")

    def __init__(self, file: "GgufFile", architecture: Architecture) -> None:
        self._file = file
        self._architecture = architecture

    def matrix(self, name: str) -> "torch.Tensor | Groups":
        tensor = self._file.tensors.get(_gguf_name(name))
        if tensor is None:
            raise UserError(f"The GGUF file lacks the tensor {name}.", "Download the model again.")
        found: torch.Tensor | Groups | None = groups_of(tensor.data, tensor.type)
        if found is None:
            found = _writable(tensor.dequantize())
        order = self._order(name, tensor.shape[0])
        if order is None:
            return found
        return found.rows(order) if isinstance(found, Groups) else found[order]

    def vector(self, name: str) -> "torch.Tensor | None":
        tensor = self._file.tensors.get(_gguf_name(name))
        if tensor is None:
            return None
        values = _writable(tensor.dequantize()).flatten()
        order = self._order(name, len(values))
        return values if order is None else values[order]

    def _order(self, name: str, rows: int) -> "torch.Tensor | None":
        """The file's "llama" layout pairs neighbouring rows for the rotation; transformers pairs halves of a head."""
        import torch

        if self._file.architecture != "llama" or not any(part in name for part in (".q_proj.", ".k_proj.")):
            return None
        half = self._architecture.head_size // 2
        return torch.arange(rows).view(-1, half, 2).transpose(1, 2).flatten()


def _writable(values: "np.ndarray[Any, Any]") -> "torch.Tensor":
    """A tensor that outlives the file: float tensors are views of its memory map, the others are copies already."""
    import numpy as np
    import torch

    return torch.from_numpy(np.require(values, requirements="W"))


_GGUF_NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def _gguf_name(name: str) -> str:
    """ "model.layers.3.mlp.up_proj.weight" -> "blk.3.ffn_up.weight"."""
    stem, _, kind = name.rpartition(".")
    if not stem.startswith("model.layers."):
        return f"{_GGUF_NAMES[stem]}.{kind}"
    layer, _, part = stem.removeprefix("model.layers.").partition(".")
    return f"blk.{layer}.{_GGUF_NAMES[part]}.{kind}"


@contextmanager
def open_source(folder: Path, architecture: Architecture, blocks: bool) -> Iterator[Source]:
    """The weights of the model in `folder`. blocks: prefer the blocks of a GGUF file beside it, if that is usable.

    Raises UserError where there are no weights, or damaged ones.
    """
    if blocks and architecture.family in GgufSource.families and (folder / GGUF_NAME).is_file():
        from inference.manager.gguf_file import GgufFile

        with GgufFile(folder / GGUF_NAME) as file:
            if file.architecture in ("llama", "qwen2", "qwen3"):
                yield GgufSource(file, architecture)
                return
    with ExitStack() as stack:
        yield SafetensorsSource(_open_safetensors(folder, stack))


def _open_safetensors(folder: Path, stack: ExitStack) -> dict[str, Any]:
    from safetensors import SafetensorError, safe_open

    index = folder / "model.safetensors.index.json"
    if index.is_file():
        weight_map = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
        paths = sorted({folder / name for name in weight_map.values()})
    else:
        paths = [folder / "model.safetensors"]
    files: dict[str, Any] = {}
    for path in paths:
        if not path.is_file():
            raise UserError(f"The model's file {path.name} is missing.", "Download the model again.")
        try:
            file = stack.enter_context(safe_open(str(path), framework="pt"))
        except SafetensorError as error:
            raise UserError(f"The model's file {path.name} is damaged.", "Download the model again.") from error
        files |= dict.fromkeys(file.keys(), file)
    return files

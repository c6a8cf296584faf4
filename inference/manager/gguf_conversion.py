"""Turns a GGUF file into a transformers folder, once.

Numbers: what is stored quantized or in 16-bit floats becomes float16, which keeps the file's values to 11 significant
bits, far finer than any quantization step; a tensor with a value beyond float16's range becomes bfloat16, and what the
file holds in bfloat16 or float32 stays what it is. The GGUF itself stays in the folder as `source.gguf`: the fast path
loads its blocks exactly.
"""

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inference.errors import UserError
from inference.events import LoadProgress
from inference.manager.download import DownloadCancelled
from inference.manager.files import explained, require_space, write_atomically, write_json
from inference.manager.gguf_architecture import Blueprint, Weight, blueprint
from inference.manager.gguf_file import GgufFile
from inference.manager.gguf_tokenizer import GgufVocabulary
from inference.manager.safetensors_file import SafetensorsWriter, writing

if TYPE_CHECKING:
    import numpy as np

SOURCE = "source.gguf"
_CHUNK = 4 << 20  # elements that are dequantized at once: 16 MB of float32 and a few copies
_HALF_MAX = 65504.0


class ConversionCancelled(DownloadCancelled):
    """The person stopped it. Whoever waits for a model catches DownloadCancelled for both."""

    message_text = "The conversion was cancelled."


def convert(gguf: Path, folder: Path, cancel: threading.Event | None = None) -> Iterator[LoadProgress]:
    """Write `gguf` into `folder` (made if need be) as a transformers model. Progress is in bytes of the GGUF.

    config.json comes last, so that a folder left half-way is not a model. Never more than one piece of one tensor is in
    memory. Raises UserError, ConversionCancelled.
    """
    with GgufFile(gguf) as file, explained(folder):
        plan = blueprint(file)
        vocabulary = GgufVocabulary(file)
        if len(vocabulary.tokens) > plan.config["vocab_size"]:
            raise UserError(f"{gguf.name} has more tokens than embeddings.", "Get the file again.")
        folder.mkdir(parents=True, exist_ok=True)
        yield LoadProgress("convert", 0, _total(plan), gguf.name)
        require_space(folder, 2 * sum(weight.tensor.elements for weight in plan.weights))
        _write_tokenizer(vocabulary, folder)
        yield from _write_weights(plan, folder / "model.safetensors", gguf.name, cancel)
        _keep_source(gguf, folder / SOURCE)
        write_json(folder / "config.json", _config(plan, vocabulary))


def _total(plan: Blueprint) -> int:
    return sum(weight.tensor.data.nbytes for weight in plan.weights)


def _config(plan: Blueprint, vocabulary: GgufVocabulary) -> dict[str, Any]:
    ids = {"bos_token_id": vocabulary.special("bos"), "pad_token_id": vocabulary.special("padding")}
    kinds = {weight.tensor.type for weight in plan.weights if len(weight.tensor.shape) > 1}
    exact = next((name for kind, name in (("F32", "float32"), ("BF16", "bfloat16")) if kinds == {kind}), "float16")
    return plan.config | ids | {"eos_token_id": vocabulary.end_tokens, "dtype": exact}


def _write_tokenizer(vocabulary: GgufVocabulary, folder: Path) -> None:
    write_atomically(folder / "tokenizer.json", vocabulary.tokenizer().to_str().encode())
    write_json(folder / "tokenizer_config.json", vocabulary.configuration())
    ids = {"bos_token_id": vocabulary.special("bos"), "pad_token_id": vocabulary.special("padding")}
    write_json(
        folder / "generation_config.json",
        {key: value for key, value in ids.items() if value is not None} | {"eos_token_id": vocabulary.end_tokens},
    )


def _write_weights(plan: Blueprint, path: Path, label: str, cancel: threading.Event | None) -> Iterator[LoadProgress]:
    done, total = 0, _total(plan)
    with writing(path, [weight.name for weight in plan.weights]) as writer:
        for weight in plan.weights:
            dtype = {"F32": "F32", "BF16": "BF16"}.get(weight.tensor.type, "F16")
            mark = writer.begin(weight.name)
            for share in _append(writer, weight, dtype):
                if cancel is not None and cancel.is_set():
                    raise ConversionCancelled
                if share is None:  # beyond float16: once more
                    writer.rewind(mark)
                    dtype = "BF16"
                    for _ in _append(writer, weight, dtype):
                        pass
                    break
                yield LoadProgress("convert", done + share, total, label)
            writer.end(weight.name, mark, dtype, weight.tensor.shape)
            done += weight.tensor.data.nbytes


def _append(writer: SafetensorsWriter, weight: Weight, dtype: str) -> Iterator[int | None]:
    """Append the whole weight piece by piece; yields the bytes of GGUF done, or None when a value does not fit."""
    import numpy as np

    for values, done in _pieces(weight):
        if not np.isfinite(values).all():
            raise UserError(
                f"The weight {weight.tensor.name} holds values that are not numbers.", "Get the file again."
            )
        if dtype == "F16" and np.abs(values).max() > _HALF_MAX:
            yield None
            return
        writer.append(_as(values, dtype))
        yield done


def _pieces(weight: Weight) -> "Iterator[tuple[np.ndarray[Any, Any], int]]":
    """The weight's values in float32, some rows at a time, each with the bytes of GGUF done by then."""
    tensor, order = weight.tensor, weight.row_order()
    if len(tensor.shape) == 1:  # one row in the file: norms and biases, small
        values = tensor.dequantize().reshape(-1)
        values = values if order is None else values[order]
        yield values - weight.offset if weight.offset else values, tensor.data.nbytes
        return
    rows = tensor.data.shape[0]
    step = max(1, _CHUNK // tensor.shape[-1])
    for begin in range(0, rows, step):
        end = min(begin + step, rows)
        yield tensor.dequantize(slice(begin, end) if order is None else order[begin:end]), end * tensor.data.shape[1]


def _as(values: "np.ndarray[Any, Any]", dtype: str) -> "np.ndarray[Any, Any]":
    """float32 values in the bytes of another format. numpy has no bfloat16: its bits are made here, ties to even."""
    import numpy as np

    if dtype == "F16":
        return values.astype(np.float16)
    if dtype == "F32":
        return values
    bits = np.ascontiguousarray(values).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def _keep_source(gguf: Path, kept: Path) -> None:
    """A second name for the same bytes where the disk can, else a copy."""
    if kept.exists() and kept.samefile(gguf):
        return
    temporary = kept.with_name(f".{kept.name}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        os.link(gguf.resolve(), temporary)
    except OSError:
        require_space(kept.parent, gguf.stat().st_size)
        shutil.copyfile(gguf, temporary)
    temporary.replace(kept)

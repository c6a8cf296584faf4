"""Rotary position settings of a GGUF model, as transformers wants them."""

import math
from typing import Any

from inference.errors import UserError
from inference.manager.gguf_file import GgufFile

_ANOTHER = "Get the model as a transformers folder (safetensors), or choose another model."
# Llama 3.1 and later; the file holds only the divisors that follow from these.
_LLAMA3 = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}


def llama3_divisors(theta: float, head: int, factor: float) -> list[float]:
    """By how much Llama 3.1 slows each of head / 2 frequencies: 1 for fast ones, `factor` for slow ones, between them a
    blend over the wavelength (Llama 3.1 reference implementation, `apply_scaling`).
    """
    context, low, high = (
        _LLAMA3["original_max_position_embeddings"],
        _LLAMA3["low_freq_factor"],
        _LLAMA3["high_freq_factor"],
    )
    divisors = []
    for i in range(0, head, 2):
        wavelength = 2 * math.pi * theta ** (i / head)
        blend = (context / wavelength - low) / (high - low)
        blend = min(1.0, max(0.0, blend))
        divisors.append(1 / ((1 - blend) / factor + blend))
    return divisors


def rope_parameters(file: GgufFile, head: int) -> dict[str, Any]:
    """The `rope_parameters` of config.json. Raises UserError for a scaling that transformers would not apply alike."""
    theta = file.real("rope.freq_base", 10_000.0)
    if "rope_freqs.weight" in file.tensors:
        found = file.tensors["rope_freqs.weight"].dequantize().reshape(-1).tolist()
        factor = max(found)
        expected = llama3_divisors(theta, head, factor) if factor >= 1 else []
        alike = [math.isclose(a, b, rel_tol=1e-3) for a, b in zip(found, expected, strict=False)]
        if len(found) == len(alike) == head // 2 and all(alike):
            return {"rope_type": "llama3", "rope_theta": theta, "factor": factor, **_LLAMA3}
        raise UserError(f"{file.path.name} scales positions in a way that Foreword does not know.", _ANOTHER)
    kind = file.setting("rope.scaling.type", "none")
    factor = file.real("rope.scaling.factor", file.real("rope.scale_linear", 1.0))
    if factor == 1.0 or kind == "none":
        return {"rope_type": "default", "rope_theta": theta}
    if kind == "linear":
        return {"rope_type": "linear", "rope_theta": theta, "factor": factor}
    if kind == "yarn":
        return {
            "rope_type": "yarn",
            "rope_theta": theta,
            "factor": factor,
            "original_max_position_embeddings": file.integer("rope.scaling.original_context_length"),
        }
    raise UserError(f"{file.path.name} scales positions in a way that Foreword does not know ({kind}).", _ANOTHER)

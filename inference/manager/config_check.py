"""Whether the numbers in a config.json can be those of a model. No torch here: asking costs nothing.

What is refused here would otherwise be a traceback, a hang or a demand for terabytes in the middle of loading.
"""

import math
from collections.abc import Mapping
from typing import Any

from inference.errors import UserError
from inference.manager.safetensors_file import TensorEntry
from inference.models.fused.architecture import Architecture
from inference.models.fused.source import FINAL_NORM
from inference.models.fused.tensor_names import matrix_shapes

MOST_LAYERS = 1000  # several times as many as any published model
_COUNTS = (
    "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim",
    "vocab_size", "max_position_embeddings", "sliding_window", "num_experts", "num_local_experts",
)  # fmt: skip
_POSITIVE = ("rms_norm_eps", "layer_norm_eps", "rope_theta", "rope_local_base_freq")
_AGAIN = "Get config.json and the weights again, from the same place."
_FLOATS = ("F64", "F32", "F16", "BF16")


def check_numbers(config: Mapping[str, Any]) -> None:
    """Raises UserError with the first value that no model can have."""
    text = text_config(config)
    for name in _COUNTS:
        value = text.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            # Some write 0 or a negative number for "none of these"; only what every model has must be there.
            if name in ("sliding_window", "num_experts", "num_local_experts") and value in (0, -1):
                continue
            raise _nonsense(name, value)
    parameters = text.get("rope_parameters")
    for part in (text, parameters if isinstance(parameters, dict) else {}):
        for name in _POSITIVE:
            value = part.get(name)
            if value is not None and (
                isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf
            ):
                raise _nonsense(name, value)
    if not isinstance(config.get("quantization_config") or {}, dict):
        raise _nonsense("quantization_config", config["quantization_config"])
    layers = text.get("num_hidden_layers") or 0
    if layers > MOST_LAYERS:
        raise UserError(f"config.json asks for {layers} layers, more than any model has.", _AGAIN)


def check_fit(config: Mapping[str, Any], weights: Mapping[str, TensorEntry]) -> None:
    """Raises UserError with the first weight that contradicts the configuration."""
    if config.get("quantization_config"):
        return  # packed in another's way
    for name, entry in weights.items():
        if name.endswith(".weight") and entry.dtype not in _FLOATS and not entry.dtype.startswith("F8"):
            raise UserError(f"The weights {name} are of the type {entry.dtype}, which no model computes with.", _AGAIN)
    try:
        architecture = Architecture.from_config(dict(text_config(config)))
    except KeyError:  # transformers has a default for it, so the adapter may know
        return
    except (ValueError, TypeError, ZeroDivisionError, OverflowError) as error:
        raise UserError(f"config.json does not describe a model: {_reason(error)}.", _AGAIN) from error
    if architecture is None:
        return
    for name, shape in (matrix_shapes(architecture) | {FINAL_NORM: (architecture.hidden_size,)}).items():
        found = weights.get(name)
        if found is not None and found.shape != shape:
            raise UserError(
                f"The weights {name} have shape {list(found.shape)}, but config.json asks for {list(shape)}.", _AGAIN
            )


def text_config(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part that describes the language model."""
    inner = config.get("text_config")
    return inner if isinstance(inner, dict) else config


def _nonsense(name: str, value: object) -> UserError:
    return UserError(f"config.json gives {name} a value that makes no sense: {str(value)[:40]}.", _AGAIN)


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__

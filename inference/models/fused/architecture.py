"""The shape of a decoder-only transformer, read once from config.json. No torch here: asking costs nothing."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from inference.errors import UserError

Activation = Literal["silu", "gelu_tanh"]


class UnsupportedArchitectureError(UserError):
    """The fused decoder does not know this model; the transformers adapter does."""


@dataclass(frozen=True)
class Rope:
    """Rotary positions (Su et al. 2021, arXiv 2104.09864), plain, linearly scaled, or as Llama 3 scales them."""

    theta: float
    kind: Literal["default", "linear", "llama3"] = "default"
    factor: float = 1.0
    low_frequency_factor: float = 1.0
    high_frequency_factor: float = 4.0
    original_context: int = 8192

    @classmethod
    def from_config(cls, parameters: dict[str, Any], theta: float, context: int) -> "Rope | None":
        """None where the kind of scaling is not one of ours, or only a part of a head is rotated."""
        kind = parameters.get("rope_type", parameters.get("type", "default"))
        if kind not in ("default", "linear", "llama3") or parameters.get("partial_rotary_factor", 1.0) != 1.0:
            return None
        return cls(
            theta=float(parameters.get("rope_theta") or theta),
            kind=kind,
            factor=float(parameters.get("factor", 1.0)),
            low_frequency_factor=float(parameters.get("low_freq_factor", 1.0)),
            high_frequency_factor=float(parameters.get("high_freq_factor", 4.0)),
            original_context=int(parameters.get("original_max_position_embeddings", context)),
        )

    def scale(self, frequency: float) -> float:
        """What one angular frequency (radians per token) is divided by."""
        if self.kind == "default":
            return 1.0
        if self.kind == "linear":
            return self.factor
        turns = self.original_context * frequency / (2 * math.pi)  # full turns within the original context
        smooth = (turns - self.low_frequency_factor) / (self.high_frequency_factor - self.low_frequency_factor)
        smooth = min(1.0, max(0.0, smooth))
        return 1.0 / ((1.0 - smooth) / self.factor + smooth)


@dataclass(frozen=True)
class LayerShape:
    """What differs from layer to layer. rope None: no positions (NoPE). window None: every earlier token is seen."""

    rope: Rope | None
    window: int | None = None


@dataclass(frozen=True)
class Architecture:
    """Sizes are counts, never bytes. norm_offset is added to every norm weight (Gemma stores them around zero)."""

    family: str
    vocabulary_size: int
    hidden_size: int
    intermediate_size: int
    heads: int
    key_heads: int
    head_size: int
    context_length: int
    layers: tuple[LayerShape, ...]
    norm_epsilon: float
    tied: bool
    activation: Activation = "silu"
    head_norms: bool = False  # queries and keys are normalized head by head
    post_norms: bool = False  # what attention and MLP add is normalized too
    norm_offset: float = 0.0
    embedding_scale: float = 1.0
    attention_scale: float = 1.0
    logit_cap: float | None = None
    mlp_biases: bool = False

    def __post_init__(self) -> None:
        if self.heads % self.key_heads:
            raise ValueError(f"{self.heads} query heads cannot share {self.key_heads} key heads evenly")
        if self.head_size % 2:
            raise ValueError(f"a head of {self.head_size} values cannot be rotated in pairs")

    @property
    def group(self) -> int:
        """Query heads that share one key head."""
        return self.heads // self.key_heads

    @property
    def query_size(self) -> int:
        return self.heads * self.head_size

    @property
    def key_size(self) -> int:
        return self.key_heads * self.head_size

    @property
    def parameters(self) -> int:
        """Weights in matrices, embedding and head counted once if they are tied."""
        layer = self.hidden_size * (2 * self.query_size + 2 * self.key_size + 3 * self.intermediate_size)
        return len(self.layers) * layer + self.vocabulary_size * self.hidden_size * (1 if self.tied else 2)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "Architecture | None":
        """None where anything in `config` is not known for certain: then the adapter takes over."""
        family = config.get("model_type")
        defaults = _DEFAULTS.get(family) if isinstance(family, str) else None
        if defaults is None:
            return None
        given = defaults | config  # an explicit null stays: it says, for one, that no window slides
        layers = _layers(given)
        activation = _ACTIVATIONS.get(given.get("hidden_activation") or given["hidden_act"])
        unknown = ("attn_logit_softcapping", "use_bidirectional_attention", "quantization_config", "attention_sinks")
        if layers is None or activation is None or any(given.get(key) for key in unknown):
            return None
        gemma = family == "gemma3_text"
        heads, hidden = int(given["num_attention_heads"]), int(given["hidden_size"])
        head_size = int(given.get("head_dim") or hidden // heads)
        return cls(
            family=str(family),
            vocabulary_size=int(given["vocab_size"]),
            hidden_size=hidden,
            intermediate_size=int(given["intermediate_size"]),
            heads=heads,
            key_heads=int(given.get("num_key_value_heads") or heads),
            head_size=head_size,
            context_length=int(given["max_position_embeddings"]),
            layers=layers,
            norm_epsilon=float(given["rms_norm_eps"]),
            tied=bool(given["tie_word_embeddings"]),
            activation=activation,
            head_norms=family in ("qwen3", "gemma3_text"),
            post_norms=gemma,
            norm_offset=1.0 if gemma else 0.0,
            embedding_scale=hidden**0.5 if gemma else 1.0,
            attention_scale=(given["query_pre_attn_scalar"] if gemma else head_size) ** -0.5,
            logit_cap=given.get("final_logit_softcapping"),
            mlp_biases=bool(given.get("mlp_bias")),
        )

    @classmethod
    def read(cls, folder: Path) -> "Architecture | None":
        """From `folder`/config.json; None where that is missing, unreadable or not ours."""
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            return cls.from_config(config) if isinstance(config, dict) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None


_ACTIVATIONS: dict[str, Activation] = {"silu": "silu", "gelu_pytorch_tanh": "gelu_tanh"}

# What transformers assumes where config.json is silent.
_COMMON: dict[str, Any] = {
    "hidden_act": "silu",
    "rms_norm_eps": 1e-6,
    "max_position_embeddings": 32768,
    "tie_word_embeddings": False,
    "rope_theta": 10000.0,
}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "llama": _COMMON | {"max_position_embeddings": 2048},
    "mistral": _COMMON | {"max_position_embeddings": 131072, "num_key_value_heads": 8, "sliding_window": 4096},
    "qwen2": _COMMON | {"num_key_value_heads": 32, "sliding_window": 4096, "max_window_layers": 28},
    "qwen3": _COMMON | {"num_key_value_heads": 32, "head_dim": 128, "sliding_window": 4096, "max_window_layers": 28},
    "smollm3": _COMMON | {"tie_word_embeddings": True, "rope_theta": 2000000.0, "num_key_value_heads": 4},
    "gemma3_text": _COMMON
    | {
        "hidden_act": "gelu_pytorch_tanh",
        "max_position_embeddings": 131072,
        "tie_word_embeddings": True,
        "rope_theta": 1000000.0,
        "rope_local_base_freq": 10000.0,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "query_pre_attn_scalar": 256,
        "sliding_window": 4096,
        "sliding_window_pattern": 6,
    },
}


def _layers(given: dict[str, Any]) -> tuple[LayerShape, ...] | None:
    """Rotary positions and window of every layer, or None where one of them is not known to us."""
    count, context = int(given["num_hidden_layers"]), int(given["max_position_embeddings"])
    listed = None if given["model_type"] == "mistral" else given.get("layer_types")
    types = listed or [_layer_type(given, layer) for layer in range(count)]
    if given["model_type"] == "smollm3" and given.get("use_sliding_window"):
        return None
    if len(types) < count or set(types) - {"full_attention", "sliding_attention"}:
        return None
    rotated = [1] * count
    if given["model_type"] == "smollm3":  # 1: rotary, 0: none; every fourth layer has none unless a list says otherwise
        interval = int(given.get("no_rope_layer_interval", 4))
        rotated = given.get("no_rope_layers") or [int((layer + 1) % interval != 0) for layer in range(count)]
    scaling = dict(given.get("rope_scaling") or {})
    parameters = dict(given.get("rope_parameters") or scaling)
    ropes: dict[str, Rope | None] = {}
    for kind in set(types):
        own, theta = parameters, float(given["rope_theta"] or 10000.0)
        if given["model_type"] == "gemma3_text":
            # Scaling is for the layers that see everything; the sliding ones have a base of their own.
            full = kind == "full_attention"
            own = dict(parameters.get(kind) or (scaling if full else {}))
            theta = theta if full else float(given["rope_local_base_freq"])
        ropes[kind] = Rope.from_config(own, theta, context)
        if ropes[kind] is None:
            return None
    window = given.get("sliding_window")
    if given["model_type"] in ("qwen2", "qwen3") and not given.get("use_sliding_window"):
        window = None
    return tuple(
        LayerShape(
            rope=ropes[types[layer]] if rotated[layer] else None,
            window=int(window) if window and types[layer] == "sliding_attention" else None,
        )
        for layer in range(count)
    )


def _layer_type(given: dict[str, Any], layer: int) -> str:
    """The kind of a layer where config.json has no list of them."""
    match given["model_type"]:
        case "gemma3_text":
            sliding = bool((layer + 1) % int(given["sliding_window_pattern"]))
        case "mistral":
            sliding = given.get("sliding_window") is not None
        case "qwen2" | "qwen3":
            sliding = bool(given.get("use_sliding_window")) and layer >= int(given["max_window_layers"])
        case _:
            sliding = False
    return "sliding_attention" if sliding else "full_attention"

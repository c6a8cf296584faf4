"""What transformers calls the parts of a GGUF model: configuration, and name, shape and row order of each weight.

Every tensor of the file must find its place and every weight of the architecture must be in the file: a model that is
only nearly understood would answer nonsense without an error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inference.errors import UserError
from inference.manager.config_check import MOST_LAYERS
from inference.manager.gguf_file import GgufFile, GgufTensor
from inference.manager.gguf_rope import rope_parameters

if TYPE_CHECKING:
    import numpy as np

_ANOTHER = "Get the model as a transformers folder (safetensors), or choose another model."

_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_HEAD_NORMS = {"attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm"}
_GEMMA_NORMS = {
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}


@dataclass(frozen=True)
class Weight:
    """One weight of the transformers model and where it is in the file."""

    name: str
    tensor: GgufTensor
    rotary_heads: int = 0  # > 0: the rows of each of so many heads are stored in pairs, see `row_order`
    offset: float = 0.0  # what the file's values have too much

    def row_order(self) -> "np.ndarray[Any, Any] | None":
        """Row i of the transformers weight is row row_order()[i] of `tensor`; None where the order is the same.

        Files of the llama architecture hold the two halves of a rotary head interleaved (j, j + d/2, j + 1, ...).
        """
        if not self.rotary_heads:
            return None
        import numpy as np

        rows = self.tensor.elements if len(self.tensor.shape) == 1 else self.tensor.shape[0]
        return np.arange(rows).reshape(self.rotary_heads, -1, 2).swapaxes(1, 2).reshape(-1)


@dataclass(frozen=True)
class Blueprint:
    """A whole model: the contents of config.json, and the weights in the file's order."""

    config: dict[str, Any]
    weights: tuple[Weight, ...]


@dataclass(frozen=True)
class _Architecture:
    class_name: str
    model_type: str
    layer: dict[str, str]
    biased: tuple[str, ...] = ()  # tensors that always have a bias
    may_be_biased: bool = False
    interleaved: bool = False
    norm_offset: float = 0.0
    details: Callable[[GgufFile, dict[str, Any]], dict[str, Any]] = lambda file, config: {}


def _gemma3(file: GgufFile, config: dict[str, Any]) -> dict[str, Any]:
    layers, head = config["num_hidden_layers"], config["head_dim"]
    # The attention scale is not in the file: one over the root of the head size, but for the 27B (62 layers).
    scalar = config["hidden_size"] // config["num_attention_heads"] if layers == 62 else head
    return {
        "hidden_activation": "gelu_pytorch_tanh",
        "query_pre_attn_scalar": scalar,
        "sliding_window": file.integer("attention.sliding_window", 512),
        "layer_types": ["full_attention" if i % 6 == 5 else "sliding_attention" for i in range(layers)],
        "rope_parameters": {
            "full_attention": config["rope_parameters"],
            "sliding_attention": {"rope_type": "default", "rope_theta": 10_000.0},
        },
    }


_ARCHITECTURES = {
    "llama": _Architecture("LlamaForCausalLM", "llama", _LAYER, may_be_biased=True, interleaved=True),
    "qwen2": _Architecture("Qwen2ForCausalLM", "qwen2", _LAYER, biased=("attn_q", "attn_k", "attn_v")),
    "qwen3": _Architecture("Qwen3ForCausalLM", "qwen3", _LAYER | _HEAD_NORMS),
    "gemma3": _Architecture(
        "Gemma3ForCausalLM", "gemma3_text", _LAYER | _HEAD_NORMS | _GEMMA_NORMS, norm_offset=1.0, details=_gemma3
    ),
}
SUPPORTED = tuple(_ARCHITECTURES)


def _config(file: GgufFile, architecture: _Architecture) -> dict[str, Any]:
    hidden, heads = file.integer("embedding_length"), file.integer("attention.head_count")
    head = file.integer("attention.key_length", file.integer("rope.dimension_count", hidden // heads))
    if file.integer("attention.value_length", head) != head or file.integer("rope.dimension_count", head) != head:
        raise UserError(f"{file.path.name} has heads of a shape that Foreword cannot convert.", _ANOTHER)
    if "token_embd.weight" not in file.tensors:
        raise UserError(f"{file.path.name} holds no token embeddings: it is not a whole model.", _ANOTHER)
    layers = file.integer("block_count")
    if layers > MOST_LAYERS:
        raise UserError(f"{file.path.name} tells of {layers} layers, more than any model has.", "Get the file again.")
    config = {
        "architectures": [architecture.class_name],
        "model_type": architecture.model_type,
        "vocab_size": file.tensors["token_embd.weight"].shape[0],
        "hidden_size": hidden,
        "intermediate_size": file.integer("feed_forward_length"),
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": file.integer("attention.head_count_kv", heads),
        "head_dim": head,
        "max_position_embeddings": file.integer("context_length"),
        "rms_norm_eps": file.real("attention.layer_norm_rms_epsilon", 1e-6),
        "tie_word_embeddings": "output.weight" not in file.tensors,
        "rope_parameters": rope_parameters(file, head),
    }
    if architecture.may_be_biased:
        config["attention_bias"] = "blk.0.attn_output.bias" in file.tensors
        config["mlp_bias"] = "blk.0.ffn_down.bias" in file.tensors
    return config | architecture.details(file, config)


def _shapes(config: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    hidden, inner, head = config["hidden_size"], config["intermediate_size"], config["head_dim"]
    queries, keys = config["num_attention_heads"] * head, config["num_key_value_heads"] * head
    return {
        "token_embd": (config["vocab_size"], hidden),
        "output": (config["vocab_size"], hidden),
        "attn_q": (queries, hidden),
        "attn_k": (keys, hidden),
        "attn_v": (keys, hidden),
        "attn_output": (hidden, queries),
        "ffn_gate": (inner, hidden),
        "ffn_up": (inner, hidden),
        "ffn_down": (hidden, inner),
        "attn_q_norm": (head,),
        "attn_k_norm": (head,),
    }  # everything else is a norm: (hidden,)


def _parts(config: dict[str, Any], architecture: _Architecture) -> dict[str, str]:
    """File name -> transformers name, both without the layer, of every weight that a layer must have."""
    biased = set(architecture.biased)
    if config.get("attention_bias"):
        biased |= {"attn_q", "attn_k", "attn_v", "attn_output"}
    if config.get("mlp_bias"):
        biased |= {"ffn_gate", "ffn_up", "ffn_down"}
    weights = {f"{part}.weight": f"{name}.weight" for part, name in architecture.layer.items()}
    return weights | {f"{part}.bias": f"{architecture.layer[part]}.bias" for part in sorted(biased)}


def blueprint(file: GgufFile) -> Blueprint:
    """Raises UserError, naming the architecture, when the model is not of a kind that converts exactly."""
    architecture = _ARCHITECTURES.get(file.architecture)
    if architecture is None or file.setting("expert_count"):
        kind = (file.architecture or "nameless") + (" with experts" if architecture else "")
        raise UserError(
            f"{file.path.name} is a model of the {kind} architecture, which Foreword cannot convert from GGUF.",
            f"{_ANOTHER} From GGUF it can: {', '.join(SUPPORTED)}.",
        )
    config = _config(file, architecture)
    shapes = _shapes(config)
    wanted = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}
    if not config["tie_word_embeddings"]:
        wanted["output.weight"] = "lm_head.weight"
    parts = _parts(config, architecture)
    for i in range(config["num_hidden_layers"]):
        wanted |= {f"blk.{i}.{part}": f"model.layers.{i}.{name}" for part, name in parts.items()}
    missing = [name for name in wanted if name not in file.tensors]
    unknown = [name for name in file.tensors if name not in wanted and name != "rope_freqs.weight"]
    if missing or unknown:
        odd = f"lacks {missing[0]}" if missing else f"holds {unknown[0]}"
        raise UserError(
            f"{file.path.name} {odd}, which does not fit a model of the {file.architecture} architecture.", _ANOTHER
        )
    weights = []
    for name, tensor in file.tensors.items():
        if name not in wanted:
            continue
        part, suffix = name.split(".")[-2:]
        shape = shapes.get(part, (config["hidden_size"],))
        if tensor.shape != (shape if suffix == "weight" else shape[:1]):
            raise UserError(f"{file.path.name} gives {name} a shape that does not fit the rest.", "Get the file again.")
        heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}.get(part, 0)
        offset = architecture.norm_offset if part.endswith("norm") else 0.0
        weights.append(Weight(wanted[name], tensor, heads if architecture.interleaved else 0, offset))
    return Blueprint(config, tuple(weights))

"""What of a model costs memory, read from config.json and the headers of its files. Nothing heavy is imported."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from inference.errors import UserError
from inference.heads.shape import HeadShape
from inference.heads.shelf import shapes_for
from inference.manager.folder import config_of
from inference.manager.prediction_layers import find_prediction_layers, layer_number, prediction_tensors
from inference.manager.safetensors_file import TensorEntry, read_header
from inference.models.fused.architecture import Architecture
from inference.settings import INT4_GROUPS, packed_kind

GGUF_NAME = "source.gguf"
_ATTENTION = ("full_attention", "sliding_attention", "chunked_attention", "attention", "hybrid")
_FORGETFUL = ("mlp", "moe")  # layers that keep nothing; those of other kinds are recurrent
_PATTERN = {"M": "mamba", "*": "attention", "-": "mlp", "E": "moe"}  # Nemotron-H
_TABLES = ("embed_tokens.weight", "lm_head.weight", "wte.weight", "word_embeddings.weight", "embed_out.weight")
HEAD = "lm_head.weight"
# Of a prediction layer, but the target's.
_SHARED = ("embed_tokens.weight", "shared_head.head.weight", "shared_head.weight")


@dataclass(frozen=True)
class Layer:
    """What a layer keeps of a text. values: of keys and values together for each token. window: how many of the last
    tokens the layer can see (None: all). state, convolution: values that a recurrent layer keeps, whatever the length;
    the state's have 32 bits."""

    values: int = 0
    window: int | None = None
    state: int = 0
    convolution: int = 0


@dataclass(frozen=True)
class ModelShape:
    """Sizes are counts unless they say bytes. matrices and tables (embedding, and head where it is another): [outputs,
    inputs]. group: query heads for each key head. stored_bytes: of the weights as they lie on the disk.

    packed_blocks: bytes of the GGUF's own blocks in the native kernels' formats, None where there is no GGUF.
    prediction: weights of the checkpoint's own first prediction layer, 0 where there is none that can draft. trained:
    heads that are loaded beside the model where the fused decoder computes.
    """

    vocabulary: int
    hidden: int
    intermediate: int
    heads: int
    head_size: int
    context_length: int
    layers: tuple[Layer, ...]
    matrices: tuple[tuple[int, int], ...]
    tables: tuple[tuple[int, int], ...]
    vectors: int
    stored_bytes: int = 0
    quantized: bool = False  # the files are: they are used as they are
    fused: bool = False  # the fused decoder knows the architecture
    native: bool = False  # and so do the native kernels
    packed_blocks: int | None = None
    four_bit_blocks: bool = False
    packed: tuple[str, ...] = ()  # kinds of packed weights (`settings.packed_kind`) that lie ready on the disk
    prediction: int = 0
    trained: tuple[HeadShape, ...] = ()

    @cached_property
    def parameters(self) -> int:
        return sum(a * b for a, b in (*self.matrices, *self.tables)) + self.vectors

    @property
    def tied(self) -> bool:
        return len(self.tables) == 1

    @cached_property
    def values_per_token(self) -> int:
        """Keys and values of one token over all layers that keep them."""
        return sum(layer.values for layer in self.layers)

    def state_bytes(self, value_bits: int) -> int:
        """Of all recurrent layers; their convolutions have as many bits as keys and values."""
        return sum(4 * layer.state + layer.convolution * max(value_bits, 16) // 8 for layer in self.layers)

    @cached_property
    def key_size(self) -> int:
        """Values of the keys of one token in one layer."""
        return max((layer.values for layer in self.layers), default=0) // 2


def shape_of(
    config: Mapping[str, Any], entries: Mapping[str, TensorEntry] | None = None, parameters: int = 0
) -> ModelShape:
    """From config.json, and the tensors of the files where they are at hand.

    parameters: how many there are, for a model that is not on this disk and that the fused decoder does not know.
    Raises UserError when config.json lacks what everything depends on.
    """
    inner = config.get("text_config")
    text: Mapping[str, Any] = {**config, **inner} if isinstance(inner, dict) else config
    try:
        architecture = Architecture.from_config(dict(text))
    except (KeyError, TypeError, ValueError):
        architecture = None
    prediction = 0
    if entries is not None:  # the library leaves prediction layers aside when it loads the target
        found = prediction_tensors(config, entries)
        prediction = _first_prediction(config, {name: entries[name] for name in found})
        entries = {name: entry for name, entry in entries.items() if name not in found}
    hidden = _count(text, "hidden_size", "n_embd", "d_model")
    vocabulary, depth = _count(text, "vocab_size"), _count(text, "num_hidden_layers", "n_layer", "num_layers")
    if not depth and isinstance(kinds := text.get("layers_block_type"), list):
        depth = len(kinds)
    if not (hidden and vocabulary and depth):
        raise UserError("config.json does not say how large the model is.", "Get the model's files again.")
    _, heads, head_size = _heads(text)
    tied = bool(text.get("tie_word_embeddings", True))
    if entries is not None:
        tied = tied and not any(name.endswith(HEAD) for name in entries)
    if architecture is not None and (entries is None or architecture.tied == tied):
        tied = architecture.tied
    tables = ((vocabulary, hidden),) * (1 if tied else 2)
    matrices, vectors = _matrices(architecture, entries, parameters, (hidden, vocabulary, depth, len(tables)))
    return ModelShape(
        vocabulary=vocabulary,
        hidden=hidden,
        intermediate=_count(text, "intermediate_size", "n_inner", "moe_intermediate_size") or 4 * hidden,
        heads=heads,
        head_size=head_size,
        context_length=_count(text, "max_position_embeddings", "n_positions", "max_seq_len") or 0,
        layers=_layers(text, architecture, depth),
        matrices=matrices,
        tables=tables,
        vectors=vectors,
        stored_bytes=sum(entry.end - entry.begin for entry in (entries or {}).values()),
        quantized=bool(config.get("quantization_config")),
        fused=architecture is not None,
        native=architecture is not None and _native(architecture),
        prediction=prediction,
    )


def shape_in(folder: Path) -> ModelShape:
    """Of a model on this disk. Raises UserError with what is wrong where none can be loaded from the folder."""
    config = config_of(folder)
    try:
        entries: dict[str, TensorEntry] = {}
        for path in sorted(folder.glob("*.safetensors")):
            entries |= read_header(path)
    except (OSError, ValueError) as error:  # of files that went meanwhile, or that are not the model's
        text = f"{folder.name} cannot be planned for: its files cannot be read."
        raise UserError(text, "Get the model's files again.") from error
    shape = shape_of(config, entries)
    if shape.fused:
        shape = replace(shape, trained=shapes_for(folder))
    if not shape.native:
        return shape
    from inference.models.fused.packing import packed_file

    kinds = ("int8", *(packed_kind("int4", group, tables) for group in INT4_GROUPS for tables in (False, True)))
    shape = replace(shape, packed=tuple(kind for kind in kinds if packed_file(folder, kind).is_file()))
    if (folder / GGUF_NAME).is_file():
        from inference.plan.gguf_blocks import packed_size

        packed = packed_size(folder / GGUF_NAME)
        if packed is not None:
            return replace(shape, packed_blocks=packed.nbytes, four_bit_blocks=packed.four_bit)
    return shape


def _count(config: Mapping[str, Any], *names: str) -> int:
    return next((value for name in names if isinstance(value := config.get(name), int) and value > 0), 0)


def _heads(text: Mapping[str, Any]) -> tuple[int, int, int]:
    """Hidden size, query heads, and values of a head."""
    hidden, heads = _count(text, "hidden_size", "n_embd", "d_model"), _count(text, "num_attention_heads", "n_head") or 1
    return hidden, heads, _count(text, "head_dim") or hidden // heads


def _native(architecture: Architecture) -> bool:
    from inference.models.fused.native_decoder import native_fits

    return native_fits(architecture)


def _first_prediction(config: Mapping[str, Any], entries: Mapping[str, TensorEntry]) -> int:
    """How many weights `heads.prediction.hold_prediction` takes of those in `entries`; 0 where it takes none."""
    found = find_prediction_layers(config, {name: entry.dtype for name, entry in entries.items()})
    if found.packed or found.own_embeddings:
        return 0
    layers = {name: layer_number(name) for name in entries}
    first = min((layer for layer in layers.values() if layer is not None), default=None)
    own = [name for name, layer in layers.items() if layer in (None, first) and not name.endswith(_SHARED)]
    return sum(entries[name].elements for name in own)


def _matrices(
    architecture: Architecture | None,
    entries: Mapping[str, TensorEntry] | None,
    parameters: int,
    sizes: tuple[int, int, int, int],
) -> tuple[tuple[tuple[int, int], ...], int]:
    """Every matrix that is no table, and how many values stand in vectors."""
    hidden, vocabulary, depth, tables = sizes
    if architecture is not None:
        from inference.models.fused.tensor_names import matrix_shapes

        shapes = [s for name, s in matrix_shapes(architecture).items() if not name.endswith(_TABLES)]
        return tuple(shapes), (2 * depth + 1) * hidden
    if entries is not None:
        rest = [entry for name, entry in entries.items() if not name.endswith(_TABLES)]
        flat = [(entry.elements // entry.shape[-1], entry.shape[-1]) for entry in rest if len(entry.shape) > 1]
        return tuple(flat), sum(entry.elements for entry in rest if len(entry.shape) < 2)
    inside = parameters - tables * vocabulary * hidden if parameters else 12 * depth * hidden * hidden
    return ((max(inside, 0) // hidden, hidden),), (2 * depth + 1) * hidden


def _layers(text: Mapping[str, Any], architecture: Architecture | None, depth: int) -> tuple[Layer, ...]:
    if architecture is not None:
        return tuple(Layer(2 * architecture.key_size, layer.window) for layer in architecture.layers)
    hidden, heads, head_size = _heads(text)
    key_heads = _count(text, "num_key_value_heads", "num_kv_heads") or heads
    values = 2 * key_heads * head_size
    if latent := _count(text, "kv_lora_rank"):  # the library unfolds latent attention into full keys and values
        sizes = (_count(text, "qk_nope_head_dim") + _count(text, "qk_rope_head_dim"), _count(text, "v_head_dim"))
        values = heads * sum(sizes) if all(sizes) else 2 * heads * latent
    window = _count(text, "sliding_window") or None
    state, convolution = _state(text, hidden)
    both = text.get("model_type") == "falcon_h1"  # attention and a state side by side in every layer
    result = []
    for kind in _kinds(text, depth):
        attends = both or kind in _ATTENTION
        recurrent = both or kind == "hybrid" or not (attends or kind in _FORGETFUL)
        result.append(
            Layer(
                values if attends else 0,
                window if kind == "sliding_attention" else None,
                state if recurrent else 0,
                convolution if recurrent else 0,
            )
        )
    return tuple(result)


def _kinds(text: Mapping[str, Any], depth: int) -> list[str]:
    """Of every layer."""
    kinds = text.get("layer_types") or text.get("layers_block_type")
    if isinstance(kinds, list) and len(kinds) >= depth:
        return kinds[:depth]
    if isinstance(pattern := text.get("hybrid_override_pattern"), str):
        return [_PATTERN.get(letter, "attention") for letter in pattern[:depth]]
    if isinstance(attending := text.get("attn_layer_indices"), list):  # Bamba
        return ["attention" if layer in attending else "mamba" for layer in range(depth)]
    if period := _count(text, "attn_layer_period"):  # Jamba
        offset = _count(text, "attn_layer_offset")
        return ["attention" if layer % period == offset else "mamba" for layer in range(depth)]
    recurrent = str(text.get("model_type")) in ("mamba", "mamba2", "rwkv")
    return ["mamba" if recurrent else "full_attention"] * depth


def _state(text: Mapping[str, Any], hidden: int) -> tuple[int, int]:
    """Values of the state and of the convolution of one recurrent layer, as transformers keeps them."""
    if value_heads := _count(text, "linear_num_value_heads"):  # gated delta rule: Qwen3-Next, Qwen3.5
        keys, key_size = _count(text, "linear_num_key_heads"), _count(text, "linear_key_head_dim")
        value_size, kernel = _count(text, "linear_value_head_dim"), _count(text, "linear_conv_kernel_dim")
        return value_heads * key_size * value_size, kernel * (2 * keys * key_size + value_heads * value_size)
    if state := _count(text, "mamba_d_state", "ssm_state_size", "state_size"):
        heads = _count(text, "mamba_num_heads") * _count(text, "mamba_head_dim")  # Nemotron
        expanded = _count(text, "mamba_expand", "expand") * hidden or 2 * hidden
        inner = heads or _count(text, "mamba_d_ssm") or expanded
        groups, kernel = _groups(text), _count(text, "mamba_d_conv", "conv_kernel", "mamba_conv_kernel")
        return inner * state, (kernel or 4) * (inner + 2 * groups * state)
    return 0, (_count(text, "conv_L_cache") or 4) * hidden  # short convolutions: LFM2


def _groups(text: Mapping[str, Any]) -> int:
    """Of keys and queries that go through the convolution with the values; none where they do not."""
    if str(text.get("model_type")) in ("mamba", "jamba"):
        return 0
    return _count(text, "mamba_n_groups", "n_groups", "mamba_ngroups") or 1

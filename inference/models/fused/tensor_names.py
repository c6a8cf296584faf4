"""The names and shapes of a model's tensors, as transformers calls them."""

from inference.models.fused.architecture import Architecture
from inference.models.fused.source import EMBEDDING, FINAL_NORM, HEAD


def matrix_shapes(architecture: Architecture) -> dict[str, tuple[int, int]]:
    """Name -> (outputs, inputs) of every matrix of the model."""
    a = architecture
    table = (a.vocabulary_size, a.hidden_size)
    shapes = {EMBEDDING: table} if a.tied else {EMBEDDING: table, HEAD: table}
    for index in range(len(a.layers)):
        attention, mlp = f"model.layers.{index}.self_attn", f"model.layers.{index}.mlp"
        shapes |= {
            f"{attention}.q_proj.weight": (a.query_size, a.hidden_size),
            f"{attention}.k_proj.weight": (a.key_size, a.hidden_size),
            f"{attention}.v_proj.weight": (a.key_size, a.hidden_size),
            f"{attention}.o_proj.weight": (a.hidden_size, a.query_size),
            f"{mlp}.gate_proj.weight": (a.intermediate_size, a.hidden_size),
            f"{mlp}.up_proj.weight": (a.intermediate_size, a.hidden_size),
            f"{mlp}.down_proj.weight": (a.hidden_size, a.intermediate_size),
        }
    return shapes


def vector_names(architecture: Architecture) -> list[str]:
    """Norms and biases that a model of any of our families may have."""
    names = [FINAL_NORM]
    for index in range(len(architecture.layers)):
        stem = f"model.layers.{index}"
        names += [f"{stem}.{norm}_layernorm.weight" for norm in ("input", "post_attention")]
        names += [f"{stem}.{norm}_layernorm.weight" for norm in ("pre_feedforward", "post_feedforward")]
        names += [f"{stem}.self_attn.{norm}_norm.weight" for norm in "qk"]
        names += [f"{stem}.self_attn.{part}_proj.bias" for part in "qkvo"]
        names.append(f"{stem}.mlp.down_proj.bias")
    return names


def tensor_names(architecture: Architecture) -> list[str]:
    """Every tensor that a model of this kind may have and that we read."""
    return [*matrix_shapes(architecture), *vector_names(architecture)]

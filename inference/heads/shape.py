"""The sizes of a trained head: those of its target, and the target's layers whose output it reads. No torch here."""

from dataclasses import dataclass

from inference.models.fused.architecture import Architecture

DEPTHS = 3  # an early, a middle and the last layer, as EAGLE-3 reads (arXiv 2503.01840)
MOST_TOKENS = 8192  # of a head's reduced vocabulary


@dataclass(frozen=True)
class HeadShape:
    """depths: layer indexes in rising order; the residual stream right after each is read.

    window: how many of the latest positions the head attends to, its own among them; 0: all.
    """

    depths: tuple[int, int, int]
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocabulary_size: int
    rope_theta: float = 10000.0
    eps: float = 1e-5
    window: int = 0

    def __post_init__(self) -> None:
        counts = (self.hidden, self.heads, self.kv_heads, self.head_dim, self.intermediate, self.vocabulary_size)
        if any(type(count) is not int or count < 1 for count in (*counts, self.window + 1)):
            raise ValueError("sizes are whole numbers above zero")
        if len(self.depths) != DEPTHS or any(type(depth) is not int or depth < 0 for depth in self.depths):
            raise ValueError(f"a head reads {DEPTHS} layers of its target")
        if list(self.depths) != sorted(self.depths):
            raise ValueError("the layers a head reads are listed from first to last")
        if self.heads % self.kv_heads or self.head_dim % 2:
            raise ValueError("query heads share key heads evenly, and a head is rotated in pairs")
        if self.vocabulary_size > MOST_TOKENS:
            raise ValueError(f"a head drafts over {MOST_TOKENS:,} tokens at most, not {self.vocabulary_size:,}")
        if not self.rope_theta > 0 or not self.eps > 0:
            raise ValueError("rope_theta and eps are positive")

    @classmethod
    def for_target(cls, target: Architecture, vocabulary_size: int, window: int = 0) -> "HeadShape":
        """A layer like the target's own."""
        ropes = [layer.rope for layer in target.layers if layer.rope is not None]
        return cls(
            depths=default_depths(len(target.layers)),
            hidden=target.hidden_size,
            heads=target.heads,
            kv_heads=target.key_heads,
            head_dim=target.head_size,
            intermediate=target.intermediate_size,
            vocabulary_size=vocabulary_size,
            rope_theta=ropes[-1].theta if ropes else 10000.0,
            eps=target.norm_epsilon,
            window=window,
        )

    @property
    def tensors(self) -> dict[str, tuple[int, ...]]:
        """Every tensor of `head.safetensors` and its shape; matrices are [outputs, inputs]."""
        d, inner = self.hidden, self.intermediate
        query, key = self.heads * self.head_dim, self.kv_heads * self.head_dim
        return {
            "fuse.weight": (d, DEPTHS * d),
            "in.weight": (d, 2 * d),
            "embedding_norm.weight": (d,),
            "feature_norm.weight": (d,),
            "layer.input_norm.weight": (d,),
            "layer.q.weight": (query, d),
            "layer.k.weight": (key, d),
            "layer.v.weight": (key, d),
            "layer.o.weight": (d, query),
            "layer.post_norm.weight": (d,),
            "layer.gate.weight": (inner, d),
            "layer.up.weight": (inner, d),
            "layer.down.weight": (d, inner),
            "output_norm.weight": (d,),
            "vocabulary": (self.vocabulary_size,),
        }


def default_depths(layers: int) -> tuple[int, int, int]:
    """Of a target of `layers` layers: 30 -> (2, 14, 29)."""
    last = layers - 1
    return min(2, last // 3), last // 2, last

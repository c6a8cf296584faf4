"""The forward pass in native code: the same decoder, every step of it in one call. `Decoder` shows what it computes."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inference.loading import Report, unreported
from inference.models.fused.architecture import Architecture
from inference.models.fused.packing import packed_tensors
from inference.models.fused.rotary import tables
from inference.models.fused.source import EMBEDDING, FINAL_NORM, HEAD
from inference.models.fused.tensor_names import matrix_shapes
from inference.native.fetching import choose_fetching

if TYPE_CHECKING:
    import torch

    from inference.models.causal_model import Cache
    from inference.native.library import Library
    from inference.native.native_model import Heads, ModelWeights, Rotary
    from inference.native.page_cache import PageCache
    from inference.native.weights import PackedMatrix

KEPT_ROWS = 32  # logits of a verify pass are written to the same memory each time


def native_fits(architecture: Architecture) -> bool:
    """Whether the kernels can compute this architecture."""
    return attention_fits(architecture) and architecture.logit_cap is None and not architecture.mlp_biases


def attention_fits(architecture: Architecture) -> bool:
    """Whether the kernels can compute its attention."""
    return architecture.head_size % 16 == 0 and architecture.head_size <= 256


class NativeDecoder:
    """int4 and int8 on the CPU. Made by `load`."""

    def __init__(self, library: "Library", weights: "ModelWeights", context_length: int) -> None:
        import torch

        from inference.native.native_model import NativeModel
        from inference.native.page_cache import PageCache

        self._cache_type = PageCache
        self.model = NativeModel(library, weights)
        self.context_length = context_length
        self.cache_bits = 16  # of keys and values in new caches
        self._logits = torch.empty(KEPT_ROWS, weights.head.outputs)
        self._rows = {rows: self._logits[:rows] for rows in range(1, KEPT_ROWS + 1)}  # slicing costs time every pass

    @classmethod
    def load(
        cls,
        library: "Library",
        folder: Path,
        architecture: Architecture,
        kind: str,
        context_length: int,
        *,
        report: Report = unreported,
    ) -> "NativeDecoder":
        """kind: `settings.packed_kind`. Raises UserError for missing or damaged files."""
        tensors = packed_tensors(folder, architecture, kind, report)
        decoder = cls(library, _Assembly(architecture, tensors, context_length).model(), context_length)
        choose_fetching(decoder.model)
        return decoder

    @property
    def nbytes(self) -> int:
        return self.model.weights.nbytes

    def form(self, precision: str) -> str:
        """What its weights really are, for people: int5 where most of a file's blocks are, and how large groups are."""
        from inference.native.weights import Format

        matrices = self.model.weights.matrices
        five = sum(matrix.weights for matrix in matrices if matrix.format is Format.INT5)
        if 2 * five > sum(matrix.weights for matrix in matrices):
            return "int5"
        kinds = {matrix.format for matrix in matrices}
        groups = [size for size, kind in ((128, Format.INT4_128), (64, Format.INT4_64)) if kind in kinds]
        return f"{precision} in groups of {groups[0]}" if groups else precision

    @property
    def device(self) -> "torch.device":
        return self._logits.device

    def new_cache(self) -> "PageCache":
        return self.model.new_cache(self.context_length, self.cache_bits)

    def embed(self, tokens: Sequence[int]) -> "torch.Tensor":
        return self.model.library.embed(self.model.weights.embedding, tokens)

    def observe(self, depths: Sequence[int]) -> None:
        """See `inference.models.causal_model.FeatureModel`."""
        self.model.observe(depths)

    def features(self) -> "torch.Tensor":
        return self.model.features()

    def forward(self, tokens: Sequence[int], cache: "Cache", rows: int) -> "torch.Tensor":
        """Append `tokens`; float32 [rows, vocabulary] of the last `rows`."""
        if not isinstance(cache, self._cache_type):
            raise TypeError(f"a {type(cache).__name__} is not this decoder's cache")
        return self.model.forward(tokens, cache, rows, self._rows.get(rows))

    def forward_texts(self, tokens: Sequence[int], caches: "Sequence[Cache]") -> "torch.Tensor":
        """Append tokens[i] to caches[i], all in one pass; float32 [texts, vocabulary]."""
        pages = [cache for cache in caches if isinstance(cache, self._cache_type)]
        if len(pages) < len(caches):
            raise TypeError("one of the caches is not this decoder's")
        return self.model.forward_texts(tokens, pages, self._rows.get(len(tokens)))


class _Assembly:
    """Puts packed tensors into the places of a model."""

    def __init__(self, architecture: Architecture, tensors: "dict[str, torch.Tensor]", context_length: int) -> None:
        self._architecture = architecture
        self._tensors = tensors
        self._shapes = matrix_shapes(architecture)
        self._rotaries = self._make_rotaries(context_length)

    def model(self) -> "ModelWeights":
        from inference.native.native_model import LayerWeights, ModelWeights

        a = self._architecture
        layers = []
        for index in range(len(a.layers)):
            stem = f"model.layers.{index}."
            attention, mlp = f"{stem}self_attn.", f"{stem}mlp."
            before_mlp = "pre_feedforward_layernorm" if a.post_norms else "post_attention_layernorm"
            layers.append(
                LayerWeights(
                    attention_norm=self._norm(f"{stem}input_layernorm"),
                    query=self._matrix(f"{attention}q_proj"),
                    key=self._matrix(f"{attention}k_proj"),
                    value=self._matrix(f"{attention}v_proj"),
                    output=self._matrix(f"{attention}o_proj"),
                    heads=self._heads(index),
                    feed_forward_norm=self._norm(stem + before_mlp),
                    gate=self._matrix(f"{mlp}gate_proj"),
                    up=self._matrix(f"{mlp}up_proj"),
                    down=self._matrix(f"{mlp}down_proj"),
                    post_attention_norm=self._norm(f"{stem}post_attention_layernorm") if a.post_norms else None,
                    post_feed_forward_norm=self._norm(f"{stem}post_feedforward_layernorm") if a.post_norms else None,
                )
            )
        embedding = self._matrix(EMBEDDING.removesuffix(".weight"))
        return ModelWeights(
            embedding=embedding,
            layers=tuple(layers),
            final_norm=self._norm(FINAL_NORM.removesuffix(".weight")),
            head=embedding if a.tied else self._matrix(HEAD.removesuffix(".weight")),
            epsilon=a.norm_epsilon,
            activation=a.activation,
            embedding_scale=a.embedding_scale,
        )

    def _matrix(self, stem: str) -> "PackedMatrix":
        from inference.native.weights import Format, PackedMatrix

        data = self._tensors[f"{stem}.weight"]
        outputs, inputs = self._shapes[f"{stem}.weight"]
        kind = Format.of(data.numel(), outputs, inputs)
        return PackedMatrix(data, outputs, inputs, kind, self._tensors.get(f"{stem}.bias"))

    def _norm(self, stem: str) -> "torch.Tensor":
        return self._tensors[f"{stem}.weight"] + self._architecture.norm_offset

    def _heads(self, index: int) -> "Heads":
        from inference.native.native_model import Heads, turned_bias

        a, shape = self._architecture, self._architecture.layers[index]
        stem = f"model.layers.{index}.self_attn."
        rotary = None if shape.rope is None else self._rotaries[shape.rope]
        bias = self._tensors.get(f"{stem}k_proj.bias")
        offsets = None
        if bias is not None and rotary is not None and not a.head_norms:
            offsets = turned_bias(bias, rotary)
        return Heads(
            heads=a.heads,
            kv_heads=a.key_heads,
            head_size=a.head_size,
            scale=a.attention_scale,
            rotary=rotary,
            window=shape.window or 0,
            epsilon=a.norm_epsilon,
            query_norm=self._norm(f"{stem}q_norm") if a.head_norms else None,
            key_norm=self._norm(f"{stem}k_norm") if a.head_norms else None,
            key_offsets=offsets,
        )

    def _make_rotaries(self, positions: int) -> "dict[object, Rotary]":
        from inference.native.native_model import Rotary

        ropes = {layer.rope for layer in self._architecture.layers if layer.rope is not None}
        return {rope: Rotary(*tables(rope, self._architecture.head_size, positions)) for rope in ropes}

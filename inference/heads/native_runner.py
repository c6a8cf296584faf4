"""A trained head in native code, its matrices at four bits: one call for a whole draft."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inference.heads.package import Package
from inference.heads.runner import REACH
from inference.models.fused.architecture import Rope
from inference.models.fused.rotary import tables
from inference.native.native_head import HeadWeights, NativeHead
from inference.native.native_model import Heads, LayerWeights, NativeModel, Rotary
from inference.native.page_cache import PageCache
from inference.native.weights import pack_int4
from inference.settings import MAX_DRAFT_LENGTH

if TYPE_CHECKING:
    from torch import Tensor

    from inference.models.causal_model import Cache


class NativeRunner:
    """See `inference.heads.runner.HeadRunner`. output: rows of the target's output layer, float32."""

    def __init__(self, package: Package, target: NativeModel, output: "Tensor", context_length: int) -> None:
        self.depths: tuple[int, ...] = package.card.shape.depths
        self.capacity = context_length + MAX_DRAFT_LENGTH
        self.reach = REACH
        self._head = NativeHead(target.library, _weights(package, target, output, self.capacity))

    @property
    def nbytes(self) -> int:
        return self._head.weights.nbytes

    def new_cache(self) -> PageCache:
        return self._head.new_cache(self.capacity)

    def draft(self, tokens: Sequence[int], features: "Tensor", cache: "Cache", k: int, least: float = 0.0) -> list[int]:
        if not isinstance(cache, PageCache):
            raise TypeError(f"a {type(cache).__name__} is not this head's cache")
        return self._head.draft(tokens, features, cache, k, least)


def _weights(package: Package, target: NativeModel, output: "Tensor", positions: int) -> HeadWeights:
    shape, tensors = package.card.shape, package.tensors
    packed = {name: pack_int4(tensor) for name, tensor in tensors.items() if tensor.dim() == 2}
    norms = {name: tensor.float().contiguous() for name, tensor in tensors.items() if name.endswith("norm.weight")}
    heads = Heads(
        heads=shape.heads,
        kv_heads=shape.kv_heads,
        head_size=shape.head_dim,
        scale=shape.head_dim**-0.5,
        rotary=Rotary(*tables(Rope(shape.rope_theta), shape.head_dim, positions)),
        window=shape.window,
    )
    layer = LayerWeights(
        attention_norm=norms["layer.input_norm.weight"],
        query=packed["layer.q.weight"],
        key=packed["layer.k.weight"],
        value=packed["layer.v.weight"],
        output=packed["layer.o.weight"],
        heads=heads,
        feed_forward_norm=norms["layer.post_norm.weight"],
        gate=packed["layer.gate.weight"],
        up=packed["layer.up.weight"],
        down=packed["layer.down.weight"],
    )
    return HeadWeights(
        embedding=target.weights.embedding,
        fuse=packed["fuse.weight"],
        join=packed["in.weight"],
        output=pack_int4(output),
        embedding_norm=norms["embedding_norm.weight"],
        feature_norm=norms["feature_norm.weight"],
        output_norm=norms["output_norm.weight"],
        layer=layer,
        vocabulary=package.vocabulary.contiguous(),
        epsilon=shape.eps,
    )

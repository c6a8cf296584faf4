"""The trained head in plain torch, float32: the reference for the native one, and what training trains.

One decoder layer over the target's own features, after EAGLE-3 (arXiv 2503.01840), drafting over a reduced vocabulary
after FR-Spec (arXiv 2502.14856). Entry s of the head stands at position s of the text, s >= 1. It reads the embedding
of token s and, at step 1 of a draft, the target's features of position s - 1; what it puts out guesses token s + 1. At
the next steps its own output of the entry before stands in for the features.

    g = W_fuse [f_early / rms, f_middle / rms, f_last / rms]       x = W_in [norm_e(E[token]); norm_g(g)]
    h = x + attention(norm(x)); h = h + swiglu(norm(h))            logits = W_out norm_o(h)

Embeddings E and W_out are the target's own, so they are arguments here.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from inference.heads.shape import DEPTHS, HeadShape


class Keys(NamedTuple):
    """What entries leave for later ones to attend to, each [batch, kv_heads, time, head_dim], keys rotated."""

    keys: Tensor
    values: Tensor


class Norm(nn.Module):
    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x.to(self.weight.dtype), self.weight.shape, self.weight, self.eps)


class Layer(nn.Module):
    """A Llama decoder layer whose keys and values the caller keeps."""

    def __init__(self, shape: HeadShape) -> None:
        super().__init__()
        self.shape = shape
        query, key = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
        self.input_norm = Norm(shape.hidden, shape.eps)
        self.q = nn.Linear(shape.hidden, query, bias=False)
        self.k = nn.Linear(shape.hidden, key, bias=False)
        self.v = nn.Linear(shape.hidden, key, bias=False)
        self.o = nn.Linear(query, shape.hidden, bias=False)
        self.post_norm = Norm(shape.hidden, shape.eps)
        self.gate = nn.Linear(shape.hidden, shape.intermediate, bias=False)
        self.up = nn.Linear(shape.hidden, shape.intermediate, bias=False)
        self.down = nn.Linear(shape.intermediate, shape.hidden, bias=False)

    def project(self, x: Tensor, positions: Tensor) -> tuple[Tensor, Keys]:
        """x [batch, time, hidden], positions [time] or [batch, time] -> rotated queries, and keys and values."""
        batch, time, _ = x.shape
        y = self.input_norm(x)
        query, key, value = (
            part.view(batch, time, -1, self.shape.head_dim).transpose(1, 2)
            for part in (self.q(y), self.k(y), self.v(y))
        )
        cos, sin = angles(positions, self.shape.head_dim, self.shape.rope_theta)
        return rotate(query, cos, sin), Keys(rotate(key, cos, sin), value)

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        """[batch, heads, time, keys' time], scaled."""
        scale: float = self.shape.head_dim**-0.5
        return query @ self.spread(keys).transpose(-1, -2) * scale

    def spread(self, x: Tensor) -> Tensor:
        """Keys or values, once for every query head that shares them."""
        return x.repeat_interleave(self.shape.heads // self.shape.kv_heads, dim=1)

    def finish(self, x: Tensor, mixed: Tensor) -> Tensor:
        """x [batch, time, hidden] plus what attention mixed [batch, heads, time, head_dim], then the MLP."""
        batch, _, time, _ = mixed.shape
        x = x + self.o(mixed.transpose(1, 2).reshape(batch, time, -1))
        y = self.post_norm(x)
        result: Tensor = x + self.down(functional.silu(self.gate(y)) * self.up(y))
        return result

    def forward(self, x: Tensor, positions: Tensor, mask: Tensor, past: Keys | None = None) -> tuple[Tensor, Keys]:
        """mask: bool [time, past + time], True where an entry may look. Returns the output and all keys and values."""
        query, own = self.project(x, positions)
        held = own if past is None else Keys(*(torch.cat(pair, dim=2) for pair in zip(past, own, strict=True)))
        scores = self.scores(query, held.keys).masked_fill(~mask, float("-inf"))
        return self.finish(x, scores.softmax(-1) @ self.spread(held.values)), held


class DraftHead(nn.Module):
    """See the top of this file. In training `forward` makes several steps over whole texts at once."""

    def __init__(self, shape: HeadShape) -> None:
        super().__init__()
        self.shape = shape
        self.fuse = nn.Linear(DEPTHS * shape.hidden, shape.hidden, bias=False)
        self.add_module("in", nn.Linear(2 * shape.hidden, shape.hidden, bias=False))  # its name in the file
        self.embedding_norm = Norm(shape.hidden, shape.eps)
        self.feature_norm = Norm(shape.hidden, shape.eps)
        self.layer = Layer(shape)
        self.output_norm = Norm(shape.hidden, shape.eps)

    def fused(self, features: Tensor) -> Tensor:
        """features [..., 3, hidden] of the target -> g [..., hidden]."""
        even: Tensor = self.fuse(normalized(features, self.shape.eps).flatten(-2))
        return even

    def entered(self, embedded: Tensor, g: Tensor) -> Tensor:
        """embedded [..., hidden]: E[token]; g [..., hidden]: fused features, or the output of the entry before."""
        pair = torch.cat((self.embedding_norm(embedded), self.feature_norm(g)), dim=-1)
        x: Tensor = self.get_submodule("in")(pair)
        return x

    def logits(self, h: Tensor, output: Tensor) -> Tensor:
        """h [..., hidden], output [reduced vocabulary, hidden]: rows of the target's own output layer."""
        return functional.linear(self.output_norm(h), output)

    def step(self, embedded: Tensor, g: Tensor, past: Keys | None = None, start: int = 0) -> tuple[Tensor, Keys]:
        """One step of entries that follow those in `past`; embedded, g [batch, time, hidden], start: first position.

        Causal, within the window. Returns h [batch, time, hidden] and the keys and values of all entries.
        """
        held, time = 0 if past is None else past.keys.shape[2], embedded.shape[1]
        at = torch.arange(time, device=embedded.device)
        mask = visible(held + at[:, None], torch.arange(held + time, device=embedded.device), self.shape.window)
        h, keys = self.layer(self.entered(embedded, g), start + at, mask, past)
        return h, keys

    def forward(self, embedded: Tensor, g: Tensor, steps: int = 1) -> list[Tensor]:
        """embedded [batch, time, hidden] of tokens s, g [batch, time, hidden] of positions s - 1 -> h of every step.

        Training-time test (arXiv 2503.01840, section 3.2): at step j entry s reads h of step j - 1 of entry s - 1 and
        attends as it would within a draft: to the true entries up to s - j + 1, then to its own draft's entries, one of
        each step. The first j - 1 entries of step j have no draft behind them and hold nothing of meaning.
        """
        time = embedded.shape[1]
        at = torch.arange(time, device=embedded.device)
        outputs: list[Tensor] = []
        drafted: list[Keys] = []  # of steps 2 to j
        true: Keys | None = None
        for j in range(steps):
            x = self.entered(embedded, _later(outputs[-1], 1) if outputs else g)
            query, own = self.layer.project(x, at)
            if true is None:
                true = own
            else:
                drafted.append(own)
            mask = visible(at[:, None], at, self.shape.window) & (at <= at[:, None] - j)
            mask[:j] |= at == 0  # rows without meaning look somewhere, so that none becomes NaN
            parts = [self.layer.scores(query, true.keys).masked_fill(~mask, float("-inf"))]
            for i, keys in enumerate(drafted):  # entry s - (j - 1 - i) of step i + 2
                beside = self.layer.spread(_later(keys.keys, j - 1 - i, dim=2))
                own_score = (query * beside).sum(-1, keepdim=True) * self.shape.head_dim**-0.5
                near = not self.shape.window or j - 1 - i < self.shape.window
                parts.append(own_score if near else torch.full_like(own_score, float("-inf")))
            weights = torch.cat(parts, dim=-1).softmax(-1)
            mixed = weights[..., :time] @ self.layer.spread(true.values)
            for i, keys in enumerate(drafted):
                beside = self.layer.spread(_later(keys.values, j - 1 - i, dim=2))
                mixed = mixed + weights[..., time + i, None] * beside
            outputs.append(self.layer.finish(x, mixed))
        return outputs


def normalized(features: Tensor, eps: float) -> Tensor:
    """Each feature divided by its own root mean square, without a weight: depths differ in size a hundredfold."""
    return functional.rms_norm(features, features.shape[-1:], None, eps)


def visible(queries: Tensor, keys: Tensor, window: int) -> Tensor:
    """Whether the entry at one position may look at another: bool, broadcast."""
    causal = keys <= queries
    return causal & (keys > queries - window) if window else causal


def angles(positions: Tensor, size: int, theta: float) -> tuple[Tensor, Tensor]:
    """cos and sin [..., 1, time, size / 2] for positions [..., time]."""
    exponents = torch.arange(0, size, 2, device=positions.device).float() / size
    turned = positions.float()[..., None, :, None] * (1.0 / theta**exponents)
    return turned.cos(), turned.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turn each pair (i, i + size / 2) of x [batch, heads, time, size] (Su et al. 2021, arXiv 2104.09864)."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


def _later(x: Tensor, by: int, dim: int = 1) -> Tensor:
    """Entry s of the result is entry s - by of x along the time; the first ones are zero."""
    if by == 0:
        return x
    empty = torch.zeros_like(x.narrow(dim, 0, min(by, x.shape[dim])))
    return torch.cat((empty, x.narrow(dim, 0, max(0, x.shape[dim] - by))), dim=dim)

"""From logits to the distribution that tokens are drawn from: the same filters, once, for draft and target.

Order: repetition penalty (Keskar et al. 2019, arXiv 1909.05858), temperature, top-k, top-p (Holtzman et al. 2020,
arXiv 1904.09751), min-p (Nguyen et al. 2024, arXiv 2407.01082). Temperature 0 leaves one token per row.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from inference.chance import Chances
from inference.device import on_card
from inference.native.library import loaded
from inference.native.native_sampling import NativeSampling
from inference.settings import SamplingSettings

LIKELIEST = 256  # top-p looks at this many tokens before it sorts a whole row
BLOCK = 128  # weights that are added up at once before one of them is drawn

Array = NDArray[np.float32]
Weights = Tensor | Array  # numpy on the CPU: right after a forward every call of torch costs as much as the sum itself


@dataclass(frozen=True)
class Distribution:
    """Distributions of the next token in `rows` positions.

    probabilities is [rows, vocabulary]; None when every row is one-hot (greedy): then `tokens` names each row's one.
    """

    probabilities: Weights | None
    tokens: tuple[int, ...] = ()

    @property
    def rows(self) -> int:
        return len(self.tokens) if self.probabilities is None else self.probabilities.shape[0]


def penalize(row: Tensor, seen: Iterable[int], penalty: float) -> None:
    """Make the tokens in `seen` less likely, in place: positive logits are divided, negative ones multiplied."""
    ids = torch.tensor(list(seen), dtype=torch.long, device=row.device)
    ids = ids[ids < row.shape[-1]]
    values = row[ids]
    row[ids] = torch.where(values > 0, values / penalty, values * penalty)


def _top_p_floor(probabilities: Tensor, top_p: float) -> Tensor:
    """Smallest probability that the nucleus of each row still holds, [rows, 1]. The likeliest token always stays."""
    count = min(LIKELIEST, probabilities.shape[-1])
    ordered = probabilities.topk(count).values
    if bool((ordered.sum(-1) < top_p).any()) and count < probabilities.shape[-1]:
        ordered = probabilities.sort(descending=True).values
    before = ordered.cumsum(-1) - ordered  # mass in front of each token
    last = (before < top_p).sum(-1, keepdim=True).clamp_min(1) - 1
    return ordered.gather(-1, last)


def filtered(logits: Tensor, settings: SamplingSettings) -> Tensor:
    """Probabilities [rows, vocabulary] after temperature > 0 and the top-k, top-p and min-p filters."""
    logits = logits / settings.temperature
    if 0 < settings.top_k < logits.shape[-1]:
        floor = logits.topk(settings.top_k).values[..., -1:]
        logits = logits.masked_fill(logits < floor, -torch.inf)
    probabilities = logits.softmax(-1)
    if settings.top_p >= 1.0 and settings.min_p == 0.0:
        return probabilities
    floor = torch.zeros_like(probabilities[..., :1])
    if settings.top_p < 1.0:
        floor = _top_p_floor(probabilities, settings.top_p)
    kept = probabilities.masked_fill(probabilities < floor, 0.0)
    if settings.min_p > 0.0:  # relative to the likeliest token, so it is the same before and after normalizing
        kept = kept.masked_fill(kept < settings.min_p * kept.amax(-1, keepdim=True), 0.0)
    return kept / kept.sum(-1, keepdim=True)


def softmax(logits: Array, temperature: float) -> Array:
    """Probabilities [rows, vocabulary] without any filter."""
    weights = logits * np.float32(1.0 / temperature)
    weights -= weights.max(-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(-1, keepdims=True)
    return weights


class Views:
    """Logits as numpy arrays, on the CPU; asked for only once of a model that writes to the same tensor each time."""

    KEPT = 4  # tensors, so that one round's draft and target find theirs

    def __init__(self) -> None:
        self._known: dict[int, tuple[Tensor, Array | None]] = {}  # by id; holding the tensor keeps its id its own

    def of(self, logits: Tensor) -> Array | None:
        """The same memory; None on a graphics card."""
        known = self._known.get(id(logits))
        if known is None:
            if len(self._known) == self.KEPT:
                del self._known[next(iter(self._known))]
            known = self._known[id(logits)] = (logits, logits.numpy() if logits.device.type == "cpu" else None)
        return known[1]


def draw(weights: Weights, generator: torch.Generator) -> int:
    """One token from a row of weights [vocabulary], which need not sum to one. One uniform number, by inversion."""
    if isinstance(weights, Tensor) and on_card(weights.device):
        return draw_on_card(weights, generator)
    row = weights.cpu().numpy() if isinstance(weights, Tensor) else weights
    return drawn(row, torch.rand(1, generator=generator, dtype=torch.float64).item())


def draw_on_card(weights: Tensor, generator: torch.Generator) -> int:
    """The same where the weights are."""
    chance = torch.rand(1, generator=generator, device=weights.device, dtype=torch.float64)
    return drawn_on_card(weights.unsqueeze(0), chance)[0]


def drawn_on_card(weights: Tensor, chances: Tensor) -> list[int]:
    """A token from each row of weights [rows, vocabulary], by chances [rows] float64. One host synchronisation."""
    if not on_card(weights.device):
        weights = weights.cpu()  # Metal has no float64
    mass = weights.double().cumsum(-1)
    wanted = chances.to(weights.device).unsqueeze(-1) * mass[:, -1:]
    tokens: list[int] = torch.searchsorted(mass, wanted, right=True).squeeze(-1).tolist()
    return [min(token, weights.shape[-1] - 1) for token in tokens]


def drawn(weights: Array, chance: float) -> int:
    """Finds the block that `chance` falls into, and the token in it."""
    whole = len(weights) // BLOCK * BLOCK
    sums = weights[:whole].reshape(-1, BLOCK).sum(-1)
    mass = np.append(sums, weights[whole:].sum()).cumsum(dtype=np.float64)
    wanted = chance * mass[-1]
    block = _reached(mass, wanted)
    within = weights[block * BLOCK : (block + 1) * BLOCK].cumsum(dtype=np.float64)
    return block * BLOCK + _reached(within, wanted - (mass[block - 1] if block else 0.0))


def _reached(mass: NDArray[np.float64], wanted: float) -> int:
    """Where the sum so far first exceeds `wanted`; the last that adds to it when rounding leaves none."""
    index = int(mass.searchsorted(wanted, side="right"))
    return index if index < len(mass) else int(mass.searchsorted(mass[-1]))


def stacked(rows: Sequence[Weights]) -> Weights:
    """[rows, vocabulary]"""
    tensors = [row for row in rows if isinstance(row, Tensor)]
    return torch.stack(tensors) if tensors else np.stack(rows)


class Sampler:
    """The sampling of one reply: its settings, its sources of chance, and the tokens its penalties know of.

    `generator` is for drafts and for judging those that were drawn; what the target says of itself has its chance by
    position (`inference.chance`).
    """

    def __init__(
        self, settings: SamplingSettings, device: torch.device, text: Iterable[int] = (), *, native: bool = True
    ) -> None:
        """text: what is there already. native: use the kernels where they are loaded."""
        self.settings = settings
        self.device = device
        self.seed = settings.seed if settings.seed is not None else secrets.randbelow(2**31)
        self.generator = torch.Generator(device if on_card(device) else "cpu").manual_seed(self.seed)
        self._chances = Chances(self.seed)
        self._seen = set(text)
        self._twins: dict[torch.device, Sampler] = {}
        self._views = Views()
        library = loaded() if native and device.type == "cpu" else None
        self._native = NativeSampling(library, settings) if library else None
        if self._native:
            self._native.commit(self._seen)

    def commit(self, tokens: Sequence[int]) -> None:
        """These follow the text."""
        self._chances.advance(len(tokens))
        self._seen.update(tokens)
        if self._native:
            self._native.commit(tokens)
        for twin in self._twins.values():
            twin.commit(tokens)

    def twin(self, device: torch.device) -> "Sampler":
        """For drafts that are written elsewhere, or meanwhile: it knows the same text, and has its own chance.

        One for each device: chance that began anew with every draft would not be chance.
        """
        if device not in self._twins:
            self._twins[device] = Sampler(replace(self.settings, seed=(self.seed + 1) % 2**31), device, self._seen)
        return self._twins[device]

    def say(self, logits: Tensor, draft: Sequence[int] = ()) -> list[int]:
        """The target's own words from logits [len(draft) + 1, vocabulary]: a token of each row in turn, until one is
        not what the draft has in its place. One host synchronisation.

        Each has its row's distribution, and depends on the seed and the text before it alone.
        """
        said = self._native.say(logits, draft, self._chances) if self._native else None
        if said is None:
            said = self._all_said(self.distribution(logits, draft), draft)
            wrong = (i for i, (token, drafted) in enumerate(zip(said, draft, strict=False)) if token != drafted)
            said = said[: next(wrong, len(draft)) + 1]
        return said

    def _all_said(self, target: Distribution, draft: Sequence[int]) -> list[int]:
        if target.rows != len(draft) + 1:
            raise ValueError(f"{len(draft)} drafted tokens need {len(draft) + 1} rows, not {target.rows}")
        if target.probabilities is None:
            return list(target.tokens)
        chances = self._chances.ahead(target.rows)
        if isinstance(target.probabilities, Tensor):
            return drawn_on_card(target.probabilities, torch.from_numpy(chances))
        return [drawn(row, chance) for row, chance in zip(target.probabilities, chances.tolist(), strict=True)]

    def distribution(self, logits: Tensor, draft: Sequence[int] = ()) -> Distribution:
        """What follows, from logits [rows, vocabulary].

        The last row stands behind the whole `draft`, each row before it behind one drafted token less; penalties of a
        row see the committed text and the draft in front of it.
        """
        settings = self.settings
        if self._native and not settings.greedy:
            probabilities = self._native.distribution(logits, draft)
            if probabilities is not None:
                return Distribution(probabilities)
        if settings.repetition_penalty != 1.0:
            logits = self._penalized(logits, draft)
        rows = self._views.of(logits)
        if settings.greedy:  # numpy is ten times as fast at this as torch
            best = logits.argmax(-1) if rows is None else rows.argmax(-1)
            return Distribution(None, tuple(best.tolist()))
        if rows is None:
            return Distribution(filtered(logits, settings))
        if settings.top_k == 0 and settings.top_p >= 1.0 and settings.min_p == 0.0:
            return Distribution(softmax(rows, settings.temperature))
        return Distribution(filtered(logits, settings).numpy())

    def _penalized(self, logits: Tensor, draft: Sequence[int]) -> Tensor:
        logits = logits.clone()
        ahead = len(draft) - logits.shape[0] + 1
        for i, row in enumerate(logits):
            penalize(row, self._seen.union(draft[: max(0, ahead + i)]), self.settings.repetition_penalty)
        return logits

"""What a head takes from its target and never changes: embeddings, and the rows of the output layer it drafts over."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from inference.models.fused.architecture import Architecture
from inference.models.fused.source import EMBEDDING, FINAL_NORM, HEAD, open_source, tying_in_fact
from inference.training.shards import Reply


@dataclass(frozen=True)
class Borrowed:
    """embeddings [target's vocabulary, hidden] and output [reduced vocabulary, hidden], in the type of the products;
    vocabulary int32, rising: the tokens of the output's rows; final_norm float32 [hidden], where a head's own last norm
    starts."""

    embeddings: Tensor
    vocabulary: Tensor
    output: Tensor
    final_norm: Tensor

    @property
    def places(self) -> Tensor:
        """The column of each token of the target, -1 for those that the head cannot propose."""
        places = torch.full((len(self.embeddings),), -1, dtype=torch.long, device=self.output.device)
        places[self.vocabulary.long()] = torch.arange(len(self.vocabulary), device=self.output.device)
        return places


def borrow(
    folder: Path, architecture: Architecture, vocabulary: Tensor, device: torch.device, dtype: torch.dtype
) -> Borrowed:
    """Read from the target's folder. Raises UserError where its files are damaged."""
    tied = tying_in_fact(architecture, folder).tied
    with open_source(folder) as source:
        embeddings = source.matrix(EMBEDDING)
        output = embeddings if tied else source.matrix(HEAD)
        rows = output[vocabulary.long()]
        norm = source.vector(FINAL_NORM)
    norm = torch.ones(embeddings.shape[1]) if norm is None else norm + architecture.norm_offset
    return Borrowed(
        embeddings.to(device, dtype), vocabulary.to(device, torch.int32), rows.to(device, dtype), norm.to(device)
    )


def most_frequent(replies: Iterable[Reply], count: int, size: int, always: Iterable[int] = ()) -> Tensor:
    """`count` of the tokens 0..size - 1, int32 and rising: those in `always`, then those that stand most often in
    replies. Of equals the smaller comes first: tokenizers number what is frequent first, so the rest is well filled."""
    counts: Counter[int] = Counter()
    for reply in replies:
        counts.update(reply.tokens[reply.prompt_length :])
    kept = sorted({token for token in always if 0 <= token < size})[:count]
    others = sorted(set(range(size)) - set(kept), key=lambda token: (-counts[token], token))
    return torch.tensor(sorted([*kept, *others[: count - len(kept)]]), dtype=torch.int32)

"""Whose head is it? A short name for a model's weights and for its vocabulary."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from inference import vocabulary
from inference.models.fused.architecture import Architecture

# Rows that only pad a vocabulary, as converted files name them.
_PADDING = re.compile(r"\[PAD\d+\]")
_NORM = re.compile(r"norm\.weight$")


@dataclass(frozen=True)
class TargetIdentity:
    """What a head must fit. architecture: None for a model whose features cannot be read."""

    name: str
    fingerprint: str
    vocabulary_fingerprint: str
    architecture: Architecture | None


def identify(name: str, folder: Path, tokens: Mapping[str, int]) -> TargetIdentity:
    """tokens: the tokenizer's vocabulary. Reads the folder's norms: milliseconds. Raises UserError as loading would."""
    return TargetIdentity(name, target_fingerprint(folder), vocabulary_fingerprint(tokens), Architecture.read(folder))


def target_fingerprint(folder: Path) -> str:
    """SHA-256 over every norm of the model, in hexadecimal.

    Norms are kept in full however the matrices are quantized, so one model has one fingerprint in every format it comes
    in; training anew changes them. (A fine-tune that leaves them alone is near enough: a head never changes the text.)
    """
    import torch

    from inference.models.fused.source import open_source

    digest = hashlib.sha256()
    with open_source(folder) as source:
        for name in sorted(source.names):
            if _NORM.search(name) and (values := source.vector(name)) is not None:
                digest.update(name.encode())
                digest.update(values.bfloat16().view(torch.int16).numpy().tobytes())
    return digest.hexdigest()


def vocabulary_fingerprint(tokens: Mapping[str, int]) -> str:
    """SHA-256 of the token -> id map without rows that only pad it."""
    return vocabulary.fingerprint({token: index for token, index in tokens.items() if not _PADDING.fullmatch(token)})

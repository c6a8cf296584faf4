"""A head of a few thousand weights, random, and the package of one."""

from pathlib import Path

import torch

from inference.heads.card import Card, CardTarget
from inference.heads.fingerprint import TargetIdentity
from inference.heads.head import DraftHead
from inference.heads.package import save
from inference.heads.shape import HeadShape
from inference.models.fused.architecture import Architecture

SHAPE = HeadShape(
    depths=(0, 1, 2), hidden=32, heads=4, kv_heads=2, head_dim=16, intermediate=48, vocabulary_size=40, eps=1e-5
)


def random_head(shape: HeadShape = SHAPE, seed: int = 0) -> DraftHead:
    torch.manual_seed(seed)
    head = DraftHead(shape)
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.copy_(torch.randn(parameter.shape) * parameter.shape[-1] ** -0.5 + (parameter.dim() == 1))
    return head.eval().requires_grad_(False)


def random_tensors(shape: HeadShape, tokens: int, seed: int = 0) -> dict[str, torch.Tensor]:
    """tokens: how many the target knows."""
    chosen = torch.randperm(tokens, generator=torch.Generator().manual_seed(seed))[: shape.vocabulary_size]
    return {**random_head(shape, seed).state_dict(), "vocabulary": chosen.sort().values.int()}


def save_random(
    folder: Path, shape: HeadShape, target: TargetIdentity, *, tokens: int, seed: int = 0, task: str = "any"
) -> Card:
    card = Card(task, CardTarget(target.name, target.fingerprint, target.vocabulary_fingerprint), shape)
    save(folder, card, random_tensors(shape, tokens, seed))
    return card


def identity(architecture: Architecture | None = None, **changes: str) -> TargetIdentity:
    names = {"name": "Tiny", "fingerprint": "weights", "vocabulary_fingerprint": "tokens"} | changes
    return TargetIdentity(architecture=architecture or tiny_architecture(), **names)


def tiny_architecture(layers: int = 3, hidden: int = 32, vocabulary: int = 100) -> Architecture:
    config = {
        "model_type": "llama",
        "vocab_size": vocabulary,
        "hidden_size": hidden,
        "intermediate_size": 48,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
    }
    architecture = Architecture.from_config(config)
    assert architecture is not None
    return architecture

"""A head that learned to follow a tiny target in a second, so that some of what it drafts is accepted."""

from collections import Counter
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

from inference.heads.card import Card, CardTarget, HeadTask
from inference.heads.fingerprint import TargetIdentity
from inference.heads.head import DraftHead
from inference.heads.package import save
from inference.heads.runner import output_rows
from inference.heads.shape import HeadShape
from inference.models.fused.model import FusedModel

TEXTS, LENGTH, STEPS, ROLLOUT = 12, 40, 60, 3


def save_trained(folder: Path, target: TargetIdentity, target_folder: Path, task: HeadTask = "any") -> None:
    """Trained on what the target itself writes, with the rollout that `DraftHead.forward` makes."""
    assert target.architecture is not None
    torch.manual_seed(0)
    model = FusedModel.load(target_folder, "float32", "cpu", 256)
    depths = HeadShape.for_target(target.architecture, 1).depths
    model.observe(depths)
    texts, features = zip(*(_written(model, start) for start in range(3, 3 + TEXTS)), strict=True)
    frequent = Counter(token for text in texts for token in text).most_common(48)
    vocabulary = torch.tensor(sorted(token for token, _ in frequent), dtype=torch.int32)
    shape = HeadShape.for_target(target.architecture, len(vocabulary))
    head = DraftHead(shape)
    output = output_rows(target_folder, vocabulary)
    tokens = torch.tensor(texts)  # [texts, time]
    embedded = torch.stack([model.embed(text) for text in texts])[:, 1:-1]
    seen = torch.stack(features)[:, :-2]
    place = {int(token): index for index, token in enumerate(vocabulary)}
    wanted = torch.tensor([[place.get(token, -100) for token in text[2:]] for text in texts])
    optimizer = torch.optim.AdamW(head.parameters(), lr=3e-3)
    for _ in range(STEPS):
        outputs = head(embedded, head.fused(seen), ROLLOUT)
        losses = [
            cross_entropy(head.logits(h[:, j:], output).flatten(0, 1), wanted[:, j:].flatten())
            for j, h in enumerate(outputs)
        ]
        optimizer.zero_grad()
        torch.stack(losses).sum().backward()
        optimizer.step()
    assert tokens.shape[1] == LENGTH
    card = Card(task, CardTarget(target.name, target.fingerprint, target.vocabulary_fingerprint), shape)
    save(folder, card, head.state_dict() | {"vocabulary": vocabulary}, "I8")


def _written(model: FusedModel, start: int) -> tuple[list[int], torch.Tensor]:
    """What the target writes after a token, and its features: [time, 3, hidden]."""
    cache, text = model.new_cache(), [start * factor % model.vocabulary_size for factor in (1, 5, 7)]
    model.forward(text[:-1], cache)
    features = [model.features().clone()]
    while len(text) < LENGTH:
        text.append(int(model.forward(text[-1:], cache).argmax()))
        features.append(model.features().clone())
    model.forward(text[-1:], cache)
    return text, torch.cat([*features, model.features().clone()])

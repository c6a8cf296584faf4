"""Trains a head on what was observed of the target: several steps of its own rollout, checkpoints, a curve."""

import math
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from inference.heads.head import DraftHead
from inference.heads.shape import HeadShape
from inference.manager.files import write_atomically, write_json
from inference.training.batches import Batch
from inference.training.borrowed import Borrowed
from inference.training.loss import acceptance, aimed, cross_entropy
from inference.training.recipe import Recipe

CLIP = 1.0  # largest norm of a gradient
CALM = 0.3  # of the target's last norm: an untrained head should not be sure of anything
SMOOTH = 0.95  # of the running averages that the curve shows


@dataclass(frozen=True)
class Stage:
    """One stretch of training: positions to go over, the learning rate at its height, where the rollout begins."""

    tokens: int
    learning_rate: float
    rollout_from: float


@dataclass
class Trainer:
    """seen: positions gone over in this stage. curve: one entry every few batches."""

    head: DraftHead
    borrowed: Borrowed
    recipe: Recipe
    stage: Stage
    seen: int = 0
    steps_made: int = 0
    curve: list[dict[str, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        matrices = [p for p in self.head.parameters() if p.dim() == 2]
        vectors = [p for p in self.head.parameters() if p.dim() != 2]
        rate, decay = self.stage.learning_rate, self.recipe.weight_decay
        # Muon (Jordan et al. 2024; scaled as in arXiv 2502.16982) needs about half of AdamW's tokens for matrices.
        self._optimizers: list[Any] = [
            torch.optim.Muon(matrices, lr=rate, weight_decay=decay, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(vectors, lr=rate, weight_decay=0.0, betas=(0.9, 0.95)),
        ]
        self._places = self.borrowed.places
        self._average: dict[str, float] = {}

    @property
    def done(self) -> bool:
        return self.seen >= self.stage.tokens

    @property
    def rollout(self) -> int:
        """Steps of the rollout that are trained now."""
        return self.recipe.steps if self.seen >= self.stage.rollout_from * self.stage.tokens else 1

    def learn(self, batch: Batch) -> dict[str, float]:
        """One step down. Returns running averages: loss, agreement by step."""
        rate = self._rate()
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
        steps = self.rollout
        self.head.train()
        losses, hits, live = self._forward(batch, steps)
        count = max(int(live.sum()), 1)
        weights = [self.recipe.step_weight**j for j in range(steps)]
        loss = sum((w * part for w, part in zip(weights, losses, strict=True)), torch.zeros(())) / (
            count * sum(weights)
        )
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.head.parameters(), CLIP)
        for optimizer in self._optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.seen += count
        self.steps_made += 1
        figures = {"loss": float(losses[0].detach()) / count}
        figures |= {f"agreement_{j + 1}": float(hits[j][live].float().mean()) for j in range(steps)}
        for name, value in figures.items():
            self._average[name] = (
                SMOOTH * self._average[name] + (1 - SMOOTH) * value if name in self._average else value
            )
        return dict(self._average)

    def _rate(self) -> float:
        done, recipe = min(self.seen / self.stage.tokens, 1.0), self.recipe
        rising = min(1.0, (done + 1e-3) / max(recipe.warm_up, 1e-9))
        falling = recipe.least_rate + (1 - recipe.least_rate) * 0.5 * (1 + math.cos(math.pi * done))
        return self.stage.learning_rate * rising * falling

    def _forward(self, batch: Batch, steps: int) -> tuple[list[Tensor], Tensor, Tensor]:
        """Loss of each step, summed; hits bool [steps, batch, time]; live bool [batch, time], entries that count."""
        device = self.borrowed.output.device
        ids, share = aimed(batch.top.to(device), batch.share.to(device), self._places, self.recipe.sharpness)
        live = share.sum(-1) > 0
        likeliest = self._places[batch.top[..., 0].to(device)]
        embedded = self.borrowed.embeddings[batch.tokens.to(device)].float()
        losses, hits = [], []
        with mixed(device):
            g = self.head.fused(batch.features.to(device))
            outputs = self.head(embedded, g, steps)
        for h in outputs:
            x = self.head.output_norm(h.float())[live]
            loss, best = cross_entropy(x, self.borrowed.output, ids[live], share[live])
            losses.append(loss)
            hit = torch.zeros_like(live)
            hit[live] = best == likeliest[live]
            hits.append(hit)
        return losses, torch.stack(hits), live

    @torch.no_grad()
    def check(self, batches: Iterator[Batch]) -> list[float]:
        """Acceptance by position on held-out replies, were a draft of `steps` tokens made at each position."""
        self.head.eval()
        totals = [[0, 0] for _ in range(self.recipe.steps)]
        for batch in batches:
            _, hits, _ = self._forward(batch, self.recipe.steps)
            begun = (batch.share[..., 0] > 0).to(hits.device)
            for total, (accepted, verified) in zip(totals, acceptance(hits, begun), strict=True):
                total[0] += accepted
                total[1] += verified
        return [accepted / max(verified, 1) for accepted, verified in totals]

    # --- on disk

    def save(self, folder: Path) -> None:
        """Everything needed to go on, without pickle."""
        from safetensors.torch import save

        tensors = {f"head.{name}": tensor.contiguous() for name, tensor in self.head.state_dict().items()}
        for at, optimizer in enumerate(self._optimizers):
            for index, values in optimizer.state_dict()["state"].items():
                tensors |= {f"optimizer.{at}.{index}.{name}": torch.as_tensor(value) for name, value in values.items()}
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "checkpoint.safetensors", save({name: t.clone() for name, t in tensors.items()}))
        write_json(folder / "checkpoint.json", {"seen": self.seen, "steps_made": self.steps_made, "curve": self.curve})

    def restore(self, folder: Path) -> bool:
        """Go on from a checkpoint; False when there is none."""
        from safetensors.torch import load_file

        from inference.manager.files import read_json

        try:
            tensors, values = load_file(folder / "checkpoint.safetensors"), read_json(folder / "checkpoint.json")
        except FileNotFoundError:
            return False
        self.head.load_state_dict(_under("head.", tensors))
        for at, optimizer in enumerate(self._optimizers):
            state: dict[int, dict[str, Tensor]] = {}
            for name, tensor in _under(f"optimizer.{at}.", tensors).items():
                index, _, key = name.partition(".")
                state.setdefault(int(index), {})[key] = tensor
            optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
        self.seen, self.steps_made, self.curve = values["seen"], values["steps_made"], values["curve"]
        return True


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def new_head(shape: HeadShape, borrowed: Borrowed, seed: int) -> DraftHead:
    """Untrained. Its last norm starts as the target's, as the rows it is multiplied with expect; what joins the
    residual starts at zero, so that the layer begins as a plain function of token and features."""
    torch.manual_seed(seed)
    head = DraftHead(shape)
    with torch.no_grad():
        head.output_norm.weight.copy_(CALM * borrowed.final_norm)
        head.layer.o.weight.zero_()
        head.layer.down.weight.zero_()
    return head.to(borrowed.output.device)


def mixed_type(device: torch.device) -> torch.dtype:
    """bfloat16 where the processor multiplies it: twice as fast there, and slower elsewhere."""
    fast = device.type == "cuda" or (device.type == "cpu" and torch.cpu._is_avx512_bf16_supported())
    return torch.bfloat16 if fast else torch.float32


def mixed(device: torch.device) -> Any:
    """Products in `mixed_type`, everything else in float32."""
    return torch.autocast(device.type, torch.bfloat16) if mixed_type(device) == torch.bfloat16 else nullcontext()

"""Weights of a transformers model that lie on several devices: what may lie where, and what came of it."""

from dataclasses import dataclass
from typing import Any

import torch


@dataclass(frozen=True)
class Room:
    """Bytes of weights that the device which computes may hold, and, if that is a card, the computer's memory.

    What has no room in either is read from the files in every pass.
    """

    own: int
    ram: int = 0

    def max_memory(self, device: torch.device) -> dict[int | str, int]:
        """As accelerate wants it told."""
        if device.type == "cuda":
            return {device.index or 0: self.own, "cpu": self.ram}
        return {"cpu": self.own}


@dataclass(frozen=True)
class Spread:
    """Bytes of weights by where they lie."""

    device: torch.device  # that computes
    own: int
    ram: int = 0
    disk: int = 0

    @property
    def away(self) -> float:
        """The share that is fetched in every pass."""
        return (self.ram + self.disk) / max(self.own + self.ram + self.disk, 1)

    @property
    def note(self) -> str:
        """For people; "" where all is in one place."""
        total = max(self.own + self.ram + self.disk, 1)
        places = ((self.ram, "in main memory"), (self.disk, "on the disk"))
        return ", ".join(f"{nbytes / total:.0%} {where}" for nbytes, where in places if nbytes)


def spread_of(model: Any) -> Spread:
    """Of a model that accelerate may have dispatched."""
    places: dict[str, Any] = getattr(model, "hf_device_map", None) or {"": model.device}
    named = {name: str(place) for name, place in places.items()}
    cards = [place for place in named.values() if place not in ("cpu", "disk")]
    device = _device(cards[0]) if cards else torch.device("cpu")
    prefixes = sorted(named.items(), key=lambda item: -len(item[0]))
    sums = {"own": 0, "ram": 0, "disk": 0}
    for name, tensor in model.named_parameters():
        known = (place for prefix, place in prefixes if not prefix or f"{name}.".startswith(f"{prefix}."))
        place = next(known, "cpu")
        kind = "disk" if place == "disk" else "ram" if place == "cpu" and cards else "own"
        sums[kind] += tensor.numel() * tensor.element_size()
    return Spread(device, **sums)


def _device(place: str) -> torch.device:
    return torch.device("cuda", int(place)) if place.isdigit() else torch.device(place)

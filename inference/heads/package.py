"""A trained head on disk: a folder with `card.json` and `head.safetensors`, written whole, read with every check."""

import itertools
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from inference.errors import UserError
from inference.heads.card import Card, CardError
from inference.heads.fingerprint import TargetIdentity
from inference.manager.files import explained, read_json, write_json
from inference.manager.safetensors_file import SafetensorsError, TensorEntry, read_header, writing

if TYPE_CHECKING:
    from torch import Tensor

    from inference.heads.head import DraftHead

CARD, WEIGHTS = "card.json", "head.safetensors"
_FLOATS = ("F16", "BF16", "F32")
_AGAIN = "Train it again, or choose another draft."


@dataclass(frozen=True)
class Package:
    """A head in memory. tensors: float32 under the names of `HeadShape.tensors`, vocabulary int32, rising."""

    folder: Path
    card: Card
    tensors: "Mapping[str, Tensor]"

    @property
    def name(self) -> str:
        return package_name(self.folder)

    @property
    def vocabulary(self) -> "Tensor":
        return self.tensors["vocabulary"]

    def head(self) -> "DraftHead":
        """The reference in torch, ready to run."""
        from inference.heads.head import DraftHead

        module = DraftHead(self.card.shape)
        module.load_state_dict({name: tensor for name, tensor in self.tensors.items() if name != "vocabulary"})
        return module.eval().requires_grad_(False)


def package_name(folder: Path) -> str:
    """For people and for the router: the folder, with the one it lies in where that says more ("smollm2/code")."""
    above = folder.parent.name
    return folder.name if above in ("", "drafts") else f"{above}/{folder.name}"


def save(folder: Path, card: Card, tensors: "Mapping[str, Tensor]", precision: str = "F16") -> None:
    """Write the package, in place of an older one: readers see one or the other. precision: F16 or I8 (matrices only).

    tensors: a `DraftHead`'s state_dict and "vocabulary". Raises ValueError where they do not fit the card, UserError
    where the disk refuses.
    """
    import torch

    if precision not in ("F16", "I8"):
        raise ValueError(f"a head is stored as F16 or I8, not {precision!r}")
    shapes = card.shape.tensors
    if {name: tuple(tensor.shape) for name, tensor in tensors.items()} != shapes:
        raise ValueError("the tensors are not those of the card")
    if not all(bool(torch.isfinite(tensor).all()) for tensor in tensors.values()):
        raise ValueError("a weight is infinite or not a number")
    _check_vocabulary(tensors["vocabulary"].tolist())
    partial, old = (folder.with_name(f".{folder.name}.{os.getpid()}.{end}") for end in ("new", "old"))
    with explained(folder):
        try:
            partial.mkdir(parents=True)
            with writing(partial / WEIGHTS, [*shapes, *(f"{name}.scale" for name in shapes)]) as file:
                for name, tensor in tensors.items():
                    for part, dtype, values in _stored(name, tensor, precision):
                        mark = file.begin(part)
                        file.append(values.contiguous().cpu().numpy())
                        file.end(part, mark, dtype, tuple(values.shape))
            write_json(partial / CARD, card.to_json())
            if folder.exists():
                folder.rename(old)
            partial.rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def _stored(name: str, tensor: "Tensor", precision: str) -> "list[tuple[str, str, Tensor]]":
    """What one tensor becomes in the file: name, number format, values."""
    import torch

    if name == "vocabulary":
        return [(name, "I32", tensor.to(torch.int32))]
    tensor = tensor.detach().float()
    if precision == "F16" or tensor.dim() == 1:
        return [(name, "F16", tensor.clamp(-65504, 65504).half())]
    scale = (tensor.abs().amax(-1) / 127).clamp_min(1e-7)
    codes = (tensor / scale[:, None]).round().clamp(-127, 127).to(torch.int8)
    return [(name, "I8", codes), (f"{name}.scale", "F32", scale)]


def read_card(folder: Path) -> Card:
    """Raises UserError."""
    try:
        return Card.from_json(read_json(folder / CARD))
    except FileNotFoundError as error:
        raise UserError(f"{folder.name} is not a draft: it has no {CARD}.", "Choose another folder.") from error
    except OSError as error:
        raise UserError(f"The draft {folder.name} cannot be read: {error.strerror}.", _AGAIN) from error
    except CardError as error:
        raise UserError(f"The draft {folder.name} cannot be used: its card {error}.", _AGAIN) from error
    except ValueError as error:
        raise UserError(f"The draft {folder.name} cannot be used: its card is not JSON.", _AGAIN) from error


def refusal(card: Card, target: TargetIdentity) -> str | None:
    """Why a head cannot draft for `target`, one sentence; None when it can."""
    shape, architecture = card.shape, target.architecture
    if architecture is None:
        return (
            f"The hidden states of {target.name} cannot be read: its architecture is not one the fused decoder knows."
        )
    if card.target.vocabulary_fingerprint != target.vocabulary_fingerprint:
        return f"It writes the vocabulary of {card.target.name}, which is not that of {target.name}."
    if card.target.fingerprint != target.fingerprint:
        return f"It was trained for {card.target.name}, whose weights are not those of {target.name}."
    if shape.hidden != architecture.hidden_size or max(shape.depths) >= len(architecture.layers):
        return f"It reads {shape.hidden} values after layer {max(shape.depths)}, and {target.name} has no such layer."
    return None


def load(folder: Path, target: TargetIdentity) -> Package:
    """Raises UserError with the reason: not a draft, damaged, or trained for another target."""
    card = read_card(folder)
    if reason := refusal(card, target):
        raise UserError(f"The draft {folder.name} cannot be used. {reason}", "Choose a draft of this model.")
    tensors = read_weights(folder, card)
    top = int(tensors["vocabulary"][-1])
    if target.architecture is None or top >= target.architecture.vocabulary_size:
        raise UserError(f"The draft {folder.name} proposes token {top}, which {target.name} does not have.", _AGAIN)
    return Package(folder, card, tensors)


def read_weights(folder: Path, card: Card) -> "dict[str, Tensor]":
    """As `Package.tensors`. Raises UserError unless the file is whole and holds exactly what the card says."""
    from safetensors.torch import load_file

    path = folder / WEIGHTS
    try:
        entries = read_header(path)
        _check_entries(entries, card)
        stored = load_file(path)
        tensors = {name: _restored(name, stored) for name in card.shape.tensors}
        _check_vocabulary(tensors["vocabulary"].tolist())
    except FileNotFoundError as error:
        raise UserError(
            f"The draft {folder.name} has no {WEIGHTS}; other formats are not opened, since they can run code.",
            _AGAIN,
        ) from error
    except OSError as error:
        raise UserError(f"The draft {folder.name} cannot be read: {error.strerror}.", _AGAIN) from error
    except ValueError as error:  # SafetensorsError among them
        raise UserError(f"The draft {folder.name} cannot be used: its file {WEIGHTS} {error}.", _AGAIN) from error
    return tensors


def _check_entries(entries: Mapping[str, TensorEntry], card: Card) -> None:
    shapes = card.shape.tensors
    expected = dict(shapes)
    for name, shape in shapes.items():
        entry = entries.get(name)
        if entry is None:
            raise SafetensorsError(f"lacks the tensor {name}")
        if entry.shape != shape:
            raise SafetensorsError(f"holds {name} as {list(entry.shape)}, not {list(shape)}")
        if entry.dtype == "I8" and name != "vocabulary":
            expected[f"{name}.scale"] = shape[:1]
        elif entry.dtype not in (("I32",) if name == "vocabulary" else _FLOATS):
            raise SafetensorsError(f"holds {name} as {entry.dtype}")
    for name, shape in expected.items():
        if name not in shapes and (name not in entries or entries[name].shape != shape):
            raise SafetensorsError(f"lacks the tensor {name}")
    if unknown := entries.keys() - expected.keys():
        raise SafetensorsError(f"holds a tensor that no head has, {min(unknown)!r}")


def _restored(name: str, stored: "Mapping[str, Tensor]") -> "Tensor":
    import torch

    tensor = stored[name]
    if name == "vocabulary":
        return tensor
    values = tensor.float()
    if tensor.dtype == torch.int8:
        scale = stored[f"{name}.scale"].float()
        values = values * (scale[:, None] if values.dim() > 1 else scale)
    if not bool(torch.isfinite(values).all()):
        raise SafetensorsError(f"holds a weight in {name} that is not a number")
    return values


def _check_vocabulary(tokens: list[int]) -> None:
    if tokens[0] < 0 or any(first >= second for first, second in itertools.pairwise(tokens)):
        raise SafetensorsError("does not list its tokens in rising order")

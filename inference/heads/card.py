"""What a head is, for whom, how it was made and what it gains: the card that lies beside its weights. No torch here."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from inference.heads.shape import DEPTHS, HeadShape

FORMAT = "foreword-head-1"
HeadTask = Literal["code", "prose", "any"]
_SHAPE = tuple(entry.name for entry in fields(HeadShape))


class CardError(ValueError):
    """The card makes no sense. The text completes the sentence "its card ..."."""


@dataclass(frozen=True)
class CardTarget:
    """name is for people; the fingerprints decide (see `inference.heads.fingerprint`)."""

    name: str
    fingerprint: str
    vocabulary_fingerprint: str


@dataclass(frozen=True)
class Card:
    """data: what it was trained on and how. measured: acceptance and gains on texts that training never saw."""

    task: HeadTask
    target: CardTarget
    shape: HeadShape
    data: Mapping[str, Any] = field(default_factory=dict)
    measured: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.task not in get_args(HeadTask):
            raise ValueError(f"a head is for code, prose or any task, not {self.task!r}")

    def to_json(self) -> dict[str, Any]:
        shape = asdict(self.shape)
        shape["depths"] = list(self.shape.depths)
        head = {"format": FORMAT, "task": self.task, "target": asdict(self.target)}
        return head | shape | {"data": dict(self.data), "measured": dict(self.measured)}

    @classmethod
    def from_json(cls, value: Any) -> "Card":
        """Raises CardError, whatever `value` is."""
        if not isinstance(value, dict):
            raise CardError("is not a JSON object")
        if value.get("format") != FORMAT:
            raise CardError(f"is of the format {value.get('format')!r}, and this version reads {FORMAT!r}")
        try:
            target = {entry.name: value["target"][entry.name] for entry in fields(CardTarget)}
            shape = {name: value[name] for name in _SHAPE}
            if not all(isinstance(text, str) for text in target.values()):
                raise CardError("does not name its target in words")
            if not isinstance(shape["depths"], list) or len(shape["depths"]) != DEPTHS:
                raise CardError(f"does not list {DEPTHS} layers")
            shape["depths"] = tuple(shape["depths"])
            notes = {name: value.get(name, {}) for name in ("data", "measured")}
            if not all(isinstance(note, dict) for note in notes.values()):
                raise CardError("has notes that are not JSON objects")
            return cls(value["task"], CardTarget(**target), HeadShape(**shape), **notes)
        except CardError:
            raise
        except KeyError as error:
            raise CardError(f"lacks {error.args[0]!r}") from error
        except (TypeError, ValueError) as error:
            raise CardError(f"makes no sense: {error}") from error

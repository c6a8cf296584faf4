"""What is compared: one question under two settings that differ in one thing. Knows nothing of Qt's widgets."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from app.drafter_names import capital, key_name
from app.language import tr
from inference.settings import DrafterKind, GenerationSettings, SpeculationSettings

Matter = Literal["speculation", "draft", "temperature", "length"]
MATTERS: tuple[Matter, ...] = get_args(Matter)


@dataclass(frozen=True)
class Wish:
    """What a person wants compared. left, right: what drafts (a `Candidate.key` or a kind), a temperature
    or a K, as `matter` says."""

    question: str
    matter: Matter = "speculation"
    left: str | float = ""
    right: str | float = ""
    seed: int = 1
    tokens: int = 256


@dataclass(frozen=True)
class Side:
    name: str
    settings: GenerationSettings


def sides(wish: Wish, base: GenerationSettings) -> tuple[Side, Side]:
    """base: how a reply would be made now; both sides have its sampling, with the wish's seed."""
    base = replace(base, sampling=replace(base.sampling, seed=wish.seed), max_tokens=wish.tokens)
    speculation = base.speculation
    on = speculation if speculation.enabled else replace(speculation, mode="on", drafter=_some(speculation.drafter))
    both = wish.left, wish.right
    match wish.matter:
        case "speculation":
            left, right = _with(base, replace(speculation, mode="off")), _with(base, on)
        case "draft":
            left, right = (_with(base, drafting(on, str(key))) for key in both)
        case "temperature":
            left, right = (_heated(_with(base, on), float(value)) for value in both)
        case "length":
            fixed = replace(on, mode="on", dynamic=False)
            left, right = (_with(base, replace(fixed, draft_length=int(k))) for k in both)
    names = side_names(wish)
    return Side(names[0], left), Side(names[1], right)


def side_names(wish: Wish) -> tuple[str, str]:
    match wish.matter:
        case "speculation":
            return tr("Without speculation"), tr("With speculation")
        case "draft":
            left, right = (capital(key_name(str(key))) for key in (wish.left, wish.right))
        case "temperature":
            left, right = (tr("Temperature {value}").format(value=f"{value:g}") for value in (wish.left, wish.right))
        case "length":
            left, right = (tr("K = {length}").format(length=k) for k in (wish.left, wish.right))
    return left, right


def drafting(speculation: SpeculationSettings, key: str) -> SpeculationSettings:
    """The settings with one way to draft: a `Candidate.key`, or a kind alone, which takes what fits the task."""
    kind, _, draft = key.partition(":")
    known = next(known for known in get_args(DrafterKind) if known == kind)
    return replace(speculation, mode="off") if known == "none" else replace(speculation, drafter=known, draft=draft)


def _some(kind: DrafterKind) -> DrafterKind:
    return "automatic" if kind == "none" else kind


def _with(base: GenerationSettings, speculation: SpeculationSettings) -> GenerationSettings:
    return replace(base, speculation=speculation)


def _heated(base: GenerationSettings, value: float) -> GenerationSettings:
    return replace(base, sampling=replace(base.sampling, temperature=value))

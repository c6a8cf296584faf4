"""What is compared: one question under two settings that differ in one thing. Knows nothing of Qt's widgets."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from app.drafter_names import capital, key_name
from app.language import tr
from inference.settings import DrafterKind, GenerationSettings, SamplingSettings, SpeculationSettings

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
    match wish.matter:
        case "speculation":
            off = replace(speculation, mode="off")
            return Side(tr("Without speculation"), _with(base, off)), Side(tr("With speculation"), _with(base, on))
        case "draft":
            left, right = (_drafted(base, on, str(key)) for key in (wish.left, wish.right))
        case "temperature":
            left, right = (_heated(_with(base, on), float(value)) for value in (wish.left, wish.right))
        case "length":
            left, right = (_long(base, on, int(value)) for value in (wish.left, wish.right))
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


def _drafted(base: GenerationSettings, on: SpeculationSettings, key: str) -> Side:
    return Side(capital(key_name(key)), _with(base, drafting(on, key)))


def _heated(base: GenerationSettings, value: float) -> Side:
    sampling: SamplingSettings = replace(base.sampling, temperature=value)
    return Side(tr("Temperature {value}").format(value=f"{value:g}"), replace(base, sampling=sampling))


def _long(base: GenerationSettings, on: SpeculationSettings, k: int) -> Side:
    fixed = replace(on, mode="on", draft_length=k, dynamic=False)
    return Side(tr("K = {length}").format(length=k), _with(base, fixed))

"""Which models have a smaller one of their family on this machine, which could draft for them: by config.json alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inference.manager.draft_candidates import LARGEST_SHARE
from inference.manager.files import read_json
from inference.manager.hub_search import HubModel
from inference.manager.spec import Spec


@dataclass(frozen=True)
class Kin:
    """What tells a family: models of one architecture and one vocabulary. vocabulary 0: not known."""

    kind: str
    vocabulary: int
    parameters: int


def kin_of(spec: Spec) -> Kin | None:
    """None where its files do not say."""
    if spec.folder is None:
        return None
    try:
        config = read_json(spec.folder / "config.json")
        return Kin(str(config["model_type"]), int(config.get("vocab_size") or 0), spec.parameters)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def paired(here: Sequence[Spec], found: Iterable[HubModel] = ()) -> frozenset[str]:
    """The identifiers of those that have one."""
    own = {spec.identifier: kin for spec in here if (kin := kin_of(spec)) is not None}
    known = [*own.values()]
    own |= {m.spec.identifier: Kin(m.model_type, 0, m.parameters) for m in found if m.model_type}
    return frozenset(identifier for identifier, kin in own.items() if any(_drafts(other, kin) for other in known))


def _drafts(draft: Kin, target: Kin) -> bool:
    alike = 0 in (draft.vocabulary, target.vocabulary) or draft.vocabulary == target.vocabulary
    return draft.kind == target.kind and alike and 0 < draft.parameters <= LARGEST_SHARE * target.parameters

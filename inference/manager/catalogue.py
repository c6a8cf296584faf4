"""The models that Foreword knows where to get."""

import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any

from inference.manager.spec import Source, Spec

_LISTS = ("languages", "abilities", "drafts_for_code", "drafts_for_prose")


def _spec(entry: dict[str, Any]) -> Spec:
    sources = tuple(Source(**source) for source in entry.pop("sources"))
    lists = {name: tuple(entry.get(name, ())) for name in _LISTS}
    fields: dict[str, Any] = entry | lists
    return Spec(**fields, sources=sources)


@dataclass(frozen=True)
class Catalogue:
    """Entries in the order in which a person should be offered them; the first is the starter."""

    specs: tuple[Spec, ...]

    def __post_init__(self) -> None:
        identifiers = [spec.identifier for spec in self.specs]
        if not identifiers or len(set(identifiers)) < len(identifiers):
            raise ValueError(f"a catalogue needs entries with different identifiers, not {identifiers}")
        unknown = {draft for spec in self.specs for draft in spec.drafts} - set(identifiers)
        if unknown:
            raise ValueError(f"drafts that are no entries: {', '.join(sorted(unknown))}")

    @classmethod
    def read(cls) -> "Catalogue":
        """The catalogue that is shipped in `assets`."""
        text = resources.files("assets").joinpath("catalogue.toml").read_text(encoding="utf-8")
        return cls(tuple(_spec(entry) for entry in tomllib.loads(text)["model"]))

    @property
    def starter(self) -> Spec:
        """Small, quick, and enough to see that everything works."""
        return self.specs[0]

    def find(self, identifier: str) -> Spec | None:
        return next((spec for spec in self.specs if spec.identifier == identifier), None)

    def targets_of(self, draft: str) -> tuple[Spec, ...]:
        """The entries for which the entry `draft` may draft."""
        return tuple(spec for spec in self.specs if draft in spec.drafts)

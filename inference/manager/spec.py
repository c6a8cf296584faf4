"""What a model is, before anything is loaded: a catalogue entry, or a folder on disk."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Source:
    """Where a model's files come from. hub: `repository` (files: safetensors, config, tokenizer).

    package: a wheel of `repository` == `version` on the package index whose member `member` is a GGUF with `sha256`
    and `size_bytes`; `download_bytes` is the size of the wheel.
    """

    kind: Literal["hub", "package"]
    repository: str
    version: str = ""
    member: str = ""
    sha256: str = ""
    size_bytes: int = 0
    download_bytes: int = 0

    def __post_init__(self) -> None:
        if self.kind not in ("hub", "package"):
            raise ValueError(f"a source is a hub or a package, not {self.kind!r}")
        if self.kind == "package" and not (self.version and self.member and len(self.sha256) == 64):
            raise ValueError(f"package {self.repository} needs a version, a member and its sha256")


@dataclass(frozen=True)
class Spec:
    """identifier is unique and file-name safe for catalogue entries; for an opened folder it is its absolute path.

    folder is None until the model is on disk (then a transformers folder: config.json, tokenizer, *.safetensors).
    size_bytes is what has to be downloaded, or, with a folder, the weights on disk. abilities: thinking, tools.
    drafts_for_code, drafts_for_prose: identifiers of entries that may draft for it, the best guess first. checked: the
    day (YYYY-MM-DD) on which the entry was held against public documentation.
    """

    identifier: str
    name: str
    sources: tuple[Source, ...] = ()
    folder: Path | None = None
    languages: tuple[str, ...] = ()  # ISO 639-1; empty: not known
    licence: str = ""
    parameters: int = 0
    size_bytes: int = 0
    context_length: int = 0
    note: str = ""
    abilities: tuple[str, ...] = ()
    drafts_for_code: tuple[str, ...] = ()
    drafts_for_prose: tuple[str, ...] = ()
    checked: str = ""

    @property
    def drafts(self) -> tuple[str, ...]:
        """For either task, each once."""
        return tuple(dict.fromkeys((*self.drafts_for_code, *self.drafts_for_prose)))

    def at(self, folder: Path) -> "Spec":
        return replace(self, folder=folder)

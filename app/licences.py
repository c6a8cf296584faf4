"""What Foreword consists of, and on what terms: every package that belongs to it, with the text of its licence.

From its sources it asks what is installed. The built program carries the list that was made when it was built, which
also has the system's libraries in it.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from pathlib import PurePath

from app.version import NAME, own_version, project_table

LIST = "licences.json"  # in assets, of the built program
_TEXT = re.compile(r"(licen[cs]e|copying|notice)[^/]*$", re.IGNORECASE)
_CLASSIFIER = "License :: OSI Approved :: "


@dataclass(frozen=True)
class Licence:
    name: str
    version: str
    terms: str  # an SPDX expression, or what its authors call it
    text: str


def shipped() -> tuple[Licence, ...]:
    """By name, Foreword itself first."""
    made = _assets() / LIST
    if made.is_file():
        return tuple(Licence(**values) for values in json.loads(made.read_text(encoding="utf-8")))
    return installed()


def installed() -> tuple[Licence, ...]:
    """Foreword, then those of this Python's packages that it needs, and what they need."""
    version, requirements = _own()
    own = Licence("Foreword", version, "Apache-2.0", common_text("Apache-2.0"))
    return (own, *(_licence(each) for _, each in sorted(distributions(requirements).items())))


def distributions(requirements: Iterable[str]) -> dict[str, metadata.Distribution]:
    """The installed packages that meet `requirements`, directly or through others, by normalized name."""
    found: dict[str, metadata.Distribution] = {}
    waiting = list(requirements)
    while waiting:
        requirement = waiting.pop()
        name = _normal(re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0])
        if name in found or re.search(r"\bextra\s*==", requirement):
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:  # for another system
            continue
        waiting += found[name].requires or ()
    return found


def _own() -> tuple[str, list[str]]:
    """Version and requirements; a checkout that is not installed has them in its pyproject.toml."""
    try:
        return own_version(), list(metadata.distribution(NAME).requires or ())
    except metadata.PackageNotFoundError:
        return own_version(), project_table()["dependencies"]


def to_json(licences: Iterable[Licence]) -> str:
    return json.dumps([asdict(each) for each in licences], ensure_ascii=False)


def common_text(terms: str) -> str:
    """The well-known licences named in `terms`, for a package that does not bring its own copy."""
    texts = [path for path in (_assets() / "licences").iterdir() if _names(path.name.removesuffix(".txt"), terms)]
    return "\n\n".join(path.read_text(encoding="utf-8") for path in sorted(texts, key=lambda path: path.name))


def _names(identifier: str, terms: str) -> bool:
    """GPL-3.0 is not named by LGPL-3.0; `Apache Software License` is how some say Apache-2.0."""
    spoken = {"Apache-2.0": r"|Apache\b"}.get(identifier, "")
    return re.search(rf"(?<![A-Za-z]){re.escape(identifier)}{spoken}", terms) is not None


def _licence(distribution: metadata.Distribution) -> Licence:
    terms = _terms(distribution)
    files = [file for file in distribution.files or () if _holds_a_licence(file)]
    texts = dict.fromkeys(file.read_binary().decode("utf-8", errors="replace").strip() for file in sorted(files))
    name, text = distribution.metadata["Name"], "\n\n".join(texts)
    return Licence(name, distribution.version, terms, text or common_text(terms))


def _holds_a_licence(file: PurePath) -> bool:
    return any(part.endswith(".dist-info") for part in file.parts) and _TEXT.search(file.name) is not None


def _terms(distribution: metadata.Distribution) -> str:
    fields = distribution.metadata.json
    said = str(fields.get("license_expression") or fields.get("license") or "").strip()
    if said and "\n" not in said:
        return said
    classes = distribution.metadata.get_all("Classifier") or []
    return ", ".join(name.removeprefix(_CLASSIFIER) for name in classes if name.startswith(_CLASSIFIER))


def _normal(name: str) -> str:
    """As the package index compares names (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _assets() -> Traversable:
    return resources.files("assets")

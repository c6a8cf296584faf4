"""Models that an installer carries along, so that the first start needs no network: `assets/models`, GGUF files."""

import hashlib
from importlib import resources
from pathlib import Path, PurePosixPath

from inference.manager.spec import Spec

MODELS = Path(str(resources.files("assets"))) / "models"


def carried(spec: Spec) -> Path | None:
    """The GGUF of one of `spec`'s packages, where the program came with it; a damaged one counts as none."""
    for source in spec.sources:
        if source.kind == "package":
            path = MODELS / PurePosixPath(source.member).name
            if path.is_file() and path.stat().st_size == source.size_bytes and _digest(path) == source.sha256:
                return path
    return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

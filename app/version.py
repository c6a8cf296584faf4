"""Which version of Foreword this is."""

import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

NAME = "foreword"  # as the package index knows it


@cache
def own_version() -> str:
    """As it is installed, or built into the program; a checkout that is not installed has it in its pyproject.toml."""
    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return str(project_table()["version"])


def project_table() -> dict[str, Any]:
    """Of pyproject.toml, for a checkout that is not installed."""
    path = Path(__file__).resolve().parent.parent / "pyproject.toml"
    table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    return table

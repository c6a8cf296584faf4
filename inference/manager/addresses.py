"""Every address on the network that Foreword itself may ask. Nothing else in the project names a host."""

import os
import re

HUB = "https://huggingface.co"
MIRROR = "https://hf-mirror.com"  # how people in China commonly reach it
PACKAGE_INDEX = "https://pypi.org/simple"
PROJECT_PAGES = "https://pypi.org/project"  # what the package index shows to people
TORCH_INDEX = "https://download.pytorch.org/whl"


def hub() -> str:
    """The model hub. HF_ENDPOINT names a mirror, as for other programs; else what the person has chosen counts."""
    from inference.manager.hub_choice import chosen_hub

    return os.environ.get("HF_ENDPOINT", "").strip().rstrip("/") or chosen_hub() or HUB


def package_index() -> str:
    """The package index for a Python without pip (otherwise pip's own configuration counts)."""
    return os.environ.get("PIP_INDEX_URL", "").strip().rstrip("/") or PACKAGE_INDEX


def updates() -> str:
    """The package index that is asked for newer versions of Foreword itself."""
    return os.environ.get("FOREWORD_UPDATE_INDEX", "").strip().rstrip("/") or package_index()


def project_page(project: str) -> str:
    """Where a person reads about a project of that index."""
    index = updates()
    return f"{PROJECT_PAGES if index == PACKAGE_INDEX else without_password(index)}/{project}/"


def without_password(address: str) -> str:
    """For the window, the log and the browser: a mirror's address may hold a name and a password."""
    return re.sub(r"(?<=://)[^/?#]*@", "", address)


def torch_index() -> str:
    """Where the launcher finds builds of torch that the package index lacks, one folder each (cpu, cu126, ...)."""
    return os.environ.get("FOREWORD_TORCH_INDEX", "").strip().rstrip("/") or TORCH_INDEX

"""Every address on the network that Foreword itself may ask. Nothing else in the project names a host."""

import os

HUB = "https://huggingface.co"
MIRROR = "https://hf-mirror.com"  # how people in China commonly reach it
PACKAGE_INDEX = "https://pypi.org/simple"
TORCH_INDEX = "https://download.pytorch.org/whl"


def hub() -> str:
    """The model hub. HF_ENDPOINT names a mirror, as for other programs; else what the person has chosen counts."""
    from inference.manager.hub_choice import chosen_hub

    return os.environ.get("HF_ENDPOINT", "").strip().rstrip("/") or chosen_hub() or HUB


def package_index() -> str:
    """The package index for a Python without pip (otherwise pip's own configuration counts)."""
    return os.environ.get("PIP_INDEX_URL", "").strip().rstrip("/") or PACKAGE_INDEX


def torch_index() -> str:
    """Where the launcher finds builds of torch that the package index lacks, one folder each (cpu, cu126, ...)."""
    return os.environ.get("FOREWORD_TORCH_INDEX", "").strip().rstrip("/") or TORCH_INDEX

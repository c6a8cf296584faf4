"""What is asked of the libraries, each in a process of its own. An error ends that process; its last line is shown."""

import ctypes
import importlib.metadata
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any


def torch_facts() -> dict[str, Any]:
    import torch

    cards = []
    if torch.cuda.is_available():
        for index in range(torch.cuda.device_count()):
            major, minor = torch.cuda.get_device_capability(index)
            cards.append({"name": torch.cuda.get_device_name(index), "capability": f"{major}.{minor}"})
        torch.zeros(1, device="cuda").add_(1)  # a build without kernels for this card fails only here
    return {
        "version": torch.__version__,
        "cuda": torch.version.cuda or "",
        "hip": getattr(torch.version, "hip", None) or "",
        "cards": cards,
        "mps": torch.backends.mps.is_available(),
        "processor": torch.backends.cpu.get_cpu_capability(),
        "threads": torch.get_num_threads(),
    }


def bitsandbytes_facts() -> dict[str, Any]:
    import bitsandbytes
    from bitsandbytes.cextension import lib

    loaded = vars(lib).get("_lib")  # what stands in for a library that failed has any attribute one asks for
    loaded = loaded if isinstance(loaded, ctypes.CDLL) else None
    return {
        "version": bitsandbytes.__version__,
        "loaded": loaded is not None,
        "cuda": bool(getattr(lib, "compiled_with_cuda", False)),
        "library": str(getattr(loaded, "_name", "")),
        "error": "" if loaded is not None else str(vars(lib).get("error_msg", "it could not be loaded")),
    }


def transformers_facts() -> dict[str, Any]:
    import accelerate
    import safetensors
    import tokenizers
    import transformers

    versions = {module.__name__: module.__version__ for module in (transformers, tokenizers, accelerate, safetensors)}
    transformers.AutoModelForCausalLM  # noqa: B018  (loaded when it is named)
    return {"versions": versions}


def package_facts() -> dict[str, Any]:
    """What is installed, of what Foreword asks for: requirement -> version, "" for what is not there."""
    return {"packages": {text: _installed(text) for text in requirements()}}


def requirements() -> list[str]:
    """As the installed Foreword says, else as pyproject.toml beside it does; [] in a packaged program."""
    path = Path(__file__).resolve().parents[2] / "pyproject.toml"
    if path.is_file():
        listed: list[str] = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["dependencies"]
        return listed
    try:
        found = importlib.metadata.requires("foreword") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return [text for text in found if "extra ==" not in text]


def package_name(requirement: str) -> str:
    """torch>=2.9 -> torch."""
    match = re.match(r"[\w.-]+", requirement.strip())
    return match[0] if match else requirement


def _installed(requirement: str) -> str:
    try:
        return importlib.metadata.version(package_name(requirement))
    except importlib.metadata.PackageNotFoundError:
        return ""


def kernel_facts() -> dict[str, Any]:
    from inference.native import build, library

    native = library.load()
    return {
        "compiler": build.find_compiler() or "",
        "library": str(native.path.name) if native else "",
        "instruction_set": native.instruction_set if native else "",
        "threads": native.threads if native else 0,
        "architecture": build.architecture(),
    }


PROBES: dict[str, Callable[[], dict[str, Any]]] = {
    "torch": torch_facts,
    "bitsandbytes": bitsandbytes_facts,
    "transformers": transformers_facts,
    "packages": package_facts,
    "kernels": kernel_facts,
}

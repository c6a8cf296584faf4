"""Checks of the machine, and of what Foreword keeps on it."""

import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from inference import child_process
from inference.doctor.finding import Finding, Verdict
from inference.doctor.probe import ProbeError, probe
from inference.doctor.remedies import load_kernels, make_kernels
from inference.errors import UserError
from inference.manager.files import existing_parent, folder_size, size_text

LITTLE_DISK, LEAST_DISK = 5_000_000_000, 1_000_000_000
LITTLE_MEMORY, LEAST_MEMORY = 3_000_000_000, 1_200_000_000


def check_processor() -> Finding:
    """The instruction set that the kernels use, or why there are none."""
    title = "Processor"
    cores = f"Cores: {os.cpu_count()}, {platform.machine()}"
    try:
        facts = probe("kernels")
    except ProbeError as error:
        text = f"{cores}. Foreword's kernels cannot be loaded: {error}. torch does the work, more slowly."
        return Finding("processor", title, "warning", text, load_kernels(error))
    details = (("kernels", facts["library"] or "none"), ("compiler", facts["compiler"] or "none"))
    if facts["instruction_set"]:
        text = f"{cores}, kernels for {facts['instruction_set']}, threads: {facts['threads']}."
        return Finding("processor", title, "good", text, facts=details)
    if os.environ.get("FOREWORD_KERNELS", "").lower() == "off":
        text, remedy = f"{cores}. The kernels are switched off by FOREWORD_KERNELS.", "Remove that variable."
    elif not facts["compiler"]:
        text = f"{cores}. There are no compiled kernels and no compiler: torch does the work, more slowly."
        remedy = make_kernels(compiler=False)
    else:
        text = f"{cores}. The kernels could not be made or do not suit this processor: torch does the work."
        remedy = make_kernels(compiler=True)
    return Finding("processor", title, "warning", text, remedy, details)


def check_memory() -> Finding:
    import psutil

    memory = psutil.virtual_memory()
    text = f"{size_text(memory.available)} of {size_text(memory.total)} are free."
    facts = (("total", size_text(memory.total)), ("free", size_text(memory.available)))
    remedy = "Close other programs, or load small models only."
    if memory.available < LEAST_MEMORY:
        return Finding("memory", "Memory", "bad", text, remedy, facts)
    if memory.available < LITTLE_MEMORY:
        return Finding("memory", "Memory", "warning", text, remedy, facts)
    return Finding("memory", "Memory", "good", text, facts=facts)


def check_disk() -> Finding:
    from inference.manager.paths import models_folder

    folder = models_folder()
    free = shutil.disk_usage(existing_parent(folder)).free
    text = f"{size_text(free)} are free where models are kept ({folder})."
    remedy = "Make room, remove models, or keep them on another disk (Welcome, in the window's menu)."
    verdict: Verdict = "bad" if free < LEAST_DISK else "warning" if free < LITTLE_DISK else "good"
    facts = (("models take", size_text(folder_size(folder) if folder.is_dir() else 0)),)
    return Finding("disk", "Disk", verdict, text, "" if verdict == "good" else remedy, facts)


def check_places() -> Finding:
    """Everything that Foreword keeps: where it is, and whether it can be written there."""
    from inference.manager.paths import places

    found = places()
    program = Path(sys.executable).parent if child_process.frozen() else Path(sys.prefix)
    facts = tuple((label, str(place)) for label, place in {**found, "program": program}.items())
    refused = [f"{place} ({label})" for label, place in found.items() if not _writable(place)]
    if refused:
        text = f"Nothing can be written to {', '.join(refused)}."
        return Finding("places", "Folders", "bad", text, "Change the permissions, or set FOREWORD_HOME.", facts, True)
    return Finding("places", "Folders", "good", "Settings, chats, models and logs can be written.", "", facts, True)


def check_models() -> Finding:
    """Every model on this disk is whole; half downloads are named."""
    from inference.manager.folder import inspect
    from inference.manager.store import Store

    store = Store()
    specs = store.specs()
    facts, broken = [], []
    for spec in specs:
        try:
            assert spec.folder is not None
            inspect(spec.folder)
            facts.append((spec.name, size_text(store.disk_use(spec))))
        except UserError as error:
            broken.append(f"{spec.name}: {error}")
            facts.append((spec.name, str(error)))
    started = [path for path in (store.root / ".partial").glob("*") if path.is_dir()]
    facts += [(f"{path.name}, not whole", size_text(folder_size(path))) for path in started]
    if broken:
        remedy = "Remove these models and get them again."
        return Finding("models", "Models", "bad", " ".join(broken), remedy, tuple(facts))
    if not specs:
        return Finding("models", "Models", "good", "There are none yet; the window fetches its starter model.")
    names = "1 model is" if len(specs) == 1 else f"{len(specs)} models are"
    return Finding("models", "Models", "good", f"{names} on this machine, whole.", facts=tuple(facts))


def _writable(place: Path) -> bool:
    place = existing_parent(place)
    if place.is_file():
        place = place.parent
    try:
        with tempfile.TemporaryFile(dir=place):
            return True
    except OSError:
        return False

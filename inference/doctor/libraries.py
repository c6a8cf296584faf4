"""Checks of Python and of the libraries that Foreword stands on."""

import platform
import struct
import sys
from typing import Any

from inference.child_process import frozen
from inference.doctor.finding import Finding, Verdict
from inference.doctor.probe import ProbeError, probe
from inference.doctor.probes import package_name
from inference.doctor.remedies import after, again, newer_driver, use_the_card
from inference.doctor.versions import concerns, satisfies
from inference.plan.machine import driver_cards, driver_version

_FIRST, _LAST = (3, 11), (3, 14)


def check_python() -> Finding:
    version, here = platform.python_version(), sys.version_info[:2]
    facts = (("program", sys.executable), ("system", platform.platform()))
    if struct.calcsize("P") < 8:
        return _bad(
            "python", "Python", f"Python {version} has 32 bits; torch needs 64.", "Install a 64-bit Python.", facts
        )
    if not _FIRST <= here <= _LAST:
        wanted = "Foreword is made for Python {}.{} to {}.{}.".format(*_FIRST, *_LAST)
        verdict: Verdict = "bad" if here < _FIRST else "warning"
        return Finding("python", "Python", verdict, f"Python {version}. {wanted}", "Install one of these.", facts)
    return Finding("python", "Python", "good", f"Python {version}.", facts=facts)


def check_packages() -> Finding:
    """Everything that pyproject.toml asks for, by version. Torch and the like have checks of their own as well."""
    try:
        listed: dict[str, str] = probe("packages")["packages"]
    except ProbeError as error:
        return _bad("packages", "Packages", f"The list of packages cannot be read: {error}.", after(error))
    wanted = {text: version for text, version in listed.items() if concerns(text, sys.platform)}
    facts = tuple((package_name(text), version or "missing") for text, version in wanted.items())
    missing = [package_name(text) for text, version in wanted.items() if not version]
    wrong = [f"{package_name(t)} {v} (wanted: {_range(t)})" for t, v in wanted.items() if v and not satisfies(v, t)]
    if missing:
        return _bad("packages", "Packages", f"Missing: {', '.join(missing)}.", again(), facts)
    if wrong:
        return _bad("packages", "Packages", f"In a version that does not fit: {', '.join(wrong)}.", again(), facts)
    return Finding("packages", "Packages", "good", f"All {len(wanted)} are there in versions that fit.", facts=facts)


def check_torch() -> Finding:
    """The classic first-day fault: torch's CPU build on a machine with a CUDA card."""
    cards = driver_cards()
    names = ", ".join(card.name for card in cards)
    try:
        facts = probe("torch")
    except ProbeError as error:
        return _bad("torch", "torch", f"torch cannot be loaded: {error}.", after(error))
    build = f"CUDA {facts['cuda']}" if facts["cuda"] else f"ROCm {facts['hip']}" if facts["hip"] else "CPU"
    details = (("build", build), ("threads", str(facts["threads"])), ("processor", str(facts["processor"])))
    text = f"torch {facts['version']}, {build} build."
    if cards and build == "CPU":
        text = f"{text} This machine has a card that it cannot use: {names}."
        verdict: Verdict = "warning" if frozen() else "bad"  # a built program is made for processors
        return Finding("torch", "torch", verdict, text, use_the_card(), details)
    if cards and facts["cuda"] and not facts["cards"]:
        return _bad(
            "torch",
            "torch",
            f"{text} It does not find the {names}: the driver ({driver_version() or 'unknown'}) is too old for it.",
            newer_driver(),
            details,
        )
    return Finding("torch", "torch", "good", text, facts=details)


def check_cards() -> Finding:
    cards = driver_cards()
    if not cards:
        return Finding("cards", "Graphics cards", "good", "No NVIDIA card: the processor does the work.")
    facts = tuple((card.name, f"{card.free / 1e9:.1f} of {card.total / 1e9:.1f} GB free") for card in cards)
    facts += (("driver", driver_version() or "unknown"),)
    names = ", ".join(f"{card.name} ({card.total / 1e9:.0f} GB)" for card in cards)
    if all(card.free < card.total / 4 for card in cards):
        text = f"{names}: most of the memory is in use by other programs."
        return Finding("cards", "Graphics cards", "warning", text, "Close what uses the card.", facts)
    return Finding("cards", "Graphics cards", "good", f"{names}.", facts=facts)


def check_bitsandbytes() -> Finding:
    """Whether its own library is there for this device, and not only the package."""
    title = "bitsandbytes"
    if sys.platform == "darwin":
        return Finding(title, title, "good", "Not used on macOS.")
    effect = "4-bit and 8-bit weights on graphics cards need it; everything else works."
    try:
        facts = probe("bitsandbytes")
    except ProbeError as error:
        return Finding(title, title, "warning", f"It cannot be loaded: {error}. {effect}", after(error))
    details = (("version", str(facts["version"])), ("library", str(facts["library"]) or "none"))
    text = f"bitsandbytes {facts['version']}"
    if not facts["loaded"]:
        first = next((line.strip() for line in str(facts["error"]).splitlines() if line.strip()), "")
        text = f"{text}: its library could not be loaded ({first[:200]}). {effect}"
        return Finding(title, title, "warning", text, again(), details)
    if driver_cards() and not facts["cuda"] and not frozen():
        text = f"{text} has loaded its CPU library although there is a CUDA card. {effect}"
        return Finding(title, title, "bad", text, "Install a bitsandbytes that fits torch's CUDA version.", details)
    device = "CUDA" if facts["cuda"] else "the processor"
    return Finding(title, title, "good", f"{text}, library for {device} loaded.", facts=details)


def check_transformers() -> Finding:
    title = "transformers"
    try:
        versions: dict[str, Any] = probe("transformers")["versions"]
    except ProbeError as error:
        return _bad(title, title, f"It cannot be loaded: {error}.", after(error))
    facts = tuple((name, str(version)) for name, version in versions.items())
    have = str(versions[title])
    from inference.doctor.probes import requirements

    asked = next((text for text in requirements() if package_name(text) == title), "")
    if not satisfies(have, asked):
        text = f"transformers {have} is not a version that Foreword knows ({_range(asked)})."
        return _bad(title, title, text, again(), facts)
    return Finding(title, title, "good", f"transformers {have}.", facts=facts)


def _range(requirement: str) -> str:
    return requirement.partition(";")[0].removeprefix(package_name(requirement)).strip() or "any"


def _bad(name: str, title: str, text: str, remedy: str, facts: tuple[tuple[str, str], ...] = ()) -> Finding:
    return Finding(name, title, "bad", text, remedy, facts)

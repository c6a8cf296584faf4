"""All checks, one after the other or side by side; none of them can stop the others."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from inference.doctor import libraries, surroundings
from inference.doctor.finding import Finding
from inference.doctor.remedies import again

log = logging.getLogger(__name__)

# Whatever a damaged installation can raise where it is touched, a truncated module's SyntaxError included.
DAMAGE = (
    ImportError,
    OSError,
    SyntaxError,
    ValueError,
    RuntimeError,
    TypeError,
    KeyError,
    AttributeError,
    AssertionError,
)


@dataclass(frozen=True)
class Check:
    name: str
    title: str
    run: Callable[[], Finding]


CHECKS: tuple[Check, ...] = (
    Check("python", "Python", libraries.check_python),
    Check("packages", "Packages", libraries.check_packages),
    Check("torch", "torch", libraries.check_torch),
    Check("cards", "Graphics cards", libraries.check_cards),
    Check("bitsandbytes", "bitsandbytes", libraries.check_bitsandbytes),
    Check("transformers", "transformers", libraries.check_transformers),
    Check("processor", "Processor", surroundings.check_processor),
    Check("memory", "Memory", surroundings.check_memory),
    Check("disk", "Disk", surroundings.check_disk),
    Check("places", "Folders", surroundings.check_places),
    Check("models", "Models", surroundings.check_models),
)


def examine(checks: Sequence[Check] = CHECKS, cancel: threading.Event | None = None) -> Iterator[Finding]:
    """The findings in the order of the checks, each as soon as it and those before it are there.

    When `cancel` is set, no other check begins, and nothing more is said.
    """
    stopped = cancel or threading.Event()

    def one(check: Check) -> Finding | None:
        return None if stopped.is_set() else examined(check)

    with ThreadPoolExecutor(4, "doctor") as executor:
        for result in [executor.submit(one, check) for check in checks]:
            finding = result.result()
            if finding is None or stopped.is_set():
                return
            yield finding


def examined(check: Check) -> Finding:
    """What a check finds; a check that fails itself is a finding too."""
    try:
        return check.run()
    except DAMAGE as error:
        log.warning("the check %s failed", check.name, exc_info=True)
        text = f"This could not be looked at: {type(error).__name__}: {error}."
        return Finding(check.name, check.title, "bad", text, again())

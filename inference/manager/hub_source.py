"""Fetches a transformers model from a model hub, over the hub's HTTP interface.

Only configuration, tokenizer, template and safetensors files at the top of the repository; never a pickle, never code.
"""

import json
import re
import threading
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from inference.events import LoadProgress
from inference.manager import addresses
from inference.manager.download import (
    ELSEWHERE,
    LATER,
    Checksum,
    Patience,
    RemoteFile,
    SourceError,
    download,
    fetch_bytes,
    partial_path,
)
from inference.manager.files import explained, require_space
from inference.manager.hub_token import authorization

_TEXT_NAMES = {"merges.txt", "tokenizer.model", "chat_template.jinja"}
_SHARD = re.compile(r"model-\d+-of-\d+\.safetensors")
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")


@dataclass(frozen=True)
class _Listed:
    name: str
    size: int
    checksum: Checksum | None


class HubSource:
    """One repository of one hub."""

    def __init__(self, repository: str, hub: str | None = None, patience: Patience | None = None) -> None:
        self._repository = quote(repository)
        self._hub = (hub or addresses.hub()).rstrip("/")
        self._patience = patience or Patience()

    def fetch(self, workspace: Path, cancel: threading.Event) -> Generator[LoadProgress, None, None]:
        """Bring the repository's files into `workspace` (made if need be); what is there already is not fetched again.

        Progress is in bytes over all files. Raises SourceError, DownloadCancelled, UserError.
        """
        with explained(workspace):
            workspace.mkdir(parents=True, exist_ok=True)
        headers = authorization(self._hub)
        revision, files = self._listing(headers, cancel)
        total = sum(file.size for file in files)
        present = {file.name for file in files if _is_there(workspace / file.name, file)}
        require_space(workspace, sum(file.size for file in files if file.name not in present))
        # What is here counts from the beginning, or it would look as if it came in the first second.
        here = {file.name: file.size if file.name in present else _begun(workspace / file.name) for file in files}
        done = sum(here.values())
        for file in files:
            if file.name not in present:
                done -= here[file.name]
                url = f"{self._hub}/{self._repository}/resolve/{revision}/{quote(file.name)}"
                remote = RemoteFile(url, file.size, file.checksum, headers)
                for have in download(remote, workspace / file.name, cancel, self._patience):
                    yield LoadProgress("download", done + have, total, file.name)
                done += file.size
            yield LoadProgress("download", done, total, file.name)

    def _listing(self, headers: dict[str, str], cancel: threading.Event) -> tuple[str, list[_Listed]]:
        url = f"{self._hub}/api/models/{self._repository}/revision/main?blobs=true"
        try:
            answer = json.loads(fetch_bytes(url, self._patience, cancel, headers))
            revision, siblings = answer["sha"], answer["siblings"]
            if not re.fullmatch(r"[0-9a-f]{7,64}", revision):
                raise SourceError("its answer makes no sense", LATER)
            listed = [_listed(sibling) for sibling in siblings]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise SourceError("its answer makes no sense", LATER) from error
        return revision, _needed(listed)


def _listed(sibling: dict[str, Any]) -> _Listed:
    name, size, large = sibling["rfilename"], sibling["size"], sibling.get("lfs")
    if not isinstance(name, str) or not isinstance(size, int) or size < 0:
        raise ValueError(name)
    checksum = None
    if large is not None:
        checksum = Checksum("sha256", str(large["sha256"]))
    elif sibling.get("blobId"):
        checksum = Checksum("git", str(sibling["blobId"]))
    return _Listed(name, size, checksum)


def _needed(listed: list[_Listed]) -> list[_Listed]:
    """The files a transformers model is made of: small ones first, so that a fault in them costs no time."""
    top = [file for file in listed if re.fullmatch(r"[\w.+-]+", file.name) and not file.name.startswith(".")]
    weights = [file for file in top if file.name.endswith(".safetensors")]
    chosen = [file for file in weights if file.name == "model.safetensors"]
    chosen = chosen or [file for file in weights if _SHARD.fullmatch(file.name)] or weights
    if not chosen:
        if any(file.name.endswith(_PICKLES) for file in listed):
            raise SourceError(
                "it has the model only as a pickle, which can run any code when it is opened; "
                "a version with safetensors files is needed",
                ELSEWHERE,
            )
        raise SourceError("it has no safetensors files for this model", ELSEWHERE)
    rest = [file for file in top if file.name.endswith(".json") or file.name in _TEXT_NAMES]
    return sorted(rest, key=lambda file: file.size) + sorted(chosen, key=lambda file: file.name)


def _begun(path: Path) -> int:
    """Bytes that have come of it so far."""
    partial = partial_path(path)
    return partial.stat().st_size if partial.is_file() else 0


def _is_there(path: Path, file: _Listed) -> bool:
    if not path.is_file() or path.stat().st_size != file.size:
        return False
    return file.checksum is None or file.checksum.matches(path)

"""Asks a package index for the newest finished version of a project (PEP 691, PEP 700). Sends its name, and no more."""

import json
import threading
from typing import Any

from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from inference.errors import UserError
from inference.manager.addresses import without_password
from inference.manager.download import AbsentError, Patience, SourceError, fetch_bytes

PATIENCE = Patience(contact_s=5.0, stall_s=5.0)
LONGEST = 4 << 20  # bytes of an answer
LONGEST_VERSION = 40  # characters: what an index calls a version is shown in the window
_ACCEPT = {"Accept": "application/vnd.pypi.simple.v1+json"}


def newest_version(
    index: str, project: str, cancel: threading.Event, patience: Patience | None = None
) -> Version | None:
    """None where only trial versions are published, or withdrawn ones. Raises UserError, DownloadCancelled."""
    shown = without_password(index)
    try:
        page = json.loads(fetch_bytes(f"{index}/{project}/", patience or PATIENCE, cancel, _ACCEPT, LONGEST))
        versions = _offered(page)
    except AbsentError as error:
        text = f"Nothing of Foreword is published at {shown}: whether there is a newer version is not known."
        raise UserError(text, "Ask where you got Foreword from.") from error
    except SourceError as error:
        text = f"Whether there is a newer version of Foreword could not be asked: {error}."
        raise UserError(text, "Check the network connection, or ask again later.") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        text = f"{shown} gave an answer that makes no sense: whether there is a newer version is not known."
        raise UserError(text, "Ask again later.") from error
    return max((version for version in versions if not version.is_prerelease), default=None)


def is_newer(version: str, than: str) -> bool:
    """Of two that may be anything: what is no version is not newer than one."""
    try:
        return Version(version) > Version(than)
    except InvalidVersion:
        return False


def _offered(page: Any) -> set[Version]:
    """Those that can be had: a version all of whose files were withdrawn cannot."""
    files: dict[Version, list[bool]] = {}
    for file in page["files"]:
        if (version := _version_of(file["filename"])) is not None:
            files.setdefault(version, []).append(bool(file.get("yanked", False)))
    named = page.get("versions")  # an index that knows only PEP 691 leaves them out
    versions = set(files) if named is None else {version for text in named if (version := _version(text)) is not None}
    return {
        version for version in versions if len(str(version)) <= LONGEST_VERSION and not all(files.get(version, [False]))
    }


def _version_of(name: str) -> Version | None:
    try:
        return parse_wheel_filename(name)[1] if name.endswith(".whl") else parse_sdist_filename(name)[1]
    except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
        return None


def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:  # an old one, from before there were rules
        return None

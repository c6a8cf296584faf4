"""Every way in which a server can fail one file, and what is left on the disk afterwards."""

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager.download import (
    Checksum,
    DownloadCancelled,
    Patience,
    RemoteFile,
    SourceError,
    download,
    fetch_bytes,
)
from tests.inference.manager.hub_server import HubServer, git_id

CONTENT = bytes(range(256)) * 4001  # about 1 MB, and no multiple of any buffer
HURRY = Patience(contact_s=0.6, stall_s=0.6, attempts=3, retry_s=0.001)
CALM = Patience(
    contact_s=60, stall_s=60, attempts=3, retry_s=0.001
)  # where nothing hangs, a busy machine must not matter


@pytest.fixture
def server() -> Iterator[HubServer]:
    with HubServer({"file": CONTENT}) as running:
        yield running


def remote(server: HubServer, size: int = len(CONTENT)) -> RemoteFile:
    return RemoteFile(server.url("file"), size, Checksum("sha256", hashlib.sha256(CONTENT).hexdigest()))


def fetch(server: HubServer, folder: Path, size: int = len(CONTENT)) -> list[int]:
    patience = HURRY if {"stall", "silent"} & set(server.faults["file"]) else CALM
    return list(download(remote(server, size), folder / "file", threading.Event(), patience))


def ranges(server: HubServer) -> list[str | None]:
    return [asked for _, asked in server.requests]


def test_a_file_arrives_with_progress_and_leaves_nothing_beside_it(server: HubServer, tmp_path: Path) -> None:
    progress = fetch(server, tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert progress[0] == 0 and progress[-1] == len(CONTENT) and progress == sorted(progress) and len(progress) > 3
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("fault", ["stall", "cut"])
def test_an_interrupted_file_is_resumed_where_it_stopped(server: HubServer, tmp_path: Path, fault: str) -> None:
    server.faults["file"] = [fault, fault]
    fetch(server, tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT
    half = len(CONTENT) // 2
    assert ranges(server) == [None, f"bytes={half}-", f"bytes={half + (len(CONTENT) - half) // 2}-"]


@pytest.mark.parametrize(
    "faults", [["redirect"], [429], [500, 503], ["silent"], [429, "cut", 502, "stall", "redirect"]]
)
def test_passing_faults_are_outlived(server: HubServer, tmp_path: Path, faults: list[str | int]) -> None:
    server.faults["file"] = faults
    fetch(server, tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("faults", "reason"),
    [
        ([404], "does not have"),
        ([403], "refuses access"),
        ([401], "refuses access"),
        ([418], "of no use"),
        ([429] * 9, "too many requests"),
        ([500] * 9, "fault of its own"),
        (["silent"] * 9, "no answer within"),
        (["circle"], "without end"),
        (["long"], "more than the file holds"),
        (["packed"], "was not asked for"),
        (["wrong"] * 9, "checksum is wrong"),
    ],
)
def test_lasting_faults_are_named(server: HubServer, tmp_path: Path, faults: list[str | int], reason: str) -> None:
    server.faults["file"] = faults
    with pytest.raises(SourceError, match=reason):
        fetch(server, tmp_path)
    assert not (tmp_path / "file").exists()


def test_a_busy_server_is_asked_only_as_often_as_patience_allows(server: HubServer, tmp_path: Path) -> None:
    server.faults["file"] = [503] * 9
    with pytest.raises(SourceError):
        fetch(server, tmp_path)
    assert len(server.requests) == HURRY.attempts


def test_damaged_bytes_are_fetched_once_more_from_the_start(server: HubServer, tmp_path: Path) -> None:
    server.faults["file"] = ["wrong"]
    fetch(server, tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert ranges(server) == [None, None]


def test_an_old_partial_of_something_else_is_noticed_by_its_checksum(server: HubServer, tmp_path: Path) -> None:
    (tmp_path / "file.partial").write_bytes(b"\0" * 1000)
    fetch(server, tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert ranges(server) == ["bytes=1000-", None]


@pytest.mark.parametrize(("size", "asked"), [(len(CONTENT), []), (-1, [f"bytes={len(CONTENT)}-"])])
def test_a_partial_that_is_whole_already_is_only_checked(
    server: HubServer, tmp_path: Path, size: int, asked: list[str]
) -> None:
    """Also when the size is not known beforehand, and the server can only answer 416."""
    (tmp_path / "file.partial").write_bytes(CONTENT)
    fetch(server, tmp_path, size)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert ranges(server) == asked


@pytest.mark.parametrize("size", [len(CONTENT), -1])
def test_a_partial_that_is_too_long_is_thrown_away(server: HubServer, tmp_path: Path, size: int) -> None:
    (tmp_path / "file.partial").write_bytes(CONTENT + b"x")
    fetch(server, tmp_path, size)
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_server_that_ignores_ranges_sends_it_all_again(server: HubServer, tmp_path: Path) -> None:
    server.faults["file"] = ["cut", "whole"]
    fetch(server, tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_another_range_than_asked_for_is_refused(server: HubServer, tmp_path: Path) -> None:
    server.faults["file"] = ["cut", "shifted"]
    with pytest.raises(SourceError, match="another part"):
        fetch(server, tmp_path)


def test_without_a_known_size_the_announced_length_counts(server: HubServer, tmp_path: Path) -> None:
    server.faults["file"] = ["cut"]
    fetch(server, tmp_path, size=-1)
    assert (tmp_path / "file").read_bytes() == CONTENT


@pytest.mark.parametrize("fault", ["stall", "silent"])
def test_cancel_is_seen_at_once_while_the_server_keeps_silent(server: HubServer, tmp_path: Path, fault: str) -> None:
    """With the patience of an hour: only the cancel can end it."""
    server.faults["file"] = [fault]
    cancel = threading.Event()
    patience = Patience(contact_s=3600, stall_s=3600)
    running = download(remote(server), tmp_path / "file", cancel, patience)
    threading.Thread(target=lambda: (server.stalled.wait(), cancel.set()), daemon=True).start()
    with pytest.raises(DownloadCancelled):
        for _ in running:
            pass
    assert not (tmp_path / "file").exists()


def test_cancel_during_the_pause_between_attempts(server: HubServer, tmp_path: Path) -> None:
    server.faults["file"] = [500]
    cancel = threading.Event()
    running = download(remote(server), tmp_path / "file", cancel, Patience(retry_s=3600, longest_retry_s=3600))
    threading.Thread(target=lambda: (server.asked.wait(), cancel.set()), daemon=True).start()
    with pytest.raises(DownloadCancelled):
        for _ in running:
            pass


def test_what_came_before_a_cancel_is_kept_for_the_next_time(server: HubServer, tmp_path: Path) -> None:
    cancel = threading.Event()
    with pytest.raises(DownloadCancelled):
        for have in download(remote(server), tmp_path / "file", cancel, CALM):
            if have:
                cancel.set()
    kept = (tmp_path / "file.partial").stat().st_size
    assert 0 < kept <= len(CONTENT)
    fetch(server, tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT
    assert ranges(server)[1:] in ([f"bytes={kept}-"], [])


def test_closing_the_generator_closes_the_file(server: HubServer, tmp_path: Path) -> None:
    running = download(remote(server), tmp_path / "file", threading.Event(), CALM)
    while not next(running):
        pass
    running.close()
    fetch(server, tmp_path)
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    with HubServer() as server:
        address = server.address
    with pytest.raises(SourceError, match="cannot be reached"):
        list(download(RemoteFile(f"{address}/file"), tmp_path / "file", threading.Event(), HURRY))


@pytest.mark.parametrize("address", ["http://", "nonsense", "ftp://127.0.0.1/x", "http://[::1/x"])
def test_an_address_that_is_none_is_a_reason_and_not_a_crash(tmp_path: Path, address: str) -> None:
    with pytest.raises(SourceError):
        list(download(RemoteFile(address), tmp_path / "file", threading.Event(), HURRY))


def test_a_folder_that_may_not_be_written_is_the_persons_error(server: HubServer, tmp_path: Path) -> None:
    (tmp_path / "blocked").write_bytes(b"a file where a folder should be")
    with pytest.raises(UserError, match="blocked"):
        list(download(remote(server), tmp_path / "blocked" / "file", threading.Event(), HURRY))


def test_the_git_checksum_is_that_of_git(tmp_path: Path) -> None:
    path = tmp_path / "hello"
    path.write_bytes(b"hello\n")
    assert git_id(b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"  # git hash-object
    assert Checksum("git", "ce013625030ba8dba906f756967f9e9ca394464a").matches(path)
    assert not Checksum("git", "0" * 40).matches(path)


def test_short_documents(server: HubServer) -> None:
    server.pages["/page"] = b"text"
    server.faults["/page"] = [500]
    assert fetch_bytes(f"{server.address}/page", CALM, threading.Event()) == b"text"
    server.faults["/page"] = [500, 500]
    with pytest.raises(SourceError, match="fault of its own"):
        fetch_bytes(f"{server.address}/page", CALM, threading.Event())
    with pytest.raises(SourceError, match="does not have"):
        fetch_bytes(f"{server.address}/absent", CALM, threading.Event())


@pytest.mark.parametrize("values", [{"contact_s": 0}, {"stall_s": -1}, {"attempts": 0}])
def test_patience_is_checked_when_made(values: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="patience"):
        Patience(**values)  # type: ignore[arg-type]

"""What a package index says of newer versions, and everything it may say instead."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from inference.errors import UserError
from inference.manager import addresses, newest_version
from inference.manager.download import DownloadCancelled, Patience
from inference.manager.newest_version import is_newer
from tests.inference.manager.hub_server import HubServer

PAGE = "/simple/foreword/"
HASTY = Patience(contact_s=0.5, stall_s=0.5, retry_s=0.01)
CALM = Patience(contact_s=60, stall_s=60, retry_s=0.01)


def page(*versions: str, named: bool = True, yanked: tuple[str, ...] = ()) -> bytes:
    """As an index gives it: a wheel of each, and a list of the versions where it knows PEP 700."""
    files: list[dict[str, Any]] = [
        {"filename": f"foreword-{version}-py3-none-any.whl", "url": "x", "yanked": version in yanked and "bad"}
        for version in versions
    ]
    listed = {"versions": list(versions)} if named else {}
    return json.dumps({"meta": {"api-version": "1.1"}, "name": "foreword", "files": files} | listed).encode()


@pytest.fixture
def index() -> Iterator[HubServer]:
    with HubServer() as server:
        yield server


def ask(server: HubServer, content: bytes | None = None, cancel: threading.Event | None = None) -> str:
    if content is not None:
        server.pages[PAGE] = content
    asked = f"{server.address}/simple"
    patience = HASTY if {"silent", "stall"} & set(server.faults.get(PAGE, [])) else CALM
    return str(newest_version.newest_version(asked, "foreword", cancel or threading.Event(), patience) or "")


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    ("versions", "yanked", "newest"),
    [
        (("0.1.0", "0.10.0", "0.9.0"), (), "0.10.0"),
        (("0.1.0", "0.2.0rc1", "0.3.dev0"), (), "0.1.0"),
        (("0.2.0a1", "0.2.0b2"), (), ""),
        (("0.1.0", "0.2.0"), ("0.2.0",), "0.1.0"),
        (("0.2.0",), ("0.2.0",), ""),
        (("1!0.1", "9"), (), "1!0.1"),
        (("0.1.0", "9." * 40 + "9", "9+" + "x" * 4000), (), "0.1.0"),
        ((), (), ""),
    ],
)
def test_the_newest_finished_one(
    named: bool, versions: tuple[str, ...], yanked: tuple[str, ...], newest: str, index: HubServer
) -> None:
    assert ask(index, page(*versions, named=named, yanked=yanked)) == newest
    assert [name for name, _ in index.requests] == [PAGE]


def test_one_withdrawn_file_withdraws_no_version(index: HubServer) -> None:
    files = [
        {"filename": "foreword-0.2.0-py3-none-any.whl", "yanked": True},
        {"filename": "foreword-0.2.0.tar.gz", "yanked": False},
        {"filename": "foreword-odd.exe"},
    ]
    assert ask(index, json.dumps({"files": files}).encode()) == "0.2.0"
    assert ask(index, json.dumps({"files": [], "versions": ["0.3.0", "yesterday's"]}).encode()) == "0.3.0"


def test_nothing_published_is_not_the_newest(index: HubServer) -> None:
    with pytest.raises(UserError, match=r"Nothing of Foreword is published at http.*not known"):
        ask(index)


@pytest.mark.parametrize("content", [None, b"<html>"])
def test_a_password_in_the_address_is_not_shown(content: bytes | None, index: HubServer) -> None:
    if content is not None:
        index.pages[PAGE] = content
    address = index.address.replace("://", "://mei:s3cret%40@")
    with pytest.raises(UserError) as caught:
        newest_version.newest_version(f"{address}/simple", "foreword", threading.Event(), CALM)
    assert f"{index.address}/simple" in caught.value.message and "s3cret" not in str(caught.value)
    assert [name for name, _ in index.requests] == [PAGE]


@pytest.mark.parametrize("content", [b"<html>", b"[]", b"{}", b'{"files": 3}', b'{"files": [1]}', b"[" * 9999, b"\xff"])
def test_an_answer_that_makes_no_sense(content: bytes, index: HubServer) -> None:
    with pytest.raises(UserError, match="makes no sense"):
        ask(index, content)


@pytest.mark.parametrize(
    ("faults", "reason"),
    [
        ([500, 500], "a fault of its own"),
        ([403], "refuses access"),
        (["silent"], "no answer within"),
        (["stall"], "nothing came for"),
        (["cut"], "broke off"),
        (["circle"], "without end"),
    ],
)
def test_an_index_that_does_not_answer(faults: list[str | int], reason: str, index: HubServer) -> None:
    index.faults[PAGE] = faults
    with pytest.raises(UserError, match=f"could not be asked: .*{reason}"):
        ask(index, page("0.2.0"))


def test_a_busy_index_is_asked_once_more(index: HubServer) -> None:
    index.faults[PAGE] = [503]
    assert ask(index, page("0.2.0")) == "0.2.0"


def test_a_huge_answer_is_not_read_to_its_end(index: HubServer) -> None:
    with pytest.raises(UserError, match="too long"):
        ask(index, b" " * (newest_version.LONGEST + 1))


def test_nobody_there() -> None:
    with pytest.raises(UserError, match="cannot be reached"):
        newest_version.newest_version("http://127.0.0.1:1/simple", "foreword", threading.Event(), CALM)


@pytest.mark.parametrize("scheme", ["https", "HTTPS"])
def test_an_encrypted_question_gets_no_open_answer(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answer(self: object, request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(302, headers={"Location": "http://example.org/simple/foreword/"}, request=request)

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", answer)
    with pytest.raises(UserError, match="without encryption"):
        newest_version.newest_version(f"{scheme}://example.org/simple", "foreword", threading.Event(), CALM)
    assert asked == ["https://example.org/simple/foreword/"]


def test_it_can_be_given_up(index: HubServer) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(DownloadCancelled):
        ask(index, page("0.2.0"), cancel)


@pytest.mark.parametrize(
    ("version", "than", "newer"),
    [
        ("0.10.0", "0.9.0", True),
        ("0.1.0", "0.1.0", False),
        ("0.1", "0.1.0", False),
        ("0.1.0", "0.2.0.dev1", False),
        ("0.1.0", "0.1.0.dev3", True),
        ("", "0.1.0", False),
        ("0.2", "own build", False),
    ],
)
def test_newer(version: str, than: str, newer: bool) -> None:
    assert is_newer(version, than) is newer


def test_another_address_may_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    monkeypatch.delenv("FOREWORD_UPDATE_INDEX", raising=False)
    assert addresses.updates() == addresses.PACKAGE_INDEX
    assert addresses.project_page("foreword") == f"{addresses.PROJECT_PAGES}/foreword/"
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple/")
    assert addresses.updates() == "https://mirror.example/simple"
    monkeypatch.setenv("FOREWORD_UPDATE_INDEX", "https://own.example/simple")
    assert addresses.updates() == "https://own.example/simple"
    assert addresses.project_page("foreword") == "https://own.example/simple/foreword/"
    monkeypatch.setenv("FOREWORD_UPDATE_INDEX", "https://mei:s3cret@own.example/simple/@two")
    assert addresses.project_page("foreword") == "https://own.example/simple/@two/foreword/"

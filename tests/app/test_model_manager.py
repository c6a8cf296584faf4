"""The page of models with the real store in a folder of its own, and a hub on the loopback."""

import json
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from app import model_jobs as jobs
from app import model_manager
from app.model_manager import ModelManager
from app.views.fields import ChoiceField
from app.views.model_row import LoadWish
from app.views.models_page import ModelsPage
from inference.events import LoadProgress
from inference.manager.download import Patience
from inference.manager.hub_search import HubModel
from inference.manager.spec import Spec
from inference.manager.store import Store
from inference.plan.machine import Machine
from inference.settings import LoadSettings
from tests.app.conftest import MakeProgram
from tests.app.program import Program
from tests.app.scripted_engine import ScriptedEngine
from tests.inference.manager.hub_server import HubServer
from tests.inference.manager.model_folders import make_folder
from tests.inference.manager.test_cli import CONFIG
from tests.patience import WAIT_S

GIB = 1 << 30


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "here", classmethod(lambda cls: cls(16 * GIB, 10 * GIB)))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HubServer]:
    folder = make_folder(tmp_path / "source")
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    with HubServer(files) as server:
        server.pages["/api/models"] = json.dumps([{"id": "someone/tiny", "tags": ["safetensors"]}]).encode()
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        yield server


def model(folder: Path, **changes: object) -> Path:
    """A folder with a configuration that can be planned."""
    made = make_folder(folder)
    config = json.loads((made / "config.json").read_text(encoding="utf-8"))
    keep = {"vocab_size", "hidden_size", "num_hidden_layers", "architectures"}
    config |= {key: value for key, value in CONFIG.items() if key not in keep} | changes
    config |= {"num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 16}
    (made / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return made


class RecordingEngine(ScriptedEngine):
    """Keeps how it was asked to load."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[LoadSettings] = []

    def load(self, spec: Spec, settings: LoadSettings, cancel: threading.Event) -> Iterator[LoadProgress]:
        self.loads.append(settings)
        yield from super().load(spec, settings, cancel)


def opened(program: Program, *identifiers: str) -> tuple[ModelManager, ModelsPage]:
    """The page, with these models in its list."""
    manager = program.application.model_manager
    manager.open_page()
    assert manager.page is not None
    page = manager.page
    program.qtbot.waitUntil(lambda: all(page.list.row(identifier) for identifier in identifiers))
    return manager, page


def fact(page: ModelsPage, identifier: str, label: str) -> str:
    row = page.list.row(identifier)
    return dict(row.facts).get(label, "") if row is not None else ""


def shown_reason(page: ModelsPage) -> str:
    return page.details.form.reason.text()


def test_what_is_here_and_what_can_be_had(make_program: MakeProgram, tmp_path: Path) -> None:
    identifier = Store().open_folder(model(tmp_path / "Mine")).identifier
    program = make_program().start()
    manager, page = opened(program, identifier, "Qwen3-8B")
    assert page.list.row(identifier).where == "here"  # type: ignore[union-attr]
    entry = page.list.row("Qwen3-8B")
    assert entry is not None and entry.where == "catalogue"
    program.qtbot.waitUntil(lambda: "fits at 4 bits" in fact(page, "Qwen3-8B", "memory"))
    assert "too large" in fact(page, "Qwen3-32B", "memory")
    assert identifier in [spec.identifier for spec in manager.known]
    page.search.setText("coder")
    assert page.list.item(0).text() == "To download"


def test_the_best_setting_is_preselected_and_can_be_played_with(make_program: MakeProgram, tmp_path: Path) -> None:
    identifier = Store().open_folder(model(tmp_path / "Mine")).identifier
    program = make_program().start()
    _, page = opened(program, identifier)
    page.list.choose(identifier)
    program.qtbot.waitUntil(lambda: "fit" in shown_reason(page))
    form = page.details.form
    assert form.wish.context == 8192 and form.bar.segments and form.bar.free_left > 0
    before = form.bar.free_left
    form.context.setCurrentIndex(form.context.findData(2048))
    form.context.activated.emit(form.context.currentIndex())
    assert form.wish.context == 2048 and form.bar.free_left > before
    assert "Takes" in shown_reason(page)
    form.precision.setCurrentIndex(form.precision.findData("float32"))
    form.precision.activated.emit(form.precision.currentIndex())
    assert form.wish.precision == "float32"


def test_plans_are_made_when_they_are_wanted_and_no_more(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typing in the search, or news of the loader, read no vocabularies and leave what the person plays with."""
    asked: list[str] = []
    whole = model_manager.survey
    gate = threading.Event()

    def watched(spec: Spec, *rest: Any) -> Iterator[Any]:
        asked.append(spec.name)
        gate.wait(WAIT_S)
        yield from whole(spec, *rest)

    monkeypatch.setattr(model_manager, "survey", watched)
    names = [Store().open_folder(model(tmp_path / name)).identifier for name in ("One", "Two", "Three")]
    program = make_program().start()
    _, page = opened(program, *names)
    for identifier in (*names, *reversed(names)):  # runs through the list
        page.list.choose(identifier)
    gate.set()
    program.qtbot.waitUntil(lambda: page.details.form.wish.identifier == names[0])
    assert len(asked) == 2 and asked[-1] == "One"
    form = page.details.form
    form.context.setCurrentIndex(form.context.findData(2048))
    form.context.activated.emit(form.context.currentIndex())
    for text in ("o", "on", "one"):
        page.search.setText(text)
    program.application.loader.changed.emit()
    assert len(asked) == 2 and form.wish.context == 2048


def test_loading_from_the_page_is_remembered(make_program: MakeProgram, tmp_path: Path) -> None:
    identifier = Store().open_folder(model(tmp_path / "Mine")).identifier
    engine = RecordingEngine()
    program = make_program(engine=engine).start()
    manager, page = opened(program, identifier)
    with program.qtbot.waitSignal(program.application.model_ready):
        manager.load_as(LoadWish(identifier, "int8", 4096, "", draft_device="cpu", offload=True))
    assert not page.isVisible()
    assert engine.loads[-1].precision == "int8"
    assert program.application.settings.context_length == 4096
    program.application.change_settings(program.application.settings.with_value("context_length", 2048))
    with program.qtbot.waitSignal(program.application.model_ready):
        manager.load(identifier)
    assert engine.loads[-1].context_length == 4096 and engine.loads[-1].draft_device == "cpu"
    assert engine.loads[-1].offload


def test_a_model_that_reads_little_does_not_shorten_the_next_ones(make_program: MakeProgram, tmp_path: Path) -> None:
    folder = model(tmp_path / "short", max_position_embeddings=1024)
    engine = RecordingEngine()
    program = make_program(engine=engine).start()
    before = program.application.settings.context_length
    Store().open_folder(folder)
    _, page = opened(program, str(folder))
    page.list.choose(str(folder))
    program.qtbot.waitUntil(lambda: "fit" in shown_reason(page))
    assert page.details.form.context.currentData() == 1024 < before
    with program.qtbot.waitSignal(program.application.model_ready):
        page.details.form.button.click()
    assert engine.loads[-1].context_length == program.application.settings.context_length == before


def test_groups_are_offered_where_weights_are_packed_into_four_bits(make_program: MakeProgram, tmp_path: Path) -> None:
    identifier = Store().open_folder(model(tmp_path / "Mine")).identifier
    engine = RecordingEngine()
    program = make_program(engine=engine).start()
    manager, page = opened(program, identifier)
    page.list.choose(identifier)
    program.qtbot.waitUntil(lambda: "fit" in shown_reason(page))
    form = page.details.form

    def take(field: ChoiceField, value: str) -> None:
        field.setCurrentIndex(field.findData(value))
        field.activated.emit(field.currentIndex())

    take(form.precision, "int8")
    assert form.group.isHidden()
    take(form.precision, "int4")
    assert not form.group.isHidden() and form.group.currentData() == "32"
    take(form.group, "128")
    assert form.wish.int4_group == "128" and "Takes" in shown_reason(page)
    with program.qtbot.waitSignal(program.application.model_ready):
        manager.load_as(form.wish)
    assert engine.loads[-1].int4_group == 128
    program.application.change_settings(program.application.settings.with_value("int4_group", "32"))
    with program.qtbot.waitSignal(program.application.model_ready):
        manager.load(identifier)
    assert engine.loads[-1].int4_group == 128, "as it was loaded last"


def test_a_model_without_room_says_so(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Machine, "here", classmethod(lambda cls: cls(GIB, GIB // 4)))
    identifier = Store().open_folder(model(tmp_path / "Mine")).identifier
    program = make_program().start()
    _, page = opened(program, identifier)
    page.list.choose(identifier)
    program.qtbot.waitUntil(lambda: "do not fit" in shown_reason(page))
    assert page.details.form.button.text() == "Load all the same"
    assert page.details.form.bar.free_left < 0


def test_drafts_that_cannot_be_had_say_why(make_program: MakeProgram, tmp_path: Path) -> None:
    store = Store()
    target = store.open_folder(model(tmp_path / "Target")).identifier
    other = store.open_folder(model(tmp_path / "Other")).identifier
    program = make_program().start()
    _, page = opened(program, target, other)
    page.list.choose(target)
    draft = page.details.form.draft
    program.qtbot.waitUntil(lambda: draft.count() == 2)
    assert "too large to save time" in draft.itemText(1)
    assert not draft.model().flags(draft.model().index(1, 0)) & Qt.ItemFlag.ItemIsEnabled


def test_a_download_is_paused_resumed_and_ends_in_the_list(
    make_program: MakeProgram, hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inference.manager.store.Patience", lambda: Patience(2.0, 30.0, 2, 0.01))
    program = make_program().start()
    manager, page = opened(program)
    page.search.setText("tiny")
    page.search.returnPressed.emit()
    program.qtbot.waitUntil(lambda: page.list.row("someone--tiny") is not None)
    page.list.choose("someone--tiny")
    hub.faults["model.safetensors"] = ["stall"]
    page.details.download.click()
    program.qtbot.waitUntil(lambda: hub.stalled.is_set() and "Downloading" in page.details._progress.text())
    page.details.pause.click()
    program.qtbot.waitUntil(lambda: page.details.download.text() == "Resume" and not page.details.download.isHidden())
    assert "Paused" in page.details._progress.text()
    page.details.download.click()
    program.qtbot.waitUntil(lambda: getattr(page.list.row("someone--tiny"), "where", "") == "here")
    assert manager.downloads.fetching == {}


def test_a_download_that_fails_says_why_and_can_be_given_up(make_program: MakeProgram, hub: HubServer) -> None:
    program = make_program().start()
    _, page = opened(program)
    page.search_requested.emit("tiny")
    program.qtbot.waitUntil(lambda: page.list.row("someone--tiny") is not None)
    page.list.choose("someone--tiny")
    hub.faults["model.safetensors"] = [404] * 4
    page.details.download.click()
    program.qtbot.waitUntil(lambda: "404" in page.details._progress.text())
    page.details.give_up.click()
    program.qtbot.waitUntil(lambda: not (Store().root / ".partial" / "someone--tiny").exists())
    assert page.details.bar.isHidden()


def test_a_folder_dropped_on_the_page_is_taken_in(make_program: MakeProgram, tmp_path: Path) -> None:
    folder = model(tmp_path / "我的模型")
    (tmp_path / "notes.txt").write_text("no model", encoding="utf-8")
    program = make_program().start()
    _, page = opened(program)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(folder)), QUrl.fromLocalFile(str(tmp_path / "notes.txt"))])
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    page.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, mime, left, none))
    program.qtbot.waitUntil(lambda: page.list.row(str(folder)) is not None)
    program.qtbot.waitUntil(lambda: "我的模型 was added." in page.details._message.text())
    assert page.list.current is page.list.row(str(folder))  # what was added is what is looked at


def test_what_was_listed_too_early_does_not_hide_what_came_meanwhile(
    make_program: MakeProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first listing of the page takes long, and what is dropped meanwhile is there before it."""
    folder = model(tmp_path / "Dropped")
    program = make_program().start()
    look, held, first = jobs.look, threading.Event(), threading.Lock()

    def slow(page: bool, found: Sequence[HubModel], cancel: threading.Event) -> Iterator[jobs.Listed]:
        early = first.acquire(blocking=False)
        listed = list(look(page, found, cancel))
        if early:
            held.wait(WAIT_S)
        yield from listed

    monkeypatch.setattr(jobs, "look", slow)
    manager, page = opened(program)
    manager.take_in(str(folder))
    program.qtbot.waitUntil(lambda: "Dropped was added." in page.details._message.text())
    held.set()
    program.qtbot.waitUntil(lambda: not [one for one in threading.enumerate() if one.name == "list models"])
    QApplication.processEvents()
    assert page.list.row(str(folder)) is not None


@pytest.mark.parametrize("onto", ["transcript", "composer"])
def test_a_model_dropped_on_the_window_is_taken_in_and_not_attached(
    make_program: MakeProgram, tmp_path: Path, onto: str
) -> None:
    folder, empty = model(tmp_path / "我的模型"), tmp_path / "broken.gguf"
    empty.write_bytes(b"")
    program = make_program().start()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(folder))])
    none, left = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    target = getattr(program.window, onto)
    target.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, mime, left, none))
    manager = program.application.model_manager
    program.qtbot.waitUntil(lambda: manager.page is not None and manager.page.list.row(str(folder)) is not None)
    page = manager.page
    assert page is not None and page.isVisible()
    program.qtbot.waitUntil(lambda: "我的模型 was added." in page.details._message.text())
    assert program.application.composing.attachments == [] and not program.banner("attachment")
    mime.setUrls([QUrl.fromLocalFile(str(empty))])
    target.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, mime, left, none))
    program.qtbot.waitUntil(lambda: "broken.gguf" in page.details._message.text())


def test_a_folder_elsewhere_is_copied_here(make_program: MakeProgram, tmp_path: Path) -> None:
    identifier = Store().open_folder(model(tmp_path / "Mine")).identifier
    program = make_program().start()
    _, page = opened(program, identifier)
    page.list.choose(identifier)
    assert not page.details.copy.isHidden()
    page.details.copy.click()
    program.qtbot.waitUntil(lambda: page.list.row(identifier) is None)
    row = page.list.current
    assert row is not None and row.name == "Mine" and row.own and page.details.copy.isHidden()


def test_deleting_is_asked_and_forgetting_is_not(make_program: MakeProgram, hub: HubServer, tmp_path: Path) -> None:
    elsewhere = Store().open_folder(model(tmp_path / "Mine")).identifier
    program = make_program().start()
    manager, page = opened(program, elsewhere)
    manager._found = ()
    page.search_requested.emit("tiny")
    program.qtbot.waitUntil(lambda: page.list.row("someone--tiny") is not None)
    manager.download("someone--tiny")
    program.qtbot.waitUntil(lambda: getattr(page.list.row("someone--tiny"), "where", "") == "here")
    page.list.choose("someone--tiny")
    page.details.remove.click()
    box = page.findChild(QMessageBox)
    assert box is not None and "someone/tiny" in box.text()
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)  # Enter deletes nothing
    next(button for button in box.buttons() if button.text() == "Delete").click()
    program.qtbot.waitUntil(lambda: getattr(page.list.row("someone--tiny"), "where", "") != "here")
    page.list.choose(elsewhere)
    assert page.details.remove.text() == "Forget"
    page.details.remove.click()
    program.qtbot.waitUntil(lambda: page.list.row(elsewhere) is None)
    assert (tmp_path / "Mine").is_dir()


def test_the_window_leads_to_the_page(make_program: MakeProgram) -> None:
    program = make_program().start()
    program.window.sidebar.models.click()
    assert program.application.model_manager.page is not None
    assert program.application.model_manager.page.isVisible()

"""The doctor in the window, with checks of its own."""

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QMessageBox

import app.doctor
from app.language import Interface
from app.theme import LIGHT
from app.torch_switch import FREED, launcher, other_build
from app.views.doctor_page import DoctorPage
from inference.doctor.examination import Check
from inference.doctor.finding import Finding
from inference.doctor.surroundings import check_places
from inference.manager.paths import places
from tests.app.chinese import chinese
from tests.app.conftest import MakeProgram
from tests.patience import WAIT_S

assert chinese  # the fixture


def test_findings_come_one_by_one_and_can_be_had_again(
    make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = threading.Event()

    def wait() -> Finding:
        assert second.wait(WAIT_S)
        return Finding("b", "B", "warning", "So so.", "Mend it.")

    checks = (Check("a", "A", lambda: Finding("a", "A", "good", "Fine.")), Check("b", "B", wait))
    monkeypatch.setattr(app.doctor, "ALL_CHECKS", checks)
    program = make_program().start()
    program.application.model_manager.doctor_wanted.emit()
    page = program.application.doctor.page
    assert page is not None
    program.qtbot.waitUntil(lambda: "Fine." in page.text())
    assert "So so." not in page.text() and not page.again.isEnabled()
    second.set()
    program.qtbot.waitUntil(page.again.isEnabled)
    assert "So so. Mend it." in page.text()
    target = program.application.loader.target
    assert target is not None and f"[good] Loaded models: {target.spec.name}: " in page.text()
    assert "on the processor" in page.text()
    shown = [label.text() for label in page.findChildren(QLabel) if label.text() in {"A", "B", "Loaded models"}]
    assert shown == ["A", "B", "Loaded models"]  # each finding has its row, and each row stands there once
    height = page.sizeHint().height()
    for _ in range(3):
        page.again.click()
        program.qtbot.waitUntil(lambda: page.again.isEnabled() and "So so." in page.text())
    assert page.sizeHint().height() == height  # no gap is left by what stood there before


@pytest.mark.parametrize(("told", "said"), [("2500000000", "2.5 GB"), ("", ""), ("much", "")])
def test_what_a_switch_of_torch_freed_is_told_once(
    make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch, told: str, said: str
) -> None:
    """The launcher's window, where it stood first, closes at once."""
    monkeypatch.setenv(FREED, told)
    program = make_program().start()
    assert said in program.banner("torch") and bool(said) == bool(program.banner("torch"))
    program.application.close()
    assert not make_program().start().banner("torch")


def test_closing_waits_for_no_library(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """A probe that would never answer is given up."""
    from inference.doctor import libraries

    package = tmp_path / "path" / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("import threading\nthreading.Event().wait()", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.setattr(app.doctor, "ALL_CHECKS", (Check("torch", "torch", libraries.check_torch),))
    program = make_program().start()
    program.application.doctor.open_page()
    program.qtbot.waitUntil(lambda: bool(_running()))
    program.application.close()
    assert not _running()


def _running() -> set[object]:
    from inference.doctor import probe

    return set(probe._RUNNING)


def test_the_other_torch_can_be_had_where_there_is_a_card_and_a_launcher(
    make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    torch = Finding("torch", "torch", "good", "It is there.", facts=(("build", "CPU"),))
    cards = Finding("cards", "Graphics cards", "good", "One.", facts=(("Card", "24 GB"),))
    checks = (Check("torch", "torch", lambda: torch), Check("cards", "Graphics cards", lambda: cards))
    monkeypatch.setattr(app.doctor, "ALL_CHECKS", checks)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    program = make_program().start()
    program.application.doctor.open_page()
    page = program.application.doctor.page
    assert page is not None
    program.qtbot.waitUntil(page.again.isEnabled)
    assert page.switch.isHidden()  # this environment is not the launcher's
    (tmp_path / "foreword.json").write_text("{}", encoding="utf-8")
    page.again.click()
    program.qtbot.waitUntil(lambda: page.switch.text() == "Use the graphics card…" and page.switch.isVisible())
    page.switch.click()
    box = page.findChild(QMessageBox)
    assert box is not None and "3 GB" in box.text()
    with program.qtbot.waitSignal(program.application.closed):
        next(button for button in box.buttons() if button.text() == "Close and install").click()
    assert program.application.restart_command[1:] == (str(launcher()), "--icon", "setup", "--cuda")


def test_without_a_card_there_is_nothing_to_choose(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "foreword.json").write_text("{}", encoding="utf-8")
    torch = Finding("torch", "torch", "good", "It is there.", facts=(("build", "CUDA 13.0"),))
    cards = Finding("cards", "Graphics cards", "good", "One.", facts=(("Card", "24 GB"),))
    assert other_build([torch, cards]) == "cpu"
    assert other_build([torch]) is None and other_build([cards]) is None
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert other_build([torch, cards]) is None


def test_the_places_stand_in_the_page(make_program: MakeProgram, chinese: Interface) -> None:
    """Whoever looks for the chats or the log finds them without a tooltip."""
    page = DoctorPage(make_program().window, LIGHT)
    page.show_findings([check_places()], finished=True)
    shown = "\n".join(label.text() for label in page.findChildren(QLabel))
    assert all(str(place) in shown for place in places().values())
    assert f"崩溃报告：{places()['crash reports']}" in shown

"""The doctor in the window, with checks of its own."""

import threading

import pytest
from PySide6.QtWidgets import QLabel

import app.doctor
from inference.doctor.examination import Check
from inference.doctor.finding import Finding
from tests.app.conftest import MakeProgram


def test_findings_come_one_by_one_and_can_be_had_again(
    make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = threading.Event()

    def wait() -> Finding:
        assert second.wait(5)
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

"""The text of an attached file is shown on a click, with its size in tokens."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.attachments import Attachment
from app.theme import DARK, LIGHT
from app.views.attachment_viewer import MOST_COLOURED, AttachmentViewer
from app.views.reading_style import ReadingStyle
from tests.app.conftest import MakeProgram

PYTHON = Attachment("a.py", '"""Two\n🙂 lines"""\nx = 1  # 中文\n')


def colours(viewer: AttachmentViewer, line: int) -> set[str]:
    block = viewer.body.document().findBlockByNumber(line)
    return {form.format.foreground().color().name() for form in block.layout().formats()}


def test_code_has_its_colours_and_cannot_be_changed(qtbot: QtBot) -> None:
    for theme in (LIGHT, DARK):
        viewer = AttachmentViewer(PYTHON, ReadingStyle(theme), None)
        qtbot.addWidget(viewer)
        assert viewer.body.isReadOnly() and viewer.body.toPlainText() == PYTHON.text
        qtbot.waitUntil(lambda: bool(colours(viewer, 0)))  # noqa: B023 (waited for within the loop)
        assert colours(viewer, 0) == colours(viewer, 1)
        assert len(colours(viewer, 2)) == 2
        viewer.copy_button.click()
        assert QApplication.clipboard().text() == PYTHON.text


def test_long_text_is_shown_without_colours(qtbot: QtBot) -> None:
    viewer = AttachmentViewer(Attachment("a.py", "x = 1\n" * (MOST_COLOURED // 6 + 1)), ReadingStyle(LIGHT), None)
    qtbot.addWidget(viewer)
    assert colours(viewer, 0) == set()
    assert viewer.size_text == "16,667 lines · 100,002 characters"


def test_a_chip_opens_it_before_and_after_sending(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    program = make_program().start()
    composer, transcript = program.window.composer, program.window.transcript
    composer.files_offered.emit([str(tmp_path / "a.py")])
    program.qtbot.waitUntil(lambda: composer.can_send and len(composer.attachments.chips) == 1)
    QTest.keyClick(composer.attachments.chips[0], Qt.Key.Key_Return)
    first = transcript.findChild(AttachmentViewer)
    assert first is not None and first.size_text.startswith("6 tokens")
    first.reject()
    program.qtbot.waitUntil(lambda: transcript.findChild(AttachmentViewer) is None)
    program.ask("What is x?")
    view = next(one for one in transcript.messages.views if one.message.attachments)
    assert view._files is not None
    QTest.mouseClick(view._files.chips[0], Qt.MouseButton.LeftButton)
    second = transcript.findChild(AttachmentViewer)
    assert second is not None and second.attachment.text == "x = 1\n"
    program.qtbot.waitUntil(lambda: second.size_text.startswith("6 tokens"))

"""The box with the licences, from the menu that opens it."""

from app.views.about_box import AboutBox
from tests.app.conftest import MakeProgram


def test_the_menu_opens_the_box_once(make_program: MakeProgram) -> None:
    program = make_program().start()
    for _ in range(2):
        program.application.window.sidebar.about_requested.emit()
    program.qtbot.waitUntil(lambda: bool(program.application.window.findChildren(AboutBox)))
    (box,) = program.application.window.findChildren(AboutBox)
    assert "Apache" in box.text
    box.close()

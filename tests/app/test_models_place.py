"""A move of the models that was cut short is finished at the next start."""

from pathlib import Path

import pytest

from app.models_place import MOVING
from inference.manager import leftovers
from inference.manager.paths import keep_models_in, usual_models_folder
from tests.app.conftest import MakeProgram
from tests.patience import WAIT_MS


@pytest.mark.parametrize("same", [True, False])
def test_what_is_left_of_a_move_is_cleared_or_named(make_program: MakeProgram, tmp_path: Path, same: bool) -> None:
    left, new = usual_models_folder() / "tiny" / "config.json", tmp_path / "new"
    for path in (left, new / "tiny" / "config.json"):
        path.parent.mkdir(parents=True)
        path.write_text("{}")
    if not same:
        left.write_text("{ }")
    keep_models_in(new)
    leftovers.remember(usual_models_folder(), ["tiny"])
    program = make_program().start()
    if same:
        program.qtbot.waitUntil(lambda: not left.exists(), timeout=WAIT_MS)
    else:
        program.qtbot.waitUntil(lambda: str(usual_models_folder()) in program.banner(MOVING), timeout=WAIT_MS)
        assert left.exists()
    program.application.close()
    again = make_program().start()
    assert again.banner(MOVING) == "" and left.exists() != same

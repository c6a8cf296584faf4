"""A draft of another family is refused with a way out, which the person may take."""

from pathlib import Path

from app.drafter_names import candidate_name
from inference.errors import UserError
from inference.profiles import Candidate
from inference.vocabulary import SECOND_CHOICE
from tests.app.conftest import MakeProgram


def test_the_table_labels_it() -> None:
    assert candidate_name(Candidate("model", "Small")) == "Small"
    assert candidate_name(Candidate("combined", "Small", aligned=True)) == "n-gram + Small (by its text)"


def test_a_refused_draft_may_draft_by_its_text(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    program = make_program().start()
    loader = program.application.loader
    program.engine.draft_error = UserError("Token 'a' is 1 in the target and 2 in the draft.", SECOND_CHOICE)
    with program.qtbot.waitSignal(loader.failed):
        program.application.models.load_draft(str(tmp_path))
    assert "spelled twice" in program.banner("draft failed"), "what it costs is said beforehand"
    assert not program.application.settings.align_drafts
    program.engine.draft_error = None
    with program.qtbot.waitSignal(loader.draft_ready):
        program.press_in_banner("draft failed", "Let it draft by its text")
    settings = program.application.settings
    assert settings.align_drafts and settings.load().align
    assert settings.draft_model == str(tmp_path)
    assert not program.banner("load again"), "the model need not be loaded again for it"

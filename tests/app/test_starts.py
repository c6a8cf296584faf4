"""What is known of the last starts."""

from pathlib import Path

import pytest

from app.starts import Starts


def begun(path: Path) -> Starts:
    starts = Starts(path)
    starts.begin()
    return starts


def test_two_starts_that_came_to_nothing_make_the_third_careful(tmp_path: Path) -> None:
    path = tmp_path / "new" / "starts.json"
    assert [(one.crashed, one.failed, one.safe_mode) for one in (begun(path) for _ in range(4))] == [
        (False, 0, False),
        (True, 1, False),
        (True, 2, True),
        (True, 3, True),
    ]


def test_a_start_that_was_ready_is_a_crash_but_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "starts.json"
    begun(path)
    ready = begun(path)
    ready.ready()
    ready.later.flush()
    last = begun(path)
    assert (last.crashed, last.failed) == (True, 0)
    last.end()
    assert not begun(path).crashed


def test_the_person_may_ask_for_it(tmp_path: Path) -> None:
    starts = Starts(tmp_path / "starts.json")
    starts.begin(careful=True)
    assert starts.safe_mode and starts.asked and not starts.crashed
    assert not begun(tmp_path / "other.json").safe_mode
    starts.end()
    assert (begun(tmp_path / "starts.json").failed, starts.failed) == (0, 0)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"running": 1}', '{"running": true, "ready": true, "failed": "x"}']
)
def test_a_damaged_record_counts_for_nothing(tmp_path: Path, content: str) -> None:
    path = tmp_path / "starts.json"
    path.write_text(content)
    starts = begun(path)
    assert not starts.crashed and starts.failed == 0


def test_a_disk_that_refuses_is_no_reason_not_to_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    starts = begun(tmp_path / "file" / "starts.json")
    starts.ready()
    starts.end()
    assert not starts.safe_mode

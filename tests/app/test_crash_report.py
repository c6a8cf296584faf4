"""Reports say where, and never what about."""

from pathlib import Path

from app.crash_report import KEPT, log_lines, native_crash, places, reports, save_report


def stumble(secret: str) -> None:
    try:
        {}[secret]
    except KeyError as error:
        raise ValueError(f"about {secret}") from error


def caught(secret: str) -> BaseException:
    try:
        stumble(secret)
    except ValueError as error:
        return error
    raise AssertionError


def test_kinds_and_lines_without_a_word_of_the_message() -> None:
    text = places(caught("my diary"))
    assert text.index("KeyError") < text.index("ValueError")
    assert "tests/app/test_crash_report.py" in text and "in stumble" in text
    assert "diary" not in text


def test_errors_that_cause_each_other_end() -> None:
    error = ValueError()
    error.__context__ = TypeError()
    error.__context__.__context__ = error
    assert places(error).splitlines() == ["builtins.TypeError", "builtins.ValueError"]


def test_a_report_has_versions_and_the_records_of_the_log(tmp_path: Path) -> None:
    log = tmp_path / "foreword.log"
    log.write_text(
        "2026-01-01 10:00:00,000 INFO    MainThread app: started\n"
        "2026-01-01 10:00:01,000 ERROR   engine app: failed\n"
        "Traceback (most recent call last):\nKeyError: 'my diary'\n"
    )
    text = save_report(tmp_path / "reports", "what happened", log).read_text(encoding="utf-8")
    for part in ("what happened", "Python: ", "torch: ", "app: started", "app: failed"):
        assert part in text
    assert "diary" not in text


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    paths = [save_report(tmp_path, str(number), tmp_path / "no log") for number in range(KEPT + 3)]
    assert set(reports(tmp_path)) == set(paths[3:])
    assert log_lines(tmp_path / "no log") == ""


def test_the_trace_of_a_native_crash_is_read_once(tmp_path: Path) -> None:
    trace = tmp_path / "native-crash.txt"
    assert native_crash(trace) == ""
    trace.write_text(f"Fatal Python error: Segmentation fault\n  File {Path.home()}/x.py\n")
    text = native_crash(trace)
    assert "Segmentation fault" in text and str(Path.home()) not in text
    assert native_crash(trace) == ""

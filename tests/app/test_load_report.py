from typing import get_args

import pytest

from app.load_report import LoadReport, megabytes
from inference.events import LoadProgress, Stage


def test_a_download_tells_amount_speed_and_time_left() -> None:
    report = LoadReport()
    assert report.line(LoadProgress("download", 24_000_000, 98_000_000, "SmolLM2"), 0.0) == (
        "Downloading SmolLM2, 24 of 98 MB"
    )
    assert report.line(LoadProgress("download", 34_000_000, 98_000_000, "SmolLM2"), 2.0) == (
        "Downloading SmolLM2, 34 of 98 MB, 5.0 MB/s, 13 s left"
    )


def test_the_speed_is_that_of_the_last_seconds() -> None:
    report = LoadReport()
    for second in range(60):
        line = report.line(LoadProgress("download", second * 1_000_000, 0, "x"), float(second))
    line = report.line(LoadProgress("download", 159_000_000, 0, "x"), 60.0)
    assert "26 MB/s" in line and "left" not in line


def test_a_download_that_stands_still_says_so_and_keeps_no_old_speed() -> None:
    report = LoadReport()
    for second in range(10):
        line = report.line(LoadProgress("download", min(second, 5) * 1_000_000, 9_000_000, "x"), float(second))
    assert "nothing comes" in line and "/s" not in line and "left" not in line
    assert "nothing" not in report.line(LoadProgress("download", 6_000_000, 9_000_000, "x"), 10.0)


def test_a_new_stage_starts_afresh() -> None:
    report = LoadReport()
    report.line(LoadProgress("download", 0, 10, "x"), 0.0)
    assert "/s" not in report.line(LoadProgress("weights", 10, 10, "x"), 1.0)


@pytest.mark.parametrize("stage", get_args(Stage))
def test_every_stage_tells_the_bytes_it_knows(stage: Stage) -> None:
    assert LoadReport().line(LoadProgress(stage, 412_000_000, 1_120_000_000, "x"), 0.0).endswith(", 412 MB of 1.1 GB")


def test_what_takes_long_tells_the_time_left() -> None:
    report = LoadReport()
    report.line(LoadProgress("pack", 0, 90_000_000, "x"), 0.0)
    line = report.line(LoadProgress("pack", 30_000_000, 90_000_000, "x"), 2.0)
    assert line == "Packing the weights of x, once, 30 of 90 MB, 4 s left"


@pytest.mark.parametrize("stage", get_args(Stage))
def test_every_stage_has_words(stage: Stage) -> None:
    line = LoadReport().line(LoadProgress(stage), 0.0)
    assert line and "{" not in line and "None" not in line and "0" not in line


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0.0 MB"), (5_040_000, "5.0 MB"), (98_362_432, "98 MB"), (13_400_000_000, "13.4 GB")]
)
def test_sizes(count: int, text: str) -> None:
    assert megabytes(count) == text


@pytest.mark.parametrize(("left", "text"), [(1, "1 s"), (80, "80 s"), (300, "5 min"), (7200, "2 h")])
def test_time_left(left: int, text: str) -> None:
    report = LoadReport()
    report.line(LoadProgress("download", 0, 1, "x"), 0.0)
    line = report.line(LoadProgress("download", 1_000_000, 1_000_000 * (1 + left), "x"), 1.0)
    assert line.endswith(f"{text} left")

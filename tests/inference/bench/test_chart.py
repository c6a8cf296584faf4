"""The chart: a PNG whose bars are as long as the speeds."""

import io
import sys
from pathlib import Path

import pytest
from PIL import Image

from inference.bench import chart, main
from inference.bench.figures import rows
from tests.inference.bench.samples import sample


def bars(picture: Image.Image) -> dict[tuple[int, int, int], int]:
    """Width in pixels of the longest run of each bar's colour."""
    result: dict[tuple[int, int, int], int] = {}
    for y in range(picture.height):
        line = [picture.getpixel((x, y)) for x in range(picture.width)]
        for colour in set(line):
            result[colour] = max(result.get(colour, 0), line.count(colour))  # type: ignore[index, arg-type]
    return result


def colour(index: int) -> tuple[int, int, int]:
    code = chart.COLOURS[index]
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def test_bars_are_as_long_as_the_speeds() -> None:
    made = rows([sample("slow", 25.0), sample("fast", 100.0)], ["slow", "fast"])
    picture = Image.open(io.BytesIO(chart.draw(made, "Title", "caption")))
    assert picture.format == "PNG"
    widths = bars(picture.convert("RGB"))
    assert widths[colour(1)] == pytest.approx(4 * widths[colour(0)], rel=0.02)


def test_many_arms_groups_and_foreign_names_fit() -> None:
    arms = [f"arm{i}" for i in range(12)]
    samples = [sample(arm, 1.0 + i, group=g) for g in ("code", "散文") for i, arm in enumerate(arms)]
    picture = Image.open(io.BytesIO(chart.draw(rows(samples, arms), "模型", "")))
    assert picture.width == chart.WIDTH
    assert picture.height > 24 * chart.STEP


def test_without_pillow_it_is_said_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert main(["--png", str(tmp_path / "a.png"), "--model", str(tmp_path / "none")]) == 2
    assert "Pillow" in capsys.readouterr().err

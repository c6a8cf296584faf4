"""The interface is as large as the system's text."""

from pathlib import Path

import pytest

from app import text_scale
from app.text_scale import following_text_scale


@pytest.mark.parametrize(
    ("environment", "factor"),
    [
        ({"QT_FONT_DPI": "96"}, None),
        ({"QT_FONT_DPI": "144"}, "1.5"),
        ({"QT_FONT_DPI": "144", "QT_SCALE_FACTOR": "2"}, "3"),
        ({"QT_FONT_DPI": "999"}, "2"),
        ({"QT_FONT_DPI": "large"}, "1.25"),
        ({}, "1.25"),
    ],
)
def test_what_the_system_says_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, environment: dict[str, str], factor: str | None
) -> None:
    tool = tmp_path / "gsettings"
    tool.write_text("#!/bin/sh\n[ $3 = text-scaling-factor ] && echo 1.25\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(text_scale.sys, "platform", "linux")
    before = dict(environment)
    with following_text_scale(environment):
        assert environment.get("QT_SCALE_FACTOR") == factor
    assert environment == before


@pytest.mark.parametrize(
    ("content", "scale"),
    [("[General]\nfont=Noto Sans,13,-1,5,50\n", 1.3), ("[General]\n", 1.0), ("no file of this kind", 1.0)],
)
def test_the_font_of_kde_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str, scale: float) -> None:
    (tmp_path / "kdeglobals").write_text(content)
    monkeypatch.setattr(text_scale.sys, "platform", "linux")
    assert text_scale.text_scale({"XDG_CURRENT_DESKTOP": "KDE", "XDG_CONFIG_HOME": str(tmp_path)}) == scale

"""The interface is as large as the system's text."""

from pathlib import Path

import pytest

from app.text_scale import following_text_scale, wanted_variables

DPI = "QT_WAYLAND_FORCE_DPI"


@pytest.mark.parametrize(
    ("says", "environment", "wanted"),
    [
        ("1.0", {}, {}),
        ("1.25", {}, {DPI: "120"}),
        ("9", {}, {DPI: "192"}),
        ("nonsense", {}, {}),
        ("1.25", {DPI: "100"}, {}),
    ],
)
def test_what_gnome_says_is_taken_once(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    says: str,
    environment: dict[str, str],
    wanted: dict[str, str],
) -> None:
    tool = tmp_path / "gsettings"
    tool.write_text(f"#!/bin/sh\n[ $3 = text-scaling-factor ] && echo {says}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr("app.text_scale.sys.platform", "linux")
    assert wanted_variables(environment) == wanted
    before = dict(environment)
    with following_text_scale(environment):
        assert environment == {**before, **wanted}
    assert environment == before


@pytest.mark.parametrize(
    ("content", "factor"),
    [("[General]\nfont=Noto Sans,13,-1,5,50\n", "2.6"), ("[General]\n", None), ("no file of this kind", None)],
)
def test_the_font_of_kde_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str, factor: str | None
) -> None:
    (tmp_path / "kdeglobals").write_text(content)
    monkeypatch.setattr("app.text_scale.sys.platform", "linux")
    environment = {"XDG_CURRENT_DESKTOP": "KDE", "XDG_CONFIG_HOME": str(tmp_path), "QT_SCALE_FACTOR": "2"}
    assert wanted_variables(environment).get("QT_SCALE_FACTOR") == factor

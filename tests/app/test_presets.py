from pathlib import Path

import pytest

from app.presets import NAMES, Preset, Presets, applied, values_of
from app.settings import BY_NAME, Settings
from inference.errors import UserError


def test_the_shipped_presets_are_valid_and_make_a_difference(tmp_path: Path) -> None:
    presets = Presets(tmp_path / "presets.toml")
    assert presets.trouble == "" and len(presets.shipped) >= 5
    names = [preset.name for preset in presets.shipped]
    assert len(set(names)) == len(names)
    for preset in presets.shipped:
        assert applied(Settings(), preset.values) != Settings()
    assert set(NAMES) <= set(BY_NAME)


def test_own_presets_are_kept_replaced_and_removed(tmp_path: Path) -> None:
    presets = Presets(tmp_path / "new" / "presets.toml")
    settings = Settings(temperature=0.25, system_prompt='Say "好"\nand\\no more.', seed=None)
    presets.save(Preset("Mine", values_of(settings)))
    presets.save(Preset("Code", {"temperature": 0.0}))
    presets.later.flush()
    again = Presets(tmp_path / "new" / "presets.toml")
    assert [(preset.name, preset.own) for preset in again.own] == [("Code", True), ("Mine", True)]
    mine, code = again.find("Mine"), again.find("Code")
    assert mine is not None and applied(Settings(), mine.values) == settings
    assert code is not None and code.own and code.values == {"temperature": 0.0}
    again.remove("Code")
    again.later.flush()
    assert [preset.name for preset in Presets(tmp_path / "new" / "presets.toml").own] == ["Mine"]
    shipped = again.find("Code")
    assert shipped is not None and not shipped.own
    assert again.find("nobody") is None


def test_what_is_not_valid_is_refused_or_passed_over(tmp_path: Path) -> None:
    for values in ({"temperature": 9.0}, {"model": "x"}, {"nonsense": 1}):
        with pytest.raises(ValueError, match=r"Temperature|cannot set"):
            Preset("x", values)
    with pytest.raises(ValueError, match="name"):
        Preset("  ", {})
    assert applied(Settings(), {"temperature": 99, "model": "x", "top_k": 5}) == Settings(top_k=5)


@pytest.mark.parametrize(
    "content", ["nonsense [", "[[preset]]\ntemperature = 1.0", "preset = 3", '[[preset]]\nname="x"\nmodel="y"']
)
def test_a_damaged_file_is_told_and_stays(tmp_path: Path, content: str) -> None:
    (tmp_path / "presets.toml").write_text(content)
    presets = Presets(tmp_path / "presets.toml")
    assert "could not be read" in presets.trouble and presets.own == []
    assert (tmp_path / "presets.toml").read_text() == content


def test_a_disk_that_refuses_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    presets, told = Presets(tmp_path / "file" / "presets.toml"), list[UserError]()
    presets.later.refused = told.append
    presets.save(Preset("Mine", {}))
    presets.later.flush()
    assert len(told) == 1 and "could not be saved" in told[0].message and presets.find("Mine") is not None

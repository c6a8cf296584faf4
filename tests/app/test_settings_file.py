"""The settings file survives whatever was written into it, and whatever happens while it is written."""

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from app.setting import Setting
from app.setting_rules import Choice, Flag, Integer, Number
from app.settings import TABLE, Settings
from app.settings_file import SettingsFile
from inference.errors import UserError


def values(setting: Setting) -> st.SearchStrategy[object]:
    rule = setting.rule
    if isinstance(rule, Choice):
        return st.sampled_from([value for value, _ in rule.options])
    if isinstance(rule, Flag):
        return st.booleans()
    if isinstance(rule, Integer):
        whole = st.integers(rule.low, rule.high)
        return st.none() | whole if rule.optional else whole
    if isinstance(rule, Number):
        return st.floats(rule.low, rule.high)
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=50)


@given(st.fixed_dictionaries({setting.name: values(setting) for setting in TABLE}))
@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read(tmp_path: Path, chosen: dict[str, object]) -> None:
    wanted = Settings()
    for name, value in chosen.items():
        wanted = wanted.with_value(name, value)
    SettingsFile(tmp_path / "settings.toml").write(wanted)
    assert SettingsFile(tmp_path / "settings.toml").read() == (wanted, "")


def test_no_file_is_no_fault(tmp_path: Path) -> None:
    assert SettingsFile(tmp_path / "settings.toml").read() == (Settings(), "")


def test_folders_are_made_and_may_be_chinese(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "用户 资料" / "foreword" / "settings.toml")
    file.write(Settings(system_prompt="用中文回答。\n简短。"))
    assert file.read()[0].system_prompt == "用中文回答。\n简短。"


def test_only_what_differs_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    SettingsFile(path).write(Settings(temperature=0.2))
    assert tomllib.loads(path.read_text()) == {"temperature": 0.2}


@pytest.mark.parametrize("content", [b"temperature = = 3", b"[unclosed", b"\xff\xfe\x00broken", b'a = "never ends'])
def test_a_broken_file_is_set_aside_and_reported(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    for number in (1, 2):
        path.write_bytes(content)
        settings, wrong = SettingsFile(path).read()
        assert settings == Settings()
        assert f"settings.broken-{number}.toml" in wrong
        assert (tmp_path / f"settings.broken-{number}.toml").read_bytes() == content
        assert not path.exists()
    SettingsFile(path).write(Settings(temperature=0.1))
    assert SettingsFile(path).read() == (Settings(temperature=0.1), "")


def test_one_bad_value_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('temperature = 70\ntop_k = "many"\ndrafter = "model"\nseed = 5\n')
    settings, wrong = SettingsFile(path).read()
    assert settings == Settings(drafter="model", seed=5)
    assert "Temperature must be between 0 and 2, not 70." in wrong
    assert "Top-k must be a whole number" in wrong
    assert path.exists()


def test_keys_of_a_newer_version_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('future = "yes"\ntemperature = 0.4\n[more]\nlist = [1, 2]\n')
    file = SettingsFile(path)
    settings, wrong = file.read()
    assert wrong == ""
    file.write(settings.with_value("seed", 3))
    kept = tomllib.loads(path.read_text())
    assert kept == {"future": "yes", "temperature": 0.4, "seed": 3, "more": {"list": [1, 2]}}


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.toml"
    file = SettingsFile(path)
    file.write(Settings(temperature=0.1))

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="No space left on device") as caught:
        file.write(Settings(temperature=0.9))
    assert caught.value.remedy
    assert [entry.name for entry in tmp_path.iterdir()] == ["settings.toml"]
    assert file.read() == (Settings(temperature=0.1), "")


def test_a_folder_that_cannot_be_made_is_the_persons_to_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError):
        SettingsFile(tmp_path / "file" / "settings.toml").write(Settings())


def test_a_file_that_cannot_be_read_is_reported_and_left(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").mkdir()
    settings, wrong = SettingsFile(tmp_path / "settings.toml").read()
    assert settings == Settings()
    assert "could not be read" in wrong
    assert (tmp_path / "settings.toml").is_dir()

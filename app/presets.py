"""Named sets of settings for a chat: the shipped ones, and those the person makes."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import tomli_w

import assets
from app.later import Later
from app.settings import BY_NAME, Settings
from inference.errors import UserError
from inference.manager.files import write_atomically

SHIPPED = Path(assets.__file__).parent / "presets.toml"
# What a preset may set: how replies are made, and nothing about the window or what is loaded.
NAMES = (
    *("system_prompt", "temperature", "top_p", "top_k", "min_p", "repetition_penalty", "seed", "max_tokens"),
    *("speculation", "drafter", "dynamic", "draft_length", "max_draft_length", "min_acceptance"),
)


@dataclass(frozen=True)
class Preset:
    """`values` by the names of settings; `own`: the person made it."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    own: bool = False

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ValueError("A preset needs a name.")
        object.__setattr__(self, "values", {name: _checked(name, value) for name, value in self.values.items()})


def _checked(name: str, value: Any) -> Any:
    if name not in NAMES:
        raise ValueError(f"A preset cannot set {name!r}.")
    return BY_NAME[name].check(value)


def applied(settings: Settings, overrides: Mapping[str, Any]) -> Settings:
    """The settings of a chat. What this version does not know, or no longer allows, is passed over."""
    for name, value in overrides.items():
        if name in NAMES:
            try:
                settings = settings.with_value(name, value)
            except ValueError:
                continue
    return settings


def values_of(settings: Settings) -> dict[str, Any]:
    """What a preset made from these settings keeps."""
    return {name: getattr(settings, name) for name in NAMES if getattr(settings, name) is not None}


class Presets:
    """The person's own stand in a TOML file, written whole each time, and later.

    `later.refused` hears when the disk refuses; a change holds all the same.
    """

    def __init__(self, path: Path) -> None:
        """`trouble` says what was wrong with the file, or is empty."""
        self._path = path
        self.later = Later("writer of presets")
        self.shipped = _read(SHIPPED, own=False)
        self.own: list[Preset] = []
        self.trouble = ""
        try:
            self.own = _read(path, own=True)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            self.trouble = f"Your presets could not be read ({error})."

    @property
    def all(self) -> list[Preset]:
        """A shipped one is hidden by an own one of its name."""
        own = {preset.name for preset in self.own}
        return [*(preset for preset in self.shipped if preset.name not in own), *self.own]

    def find(self, name: str) -> Preset | None:
        return next((preset for preset in self.all if preset.name == name), None)

    def save(self, preset: Preset) -> None:
        """Add it, in place of an own one of its name."""
        own = [one for one in self.own if one.name != preset.name]
        self._keep([*own, Preset(preset.name, preset.values, own=True)])

    def rename(self, name: str, new: str) -> None:
        """An own one; nothing else may have the new name. Raises UserError."""
        if new != name and self.find(new) is not None:
            raise UserError(f"There is already a preset called {new}.", "Choose another name.")
        self._keep([Preset(new, one.values, own=True) if one.name == name else one for one in self.own])

    def free_name(self, name: str) -> str:
        """This name with the first number that no preset has."""
        number = 2
        while self.find(f"{name} {number}") is not None:
            number += 1
        return f"{name} {number}"

    def remove(self, name: str) -> None:
        self._keep([one for one in self.own if one.name != name])

    def _keep(self, own: list[Preset]) -> None:
        self.own, self.trouble = sorted(own, key=lambda preset: preset.name.casefold()), ""
        self.later.do(partial(self._write, self.own))

    def _write(self, own: list[Preset]) -> None:
        text = tomli_w.dumps(
            {"preset": [{"name": preset.name, **preset.values} for preset in own]}, multiline_strings=True
        )
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path, text.encode())
        except OSError as error:
            raise UserError(
                f"The preset could not be saved ({error.strerror}).", "Check that there is room."
            ) from error


def _read(path: Path, *, own: bool) -> list[Preset]:
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["preset"]
    return [Preset(str(one["name"]), {k: v for k, v in one.items() if k != "name"}, own) for one in listed]

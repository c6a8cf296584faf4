"""The settings on disk: a small TOML file that is never half written and never fatal."""

import tomllib
from pathlib import Path
from typing import Any

import tomli_w

from app.settings import BY_NAME, TABLE, Settings
from inference.errors import UserError
from inference.manager.files import write_atomically


class SettingsFile:
    """Keeps what differs from the defaults, so that a better default of a later version reaches everybody.

    Keys this version does not know (a newer one wrote them) are kept as they are.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._unknown: dict[str, Any] = {}

    def read(self) -> tuple[Settings, str]:
        """The settings, and one or more sentences of what was wrong with the file ("" if nothing was)."""
        self._unknown = {}
        try:
            values = tomllib.loads(self.path.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            return Settings(), ""
        except OSError as error:
            return Settings(), f"The settings could not be read ({error.strerror}), so the defaults are used."
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            return Settings(), self._set_aside()
        self._unknown = {name: value for name, value in values.items() if name not in BY_NAME}
        settings, complaints = Settings(), []
        for setting in TABLE:
            if setting.name not in values:
                continue
            try:
                settings = settings.with_value(setting.name, values[setting.name])
            except ValueError as error:
                complaints.append(f"{error} The default is used instead.")
        return settings, " ".join(complaints)

    def write(self, settings: Settings) -> None:
        """Replace the file in one step. Raises UserError when the disk refuses."""
        changed = {s.name: getattr(settings, s.name) for s in TABLE if getattr(settings, s.name) != s.default}
        text = tomli_w.dumps(changed | self._unknown)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, text.encode())
        except OSError as error:
            raise UserError(
                f"The settings could not be saved ({error.strerror}).",
                f"Check that there is room and that {self.path.parent} can be written to.",
            ) from error

    def _set_aside(self) -> str:
        number = 1
        while (aside := self.path.with_name(f"{self.path.stem}.broken-{number}{self.path.suffix}")).exists():
            number += 1
        try:
            self.path.rename(aside)
        except OSError as error:
            return f"The settings file is damaged and could not be set aside ({error.strerror}); the defaults are used."
        return f"The settings file was damaged. It was set aside as {aside.name}, and the defaults are used."

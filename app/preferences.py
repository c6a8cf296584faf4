"""The settings of a session: what the file says, and over it what the command line said."""

from collections.abc import Mapping
from functools import partial

from app.later import Later
from app.settings import TABLE, Settings
from app.settings_file import SettingsFile


class Preferences:
    """`current` is what counts. A value from the command line is not written, unless the person changes it."""

    def __init__(self, file: SettingsFile, session: Mapping[str, object]) -> None:
        """Raises ValueError when a value of `session` is not valid. `trouble`: what was wrong with the file."""
        self._file = file
        self.later = Later("settings writer")
        self._kept, self.trouble = file.read()
        self._session = dict(session)
        self.current = self._kept
        for name, value in session.items():
            self.current = self.current.with_value(name, value)

    def change(self, new: Settings) -> None:
        """Take over, and write later. `later.refused` hears when the disk refuses; the change holds all the same."""
        for setting in TABLE:
            value = getattr(new, setting.name)
            if value != getattr(self.current, setting.name):
                self._session.pop(setting.name, None)
            if setting.name not in self._session:
                self._kept = self._kept.with_value(setting.name, value)
        self.current = new
        self.later.do(partial(self._file.write, self._kept))

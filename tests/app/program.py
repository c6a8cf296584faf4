"""Makes the program with a scripted engine. A `Program` is closed by the fixture that made it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.application import Application
from app.chat_message import ChatMessage
from app.parts import Parts
from app.preferences import Preferences
from app.settings_file import SettingsFile
from app.starts import Starts
from app.worker import ModelStore
from inference.chat_engine import ChatEngine
from tests.app.scripted_engine import ScriptedEngine, ScriptedStore
from tests.patience import WAIT_MS


class Program:
    """One session in `folder`; a second one in the same folder finds what the first one kept."""

    def __init__(
        self,
        qtbot: QtBot,
        folder: Path,
        engine: ScriptedEngine | None = None,
        store: ScriptedStore | None = None,
        session: dict[str, str] | None = None,
        starts: Starts | None = None,
        welcome: bool = False,
        system_reduces_motion: Callable[[], bool] = lambda: False,
    ) -> None:
        self.qtbot = qtbot
        self.engine = engine or ScriptedEngine()
        self.store = store or ScriptedStore()
        self._settings_file = SettingsFile(folder / "settings.toml")
        self.chats_folder = folder / "data"
        preferences = self._preferences = Preferences(self._settings_file, session or {"appearance": "light"})
        state = folder / "window.ini"
        qt = QApplication.instance()
        assert isinstance(qt, QApplication)
        self.application = Application(
            qt,
            Parts(
                preferences,
                self.chats_folder,
                state,
                self._make_engine,
                self._make_store,
                log_folder=folder / "log",
                starts=starts or Starts(folder / "starts.json"),
                system_reduces_motion=system_reduces_motion,
                welcome=welcome,
            ),
        )
        self.window = self.application.window

    @property
    def settings_file(self) -> SettingsFile:
        """With all in it that was to be written."""
        self._preferences.later.flush()
        return self._settings_file

    def _make_engine(self) -> ChatEngine:
        return self.engine

    def _make_store(self) -> ModelStore:
        return self.store

    def start(self) -> "Program":
        """With the model loaded."""
        with self.qtbot.waitSignal(self.application.model_ready, timeout=WAIT_MS):
            self.application.start()
        return self

    def start_failing(self) -> "Program":
        with self.qtbot.waitSignal(self.application.loader.failed, timeout=WAIT_MS):
            self.application.start()
        return self

    def ask(self, text: str) -> ChatMessage:
        """Type, send, and wait for the whole reply."""
        with self.qtbot.waitSignal(self.application.replies.ended, timeout=WAIT_MS):
            self.begin(text)
        return self.messages[-1]

    def begin(self, text: str) -> None:
        """Type and send."""
        self.window.composer.set_text(text)
        self.window.composer.button.click()

    def until(self, text: str) -> None:
        """Until the last message reads so far."""
        self.qtbot.waitUntil(lambda: self.messages[-1].text.startswith(text) and bool(text), timeout=WAIT_MS)

    @property
    def messages(self) -> list[ChatMessage]:
        return self.application.conversation.messages

    def banner(self, name: str) -> str:
        banner = self.window.banners.banner(name)
        return banner.text if banner else ""

    def press_in_banner(self, name: str, button: str) -> None:
        banner = self.window.banners.banner(name)
        assert banner is not None
        (found,) = [one for one in banner.buttons if one.text() == button]
        found.click()

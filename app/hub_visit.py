"""Behind the dialog of the model hub: asks and changes address and token, in a thread, as keyrings may wait."""

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.errands import Errands
from app.error_texts import told
from app.views.hub_dialog import HubDialog
from inference.errors import UserError
from inference.manager import addresses, hub_token
from inference.manager.hub_choice import choose_hub


@dataclass(frozen=True)
class HubState:
    """Never the token itself. fixed: the environment names the address. variable: and a token."""

    address: str
    fixed: bool
    kept: bool
    keyring: bool
    variable: bool

    @classmethod
    def read(cls) -> "HubState":
        """May wait until a keyring is unlocked."""
        hub = addresses.hub()
        fixed, variable = (bool(os.environ.get(name, "").strip()) for name in ("HF_ENDPOINT", hub_token.VARIABLE))
        return cls(hub, fixed, bool(hub_token.kept_token(hub)), hub_token.can_keep(), variable)


class HubVisit(QObject):
    changed = Signal()  # models come from elsewhere, or as somebody else

    def __init__(self, errands: Errands) -> None:
        super().__init__()
        self._errands = errands
        self.dialog: HubDialog | None = None

    def open(self, parent: QWidget) -> None:
        if self.dialog is None:
            self.dialog = HubDialog(
                parent, [("Hugging Face", addresses.HUB), (urlsplit(addresses.MIRROR).hostname or "", addresses.MIRROR)]
            )
            self.dialog.address_chosen.connect(self._choose)
            self.dialog.token_given.connect(lambda token: self._do(partial(_keep, token)))
            self.dialog.token_unwanted.connect(lambda: self._do(_clear))
        self.dialog.show_message("")
        self._do(lambda: None)
        self.dialog.show()

    def _choose(self, address: str) -> None:
        self._do(partial(choose_hub, "" if address == addresses.HUB else address))

    def _do(self, act: Callable[[], object]) -> None:
        self._errands.start("model hub", partial(_after, act), self._show, self._fail)

    def _show(self, state: HubState) -> None:
        if self.dialog is not None:
            self.dialog.show_address(state.address, state.fixed)
            self.dialog.show_token(state.kept, state.keyring, state.variable)
            self.dialog.show_message("")
        self.changed.emit()

    def _fail(self, error: UserError) -> None:
        if self.dialog is not None:
            self.dialog.show_message(told(error))


def _after(act: Callable[[], object], cancel: threading.Event) -> Iterator[HubState]:
    act()
    yield HubState.read()


def _keep(token: str) -> None:
    hub_token.keep_token(addresses.hub(), token)


def _clear() -> None:
    hub_token.clear_token(addresses.hub())

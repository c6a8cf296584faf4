"""The box that says what Foreword consists of; its licences are gathered in a thread of their own."""

import threading
from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from app.errands import Errands
from app.error_texts import told
from app.licences import Licence, shipped
from app.views.about_box import AboutBox
from app.views.banner import Banners
from inference.errors import UserError


class About:
    def __init__(self, parent: QWidget, banners: Banners, errands: Errands) -> None:
        self._parent = parent
        self._banners = banners
        self._errands = errands
        self._wanted = False  # and not yet shown

    def open_box(self) -> None:
        if not self._wanted:
            self._wanted = True
            self._errands.start("licences", _licences, self._show, self._fail)

    def _show(self, licences: tuple[Licence, ...]) -> None:
        self._wanted = False
        AboutBox(self._parent, licences).show()

    def _fail(self, error: UserError) -> None:
        self._wanted = False
        self._banners.show_banner("about", told(error), tone="error")


def _licences(cancel: threading.Event) -> Iterator[tuple[Licence, ...]]:
    yield shipped()

"""What can be done with a message; every link of it is here too, so that the keyboard reaches them."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from app.language import tr

if TYPE_CHECKING:
    from app.views.message_view import MessageView

MOST_LINKS = 20
LONGEST_LINK = 60


def message_menu(view: "MessageView") -> QMenu:
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if view.selection.text():
        menu.addAction(tr("Copy"), view.copy_selection)
    menu.addAction(tr("Copy message"), view.copy_message)
    menu.addAction(tr("Select all"), view.selection.select_all)
    if view.message.state != "streaming":
        menu.addSeparator()
        _add_changes(menu, view)
    if view.links:
        menu.addSeparator()
    for link in view.links[:MOST_LINKS]:
        shown = link if len(link) <= LONGEST_LINK else link[: LONGEST_LINK - 1] + "…"
        action = menu.addAction(tr("Open {address}").format(address=shown))
        action.setData(link)
        action.triggered.connect(partial(view.link_clicked.emit, link))
    return menu


def _add_changes(menu: QMenu, view: "MessageView") -> None:
    """What makes another chat of this one."""
    message_id = view.message.id
    menu.addAction(tr("Edit"), view.begin_edit)
    again = tr("Reply again") if view.message.role == "assistant" else tr("Ask again")
    menu.addAction(again, lambda: view.regenerate_clicked.emit(message_id))
    if view.message.role == "assistant":
        menu.addAction(tr("Continue this reply"), lambda: view.continue_clicked.emit(message_id))
        menu.addAction(tr("Compare with and without speculation…"), lambda: view.compare_clicked.emit(message_id))
        menu.addAction(tr("Details of this reply"), lambda: view.details_clicked.emit(message_id))
    menu.addAction(tr("New chat from here"), lambda: view.branch_clicked.emit(message_id))
    menu.addAction(tr("Delete"), lambda: view.delete_clicked.emit(message_id))

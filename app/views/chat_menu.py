"""What can be done with a chat, and with a folder, of the list."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMenu

from app.language import tr
from app.views.chat_list_model import Row
from app.views.icons import icon
from app.views.labels import in_menu

if TYPE_CHECKING:
    from app.views.sidebar import Sidebar

DIALOG_WIDTH = 400


def chat_menu(sidebar: "Sidebar", line: Row) -> QMenu:
    menu, theme = _menu(sidebar), sidebar.theme
    rename = menu.addAction(icon("pencil", theme.muted), tr("Rename"), lambda: sidebar.list.edit_chat(line.id))
    rename.setShortcut("F2")
    pin = tr("Unpin") if line.pinned else tr("Pin to the top")
    menu.addAction(icon("pin", theme.muted), pin, lambda: sidebar.pin_requested.emit(line.id, not line.pinned))
    private = menu.addAction(tr("Learn nothing from this chat"))
    private.setToolTip(tr("Replies in other chats are not drafted from it, and no draft is trained on it"))
    private.setCheckable(True)
    private.setChecked(line.private)
    private.triggered.connect(lambda checked: sidebar.private_requested.emit(line.id, checked))
    folders = menu.addMenu(icon("folder", theme.muted), tr("Folder"))
    none = folders.addAction(tr("None"), lambda: sidebar.move_requested.emit(line.id, ""))
    none.setCheckable(True)
    none.setChecked(not line.folder)
    for folder in sidebar.folders:
        action = folders.addAction(in_menu(folder.name))
        action.setCheckable(True)
        action.setChecked(folder.id == line.folder)
        action.triggered.connect(lambda _=False, to=folder.id: sidebar.move_requested.emit(line.id, to))
    folders.addSeparator()
    folders.addAction(tr("New folder…"), lambda: _ask_for_folder(sidebar, line.id))
    export = menu.addMenu(icon("download", theme.muted), tr("Export"))
    export.addAction(tr("Markdown…"), lambda: sidebar.export_requested.emit(line.id, "markdown"))
    export.addAction(tr("JSON…"), lambda: sidebar.export_requested.emit(line.id, "json"))
    delete = menu.addAction(icon("trash", theme.error), tr("Delete"), lambda: sidebar.delete_requested.emit(line.id))
    delete.setShortcut("Del")
    return menu


def folder_menu(sidebar: "Sidebar", folder: str, name: str) -> QMenu:
    menu, theme = _menu(sidebar), sidebar.theme
    menu.addAction(icon("pencil", theme.muted), tr("Rename"), lambda: _ask_for_name(sidebar, folder, name))
    count = sidebar.count_in(folder)
    text = tr("Remove the folder, keep its chats") if count else tr("Remove the folder")
    menu.addAction(icon("close", theme.muted), text, lambda: sidebar.folder_remove_requested.emit(folder))
    if count:
        many, one = tr("Delete the folder and its {count} chats"), tr("Delete the folder and its chat")
        text = (one if count == 1 else many).format(count=count)
        menu.addAction(icon("trash", theme.error), text, lambda: sidebar.folder_delete_requested.emit(folder))
    return menu


def _menu(sidebar: "Sidebar") -> QMenu:
    menu = QMenu(sidebar)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def _ask_for_folder(sidebar: "Sidebar", chat: str) -> None:
    dialog = _question(sidebar, tr("New folder"))
    dialog.textValueSelected.connect(lambda name: sidebar.folder_requested.emit(chat, name.strip()))
    dialog.open()


def _ask_for_name(sidebar: "Sidebar", folder: str, name: str) -> None:
    dialog = _question(sidebar, tr("Rename the folder"))
    dialog.setTextValue(name)
    dialog.textValueSelected.connect(lambda new: sidebar.folder_renamed.emit(folder, new.strip()))
    dialog.open()


def _question(sidebar: "Sidebar", title: str) -> QInputDialog:
    dialog = QInputDialog(sidebar)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(tr("Name of the folder:"))
    dialog.resize(DIALOG_WIDTH, dialog.sizeHint().height())
    return dialog

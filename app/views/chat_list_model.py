"""The lines of the list of chats: headings, chats, and places where words were found."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Protocol

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QIcon

from app.language import tr

Index = QModelIndex | QPersistentModelIndex
IDENTIFIER = Qt.ItemDataRole.UserRole
LINE = Qt.ItemDataRole.UserRole + 1


class Row(Protocol):
    """A chat, which is a line of its own. `updated` is in seconds since 1970; `folder` is a folder's id or ""."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def updated(self) -> float: ...
    @property
    def pinned(self) -> bool: ...
    @property
    def folder(self) -> str: ...
    @property
    def private(self) -> bool: ...


class NamedFolder(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Heading:
    """Cannot be chosen. folder: it can be folded. pinned: the one over the pinned chats."""

    text: str
    folder: str = ""
    folded: bool = False
    pinned: bool = False


@dataclass(frozen=True)
class HitLine:
    """A message that was found, in a chat of this title; [start, end) of the line is what was looked for."""

    chat: str
    title: str
    message: str
    line: str
    start: int
    end: int


Line = Heading | Row | HitLine


@dataclass(frozen=True)
class Group:
    """Where chats stand together: pinned, in a folder, or by day in neither."""

    folder: str = ""
    pinned: bool = False


def group_of(line: Line | None, folders: Container[str]) -> Group:
    """None: what is below the last line. folders: those that are listed."""
    if line is None or isinstance(line, HitLine):
        return Group()
    if line.pinned:
        return Group(pinned=True)
    return Group(line.folder if line.folder in folders else "")


def arranged(rows: Iterable[Row], folders: Sequence[NamedFolder], folded: set[str], today: date) -> list[Line]:
    """Pinned chats, folders, and the others by day; `rows` come newest first."""
    pinned: list[Line] = []
    in_folders: dict[str, list[Line]] = {folder.id: [] for folder in folders}
    by_day: list[Line] = []
    days = _Days(today)
    day = ""
    for row in rows:
        if row.pinned:
            pinned.append(row)
        elif row.folder in in_folders:
            in_folders[row.folder].append(row)
        else:
            if (name := days.name(row.updated)) != day:
                day = name
                by_day.append(Heading(name))
            by_day.append(row)
    lines = [Heading(tr("Pinned"), pinned=True), *pinned] if pinned else []
    for folder in folders:
        closed = folder.id in folded
        lines.append(Heading(folder.name, folder.id, closed))
        lines += [] if closed else in_folders[folder.id]
    return lines + by_day


class _Days:
    """Names days by comparing times, which is quicker than making ten thousand dates."""

    def __init__(self, today: date) -> None:
        names = (tr("Today"), tr("Yesterday"), tr("This week"))
        self._groups = [
            (datetime.combine(today - timedelta(days=ago), datetime.min.time()).timestamp(), name)
            for ago, name in zip((0, 1, 6), names, strict=True)
        ]
        self._earlier = tr("Earlier")

    def name(self, moment: float) -> str:
        for begins, name in self._groups:
            if moment >= begins:
                return name
        return self._earlier


class ChatListModel(QAbstractListModel):
    renamed = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []
        self._places: dict[str, int] = {}  # of chats, by id
        self._replying = ""
        self._sign = QIcon()

    def show_lines(self, lines: list[Line]) -> None:
        if lines == self.lines:
            return
        self.beginResetModel()
        self.lines = lines
        self._places = {line.id: place for place, line in enumerate(lines) if not isinstance(line, Heading | HitLine)}
        self.endResetModel()

    def place(self, chat: str) -> int:
        """-1 when it is not listed."""
        return self._places.get(chat, -1)

    def set_replying(self, chat: str, sign: QIcon) -> None:
        """Mark the chat in which a reply is being written."""
        before, self._replying, self._sign = self._replying, chat, sign
        for one in {before, chat}:
            if (place := self.place(one)) >= 0:
                self.dataChanged.emit(self.index(place), self.index(place), [Qt.ItemDataRole.DecorationRole])

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        line = self.lines[index.row()]
        if role == LINE:
            return line
        if isinstance(line, Heading):
            return line.text if role == Qt.ItemDataRole.DisplayRole else None
        words = f"{line.title}\n{line.line}" if isinstance(line, HitLine) else line.title
        chat = line.chat if isinstance(line, HitLine) else line.id
        replying = chat == self._replying and not isinstance(line, HitLine)
        values = {
            Qt.ItemDataRole.DisplayRole: line.title,
            Qt.ItemDataRole.EditRole: line.title,
            Qt.ItemDataRole.ToolTipRole: words,
            Qt.ItemDataRole.AccessibleTextRole: words,
            Qt.ItemDataRole.DecorationRole: self._sign if replying else None,
            IDENTIFIER: chat,
        }
        return values.get(Qt.ItemDataRole(role))

    def flags(self, index: Index) -> Qt.ItemFlag:
        line = self.lines[index.row()] if index.isValid() else Heading("")
        if isinstance(line, Heading):
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
        return flags if isinstance(line, HitLine) else flags | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        line = self.lines[index.row()]
        title = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or isinstance(line, Heading | HitLine):
            return False
        self.renamed.emit(line.id, title)
        return True

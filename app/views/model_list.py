"""The list of models: on this machine, to be downloaded, found on the hub. Two lines each."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.language import tr
from app.theme import BODY, LABEL, LIGHT, Theme
from app.views.beside_heading import Move, beside_heading
from app.views.icons import icon
from app.views.model_filters import ModelFilter
from app.views.model_row import Fetching, ModelRow, Where
from app.views.style import ui_font
from inference.manager.name_search import is_meant

ROW = Qt.ItemDataRole.UserRole
HEIGHT, HEADING_HEIGHT, PAD = 52, 34, 12


class _Delegate(QStyledItemDelegate):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.fetching: Mapping[str, Fetching] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, HEIGHT if isinstance(index.data(ROW), ModelRow) else HEADING_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = index.data(ROW)
        rect: QRect = option.rect
        painter.save()
        if not isinstance(row, ModelRow):
            painter.setFont(ui_font(LABEL, strong=True))
            painter.setPen(QColor(self.theme.muted))
            box = rect.adjusted(PAD, 0, -PAD, -6)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, str(index.data()))
        else:
            self._paint_row(painter, option, index, row, rect)
        painter.restore()

    def _paint_row(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        row: ModelRow,
        rect: QRect,
    ) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        widget: QWidget = option.widget
        widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        box = rect.adjusted(PAD, 7, -PAD, -7)
        if row.loaded:
            mark = QRect(box.right() - 15, box.center().y() - 8, 16, 16)
            icon("check", self.theme.good, 16).paint(painter, mark)
            box.setRight(mark.left() - 6)
        detail, fetching = row.detail, self.fetching.get(row.identifier)
        if fetching is not None:
            detail = _how_far(fetching)
            box = self._paint_fetching(painter, box, fetching)
        title, small = ui_font(BODY - 1), ui_font(LABEL, tabular=True)
        for font, colour, text, align in (
            (title, self.theme.text, row.name, Qt.AlignmentFlag.AlignTop),
            (small, self.theme.muted, detail, Qt.AlignmentFlag.AlignBottom),
        ):
            painter.setFont(font)
            painter.setPen(QColor(colour))
            shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideMiddle, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | align, shown)

    def _paint_fetching(self, painter: QPainter, box: QRect, fetching: Fetching) -> QRect:
        """A mark, and a line below as far as it has come. What is left beside the mark."""
        colour = self.theme.error if fetching.failed else self.theme.muted if fetching.paused else self.theme.accent
        mark = QRect(box.right() - 15, box.center().y() - 8, 16, 16)
        icon("warning" if fetching.failed else "download", colour, 16).paint(painter, mark)
        line = QRect(box.left(), box.bottom() + 3, round(box.width() * (fetching.fraction or 0.0)), 2)
        painter.fillRect(line, QColor(colour))
        return box.adjusted(0, 0, -22, 0)


def _how_far(fetching: Fetching) -> str:
    share = f"{100 * (fetching.fraction or 0.0):.0f} %"
    if fetching.failed:
        return tr("stopped at {share}").format(share=share)
    return (tr("paused at {share}") if fetching.paused else tr("downloading, {share}")).format(share=share)


class ModelList(QListWidget):
    chosen = Signal(str)  # the identifier of the row that the person looks at

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Models"))
        self.setObjectName("ModelList")
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._delegate = _Delegate(self)
        self.setItemDelegate(self._delegate)
        self._looked_at = ""
        self._words = ""
        self._filter = ModelFilter()
        self._rows: tuple[ModelRow, ...] = ()
        self.currentItemChanged.connect(self._tell)

    def show_rows(self, rows: Sequence[ModelRow]) -> None:
        """All of them; what is chosen stays chosen."""
        self._rows = tuple(rows)
        self._fill()

    def filter(self, text: str) -> None:
        """Only rows whose name has the words of the text."""
        self._words = text
        self._fill()

    def narrow(self, wanted: ModelFilter) -> None:
        """Only rows that pass."""
        self._filter = wanted
        self._fill()

    def row(self, identifier: str) -> ModelRow | None:  # type: ignore[override]  # never asked by item
        return next((row for row in self._rows if row.identifier == identifier), None)

    @property
    def current(self) -> ModelRow | None:
        """What is looked at; it may have been narrowed out of sight meanwhile."""
        item = self.currentItem()
        row = item.data(ROW) if item is not None else None
        return row if isinstance(row, ModelRow) else self.row(self._looked_at)

    def choose(self, identifier: str) -> None:
        for index in range(self.count()):
            row = self.item(index).data(ROW)
            if isinstance(row, ModelRow) and row.identifier == identifier:
                self.setCurrentRow(index)
                self.scrollToItem(self.item(index))

    def show_fetching(self, fetching: Mapping[str, Fetching]) -> None:
        """Which of them are being fetched, by identifier."""
        self._delegate.fetching = fetching
        for index in range(self.count()):
            item = self.item(index)
            row = item.data(ROW)
            if isinstance(row, ModelRow):
                detail = _how_far(fetching[row.identifier]) if row.identifier in fetching else row.detail
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{row.name}, {detail}")
                item.setToolTip(f"{row.name}\n{detail}")
        self.viewport().update()

    def moveCursor(self, move: Move, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        return beside_heading(super().moveCursor(move, modifiers), move)

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.viewport().update()

    def _fill(self) -> None:
        current = self.current
        self.blockSignals(True)
        self.clear()
        headings: dict[Where, str] = {
            "here": tr("On this machine"),
            "catalogue": tr("To download"),
            "hub": tr("Found on the hub"),
        }
        for where, heading in headings.items():
            rows = [row for row in self._rows if row.where == where and self._shows(row)]
            if not rows:
                continue
            self._add_heading(heading)
            for row in rows:
                item = QListWidgetItem(row.name)
                item.setData(ROW, row)
                self.addItem(item)
        self.show_fetching(self._delegate.fetching)
        if not self.count() and self._rows:
            self._add_heading(tr("Not here. Enter searches the hub."))
        if current is not None:
            self.choose(current.identifier)  # which is no news
        self.blockSignals(False)

    def _add_heading(self, text: str) -> None:
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.addItem(item)

    def _shows(self, row: ModelRow) -> bool:
        return is_meant(row.name, self._words) and self._filter.passes(row)

    def _tell(self) -> None:
        if (row := self.current) is not None:
            self._looked_at = row.identifier
            self.chosen.emit(row.identifier)

"""What a reply thought before it answered: one quiet line that unfolds."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.language import tr
from app.markdown_stream import MarkdownStream
from app.views.block_column import BlockColumn
from app.views.reading_style import ICON_SIZE, ReadingStyle
from app.views.text_surface import BLEED

LINE_HEIGHT = 30
LINE_INSET = 9  # further left than the text it begins, so that the sign, not its frame, stands above that
INDENT = 16  # of the thought, beside a bar


class ThoughtView(QWidget):
    toggled = Signal()

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._stream = MarkdownStream()
        self._text = ""
        self._still_open = False
        self._line = QToolButton(self)
        self._line.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._line.setIconSize(ICON_SIZE)
        self._line.setCheckable(True)
        self._line.setProperty("kind", "fold")
        self._line.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._line.setCursor(Qt.CursorShape.PointingHandCursor)
        self._line.toggled.connect(self._fold)
        self.column = BlockColumn(style, self)
        self.column.refitted.connect(self.toggled)
        self.column.hide()
        self._show_sign()

    @property
    def line(self) -> QToolButton:
        return self._line

    @property
    def unfolded(self) -> bool:
        return self._line.isChecked()

    def show_thought(self, text: str, seconds: float | None, still_open: bool) -> None:
        self._text, self._still_open = text, still_open
        time = "" if seconds is None else f"{seconds:.0f}"
        if still_open:
            words = tr("Thinking… {time} s").format(time=time) if time else tr("Thinking…")
        else:
            words = tr("Thought for {time} s").format(time=time) if time else tr("Thought")
        self._line.setText(words)
        self._line.setAccessibleName(words)
        self._line.setToolTip(tr("Show or hide what it thought; it is not sent back to the model"))
        if self.unfolded:
            self._grow()

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        self.column.set_style(style)
        self._show_sign()
        self.update()

    @property
    def _height(self) -> int:
        """Of the line."""
        return self._style.px(LINE_HEIGHT)

    def lay_out(self, width: int) -> int:
        self._line.adjustSize()
        height = self._height
        self._line.setGeometry(0, 0, min(width, self._line.sizeHint().width() + 8), height)
        if self.unfolded:
            self.column.move(LINE_INSET + INDENT - BLEED, height + 4)
            height += 4 + self.column.lay_out(width - INDENT) + 8
        self.resize(LINE_INSET + width, height)
        return height

    def _fold(self, unfolded: bool) -> None:
        if unfolded:
            self._grow()
        self.column.setVisible(unfolded)
        self._show_sign()
        self.toggled.emit()

    def _grow(self) -> None:
        """Only what is unfolded is read as Markdown."""
        if not self._text.startswith(self._stream.text):
            self._stream = MarkdownStream()
            self.column.clear()
        self._stream.append(self._text[len(self._stream.text) :])
        if not self._still_open:
            self._stream.finish()
        self.column.show_blocks(self._stream.blocks, self._stream.sealed)

    def _show_sign(self) -> None:
        self._line.setIcon(self._style.icon("chevron-down" if self.unfolded else "chevron-right"))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.unfolded:
            painter = QPainter(self)
            bar = QRectF(LINE_INSET + 3, self._height + 4, 2, self.height() - self._height - 12)
            painter.fillRect(bar, QColor(self._style.theme.line))
            painter.end()

"""The text of a file that goes, or went, with a question: to be read, not changed."""

from PySide6.QtGui import QGuiApplication, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app import counts
from app.attachments import Attachment
from app.colour_reading import read_apart
from app.highlight import Coloured, Kind, Token
from app.language import tr
from app.theme import GRID
from app.views.attachment_chip import lines_of
from app.views.dialog import Dialog
from app.views.layouts import open_at
from app.views.reading_style import ReadingStyle
from app.views.style import set_kind
from app.views.text_surface import positions

WIDTH, HEIGHT = 760, 560
MOST_COLOURED = 100_000  # characters; longer text is shown at once, without colours


class AttachmentViewer(Dialog):
    def __init__(self, attachment: Attachment, style: ReadingStyle, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.attachment = attachment
        self.setWindowTitle(attachment.name)
        self._size = QLabel()
        set_kind(self._size, "muted")
        self.body = QPlainTextEdit(attachment.text)
        self.body.setReadOnly(True)
        self.body.setTabChangesFocus(True)
        self.body.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.body.setFont(style.code)
        self.body.setTabStopDistance(4 * self.body.fontMetrics().horizontalAdvance(" "))
        self.body.setAccessibleName(tr("The text of {name}").format(name=attachment.name))
        self._colours = _Colours(self.body.document(), attachment, style.syntax)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setText(tr("Close"))
        self.copy_button = QPushButton(tr("Copy"))
        self.copy_button.clicked.connect(self._copy)
        buttons.addButton(self.copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        column.addWidget(self._size)
        column.addWidget(self.body, 1)
        column.addWidget(buttons)
        open_at(self, WIDTH, HEIGHT)
        self.show_tokens(None)
        self.body.setFocus()

    @property
    def size_text(self) -> str:
        return self._size.text()

    def show_tokens(self, count: int | None) -> None:
        """How many tokens the model reads; None: nobody knows yet."""
        text = self.attachment.text
        lines = lines_of(text)
        letters = counts.characters(len(text))
        parts = [lines, letters]
        if count is not None:
            parts.insert(0, counts.tokens(count))
        self._size.setText(" · ".join(parts))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.attachment.text)
        self.copy_button.setText(tr("Copied"))


class _Colours(QSyntaxHighlighter):
    def __init__(self, document: QTextDocument, attachment: Attachment, formats: dict[Kind, QTextCharFormat]) -> None:
        super().__init__(document)
        self._formats = formats
        self._lines: list[list[Token]] = []
        if len(attachment.text) <= MOST_COLOURED:
            read_apart(attachment.language, attachment.text, 0, self._take)

    def _take(self, found: Coloured) -> None:
        self._lines = found.lines
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        places = positions(text)
        for token in self._lines[number] if number < len(self._lines) else []:
            start, end = places[token.start], places[token.start + token.length]
            self.setFormat(start, end - start, self._formats[token.kind])

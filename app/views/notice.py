"""Why a reply ended before it was done."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.chat_message import ChatMessage
from app.error_texts import in_words
from app.language import sentences, tr
from app.views.reading_style import ICON_SIZE, ReadingStyle
from app.views.style import set_kind

BORDER = 2  # room for the frame


class Notice(QFrame):
    """A failure in a frame with its reason and remedy; a stop in one quiet line, with a button to go on."""

    continue_clicked = Signal()

    def __init__(self, style: ReadingStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._failed = False
        self._sign = QLabel(self)
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.button = QPushButton(tr("Continue"), self)
        self.button.setProperty("kind", "chip")
        self.button.setToolTip(tr("Let the reply go on where it stopped (Ctrl+Shift+Enter)"))
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self.continue_clicked)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(10)
        self._row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self._text, 1)
        self._row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_message(self, message: ChatMessage) -> bool:
        """Whether there is anything to say."""
        self._failed = message.state == "failed"
        text = self._reason(message)
        self._text.setText(text)
        self.setAccessibleName(text)
        set_kind(self._text, "" if self._failed else "muted")
        self.setObjectName("Banner" if self._failed else "")
        set_kind(self, "error" if self._failed else "", "tone")
        margin = 12 if self._failed else 0
        self._row.setContentsMargins(margin, margin, margin, margin)
        self._sign.setVisible(self._failed)
        self.button.setVisible(bool(text and message.text))
        self.set_style(self._style)
        return bool(text)

    def set_style(self, style: ReadingStyle) -> None:
        self._style = style
        self._sign.setPixmap(style.icon("warning", style.theme.error).pixmap(ICON_SIZE))

    def height_at(self, width: int) -> int:
        self._text.ensurePolished()
        return max(self._row.heightForWidth(width), self._row.minimumSize().height()) + 2 * BORDER

    def text(self) -> str:
        return self._text.text()

    def _reason(self, message: ChatMessage) -> str:
        if message.state == "failed":
            what = in_words(message.error) or tr("The reply failed.")
            return sentences(what, tr("What was written so far is kept.")) if message.text else what
        if message.finish_reason == "length":
            return tr("Ended at the longest reply the settings allow.")
        if message.finish_reason == "context":
            return tr("Ended because the context is full.")
        if message.state == "stopped" or message.finish_reason == "cancelled":
            return tr("Stopped.") if message.text else tr("Stopped before the first word.")
        return ""

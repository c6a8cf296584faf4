"""While a reply grows only what changed is painted, and what scrolled is moved: the screen shows no difference."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat_message import ChatMessage
from app.theme import LIGHT
from app.views.style import stylesheet
from app.views.transcript import Transcript
from inference.events import Piece

TEXT = """<think>What is asked for is short.</think>Here is **a class** with `code` in a sentence that is long enough to
be wrapped at the right edge of the column, once or even twice.

> A quotation that grows
> - with a list inside

```python
class Account:
    \"\"\"With a text of

    several lines.\"\"\"

    def deposit(self, amount):  # and a line that is far too long to be shown without scrolling it to the side, it is
        self.balance += amount
        return self.balance
```

| name | value |
|---|---|
| one | 1 |
| two | 2 |

1. first
2. second

The end of it, in words that fill one more line and then another one, until the column is full again.
"""


def paint() -> None:
    """What came last, colours from their thread perhaps, may have asked for paint that is not done yet."""
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.UpdateRequest.value)


def on_screen(transcript: Transcript) -> QImage:
    return transcript.screen().grabWindow(transcript.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)


def anew(transcript: Transcript) -> QImage:
    return transcript.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


@pytest.mark.parametrize("height", [900, 320])
def test_the_screen_shows_what_painting_everything_would(qtbot: QtBot, height: int) -> None:
    transcript = Transcript()
    transcript.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    transcript.setStyleSheet(stylesheet(LIGHT))
    qtbot.addWidget(transcript)
    transcript.resize(640, height)
    transcript.show()
    transcript.add_message(ChatMessage("user", "A question"))
    message = ChatMessage("assistant", state="streaming")
    transcript.add_message(message)
    paint()
    for at in range(0, len(TEXT), 13):
        message.append(Piece(TEXT[at : at + 13], "plain", at))
        transcript.extend(message.id)
        paint()
        assert on_screen(transcript) == anew(transcript), TEXT[: at + 13]
    message.state = "finished"
    transcript.finish(message.id)
    paint()
    assert on_screen(transcript) == anew(transcript)
    bar = transcript.messages.verticalScrollBar()
    for value in range(bar.maximum(), 0, -37):
        bar.setValue(value)
        paint()
        assert on_screen(transcript) == anew(transcript), f"scrolled to {value}"

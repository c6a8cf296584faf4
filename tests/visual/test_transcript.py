"""Pictures of the conversation, written to tests/visual/out for people to look at; a few pixels are probed."""

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.attachments import Attachment
from app.chat_message import ChatMessage
from app.course import Moment
from app.theme import DARK, LIGHT, Theme
from app.views.composer import Composer
from app.views.link_question import LinkQuestion
from app.views.style import blend, dress, stylesheet
from app.views.transcript import Transcript
from inference.events import Origin, Piece
from inference.settings import GenerationSettings, SamplingSettings
from inference.statistics import ReplyStatistics

OUT = Path(__file__).parent / "out"
WIDTH = 800

CODE_REPLY = '''Walk both lists once and always take the smaller head:

```python
def merge(a: list[int], b: list[int]) -> list[int]:
    """Merge two sorted lists."""
    result, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:  # ties go to the first
            result.append(a[i]); i += 1
        else:
            result.append(b[j]); j += 1
    return result + a[i:] + b[j:]
```

Each element is looked at once, so the time grows with the sum of both lengths. See `heapq.merge` in the ''' + (
    "[documentation](https://docs.python.org/3/library/heapq.html) for **any number** of lists."
)

LIST_REPLY = """## Three ways to sort

The choice depends on *how much* you know about the data:

1. **Merge sort** is stable and always takes `n log n` steps.
2. **Quick sort** is faster in practice:
   - pick a pivot,
   - put what is smaller on its left,
     - and so on,
   - recurse.
3. **Radix sort** needs keys of a fixed length:

   ```bash
   sort --parallel=4 --numeric-sort measurements.txt
   ```

| Method | Time | Stable | Memory |
|:-------|-----:|:------:|-------:|
| Merge | n log n | yes | n |
| Quick | n log n | no | log n |
| Radix | n k | yes | n + k |

> Premature optimization is the root of all evil.
>
> - often quoted, seldom in full

- [x] measure first
- [ ] then optimize

---

A picture ![of a heap](https://example.org/heap.png) and <b>raw HTML</b> stay text."""

CHINESE_REPLY = """\
西湖位于浙江省杭州市西部，三面环山，一面临城。苏堤和白堤把湖面分成几部分，**断桥残雪**、三潭印月都在其中。

1. 春天看苏堤的桃花与柳树；
2. 夏天看 `曲院风荷` 的荷花；
3. 秋天闻满觉陇的桂花。

مرحبا بالعالم، هذه فقرة من اليمين إلى اليسار."""


def answer(text: str, **fields: object) -> ChatMessage:
    """A reply whose tokens came about in turn as a real one's do: three accepted, then one of the target's own."""
    message = ChatMessage("assistant", statistics=figures())
    origins: tuple[Origin, ...] = ("accepted", "accepted", "accepted", "recovered", "accepted", "accepted", "bonus")
    words = text.replace("\n", "\n\0").replace(" ", "\0 ").split("\0")
    for number, word in enumerate(words):
        message.append(Piece(word, origins[number % len(origins)], number // 4 + 1))
    for name, value in fields.items():
        setattr(message, name, value)
    return message


def figures() -> ReplyStatistics:
    return ReplyStatistics(
        drafter="model",
        mode="on",
        reply_tokens=201,
        decode_s=4.01,
        draft_s=1.96,
        time_to_first_token_s=0.18,
        rounds=51,
        proposed=153,
        verified=151,
        accepted=145,
    )


def conversation() -> list[ChatMessage]:
    return [
        ChatMessage("user", "Write a function that merges two sorted lists."),
        answer(CODE_REPLY),
        ChatMessage("user", "And which sorting methods are there?\nShort, please."),
        answer(LIST_REPLY),
        ChatMessage("user", "用三句话介绍一下杭州的西湖。"),
        answer(CHINESE_REPLY),
    ]


class Middle(QWidget):
    """The middle of the window: the conversation and the composer."""

    def __init__(self) -> None:
        super().__init__()
        self.transcript, self.composer = Transcript(), Composer()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)  # offscreen windows take no size hints
        column.addWidget(self.transcript, 1)
        column.addWidget(self.composer)

    def set_theme(self, theme: Theme) -> None:
        self.transcript.set_theme(theme)
        self.composer.set_theme(theme)


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    chosen: Theme = request.param
    if qapp.styleSheet() != stylesheet(chosen):
        dress(qapp, chosen)
    return chosen


@pytest.fixture
def middle(theme: Theme, qtbot: QtBot) -> Middle:
    widget = Middle()
    qtbot.addWidget(widget)
    widget.set_theme(theme)
    widget.resize(WIDTH, 740)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def picture(widget: QWidget, name: str, ratio: float = 1.0) -> QImage:
    """Paint the widget at a device pixel ratio and keep the picture."""
    image = QImage(QSize(round(widget.width() * ratio), round(widget.height() * ratio)), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    widget.render(painter, QPoint(0, 0))
    painter.end()
    OUT.mkdir(exist_ok=True)
    assert image.save(str(OUT / f"transcript-{name}.png"))
    return image


def colours(image: QImage) -> set[str]:
    """Every colour in the picture, as #rrggbb."""
    pixels = memoryview(image.convertToFormat(QImage.Format.Format_RGB32).constBits()).cast("B").cast("I")
    return {f"#{pixel & 0xFFFFFF:06x}" for pixel in set(pixels)}


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_whole_conversation(middle: Middle, theme: Theme, ratio: float) -> None:
    middle.resize(WIDTH, 2000)
    middle.transcript.show_messages(conversation())
    image = picture(middle, f"{theme.name}-{ratio:g}x", ratio)
    seen = colours(image)
    assert {theme.ground, theme.raised, theme.text, theme.line} <= seen
    assert theme.accent_soft not in seen


def test_tokens_coloured(middle: Middle, theme: Theme) -> None:
    middle.resize(WIDTH, 2000)
    middle.transcript.set_show_tokens(True)
    middle.transcript.show_messages(conversation())
    image = picture(middle, f"tokens-{theme.name}", 2.0)
    assert {theme.accent_soft, theme.warning} <= colours(image)


def test_streaming(middle: Middle, theme: Theme) -> None:
    reply = answer(CODE_REPLY[:640], state="streaming", statistics=None)
    middle.transcript.show_messages([ChatMessage("user", "Write a function that merges two sorted lists."), reply])
    middle.composer.set_running(True)
    image = picture(middle, f"streaming-{theme.name}", 2.0)
    assert theme.accent in colours(image)


def test_empty(middle: Middle, theme: Theme) -> None:
    middle.composer.focus()
    middle.composer.set_blocked("Loading SmolLM2-135M-Instruct…")
    assert theme.text in colours(picture(middle, f"empty-{theme.name}", 2.0))


def test_failed_and_stopped(middle: Middle, theme: Theme, qtbot: QtBot) -> None:
    middle.transcript.show_messages(
        [
            ChatMessage("user", "Tell me a long story."),
            answer("Once upon a time there was a small draft who", state="stopped", finish_reason="cancelled"),
            ChatMessage("user", "Go on."),
            answer(
                "and a large target, and one day they ran out of",
                state="failed",
                statistics=None,
                error="There is not enough memory for a context of 32,768 tokens. Choose a shorter one in Settings.",
            ),
        ]
    )
    middle.composer.set_text("A question of several lines:\nwhat now?\n\nAnd then?")
    qtbot.waitUntil(lambda: middle.composer.height() > 4 * 24 + 48)
    assert theme.error in colours(picture(middle, f"failed-{theme.name}", 2.0))


def test_narrow_and_scrolled_up(middle: Middle, theme: Theme) -> None:
    middle.resize(420, 640)
    middle.transcript.show_messages(conversation())
    bar = middle.transcript.messages.verticalScrollBar()
    bar.setValue(bar.maximum() // 3)
    assert theme.text in colours(picture(middle, f"narrow-{theme.name}", 2.0))


FORMULAS = r"""The roots of $ax^2+bx+c=0$ are $x = \frac{-b\pm\sqrt{b^2-4ac}}{2a}$, and 速度 is $v = \frac{s}{t}$.

$$\sum_{i=1}^n i = \frac{n(n+1)}{2}$$

- a matrix \(\begin{pmatrix}1&2\\3&4\end{pmatrix}\) costs $5 or $6

\[ f(x) = \begin{cases}1 & x>0\\0 & \text{otherwise}\end{cases} \]"""


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_formulas(middle: Middle, theme: Theme, ratio: float) -> None:
    middle.transcript.show_messages([answer(FORMULAS)])
    assert theme.text in colours(picture(middle, f"formulas-{theme.name}-{ratio:g}x", ratio))


def test_found_words_at_a_larger_size(middle: Middle, theme: Theme, qtbot: QtBot) -> None:
    middle.transcript.set_zoom(130)
    middle.transcript.show_messages(conversation()[:4])
    middle.transcript.open_find()
    middle.transcript.find_bar.words.setText("sort")
    qtbot.waitUntil(lambda: middle.transcript.search.complete)
    middle.transcript.step_hit(1)
    image = picture(middle, f"found-{theme.name}", 2.0)
    assert {theme.warning, blend(theme.warning, theme.ground, 0.28)} <= colours(image)


def test_details_of_a_reply(middle: Middle, theme: Theme) -> None:
    course = [Moment(4 * i, 50 + 9 * math.sin(i / 7), 0.7 + 0.2 * math.sin(i / 5)) for i in range(50)]
    settings = GenerationSettings(SamplingSettings(temperature=0.7, seed=7))
    message = answer(CODE_REPLY, course=course, settings=settings, model="SmolLM2-135M-Instruct")
    middle.transcript.show_messages([message])
    middle.transcript.show_last_details()
    details = middle.transcript.details
    assert details is not None
    assert {theme.accent, theme.good} <= colours(picture(details, f"details-{theme.name}", 2.0))


def test_questions_about_links_and_files(middle: Middle, theme: Theme) -> None:
    link = LinkQuestion("https://p\u0430ypal.com@example.org/a/path?with=a&query", middle)
    link.show()
    assert theme.warning in colours(picture(link, f"link-{theme.name}", 2.0))
    viewer = middle.transcript.show_attachment(Attachment("merge.py", CODE_REPLY.split("```")[1][7:]))
    viewer.show_tokens(123)
    QApplication.processEvents()  # colours follow the text
    assert theme.text in colours(picture(viewer, f"file-{theme.name}", 2.0))

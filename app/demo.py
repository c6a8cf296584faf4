"""One real question through the real window: prints the reply and its speed, saves a picture."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QPoint
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from app.application import Application
from app.chat_message import ChatMessage
from app.options import Options
from app.signals import first_of

PICTURE = "foreword-demo.png"
RATIO = 2  # pixels to a point in the picture
SETTLE_S = 0.4  # the gauges take 0.15 s to reach their last value


async def run_demo(application: Application, options: Options) -> int:
    """0, or 1 after saying what went wrong. The window stays open for the caller to close."""
    loader = application.loader
    while loader.obstacle() and loader.failure is None:
        await first_of(loader.changed)
    if loader.failure is not None:
        return _complain(f"{loader.failure.message} {loader.failure.remedy}".strip())
    _announce(application)
    application.send(options.demo or "")
    if not application.replying:
        return _complain("The question is empty.")
    printer = _Printer(application)
    reply = application.conversation.messages[-1]
    await first_of(application.replies.ended, application.closed)
    printer.end()
    if reply.state != "finished" or reply.statistics is None:
        return _complain(reply.error or "The reply was cut short.")
    await asyncio.sleep(SETTLE_S)
    path = (options.screenshot or Path(PICTURE)).absolute()
    try:
        save_picture(application.window, path)
    except OSError as error:
        return _complain(f"The picture could not be written to {path}: {error}")
    _report(reply, path, options)
    return 0


def save_picture(widget: QWidget, path: Path) -> None:
    """The widget as it is, sharp whatever the screen. Raises OSError when the file cannot be written."""
    for _ in range(3):  # layouts that wait for their turn, and those inside them
        QCoreApplication.sendPostedEvents()
    image = QImage(widget.size() * RATIO, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(RATIO)
    image.fill(widget.palette().window().color())
    painter = QPainter(image)
    widget.render(painter, QPoint())
    painter.end()
    path.parent.mkdir(parents=True, exist_ok=True)
    if not image.save(str(path)):
        raise OSError("this kind of file is not known, or there is no room")


def figures(reply: ChatMessage, path: Path) -> dict[str, Any]:
    """What --json prints."""
    statistics = reply.statistics
    assert statistics is not None
    return {
        "reply": reply.text,
        "tok_s": round(statistics.tokens_per_second, 2),
        "acceptance_rate": round(statistics.acceptance_rate, 4),
        "draft_share": round(statistics.draft_share, 4),
        "time_to_first_token_s": round(statistics.time_to_first_token_s, 4),
        "drafter": statistics.drafter,
        "screenshot": str(path),
        "model": reply.model,
        "finish_reason": reply.finish_reason,
        "statistics": statistics.to_json(),
    }


def _report(reply: ChatMessage, path: Path, options: Options) -> None:
    values = figures(reply, path)
    print(
        f"{values['tok_s']:.1f} tok/s, {values['acceptance_rate']:.0%} accepted,"
        f" draft share {values['draft_share']:.0%}, {values['time_to_first_token_s']:.2f} s to the first token,"
        f" drafter {values['drafter']}"
    )
    print(f"screenshot: {path}")
    if options.json:
        print(json.dumps(values, ensure_ascii=False))


def _announce(application: Application) -> None:
    target = application.loader.target
    assert target is not None
    print(f"{target.spec.name} ({target.description}). {application.window.header.statement}.\n", flush=True)


def _complain(text: str) -> int:
    print(text, file=sys.stderr)
    return 1


class _Printer(QObject):
    """Prints the words as they come."""

    def __init__(self, application: Application) -> None:
        super().__init__()
        self._reply = application.conversation.messages[-1]
        self._printed = 0
        application.replies.grew.connect(self._print)

    def _print(self) -> None:
        sys.stdout.write(self._reply.text[self._printed :])
        sys.stdout.flush()
        self._printed = len(self._reply.text)

    def end(self) -> None:
        self._print()
        print("\n")

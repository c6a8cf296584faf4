"""Draws the program's icon in every size and format from assets/icons/foreword.svg. Run in Foreword's environment:

.venv/bin/python packaging/icons.py
"""

import os
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer

ICONS = Path(__file__).resolve().parent.parent / "assets" / "icons"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
WINDOWS = (16, 24, 32, 48, 64, 128, 256)
MAC = 1024  # Pillow scales the smaller ones from it


def draw(drawing: QSvgRenderer, size: int) -> Image.Image:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    drawing.render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return Image.open(BytesIO(content.data()))


def main(folder: Path = ICONS) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication.instance() or QGuiApplication([])
    drawing = QSvgRenderer(str(ICONS / "foreword.svg"))
    for size in SIZES:
        draw(drawing, size).save(folder / f"foreword-{size}.png", optimize=True)
    frames = [draw(drawing, size) for size in WINDOWS]
    frames[-1].save(folder / "foreword.ico", append_images=frames[:-1], sizes=[(size, size) for size in WINDOWS])
    draw(drawing, MAC).save(folder / "foreword.icns")
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A widget as a picture in the folder that is looked at."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPoint
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

OUT = Path(__file__).parent / "out"


def picture(widget: QWidget, name: str, ratio: int) -> QImage:
    """Draw it at `ratio` pixels a point, and keep that as name.png."""
    for _ in range(3):  # layouts inside layouts
        QCoreApplication.sendPostedEvents()
    image = QImage(widget.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(widget.palette().window().color())
    painter = QPainter(image)
    widget.render(painter, QPoint())
    painter.end()
    OUT.mkdir(exist_ok=True)
    assert image.save(str(OUT / f"{name}.png"))
    return image

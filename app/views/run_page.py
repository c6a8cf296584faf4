"""What the pages share that start something long: its progress, the room for what comes of it, the row of buttons."""

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.theme import GRID
from app.views.style import set_kind


def caption(text: str, field: QWidget) -> QLabel:
    """Names the field as well."""
    label = QLabel(text)
    set_kind(label, "muted")
    label.setBuddy(field)
    field.setAccessibleName(text)
    return label


def progress_bar(name: str) -> QProgressBar:
    """In thousandths; name: for who cannot see it."""
    bar = QProgressBar()
    bar.setRange(0, 1000)
    bar.setTextVisible(False)
    bar.setAccessibleName(name)
    return bar


def progress_line(bar: QProgressBar, left: QLabel) -> QWidget:
    """left: what is left to do, in words."""
    line = QWidget()
    inside = QHBoxLayout(line)
    inside.setContentsMargins(0, 0, 0, 0)
    inside.addWidget(bar, 1)
    inside.addWidget(left)
    return line


def scrolled(rows: QLayout) -> QScrollArea:
    inside = QWidget()
    around = QVBoxLayout(inside)
    around.setContentsMargins(0, 0, GRID, 0)
    around.addLayout(rows)
    around.addStretch(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidget(inside)
    return area


def button_row(buttons: Sequence[QPushButton], note: QLabel, close: QPushButton) -> QHBoxLayout:
    """None of them is pressed by Enter somewhere else on the page."""
    row = QHBoxLayout()
    row.setSpacing(GRID)
    for button in buttons:
        row.addWidget(button)
    row.addWidget(note, 1)
    row.addWidget(close)
    for button in (*buttons, close):
        button.setAutoDefault(False)
    return row

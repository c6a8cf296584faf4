"""The gauges as one row, for narrow windows: the main figures, what is written, and why nothing is drafted."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.language import tr
from app.theme import GRID
from app.views import figures
from app.views.advice_card import AdviceChip
from app.views.elided_label import ElidedLabel
from app.views.style import set_kind, ui_font
from app.views.task_chip import TaskChip

SPACING = 20
WIDEST = {"speed": "88.8", "acceptance": f"100{figures.THIN}%", "length": "8.8", "per_round": "8.8"}
MAIN = ("speed", "acceptance")


class GaugeStrip(QWidget):
    """What has no room is left out whole, the least important first; nothing is ever cut."""

    def __init__(self, task: TaskChip, advice: AdviceChip) -> None:
        super().__init__()
        captions = {
            "speed": tr("tok/s"),
            "acceptance": tr("accepted"),
            "length": tr("draft length"),
            "per_round": tr("per round"),
        }
        self.values: dict[str, QLabel] = {}
        self.reason = ElidedLabel()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        self._row.setSpacing(SPACING)
        pairs = {name: self._pair(name, caption) for name, caption in captions.items()}
        self._advice, advice_room = advice, _room(advice)
        task_room = _room(task)
        # In the order in which they are kept.
        self._parts = [pairs["speed"], pairs["acceptance"], task_room, advice_room, pairs["length"], pairs["per_round"]]
        for part in (*pairs.values(), task_room, advice_room):
            self._row.addWidget(part)
        set_kind(self.reason, "muted")
        self.reason.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.reason.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row.addWidget(self.reason, 1)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a text became longer, or a chip came
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room, fits = self.width() - 4 * GRID - SPACING, True  # the reason takes what is left, be it nothing
        for part in self._parts:
            wanted = part.sizeHint().width()
            if part is self._advice.parentWidget() and self._advice.isHidden():
                wanted = -SPACING  # it says nothing
            fits = fits and (wanted <= room or part is self._parts[0])
            part.setVisible(fits and wanted > 0)
            room -= wanted + SPACING

    def _pair(self, name: str, caption: str) -> QWidget:
        pair = QWidget()
        inside = QHBoxLayout(pair)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(6)
        value, label = QLabel(figures.UNKNOWN), QLabel(caption)
        value.setFont(ui_font(17 if name in MAIN else 13, strong=True, tabular=True))
        value.setMinimumWidth(value.fontMetrics().horizontalAdvance(WIDEST[name]))  # neighbours stay where they are
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setAccessibleName(caption)
        set_kind(label, "muted")
        inside.addWidget(value)
        inside.addWidget(label)
        self.values[name] = value
        return pair


def _room(chip: QWidget) -> QWidget:
    """Around a chip, so that leaving it out is not mixed up with its own having nothing to say."""
    room = QWidget()
    inside = QHBoxLayout(room)
    inside.setContentsMargins(0, 0, 0, 0)
    inside.addWidget(chip)
    return room

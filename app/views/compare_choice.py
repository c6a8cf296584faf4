"""What two ways of replying differ in, and what both share: the seed and the length."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.compare_sides import MATTERS, Matter
from app.language import tr
from app.theme import GRID
from app.views.choice_box import ChoiceBox
from app.views.run_page import caption
from inference.settings import MAX_DRAFT_LENGTH

SIDE = 8  # pixels


def roomy(box: QAbstractSpinBox) -> QAbstractSpinBox:
    """With air before its number: the padding of the style sheet does not reach it."""
    box.lineEdit().setTextMargins(SIDE, 0, 0, 0)
    return box


class CompareChoice(QWidget):
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.what = ChoiceBox()
        self.what.setAccessibleName(tr("What is compared"))
        names = {
            "speculation": tr("Without and with speculation"),
            "draft": tr("Two drafts"),
            "temperature": tr("Two temperatures"),
            "length": tr("Two draft lengths"),
        }
        for matter in MATTERS:
            self.what.addItem(names[matter], matter)
        self.drafts = (ChoiceBox(), ChoiceBox())
        self.temperatures = (QDoubleSpinBox(), QDoubleSpinBox())
        self.lengths = (QSpinBox(), QSpinBox())
        for heat in self.temperatures:
            heat.setRange(0.0, 2.0)
            heat.setSingleStep(0.1)
        for length in self.lengths:
            length.setRange(1, MAX_DRAFT_LENGTH)
            length.setPrefix("K = ")
        self.pairs = QStackedWidget()  # what is on the left stands over the left column
        self.pairs.addWidget(QWidget())
        for pair in (self.drafts, self.temperatures, self.lengths):
            self.pairs.addWidget(self._pair(*pair))
        self.pairs.hide()
        self.seed, self.tokens = QSpinBox(), QSpinBox()
        self.seed.setRange(0, 999_999)
        self.seed.setValue(1)
        self.seed.setToolTip(tr("Chance is the same on both sides"))
        self.tokens.setRange(16, 4096)
        self.tokens.setSingleStep(64)
        self.tokens.setValue(256)
        for box in (*self.temperatures, *self.lengths, self.seed, self.tokens):
            roomy(box)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.what)
        row.addStretch(1)
        for text, box in ((tr("Seed"), self.seed), (tr("Tokens at most"), self.tokens)):
            row.addWidget(caption(text, box))
            row.addWidget(box)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(GRID)
        rows.addLayout(row)
        rows.addWidget(self.pairs)
        self.what.currentIndexChanged.connect(self._turn)
        for combo in self.drafts:
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.currentIndexChanged.connect(self.changed)
        for spin in (*self.temperatures, *self.lengths):
            spin.valueChanged.connect(self.changed)

    @property
    def matter(self) -> Matter:
        return MATTERS[self.what.currentIndex()]

    @property
    def values(self) -> tuple[str | float, str | float]:
        """Left and right, as the matter says."""
        if self.matter == "draft":
            left, right = (str(box.currentData()) for box in self.drafts)
            return left, right
        pair = self.temperatures if self.matter == "temperature" else self.lengths
        return (pair[0].value(), pair[1].value()) if self.matter != "speculation" else ("", "")

    def show_drafts(self, drafts: Sequence[tuple[str, str]]) -> None:
        """Key and name of each. What was chosen stays chosen while it is at hand."""
        first = ("ngram", drafts[-1][0])
        for box, usual in zip(self.drafts, first, strict=True):
            chosen = box.currentData() or usual
            box.clear()
            for key, name in drafts:
                box.addItem(name, key)
            found = box.findData(chosen)
            box.setCurrentIndex(found if found >= 0 else max(0, box.findData(usual)))

    def show_base(self, temperature: float, length: int) -> None:
        """Begin with what the settings say on the left."""
        for heat, degrees in zip(self.temperatures, (0.0, temperature or 0.7), strict=True):
            heat.setValue(degrees)
        for spin, k in zip(self.lengths, (length, 8 if length < 6 else 3), strict=True):
            spin.setValue(k)

    def _turn(self, index: int) -> None:
        self.pairs.setCurrentIndex(index)
        self.pairs.setVisible(self.matter != "speculation")
        self.changed.emit()

    def _pair(self, left: QWidget, right: QWidget) -> QWidget:
        result = QWidget()
        row = QHBoxLayout(result)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID)
        for box, name in ((left, tr("First way")), (right, tr("Second way"))):
            box.setAccessibleName(name)
            box.setToolTip(name)
            row.addWidget(box, 1)
        return result

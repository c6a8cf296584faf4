"""Narrows the list of models: by size, to what fits this machine, to what has a draft."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.language import tr
from app.views.choice_box import ChoiceBox
from app.views.model_row import ModelRow

BILLION = 1_000_000_000
SIZES = (1, 4, 9, 16)  # billions of parameters at most


@dataclass(frozen=True)
class ModelFilter:
    """most: parameters, 0 for any number. What is not known of a model does not pass."""

    most: int = 0
    fits: bool = False
    drafted: bool = False

    def passes(self, row: ModelRow) -> bool:
        small = not self.most or 0 < row.parameters <= self.most
        return small and (row.fits or not self.fits) and (row.drafted or not self.drafted)


class ModelFilters(QWidget):
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sizes = ChoiceBox()
        self.sizes.setAccessibleName(tr("Size"))
        self.sizes.setToolTip(tr("Only models of at most so many parameters"))
        self.sizes.addItem(tr("Any size"), 0)
        for billions in SIZES:
            self.sizes.addItem(tr("≤ {count} B").format(count=billions), billions * BILLION)
        self.sizes.currentIndexChanged.connect(self.changed)
        self.fits = self._chip(tr("Fits"), tr("Only models that this machine's free memory holds at 4 bits"))
        self.drafted = self._chip(
            tr("Has a draft"),
            tr("Only models for which a draft is known: a smaller model of the same family, checked when it is loaded"),
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.sizes, 1)
        row.addWidget(self.fits)
        row.addWidget(self.drafted)

    @property
    def chosen(self) -> ModelFilter:
        return ModelFilter(int(self.sizes.currentData()), self.fits.isChecked(), self.drafted.isChecked())

    def _chip(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("kind", "chip")
        button.setCheckable(True)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.toggled.connect(self.changed)
        return button

"""The figures under the gauges: one a row, what it is on the left, how much on the right."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton

from app.language import tr
from app.views import figures
from app.views.elided_label import ElidedLabel
from app.views.style import set_kind, ui_font


def _texts() -> dict[str, tuple[str, str]]:
    """Label and help by name."""
    return {
        "draft": (tr("Draft"), tr("What writes the tokens ahead.")),
        "length": (tr("Draft length"), tr("K: how many tokens are drafted each round.")),
        "per_round": (
            tr("Tokens per round"),
            tr("How many tokens one pass of the model gives; 1 without speculation."),
        ),
        "share": (tr("Draft share"), tr("Time spent drafting, of all the time spent decoding.")),
        "first": (tr("Time to first token"), tr("From sending to the first token of the reply.")),
        "expected": (
            tr("Expected gain"),
            tr("How many times faster than without speculation, reckoned from acceptance and costs."),
        ),
        "measured": (
            tr("Measured gain"),
            tr("How many times faster than without speculation, as it was measured."),
        ),
    }


class FigureRows(QGridLayout):
    def __init__(self, task: QPushButton) -> None:
        """task: the chip of the last row."""
        super().__init__()
        self.setContentsMargins(6, 0, 6, 0)
        self.setHorizontalSpacing(12)
        self.setVerticalSpacing(5)
        self.setColumnStretch(1, 1)
        self.values: dict[str, ElidedLabel] = {}
        texts = _texts()
        for index, (name, (label, help)) in enumerate(texts.items()):
            value = self.values[name] = ElidedLabel()
            value.setFont(ui_font(13, strong=True, tabular=True))
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            value.setAccessibleName(label)
            if name == "draft":  # names are longer than figures
                whole = QHBoxLayout()
                whole.setSpacing(12)
                whole.addWidget(self._label(label, help))
                whole.addWidget(value, 1)
                self.addLayout(whole, index, 0, 1, 2)
                continue
            self.addWidget(self._label(label, help), index, 0)
            self.addWidget(value, index, 1)
        last = QHBoxLayout()  # not in the columns, whose longest label would push the chip out of the panel
        last.addWidget(self._label(tr("Task"), tr("What is being written; the draft follows it.")))
        last.addStretch(1)
        last.addWidget(task)
        self.addLayout(last, len(texts), 0, 1, 2)

    def write(self, name: str, text: str) -> None:
        self.values[name].setText(text)

    def text(self, name: str) -> str:
        """A value as it is shown."""
        return self.values[name].text()

    def clear_figures(self) -> None:
        """Before a reply; what drafts stays."""
        for name in self.values.keys() - {"draft"}:
            self.write(name, figures.UNKNOWN)

    def _label(self, text: str, help: str) -> QLabel:
        label = QLabel(text)
        set_kind(label, "muted")
        label.setToolTip(help)
        return label

"""What the doctor finds, line by line as it comes, each with its verdict and what to do."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.error_texts import in_words
from app.language import tr
from app.theme import GRID, Theme
from app.views.dialog import Dialog
from app.views.icons import icon
from app.views.layouts import clear, open_at, stop_where_it_scrolls
from app.views.style import set_kind
from inference.doctor.finding import Finding, Verdict

ICONS: dict[Verdict, str] = {"good": "check", "warning": "warning", "bad": "close"}


class DoctorPage(Dialog):
    again_requested = Signal()
    switch_requested = Signal()  # what `offer` offered

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Check of this machine"))
        open_at(self, 640, 620)
        self.setMinimumSize(420, 360)
        self._theme = theme
        self._findings: list[Finding] = []
        self._next_row = 0
        self._summary = QLabel()
        set_kind(self._summary, "title")
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(12)
        self._rows.setVerticalSpacing(4)
        self._rows.setColumnStretch(1, 1)
        inside = QWidget()
        around = QVBoxLayout(inside)
        around.setContentsMargins(0, 0, 0, 0)
        around.addLayout(self._rows)
        around.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        stop_where_it_scrolls(area)
        self.again = QPushButton(tr("Check again"))
        self.copy = QPushButton(tr("Copy as text"))
        self.copy.setToolTip(tr("For whoever helps you: versions and places, nothing of your chats"))
        self.switch = QPushButton()
        self.switch.hide()
        close = QPushButton(tr("Close"))
        buttons = QHBoxLayout()
        buttons.addWidget(self.copy)
        buttons.addWidget(self.switch)
        buttons.addStretch(1)
        buttons.addWidget(self.again)
        buttons.addWidget(close)
        for button in (self.again, self.copy, self.switch, close):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addWidget(self._summary)
        column.addWidget(area, 1)
        column.addLayout(buttons)
        self.again.clicked.connect(self.again_requested)
        self.switch.clicked.connect(self.switch_requested)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text()))
        close.clicked.connect(self.close)
        self.begin()

    def begin(self) -> None:
        """Empty it: a new examination is under way."""
        self._findings.clear()
        self._clear()
        self._summary.setText(tr("Looking…"))
        self.again.setEnabled(False)
        self.switch.hide()

    def offer(self, switch: str) -> None:
        """A button that reads so; "": none."""
        self.switch.setText(switch)
        self.switch.setVisible(bool(switch))

    def show_findings(self, findings: Sequence[Finding], finished: bool) -> None:
        for finding in findings[len(self._findings) :]:
            self._add(finding)
        self._findings = list(findings)
        if finished:
            self.again.setEnabled(True)
            self._summary.setText(self._verdict())

    def text(self) -> str:
        """All of it, for the clipboard."""
        lines = []
        for finding in self._findings:
            lines.append(f"[{finding.verdict}] {finding.title}: {finding.text} {finding.remedy}".rstrip())
            lines += [f"    {label}: {value}" for label, value in finding.facts]
        return "\n".join(lines)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        findings = list(self._findings)
        self._findings.clear()
        self._clear()
        self.show_findings(findings, self.again.isEnabled())

    def _verdict(self) -> str:
        bad = sum(finding.verdict == "bad" for finding in self._findings)
        warned = sum(finding.verdict == "warning" for finding in self._findings)
        if bad:
            return tr("{count} to be mended").format(count=bad)
        return tr("It works, with reservations") if warned else tr("Everything is well")

    def _add(self, finding: Finding) -> None:
        line = self._next_row
        colours = {"good": self._theme.good, "warning": self._theme.warning, "bad": self._theme.error}
        mark, title, text = QLabel(), QLabel(in_words(finding.title)), QLabel(in_words(finding.text))
        mark.setPixmap(icon(ICONS[finding.verdict], colours[finding.verdict]).pixmap(20, 20))
        words = {"good": tr("good"), "warning": tr("warning"), "bad": tr("wrong")}
        mark.setAccessibleName(words[finding.verdict])
        mark.setToolTip(words[finding.verdict])
        set_kind(title, "label")
        labels = [title, text]
        if finding.remedy:
            remedy = QLabel(in_words(finding.remedy))
            set_kind(remedy, "error" if finding.verdict == "bad" else "warning")
            labels.append(remedy)
        line_of = tr("{name}: {place}")
        facts = "\n".join(line_of.format(name=in_words(label), place=in_words(value)) for label, value in finding.facts)
        if finding.open:
            labels.append(QLabel(facts))
            set_kind(labels[-1], "muted")
        self._rows.addWidget(mark, line, 0, Qt.AlignmentFlag.AlignTop)
        for offset, label in enumerate(labels):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setToolTip(facts)
            self._rows.addWidget(label, line + offset, 1)
        self._rows.setRowMinimumHeight(line + len(labels), GRID)
        self._next_row = line + len(labels) + 1

    def _clear(self) -> None:
        for line in range(self._rows.rowCount()):  # a grid never forgets a row
            self._rows.setRowMinimumHeight(line, 0)
        self._next_row = 0
        clear(self._rows)

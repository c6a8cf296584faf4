"""How a model is to be loaded: precision, context and draft, with the memory that would take, before it is loaded."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import counts
from app.error_texts import in_words
from app.language import tr
from app.setting_rules import Choice
from app.settings import BY_NAME
from app.theme import GRID, Theme
from app.views.draft_device import DraftDeviceField, who_holds_what
from app.views.fields import ChoiceField
from app.views.model_row import DraftRow, LoadWish
from app.views.plan_bar import PlanBar
from app.views.style import set_kind
from inference.plan.memory_plan import MemoryPlan

CONTEXTS = (2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144)


class LoadForm(QWidget):
    changed = Signal(object)  # the LoadWish, when the person plays with it
    load_requested = Signal(object)  # the LoadWish

    def __init__(self) -> None:
        super().__init__()
        self._wish = LoadWish("")
        self._drafts: tuple[DraftRow, ...] = ()
        self.precision = _choice("precision")
        self.cache_bits = _choice("cache_bits")
        self.group = _choice("int4_group")
        self.context = ChoiceField([])
        self.draft = ChoiceField([])
        self.draft_device = DraftDeviceField()
        self._group_name, self._device_name = QLabel(tr("4-bit group")), QLabel(tr("Draft's device"))
        self.offload = QCheckBox(tr("Larger than memory: fetch layers that do not fit in every pass (slow)"))
        self.offload.setToolTip(tr(BY_NAME["offload"].help))
        self.offload.hide()
        grid = self._make_fields()
        self._memory = QLabel(tr("Memory"))
        set_kind(self._memory, "heading")
        self.bar = PlanBar()
        self.where, self.reason, self.kept = QLabel(), QLabel(), QLabel()
        set_kind(self.where, "muted")
        for label in (self.where, self.reason, self.kept):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.kept.hide()
        self.button = QPushButton(tr("Load"))
        set_kind(self.button, "primary")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.setSpacing(12)
        around.addLayout(grid)
        around.addSpacing(GRID)
        around.addWidget(self._memory)
        around.addWidget(self.bar)
        around.addWidget(self.where)
        around.addWidget(self.reason)
        around.addWidget(self.kept)
        around.addWidget(self.offload)
        around.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.precision.edited.connect(lambda value: self._edit(replace(self._wish, precision=value)))
        self.context.edited.connect(lambda value: self._edit(replace(self._wish, context=int(value))))
        self.cache_bits.edited.connect(lambda value: self._edit(replace(self._wish, cache_bits=value)))
        self.group.edited.connect(lambda value: self._edit(replace(self._wish, int4_group=value)))
        self.draft.edited.connect(lambda value: self._edit(replace(self._wish, draft=str(value))))
        self.draft_device.edited.connect(lambda value: self._edit(replace(self._wish, draft_device=value)))
        self.offload.clicked.connect(lambda on: self._edit(replace(self._wish, offload=on)))
        self.button.clicked.connect(lambda: self.load_requested.emit(self._wish))

    def _make_fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(6)
        fields = (
            (QLabel(tr("Precision")), self.precision),
            (QLabel(tr("Context")), self.context),
            (QLabel(tr("Chat memory")), self.cache_bits),
            (QLabel(tr("Draft")), self.draft),
            (self._group_name, self.group),
            (self._device_name, self.draft_device),
        )
        for place, (heading, field) in enumerate(fields):
            set_kind(heading, "heading")
            heading.setBuddy(field)
            field.setAccessibleName(heading.text())
            row, column = 3 * (place // 2), place % 2
            grid.addWidget(heading, row, column)
            grid.addWidget(field, row + 1, column)
            grid.setColumnStretch(column, 1)
        grid.setRowMinimumHeight(2, 2)
        for widget in (self.group, self._group_name, self.draft_device, self._device_name):
            widget.hide()
        return grid

    @property
    def wish(self) -> LoadWish:
        return self._wish

    def await_plan(self) -> None:
        """Another model is looked at: what stands here is the one's before, and must not be loaded in its name."""
        self._wish = LoadWish("")
        self.setEnabled(False)
        self.reason.setText(tr("Reading the model's files for the plan…"))
        self.bar.hide()
        self._memory.hide()

    def show_wish(self, wish: LoadWish, context_length: int) -> None:
        """What is preselected. context_length: the most that the model reads, 0 where it is not known."""
        self._wish = wish
        most = context_length or CONTEXTS[-1]
        contexts = sorted({c for c in CONTEXTS if c <= most} | {min(wish.context, most)})
        self.context.clear()
        for context in contexts:
            self.context.addItem(counts.tokens(context), context)
        self.context.show_value(min(wish.context, most))
        self.precision.show_value(wish.precision)
        self.cache_bits.show_value(wish.cache_bits)
        self.group.show_value(wish.int4_group)
        self.draft_device.show_value(wish.draft_device)
        self.offload.setChecked(wish.offload)
        self._show_draft()

    def show_drafts(self, drafts: Sequence[DraftRow]) -> None:
        """Those that can be chosen, and the others with the reason why not."""
        self._drafts = tuple(drafts)
        self.draft.clear()
        self.draft.addItem(tr("None"), "")
        for draft in sorted(self._drafts, key=lambda draft: (bool(draft.reason), bool(draft.note))):
            label = draft.name if not draft.reason else f"{draft.name}: {draft.reason}"
            if draft.note and not draft.reason:
                label = tr("{name}: second choice, drafts by its text and gains less").format(name=draft.name)
            self.draft.addItem(label, draft.identifier)
            index = self.draft.count() - 1
            self.draft.setItemData(index, draft.reason or draft.note or draft.name, Qt.ItemDataRole.ToolTipRole)
            model = self.draft.model()
            if draft.reason and isinstance(model, QStandardItemModel):
                model.item(index).setEnabled(False)
        names = self.draft.view()  # as wide as the reasons are long, within the form
        names.setMinimumWidth(min(names.sizeHintForColumn(0) + 4 * GRID, self.width()))
        self._show_draft()

    def show_plan(self, plan: MemoryPlan | None, reason: str) -> None:
        """None and a reason: it cannot be planned. Groups are offered where weights are packed into 4 bits for it."""
        self.setEnabled(True)
        held = () if plan is None else (plan.target, plan.draft)
        grouped = any(one.group for one in held if one is not None)
        self.group.setVisible(grouped)
        self._group_name.setVisible(grouped)
        self.bar.show_plan(plan, plan.scarce if plan else "ram")
        self.bar.setVisible(plan is not None)
        self._memory.setVisible(plan is not None)
        if plan is not None and plan.on_card:
            where = plan.place_name(plan.scarce, tr("main memory"))
            self._memory.setText(tr("Memory: {place}").format(place=where))
        else:
            self._memory.setText(tr("Memory"))
        cards = () if plan is None else tuple(card.name for card in plan.machine.cards)
        self.draft_device.show_cards(cards)
        for widget in (self.draft_device, self._device_name):
            widget.setVisible(bool(cards))
        self.where.setText(who_holds_what(plan) if plan is not None else "")
        self.where.setVisible(bool(self.where.text()))
        self.reason.setText(in_words(reason))
        stays = plan is not None and self._wish.cache_bits != "16" and plan.target.engine != "native"
        self.kept.setVisible(stays)
        if plan is not None:
            text = tr("Chat memory stays at {bits} bits: with this model and precision there are no fewer.")
            self.kept.setText(text.format(bits=plan.target.value_bits))
        set_kind(self.reason, "" if plan is None or plan.fits else "error")
        self.offload.setVisible(plan is not None and (self._wish.offload or not plan.fits))
        self.button.setText(tr("Load") if plan is None or plan.fits else tr("Load all the same"))
        self.bar.setFixedHeight(self.bar.heightForWidth(max(self.bar.width(), 240)))

    def set_theme(self, theme: Theme) -> None:
        self.bar.set_theme(theme)

    def _edit(self, wish: LoadWish) -> None:
        self._wish = wish
        self.changed.emit(self._wish)

    def _show_draft(self) -> None:
        usable = {draft.identifier for draft in self._drafts if not draft.reason}
        self.draft.show_value(self._wish.draft if self._wish.draft in usable else "")


def _choice(setting: str) -> ChoiceField:
    """A field for a row of the settings' table."""
    rule = BY_NAME[setting].rule
    assert isinstance(rule, Choice)
    field = ChoiceField([(value, tr(label)) for value, label in rule.options])
    field.setToolTip(tr(BY_NAME[setting].help))
    return field

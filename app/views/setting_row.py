"""One row of the settings panel: label, control, a way back to the default, and what is wrong with a value."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.language import tr
from app.setting import Setting
from app.setting_rules import Choice, Flag, Integer, Number, Text
from app.settings import Settings
from app.views.draft_picker import DraftPicker
from app.views.fields import ChoiceField, LineField, NumberField, TextField
from app.views.segmented import Segmented
from app.views.slider import Slider
from app.views.style import set_kind, ui_font
from app.views.toggle import Toggle

Control = Segmented | Toggle | Slider | NumberField | LineField | TextField | ChoiceField | DraftPicker
FEW, SHORT = 3, 64  # choices that fit side by side; the longest span of whole numbers worth a slider


def control_for(setting: Setting) -> Control:
    """The control that suits a setting's rule."""
    rule = setting.rule
    control: Control
    match rule:
        case Flag():
            control = Toggle()
        case Choice():
            options = [(value, tr(label)) for value, label in rule.options]
            control = Segmented(options) if len(options) <= FEW else ChoiceField(options)
        case Number():
            control = Slider(rule)
        case Integer() if rule.high - rule.low <= SHORT:
            control = Slider(rule)
        case Integer():
            control = NumberField(rule, tr("random") if rule.optional else "")
        case Text(lines=True):
            control = TextField(
                tr("For example: answer briefly, in Chinese.") if setting.name == "system_prompt" else ""
            )
        case Text() if setting.name == "draft_model":
            control = DraftPicker()
        case Text():
            control = LineField()
    return control


class SettingRow(QWidget):
    """Tells the raw value of its control; the panel checks it and answers with show_value or show_error."""

    edited = Signal(str, object)  # the setting's name, the value

    def __init__(
        self, setting: Setting, *, heading: bool = False, explained: bool = False, parent: QWidget | None = None
    ) -> None:
        """heading: its group's heading names the row, too: it has that as its label or, explained, stands below it.
        explained: the help is in sight, not only in the tooltip.
        """
        super().__init__(parent)
        self.setting = setting
        self._heading = heading
        self.control = control_for(setting)
        label, help = tr(setting.label), tr(setting.help)
        self.label, self.error, self.figure, self.reset = QLabel(label), QLabel(), QLabel(), QToolButton()
        self.help = QLabel(help) if explained else None
        set_kind(self.label, "heading" if heading else "field")
        self.label.setToolTip(help)
        self.label.setBuddy(self.control)
        self.control.setToolTip(help)
        self.control.setAccessibleName(label)
        if isinstance(self.control, Segmented):
            self.control.name(label, help)
        if isinstance(self.control, DraftPicker):
            self.control.button.setToolTip(help)
        self.figure.setFont(ui_font(13, strong=True, tabular=True))
        set_kind(self.error, "complaint")
        self.error.setWordWrap(True)
        self.error.setTextFormat(Qt.TextFormat.PlainText)
        self.error.hide()
        self._make_reset(label)
        self._lay_out()
        self.control.edited.connect(lambda value: self.edited.emit(setting.name, value))
        if isinstance(self.control, Slider):
            self.control.moved.connect(self.figure.setText)

    def show_value(self, settings: Settings) -> None:
        value = getattr(settings, self.setting.name)
        self.control.show_value(value)
        self.reset.setVisible(value != self.setting.default)
        self.show_error("")

    def show_error(self, sentence: str) -> None:
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence))
        set_kind(self.control, bool(sentence), "invalid")
        if sentence:
            self.reset.show()

    def _make_reset(self, label: str) -> None:
        self.reset.setProperty("kind", "reset")
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # nothing moves when it appears
        self.reset.setSizePolicy(policy)
        self.reset.setIconSize(QSize(16, 16))
        self.reset.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        text = tr("Back to the default: {value}")
        self.reset.setToolTip(text.format(value=self._default_text()))
        name = tr("Reset {setting}")
        self.reset.setAccessibleName(name.format(setting=label))
        self.reset.clicked.connect(lambda: self.edited.emit(self.setting.name, self.setting.default))

    def _default_text(self) -> str:
        rule, default = self.setting.rule, self.setting.default
        if isinstance(rule, Choice):
            return tr(dict(rule.options)[default])
        if isinstance(rule, Flag):
            words = ("on", "off") if default else ("off", "on")
            return tr(words[0])
        if isinstance(self.control, Slider):
            return self.control.write(default)
        return str(default) if default not in (None, "") else tr("empty")

    def _lay_out(self) -> None:
        top, box = QHBoxLayout(), QVBoxLayout(self)
        top.setSpacing(4)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addLayout(top)
        beside = isinstance(self.control, Toggle | NumberField | ChoiceField)
        if self.help is not None:
            set_kind(self.help, "muted")
            self.help.setWordWrap(True)
            self.help.setTextFormat(Qt.TextFormat.PlainText)
        if self._heading and self.help is not None:
            self.label.setParent(self)
            self.label.hide()
            top.addWidget(self.help, 1)
            top.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignTop)
        else:
            top.addWidget(self.label)
            top.addWidget(self.reset)
            top.addStretch(1)
            if self.help is not None:
                box.addWidget(self.help)
        top.addWidget(self.control if beside else self.figure)
        if not beside:
            box.addWidget(self.control)
        box.addWidget(self.error)

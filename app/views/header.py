"""Above the conversation: its title, the model that answers, and whether it speculates."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QSizePolicy, QToolButton

from app.drafter_names import drafter_name
from app.language import listed, tr
from app.theme import GRID, LIGHT, Theme
from app.views.foresight_words import foresight_words
from app.views.icons import icon
from app.views.labels import in_menu
from app.views.style import set_kind
from inference.chat_engine import LoadedModel
from inference.manager.spec import Spec
from inference.settings import Mode, SpeculationSettings

TITLE_ROOM = 260  # pixels the title keeps before the speculation button says everything
TITLE_LEAST = 120  # and before the model's name is cut
MODEL_LEAST = 64


@dataclass(frozen=True)
class ModelChoice:
    """A line of the model menu. `model` is what the settings keep."""

    model: str
    label: str
    current: bool = False


def mode_name(mode: Mode) -> str:
    return {"off": tr("off"), "on": tr("on"), "automatic": tr("automatic")}[mode]


def speculation_statement(settings: SpeculationSettings, draft: str = "") -> str:
    """One plain line, e.g. "Speculation: automatic, n-gram, K up to 8". draft: the name of the draft model."""
    parts = [tr("Speculation: {mode}").format(mode=mode_name(settings.mode))]
    if settings.mode != "off":
        parts.append(drafter_name(settings, draft))
        if settings.drafter != "none":
            form = tr("K up to {k}") if settings.dynamic else tr("K = {k}")
            parts.append(form.format(k=settings.max_draft_length if settings.dynamic else settings.draft_length))
    return listed(parts)


class Header(QFrame):
    mode_chosen = Signal(str)
    model_chosen = Signal(str)
    open_model_requested = Signal()
    models_requested = Signal()
    unload_requested = Signal()
    sidebar_requested = Signal()
    settings_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Header")
        self.setFixedHeight(56)
        self._theme = LIGHT
        self._full_title = ""
        self._model = ""
        self.statement = ""
        self._mode = ""
        self._sidebar = QToolButton()
        self._sidebar.setToolTip(tr("Show or hide the chats (Ctrl+B)"))
        self._sidebar.setAccessibleName(tr("Show or hide the chats"))
        self._sidebar.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._sidebar.clicked.connect(self.sidebar_requested)
        self._title = QLabel()
        self._title.setProperty("kind", "title")
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.model_button = self._chip(tr("Model"), "")
        self.model_menu = QMenu(self.model_button)
        self.model_button.setMenu(self.model_menu)
        self.speculation_button = self._chip(tr("Speculation"), "")
        self.speculation_menu = QMenu(self.speculation_button)
        self.speculation_button.setMenu(self.speculation_menu)
        self._modes = self._fill_speculation_menu()
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, 0, 2 * GRID, 0)
        row.setSpacing(GRID)
        row.addWidget(self._sidebar)
        row.addWidget(self._title, 1)
        row.addWidget(self.model_button)
        row.addWidget(self.speculation_button)
        self.show_models([])
        self.set_theme(self._theme)

    def set_title(self, title: str) -> None:
        self._full_title = title
        self._fit()

    @property
    def title(self) -> str:
        return self._full_title

    def show_target(self, target: LoadedModel | None, *, loading: bool, known: Sequence[Spec]) -> None:
        """The model that answers, or that none does; `known` are those to choose from."""
        specs = list(known)
        if target is not None and target.spec.identifier not in [spec.identifier for spec in specs]:
            specs.append(target.spec)
        current = target.spec.identifier if target else None
        self.show_models([ModelChoice(s.identifier, s.name, s.identifier == current) for s in specs])
        if target is None:
            self.set_model(tr("Loading…") if loading else tr("No model"))
            return
        english_only = target.spec.languages == ("en",)
        name = tr("{name} (English)").format(name=target.spec.name) if english_only else target.spec.name
        note = target.spec.note and tr(target.spec.note)
        self.set_model(name, "\n".join(filter(None, [target.description, note, foresight_words(target.foresight)])))

    def set_model(self, name: str, description: str = "") -> None:
        """The name on the button; the description is its tooltip."""
        self._model = name
        tip = [name, description, tr("Choose the model that answers (Ctrl+M)")]
        self.model_button.setToolTip("\n".join(filter(None, tip)))
        self.model_button.setAccessibleName(tr("Model: {name}").format(name=name))
        self._fit()

    def show_models(self, choices: Sequence[ModelChoice]) -> None:
        self.model_menu.clear()
        for choice in choices:
            action = self.model_menu.addAction(in_menu(choice.label))
            action.setCheckable(True)
            action.setChecked(choice.current)
            action.triggered.connect(lambda _=False, model=choice.model: self.model_chosen.emit(model))
        if choices:
            self.model_menu.addSeparator()
        self.model_menu.addAction(tr("All models…")).triggered.connect(self.models_requested)
        self.model_menu.addAction(tr("Open a folder or GGUF…")).triggered.connect(self.open_model_requested)
        unload = self.model_menu.addAction(tr("Unload: give its memory back"))
        unload.setEnabled(any(choice.current for choice in choices))
        unload.triggered.connect(self.unload_requested)

    def set_speculation(self, settings: SpeculationSettings, draft: str = "") -> None:
        self.statement = speculation_statement(settings, draft)
        self._mode = mode_name(settings.mode)
        self._modes[settings.mode].setChecked(True)
        self.speculation_button.setToolTip(self.statement)
        self.speculation_button.setAccessibleName(self.statement)
        set_kind(self.speculation_button, "good" if settings.enabled else "muted", "tone")
        self._fit()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._sidebar.setIcon(icon("sidebar", theme.muted))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and hasattr(self, "speculation_button"):
            self._fit()

    def _fit(self) -> None:
        """Give the room to the title first, then to the model's name, then to the whole statement."""
        short = self.statement.split(tr(", "), maxsplit=1)[0]
        for statement, least in ((self.statement, TITLE_ROOM), (short, TITLE_LEAST), (self._mode, 0)):
            self.speculation_button.setText(statement)
            self.model_button.setText(self._model)
            room = self._room()
            if room >= least:
                break
        if room < TITLE_LEAST:
            metrics = self.model_button.fontMetrics()
            most = max(MODEL_LEAST, metrics.horizontalAdvance(self._model) + room - TITLE_LEAST)
            self.model_button.setText(metrics.elidedText(self._model, Qt.TextElideMode.ElideRight, most))
            room = self._room()
        metrics = self._title.fontMetrics()
        self._title.setText(metrics.elidedText(self._full_title, Qt.TextElideMode.ElideRight, max(0, room)))
        self._title.setToolTip(self._full_title)

    def _room(self) -> int:
        """Pixels left for the title."""
        others = (self._sidebar, self.model_button, self.speculation_button)
        return self.width() - 7 * GRID - sum(widget.sizeHint().width() for widget in others)

    def _chip(self, name: str, tip: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("kind", "chip")
        button.setAccessibleName(name)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _fill_speculation_menu(self) -> dict[Mode, QAction]:
        group = QActionGroup(self)
        texts: tuple[tuple[Mode, str], ...] = (
            ("automatic", tr("Automatic: pause while drafting loses")),
            ("on", tr("On: always draft")),
            ("off", tr("Off: the model writes every token itself")),
        )
        modes: dict[Mode, QAction] = {}
        for mode, text in texts:
            action = self.speculation_menu.addAction(text)
            action.setCheckable(True)
            action.setActionGroup(group)
            action.triggered.connect(lambda _=False, mode=mode: self.mode_chosen.emit(mode))
            modes[mode] = action
        self.speculation_menu.addSeparator()
        self.speculation_menu.addAction(tr("More settings…")).triggered.connect(self.settings_requested)
        return modes

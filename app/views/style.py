"""How every widget looks: one style sheet, one palette and two fonts, made from a theme.

Widgets say what they are by a property, set before they are shown (`set_kind` sets it later):

    QLabel       kind = "title" (17 px, strong), "strong", "heading" (13 px, strong, muted), "label" (13 px, strong),
                 "muted" (13 px), "error", "warning", "good"; tone = "accent", "good", "muted"
    QPushButton  kind = none (a quiet button), "primary" (accent), "ghost" (no frame), "chip" (small, rounded), "danger"
                 tone = "good", "accent", "warning" or "muted" colours the text of a chip
    QToolButton  none is a ghost icon button; kind = "primary" (a filled disc), "framed" (with a border)
    QFrame       kind = "card" (raised, bordered, rounded), "floating" (a card over others), "line" (a hairline)
    QLineEdit    kind = "bare" (no frame, e.g. inside a card); QPlainTextEdit likewise

and where they are by their object name: #Sidebar, #Header, #Transcript, #Composer (the card around the editor),
#GaugePanel, #SettingsPanel, #Banner (property tone = "error", "warning" or "good").

Buttons take focus from the keyboard only (`Qt.FocusPolicy.TabFocus`), so their focus ring never follows a click.
"""

import os
import sys
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from app.theme import BODY, DARK, LABEL, LIGHT, RADIUS, TITLE, Theme
from app.views.icons import ICONS

# Where the system's own face is good it is used; on Linux the first of these that is installed.
LINUX_UI = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "Noto Sans CJK SC", "DejaVu Sans")
MONO = ("SF Mono", "Menlo", "Cascadia Mono", "JetBrains Mono", "Consolas", "Noto Sans Mono", "DejaVu Sans Mono")
CHINESE = ("PingFang SC", "Microsoft YaHei UI", "Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei")
CHINESE_MONO = ("Noto Sans Mono CJK SC", "Sarasa Mono SC", *CHINESE)


def theme_of(widget: QWidget) -> Theme:
    """As its ground says."""
    return DARK if widget.palette().window().color().lightness() < 128 else LIGHT


def blend(over: str, ground: str, share: float) -> str:
    """`share` of one colour laid over another, as #rrggbb."""
    pairs = zip(_channels(over), _channels(ground), strict=True)
    return "#{:02x}{:02x}{:02x}".format(*(round(a * share + b * (1 - share)) for a, b in pairs))


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@cache
def _families(wanted: tuple[str, ...]) -> tuple[str, ...]:
    # Naming a face that is not there costs hundreds of milliseconds on macOS, so only installed ones are named.
    return tuple(filter(set(QFontDatabase.families()).__contains__, wanted))


def ui_font(pixels: int = BODY, *, strong: bool = False, tabular: bool = False) -> QFont:
    """The face of the whole window, with a Chinese one beside it. tabular: every figure has the same width."""
    if sys.platform in ("darwin", "win32"):
        families = (QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family(), *_families(CHINESE))
    else:
        families = _families(LINUX_UI + CHINESE)
    return _font(families, pixels, strong, tabular)


def mono_font(pixels: int = BODY - 1) -> QFont:
    """The face of code, with a Chinese one beside it."""
    families = _families(MONO + CHINESE_MONO)
    if not families:
        families = (QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family(),)
    font = _font(families, pixels, strong=False, tabular=False)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    return font


def _font(families: tuple[str, ...], pixels: int, strong: bool, tabular: bool) -> QFont:
    font = QFont()
    if families:
        font.setFamilies(families)
    font.setPixelSize(pixels)
    if strong:
        font.setWeight(QFont.Weight.DemiBold)
    if tabular:
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


def palette(theme: Theme) -> QPalette:
    """For what a style sheet does not reach: selections, placeholders, links, and text painted by hand."""
    role = QPalette.ColorRole
    result = QPalette()
    colours = {
        role.Window: theme.ground,
        role.Base: theme.ground,
        role.AlternateBase: theme.raised,
        role.Button: theme.raised,
        role.ToolTipBase: theme.text,
        role.WindowText: theme.text,
        role.Text: theme.text,
        role.ButtonText: theme.text,
        role.BrightText: theme.on_accent,
        role.ToolTipText: theme.ground,
        role.PlaceholderText: theme.muted,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.accent,
        role.Accent: theme.accent,
        role.Light: theme.raised,
        role.Midlight: theme.line,
        role.Mid: theme.line,
        role.Dark: theme.idle,
        role.Shadow: theme.line,
    }
    for which, colour in colours.items():
        result.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.idle))
    return result


def dress(application: QApplication, theme: Theme) -> None:
    """Give the whole application a theme; again when it changes."""
    os.environ["QT_NO_GUI_THREADPOOL"] = "1"  # for a rounded corner Qt would wake a thread, and take the engine's core
    application.setStyle("Fusion")
    application.setFont(ui_font())
    application.setPalette(palette(theme))
    application.setStyleSheet(stylesheet(theme))


def set_kind(widget: QWidget, value: str | bool, name: str = "kind") -> None:
    """Change the property a widget is styled by, and restyle it."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    if not widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        return  # it is styled when it is first shown
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def stylesheet(theme: Theme) -> str:
    """The style sheet of the whole application."""
    return "\n".join(part(theme) for part in (_places, _labels, _buttons, _inputs, _choices, _lists, _bars))


def _image(name: str) -> str:
    return f'url("{(ICONS / name).as_posix()}")'


def _places(t: Theme) -> str:
    return f"""
    QWidget {{ color: {t.text}; }}
    QMainWindow, QDialog, #Transcript, #Header {{ background: {t.ground}; }}
    #Sidebar {{ background: {t.side}; border: none; border-right: 1px solid {t.line}; }}
    #Sidebar[dropping="true"] {{ background: {t.accent_soft}; }}
    #Header {{ border: none; border-bottom: 1px solid {t.line}; }}
    #GaugePanel, #SettingsPanel {{ background: {t.ground}; border: none; border-left: 1px solid {t.line}; }}
    #GaugePanel[bar="true"] {{ border-left: none; border-bottom: 1px solid {t.line}; }}
    #Composer {{ background: {t.ground}; border: 1px solid {t.line}; border-radius: {RADIUS + 6}px; }}
    #Composer[focused="true"] {{ border-color: {t.accent}; }}
    QFrame[kind="card"] {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: {RADIUS}px; }}
    QFrame[kind="floating"] {{ background: {t.raised}; border: 1px solid {t.idle}; border-radius: {RADIUS}px; }}
    QFrame[kind="attachment"] {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 8px; }}
    QFrame[kind="attachment"]:hover, QFrame[kind="attachment"]:focus {{ border-color: {t.accent}; }}
    QFrame[kind="line"] {{ background: {t.line}; border: none; min-height: 1px; max-height: 1px; }}
    #Banner {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: {RADIUS}px; }}
    #Banner[tone="error"] {{
        background: {blend(t.error, t.ground, 0.08)}; border-color: {blend(t.error, t.ground, 0.4)};
    }}
    #Banner[tone="warning"] {{
        background: {blend(t.warning, t.ground, 0.08)}; border-color: {blend(t.warning, t.ground, 0.4)};
    }}
    #Banner[tone="good"] {{ background: {t.good_soft}; border-color: {blend(t.good, t.ground, 0.4)}; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QScrollArea, QScrollArea > QWidget > QWidget {{ background: transparent; border: none; }}
    QScrollArea:focus {{ border-right: 2px solid {t.accent}; }}
    QToolTip {{
        background: {t.raised}; color: {t.text}; border: 1px solid {t.line}; padding: 6px 8px; font-size: {LABEL}px;
    }}
    QSplitter::handle {{ background: transparent; }}
    QSplitter::handle:horizontal {{ width: 5px; }}
    QSplitter::handle:vertical {{ height: 5px; }}
    QSplitter::handle:hover {{ background: {t.accent_soft}; }}
    QSplitter::handle:pressed {{ background: {t.accent}; }}
    """


def _labels(t: Theme) -> str:
    return f"""
    QLabel {{ background: transparent; border: none; }}
    QLabel:disabled {{ color: {t.idle}; }}
    QLabel[kind="title"] {{ font-size: {TITLE}px; font-weight: 600; }}
    QLabel[kind="strong"] {{ font-weight: 600; }}
    QLabel[kind="heading"] {{ font-size: {LABEL}px; font-weight: 600; color: {t.muted}; }}
    QLabel[kind="muted"] {{ font-size: {LABEL}px; color: {t.muted}; }}
    QLabel[kind="label"] {{ font-size: {LABEL}px; font-weight: 600; }}
    QLabel[kind="field"] {{ font-size: {BODY - 1}px; }}
    QLabel[kind="complaint"] {{ font-size: {LABEL}px; color: {t.error}; }}
    QLabel[kind="error"] {{ color: {t.error}; }}
    QLabel[kind="warning"] {{ color: {t.warning}; }}
    QLabel[kind="good"] {{ color: {t.good}; }}
    QLabel[tone="accent"] {{ color: {t.accent}; }}
    QLabel[tone="good"] {{ color: {t.good}; }}
    QLabel[tone="muted"] {{ color: {t.muted}; }}
    """


def _buttons(t: Theme) -> str:
    hover, pressed = blend(t.text, t.raised, 0.05), blend(t.text, t.raised, 0.10)
    accent_hover, accent_pressed = blend(t.text, t.accent, 0.12), blend(t.text, t.accent, 0.24)
    wash, wash_pressed = _wash(t.text, 16), _wash(t.text, 28)  # over any ground
    return f"""
    QPushButton {{
        background: {t.raised}; color: {t.text}; border: 1px solid {t.line}; border-radius: 8px;
        padding: 6px 14px; min-height: 20px; font-size: {BODY - 1}px;
    }}
    QPushButton:hover {{ background: {hover}; }}
    QPushButton:pressed {{ background: {pressed}; }}
    QPushButton:disabled {{ color: {t.idle}; }}
    QPushButton:focus {{ border: 2px solid {t.accent}; padding: 5px 13px; }}
    QPushButton::menu-indicator {{
        image: {_image("chevron-down.svg")}; image-position: right center; width: 18px; height: 12px;
        subcontrol-origin: padding; subcontrol-position: right center; right: 8px;
    }}
    QPushButton[kind="primary"] {{
        background: {t.accent}; color: {t.on_accent}; border-color: {t.accent}; font-weight: 600;
    }}
    QPushButton[kind="primary"]:hover {{ background: {accent_hover}; border-color: {accent_hover}; }}
    QPushButton[kind="primary"]:pressed {{ background: {accent_pressed}; border-color: {accent_pressed}; }}
    QPushButton[kind="primary"]:focus {{ border-color: {t.text}; }}
    QPushButton[kind="primary"]:disabled {{ background: {t.track}; color: {t.muted}; border-color: {t.track}; }}
    QPushButton[kind="ghost"] {{ background: transparent; border-color: transparent; }}
    QPushButton[kind="ghost"]:hover {{ background: {wash}; }}
    QPushButton[kind="ghost"]:pressed {{ background: {wash_pressed}; }}
    QPushButton[kind="ghost"]:focus {{ border-color: {t.accent}; }}
    QPushButton[kind="danger"] {{ color: {t.error}; }}
    QPushButton[kind="danger"]:hover {{ border-color: {t.error}; }}
    QPushButton[kind="chip"] {{ padding: 4px 12px; font-size: {LABEL}px; border-radius: 8px; }}
    QPushButton[kind="chip"]:focus {{ padding: 3px 11px; }}
    QPushButton[kind="chip"]:checked {{ background: {t.accent_soft}; border-color: {t.accent}; font-weight: 600; }}
    QFrame[kind="segmented"] {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 9px; }}
    QPushButton[kind="segment"] {{
        background: transparent; color: {t.muted}; border: 2px solid transparent; border-radius: 7px;
        padding: 2px 8px; font-size: {LABEL}px;
    }}
    QPushButton[kind="segment"]:hover {{ background: {wash}; color: {t.text}; }}
    QPushButton[kind="segment"]:checked {{ background: {t.accent_soft}; color: {t.text}; font-weight: 600; }}
    QPushButton[kind="segment"]:focus {{ border-color: {t.accent}; }}
    QPushButton[kind="segment"]:disabled {{ color: {t.idle}; }}
    QPushButton[tone="good"] {{ color: {t.good}; }}
    QPushButton[tone="accent"] {{ color: {t.accent}; }}
    QPushButton[tone="warning"] {{ color: {t.warning}; }}
    QPushButton[tone="muted"] {{ color: {t.muted}; }}
    QToolButton {{
        background: transparent; color: {t.text}; border: 2px solid transparent; border-radius: 8px; padding: 4px;
        font-size: {LABEL}px;
    }}
    QToolButton:hover {{ background: {wash}; }}
    QToolButton:pressed, QToolButton:checked {{ background: {wash_pressed}; }}
    QToolButton:focus {{ border-color: {t.accent}; }}
    QToolButton:disabled {{ color: {t.idle}; }}
    QToolButton::menu-indicator {{ image: none; }}
    QToolButton[kind="fold"] {{ color: {t.muted}; padding: 2px 6px 2px 2px; }}
    QToolButton[kind="fold"]:checked {{ background: transparent; }}
    QToolButton[kind="fold"]:hover {{ color: {t.text}; background: {wash}; }}
    QToolButton[kind="reset"] {{ padding: 1px; border-radius: 6px; }}
    QToolButton[kind="framed"] {{ background: {t.raised}; border: 1px solid {t.line}; padding: 5px; }}
    QToolButton[kind="framed"]:hover {{ background: {hover}; }}
    QToolButton[kind="framed"]:pressed {{ background: {pressed}; }}
    QToolButton[kind="framed"]:focus {{ border: 2px solid {t.accent}; padding: 4px; }}
    QToolButton[kind="primary"] {{
        background: {t.accent}; color: {t.on_accent}; border: 2px solid {t.accent}; border-radius: 18px;
        min-width: 32px; min-height: 32px; max-width: 32px; max-height: 32px; padding: 0;
    }}
    QToolButton[kind="primary"]:hover {{ background: {accent_hover}; border-color: {accent_hover}; }}
    QToolButton[kind="primary"]:pressed {{ background: {accent_pressed}; border-color: {accent_pressed}; }}
    QToolButton[kind="primary"]:focus {{ border-color: {t.text}; }}
    QToolButton[kind="primary"]:disabled {{ background: {t.track}; border-color: {t.track}; }}
    """


def _inputs(t: Theme) -> str:
    hover = blend(t.text, t.line, 0.15)
    return f"""
    QLineEdit, QPlainTextEdit, QTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {{
        background: {t.ground}; color: {t.text}; border: 1px solid {t.line}; border-radius: 8px;
        padding: 6px 10px; font-size: {BODY - 1}px;
        selection-background-color: {t.accent}; selection-color: {t.on_accent};
        placeholder-text-color: {t.muted};
    }}
    QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {{ min-height: 20px; }}
    QLineEdit:hover, QPlainTextEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover, QComboBox:hover {{
        border-color: {hover};
    }}
    QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {{
        border: 2px solid {t.accent}; padding: 5px 9px;
    }}
    QLineEdit:disabled, QPlainTextEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {{
        color: {t.idle}; background: {t.raised};
    }}
    QLineEdit[invalid="true"] {{ border-color: {t.error}; }}
    QLineEdit[kind="bare"], QPlainTextEdit[kind="bare"], QTextEdit[kind="bare"], QTextBrowser {{
        background: transparent; border: none; padding: 0; border-radius: 0;
    }}
    QSpinBox::up-button, QDoubleSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::down-button {{
        background: transparent; border: none; width: 22px; subcontrol-origin: border;
    }}
    QSpinBox::up-button, QDoubleSpinBox::up-button {{ subcontrol-position: top right; top: 3px; right: 3px; }}
    QSpinBox::down-button, QDoubleSpinBox::down-button {{ subcontrol-position: bottom right; bottom: 3px; right: 3px; }}
    QSpinBox::up-arrow, QDoubleSpinBox::up-arrow {{ image: {_image("chevron-up.svg")}; width: 12px; height: 12px; }}
    QSpinBox::down-arrow, QDoubleSpinBox::down-arrow {{
        image: {_image("chevron-down.svg")}; width: 12px; height: 12px;
    }}
    QSpinBox::up-button:hover, QDoubleSpinBox::up-button:hover, QSpinBox::down-button:hover,
    QDoubleSpinBox::down-button:hover {{ background: {_wash(t.text, 16)}; border-radius: 4px; }}
    QComboBox {{ combobox-popup: 0; }}
    QComboBox::drop-down {{ border: none; width: 26px; }}
    QComboBox::down-arrow {{ image: {_image("chevron-down.svg")}; width: 12px; height: 12px; }}
    QSlider {{ min-height: 22px; }}
    QSlider::groove:horizontal {{ height: 4px; background: {t.track}; border-radius: 2px; }}
    QSlider::sub-page:horizontal {{ height: 4px; background: {t.accent}; border-radius: 2px; }}
    QSlider::handle:horizontal {{
        background: {t.ground}; border: 2px solid {t.accent}; border-radius: 8px;
        width: 12px; height: 12px; margin: -6px 0;
    }}
    QSlider::handle:horizontal:hover {{ background: {t.accent_soft}; }}
    QSlider[keyboard="true"]::handle:horizontal:focus, QSlider::handle:horizontal:pressed {{ background: {t.accent}; }}
    QSlider::sub-page:horizontal:disabled {{ background: {t.idle}; }}
    QSlider::handle:horizontal:disabled {{ border-color: {t.idle}; }}
    """


def _choices(t: Theme) -> str:
    return f"""
    QCheckBox {{ spacing: 8px; font-size: {BODY - 1}px; background: transparent; }}
    QCheckBox::indicator {{
        width: 16px; height: 16px; border: 1px solid {t.idle}; border-radius: 5px; background: {t.ground};
    }}
    QCheckBox::indicator:hover {{ border-color: {t.accent}; }}
    QCheckBox::indicator:focus {{ border: 2px solid {t.accent}; width: 14px; height: 14px; }}
    QCheckBox::indicator:checked {{
        background: {t.accent}; border-color: {t.accent}; image: {_image(f"check-{t.name}.svg")};
    }}
    QCheckBox::indicator:disabled {{ border-color: {t.line}; background: {t.raised}; }}
    QCheckBox:disabled {{ color: {t.idle}; }}
    QProgressBar {{
        background: {t.track}; border: none; border-radius: 3px; min-height: 6px; max-height: 6px; color: transparent;
    }}
    QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
    """


def _lists(t: Theme) -> str:
    wash = _wash(t.text, 14)
    return f"""
    QListView {{ background: {t.ground}; border: 1px solid {t.line}; outline: none; font-size: {BODY - 1}px; }}
    QWidget QListView {{ background: transparent; border: none; }} /* above: a window of its own, of a completer */
    QListView::item {{ padding: 8px 12px; border-radius: 8px; border: 2px solid transparent; }}
    QListView::item:hover {{ background: {wash}; }}
    QListView::item:selected {{ background: {t.accent_soft}; color: {t.text}; font-weight: 600; }}
    QListView::item:focus {{ border-color: {t.accent}; }}
    QComboBox QAbstractItemView::item {{ padding: 4px 8px; border: none; font-weight: normal; }}
    QComboBox QAbstractItemView::item:disabled {{ color: {t.idle}; }}
    QComboBox QAbstractItemView {{
        background: {t.ground}; border: 1px solid {t.line}; border-radius: 8px; padding: 4px; outline: none;
        selection-background-color: {t.accent_soft}; selection-color: {t.text};
    }}
    QMenu {{ background: {t.ground}; border: 1px solid {t.line}; padding: 4px; font-size: {BODY - 1}px; }}
    QMenu::item {{ padding: 7px 28px 7px 12px; border-radius: 6px; margin: 1px 0; }}
    QMenu::item:selected {{ background: {t.accent_soft}; color: {t.text}; }}
    QMenu::item:disabled {{ color: {t.idle}; }}
    QMenu::icon {{ padding-left: 8px; }}
    QMenu::indicator {{ width: 14px; height: 14px; left: 6px; }}
    QMenu::indicator:checked {{ image: {_image("check-menu.svg")}; }}
    QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}
    """


def _bars(t: Theme) -> str:
    quiet, hover = _wash(t.text, 40), _wash(t.text, 90)
    return f"""
    QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
    QScrollBar::handle {{ background: {quiet}; border-radius: 3px; margin: 2px; }}
    QScrollBar::handle:vertical {{ min-height: 32px; }}
    QScrollBar::handle:horizontal {{ min-width: 32px; }}
    QScrollBar::handle:hover, QScrollBar::handle:pressed {{ background: {hover}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QAbstractScrollArea::corner {{ background: transparent; }}
    """


def _wash(colour: str, alpha: int) -> str:
    """A see-through tint, alpha of 255, that works over any ground."""
    red, green, blue = _channels(colour)
    return f"rgba({red}, {green}, {blue}, {alpha})"

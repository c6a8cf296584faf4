"""The interface's language: every text a person sees in the window goes through `tr`.

Texts are English in the code; `packaging/translations.py` collects them, and assets/translations holds the Chinese.
"""

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

import assets

Language = Literal["en", "zh"]
CONTEXT = "Foreword"
FILE = Path(assets.__file__).parent / "translations" / "foreword_zh_CN.qm"


def tr(text: str) -> str:
    """`text` in the interface's language. Numbers and names are filled in afterwards: tr("{n} chats").format(n=3)."""
    return QCoreApplication.translate(CONTEXT, text)


def mark(text: str) -> str:
    """`text` as it is, to be collected for translation here and passed through `tr` where it is shown."""
    return text


def sentences(*texts: str) -> str:
    """One after the other: with a space, but after a Chinese full stop."""
    whole = ""
    for text in texts:
        whole += text if not whole or whole.endswith("。") else f" {text}"
    return whole


def listed(names: Iterable[str]) -> str:
    """One beside the other, as the language separates them."""
    return tr(", ").join(names)


def clauses(parts: Iterable[str]) -> str:
    """Parts of one sentence, as the language separates them."""
    return reduce(lambda sentence, more: tr("{sentence}, {more}").format(sentence=sentence, more=more), parts)


def chinese(text: str) -> str:
    """`text` in Chinese whatever the interface speaks (settings are found in both), or "" where there is none."""
    return _chinese_texts().translate(CONTEXT, text) or ""


def language_of(choice: str, system: Sequence[str]) -> Language:
    """What the setting (system, en or zh) means where `system` are the person's languages, the best first."""
    if choice == "system":
        first = system[0] if system else ""
        return "zh" if first.lower().startswith("zh") else "en"
    return "zh" if choice == "zh" else "en"


def spoken(choice: str) -> Language:
    """What the setting means on this machine."""
    return language_of(choice, QLocale.system().uiLanguages())


class Interface:
    """The language the window is made in. A window is made whole in one language: it changes when it is made again."""

    def __init__(self, application: QCoreApplication) -> None:
        self._application = application
        self._translators: list[QTranslator] = []
        self.language: Language = "en"

    def speak(self, choice: str) -> None:
        """Take the language of the setting for all that is made from now on."""
        for translator in self._translators:
            self._application.removeTranslator(translator)
        self._translators.clear()
        self.language = spoken(choice)
        locale = QLocale("zh_CN") if self.language == "zh" else QLocale(QLocale.Language.English)
        QLocale.setDefault(QLocale.system() if spoken("system") == self.language else locale)
        if self.language == "zh":
            words = QTranslator()  # of Qt's own dialogs and menus
            folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
            for translator, found in ((words, words.load("qtbase_zh_CN", folder)), (_chinese_texts(), True)):
                if found:
                    self._application.installTranslator(translator)
                    self._translators.append(translator)


@cache
def _chinese_texts() -> QTranslator:
    translator = QTranslator()
    translator.load(str(FILE))
    return translator

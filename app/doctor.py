"""`foreword doctor`, with what only the window needs added to what the engine needs."""

import os
import sys
from collections.abc import Sequence
from typing import Any

from inference import doctor
from inference.doctor.examination import CHECKS, Check
from inference.doctor.finding import Finding
from inference.doctor.probe import ProbeError, probe
from inference.doctor.probes import PROBES
from inference.doctor.remedies import after, install_libraries

CHINESE_REMEDY = (
    "Install fonts-noto-cjk (Debian, Ubuntu), google-noto-sans-cjk-fonts (Fedora) or noto-fonts-cjk (Arch)."
)


def main(arguments: Sequence[str]) -> int:
    return doctor.main(arguments, ALL_CHECKS)


def font_facts() -> dict[str, Any]:
    """Answered in a process of its own: Qt's version, and how many fonts there are, Chinese ones apart."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import qVersion
    from PySide6.QtGui import QFontDatabase, QGuiApplication

    application = QGuiApplication(sys.argv[:1])
    chinese = QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese)
    answer = {"qt": qVersion(), "fonts": len(QFontDatabase.families()), "chinese": chinese[:3]}
    application.shutdown()
    return answer


def check_window() -> Finding:
    """Qt can be loaded, and there are fonts for both languages of the window."""
    title = "Window and fonts"
    try:
        facts = probe("fonts", module="app.doctor")
    except ProbeError as error:
        text = f"Qt cannot be loaded: {error}."
        remedy = after(error)
        if "cannot open shared object" in text:
            remedy = install_libraries()
        return Finding("window", title, "bad", text, remedy)
    details = (("Qt", str(facts["qt"])), ("fonts", str(facts["fonts"])))
    if not facts["fonts"]:
        text = f"Qt {facts['qt']} finds no fonts: the window would show boxes."
        return Finding("window", title, "bad", text, "Install fonts, for example fonts-noto-core.", details)
    if not facts["chinese"]:
        text = f"Qt {facts['qt']}. There is no font with Chinese characters."
        return Finding("window", title, "warning", text, CHINESE_REMEDY, details)
    return Finding("window", title, "good", f"Qt {facts['qt']}; Chinese in {facts['chinese'][0]}.", facts=details)


PROBES["fonts"] = font_facts
ALL_CHECKS: tuple[Check, ...] = (*CHECKS, Check("window", "Window and fonts", check_window))

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

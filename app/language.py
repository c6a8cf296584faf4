"""The interface's language: every text a person sees in the window goes through `tr`."""

from PySide6.QtCore import QCoreApplication

CONTEXT = "Foreword"


def tr(text: str) -> str:
    """`text` in the interface's language. Numbers and names are filled in afterwards: tr("{n} chats").format(n=3)."""
    return QCoreApplication.translate(CONTEXT, text)

"""What the launcher says where no Python fits, so that it is seen. Like launch.py it runs on older Pythons."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

# What a Linux desktop may have for a sentence, where Python came without Tk. The text comes last.
DIALOGS = (("zenity", "--error", "--no-markup", "--text"), ("kdialog", "--error"), ("xmessage", "-center"))


def refuse(text: str, from_an_icon: bool) -> None:
    """On the terminal; after a start from an icon there may be none, and a window has to do."""
    if sys.stdout is not None:
        print(text)
    if from_an_icon and not (sys.stderr is not None and sys.stderr.isatty()):
        show(text)


def show(text: str) -> None:
    """In Windows' own box, Tk's, or the desktop's."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, text, "Foreword", 0x10)  # MB_ICONERROR
    elif not _with_tk(text):
        for name, *options in DIALOGS:
            if os.environ.get("DISPLAY") and shutil.which(name):
                subprocess.call([name, *options, text])
                return


def _with_tk(text: str) -> bool:
    try:
        import tkinter
        from tkinter import messagebox
    except ImportError:
        return False
    try:
        root = tkinter.Tk()
    except tkinter.TclError:  # no screen
        return False
    root.withdraw()
    messagebox.showerror("Foreword", text, parent=root)
    root.destroy()
    return True

"""The small window of a first start, a process of its own: it hears lines of JSON and is never kept waiting.

    python setup_window.py LOG      says "ready" once it is on the screen; ends without that where there is no Tk

It hears {"say": a line that stays}, {"show": what is going on}, {"fail": what stands in the way, "heading": what
failed}. When the lines end it closes, after a failure once the person has read it. Closed by the person, it ends, and
whoever speaks to it notices.
"""

import json
import queue
import re
import sys
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from words import tr

if TYPE_CHECKING:
    import tkinter as tk

ICON = Path(__file__).resolve().parent.parent / "assets" / "icons" / "foreword-64.png"
TICK_MS, WIDTH = 60, 540
MOST_OF_THE_LOG = 20_000  # characters
GROUND, TEXT, MUTED, ACCENT, TRACK, ERROR = "#ffffff", "#1a1c22", "#5f6573", "#225fe8", "#e2e5ea", "#b42318"
EDGE, HOVER = "#c9ced8", "#f6f7f9"


@dataclass(frozen=True)
class Progress:
    """What the window shows."""

    said: str = ""  # the first line: how much there is to fetch
    step: str = ""
    detail: str = ""
    fraction: float | None = None  # of a download; None: not known
    failure: str = ""
    heading: str = ""  # of the failure

    @property
    def headline(self) -> str:
        return self.heading or tr("Getting Foreword ready")

    def after(self, message: dict[str, str]) -> "Progress":
        if "fail" in message:
            return replace(self, failure=message["fail"], heading=message["heading"], detail="")
        if "say" in message:
            line = message["say"].strip()
            if step := re.match(r"(\d+)/(\d+)\s+(.*)", line):
                text = tr("Step {number} of {count}: {text}").format(number=step[1], count=step[2], text=step[3])
                return replace(self, step=text, detail="", fraction=None)
            return replace(self, detail=line) if self.step else replace(self, said=line)
        detail = message.get("show", "").strip()
        amount = re.search(r"(\d+) (?:of|/) (\d+) MB", detail)
        fraction = int(amount[1]) / max(int(amount[2]), 1) if amount else None
        return replace(self, detail=detail, fraction=fraction)


class Window:
    """Raises tkinter.TclError where there is no screen."""

    def __init__(self, log: Path) -> None:
        import tkinter as tk
        from tkinter import ttk

        self._log, self._read, self._heard = log, 0, queue.SimpleQueue[dict[str, str] | None]()
        self._progress, self._moving = Progress(), False
        self._root = root = tk.Tk(className="Foreword")
        root.title("Foreword")
        root.configure(background=GROUND, padx=28, pady=22)
        root.resizable(width=False, height=False)
        root.grid_columnconfigure(1, minsize=WIDTH - 84)  # the icon takes the rest
        style = ttk.Style(root)
        style.theme_use("clam")
        style.configure("TProgressbar", background=ACCENT, troughcolor=TRACK, bordercolor=TRACK, thickness=8)
        style.configure("TButton", background=GROUND, foreground=TEXT, padding=(14, 5))
        style.configure("TButton", bordercolor=EDGE, lightcolor=GROUND, darkcolor=GROUND, focuscolor=ACCENT)
        style.map("TButton", background=[("pressed", TRACK), ("active", HOVER)], bordercolor=[("focus", ACCENT)])
        if ICON.exists():
            self._icon = tk.PhotoImage(master=root, file=str(ICON))
            root.iconphoto(True, self._icon)
            tk.Label(root, image=self._icon, background=GROUND).grid(row=0, column=0, rowspan=2, padx=(0, 20))
        self._headline = self._label(row=0, size=15, colour=TEXT)
        self._said = self._label(row=1, size=10, colour=MUTED)
        self._step = self._label(row=2, size=11, colour=TEXT, above=16)
        self._bar = ttk.Progressbar(root, length=WIDTH, maximum=1000)
        self._bar.grid(row=3, column=0, columnspan=2, sticky="ew", pady=8)
        self._detail = self._label(row=4, size=10, colour=MUTED)
        self._details = self._text(row=5)
        buttons = tk.Frame(root, background=GROUND)
        buttons.grid(row=6, column=0, columnspan=2, sticky="e", pady=(16, 0))
        self._show_log = ttk.Button(buttons, text=tr("Details"), command=self._toggle_log)
        self._show_log.pack(side="left", padx=(0, 8))
        self._close = ttk.Button(buttons, text=tr("Stop"), command=root.destroy)
        self._close.pack(side="left")
        self._show(self._progress)

    def run(self) -> None:
        """Until the lines end or the person closes it."""
        threading.Thread(target=self._listen, daemon=True).start()
        self._root.eval("tk::PlaceWindow . center")  # some window managers leave it in a corner
        self._root.update()
        print("ready", flush=True)
        self._root.after(TICK_MS, self._tick)
        self._root.mainloop()

    def _listen(self) -> None:
        for line in sys.stdin:
            self._heard.put(json.loads(line))
        self._heard.put(None)

    def _tick(self) -> None:
        while not self._heard.empty():
            message = self._heard.get()
            if message is None and not self._progress.failure:
                self._root.destroy()
                return
            if message is not None:
                self._progress = self._progress.after(message)
                self._show(self._progress)
        self._follow_log()
        self._root.after(TICK_MS, self._tick)

    def _show(self, progress: Progress) -> None:
        self._headline.configure(text=progress.headline, foreground=ERROR if progress.failure else TEXT)
        self._said.configure(text="" if progress.failure else progress.said)
        self._step.configure(text=progress.failure or progress.step)
        self._detail.configure(text=progress.detail)
        if progress.failure:
            self._close.configure(text=tr("Close"))
            self._bar.grid_remove()
            return
        moving = progress.fraction is None
        if moving != self._moving:
            self._moving = moving
            self._bar.configure(mode="indeterminate" if moving else "determinate")
            if moving:
                self._bar.start(20)
            else:
                self._bar.stop()
        if progress.fraction is not None:
            self._bar.configure(value=1000 * progress.fraction)

    def _toggle_log(self) -> None:
        if self._details.winfo_ismapped():
            self._details.grid_remove()
        else:
            self._details.grid()

    def _follow_log(self) -> None:
        try:
            with self._log.open(encoding="utf-8", errors="replace") as file:
                file.seek(self._read)
                new = file.read()
                self._read = file.tell()
        except OSError:  # not begun yet
            return
        if new:
            self._details.configure(state="normal")
            self._details.insert("end", new[-MOST_OF_THE_LOG:])
            self._details.see("end")
            self._details.configure(state="disabled")

    def _label(self, row: int, size: int, colour: str, above: int = 0) -> "tk.Label":
        import tkinter as tk

        label = tk.Label(self._root, background=GROUND, foreground=colour, anchor="w", justify="left")
        beside = row < 2  # the icon
        label.configure(font=("TkDefaultFont", size), wraplength=WIDTH - 84 * beside)
        label.grid(row=row, column=int(beside), columnspan=2 - beside, sticky="w", pady=(above, 0))
        return label

    def _text(self, row: int) -> "tk.Text":
        import tkinter as tk

        text = tk.Text(self._root, height=12, width=72, font=("TkFixedFont", 9), foreground=MUTED, state="disabled")
        text.configure(relief="flat", background=HOVER, padx=8, pady=8, highlightthickness=0)
        text.grid(row=row, column=0, columnspan=2, sticky="ew", pady=(12, 0))
        text.grid_remove()
        return text


def main() -> int:
    try:
        from tkinter import TclError
    except ImportError:
        return 1
    try:
        window = Window(Path(sys.argv[1]))
    except TclError:
        return 1
    window.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())

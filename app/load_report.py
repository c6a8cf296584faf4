"""What a person reads while a model is fetched and loaded."""

from collections import deque

from app.language import clauses, tr
from app.views import figures
from inference.events import LoadProgress

WINDOW_S = 4.0  # the speed is that of the last seconds
MEGA = 1_000_000
TIMED = ("download", "convert", "pack", "move", "copy")  # what may take minutes: with the time left


class LoadReport:
    """One line for each step of loading, with the speed and the time left of what takes long."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()
        self._stage = ""

    def line(self, step: LoadProgress, now: float) -> str:
        """`now` in seconds, from any steady clock."""
        if step.stage != self._stage:
            self._samples.clear()
            self._stage = step.stage
        self._samples.append((now, step.done))
        while now - self._samples[0][0] > WINDOW_S:
            self._samples.popleft()
        parts = [part for part in (_what(step), _amount(step)) if part]
        speed = self._speed()
        if step.stage == "download" and self._stalled(now):
            parts.append(tr("nothing comes just now"))
        if step.stage in TIMED and speed > 0:
            if step.stage == "download":
                parts.append(tr("{speed}/s").format(speed=megabytes(speed)))
            if step.total > step.done:
                parts.append(tr("{time} left").format(time=figures.duration((step.total - step.done) / speed)))
        return clauses(parts)

    def _stalled(self, now: float) -> bool:
        began, first = self._samples[0]
        return now - began > WINDOW_S / 2 and self._samples[-1][1] == first

    def _speed(self) -> float:
        (began, first), (now, last) = self._samples[0], self._samples[-1]
        return (last - first) / (now - began) if now > began else 0.0


def megabytes(count: float) -> str:
    if count >= 1000 * MEGA:
        return f"{count / (1000 * MEGA):.1f} GB"
    return f"{count / MEGA:.0f} MB" if count >= 10 * MEGA else f"{count / MEGA:.1f} MB"


def _what(step: LoadProgress) -> str:
    what = {
        "libraries": tr("Loading libraries…"),
        "download": tr("Downloading {name}"),
        "convert": tr("Converting {name}, once"),
        "pack": tr("Packing the weights of {name}, once"),
        "move": tr("Moving {name}"),
        "copy": tr("Copying {name}"),
        "weights": tr("Loading {name}"),
        "tokenizer": tr("Reading the vocabulary of {name}"),
        "prepare": tr("Warming up {name}"),
    }[step.stage]
    return what.format(name=step.detail or tr("the model"))


def _amount(step: LoadProgress) -> str:
    if step.total <= 0:
        return ""
    done, total = megabytes(step.done), megabytes(step.total)
    if done[-2:] == total[-2:]:
        done = done[:-3]
    return tr("{done} of {total}").format(done=done, total=total)

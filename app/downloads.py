"""Models that are being fetched beside everything else: shown in strips of the window, and gone on with at the next
start where the end of the program cut them off."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from threading import Event
from time import monotonic
from typing import Literal

from PySide6.QtCore import QObject, QSettings, Signal

from app.errands import Errand, Errands
from app.error_texts import told
from app.language import tr
from app.load_report import LoadReport
from app.views.banner import Action, Banners
from app.views.model_row import Fetching
from inference.errors import HubError, UserError
from inference.events import LoadProgress
from inference.manager.download import DownloadCancelled
from inference.manager.hub_search import HubModel, is_repository
from inference.manager.spec import Spec
from inference.manager.store import Store

UNFINISHED = "models/unfinished"  # identifiers of the catalogue and repositories of the hub, one a line
PAUSED = "models/paused"  # likewise, each with the bytes that are here and all bytes
SHOWN_EVERY_S = 0.25  # more often nobody can read, and a reply may be streaming


class Downloads(QObject):
    """`fetching` is what the page of models shows. Loading a model that has arrived is the person's wish."""

    changed = Signal()  # `fetching` did
    begun = Signal(object)  # the Spec: one more in `specs`
    arrived = Signal(object)  # the Spec
    load_wanted = Signal(str)  # the identifier of a model that has arrived
    page_wanted = Signal()
    hub_wanted = Signal()  # the person wants to name another address, or a token

    def __init__(self, banners: Banners, errands: Errands, state: QSettings) -> None:
        super().__init__()
        self._banners, self._errands, self._state = banners, errands, state
        self._errands_of: dict[str, Errand] = {}
        self._newest: dict[str, LoadProgress] = {}
        self._put_away: set[str] = set()  # strips that the person closed
        self._closed = False
        self.fetching: dict[str, Fetching] = {}
        self.specs: dict[str, Spec] = {}  # of those
        banners.left.connect(self._put_away.add)

    @property
    def running(self) -> bool:
        return bool(self._errands_of)

    def beside(self, found: Sequence[HubModel]) -> list[HubModel]:
        """What was found on the hub, and what is being fetched from there."""
        known = {model.repository for model in found}
        names = [spec.name for spec in self.specs.values() if is_repository(spec.name) and spec.name not in known]
        return [*found, *map(HubModel, names)]

    def close(self) -> None:
        """What is under way stays noted."""
        self._closed = True

    def go_on(self, spec_of: Callable[[str], Spec | None]) -> None:
        """With what the last end of the program cut off; what was paused before waits."""

        def found(noted: str) -> Spec | None:
            return HubModel(noted).spec if is_repository(noted) else spec_of(noted)

        for noted, step in self._paused().items():
            if (spec := found(noted)) is not None:
                self._newest[spec.identifier] = step
                self._put_away.add(_strip(spec.identifier))  # the page of models shows it
                self._show_paused(spec)
        for noted in self._unfinished():
            if (spec := found(noted)) is not None:
                self.begin(spec)

    def begin(self, spec: Spec) -> None:
        """Or go on with what was paused."""
        identifier = spec.identifier
        if identifier in self._errands_of or self._closed:
            return
        self._put_away.discard(_strip(identifier))
        self._note(spec, "begun")
        report, shown = LoadReport(), -SHOWN_EVERY_S

        def progress(step: LoadProgress | Spec) -> None:
            nonlocal shown
            now = monotonic()
            if isinstance(step, LoadProgress):
                self._newest[identifier] = step
            if isinstance(step, LoadProgress) and now - shown >= SHOWN_EVERY_S:
                shown = now
                self._show(spec, Fetching(report.line(step, now), self._fraction(identifier)))

        self._show(spec, Fetching(tr("Asking for {name}…").format(name=spec.name), self._fraction(identifier)))
        self.begun.emit(spec)
        errand = self._errands.start(
            f"download {spec.name}", partial(_fetch, spec), lambda _: self._arrive(spec), partial(self._stop, spec)
        )
        errand.progressed.connect(progress)
        self._errands_of[identifier] = errand

    def pause(self, identifier: str) -> None:
        if identifier in self._errands_of:
            self._errands_of[identifier].cancel()

    def give_up(self, spec: Spec) -> Errand | None:
        """Gives what may still be writing, so that what has come can be deleted after it."""
        self.pause(spec.identifier)
        self._forget(spec)
        self._banners.close_banner(_strip(spec.identifier))
        self.changed.emit()
        return self._errands_of.get(spec.identifier)

    def _show(self, spec: Spec, fetching: Fetching) -> None:
        self.fetching[spec.identifier], self.specs[spec.identifier] = fetching, spec
        self._show_strip(spec, fetching)
        self.changed.emit()

    def _show_strip(self, spec: Spec, fetching: Fetching) -> None:
        strip = _strip(spec.identifier)
        if strip in self._put_away:
            return
        change = Action(tr("Pause"), partial(self.pause, spec.identifier))
        if fetching.paused:
            change = Action(tr("Resume"), partial(self.begin, spec))
        actions = [change, Action(tr("Models…"), self.page_wanted.emit, asks=True)]
        self._banners.show_banner(strip, fetching.line, actions=actions, fraction=fetching.fraction or 0.0)

    def _arrive(self, spec: Spec) -> None:
        self._errands_of.pop(spec.identifier, None)
        self._forget(spec)
        load = Action(tr("Load it"), partial(self.load_wanted.emit, spec.identifier))
        text = tr("{name} is here. Load it to chat with it.").format(name=spec.name)
        strip = _strip(spec.identifier)
        self._banners.close_banner(strip)
        self._banners.show_banner(strip, text, tone="good", actions=[load])
        self.changed.emit()
        self.arrived.emit(spec)

    def _stop(self, spec: Spec, error: UserError) -> None:
        identifier = spec.identifier
        self._errands_of.pop(identifier, None)
        if identifier not in self.fetching:  # it was given up
            return
        self._note(spec, "paused")
        if isinstance(error, DownloadCancelled):
            self._show_paused(spec)
            return
        line, fraction = told(error), self._fraction(identifier) or 0.0
        hub = isinstance(error, HubError)
        self.fetching[identifier] = Fetching(line, fraction, paused=True, failed=True, hub=hub)
        self._show_failure(spec, line, hub)
        self.changed.emit()

    def _show_paused(self, spec: Spec) -> None:
        step = self._newest.get(spec.identifier, LoadProgress("download", detail=spec.name))
        line = tr("Paused. {line}").format(line=LoadReport().line(step, 0.0))
        self._show(spec, Fetching(line, self._fraction(spec.identifier) or 0.0, paused=True))

    def _fraction(self, identifier: str) -> float | None:
        step = self._newest.get(identifier)
        return step.done / step.total if step is not None and step.total else None

    def _show_failure(self, spec: Spec, line: str, hub: bool) -> None:
        actions = [Action(tr("Try again"), partial(self.begin, spec))]
        if hub:
            actions.insert(0, Action(tr("Model hub…"), self.hub_wanted.emit, asks=True))
        strip = _strip(spec.identifier)
        self._banners.close_banner(strip)
        self._banners.show_banner(strip, line, tone="error", actions=actions)

    def _forget(self, spec: Spec) -> None:
        for known in (self.fetching, self.specs, self._newest):
            known.pop(spec.identifier, None)
        self._note(spec, "ended")

    def _unfinished(self) -> list[str]:
        return str(self._state.value(UNFINISHED) or "").split()

    def _paused(self) -> dict[str, LoadProgress]:
        lines = (line.split() for line in str(self._state.value(PAUSED) or "").splitlines())
        figures = {line[0]: line[1:] for line in lines if len(line) == 3 and line[1].isdigit() and line[2].isdigit()}
        return {
            noted: LoadProgress("download", int(done), int(total), noted) for noted, (done, total) in figures.items()
        }

    def _note(self, spec: Spec, now: Literal["begun", "paused", "ended"]) -> None:
        noted = spec.name if is_repository(spec.name) else spec.identifier
        begun = [one for one in self._unfinished() if one != noted]
        paused = {one: step for one, step in self._paused().items() if one != noted}
        if now == "begun":
            begun.append(noted)
        elif now == "paused":
            paused[noted] = self._newest.get(spec.identifier, LoadProgress("download"))
        self._state.setValue(UNFINISHED, "\n".join(begun))
        self._state.setValue(PAUSED, "\n".join(f"{one} {step.done} {step.total}" for one, step in paused.items()))


def _strip(identifier: str) -> str:
    return f"download {identifier}"


def _fetch(spec: Spec, cancel: Event) -> Iterator[LoadProgress | Spec]:
    yield (yield from Store().fetch(spec, cancel))

"""Models that are being fetched beside everything else: shown in strips of the window, and gone on with at the next
start where the end of the program cut them off."""

from collections.abc import Callable, Iterator
from functools import partial
from threading import Event
from time import monotonic

from PySide6.QtCore import QObject, QSettings, Signal

from app.errands import Errand, Errands
from app.error_texts import told
from app.language import tr
from app.load_report import LoadReport
from app.views.banner import Action, Banners
from app.views.model_row import Fetching
from inference.errors import UserError
from inference.events import LoadProgress
from inference.manager.download import DownloadCancelled
from inference.manager.hub_search import HubModel, is_repository
from inference.manager.spec import Spec
from inference.manager.store import Store

UNFINISHED = "models/unfinished"  # identifiers of the catalogue and repositories of the hub, one a line
SHOWN_EVERY_S = 0.25  # more often nobody can read, and a reply may be streaming


class Downloads(QObject):
    """`fetching` is what the page of models shows. Loading a model that has arrived is the person's wish."""

    changed = Signal()  # `fetching` did
    arrived = Signal(object)  # the Spec
    load_wanted = Signal(str)  # the identifier of a model that has arrived
    page_wanted = Signal()
    hub_wanted = Signal()  # the person wants to name another address, or a token

    def __init__(self, banners: Banners, errands: Errands, state: QSettings) -> None:
        super().__init__()
        self._banners, self._errands, self._state = banners, errands, state
        self._errands_of: dict[str, Errand] = {}
        self._put_away: set[str] = set()  # strips that the person closed
        self._closed = False
        self.fetching: dict[str, Fetching] = {}
        banners.left.connect(self._put_away.add)

    @property
    def running(self) -> bool:
        return bool(self._errands_of)

    def close(self) -> None:
        """What is under way stays noted."""
        self._closed = True

    def go_on(self, spec_of: Callable[[str], Spec | None]) -> None:
        """With what the last end of the program cut off."""
        for noted in self._unfinished():
            spec = HubModel(noted).spec if is_repository(noted) else spec_of(noted)
            if spec is not None:
                self.begin(spec)

    def begin(self, spec: Spec) -> None:
        """Or go on with what was paused."""
        identifier = spec.identifier
        if identifier in self._errands_of or self._closed:
            return
        self._put_away.discard(_strip(identifier))
        self._note(spec, unfinished=True)
        report, shown = LoadReport(), -SHOWN_EVERY_S

        def progress(step: LoadProgress | Spec) -> None:
            nonlocal shown
            now = monotonic()
            if isinstance(step, LoadProgress) and now - shown >= SHOWN_EVERY_S:
                shown = now
                fraction = step.done / step.total if step.total else None
                line = report.line(step, now)
                self._show(spec, Fetching(line, fraction))

        self._show(spec, Fetching(tr("Asking for {name}…").format(name=spec.name)))
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
        self.fetching.pop(spec.identifier, None)
        self._note(spec, unfinished=False)
        self._banners.close_banner(_strip(spec.identifier))
        self.changed.emit()
        return self._errands_of.get(spec.identifier)

    def _show(self, spec: Spec, fetching: Fetching) -> None:
        self.fetching[spec.identifier] = fetching
        self._show_strip(spec, fetching)
        self.changed.emit()

    def _show_strip(self, spec: Spec, fetching: Fetching) -> None:
        strip = _strip(spec.identifier)
        if strip in self._put_away:
            return
        change = Action(tr("Pause"), partial(self.pause, spec.identifier))
        if fetching.paused:
            change = Action(tr("Resume"), partial(self.begin, spec))
        actions = [change, Action(tr("Models…"), self.page_wanted.emit)]
        self._banners.show_banner(strip, fetching.line, actions=actions, fraction=fetching.fraction or 0.0)

    def _arrive(self, spec: Spec) -> None:
        self._end(spec)
        self.fetching.pop(spec.identifier, None)
        load = Action(tr("Load it"), partial(self.load_wanted.emit, spec.identifier))
        text = tr("{name} is here. Load it to chat with it.").format(name=spec.name)
        strip = _strip(spec.identifier)
        self._banners.close_banner(strip)
        self._banners.show_banner(strip, text, tone="good", actions=[load])
        self.changed.emit()
        self.arrived.emit(spec)

    def _stop(self, spec: Spec, error: UserError) -> None:
        self._end(spec)
        before = self.fetching.get(spec.identifier)
        if before is None:  # it was given up
            return
        paused = isinstance(error, DownloadCancelled)
        line = tr("Paused. {line}").format(line=before.line) if paused else told(error)
        stopped = Fetching(line, before.fraction or 0.0, paused=True)
        if paused:
            self._show(spec, stopped)
            return
        self.fetching[spec.identifier] = stopped
        self._show_failure(spec, line)
        self.changed.emit()

    def _show_failure(self, spec: Spec, line: str) -> None:
        actions = [Action(tr("Try again"), partial(self.begin, spec))]
        if any(source.kind == "hub" for source in spec.sources):  # where it is out of reach, a mirror may not be
            actions.insert(0, Action(tr("Model hub…"), partial(self._ask_for_hub, spec, line)))
        strip = _strip(spec.identifier)
        self._banners.close_banner(strip)
        self._banners.show_banner(strip, line, tone="error", actions=actions)

    def _ask_for_hub(self, spec: Spec, line: str) -> None:
        self._show_failure(spec, line)  # to be tried again afterwards
        self.hub_wanted.emit()

    def _end(self, spec: Spec) -> None:
        self._errands_of.pop(spec.identifier, None)
        self._note(spec, unfinished=False)

    def _unfinished(self) -> list[str]:
        return str(self._state.value(UNFINISHED) or "").split()

    def _note(self, spec: Spec, *, unfinished: bool) -> None:
        noted = spec.name if is_repository(spec.name) else spec.identifier
        kept = [one for one in self._unfinished() if one != noted]
        self._state.setValue(UNFINISHED, "\n".join([*kept, noted] if unfinished else kept))


def _strip(identifier: str) -> str:
    return f"download {identifier}"


def _fetch(spec: Spec, cancel: Event) -> Iterator[LoadProgress | Spec]:
    yield (yield from Store().fetch(spec, cancel))

"""The one thread that owns the engine. It takes jobs, runs each as a generator, and posts what the generator says."""

import logging
import queue
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from app.mailbox import Mailbox
from inference.chat_engine import ChatEngine, LoadedModel, PassCosts
from inference.errors import Cancelled, HubError, UserError
from inference.events import Event, Failed, LoadProgress
from inference.ladder import StepKind
from inference.loading import LoadCancelledError
from inference.manager.catalogue import Catalogue
from inference.manager.spec import Spec
from inference.messages import Message
from inference.profiles import Past, Profile, Routes
from inference.settings import GenerationSettings, LoadSettings
from inference.tasks import Task
from inference.trials import Trial, TrialLetter, run_trials

log = logging.getLogger(__name__)

SWITCH_S = 0.0005  # between two rounds the engine must not wait 5 ms, as is usual, for a thread that draws
APOLOGY = "Something went wrong inside Foreword."
APOLOGY_REMEDY = "The log has the details."
DEATH = "The part of Foreword that runs the model has ended unexpectedly."
DEATH_REMEDY = "Your chats are intact. Load the model again."


class ModelStore(Protocol):
    """What `inference.manager.store.Store` is to the worker."""

    def open(self, path: Path, cancel: threading.Event) -> Generator[LoadProgress, None, Spec]:
        """A folder or a GGUF file (converted once) as a model. Raises UserError when it is none."""
        ...

    def fetch(self, spec: Spec, cancel: threading.Event) -> Generator[LoadProgress, None, Spec]:
        """Bring `spec` to the disk and return it with its folder. Raises UserError."""
        ...


@dataclass(frozen=True)
class Loaded:
    model: LoadedModel


@dataclass(frozen=True)
class Counted:
    """The tokens of each text that was asked about."""

    tokens: tuple[int, ...]


@dataclass(frozen=True)
class Unloaded:
    """Target and draft are gone; perhaps a new target is on its way."""


@dataclass(frozen=True)
class Kept:
    """The new target cannot be had, and what was loaded before can still be talked to. Failed follows."""

    model: LoadedModel
    draft: LoadedModel | None


@dataclass(frozen=True)
class DraftLoaded:
    """A draft for the present target; None after it was dropped."""

    draft: LoadedModel | None


@dataclass(frozen=True)
class Learned:
    """What there is to draft from of past chats; None while nothing is."""

    past: Past | None


@dataclass(frozen=True)
class RoutesTold:
    """What was measured and decided for the present target; None without one."""

    routes: Routes | None


@dataclass(frozen=True)
class CostsTold:
    """What a pass of the present target costs; None without one."""

    costs: PassCosts | None


@dataclass(frozen=True)
class Died:
    """The thread has ended, and with it what was loaded; every run has failed. The next request starts another."""


Loading = LoadProgress | Unloaded | Kept | Loaded | DraftLoaded
Letter = Died | Event | Loading | RoutesTold | Counted | Learned | CostsTold | TrialLetter
TrialPlan = Callable[[ChatEngine], Sequence[Trial]]  # called in the worker's thread
Job = Callable[[threading.Event], Iterator[Letter]]


class Worker:
    """Every request returns the id of its run at once; what comes of it is posted under that id.

    A run of `load` ends with Loaded or Failed, `load_draft`, `add_draft` and `drop_draft` with DraftLoaded or Failed,
    `unload` with Unloaded, `generate` with Finished or Failed, `routes` and `set_profile` with RoutesTold or Failed,
    `count_tokens` with Counted or Failed, `learn` and `forget_past` with Learned or Failed, `pass_costs` with CostsTold
    or Failed, `try_out` with TrialsDone or Failed. `take_back` says nothing unless it failed.
    """

    def __init__(
        self, make_engine: Callable[[], ChatEngine], make_store: Callable[[], ModelStore], mailbox: Mailbox[Letter]
    ) -> None:
        """The factories are called in the worker's thread: this is where torch and transformers are imported."""
        self._make_engine = make_engine
        self._make_store = make_store
        self._mailbox = mailbox
        self._engine: ChatEngine | None = None
        self._jobs: queue.SimpleQueue[tuple[str, threading.Event, Job] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._cancels: dict[str, threading.Event] = {}
        self._closing = self._dead = False
        self._thread = self._start()

    def load(self, model: str, settings: LoadSettings) -> str:
        """Fetch and load a target: its name in the catalogue, a folder's path, or "" for the starter."""
        return self._submit(lambda cancel: self._load(model, settings, cancel))

    def load_draft(self, folder: str, settings: LoadSettings) -> str:
        """In place of all others."""
        return self._submit(lambda cancel: self._load_draft(folder, settings, cancel))

    def add_draft(self, folder: str, settings: LoadSettings) -> str:
        """Beside the others."""
        return self._submit(lambda cancel: self._load_draft(folder, settings, cancel, beside=True))

    def drop_draft(self, name: str = "") -> str:
        """The draft of that name, or every draft."""
        return self._submit(lambda cancel: self._drop_draft(name))

    def take_back(self, kind: StepKind) -> str:
        """What was given up when memory ran out: see `ChatEngine.take_back`."""
        return self._submit(lambda cancel: self._take_back(kind))

    def routes(self) -> str:
        return self._submit(lambda cancel: self._routes())

    def set_profile(self, task: Task, profile: Profile) -> str:
        return self._submit(lambda cancel: self._routes((task, profile)))

    def learn(self, texts: Callable[[], Iterable[str]], folder: Path) -> str:
        """See `ChatEngine.learn`; `texts` is called in the worker's thread."""
        return self._submit(lambda cancel: self._learn(texts, folder, cancel))

    def forget_past(self, folder: Path) -> str:
        """See `ChatEngine.forget_past`."""
        return self._submit(lambda cancel: self._forget_past(folder))

    def count_tokens(self, texts: Sequence[str]) -> str:
        return self._submit(lambda cancel: self._count_tokens(texts))

    def unload(self) -> str:
        return self._submit(lambda cancel: self._unload())

    def generate(self, messages: Sequence[Message], settings: GenerationSettings) -> str:
        return self._submit(lambda cancel: self._ready_engine().generate(messages, settings, cancel))

    def try_out(self, plan: TrialPlan) -> str:
        """Run what `plan` says beside the chats."""
        return self._submit(lambda cancel: self._try_out(plan, cancel))

    def pass_costs(self) -> str:
        return self._submit(lambda cancel: self._pass_costs())

    def cancel(self, run_id: str) -> None:
        """Ask a run, waiting or going on, to end. Takes effect within one round."""
        with self._lock:
            cancel = self._cancels.get(run_id)
        if cancel is not None:
            cancel.set()

    def close(self, patience_s: float | None = None) -> bool:
        """Cancel everything, free the engine and end the thread. Returns whether it has ended within `patience_s`.

        None waits for as long as it takes: a thread that imports a library cannot be interrupted.
        """
        with self._lock:
            self._closing = True
            for cancel in self._cancels.values():
                cancel.set()
        self._jobs.put(None)
        self._thread.join(patience_s)
        return not self._thread.is_alive()

    def _submit(self, job: Job) -> str:
        run_id, cancel = uuid4().hex, threading.Event()
        with self._lock:
            self._cancels[run_id] = cancel
            self._jobs.put((run_id, cancel, job))
            if self._dead and not self._closing:
                self._dead = False
                self._thread = self._start()
        return run_id

    def _start(self) -> threading.Thread:
        thread = threading.Thread(target=self._run, name="engine")
        thread.start()
        return thread

    def _run(self) -> None:
        sys.setswitchinterval(SWITCH_S)
        try:
            self._work()
        except BaseException:  # the border of the thread: whatever ends it may not leave the window waiting
            log.exception("the engine's thread died")
            self._bury()

    def _bury(self) -> None:
        """Every run has failed, those that wait as well."""
        self._engine = None
        with self._lock:
            self._dead = True
            runs, self._cancels = list(self._cancels), {}
            while not self._jobs.empty():
                self._jobs.get()
        for run_id in runs:
            self._mailbox.post(run_id, Failed(DEATH, DEATH_REMEDY))
        self._mailbox.post("", Died())

    def _work(self) -> None:
        while (entry := self._jobs.get()) is not None:
            run_id, cancel, job = entry
            if not self._closing:
                self._perform(run_id, cancel, job)
            with self._lock:
                del self._cancels[run_id]
        if self._engine is not None:
            self._engine.unload()

    def _perform(self, run_id: str, cancel: threading.Event, job: Job) -> None:
        try:
            for letter in job(cancel):
                self._mailbox.post(run_id, letter)
        except UserError as error:
            log.log(logging.INFO if isinstance(error, Cancelled) else logging.WARNING, "%s", error)
            cancelled, hub = isinstance(error, Cancelled), isinstance(error, HubError)
            self._mailbox.post(run_id, Failed(error.message, error.remedy, cancelled, hub))
        except Exception:  # the border of the thread: whatever was ours is logged, and the thread lives
            log.exception("the engine failed")
            self._mailbox.post(run_id, Failed(APOLOGY, APOLOGY_REMEDY))

    def _ready_engine(self) -> ChatEngine:
        if self._engine is None:
            self._engine = self._make_engine()
        return self._engine

    def _load(self, model: str, settings: LoadSettings, cancel: threading.Event) -> Iterator[Letter]:
        store = self._make_store()
        catalogue = Catalogue.read()
        listed = catalogue.find(model) if model else catalogue.starter
        spec = yield from (store.open(Path(model), cancel) if listed is None else store.fetch(listed, cancel))
        yield LoadProgress("libraries", detail=spec.name)
        engine = self._ready_engine()
        gone = False
        try:
            for step in engine.load(spec, settings, cancel):
                if engine.target is None and not gone:
                    gone = True
                    yield Unloaded()
                yield step
        except Exception:
            yield Unloaded() if engine.target is None else Kept(engine.target, engine.draft)
            raise
        yield Loaded(_present(engine.target))

    def _load_draft(
        self, folder: str, settings: LoadSettings, cancel: threading.Event, *, beside: bool = False
    ) -> Iterator[Letter]:
        spec = yield from self._make_store().open(Path(folder), cancel)
        engine = self._ready_engine()
        yield from (engine.add_draft if beside else engine.load_draft)(spec, settings, cancel)
        loaded = [draft for draft in engine.drafts if draft.spec.name == spec.name]
        yield DraftLoaded(_present(loaded[0] if loaded else None))

    def _drop_draft(self, name: str) -> Iterator[Letter]:
        self._ready_engine().drop_draft(name)
        yield DraftLoaded(None)

    def _routes(self, decided: tuple[Task, Profile] | None = None) -> Iterator[Letter]:
        engine = self._ready_engine()
        if decided is not None:
            engine.set_profile(*decided)
        yield RoutesTold(engine.routes())

    def _learn(self, texts: Callable[[], Iterable[str]], folder: Path, cancel: threading.Event) -> Iterator[Letter]:
        yield Learned(self._ready_engine().learn(texts(), folder, cancel))

    def _forget_past(self, folder: Path) -> Iterator[Letter]:
        self._ready_engine().forget_past(folder)
        yield Learned(None)

    def _count_tokens(self, texts: Sequence[str]) -> Iterator[Letter]:
        yield Counted(tuple(self._ready_engine().count_tokens(texts)))

    def _try_out(self, plan: TrialPlan, cancel: threading.Event) -> Iterator[Letter]:
        engine = self._ready_engine()
        yield from run_trials(engine, plan(engine), cancel)

    def _pass_costs(self) -> Iterator[Letter]:
        yield CostsTold(self._ready_engine().pass_costs())

    def _take_back(self, kind: StepKind) -> Iterator[Letter]:
        self._ready_engine().take_back(kind)
        yield from ()

    def _unload(self) -> Iterator[Letter]:
        self._ready_engine().unload()
        yield Unloaded()


def _present(model: LoadedModel | None) -> LoadedModel:
    if model is None:
        raise LoadCancelledError
    return model

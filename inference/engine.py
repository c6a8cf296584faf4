"""The engine: loads a target and a draft, and replies. The one object a program talks to."""

import logging
import os
import platform
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter

import torch

from inference.bandwidth import measured_bandwidth
from inference.chat_engine import LoadedHead, LoadedModel, PassCosts
from inference.crew import Crew, drafter_key
from inference.drafters.history_shelf import HistoryShelf
from inference.errors import UserError
from inference.events import Event, Failed, LoadProgress
from inference.garbage import forget_frames
from inference.heads.fingerprint import vocabulary_fingerprint
from inference.heads.runner import HeadRunner
from inference.heads.shelf import ShelfEntry, entries, fitting, shelved
from inference.ladder import MemoryStep, StepKind
from inference.load_relief import load_within_memory
from inference.loading import LoadCancelledError
from inference.manager.host import Held, Host
from inference.manager.spec import Spec
from inference.memory import OUT_OF_MEMORY, out_of_memory, release_memory
from inference.messages import Message
from inference.models.fused.model import FusedModel
from inference.passes import again_and_again, measure_verify
from inference.profiles import Past, Profile, Routes
from inference.relief import Relief
from inference.reply import Reply
from inference.respell import respelled
from inference.router import Router
from inference.routing import Routing
from inference.session import Session
from inference.session_pool import SessionPool
from inference.settings import GenerationSettings, LoadSettings
from inference.tasks import TASKS, Task
from inference.tokenizer import Tokenizer
from inference.utilization import utilization

log = logging.getLogger(__name__)

TORCH_THREADS = torch.get_num_threads()


class Engine:
    """See `inference.chat_engine.ChatEngine`."""

    def __init__(self, router: Router | None = None, *, overlap: bool | None = None) -> None:
        """router: what was measured in earlier sessions; None remembers nothing. overlap: see `Crew`."""
        self._host = Host()
        self._crew = Crew(self._host, overlap)
        self._router = router or Router()
        self._pool: SessionPool | None = None
        self._relief: Relief | None = None
        self._line_ends: frozenset[int] = frozenset()
        self._bandwidths: dict[torch.device, float | None] = {}  # bytes a second, of the memory that holds the target

    @property
    def target(self) -> LoadedModel | None:
        held = self._host.target
        return replace(held.loaded, foresight=self._host.foresight) if held else None

    @property
    def draft(self) -> LoadedModel | None:
        return self._host.draft.loaded if self._host.draft else None

    @property
    def drafts(self) -> tuple[LoadedModel, ...]:
        return tuple(draft.held.loaded for draft in self._host.drafts.values())

    @property
    def held(self) -> Held | None:
        """The target with its model and tokenizer, for whoever measures."""
        return self._host.target

    @property
    def held_draft(self) -> Held | None:
        """The first draft, likewise."""
        return self._host.draft

    @property
    def head_runners(self) -> tuple[HeadRunner, ...]:
        """What computes the trained heads and prediction layers, likewise."""
        return tuple(head.runner for head in self._host.heads.values())

    def load(self, spec: Spec, settings: LoadSettings, cancel: threading.Event) -> Iterator[LoadProgress | MemoryStep]:
        """What was loaded before stays until nothing is known to be wrong with the new model, and comes back where
        loading fails all the same. A person who cancels is left without a model."""
        before = self._asked_for()
        try:
            yield from self._load(spec, settings, cancel)
        except LoadCancelledError as error:
            _forget_half(error)
            raise
        except Exception as error:
            if self._pool is None and before:
                forget_frames(error)  # they may hold half a model
                yield from self._load_again(before)
            raise

    def _load(self, spec: Spec, settings: LoadSettings, cancel: threading.Event) -> Iterator[LoadProgress | MemoryStep]:
        yield from load_within_memory(lambda how: self._host.load(spec, how, cancel, self._let_go), spec, settings)
        target = self._target()
        torch.set_num_threads(1 if target.model.own_threads else TORCH_THREADS)
        yield LoadProgress("prepare", detail=spec.name)
        self._crew.begin(measure_verify(target.model))
        self._line_ends = line_ends(target.tokenizer)
        self._pool = SessionPool(target.model)
        self._relief = Relief(self._host, self._crew, self._pool)
        self._load_prediction()
        self._load_fitting_heads()

    def _let_go(self) -> None:
        self._pool = self._relief = None

    def _asked_for(self) -> list[tuple[Spec, LoadSettings]]:
        """The target and its drafts, and how they were wanted."""
        held = [self._host.target] if self._host.target else []
        return [(one.spec, one.settings) for one in [*held, *(draft.held for draft in self._host.drafts.values())]]

    def _load_again(self, before: list[tuple[Spec, LoadSettings]]) -> Iterator[LoadProgress | MemoryStep]:
        target, *drafts = before
        try:
            yield from self._load(*target, threading.Event())
            for draft in drafts:
                yield from self.add_draft(*draft, threading.Event())
        except UserError as error:
            log.warning("what was loaded before does not come back: %s", error)

    def _load_prediction(self) -> None:
        """The target's own layers that foresee tokens; without them it goes on as well."""
        try:
            self._host.load_prediction()
        except UserError as error:
            log.warning("the prediction layers of %s are not used: %s", self._target().spec.name, error.message)
        except OUT_OF_MEMORY as error:
            if not out_of_memory(error):
                raise
            log.warning("no memory for the prediction layers of %s", self._target().spec.name)

    def _load_fitting_heads(self) -> None:
        """Heads are small and made for this target, so those on the shelf are at the router's disposal at once."""
        if not isinstance(self._target().model, FusedModel) or not shelved():
            return
        for entry in fitting(self._host.identity):
            if entry.name in self._host.heads:
                continue
            try:
                self.load_head(entry.folder)
            except UserError as error:
                log.warning("%s", error)
            except OUT_OF_MEMORY as error:
                if not out_of_memory(error):
                    raise
                log.warning("no memory for the head in %s", entry.folder)
        release_memory()  # of what they were packed from

    def load_draft(
        self, spec: Spec, settings: LoadSettings, cancel: threading.Event
    ) -> Iterator[LoadProgress | MemoryStep]:
        self.drop_draft()
        yield from self.add_draft(spec, settings, cancel)

    def add_draft(
        self, spec: Spec, settings: LoadSettings, cancel: threading.Event
    ) -> Iterator[LoadProgress | MemoryStep]:
        """One of the same name goes when it is known that the new one can be had."""
        left = False

        def leave() -> None:
            nonlocal left
            left = True
            self._forget_draft(spec.name)

        def load(how: LoadSettings) -> Iterator[LoadProgress]:
            yield from self._host.load_draft(spec, how, cancel, leave)
            self._crew.add(spec.name)

        try:
            yield from load_within_memory(load, spec, settings, self._pool)
        except LoadCancelledError as error:
            _forget_half(error)
            raise
        except UserError:
            if left:
                self._host.drop_draft(spec.name)  # it was loaded, and there is no memory to work with it
            raise
        if self._relief is not None:
            self._relief.welcome_draft()

    def drop_draft(self, name: str = "") -> None:
        for one in [name] if name else list(self._host.drafts):
            self._forget_draft(one)
            self._host.drop_draft(one)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        tokenizer = self._target().tokenizer
        return [len(tokenizer.encode(text, special=False)) for text in texts]

    def unload(self) -> None:
        self._let_go()
        self._crew.close()
        self._host.unload()

    @property
    def heads(self) -> tuple[LoadedHead, ...]:
        return tuple(head.loaded for head in self._host.heads.values())

    def shelf(self) -> tuple[ShelfEntry, ...]:
        return tuple(entries(self._host.identity)) if self._host.target is not None and shelved() else ()

    def load_head(self, folder: Path) -> LoadedHead:
        head = self._host.load_head(folder)
        self._forget_draft(head.name)
        return head.loaded

    def drop_head(self, name: str = "") -> None:
        for one in [name] if name else list(self._host.heads):
            self._forget_draft(one)
            self._host.drop_head(one)

    def routes(self) -> Routes | None:
        target = self._host.target
        if target is None:
            return None
        plain_s = max(self._crew.plain_s(task) for task in TASKS)
        routes = self._router.routes(target_key(target), target.spec.name, self._crew.candidates, plain_s)
        return replace(routes, past=self._crew.past)

    def learn(self, texts: Iterable[str], folder: Path, cancel: threading.Event) -> Past | None:
        shelf, crew, target = HistoryShelf(folder), self._crew, self._host.target
        if target is None:
            learning = shelf.learn(texts)
        else:
            if crew.history is None:
                name = vocabulary_fingerprint(target.tokenizer.vocabulary)
                crew.history = shelf.open(name, target.model.vocabulary_size)
            learning = shelf.learn(texts, crew.history, partial(target.tokenizer.encode, special=False))
        with closing(learning):
            for _ in learning:
                if cancel.is_set():
                    break
        return crew.past

    def forget_past(self, folder: Path) -> None:
        self._crew.history = None
        HistoryShelf(folder).forget()

    def set_profile(self, task: Task, profile: Profile) -> None:
        self._router.set_profile(target_key(self._target()), task, profile)

    def take_back(self, kind: StepKind) -> None:
        if self._relief is None:
            return
        if kind == "draft":
            self._relief.welcome_draft()
            self._load_fitting_heads()
        else:
            self._relief.take_back(kind)

    def forget_chats(self) -> list[list[int]]:
        """Drop every chat's caches, so that the next prompt is read whole, and return their texts in tokens.

        The text of the last reply, its prompt in front, comes last.
        """
        return self._pool.clear() if self._pool is not None else []

    def generate(
        self, messages: Sequence[Message], settings: GenerationSettings, cancel: threading.Event
    ) -> Iterator[Event]:
        try:
            yield from self._generate(messages, settings, cancel)
        except UserError as error:
            yield Failed(error.message, error.remedy)
        except OUT_OF_MEMORY as error:
            if not out_of_memory(error):
                raise
            log.exception("out of memory")
            yield Failed("There is not enough memory to go on.", "Shorten the context, or load a smaller model.")

    def generate_apart(
        self, messages: Sequence[Message], settings: GenerationSettings, cancel: threading.Event
    ) -> Iterator[Event]:
        kept = self._pool
        if kept is not None:
            self._pool = SessionPool(self._target().model)
        try:
            yield from self.generate(messages, settings, cancel)
        finally:
            self._pool = kept
            if self._relief is not None and kept is not None:
                self._relief.pool = kept

    def pass_costs(self) -> PassCosts | None:
        target = self._host.target
        if target is None:
            return None
        device = target.model.device
        if self._bandwidths.get(device) is None:
            self._bandwidths[device] = measured_bandwidth(device)
        costs = measure_verify(target.model)
        busy = utilization(device, again_and_again(target.model)) if device.type == "cuda" else None
        return PassCosts(costs, target.model.nbytes, self._bandwidths[device], busy)

    def _generate(
        self, messages: Sequence[Message], settings: GenerationSettings, cancel: threading.Event
    ) -> Generator[Event, None, None]:
        asked = perf_counter()
        target = self._target()
        pool, relief = self._pool, self._relief
        assert pool is not None
        assert relief is not None
        relief.pool = pool
        reply = Reply(target, messages, settings, cancel, asked, relief=relief, line_ends=self._line_ends)
        if reply.omitted is not None:
            yield reply.omitted
        reply.prompt = respelled(reply.prompt, pool.nearest(reply.prompt), target.tokenizer)
        routing = self._routing(messages, relief.within(settings))
        session = take(pool, reply.prompt)
        try:
            yield from reply.run(session, routing)
        except GeneratorExit:
            raise  # between two rounds: caches, drafters and text agree
        except BaseException:
            pool.discard(session)
            raise
        finally:
            routing.close()
            self._router.save()

    def _target(self) -> Held:
        if self._host.target is None:
            raise UserError("No model is loaded.", "Choose a model first.")
        return self._host.target

    def _routing(self, messages: Sequence[Message], settings: GenerationSettings) -> Routing:
        request = next((message.content for message in reversed(messages) if message.role == "user"), "")
        begun = messages[-1].content if messages[-1].role == "assistant" else ""
        return Routing(self._crew, self._router, target_key(self._target()), settings, request, begun=begun)

    def _forget_draft(self, name: str) -> None:
        self._crew.forget(name)
        if self._pool is not None:
            self._pool.drop_drafter(drafter_key(name))


def target_key(target: Held) -> str:
    """What measurements of this target are kept under: another format or another machine is another target."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores"
    return f"{target.spec.name}, {target.model.description}, {target.model.nbytes} bytes, {machine}"


def take(pool: SessionPool, prompt: Sequence[int]) -> Session:
    """The chat for this prompt; where there is no memory to copy it, the other chat will be read again."""
    try:
        return pool.take(prompt)
    except OUT_OF_MEMORY as error:
        if not out_of_memory(error):
            raise
        log.warning("no memory for the copy of a chat: %s", error)
    return pool.take(prompt, copies=False)


def line_ends(tokenizer: Tokenizer) -> frozenset[int]:
    """Tokens that hold the end of a line, as byte-level and SentencePiece vocabularies write it."""
    signs = ("\n", "Ċ", "<0x0A>")
    return frozenset(index for token, index in tokenizer.vocabulary.items() if any(sign in token for sign in signs))


def _forget_half(error: LoadCancelledError) -> None:
    """Give back what was read of a model before its loading was cancelled."""
    forget_frames(error)
    release_memory()

"""The engine: loads a target and a draft, and replies. The one object a program talks to."""

import logging
import threading
from collections.abc import Generator, Iterator, Sequence
from time import perf_counter

import torch

from inference.acceptance import Acceptance
from inference.chat_engine import LoadedModel
from inference.costs import Costs
from inference.drafters.draft_model import ModelDrafter
from inference.drafters.drafter import Proposer
from inference.drafters.ngram import NgramDrafter
from inference.drafters.two_stage import TwoStageDrafter
from inference.errors import UserError
from inference.events import Event, Failed, LoadProgress
from inference.manager.host import Held, Host
from inference.manager.spec import Spec
from inference.messages import Message
from inference.models.causal_model import CausalModel
from inference.reply import Reply
from inference.respell import respelled
from inference.session import Session
from inference.session_pool import SessionPool
from inference.settings import GenerationSettings, LoadSettings, SpeculationSettings

log = logging.getLogger(__name__)

TORCH_THREADS = torch.get_num_threads()
WARM_UP_ROWS = (1, 2, 4, 8)
WARM_UP_S = 1.0


class Engine:
    """See `inference.chat_engine.ChatEngine`."""

    def __init__(self) -> None:
        self._host = Host()
        self._pool: SessionPool | None = None
        self._verify_costs: dict[int, float] = {}
        self._learned: dict[str, tuple[Costs, Acceptance]] = {}  # by kind of drafter

    @property
    def target(self) -> LoadedModel | None:
        return self._host.target.loaded if self._host.target else None

    @property
    def draft(self) -> LoadedModel | None:
        return self._host.draft.loaded if self._host.draft else None

    @property
    def held(self) -> Held | None:
        """The target with its model and tokenizer, for whoever measures."""
        return self._host.target

    @property
    def held_draft(self) -> Held | None:
        """The draft, likewise."""
        return self._host.draft

    def load(self, spec: Spec, settings: LoadSettings, cancel: threading.Event) -> Iterator[LoadProgress]:
        self._forget()
        yield from self._host.load(spec, settings, cancel)
        target = self._target()
        self._pool = SessionPool(target.model)
        torch.set_num_threads(1 if target.model.own_threads else TORCH_THREADS)
        yield LoadProgress("prepare", detail=spec.name)
        self._verify_costs = measure_verify(target.model)

    def load_draft(self, spec: Spec, settings: LoadSettings, cancel: threading.Event) -> Iterator[LoadProgress]:
        self._forget_draft()
        yield from self._host.load_draft(spec, settings, cancel)

    def drop_draft(self) -> None:
        self._forget_draft()
        self._host.drop_draft()

    def unload(self) -> None:
        self._forget()
        self._host.unload()

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
        except MemoryError:
            log.exception("out of memory")
            yield Failed("There is not enough memory to go on.", "Shorten the context, or load a smaller model.")

    def _generate(
        self, messages: Sequence[Message], settings: GenerationSettings, cancel: threading.Event
    ) -> Generator[Event, None, None]:
        asked = perf_counter()
        target = self._target()
        assert self._pool is not None
        reply = Reply(target, messages, settings, cancel, asked)
        if reply.omitted is not None:
            yield reply.omitted
        reply.prompt = respelled(reply.prompt, self._pool.nearest(reply.prompt), target.tokenizer)
        session = self._pool.take(reply.prompt)
        try:
            drafter = self._drafter(session, settings.speculation)
            costs, acceptance = self._costs(settings.speculation, drafter)
            yield from reply.run(session, drafter, costs, acceptance)
        except GeneratorExit:
            raise  # between two rounds: caches, drafters and text agree
        except BaseException:
            self._pool.discard(session)
            raise

    def _target(self) -> Held:
        if self._host.target is None:
            raise UserError("No model is loaded.", "Choose a model first.")
        return self._host.target

    def _drafter(self, session: Session, speculation: SpeculationSettings) -> Proposer | None:
        if not speculation.enabled:
            return None
        if speculation.drafter == "ngram":
            return self._ngram(session)
        model = self._model(session)
        return model if speculation.drafter == "model" else TwoStageDrafter(self._ngram(session), model)

    def _ngram(self, session: Session) -> NgramDrafter:
        known = session.drafters.get("ngram")
        return known if isinstance(known, NgramDrafter) else session.add_drafter("ngram", NgramDrafter())

    def _model(self, session: Session) -> ModelDrafter:
        known = session.drafters.get("model")
        if isinstance(known, ModelDrafter):
            return known
        draft, compatibility = self._host.draft, self._host.compatibility
        if draft is None or compatibility is None:
            raise UserError("No draft model is loaded.", "Choose a draft model, or another way to draft.")
        width = self._target().model.vocabulary_size
        return session.add_drafter("model", ModelDrafter(draft.model, draft.spec.name, width, compatibility.forbidden))

    def _costs(self, speculation: SpeculationSettings, drafter: Proposer | None) -> tuple[Costs, Acceptance]:
        kind = speculation.drafter if drafter else "none"
        if kind not in self._learned:
            self._learned[kind] = (Costs(self._verify_costs), Acceptance())
            log.info(speculation.statement(drafter.name if drafter else "none"))
        return self._learned[kind]

    def _forget(self) -> None:
        self._pool = None
        self._learned.clear()

    def _forget_draft(self) -> None:
        for kind in ("model", "combined"):
            self._learned.pop(kind, None)
        if self._pool is not None:
            self._pool.drop_drafter("model")


def measure_verify(model: CausalModel) -> dict[int, float]:
    """Seconds of a pass by its number of rows, on an empty cache. Stops early where passes are slow."""
    costs: dict[int, float] = {}
    cache = model.new_cache()
    started = perf_counter()
    for rows in WARM_UP_ROWS:
        for _ in range(3):
            before = perf_counter()
            model.forward([0] * rows, cache, rows).argmax(-1).tolist()  # a graphics card is done only now
            seconds = perf_counter() - before
            cache.truncate(0)
            costs[rows] = min(costs.get(rows, seconds), seconds)
            if perf_counter() - started > WARM_UP_S:
                return costs
    return costs

"""Does what the ladder says when memory runs out, and remembers it for the replies that follow."""

from dataclasses import dataclass, replace
from threading import Event

from inference.crew import NEEDS_DRAFT, NEEDS_HEAD, Crew, drafter_key
from inference.errors import UserError
from inference.ladder import MemoryStep, Phase, Standing, StepKind, next_step
from inference.manager.files import size_text
from inference.manager.host import Host
from inference.memory import OUT_OF_MEMORY, free_memory, out_of_memory, release_memory
from inference.models.causal_model import CacheFormats, CausalModel
from inference.models.fused.model import FusedModel
from inference.session import Session
from inference.session_pool import SessionPool
from inference.settings import MAX_DRAFT_LENGTH, GenerationSettings

LONGEST_CHUNK = 512  # tokens of prefill between two looks at `cancel`
LEAST_BITS = 4  # of keys and values: fewer cost so much that only the person chooses them
REMEDY = "Close other programs, start a new chat, or load a smaller model."


@dataclass(frozen=True)
class Limits:
    """What was given up so far. context 0: as long as the model's."""

    chunk: int = LONGEST_CHUNK
    draft_length: int = MAX_DRAFT_LENGTH
    context: int = 0
    without_draft: bool = False
    lost: frozenset[str] = frozenset()  # names of the drafts that were dropped


class Relief:
    """One for each target. `pool`: of the reply that is made, which may stand beside the chats."""

    def __init__(self, host: Host, crew: Crew, pool: SessionPool) -> None:
        """pool: of the chats."""
        self._host, self._crew, self._chats, self.pool = host, crew, pool, pool
        self.limits = Limits()
        model = self._model
        self._bits = model.cache_bits if isinstance(model, CacheFormats) else 16  # as the person wants it

    @property
    def _model(self) -> CausalModel:
        assert self._host.target is not None
        return self._host.target.model

    @property
    def context(self) -> int:
        """Tokens that a text may have now."""
        return min(self.limits.context or self._model.context_length, self._model.context_length)

    def within(self, settings: GenerationSettings) -> GenerationSettings:
        """The settings as far as memory allows them."""
        speculation, most = settings.speculation, self.limits.draft_length
        drafter = speculation.drafter
        if self.limits.without_draft and drafter in (*NEEDS_DRAFT, *NEEDS_HEAD):
            drafter = "ngram"
        length, longest = min(speculation.draft_length, most), min(speculation.max_draft_length, most)
        draft = "" if speculation.draft in self.limits.lost else speculation.draft
        speculation = replace(speculation, drafter=drafter, draft=draft, draft_length=length, max_draft_length=longest)
        return replace(settings, speculation=speculation)

    def next_step(
        self, phase: Phase, session: Session | None, settings: GenerationSettings, draft: str, shorter: int
    ) -> MemoryStep:
        """draft: the name of the one that drafts now, if any; shorter: a context that would do for the text, or 0.

        Raises UserError when there is nothing left to give up.
        """
        speculation = self.within(settings).speculation
        longest = speculation.max_draft_length if speculation.dynamic else speculation.draft_length
        held = [*self._host.drafts, *self._host.heads]
        draft = draft if draft in held else next(iter(held), "")
        model = self._model
        bits, fewer = 16, 0
        if isinstance(model, CacheFormats):
            bits = model.cache_bits
            fewer = next((one for one in model.cache_formats if LEAST_BITS <= one < bits), 0)
        step = next_step(
            Standing(
                phase,
                chunk=self.limits.chunk,
                idle=self.pool.idle_bytes(session),
                idle_on_card=self.pool.idle_card_bytes(session),
                draft_length=longest if speculation.enabled else 0,
                draft=draft,
                draft_bits=4 if self._could_be_smaller(draft) else 0,
                cache_bits=bits,
                fewer_cache_bits=fewer,
                context=self.context,
                shorter=shorter,
            )
        )
        if step is None:  # this reply ends, and its memory is free again for others
            self.limits = replace(self.limits, chunk=LONGEST_CHUNK, context=0)
            raise self.exhausted(session)
        return step

    def exhausted(self, session: Session | None) -> UserError:
        """With the numbers."""
        assert self._host.target is not None
        name, weights = self._host.target.spec.name, size_text(self._model.nbytes)
        free, chat = size_text(free_memory(self._model.device)), size_text(session.nbytes if session else 0)
        return UserError(f"Memory ran out: {name} holds {weights}, this chat {chat}, and {free} are free.", REMEDY)

    def give_up(self, step: MemoryStep, session: Session | None) -> None:
        """All but a shorter context, which is the reply's to make. Nothing else may hold the drafters."""
        model = self._model
        match step.kind:
            case "chunk":
                self.limits = replace(self.limits, chunk=step.after)
            case "park":
                self.pool.park_idle(session)
                release_memory()
            case "idle":
                self.pool.drop_idle(session)
                release_memory()
            case "draft_length":
                self.limits = replace(self.limits, draft_length=step.after)
            case "draft":
                self._drop(step.name)
            case "draft_precision":
                self._load_smaller(step.name)
            case "cache_bits" if isinstance(model, CacheFormats):
                self._keep(step.after)
                if session is not None:
                    session.mend(renew=True)
                release_memory()
            case "context":
                self.limits = replace(self.limits, context=step.after)
            case _:
                raise ValueError(f"not in a reply: {step}")

    def take_back(self, kind: StepKind) -> None:
        """Have it again from the next reply on. A draft comes back by being loaded."""
        match kind:
            case "draft_length":
                self.limits = replace(self.limits, draft_length=MAX_DRAFT_LENGTH)
            case "context":
                self.limits = replace(self.limits, context=0)
            case "cache_bits":
                self._keep(self._bits)
                self._chats.clear()  # caches of fewer bits stay so
            case _:
                raise ValueError(f"{kind} cannot be taken back")

    def welcome_draft(self) -> None:
        """A draft was loaded: it may draft."""
        self.limits = replace(self.limits, without_draft=False, lost=frozenset())

    def _keep(self, bits: int) -> None:
        """Keys and values of every model at these bits, from the next cache on."""
        for model in (self._model, *(draft.held.model for draft in self._host.drafts.values())):
            if isinstance(model, CacheFormats) and bits in model.cache_formats:
                model.cache_bits = bits

    def _could_be_smaller(self, name: str) -> bool:
        draft = self._host.drafts.get(name)
        if draft is None or draft.held.spec.folder is None:
            return False
        model = draft.held.model
        smallest = isinstance(model, FusedModel) and model.precision == "int4"
        return not smallest and FusedModel.computes_natively(draft.held.spec.folder, "int4")

    def _drop(self, name: str) -> None:
        self._crew.forget(name)
        for pool in (self._chats, self.pool):
            pool.drop_drafter(drafter_key(name))
        self._host.drop_draft(name)
        self._host.drop_head(name)
        without = not (self._host.drafts or self._host.heads)
        self.limits = replace(self.limits, without_draft=without, lost=self.limits.lost | {name})

    def _load_smaller(self, name: str) -> None:
        """The draft again, at four bits. It is gone when there is no memory even for that."""
        held = self._host.drafts[name].held
        small = replace(held.settings, precision="int4", draft_precision="int4", implementation="auto")
        spec, settings = held.spec, replace(small, device="cpu", draft_device="cpu")
        del held
        self._drop(name)
        try:
            for _ in self._host.load_draft(spec, settings, Event()):
                pass
            self._crew.add(name)
        except OUT_OF_MEMORY as error:
            if not out_of_memory(error):
                raise
            self._drop(name)
        else:
            self.limits = replace(self.limits, without_draft=False, lost=self.limits.lost - {name})

"""What is loaded: at most one target, and drafts for it, behind one lock, in one state."""

import logging
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path

from inference.chat_engine import Foresight, LoadedModel
from inference.device import named_device
from inference.errors import UserError
from inference.events import LoadProgress
from inference.heads.fingerprint import TargetIdentity, identify
from inference.heads.held import HeldHead, hold
from inference.heads.prediction import HeldPrediction, hold_prediction
from inference.loading import Report, reported
from inference.manager.draft_device import draft_device
from inference.manager.folder import inspect
from inference.manager.offload_room import offload_room
from inference.manager.prediction_layers import PredictionLayers, prediction_layers
from inference.manager.prepared import Prepared, folder_of, is_fused, prepare
from inference.manager.spec import Spec
from inference.manager.trusted_code import is_trusted
from inference.memory import release_memory
from inference.models.causal_model import CausalModel
from inference.models.fused.model import FusedModel
from inference.models.transformers_model import TransformersModel
from inference.settings import FLOATS, LoadSettings
from inference.tokenizer import Tokenizer
from inference.vocabulary import SAME_FAMILY, SECOND_CHOICE, Compatibility, compare

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Held:
    """A model in memory with what belongs to it. settings: with which it was asked for."""

    spec: Spec
    model: CausalModel
    tokenizer: Tokenizer
    settings: LoadSettings

    @property
    def loaded(self) -> LoadedModel:
        model = self.model
        return LoadedModel(self.spec, model.description, model.context_length, model.nbytes, device=str(model.device))


@dataclass(frozen=True)
class HeldDraft:
    """A draft in memory, and how its vocabulary compares with the target's."""

    held: Held
    compatibility: Compatibility
    aligned: bool = False  # they differ, and it drafts by its text

    @property
    def name(self) -> str:
        return self.held.spec.name


class Host:
    """Loads and frees. A second load while one runs is refused, a failed one leaves nothing behind.

    Drafts and trained heads are known by their names; loading one again replaces it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.target: Held | None = None
        self.drafts: dict[str, HeldDraft] = {}
        self.heads: dict[str, HeldHead | HeldPrediction] = {}
        self._prediction = PredictionLayers(0, 0)  # of the target
        self._identity: TargetIdentity | None = None  # of the target, once it was asked for

    @property
    def draft(self) -> Held | None:
        """The draft that was loaded first."""
        return next((draft.held for draft in self.drafts.values()), None)

    def load(
        self, spec: Spec, settings: LoadSettings, cancel: threading.Event, leaving: Callable[[], None] = lambda: None
    ) -> Generator[LoadProgress, None, None]:
        """Load the target in place of the one before (and of its drafts and heads).

        What can be known to be wrong is found before those are freed. leaving: called right before that, so that the
        caller lets go of their caches.
        """
        settings = _trusting(spec, settings)
        with self._loading():
            prepared = yield from prepare(spec, settings)
            leaving()
            self.unload()
            self.target = yield from _load(prepared, settings, cancel)
            log.info("target loaded: %s, %s, on %s", spec.name, self.target.model.description, self.target.model.device)
            self._prediction = prediction_layers(prepared.folder)
            if self._prediction.statement:
                log.info("%s: %s", spec.name, self._prediction.statement)

    def load_draft(
        self, spec: Spec, settings: LoadSettings, cancel: threading.Event, leaving: Callable[[], None] = lambda: None
    ) -> Generator[LoadProgress, None, None]:
        """Load one more draft for the target. Its vocabulary is compared before its weights are read.

        leaving: called right before one of the same name is freed, when nothing but memory can stop the new one.
        """
        settings = _trusting(spec, settings)
        with self._loading():
            if self.target is None:
                raise UserError("There is no target to draft for.", "Load a model first.")
            held, drafts = self.target, [draft.held.spec for draft in self.drafts.values() if draft.name != spec.name]
            more = [folder_of(one) for one in drafts]
            device = draft_device(folder_of(held.spec), held.settings, folder_of(spec), settings, more)
            prepared = yield from prepare(spec, replace(settings, device=device))
            settings = prepared.settings
            ours, tokenizer = self.target.tokenizer, prepared.tokenizer
            compatibility = compare(ours.vocabulary, tokenizer.vocabulary, ours.added_tokens, tokenizer.added_tokens)
            differs = compatibility.reason is not None
            spelled = ours.spelling is not None and tokenizer.spelling is not None
            if differs and not (settings.align and spelled):
                raise UserError(
                    f"{spec.name} cannot draft for {self.target.spec.name}: {compatibility.reason}",
                    SECOND_CHOICE if spelled else SAME_FAMILY,
                )
            leaving()
            self.drop_draft(spec.name)
            draft = yield from _load(prepared, draft_settings(prepared.folder, settings), cancel)
            self.drafts[spec.name] = HeldDraft(draft, compatibility, aligned=differs)
            log.info("draft loaded: %s, %s, on %s", spec.name, draft.model.description, draft.model.device)
            if differs:
                log.info("%s has another vocabulary and drafts by its text. %s", spec.name, compatibility.reason)

    def drop_draft(self, name: str) -> None:
        """Free one draft. The caller holds no other reference to its caches."""
        if self.drafts.pop(name, None) is not None:
            release_memory()

    @property
    def identity(self) -> TargetIdentity:
        """What a head must fit. Raises UserError without a target."""
        if self.target is None:
            raise UserError("There is no target to draft for.", "Load a model first.")
        if self._identity is None:
            target = self.target
            self._identity = identify(target.spec.name, folder_of(target.spec), target.tokenizer.vocabulary)
        return self._identity

    def load_head(self, folder: Path) -> HeldHead:
        """Load a trained head beside the others. Raises UserError where it cannot draft for the target."""
        with self._loading():
            identity = self.identity
            assert self.target is not None
            head = hold(folder, self.target.model, identity, folder_of(self.target.spec))
            self.heads[head.name] = head
            return head

    def load_prediction(self) -> HeldPrediction | None:
        """Load the target's own prediction layer beside the heads; None where it has none. Raises UserError with the
        reason where it cannot draft."""
        if self.target is None or not self._prediction.tensors:
            return None
        with self._loading():
            held = hold_prediction(self.target.model, folder_of(self.target.spec), self._prediction)
            self.heads[held.name] = held
            return held

    @property
    def foresight(self) -> Foresight:
        """What became of the prediction layers that the target's checkpoint has or promises."""
        if not self._prediction.promised and not self._prediction.tensors:
            return ""
        if not self._prediction.tensors:
            return "absent"
        return "ready" if any(isinstance(head, HeldPrediction) for head in self.heads.values()) else "unused"

    def drop_head(self, name: str) -> None:
        """Free one head. The caller holds no other reference to its caches."""
        if self.heads.pop(name, None) is not None:
            release_memory()

    def unload(self) -> None:
        """Free target, drafts and heads. The caller holds no other reference to their caches."""
        self.target = self._identity = None
        self._prediction = PredictionLayers(0, 0)
        self.drafts.clear()
        self.heads.clear()
        release_memory()

    def _loading(self) -> "_OneAtATime":
        return _OneAtATime(self._lock)


class _OneAtATime:
    """Holds a lock, or says why not."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise UserError("Another model is being loaded.", "Wait for it, or cancel it.")

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _trusting(spec: Spec, settings: LoadSettings) -> LoadSettings:
    """The model's own code may run where the person has allowed that before."""
    allowed = settings.trust_remote_code or (spec.folder is not None and is_trusted(spec.folder))
    return replace(settings, trust_remote_code=allowed)


def _load(prepared: Prepared, settings: LoadSettings, cancel: threading.Event) -> Generator[LoadProgress, None, Held]:
    folder = prepared.folder

    def read(report: Report) -> CausalModel:
        try:
            return load_model(folder, settings, report)
        except UserError:
            raise
        except Exception:
            inspect(folder)  # a file that went or changed meanwhile is the reason, and this says which
            raise

    loading = reported(read, cancel)
    try:
        while True:
            yield replace(next(loading), detail=prepared.spec.name)
    except StopIteration as finished:
        return Held(prepared.spec, finished.value, prepared.tokenizer, prepared.settings)


def draft_settings(folder: Path, settings: LoadSettings) -> LoadSettings:
    """A draft is never wrong, only slow or often refused: where four bits make it fast, they are the default, for every
    matrix; elsewhere its own precision, which it is small enough for."""
    settings = replace(settings, int4_tables=True)
    if settings.draft_precision != "auto":
        return replace(settings, precision=settings.draft_precision)
    if settings.precision in FLOATS:
        return settings
    fused = settings.implementation != "adapter"
    four = fused and named_device(settings.device).type == "cpu" and FusedModel.computes_natively(folder, "int4")
    return replace(settings, precision="int4" if four else "auto")


def load_model(folder: Path, settings: LoadSettings, report: Report) -> CausalModel:
    """The fused decoder where it knows the architecture, the transformers adapter for everything else.

    The adapter also holds what is larger than its device, where the person accepts that.
    """
    s = settings
    room = offload_room(folder, s)
    if room is None and is_fused(folder, s):
        model = FusedModel.load(
            folder, s.precision, s.device, s.context_length, report, int4_group=s.int4_group, int4_tables=s.int4_tables
        )
        if s.cache_bits in model.cache_formats:
            model.cache_bits = s.cache_bits
        else:
            log.info("keys and values stay as they are, not at %d bits: %s", s.cache_bits, model.description)
        return model
    if s.cache_bits != 16:
        log.info("keys and values stay as they are, not at %d bits: the adapter has no fewer", s.cache_bits)
    return TransformersModel.load(
        folder, s.precision, s.device, s.context_length, s.trust_remote_code, report, four_bit=s.four_bit, room=room
    )

"""Any causal language model of the transformers library, behind `CausalModel`. Always correct, every architecture."""

import inspect
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from inference.device import resolve_device
from inference.loading import Report, unreported
from inference.models.causal_model import Cache
from inference.models.checkpoint import read_checkpoint
from inference.models.grouped_attention import use_grouped_attention
from inference.models.offload import Room, spread_of
from inference.models.shown_states import ShownStates
from inference.models.transformers_cache import TransformersCache
from inference.models.transformers_loader import choose_precision, load_transformers
from inference.settings import FLOATS, FourBit, Precision

logger = logging.getLogger(__name__)

# Linear-attention models that can read several tokens after a state in one pass; a test holds each of them to it.
# Others of the library's implementations (Mamba, Jamba) forget their state there, without an error.
CONTINUES = frozenset(
    {
        "qwen3_5",
        "qwen3_5_moe",
        "qwen3_next",
        "lfm2",
        "lfm2_moe",
        "mamba2",
        "falcon_h1",
        "granitemoehybrid",
        "olmo_hybrid",
    }
)


class TransformersModel:
    """Implements `inference.models.causal_model.FeatureModel`. Made by `load`."""

    def __init__(self, model: Any, context_length: int, precision: str) -> None:
        """model: a loaded transformers model; context_length: upper bound, the model's own holds as well."""
        self._model = model.eval()
        use_grouped_attention(model)
        config = model.config.get_text_config(decoder=True)
        own = getattr(config, "max_position_embeddings", None)
        self._context_length = min(context_length, own) if isinstance(own, int) and own > 0 else context_length
        self._precision = precision
        accepted = inspect.signature(model.forward).parameters
        # The library renamed it; models that bring their own code may still use the old name.
        self._cache_name = "cache" if "cache" in accepted else "past_key_values"
        self._keeps_logits = "logits_to_keep" in accepted
        embedding = model.get_output_embeddings()
        self._vocabulary_size = int(embedding.weight.shape[0]) if embedding is not None else int(config.vocab_size)
        self._spread = spread_of(model)
        self._nbytes = int(model.get_memory_footprint()) - self._spread.disk
        self._one_by_one = False
        self._shown: ShownStates | None = None
        self._watch_linear_attention(str(config.model_type).removesuffix("_text"))

    @classmethod
    def load(  # noqa: PLR0917  (the order of LoadSettings, as callers pass it)
        cls,
        folder: Path,
        precision: Precision,
        device: str,
        context_length: int,
        trust_remote_code: bool = False,
        report: Report = unreported,
        *,
        four_bit: FourBit | None = None,
        room: Room | None = None,
    ) -> "TransformersModel":
        """Load a folder in the transformers format; never reaches for the network.

        precision auto: bfloat16 (or float16) on a graphics card; on a processor float32 for models under 1e9 parameters
        that take less than half of the free memory, else bfloat16. int8: LLM.int8; int4: as `four_bit` says, else
        NF4 with double quantization.
        room: where layers may lie that have no room on `device`; then the weights have 16 bits, or float32 if so asked.
        device: auto, cpu, cuda, cuda:1, mps.
        Errors: UserError for everything the person can mend.
        """
        checkpoint = read_checkpoint(folder)
        target = resolve_device(device)
        if room is not None and precision not in FLOATS:
            precision = "bfloat16"
        chosen = choose_precision(precision, target, checkpoint.parameters)
        model = load_transformers(
            checkpoint, chosen, target, trust_remote_code, report, four_bit=four_bit or FourBit(), room=room
        )
        method = (checkpoint.config.get("quantization_config") or {}).get("quant_method")
        return cls(model, context_length, method or chosen)

    @property
    def vocabulary_size(self) -> int:
        return self._vocabulary_size

    @property
    def context_length(self) -> int:
        return self._context_length

    @property
    def nbytes(self) -> int:
        return self._nbytes

    @property
    def device(self) -> torch.device:
        return self._spread.device

    @property
    def own_threads(self) -> bool:
        return False

    @property
    def description(self) -> str:
        return ", ".join(filter(None, ("transformers adapter", self._precision, self._spread.note)))

    @property
    def inner(self) -> Any:
        """The library's model."""
        return self._model

    def new_cache(self) -> TransformersCache:
        return TransformersCache(self._model.config, self._context_length)

    def observe(self, depths: Sequence[int]) -> None:
        """See `inference.models.causal_model.FeatureModel`."""
        if tuple(depths) == (self._shown.depths if self._shown else ()):
            return
        if self._shown is not None:
            self._shown.close()
        self._shown = ShownStates(self._model, depths) if depths else None

    @torch.inference_mode()
    def features(self) -> torch.Tensor:
        if self._shown is None:
            raise ValueError("nothing is observed")
        return self._shown.features()

    @torch.inference_mode()
    def forward(self, tokens: Sequence[int], cache: Cache, rows: int = 1) -> torch.Tensor:
        """See `CausalModel.forward`. A pass that fails leaves nothing in the cache; its length tells what is there."""
        assert isinstance(cache, TransformersCache)
        count = len(tokens)
        if not 1 <= rows <= count:
            raise ValueError(f"rows must be between 1 and {count}, not {rows}")
        if cache.length + count > self._context_length:
            raise ValueError(f"{cache.length} + {count} tokens are more than the context of {self._context_length}")
        if self._shown is not None:
            self._shown.begin()
        if self._one_by_one and cache.length:
            logits = [self._pass([token], cache, 1) for token in tokens]
            return torch.cat(logits[-rows:])
        return self._pass(tokens, cache, rows)

    def _pass(self, tokens: Sequence[int], cache: TransformersCache, rows: int) -> torch.Tensor:
        options: dict[str, Any] = {self._cache_name: cache}
        if self._keeps_logits:
            options["logits_to_keep"] = rows
        cache.begin(len(tokens))
        finished = False
        try:
            ids = torch.tensor([tokens], device=self.device)  # [1, count]
            output = self._model(input_ids=ids, use_cache=True, **options)
            finished = True
        finally:
            if finished:
                cache.finish(len(tokens))
            else:
                cache.abandon()
        logits: torch.Tensor = output.logits[0, -rows:]
        return logits.float()

    def _watch_linear_attention(self, kind: str) -> None:
        """Let caches see what linear-attention modules are given, so that they can replay it (`recurrent_history`)."""
        layers = self.new_cache().recurrent_layers
        if not layers:
            return
        logger.info(
            "%d linear-attention layers: rolling back restores a snapshot and replays accepted tokens", len(layers)
        )
        self._one_by_one = kind not in CONTINUES
        if self._one_by_one:
            logger.info("%s is read token by token: its linear attention may not go on from a state by several", kind)
        for module in self._model.modules():
            if getattr(module, "layer_idx", None) in layers and "cache" in inspect.signature(module.forward).parameters:
                module.register_forward_pre_hook(_show_inputs, with_kwargs=True)


def _show_inputs(module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    cache = kwargs.get("cache")
    if isinstance(cache, TransformersCache) and cache.history is not None:
        options = {name: value for name, value in kwargs.items() if name not in ("cache", "hidden_states")}
        hidden_states = args[0] if len(args) == 1 else kwargs.get("hidden_states")
        if len(args) <= 1 and isinstance(hidden_states, torch.Tensor):
            cache.history.enter(module, hidden_states, options)

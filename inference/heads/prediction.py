"""A checkpoint's own multi-token prediction layer in memory beside its target."""

import logging
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import torch

from inference.chat_engine import LoadedHead
from inference.errors import UserError
from inference.heads.prediction_runner import PredictionRunner
from inference.manager.prediction_layers import PredictionLayers
from inference.memory import out_of_memory
from inference.models.causal_model import CausalModel
from inference.models.transformers_model import TransformersModel
from inference.profiles import NATIVE

log = logging.getLogger(__name__)

PRIOR = 1.3  # times faster before it was measured; DeepSeek-V3 reports 1.8 (arXiv 2412.19437, section 5.4.3)
# What the library raises for layers that it does not know; it looks for a norm with `next`.
CANNOT = (RuntimeError, ValueError, LookupError, AttributeError, TypeError, OSError, StopIteration)
REMEDY = "Another way to draft is chosen."


@dataclass(frozen=True)
class HeldPrediction:
    """Beside trained heads (`inference.heads.held.HeldHead`): drafts for both tasks."""

    runner: PredictionRunner
    folder: Path
    name: str = NATIVE
    task: str = "any"
    prior: float = PRIOR

    @property
    def loaded(self) -> LoadedHead:
        return LoadedHead(self.name, self.task, self.folder, self.runner.nbytes, {})


def hold_prediction(model: CausalModel, folder: Path, layers: PredictionLayers) -> HeldPrediction:
    """folder: the target's. Raises UserError with the reason where the layer is there and cannot draft."""
    if not isinstance(model, TransformersModel):
        raise UserError("Only the transformers adapter shows what they read.", REMEDY)
    if layers.packed:
        raise UserError("They are stored in a packed format.", REMEDY)
    if layers.own_embeddings:
        raise UserError("They have embeddings of their own.", REMEDY)
    started, inner = perf_counter(), model.inner
    try:
        library = _library_layers(inner, folder, model.device)
    except CANNOT as error:
        if out_of_memory(error):
            raise
        log.info("the library cannot make the prediction layers", exc_info=True)
        raise UserError("The library cannot make them.", REMEDY) from error
    shared = {id(p) for module in (library.embed_tokens, library.shared_head) for p in module.parameters()}
    nbytes = sum(p.nbytes for p in library.parameters() if id(p) not in shared)
    depth = int(inner.config.get_text_config(decoder=True).num_hidden_layers)
    runner = PredictionRunner(library, depth, model.context_length, nbytes)
    log.info("prediction layer loaded: %d bytes, %.2f s", nbytes, perf_counter() - started)
    return HeldPrediction(runner, folder)


def _library_layers(inner: Any, folder: Path, device: torch.device) -> Any:
    """transformers' MtpModel with the first prediction layer.

    The library finds them by `num_mtp_layers` and, where layers differ, `mtp_layer_types`, neither of which it sets for
    Qwen3.5 (whose one layer attends to everything and is otherwise like the target's last), and by the numbers that
    layers have in the checkpoints its authors knew.
    """
    from transformers.modeling_layers import MtpModel

    config = inner.config.get_text_config(decoder=True)
    config.num_mtp_layers = 1
    for kind in ("layer_types", "mlp_layer_types"):
        if own := getattr(config, kind, None):
            known = getattr(config, f"mtp_{kind}", None)
            setattr(config, f"mtp_{kind}", [known[0] if known else _last(kind, own)])
    known_names = inner._keys_to_ignore_on_load_unexpected or ()
    inner._keys_to_ignore_on_load_unexpected = {*known_names, rf"\.layers\.{config.num_hidden_layers}\."}
    inner.config._name_or_path = str(folder)
    return MtpModel.from_pretrained(inner, device_map={"": device}).eval()


def _last(kind: str, own: list[str]) -> str:
    return "full_attention" if kind == "layer_types" and "full_attention" in own else own[-1]

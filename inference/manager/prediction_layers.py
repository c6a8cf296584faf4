"""Native multi-token prediction: whether a checkpoint promises such layers, and whether it has them.

DeepSeek-V3 (arXiv 2412.19437, section 2.2) trains layers that foresee the token after the next; GLM, MiMo and Qwen3.5
followed. Many copies of such models leave the tensors out and the promise in. `inference.heads.prediction` drafts with
those that are there.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inference.errors import UserError
from inference.models.checkpoint import read_checkpoint, read_header

PROMISES = ("mtp_num_hidden_layers", "num_nextn_predict_layers", "num_mtp_layers", "num_mtp_modules")
_OWN = re.compile(r"(?:^|\.)(?:mtp|mtp_layers|mtp_block|mtp_head|nextn)\.")
_LAYER = re.compile(r"(?:^|\.)layers\.(\d+)\.")
_PLAIN = ("F32", "F16", "BF16")  # numbers that are what they say


@dataclass(frozen=True)
class PredictionLayers:
    """promised: layers that the configuration names; tensors: weights of such layers that are there.

    packed: some of those are stored in another way than as plain numbers; own_embeddings: they do not use the target's.
    """

    promised: int
    tensors: int
    packed: bool = False
    own_embeddings: bool = False

    @property
    def statement(self) -> str:
        """One sentence for the log; "" for a model without such layers."""
        if self.tensors:
            return f"It has layers of its own that foresee further tokens ({self.tensors} tensors)."
        if self.promised:
            return f"Its configuration promises {self.promised} layers that foresee further tokens; they are not there."
        return ""


def find_prediction_layers(config: Mapping[str, Any], tensors: Mapping[str, str]) -> PredictionLayers:
    """config: of config.json; tensors: the type of each by its name, as safetensors has it."""
    found = [tensors[name] for name in prediction_tensors(config, tensors)]
    own_embeddings = bool(_settings(config).get("mtp_use_dedicated_embeddings"))
    packed = any(kind not in _PLAIN for kind in found)
    return PredictionLayers(_promised(config), len(found), packed, own_embeddings)


def prediction_tensors(config: Mapping[str, Any], names: Iterable[str]) -> frozenset[str]:
    """Those of `names` that belong to prediction layers."""
    layers = _settings(config).get("num_hidden_layers")
    end = layers if isinstance(layers, int) and _promised(config) > 0 else math.inf  # of the target's own layers
    return frozenset(name for name in names if _OWN.search(name) or (layer_number(name) or 0) >= end)


def layer_number(name: str) -> int | None:
    """Of a tensor, as its name says."""
    found = _LAYER.search(name)
    return int(found[1]) if found else None


def _settings(config: Mapping[str, Any]) -> Mapping[str, Any]:
    text = config.get("text_config")
    return {**config, **text} if isinstance(text, Mapping) else config


def _promised(config: Mapping[str, Any]) -> int:
    settings = _settings(config)
    return max((value for name in PROMISES if isinstance(value := settings.get(name), int)), default=0)


def prediction_layers(folder: Path) -> PredictionLayers:
    """Of a model's folder, by its headers alone. None of either where it is not in the safetensors format."""
    try:
        checkpoint = read_checkpoint(folder)
    except UserError:
        return PredictionLayers(0, 0)
    types = {name: entry["dtype"] for shard in checkpoint.shards for name, entry in read_header(shard).items()}
    return find_prediction_layers(checkpoint.config, types)

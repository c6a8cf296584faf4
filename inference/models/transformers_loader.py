"""Loads a folder in the transformers format, with a plain sentence for everything that can be wrong with it."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import torch
import transformers
from huggingface_hub.errors import StrictDataclassError
from transformers.quantizers.auto import AUTO_QUANTIZATION_CONFIG_MAPPING

from inference.errors import UserError
from inference.loading import Report
from inference.manager.trusted_code import ALLOW, code_elsewhere
from inference.models.checkpoint import Checkpoint, read_checkpoint, read_header
from inference.models.four_bit import four_bit_config
from inference.models.offload import Room
from inference.settings import FourBit, Precision

logger = logging.getLogger(__name__)

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
EXACT_PARAMETERS = 1_000_000_000  # below this float32 is affordable on a processor, and free of rounding surprises
LESS_MEMORY = "Choose a smaller model, a shorter context, or int4 weights."


def load_transformers(
    checkpoint: Checkpoint,
    precision: Precision,
    device: torch.device,
    trust_remote_code: bool,
    report: Report,
    *,
    four_bit: FourBit,
    room: Room | None = None,
) -> Any:
    """A transformers model with all its weights; `precision` has been chosen. UserError if it cannot be had.

    room: where its layers may lie, when they have no room on `device`.
    """
    model_class, config = _model_class(checkpoint, trust_remote_code)
    options = _load_options(precision, device, checkpoint, four_bit)
    if room is not None:
        options |= {"device_map": "auto", "max_memory": room.max_memory(device)}
    with _quiet(report, _sizes(checkpoint)):
        model, information = _from_pretrained(model_class, config, checkpoint, options, trust_remote_code)
    _check_complete(information, checkpoint)
    return model


def check_transformers(folder: Path, trust_remote_code: bool) -> None:
    """Whether the library can make this model, and of the shapes that the files hold. No weights are read.

    Raises UserError. A config.json that asks for more would have the library make up what is missing, terabytes of it.
    """
    checkpoint = read_checkpoint(folder)
    model_class, config = _model_class(checkpoint, trust_remote_code)
    quantization = checkpoint.config.get("quantization_config") or {}
    method = quantization.get("quant_method", "")
    if method and method not in AUTO_QUANTIZATION_CONFIG_MAPPING:
        raise UserError(f"config.json names a quantization that is not known: {method}.", "Choose another model.")
    if checkpoint.config.get("auto_map") or quantization:
        return  # another's code, or weights packed in another's way: what they should look like is not known here
    try:
        with torch.device("meta"):
            wanted = model_class.from_config(config).state_dict()
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, ArithmeticError, RuntimeError) as error:
        raise _no_model(error) from error
    for shard in checkpoint.shards:
        for name, entry in read_header(shard).items():
            if name in wanted and list(wanted[name].shape) != entry["shape"]:
                raise _other_shape(name, entry["shape"], list(wanted[name].shape))


def choose_precision(precision: Precision, device: torch.device, parameters: int) -> Precision:
    """What auto means here; any other precision is returned as it is."""
    if precision != "auto":
        return precision
    if device.type == "cuda":
        return "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"
    if device.type == "mps":
        return "float16"
    fits = 4 * parameters <= psutil.virtual_memory().available // 2
    return "float32" if fits and parameters < EXACT_PARAMETERS else "bfloat16"


def _model_class(checkpoint: Checkpoint, trust_remote_code: bool) -> tuple[Any, Any]:
    """The auto class that can load this model as a causal language model, and its config."""
    name = str(checkpoint.config.get("model_type", ""))
    own_code = bool(checkpoint.config.get("auto_map"))
    architecture = ", ".join(checkpoint.config.get("architectures") or []) or name or "no name"
    unsupported = UserError(
        f"This kind of model is not supported: {architecture}.", "Update transformers, or choose another model."
    )
    elsewhere = code_elsewhere(checkpoint.folder)
    if elsewhere and (trust_remote_code or name not in transformers.CONFIG_MAPPING):
        raise UserError(
            f"This model takes its Python code from another place: {elsewhere}.",
            "Choose a model that brings its code along.",
        )
    if name not in transformers.CONFIG_MAPPING:
        if not own_code:
            raise unsupported
        if not trust_remote_code:
            raise UserError(
                f"This model ({architecture}) brings its own Python code, which would run on this machine.",
                ALLOW,
            )
    try:
        config = transformers.AutoConfig.from_pretrained(
            str(checkpoint.folder), local_files_only=True, trust_remote_code=trust_remote_code
        )
    except ImportError as error:
        raise UserError(
            f"The code of this model needs more packages: {error}.", "Install them, or choose another."
        ) from None
    except (StrictDataclassError, ValueError, TypeError, KeyError, OSError, AttributeError) as error:
        raise _no_model(error) from error
    if type(config) in transformers.MODEL_FOR_CAUSAL_LM_MAPPING or (trust_remote_code and own_code):
        return transformers.AutoModelForCausalLM, config
    # Text through a model that can also see: the language part alone is used.
    if type(config) in transformers.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING:
        return transformers.AutoModelForImageTextToText, config
    raise unsupported


def _no_model(error: Exception) -> UserError:
    """The library's last words, which say what is wrong with the configuration."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return UserError(
        f"config.json does not describe a model: {lines[-1].strip()[:300].rstrip('.')}.", "Download the model again."
    )


def _other_shape(name: str, found: object, expected: object) -> UserError:
    return UserError(
        f"The weights {name} have shape {found}, but config.json asks for {expected}.",
        "config.json and the weights belong to different models, or are damaged: download the model again.",
    )


def _load_options(
    precision: Precision, device: torch.device, checkpoint: Checkpoint, four_bit: FourBit
) -> dict[str, Any]:
    if checkpoint.config.get("quantization_config"):
        if precision in ("int8", "int4"):
            logger.info("the weights are quantized already: they are used as they are")
        return {"dtype": DTYPES.get(precision, "auto"), "device_map": {"": device}}
    if precision not in ("int8", "int4"):
        return {"dtype": DTYPES[precision], "device_map": {"": device}}
    if device.type not in ("cpu", "cuda"):
        raise UserError(f"{precision} weights need a processor or a CUDA card, not {device.type}.", "Choose float16.")
    try:
        import bitsandbytes  # noqa: F401
    except ImportError:
        raise UserError(
            f"{precision} weights need the package bitsandbytes.", "Choose bfloat16, or install it."
        ) from None
    compute = torch.float16 if device.type == "cuda" and not torch.cuda.is_bf16_supported() else torch.bfloat16
    if precision == "int8":
        quantization = transformers.BitsAndBytesConfig(load_in_8bit=True)
    else:
        compute = DTYPES.get(four_bit.compute, compute)
        quantization = four_bit_config(four_bit, compute)
    return {"dtype": compute, "device_map": {"": device}, "quantization_config": quantization}


def _from_pretrained(
    model_class: Any, config: Any, checkpoint: Checkpoint, options: Mapping[str, Any], trust_remote_code: bool
) -> tuple[Any, Mapping[str, Any]]:
    try:
        model, information = model_class.from_pretrained(
            str(checkpoint.folder),
            config=config,
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=trust_remote_code,
            ignore_mismatched_sizes=True,  # reported by `_check_complete`, in our words
            output_loading_info=True,
            **options,
        )
    except (torch.OutOfMemoryError, MemoryError):
        raise UserError("The memory is too small for this model.", LESS_MEMORY) from None
    except ImportError as error:
        raise UserError(f"This model needs more packages: {error}.", "Install them, or choose another model.") from None
    supports = getattr(model, "_supports_default_dynamic_cache", None)
    if supports is None or not supports():
        raise UserError(f"This kind of model is not supported: {type(model).__name__}.", "Choose another model.")
    return model, information


def _check_complete(information: Mapping[str, Any], checkpoint: Checkpoint) -> None:
    """The library would fill what is missing with random numbers; a person would see nonsense without a reason."""
    remedy = "config.json and the weights belong to different models, or are damaged: download the model again."
    if information["mismatched_keys"]:
        name, found, expected = sorted(information["mismatched_keys"])[0]
        raise _other_shape(name, list(found), list(expected))
    if information["missing_keys"]:
        missing = sorted(information["missing_keys"])
        raise UserError(f"{checkpoint.folder.name} lacks weights ({len(missing)}), first {missing[0]}.", remedy)


def _sizes(checkpoint: Checkpoint) -> dict[str, int]:
    """Bytes in the files of every tensor, by its name there."""
    headers = [read_header(shard) for shard in checkpoint.shards]
    spans = {name: entry["data_offsets"] for header in headers for name, entry in header.items()}
    return {name: int(end) - int(begin) for name, (begin, end) in spans.items()}


class _Counted:
    """Stands in for the library's progress bar over its weights: counts the bytes of each, prints nothing (a windowed
    program has no terminal)."""

    def __init__(self, items: Sequence[Any], sizes: Mapping[str, int], report: Report) -> None:
        self._items, self._report = items, report
        self._sizes = [sum(sizes.get(name, 0) for name in _names(item)) for item in items]

    def __iter__(self) -> Iterator[Any]:
        done, total = 0, sum(self._sizes)
        for item, size in zip(self._items, self._sizes, strict=True):
            self._report(done, total)
            yield item
            done += size
        self._report(total, total)


def _names(item: Any) -> set[str]:
    """The tensors in the files of which the library makes one weight. Where another version does not say, none: the
    total is then not known."""
    targets = getattr(item[1], "layer_targets", {}) if isinstance(item, tuple) else {}
    return {name for names in targets.values() for name in names}


@contextmanager
def _quiet(report: Report, sizes: Mapping[str, int]) -> Iterator[None]:
    """Routes the library's progress bar to `report` while a model loads. sizes: see `_sizes`.

    Its warnings are advice for programmers (install this kernel, those keys are unused) and stay off from here on.
    """
    from transformers.utils import logging as library

    def bar(factory: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return _Counted(list(args[0]), sizes, report) if args else library.EmptyTqdm(**kwargs)

    library.set_verbosity_error()
    previous = library.set_tqdm_hook(bar)
    library.set_verbosity_error()
    try:
        yield
    finally:
        library.set_tqdm_hook(previous)

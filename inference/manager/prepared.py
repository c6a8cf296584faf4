"""A model that is about to be loaded: all that can be known to be wrong with it is known before anything is freed."""

import math
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from inference.device import resolve_device
from inference.errors import UserError
from inference.events import LoadProgress
from inference.manager.folder import FolderReport, inspect
from inference.manager.spec import Spec
from inference.messages import Message
from inference.models.checkpoint import read_checkpoint, read_header
from inference.models.fused.architecture import Architecture
from inference.models.fused.model import FusedModel
from inference.models.fused.tensor_names import matrix_shapes
from inference.models.transformers_loader import check_transformers
from inference.settings import FourBit, LoadSettings
from inference.tokenizer import Tokenizer

_PROBE = Message("user", "?")


@dataclass(frozen=True)
class Prepared:
    """settings: as they were asked for."""

    spec: Spec
    folder: Path
    settings: LoadSettings
    tokenizer: Tokenizer


def prepare(spec: Spec, settings: LoadSettings) -> Generator[LoadProgress, None, Prepared]:
    """Look for the device, look at the files, read the vocabulary, try the template, and hold the weights against
    config.json.

    Raises UserError with the first thing that is wrong. Weights are not read.
    """
    folder = folder_of(spec)
    resolve_device(settings.device)
    report = inspect(folder)
    yield LoadProgress("tokenizer", detail=spec.name)
    tokenizer = Tokenizer.load(folder, settings.trust_remote_code)
    check_tokenizer(tokenizer, report)
    if is_fused(folder, settings):
        check_fused(folder)
    else:
        check_transformers(folder, settings.trust_remote_code)
    return Prepared(spec, folder, settings, tokenizer)


def folder_of(spec: Spec) -> Path:
    if spec.folder is None:
        raise UserError(f"{spec.name} is not on this machine.", "Download it first, or open a folder that holds it.")
    return spec.folder


def is_fused(folder: Path, settings: LoadSettings) -> bool:
    """Whether the fused decoder will hold it, and not the adapter.

    On a card its 4-bit weights are as FourBit has them from the start; those that were asked for otherwise the adapter
    holds.
    """
    s = settings
    known = s.implementation == "auto" and FusedModel.supports(folder, s.precision, s.device)
    if known and s.precision == "int4" and s.four_bit != FourBit() and resolve_device(s.device).type == "cuda":
        return False
    return known or s.implementation == "fused"


def check_fused(folder: Path) -> None:
    """Whether every matrix is there. Their shapes were looked at by `inspect`."""
    architecture = Architecture.read(folder)
    if architecture is None:
        return  # the decoder says so itself
    found = {name for shard in read_checkpoint(folder).shards for name in read_header(shard)}
    missing = [name for name in matrix_shapes(architecture) if name not in found]
    if missing:
        raise UserError(
            f"{folder.name} lacks weights ({len(missing)}), first {missing[0]}.", "Get the weights again, all of them."
        )


def check_tokenizer(tokenizer: Tokenizer, report: FolderReport) -> None:
    """Tokens without a row in the model would end a reply with an error. Added ones may exceed it as long as no chat
    contains them: some models were given a filler that nobody uses."""
    prompt = tokenizer.encode(tokenizer.template.prompt([_PROBE]))  # UserError for a template that cannot be used
    rows = report.vocabulary_size or math.inf
    words = (number for token, number in tokenizer.vocabulary.items() if token not in tokenizer.added_tokens)
    if max([*prompt, *words], default=0) >= rows:
        raise UserError(
            f"The tokenizer in {report.name} knows more tokens than the model has rows for ({rows}).",
            "Get tokenizer.json and the weights again, from the same place.",
        )

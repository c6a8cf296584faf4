"""Looks at a transformers folder before anything is loaded: is it whole, and what is it?

Costs milliseconds whatever the size of the model: configuration and headers are read, weights are not. Imports neither
torch nor transformers.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any

from inference.errors import UserError
from inference.manager.config_check import check_fit, check_numbers, text_config
from inference.manager.files import read_json
from inference.manager.safetensors_file import SafetensorsError, TensorEntry, read_header
from inference.manager.spec import Spec

_AGAIN = "Get the model's files again."
_TOKENIZERS = ("tokenizer.json", "tokenizer.model", "vocab.json", "tekken.json")
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
_CAUSAL = re.compile(r"(ForCausalLM|LMHeadModel|ForConditionalGeneration)$")
_LAYER = re.compile(r"\.(?:layers|h|blocks)\.(\d+)\.")
# Classes with ForConditionalGeneration are either chat models that also see (fine) or translators (not).
_TRANSLATORS = ("t5", "mt5", "umt5", "bart", "mbart", "pegasus", "marian", "whisper", "blenderbot", "m2m_100", "led")


@dataclass(frozen=True)
class FolderReport:
    """What a whole folder holds. architecture is the class, e.g. "LlamaForCausalLM"; sizes in bytes."""

    folder: Path
    name: str
    architecture: str
    model_type: str
    context_length: int
    size_bytes: int
    parameters: int
    dtype: str  # of most of the weights, in safetensors' words: "BF16"
    quantization: str  # the method in the configuration, "" for none
    has_chat_template: bool
    needs_remote_code: bool
    vocabulary_size: int = 0  # rows of the embeddings; 0: not known

    @property
    def spec(self) -> Spec:
        return Spec(
            str(self.folder),
            self.name,
            folder=self.folder,
            parameters=self.parameters,
            size_bytes=self.size_bytes,
            context_length=self.context_length,
        )


def inspect(folder: Path) -> FolderReport:
    """Raises UserError with one sentence on the first thing that is wrong."""
    with _in_words(folder):
        folder = folder.absolute()
        names, config, weights = _sized(folder)
        _check_tokenizer(folder, names)
        return _report(folder, names, config, weights)


def config_of(folder: Path) -> dict[str, Any]:
    """config.json of a folder whose weights are there and fit it. Raises UserError as `inspect` does, which takes the
    time to read the tokenizer too."""
    with _in_words(folder):
        return _sized(folder.absolute())[1]


def _sized(folder: Path) -> tuple[list[str], dict[str, Any], dict[str, TensorEntry]]:
    """Names of the files, configuration and weights."""
    names = sorted(path.name for path in folder.iterdir())
    _check_files(folder, names)
    config = _config(folder, names)
    weights = _weights(folder, names)
    check_numbers(config)
    _check_shapes(folder, config, weights)
    check_fit(config, weights)
    return names, config, weights


@contextmanager
def _in_words(folder: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        gone = Path(error.filename or folder)
        if not folder.exists():
            raise UserError(f"There is no folder {folder}.", "Choose the folder that holds the model.") from error
        raise UserError(f"{gone.name} is missing, or its link leads nowhere.", _AGAIN) from error
    except NotADirectoryError as error:
        raise UserError(f"{folder} is not a folder.", "Choose the folder that holds the model.") from error
    except PermissionError as error:
        raise UserError(f"{error.filename or folder} may not be read.", "Change its permissions.") from error
    except OSError as error:
        name = Path(error.filename or folder).name
        raise UserError(f"{name} could not be read: {error.strerror or error}.", _AGAIN) from error


def is_transformers_folder(folder: Path) -> bool:
    """A quick look, for lists: whether `inspect` has anything to say about it."""
    try:
        return (folder / "config.json").is_file()
    except OSError:
        return False


def looks_like_model(path: Path) -> bool:
    """Whether a person who drops this means a model, whole or not: a GGUF file, or a folder with weights."""
    kinds = {".gguf", ".safetensors", ".bin", ".pt", ".pth"}
    try:
        if not path.is_dir():
            return path.suffix.lower() == ".gguf"
        return is_transformers_folder(path) or any(one.suffix.lower() in kinds for one in path.iterdir())
    except OSError:
        return False


def _check_files(folder: Path, names: list[str]) -> None:
    """What is to be opened must be a file: opening a pipe would wait for ever. OSError for links that lead nowhere."""
    for name in names:
        if name.endswith((".json", ".safetensors", ".jinja", ".model", "merges.txt")) and not S_ISREG(
            (folder / name).stat().st_mode
        ):
            raise UserError(f"{name} is not a file.", _AGAIN)


def _json_object(path: Path) -> dict[str, Any]:
    try:
        value = read_json(path)
    except ValueError as error:
        if path.stat().st_size == 0:
            raise UserError(f"{path.name} is empty.", _AGAIN) from error
        if path.open("rb").read(8) == b"version ":
            raise UserError(f"{path.name} is only a pointer of Git LFS.", "Run `git lfs pull` there.") from error
        raise UserError(f"{path.name} is damaged: it is not valid JSON.", _AGAIN) from error
    if not isinstance(value, dict):
        raise UserError(f"{path.name} is damaged: it holds no settings.", _AGAIN)
    return value


def _config(folder: Path, names: list[str]) -> dict[str, Any]:
    if "config.json" not in names:
        if "adapter_config.json" in names:
            raise UserError("This folder holds only an adapter (LoRA).", "Merge it into its base model first.")
        if any(name.endswith(".gguf") for name in names):
            raise UserError("This folder holds GGUF files.", "Open the .gguf file itself.")
        raise UserError(
            f"{folder.name} is not a model: it has no config.json.", "Choose the folder that holds config.json."
        )
    config = _json_object(folder / "config.json")
    named = config.get("architectures")
    architecture = named[0] if isinstance(named, list) and named and isinstance(named[0], str) else ""
    kind = config.get("model_type")
    if not isinstance(kind, str) or not kind:
        raise UserError("config.json does not say what kind of model this is.", _AGAIN)
    if (architecture and not _CAUSAL.search(architecture)) or kind in _TRANSLATORS or config.get("is_encoder_decoder"):
        raise UserError(
            f"{folder.name} is a {architecture or kind}, which does not chat.", "Choose a causal language model."
        )
    return config


def _check_tokenizer(folder: Path, names: list[str]) -> None:
    if not any(name in names for name in _TOKENIZERS):
        raise UserError(f"{folder.name} has no tokenizer.", "Get tokenizer.json from where the model came from.")
    for name in ("tokenizer.json", "tokenizer_config.json", "generation_config.json", "special_tokens_map.json"):
        if name in names:
            content = _json_object(folder / name)
            if name == "tokenizer.json" and not isinstance(content.get("model"), dict):
                raise UserError("tokenizer.json is damaged: it holds no vocabulary.", _AGAIN)
    if "vocab.json" in names and "tokenizer.json" not in names and "merges.txt" not in names:
        raise UserError(f"{folder.name} has half a tokenizer: merges.txt is missing.", _AGAIN)


def _weights(folder: Path, names: list[str]) -> dict[str, TensorEntry]:
    """Every tensor of every shard."""
    index = "model.safetensors.index.json"
    if index in names and "model.safetensors" not in names:
        where = _json_object(folder / index).get("weight_map")
        if not isinstance(where, dict) or not where or not all(isinstance(shard, str) for shard in where.values()):
            raise UserError(f"{index} is damaged: it names no files.", _AGAIN)
        shards = sorted(set(where.values()))
    else:
        where = {}
        shards = [name for name in names if name.endswith(".safetensors")]
        shards = ["model.safetensors"] if "model.safetensors" in shards else shards
    if not shards:
        if any(name.endswith(_PICKLES) for name in names):
            raise UserError(
                f"{folder.name} holds its weights as pickles, which can run any code when they are opened.",
                "Get the same model with .safetensors files.",
            )
        raise UserError(f"{folder.name} has no weights.", "Get the model's .safetensors files.")
    tensors: dict[str, TensorEntry] = {}
    for i, shard in enumerate(shards, 1):
        part = f" (part {i} of {len(shards)})" if len(shards) > 1 else ""
        if Path(shard).name != shard or shard not in names:
            raise UserError(f"{shard}{part} is missing.", _AGAIN)
        try:
            entries = read_header(folder / shard)
        except SafetensorsError as error:
            remedy = "Run `git lfs pull` there." if "Git LFS" in str(error) else "Get this file again."
            raise UserError(f"{shard}{part} {error}.", remedy) from error
        lost = next((name for name, place in where.items() if place == shard and name not in entries), None)
        if lost is not None:
            raise UserError(f"{shard}{part} lacks the weight {lost}.", "Get this file again.")
        tensors |= entries
    if not tensors:
        raise UserError(f"{folder.name} has no weights: {shards[0]} holds none.", _AGAIN)
    return tensors


def _check_shapes(folder: Path, config: dict[str, Any], weights: dict[str, TensorEntry]) -> None:
    """The faults that would show only after minutes of loading: another model's weights, or some layers left out."""
    text = text_config(config)
    layers, vocabulary, hidden = (text.get(key) for key in ("num_hidden_layers", "vocab_size", "hidden_size"))
    found = {int(match[1]) for name in weights if (match := _LAYER.search(name))}
    if isinstance(layers, int) and found and len(found) < layers:
        lost = next(layer for layer in range(layers) if layer not in found)
        raise UserError(f"{folder.name} lacks the weights of layer {lost + 1} of {layers}.", _AGAIN)
    embedding = _embedding(weights)
    if embedding is None or not isinstance(vocabulary, int) or not isinstance(hidden, int):
        return
    if len(embedding.shape) == 2 and embedding.shape != (vocabulary, hidden):
        raise UserError(
            f"The weights in {folder.name} do not fit config.json: the embeddings are "
            f"{embedding.shape[0]} x {embedding.shape[1]} instead of {vocabulary} x {hidden}.",
            "Get config.json and the weights from the same place.",
        )


def _embedding(weights: dict[str, TensorEntry]) -> TensorEntry | None:
    return next((entry for name, entry in weights.items() if name.endswith("embed_tokens.weight")), None)


def _rows(weights: dict[str, TensorEntry]) -> int:
    embedding = _embedding(weights)
    return embedding.shape[0] if embedding is not None and len(embedding.shape) == 2 else 0


def _report(folder: Path, names: list[str], config: dict[str, Any], weights: dict[str, TensorEntry]) -> FolderReport:
    text = text_config(config)
    sizes = Counter[str]()
    for entry in weights.values():
        sizes[entry.dtype] += entry.end - entry.begin
    named = config.get("architectures")
    context = text.get("max_position_embeddings")
    remote = config.get("auto_map")
    quantization = config.get("quantization_config")
    template = "chat_template.jinja" in names or "chat_template.json" in names
    if not template and "tokenizer_config.json" in names:
        template = bool(_json_object(folder / "tokenizer_config.json").get("chat_template"))
    return FolderReport(
        folder=folder,
        name=display_name(folder),
        architecture=named[0] if isinstance(named, list) and named else "",
        model_type=config["model_type"],
        context_length=context if isinstance(context, int) else 0,
        size_bytes=sizes.total(),
        parameters=sum(entry.elements for entry in weights.values()),
        dtype=sizes.most_common(1)[0][0],
        quantization=str(quantization.get("quant_method", "")) if isinstance(quantization, dict) else "",
        has_chat_template=template,
        needs_remote_code=isinstance(remote, dict) and "AutoModelForCausalLM" in remote,
        vocabulary_size=_rows(weights),
    )


def display_name(folder: Path) -> str:
    """The folder's name; for a snapshot in a hub cache (models--org--name/snapshots/<hash>) the model's."""
    if folder.parent.name == "snapshots" and folder.parents[1].name.startswith("models--"):
        return folder.parents[1].name.split("--")[-1]
    return folder.name


def resolve(path: Path) -> Path:
    """The folder a person meant: a hub cache entry stands for its only snapshot."""
    snapshots = path / "snapshots"
    if not (path / "config.json").exists() and snapshots.is_dir():
        found = [folder for folder in snapshots.iterdir() if is_transformers_folder(folder)]
        if len(found) == 1:
            return found[0]
    return path

"""What is told while weights are read or packed: bytes, however they are loaded."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from inference.events import Stage
from inference.loading import Report
from inference.manager.gguf_conversion import convert
from inference.manager.safetensors_file import read_header
from inference.models.fused import packing
from inference.models.fused.architecture import Architecture
from inference.models.fused.model import FusedModel
from inference.models.fused.static_decoder import load_static
from inference.models.transformers_model import TransformersModel
from inference.native.library import load
from tests.inference.manager.tiny_gguf import write_tiny_llama

Seen = list[tuple[Stage, int, int]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wide enough for the native kernels."""
    import transformers

    config = transformers.LlamaConfig(
        vocab_size=300, hidden_size=64, intermediate_size=96, num_hidden_layers=3, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=512,
    )  # fmt: skip
    torch.manual_seed(0)
    path = tmp_path_factory.mktemp("wide") / "model"
    transformers.LlamaForCausalLM(config).save_pretrained(str(path))
    return path


def stored(file: Path) -> int:
    """Bytes of all its tensors."""
    return sum(entry.end - entry.begin for entry in read_header(file).values())


def seen_by(read: Callable[[Report], Any]) -> Seen:
    seen: Seen = []
    read(lambda done, total, stage="weights": seen.append((stage, done, total)))
    return seen


def spans(seen: Seen, stage: Stage) -> list[int]:
    """The bytes done, which only grow and end at the one total that is told."""
    done = [done for kind, done, _ in seen if kind == stage]
    assert done == sorted(done) and len(set(done)) > 3
    assert {total for kind, _, total in seen if kind == stage} == {done[-1]}
    return done


def static(folder: Path, precision: str, report: Report) -> Any:
    architecture = Architecture.read(folder)
    assert architecture is not None
    return load_static(folder, architecture, precision, torch.device("cpu"), 512, report=report)


FROM_SAFETENSORS: dict[str, Callable[[Path, Report], Any]] = {
    "fused": lambda folder, report: FusedModel.load(folder, "float32", "cpu", 512, report),
    "card": lambda folder, report: static(folder, "bfloat16", report),
    "card nf4": lambda folder, report: static(folder, "int4", report),
    "adapter": lambda folder, report: TransformersModel.load(folder, "float32", "cpu", 512, report=report),
    "adapter nf4": lambda folder, report: TransformersModel.load(folder, "int4", "cpu", 512, report=report),
}


@pytest.mark.parametrize("how", FROM_SAFETENSORS)
def test_reading_tells_the_bytes_of_the_files(folder: Path, how: str) -> None:
    seen = seen_by(lambda report: FROM_SAFETENSORS[how](folder, report))
    assert spans(seen, "weights")[-1] == stored(folder / "model.safetensors")


def test_packing_tells_the_bytes_of_the_source_and_then_those_it_reads(folder: Path) -> None:
    assert load() is not None
    first = seen_by(lambda report: FusedModel.load(folder, "int4", "cpu", 512, report))
    assert spans(first, "pack")[-1] == stored(folder / "model.safetensors")
    assert spans(first, "weights")[-1] == stored(packing.packed_file(folder, "int4"))
    again = seen_by(lambda report: FusedModel.load(folder, "int4", "cpu", 512, report))
    assert [one for one in first if one[0] == "weights"] == again


def test_packing_blocks_tells_the_bytes_of_the_gguf(tmp_path: Path) -> None:
    assert load() is not None
    write_tiny_llama(tmp_path / "tiny.gguf", "Q4_0")
    converted = list(convert(tmp_path / "tiny.gguf", tmp_path / "model"))
    seen = seen_by(lambda report: FusedModel.load(tmp_path / "model", "auto", "cpu", 512, report))
    assert spans(seen, "pack")[-1] == converted[-1].total


def test_packing_without_a_place_to_keep_it(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError("no room")

    monkeypatch.setattr(packing, "_write", full)
    own = shutil.copytree(folder, tmp_path / "own")
    seen = seen_by(lambda report: FusedModel.load(own, "int4", "cpu", 512, report))
    assert spans(seen, "pack")[-1] == stored(folder / "model.safetensors")

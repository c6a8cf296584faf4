"""Files of weights that are cut while they are read, or while the model is loaded: no map that ends the process."""

import shutil
import sys
from pathlib import Path

import pytest
import torch

from inference.errors import UserError
from inference.manager.gguf_conversion import convert
from inference.manager.gguf_file import GgufFile
from inference.models.fused.model import FusedModel
from inference.models.fused.source import EMBEDDING, open_source
from tests.inference.manager.tiny_gguf import write_tiny_llama
from tests.inference.models.test_fused_model import TinyFactory


def cut(path: Path) -> None:
    """In place, as a copy over it would."""
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 8)


def test_safetensors(tiny: TinyFactory, tmp_path: Path) -> None:
    folder = shutil.copytree(tiny("llama"), tmp_path / "cut")
    with open_source(folder) as source:
        before = source.matrix(EMBEDDING)
        kept = before.clone()
        cut(folder / "model.safetensors")
        assert torch.equal(before, kept)  # what was read is ours
        with pytest.raises(UserError, match="became shorter"):
            for name in source.names:
                source.matrix(name)


def test_gguf(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    write_tiny_llama(path, "Q4_0")
    with GgufFile(path) as file:
        cut(path)
        with pytest.raises(UserError, match="became shorter"):
            for tensor in file.tensors.values():
                tensor.dequantize()


def test_a_conversion_of_a_file_that_is_cut_leaves_no_model(tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    write_tiny_llama(path, "Q4_0")
    steps = convert(path, tmp_path / "model")
    next(steps)
    cut(path)
    with pytest.raises(UserError, match="became shorter"):
        list(steps)
    assert not (tmp_path / "model" / "config.json").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the maps of the process as Linux shows them")
@pytest.mark.parametrize("precision", ["float32", "bfloat16", "int8"])
def test_a_loaded_model_maps_no_file(tiny: TinyFactory, tmp_path: Path, precision: str) -> None:
    folder = shutil.copytree(tiny("llama"), tmp_path / "mapped here")
    model = FusedModel.load(folder, precision, "cpu", 512)  # type: ignore[arg-type]
    assert str(folder) not in Path("/proc/self/maps").read_text()
    cut(folder / "model.safetensors")
    assert model.forward([1, 2, 3], model.new_cache()).isfinite().all()

"""The fused model on the native kernels: packing, what is kept on disk, and the promise of independent rows."""

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch

from inference.manager.gguf_conversion import convert
from inference.manager.store import MARKER
from inference.models.fused import packing
from inference.models.fused.architecture import Architecture
from inference.models.fused.model import FusedModel, choose_precision
from inference.models.fused.native_decoder import NativeDecoder, native_fits
from inference.models.fused.source import open_source
from inference.models.transformers_model import TransformersModel
from inference.native.library import load
from inference.native.weights import unpack
from inference.plan.model_shape import shape_in
from tests.inference.manager.tiny_gguf import write_tiny_llama
from tests.inference.models.test_fused_model import read, tokens

KINDS = ("llama", "qwen2", "qwen3", "smollm3", "gemma3")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path / "home"))
    assert load() is not None, "these tests need the native kernels: g++ or clang++, and a processor they know"
    return tmp_path / "home"


@pytest.fixture(scope="module")
def gguf_folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """gguf_folder(quantization) -> a converted folder with its source.gguf. Read only."""
    made: dict[str, Path] = {}

    def make(quantization: str) -> Path:
        if quantization not in made:
            base = tmp_path_factory.mktemp(quantization)
            write_tiny_llama(base / "tiny.gguf", quantization)
            list(convert(base / "tiny.gguf", base / "model"))
            made[quantization] = base / "model"
        return made[quantization]

    return make


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """wide(kind) -> a random model with heads of 16 values, which the kernels take. Read only."""
    import transformers

    configs: dict[str, Any] = {
        "llama": transformers.LlamaConfig, "qwen2": transformers.Qwen2Config, "qwen3": transformers.Qwen3Config,
        "smollm3": transformers.SmolLM3Config, "gemma3": transformers.Gemma3TextConfig,
    }  # fmt: skip
    made: dict[str, Path] = {}

    def make(kind: str) -> Path:
        if kind not in made:
            made[kind] = tmp_path_factory.mktemp(kind)
            sizes: dict[str, Any] = {
                "vocab_size": 301, "hidden_size": 80, "intermediate_size": 176, "num_hidden_layers": 2,
                "num_attention_heads": 5, "num_key_value_heads": 1, "max_position_embeddings": 1024,
            }  # fmt: skip
            sizes |= {} if kind in ("qwen2", "smollm3") else {"head_dim": 16}
            extra: dict[str, Any] = {
                "smollm3": {"no_rope_layers": [1, 0], "pad_token_id": 0, "bos_token_id": 0, "eos_token_id": 2},
                "gemma3": {
                    "sliding_window": 12, "query_pre_attn_scalar": 16,
                    "layer_types": ["sliding_attention", "full_attention"],
                },
            }.get(kind, {})  # fmt: skip
            with torch.random.fork_rng():
                torch.manual_seed(7)
                model = transformers.AutoModelForCausalLM.from_config(configs[kind](**sizes, **extra))
                for name, parameter in model.named_parameters():
                    parameter.data = torch.randn(parameter.shape) * (0.3 if "norm" in name or "bias" in name else 0.12)
            model.save_pretrained(str(made[kind]))
        return made[kind]

    return make


def native(folder: Path, precision: Any = "int4", group: int = 32) -> FusedModel:
    model = FusedModel.load(folder, precision, "cpu", 512, int4_group=group)
    assert isinstance(model._decoder, NativeDecoder)
    return model


def error(found: torch.Tensor, expected: torch.Tensor) -> float:
    return float((found - expected).norm() / expected.norm())


@pytest.mark.parametrize("kind", KINDS)
def test_int8_is_near_the_adapter_in_float32(wide: Any, kind: str) -> None:
    """Rotation, norms, windows, biases, layers without positions: a mistake in any would be far beyond rounding."""
    text = tokens(60)
    expected = read(TransformersModel.load(wide(kind), "float32", "cpu", 512), text, [60])
    assert error(read(native(wide(kind), "int8"), text, [60]), expected) < 0.03


# precision, weights that share a scale, bits of keys and values
FORMATS = [("int8", 32, 16), ("int4", 32, 2), ("int4", 64, 16), ("int4", 128, 16)]


@pytest.mark.parametrize(
    ("kind", "precision", "group", "bits"),
    [(kind, *form) for kind in KINDS for form in (FORMATS if kind == "llama" else FORMATS[:2])],
)
def test_a_row_does_not_depend_on_its_neighbours(wide: Any, kind: str, precision: str, group: int, bits: int) -> None:
    model, text = native(wide(kind), precision, group), tokens(300, seed=3)
    model.cache_bits = bits
    whole = read(model, text, [300])
    for sizes in ([1], [5], [9], [2, 3, 1, 17, 64]):
        assert torch.equal(read(model, text, sizes), whole), sizes


def test_rolling_back_leaves_no_trace(wide: Any) -> None:
    model, text = native(wide("gemma3")), tokens(60)
    expected = read(model, text, [1])
    cache = model.new_cache()
    model.forward(text[:30], cache)
    for start in range(30, 59):
        model.forward([text[start], *tokens(5, seed=start)], cache, 6)
        cache.truncate(start + 1)
        twin = cache.copy(start + 1)
        found = model.forward([text[start + 1]], twin)
        assert torch.equal(found[0], expected[start + 1])


@pytest.mark.parametrize("quantization", ["Q4_0", "Q4_1", "Q5_0", "Q8_0"])
def test_blocks_of_a_gguf_are_taken_exactly(gguf_folder: Any, quantization: str) -> None:
    """Against the converted floats of the same blocks, which are rounded to half precision."""
    folder, text = gguf_folder(quantization), tokens(40, high=250)
    blocks = native(folder, "int4" if quantization.startswith("Q4") else "int8")
    assert isinstance(blocks._decoder, NativeDecoder)
    layer = blocks._decoder.model.weights.layers[0]
    with open_source(folder) as source:
        for part in ("query", "key", "value", "output", "gate", "up", "down"):
            place = "mlp" if part in ("gate", "up", "down") else "self_attn"
            floats = source.matrix(f"model.layers.0.{place}.{part if place == 'mlp' else part[0]}_proj.weight").float()
            torch.testing.assert_close(unpack(getattr(layer, part)), floats, rtol=2**-10, atol=1e-6)
    expected = read(TransformersModel.load(folder, "float32", "cpu", 64), text, [40])
    assert error(read(blocks, text, [40]), expected) < 0.2  # attention of these weights is sharp, rounding shows
    # int8 of a 4-bit file loses nothing: the same blocks.
    assert torch.equal(read(native(folder, "int8"), text, [40]), read(blocks, text, [40]))


def test_int4_of_a_finer_gguf_is_packed_from_its_floats(gguf_folder: Any) -> None:
    folder = gguf_folder("Q8_0")
    assert native(folder, "int4").nbytes < native(folder, "int8").nbytes


def test_what_auto_means(gguf_folder: Any, wide: Any) -> None:
    def chosen(folder: Path, kernels: bool = True, parameters: int = 0) -> str:
        architecture = Architecture.read(folder)
        assert architecture is not None
        if parameters:
            object.__setattr__(architecture, "vocabulary_size", parameters // architecture.hidden_size)
        return choose_precision("auto", torch.device("cpu"), folder, architecture, load() if kernels else None)

    assert chosen(gguf_folder("Q4_0")) == "int4"
    assert chosen(gguf_folder("Q5_0")) == "int8"
    assert chosen(gguf_folder("Q8_0")) == "int8"
    assert chosen(gguf_folder("Q8_0"), parameters=7_000_000_000) == "int8"
    assert chosen(wide("llama")) in ("int8", "bfloat16", "float32")
    assert chosen(wide("llama"), parameters=1_500_000_000) == "int4"
    assert chosen(wide("llama"), kernels=False) in ("bfloat16", "float32")
    assert native(gguf_folder("Q4_0"), "auto").description.startswith("fused, int4, ")
    for precision, form in (("auto", "int5"), ("int8", "int5"), ("int4", "int4")):
        assert native(gguf_folder("Q5_0"), precision).description.startswith(f"fused, {form}, ")


@pytest.mark.parametrize("quantization", ["Q4_0", "Q5_0", "Q8_0"])
def test_blocks_take_the_memory_that_is_planned_for_them(gguf_folder: Any, quantization: str) -> None:
    shape = shape_in(gguf_folder(quantization))
    assert shape.packed_blocks == native(gguf_folder(quantization), "auto").nbytes + 4 * shape.vectors


def test_packed_weights_are_kept_and_read_again(wide: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = tokens(20)
    expected = read(native(wide("qwen2")), text, [20])
    (kept,) = home.rglob("int4-*.safetensors")

    monkeypatch.setattr(packing, "_pack", None)  # not called again
    assert torch.equal(read(native(wide("qwen2")), text, [20]), expected)
    assert kept.exists()


@pytest.mark.parametrize("damage", [lambda data: data[:-100], lambda data: b"", lambda data: b"\0" * 8 + data[8:]])
def test_a_damaged_packed_file_is_made_again(wide: Any, home: Path, damage: Any) -> None:
    text = tokens(20)
    expected = read(native(wide("llama")), text, [20])
    (kept,) = home.rglob("*.safetensors")
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    assert torch.equal(read(native(wide("llama")), text, [20]), expected)
    assert kept.read_bytes() == whole


def test_changed_weights_are_packed_anew_and_the_old_file_goes(wide: Any, home: Path, tmp_path: Path) -> None:
    folder, text = tmp_path / "changing", tokens(20)
    shutil.copytree(wide("llama"), folder)
    before = read(native(folder), text, [20])
    (old,) = home.rglob("*.safetensors")
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    tensors["model.norm.weight"] = tensors["model.norm.weight"] * 2
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    after = read(native(folder), text, [20])
    assert error(after, 2 * before) < 0.02
    (new,) = home.rglob("*.safetensors")
    assert new != old


def test_packed_weights_lie_with_a_model_of_our_own(wide: Any, tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "own"
    shutil.copytree(wide("llama"), folder)
    (folder / MARKER).write_text("{}")
    native(folder)
    assert len(list((folder / "packed").glob("*.safetensors"))) == 1
    assert not list(home.rglob("*.safetensors"))


def test_a_disk_that_takes_nothing_is_no_obstacle(wide: Any, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "cache").write_text("a file where a folder should be")
    text = tokens(20)
    found = read(native(wide("llama"), "int8"), text, [20])
    (home / "cache").unlink()
    assert torch.equal(read(native(wide("llama"), "int8"), text, [20]), found)


def test_what_the_kernels_cannot_compute_is_left_to_torch(wide: Any, tmp_path: Path) -> None:
    folder = tmp_path / "capped"
    shutil.copytree(wide("gemma3"), folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"final_logit_softcapping": 5.0}))
    architecture = Architecture.read(folder)
    assert architecture is not None
    assert not native_fits(architecture)
    model = FusedModel.load(folder, "int8", "cpu", 512)
    assert not isinstance(model._decoder, NativeDecoder)
    assert float(model.forward(tokens(9), model.new_cache()).abs().max()) <= 5.0


def test_every_instruction_set_gives_the_same_bits(wide: Any) -> None:
    library = load()
    assert library is not None
    best, text = library.instruction_set, tokens(30)
    expected, coarse = read(native(wide("qwen3")), text, [7]), read(native(wide("qwen3"), "int4", 128), text, [7])
    tried = []
    try:
        for name, threads in itertools.product(("scalar", "avx2", "avx512vnni", "neon"), (1, 2)):
            try:
                library.use(name)
            except ValueError:
                continue  # not of this processor
            library.threads = threads
            tried.append(name)
            assert torch.equal(read(native(wide("qwen3")), text, [7]), expected), (name, threads)
            assert torch.equal(read(native(wide("qwen3"), "int4", 128), text, [7]), coarse), (name, threads)
    finally:
        library.use(best)
    assert {"scalar", best} <= set(tried)


def test_larger_groups_take_less_memory_and_are_kept_beside_each_other(
    wide: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = tokens(20)
    expected = read(TransformersModel.load(wide("llama"), "float32", "cpu", 512), text, [20])
    groups = (32, 64, 128)
    models = [native(wide("llama"), "int4", group) for group in groups]
    assert sorted({model.nbytes for model in models}, reverse=True) == [model.nbytes for model in models]
    assert "int4," in models[0].description and "int4 in groups of 128," in models[2].description
    found = [read(model, text, [20]) for model in models]
    assert all(error(one, expected) < 0.4 for one in found) and not torch.equal(found[0], found[1])
    kept = sorted(path.name.split("-")[0] for path in home.rglob("*.safetensors"))
    assert kept == ["int4", "int4_128", "int4_64"]
    monkeypatch.setattr(packing, "_pack", None)  # none is packed again
    for group, before in zip(groups, found, strict=True):
        assert torch.equal(read(native(wide("llama"), "int4", group), text, [20]), before)


def test_blocks_of_a_gguf_have_no_other_groups(gguf_folder: Any) -> None:
    folder = gguf_folder("Q4_1")
    assert native(folder, "int4", 128).nbytes == native(folder, "int4").nbytes
    finer = gguf_folder("Q8_0")
    assert native(finer, "int4", 128).nbytes < native(finer, "int4").nbytes


def test_a_damaged_gguf_gives_way_to_the_floats(gguf_folder: Any, tmp_path: Path) -> None:
    folder, text = tmp_path / "damaged", tokens(20, high=250)
    shutil.copytree(gguf_folder("Q4_1"), folder)
    expected = read(native(folder, "auto"), text, [20])
    source = folder / "source.gguf"
    source.write_bytes(source.read_bytes()[:2000])
    found = FusedModel.load(folder, "auto", "cpu", 512)
    assert found.precision in ("int8", "bfloat16", "float32"), "int4 only as the file's own blocks"
    assert error(read(found, text, [20]), expected) < 0.2

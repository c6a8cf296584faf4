"""GGUF files that cannot become a model: refused, and what is wrong is named."""

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import gguf
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file

from inference.errors import UserError
from inference.manager import gguf_file
from inference.manager.gguf_file import GgufFile
from inference.manager.whole_reads import read_into
from tests.inference.manager import tiny_gguf
from tests.inference.manager.test_gguf_conversion import SIZES, run, write_model


def write_odd(path: Path, architecture: str, metadata: Callable[[gguf.GGUFWriter], None]) -> None:
    writer = gguf.GGUFWriter(path, architecture)
    tiny_gguf.add_sizes(writer, SIZES)
    metadata(writer)
    writer.add_tensor("token_embd.weight", np.zeros((8, 64), dtype=np.float32))
    tiny_gguf.finish(writer)


@pytest.mark.parametrize("architecture", ["mamba", "phi3", "qwen35", "gpt2"])
def test_an_unknown_architecture_is_refused_by_name(tmp_path: Path, architecture: str) -> None:
    write_odd(tmp_path / "t.gguf", architecture, tiny_gguf.add_byte_level_tokenizer)
    with pytest.raises(UserError, match=f"the {architecture} architecture") as caught:
        run(tmp_path / "t.gguf", tmp_path / "m")
    assert "qwen3" in caught.value.remedy
    assert not (tmp_path / "m").exists()


def test_experts_are_refused(tmp_path: Path) -> None:
    write_odd(tmp_path / "t.gguf", "llama", lambda writer: writer.add_expert_count(8))
    with pytest.raises(UserError, match="llama with experts architecture"):
        run(tmp_path / "t.gguf", tmp_path / "m")


def test_layers_that_are_missing_are_named(tmp_path: Path) -> None:
    write_odd(tmp_path / "t.gguf", "qwen3", tiny_gguf.add_byte_level_tokenizer)
    with pytest.raises(UserError, match=r"lacks output_norm\.weight"):
        run(tmp_path / "t.gguf", tmp_path / "m")


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        (lambda writer: writer.add_tensor("blk.0.attn_sinks.weight", np.zeros(4, np.float32)), "attn_sinks"),
        (lambda writer: writer.add_tensor("rope_freqs.weight", np.ones(7, np.float32)), "scales positions"),
        (lambda writer: writer.add_tensor("rope_freqs.weight", np.zeros(8, np.float32)), "scales positions"),
        (lambda writer: writer.add_tensor("rope_freqs.weight", np.full(8, np.nan, np.float32)), "scales positions"),
        (lambda writer: writer.add_rope_dimension_count(8), "heads of a shape"),
    ],
)
def test_what_would_be_silently_wrong_is_refused(
    tmp_path: Path, metadata: Callable[[gguf.GGUFWriter], None], said: str
) -> None:
    write_model(tmp_path / "t.gguf", "llama", metadata=metadata)
    with pytest.raises(UserError, match=said):
        run(tmp_path / "t.gguf", tmp_path / "m")


def test_a_shape_that_does_not_fit_is_named(tmp_path: Path) -> None:
    model = write_model(tmp_path / "t.gguf", "qwen2")
    del model
    raw = (tmp_path / "t.gguf").read_bytes()
    key = b"qwen2.feed_forward_length"
    place = raw.index(key) + len(key) + 4
    (tmp_path / "t.gguf").write_bytes(raw[:place] + (64).to_bytes(4, "little") + raw[place + 4 :])
    with pytest.raises(UserError, match=r"blk\.0\.ffn_\w+\.weight a shape"):
        run(tmp_path / "t.gguf", tmp_path / "m")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny") / "t.gguf"
    tiny_gguf.write_tiny_llama(path, "Q4_0")
    return path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a GGUF file|could not be read"),
        (b"GG", "not a GGUF file"),
        (b"\x80\x04pickle", "not a GGUF file"),
        (b"GGUF", "damaged or cut off"),
        (b"GGUF\x01\0\0\0", "version 1"),
        (b"GGUF\0\0\0\x03", "big-endian"),
        (b"GGUF\x03\0\0\0" + b"\xff" * 16, "damaged or cut off"),
        (b"GGUF\x03\0\0\0" + (1 << 62).to_bytes(8, "little") + bytes(8), "damaged or cut off"),
    ],
)
def test_what_is_no_gguf(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "t.gguf").write_bytes(content)
    with pytest.raises(UserError, match=said):
        GgufFile(tmp_path / "t.gguf")


def test_a_part_of_a_split_model_is_named(tmp_path: Path) -> None:
    write_odd(tmp_path / "t.gguf", "llama", lambda writer: writer.add_uint16("split.count", 3))
    with pytest.raises(UserError, match="one part"):
        GgufFile(tmp_path / "t.gguf")


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_a_cut_or_changed_file_gives_a_sentence_or_a_model(
    data: st.DataObject, tiny: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = tiny.read_bytes()
    raw = bytearray(whole)
    place = data.draw(st.integers(0, 700) | st.integers(0, len(raw) - 1))  # more often among the numbers at the start
    if data.draw(st.booleans()):
        raw = raw[:place]
    else:
        raw[place] = data.draw(st.integers(0, 255))
    converted = a_sentence_or_a_model(raw, tmp_path_factory.mktemp("damaged"))
    assert not converted or len(raw) >= len(whole) - 32  # the last tensor may be followed by padding


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Bytes of every read of a GGUF file from here on."""
    sizes: list[int] = []

    def counted(file: BinaryIO, offset: int, target: memoryview) -> None:
        sizes.append(len(target))
        read_into(file, offset, target)

    monkeypatch.setattr(gguf_file, "read_into", counted)
    return sizes


def test_of_a_cut_file_no_more_is_read_than_its_head(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: list[int]
) -> None:
    """A download that broke off may be larger than memory."""
    raw = tiny.read_bytes()
    with GgufFile(tiny) as file:
        head = raw.index(file.tensors["token_embd.weight"].data[:].tobytes())
    (tmp_path / "t.gguf").write_bytes(raw[: len(raw) // 2])
    monkeypatch.setattr(gguf_file, "_HEAD", head)
    reads.clear()
    with pytest.raises(UserError, match="ends after the file"):
        GgufFile(tmp_path / "t.gguf")
    assert reads == [head] and head < len(raw) // 2


def test_a_long_head_is_read_to_its_end(tiny: Path, monkeypatch: pytest.MonkeyPatch, reads: list[int]) -> None:
    monkeypatch.setattr(gguf_file, "_HEAD", 100)
    with GgufFile(tiny) as file:
        assert len(file.tensors) > 1 and reads[:2] == [100, 800]
    monkeypatch.setattr(gguf_file, "_LONGEST_HEAD", 1000)
    with pytest.raises(UserError, match="damaged"):
        GgufFile(tiny)
    assert max(reads[-3:]) == 1000


def test_rows_in_an_order_are_read_from_the_first_of_them(tiny: Path, reads: list[int]) -> None:
    with GgufFile(tiny) as file:
        blocks = file.tensors["blk.0.ffn_up.weight"].data
        whole = blocks[:]
        reads.clear()
        order = np.array([9, 7, 8, 8])
        assert np.array_equal(blocks[order], whole[order]) and reads == [3 * blocks.shape[1]]
        assert blocks[order[:0]].shape == (0, blocks.shape[1])


def test_a_scale_beyond_float16_gives_a_model(tiny: Path, tmp_path: Path) -> None:
    raw = bytearray(tiny.read_bytes())
    with GgufFile(tiny) as file:
        place = raw.index(file.tensors["blk.0.ffn_up.weight"].data[:].tobytes())
    raw[place + 1] = 0x70  # the high byte of a block's scale: values up to 2 ** 16
    assert a_sentence_or_a_model(raw, tmp_path)
    weights = load_file(tmp_path / "m" / "model.safetensors")
    assert weights["model.layers.0.mlp.up_proj.weight"].dtype == torch.bfloat16


def a_sentence_or_a_model(raw: bytes, folder: Path) -> bool:
    """Whether the file became a model that can be read; if not, that its fault was named and no model is left."""
    (folder / "t.gguf").write_bytes(raw)
    try:
        run(folder / "t.gguf", folder / "m")
    except UserError as error:
        assert error.message and not (folder / "m" / "config.json").exists()
        return False
    return bool(load_file(folder / "m" / "model.safetensors"))

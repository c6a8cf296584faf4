"""The binding: values, rows that know nothing of each other, refusals, and finding the library."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Type

from inference.native import build
from inference.native.gguf_blocks import pack_gguf
from inference.native.library import Library
from inference.native.native_model import Heads, Rotary
from inference.native.page_cache import PageCache
from inference.native.tiles import int5_tiles, int8_tiles
from inference.native.weights import Format, PackedMatrix, pack_int4, pack_int8, unpack
from tests.inference.native.test_weights import random_blocks


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def matrices(outputs: int, inputs: int) -> list[PackedMatrix]:
    """One of every format that takes so many inputs."""
    found = [pack_int4(normal(outputs, inputs), kind=kind) for kind in (Format.INT4, Format.INT4_64, Format.INT4_128)]
    found.append(pack_int8(normal(outputs, inputs), normal(outputs, seed=3)))
    if inputs % 32 == 0:
        found.append(pack_gguf(random_blocks(Type.Q5_0, outputs, inputs, (0,)), Type.Q5_0, outputs, inputs))
    if inputs % 256 == 0:
        for kind, halves in ((Type.Q4_K, (0, 2)), (Type.Q6_K, (208,))):
            found.append(pack_gguf(random_blocks(kind, outputs, inputs, halves), kind, outputs, inputs))
    return found


def test_products_are_near_those_of_floats(library: Library) -> None:
    x = normal(9, 512, seed=1)
    for matrix in matrices(50, 512):
        bias = 0 if matrix.bias is None else matrix.bias
        wanted = x @ unpack(matrix).T + bias
        got = library.matmul(matrix, library.quantize(x))
        assert (got - wanted).norm() < 0.008 * wanted.norm()
        again = library.matmul(matrix, library.quantize(x), out=got.clone(), accumulate=True)
        assert torch.allclose(again, 2 * got, rtol=1e-6)


@pytest.mark.parametrize("name", ["avx512vnni", "avx2", "neon", "scalar"])
def test_a_row_does_not_depend_on_its_neighbours(library: Library, name: str) -> None:
    best = library.instruction_set
    if name != "scalar" and name not in {"avx512vnni": ("avx512vnni", "avx2")}.get(best, (best,)):
        with pytest.raises(ValueError, match="no"):
            library.use(name)
        return
    x = normal(40, 256, seed=1)
    for matrix in matrices(33, 256):
        wanted = library.matmul(matrix, library.quantize(x))
        library.use(name)
        for count in (1, 2, 3, 5, 6, 7, 8, 9, 16, 17):
            assert torch.equal(library.matmul(matrix, library.quantize(x[:count])), wanted[:count])
        library.use(best)


@pytest.mark.parametrize("scale", [2.0**-24, 0.01, 60000.0])
def test_int5_multiplies_as_int8_does(library: Library, scale: float) -> None:
    """In every bit: how a file's blocks are held changes nothing that is said."""
    outputs, inputs = 40, 96
    q = np.random.default_rng(1).integers(0, 32, (outputs, inputs // 32, 32), dtype=np.uint8)
    halves = np.full(q.shape[:2], scale, np.float16)
    five = PackedMatrix(torch.from_numpy(int5_tiles(q, halves)), outputs, inputs, Format.INT5)
    signed = q.astype(np.int8) - np.int8(16)
    eight = PackedMatrix(torch.from_numpy(int8_tiles(signed, halves)), outputs, inputs, Format.INT8)
    assert torch.equal(unpack(five), unpack(eight))
    assert torch.equal(library.embed(five, range(outputs)), library.embed(eight, range(outputs)))
    for rows in (1, 4, 8, 13):
        x = library.quantize(normal(rows, inputs))
        assert torch.equal(library.matmul(five, x), library.matmul(eight, x))


def test_norm_is_the_textbook_one(library: Library) -> None:
    x, weight = normal(5, 70), normal(70, seed=1)
    wanted = torch.nn.functional.rms_norm(x, (70,), weight, 1e-5)
    assert torch.allclose(library.norm(x, weight, 1e-5), wanted, rtol=1e-5, atol=1e-6)
    fused, apart = library.norm_quantize(x, weight, 1e-5), library.quantize(library.norm(x, weight, 1e-5))
    assert torch.equal(fused.data, apart.data)


def test_gated_products_feed_the_next(library: Library) -> None:
    gate, up, down = pack_int8(normal(90, 64)), pack_int8(normal(90, 64, seed=1)), pack_int8(normal(20, 90, seed=2))
    x = normal(3, 64, seed=4) / 8
    inner = torch.nn.functional.silu(x @ unpack(gate).T) * (x @ unpack(up).T)
    wanted = inner @ unpack(down).T
    got = library.matmul(down, library.gate_up(gate, up, library.quantize(x)))
    assert (got - wanted).norm() < 0.02 * wanted.norm()


def test_embedding_rows_are_those_of_the_table(library: Library) -> None:
    for table in matrices(50, 256):
        got = library.embed(table, [3, 49, 3], 2.0)
        assert torch.allclose(got, 2.0 * unpack(table)[[3, 49, 3]], rtol=1e-6, atol=1e-7)
        with pytest.raises(ValueError, match="refuse"):
            library.embed(table, [50])


def heads(size: int = 32, window: int = 0) -> Heads:
    angles = torch.arange(400).float()[:, None] / 100 ** (torch.arange(size // 2) / (size // 2))
    return Heads(6, 2, size, size**-0.5, Rotary(angles.cos(), angles.sin()), window)


@pytest.mark.parametrize("window", [0, 20])
def test_attention_agrees_with_torch(library: Library, window: int) -> None:
    settings = heads(window=window)
    assert settings.rotary is not None
    q, k, v = normal(300, 192), normal(300, 64, seed=1), normal(300, 64, seed=2)
    cos = torch.cat([settings.rotary.cosines[:300]] * 2, -1)[:, None]
    sin = torch.cat([settings.rotary.sines[:300]] * 2, -1)[:, None]

    def rotate(x: torch.Tensor) -> torch.Tensor:
        x = x.view(300, -1, 32)
        return (x * cos + torch.cat((-x[..., 16:], x[..., :16]), -1) * sin).transpose(0, 1)

    distance = torch.arange(300)[:, None] - torch.arange(300)[None]
    mask = (distance >= 0) & ((distance < window) if window else True)
    keys = rotate(k).repeat_interleave(3, 0)
    values = v.view(300, 2, 32).transpose(0, 1).repeat_interleave(3, 0)
    wanted = torch.nn.functional.scaled_dot_product_attention(rotate(q), keys, values, mask)
    cache = PageCache(1, 2, 32, 400)
    got = library.attention(settings, q.clone(), k.clone(), v, cache=cache, layer=0)
    cache.length = 300
    assert torch.allclose(got, wanted.transpose(0, 1).reshape(300, -1), atol=3e-3)
    assert torch.allclose(cache.keys(0), rotate(k).transpose(0, 1), atol=3e-3)
    assert torch.equal(cache.values(0), v.view(300, 2, 32).half().float())


def test_argmax_and_top_k(library: Library) -> None:
    x = normal(4, 5000)
    x[1, 7] = x[1, 4000] = 9.0
    x[2] = torch.nan
    assert library.argmax(x) == [int(x[0].argmax()), 7, -1, int(x[3].argmax())]
    values, indices = library.top_k(x[[0, 1, 3]], 10)
    wanted = x[[0, 1, 3]].topk(10)
    assert torch.equal(values, wanted.values)
    assert torch.equal(x[[0, 1, 3]].gather(1, indices.long()), values)
    assert indices[1, :2].tolist() == [7, 4000]


def test_wrong_shapes_are_refused(library: Library) -> None:
    matrix = matrices(16, 64)[0]
    with pytest.raises(ValueError, match="64 inputs"):
        library.matmul(matrix, library.quantize(normal(1, 32)))
    with pytest.raises(ValueError, match="float32 rows"):
        library.quantize(normal(4, 64).T)
    with pytest.raises(ValueError, match="float32 rows"):
        library.quantize(normal(4, 64).double())
    with pytest.raises(ValueError, match="result"):
        library.matmul(matrix, library.quantize(normal(2, 64)), out=torch.empty(1, 16))
    with pytest.raises(ValueError, match="refuse"):
        library.threads = 0
    with pytest.raises(ValueError, match="cache"):
        library.attention(heads(), normal(1, 192), normal(1, 64), normal(1, 64), cache=PageCache(1, 1, 32, 9), layer=0)
    with pytest.raises(ValueError, match="positions"):
        library.attention(heads(), normal(9, 192), normal(9, 64), normal(9, 64), cache=PageCache(1, 2, 32, 8), layer=0)


def loaded_as(**environment: str) -> str:
    """What load() gives in a fresh process."""
    code = "from inference.native.library import load; found = load(); print(found and found.instruction_set)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_kernels_are_chosen_by_the_environment(library: Library) -> None:
    assert loaded_as(FOREWORD_KERNELS="off") == "None"
    assert loaded_as(FOREWORD_KERNELS="scalar") == "scalar"
    assert loaded_as(FOREWORD_KERNELS="") == library.instruction_set


def test_without_a_compiler_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(RuntimeError, match="compiler"):
        build.build(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_failing_compiler_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no such thing >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setenv("CXX", str(broken))
    with pytest.raises(RuntimeError, match="no such thing"):
        build.build(tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_the_name_follows_the_sources(library: Library) -> None:
    assert library.path.name == build.library_name()
    assert build.library_name("aarch64") != build.library_name("x86_64")

"""Packing: what comes back, how near it is, and GGUF blocks that must lose nothing."""

import gguf
import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType as Type

from inference.native import library
from inference.native.gguf_blocks import pack_gguf
from inference.native.weights import Format, PackedMatrix, pack_int4, pack_int8, unpack

SHAPES = [(16, 32), (48, 64), (1, 1), (17, 33), (50, 70), (576, 96), (20, 300)]
GROUPS = {32: Format.INT4, 64: Format.INT4_64, 128: Format.INT4_128}


@pytest.fixture(params=["native", "torch"])
def packer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """int4 is packed by the library, and by torch where there is none."""
    if request.param == "torch":
        monkeypatch.setattr(library, "load", lambda: None)
    else:
        assert library.load() is not None


def normal(outputs: int, inputs: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(outputs, inputs, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize(("outputs", "inputs"), SHAPES)
def test_int8_is_within_half_a_step(outputs: int, inputs: int) -> None:
    weight = normal(outputs, inputs)
    back = unpack(pack_int8(weight))
    for start in range(0, inputs, 32):
        group = weight[:, start : start + 32]
        step = group.abs().amax(1, keepdim=True) / 127
        assert ((back[:, start : start + 32] - group).abs() <= step * 0.5 + step * 0.07).all()  # scales are halves


@pytest.mark.usefixtures("packer")
@pytest.mark.parametrize("size", GROUPS)
@pytest.mark.parametrize(("outputs", "inputs"), SHAPES)
def test_int4_is_no_worse_than_the_plain_range(outputs: int, inputs: int, size: int) -> None:
    weight = normal(outputs, inputs)
    error = (unpack(pack_int4(weight, kind=GROUPS[size])) - weight).square()
    for start in range(0, inputs, size):
        group = weight[:, start : start + size]
        low, high = group.amin(1, keepdim=True), group.amax(1, keepdim=True)
        step = ((high - low) / 15).half().float()
        minimum = low.half().float()
        plain = ((group - minimum) / step.clamp_min(1e-9)).round().clamp(0, 15) * step + minimum
        mine = error[:, start : start + size].sum(1)
        assert (mine <= (plain - group).square().sum(1) * 1.0001 + 1e-9).all()


@pytest.mark.usefixtures("packer")
def test_int4_error_is_small_on_normal_weights_and_grows_with_the_group() -> None:
    weight = normal(64, 512)
    packed = [pack_int4(weight, kind=kind) for kind in GROUPS.values()]
    errors = [float((unpack(one) - weight).norm() / weight.norm()) for one in packed]
    assert errors == sorted(errors) and errors[0] < 0.075 and errors[-1] < 0.1
    assert [8 * one.nbytes / weight.numel() for one in packed] == [5, 4.5, 4.25]


@pytest.mark.usefixtures("packer")
@pytest.mark.parametrize("inputs", [16, 64, 80, 160, 304])
def test_bits_of_every_group_are_where_the_kernels_look(inputs: int) -> None:
    """The packers of torch and of the library, and `unpack`, hold the same layout, to the end of its last block."""
    weight = torch.arange(20 * inputs).view(20, inputs).remainder(16).float()
    for kind in GROUPS.values():
        assert torch.equal(unpack(pack_int4(weight, kind=kind)), weight)


@pytest.mark.usefixtures("packer")
@pytest.mark.parametrize("value", [0.0, 1.0, -3.5, 1e-7, 60000.0])
def test_constant_weights_come_back(value: float) -> None:
    weight = torch.full((16, 64), value)
    for packed in (pack_int4(weight), pack_int8(weight)):
        assert torch.allclose(unpack(packed), weight, rtol=1e-3, atol=1e-7)


@pytest.mark.usefixtures("packer")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_weights_that_were_q4_1_before_come_back_exactly(dtype: torch.dtype) -> None:
    """A GGUF that was converted to a folder of floats must not lose quality a second time."""
    once = gguf.dequantize(gguf.quantize(normal(64, 256).numpy(), Type.Q4_1), Type.Q4_1)
    weight = torch.from_numpy(once)
    assert torch.equal(unpack(pack_int4(weight.to(dtype))), weight)


@pytest.mark.parametrize("kind", [Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q8_0])
def test_simple_gguf_blocks_load_exactly(kind: Type) -> None:
    raw = gguf.quantize(normal(40, 96).numpy(), kind)
    packed = pack_gguf(raw, kind, 40, 96)
    assert packed.format is {Type.Q5_0: Format.INT5, Type.Q8_0: Format.INT8}.get(kind, Format.INT4)
    assert np.array_equal(unpack(packed).numpy(), gguf.dequantize(raw, kind))


def random_blocks(kind: Type, outputs: int, inputs: int, halves: tuple[int, ...]) -> np.ndarray:
    """Any bytes are a block; only the halves must be finite numbers."""
    block, size = gguf.GGML_QUANT_SIZES[kind]
    random = np.random.default_rng(1)
    raw = random.integers(0, 256, (outputs, inputs // block, size), dtype=np.uint8)
    for at in halves:
        scale = random.uniform(0.001, 0.01, raw.shape[:2]).astype(np.float16)
        raw[..., at : at + 2] = scale[..., None].view(np.uint8)
    return raw.reshape(outputs, -1)


@pytest.mark.parametrize("outputs", [16, 40])
def test_every_five_bits_and_the_smallest_scales_load_exactly(outputs: int) -> None:
    raw = random_blocks(Type.Q5_0, outputs, 512, (0,))
    raw.reshape(outputs, -1, 22)[:, ::3, :2] = np.array([2.0**-24], np.float16).view(np.uint8)
    wanted = gguf.dequantize(raw, Type.Q5_0)
    packed = pack_gguf(raw, Type.Q5_0, outputs, 512)
    assert len(np.unique(wanted[:, :32] / wanted[:, :32].min(1, keepdims=True))) >= 20
    assert np.array_equal(unpack(packed).numpy(), wanted)
    assert packed.nbytes * 8 == 5.5 * 512 * -(-outputs // 16) * 16


@pytest.mark.parametrize(
    ("kind", "halves", "target"), [(Type.Q4_K, (0, 2), Format.INT4K), (Type.Q6_K, (208,), Format.INT6)]
)
@pytest.mark.parametrize("outputs", [16, 40])
def test_k_blocks_load_exactly(kind: Type, halves: tuple[int, ...], target: Format, outputs: int) -> None:
    raw = random_blocks(kind, outputs, 512, halves)
    packed = pack_gguf(raw, kind, outputs, 512)
    assert packed.format is target
    assert np.allclose(unpack(packed).numpy(), gguf.dequantize(raw, kind), rtol=1e-6, atol=1e-8)  # float32 rounds


@pytest.mark.parametrize(("kind", "halves"), [(Type.Q5_K, (0, 2)), (Type.Q5_1, (0, 2))])
def test_finer_gguf_blocks_become_int8(kind: Type, halves: tuple[int, ...]) -> None:
    raw = random_blocks(kind, 32, 512, halves)
    wanted = torch.from_numpy(gguf.dequantize(raw, kind))
    packed = pack_gguf(raw, kind, 32, 512)
    assert packed.format is Format.INT8
    assert (unpack(packed) - wanted).norm() < 0.006 * wanted.norm()


def test_a_q8_0_block_with_minus_128_is_requantized() -> None:
    raw = random_blocks(Type.Q8_0, 16, 64, (0,))
    raw[0, 2] = 128
    wanted = torch.from_numpy(gguf.dequantize(raw, Type.Q8_0))
    assert (unpack(pack_gguf(raw, Type.Q8_0, 16, 64)) - wanted).norm() < 0.006 * wanted.norm()


def test_floats_are_packed_into_int4_of_ours_alone() -> None:
    with pytest.raises(ValueError, match="INT4K"):
        pack_int4(normal(16, 256), kind=Format.INT4K)


def test_a_format_is_known_by_its_size() -> None:
    for kind in Format:
        for outputs, inputs in ((16, 256), (151936, 1536), (7, 768)):
            assert Format.of(kind.nbytes(outputs, inputs), outputs, inputs) is kind
    with pytest.raises(ValueError, match="no format"):
        Format.of(1000, 16, 256)
    with pytest.raises(ValueError, match="by 256"):
        Format.INT6.nbytes(16, 64)


def test_both_packers_are_equally_careful(monkeypatch: pytest.MonkeyPatch) -> None:
    weight = normal(48, 300) * torch.rand(48, 300, generator=torch.Generator().manual_seed(1)) ** 3
    native = [unpack(pack_int4(weight, kind=kind)) for kind in GROUPS.values()]
    monkeypatch.setattr(library, "load", lambda: None)
    for kind, ours in zip(GROUPS.values(), native, strict=True):
        plain = unpack(pack_int4(weight, kind=kind))
        assert (ours == plain).float().mean() > 0.98  # rounding decides a few groups
        assert abs((ours - weight).norm() / (plain - weight).norm() - 1) < 1e-3


def test_a_matrix_refuses_data_of_another_size() -> None:
    with pytest.raises(ValueError, match="takes 320 bytes"):
        PackedMatrix(torch.zeros(100, dtype=torch.uint8), 16, 32, Format.INT4)
    with pytest.raises(ValueError, match="bias"):
        pack_int4(normal(16, 32), torch.zeros(3))

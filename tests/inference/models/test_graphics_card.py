"""What only a graphics card has, as far as that can be tried without one: its weights, its graphs, how it is chosen."""

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import pytest
import torch

from inference.errors import UserError
from inference.models.fused import quantized, static_decoder
from inference.models.fused.architecture import Architecture, UnsupportedArchitectureError
from inference.models.fused.device_note import device_note, idle_card, log_device
from inference.models.fused.graphs import WARM_UPS, CudaGraphs, OrPlain, PlainCalls, graphs_for
from inference.models.fused.linear import DenseLinear
from inference.models.fused.model import FusedModel
from inference.models.fused.quantized import Nf4, Nf4Linear
from inference.models.fused.static_decoder import StaticDecoder, load_static
from tests.inference.conftest import TinyFactory

CPU = torch.device("cpu")


@pytest.mark.parametrize("double", [True, False])
def test_nf4_products(double: bool) -> None:
    generator = torch.Generator().manual_seed(0)
    weight, bias = torch.randn(96, 192, generator=generator), torch.randn(96, generator=generator)
    x = torch.randn(5, 192, generator=generator)
    matrix = Nf4Linear(DenseLinear(weight.bfloat16(), bias), Nf4(block=128, double=double))
    expected = x @ weight.T + bias
    assert float((matrix(x) - expected).norm() / expected.norm()) < 0.12  # 4 bits
    assert matrix(x).dtype == torch.float32
    assert matrix(x.bfloat16()).dtype == torch.bfloat16


def test_nf4_memory() -> None:
    """192 inputs are three blocks of 64: one of 128 would reach into the next row."""
    dense = DenseLinear(torch.randn(256, 192).bfloat16(), None)
    for form in (Nf4(128, double=True), Nf4(64, double=False)):
        bits = 8 * Nf4Linear(dense, form).nbytes / (256 * 192)
        assert bits == pytest.approx(Nf4(64, form.double).bits, abs=0.01)
    with pytest.raises(ValueError, match="cannot share a scale"):
        Nf4(block=48)


def test_an_nf4_model(tiny: TinyFactory) -> None:
    """Embedding and head keep 16 bits; the rest is near what it was in float32."""
    folder, text = tiny("llama"), list(range(3, 43))
    architecture = Architecture.read(folder)
    assert architecture is not None
    found = load_static(folder, architecture, "int4", CPU, 512)
    assert isinstance(found.weights.head, DenseLinear)
    assert isinstance(found.weights.layers[0].qkv, Nf4Linear)
    expected = FusedModel.load(folder, "float32", "cpu", 512)
    logits = expected.forward(text, expected.new_cache(), 40)
    error = found.forward(text, found.new_cache(), 40) - logits
    assert float(error.norm() / logits.norm()) < 0.3
    embeddings = 2 * 2 * architecture.vocabulary_size * architecture.hidden_size
    assert found.nbytes - embeddings < (expected.nbytes - 2 * embeddings) / 7


def test_too_small_a_card_and_no_bitsandbytes_are_explained(tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    architecture = Architecture.read(tiny("llama"))
    assert architecture is not None

    def full(*_: Any) -> None:
        raise torch.OutOfMemoryError("full")

    monkeypatch.setattr(static_decoder, "load_weights", full)
    with pytest.raises(UserError, match="memory of the graphics card"):
        load_static(tiny("llama"), architecture, "bfloat16", CPU, 512)
    with pytest.raises(UserError, match="no library for CUDA"):
        quantized._require_bitsandbytes(torch.device("cuda"))  # the processor's build has none


@pytest.mark.parametrize(("precision", "device", "known"), [
    ("int4", "cuda", True), ("int8", "cuda", False), ("bfloat16", "cuda", True),
    ("int4", "mps", False), ("auto", "mps", True), ("int8", "cpu", True),
])  # fmt: skip
def test_which_weights_a_card_computes(
    tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch, precision: Any, device: str, known: bool
) -> None:
    """The rest is left to the transformers adapter."""
    assert FusedModel.supports(tiny("llama"), precision, device) == known
    if not known:
        monkeypatch.setattr("inference.models.fused.model.resolve_device", torch.device)
        with pytest.raises(UnsupportedArchitectureError, match=f"no {precision} weights on {device}"):
            FusedModel.load(tiny("llama"), precision, device, 512)


def test_a_card_gets_fixed_shapes(tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with a card, as far as that can be pretended: the weights stay on the processor."""
    asked: list[tuple[str, torch.device]] = []

    def on_the_processor(*arguments: Any, **more: Any) -> StaticDecoder:
        folder, architecture, precision, device, context_length = arguments
        asked.append((precision, device))
        return load_static(folder, architecture, precision, CPU, context_length, **more)

    monkeypatch.setattr("inference.models.fused.model.load_static", on_the_processor)
    monkeypatch.setattr("inference.models.fused.model.log_device", lambda device: None)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: False)
    model = FusedModel.load(tiny("llama"), "int4", "cuda:1", 512)
    assert model.description == "fused, int4, NF4, plain calls"
    assert model.forward([1, 2, 3], model.new_cache(), 2).shape == (2, model.vocabulary_size)
    assert FusedModel.load(tiny("llama"), "auto", "auto", 512).description == "fused, float16, plain calls"
    assert asked == [("int4", torch.device("cuda:1")), ("float16", torch.device("cuda"))]


@pytest.mark.parametrize(("supported", "name"), [(True, "bfloat16"), (False, "float16")])
def test_sixteen_bits_on_newer_and_older_cards(monkeypatch: pytest.MonkeyPatch, supported: bool, name: str) -> None:
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: supported)
    assert quantized.sixteen_bit(torch.device("cuda")) == name
    assert quantized.sixteen_bit(torch.device("mps")) == "float16"


class Card:
    """In place of torch.cuda: writes down what is done to it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.log: list[str] = []
        self.stream = "main"
        self.pools = 0
        self.refuses = False
        for name in ("Stream", "stream", "graph", "CUDAGraph", "device", "current_stream", "set_stream"):
            monkeypatch.setattr(torch.cuda, name, getattr(self, f"_{name}"))
        monkeypatch.setattr(torch.cuda, "graph_pool_handle", self._pool)

    def _pool(self) -> int:
        self.pools += 1
        return self.pools

    def _Stream(self, device: torch.device) -> "FakeStream":
        return FakeStream("side")

    def _current_stream(self) -> "FakeStream":
        return FakeStream(self.stream)

    def _set_stream(self, stream: "FakeStream") -> None:
        self.stream = stream.name

    def _CUDAGraph(self) -> "Card":
        return self

    def replay(self) -> None:
        self.log.append("replay")

    def _device(self, device: torch.device) -> AbstractContextManager[None]:
        return nullcontext()

    @contextmanager
    def _stream(self, stream: "FakeStream") -> Iterator[None]:
        before, self.stream = self.stream, stream.name
        yield
        self.stream = before

    @contextmanager
    def _graph(self, graph: "Card", pool: int, stream: "FakeStream", capture_error_mode: str) -> Iterator[None]:
        """As torch does, it forgets to go back to the stream before when a capture fails."""
        before, self.stream = self.stream, stream.name
        self.log.append(f"capture into {pool}, {capture_error_mode}")
        if self.refuses:
            raise RuntimeError("operation not permitted when stream is capturing")
        yield
        self.stream = before


@dataclass(frozen=True)
class FakeStream:
    name: str

    def wait_stream(self, other: "FakeStream") -> None:
        pass


def test_capturing_on_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    card = Card(monkeypatch)
    graphs = OrPlain(CudaGraphs(torch.device("cuda")))
    result = torch.zeros(1)

    def step() -> torch.Tensor:
        card.log.append(f"step on {card.stream}")
        return result

    captured = graphs.capture(step)
    warm_ups = ["step on side"] * WARM_UPS
    assert card.log == [*warm_ups, "capture into 1, thread_local", "step on side"]
    card.log.clear()
    assert captured() is result
    assert card.log == ["replay"]
    graphs.forget()
    card.refuses = True
    assert graphs.capture(step) is step
    assert card.log[-1] == "capture into 2, thread_local", "the pool of graphs that are gone is not used again"
    assert card.stream == "main"
    assert graphs.name == "plain calls"


def test_only_cuda_has_graphs() -> None:
    for device in ("cpu", "mps"):
        assert isinstance(graphs_for(torch.device(device)), PlainCalls)


def test_graphs_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOREWORD_GRAPHS", "off")
    assert isinstance(graphs_for(torch.device("cuda")), PlainCalls)


def test_the_log_names_the_device(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/somewhere/{name}")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.version, "cuda", None)
    with caplog.at_level(logging.INFO):
        log_device(CPU)
    note, warning = (record.getMessage() for record in caplog.records)
    assert note.startswith("device: cpu, torch")
    assert warning.startswith("the graphics card is not used: torch")


def test_the_note_about_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    assert device_note(CPU).startswith(f"cpu, torch {torch.__version__}, bitsandbytes ")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert idle_card(CPU) is None
    monkeypatch.setattr("shutil.which", lambda name: f"/somewhere/{name}")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.version, "cuda", None)
    assert "build for processors only" in (idle_card(CPU) or "")
    monkeypatch.setattr(torch.version, "cuda", "13.0")
    assert "driver may be too old" in (idle_card(CPU) or "")
    assert idle_card(torch.device("mps")) is None

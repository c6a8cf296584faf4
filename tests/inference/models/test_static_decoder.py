"""The decoder of fixed shapes against the plain one, on the processor, with graphs replaced by plain calls."""

import json
import logging
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch

from inference.engine import Engine
from inference.models.causal_model import CausalModel
from inference.models.fused import static_cache, static_decoder
from inference.models.fused.architecture import Architecture
from inference.models.fused.decoder import Decoder
from inference.models.fused.graphs import Graphs, OrPlain, PlainCalls, Step
from inference.models.fused.model import FusedModel
from inference.models.fused.source import open_source
from inference.models.fused.static_cache import Seat, StaticCache, bucket
from inference.models.fused.static_decoder import MOST_ROWS, StaticDecoder
from inference.models.fused.weights import load_weights
from inference.settings import LoadSettings
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, held, load, reply

KINDS = ("llama", "mistral", "qwen2", "qwen3", "smollm3", "gemma3")
CPU = torch.device("cpu")
CONTEXT = 800
RELATIVE = 2e-6  # of the largest logit, between two orders of the same float32 sums; measured 5e-7


class Counted:
    """Plain calls that tell what was captured, and whether a step was used after its memory was given up."""

    name = "counted calls"

    def __init__(self) -> None:
        self.captured = 0
        self.forgotten = 0

    def capture(self, step: Step) -> Step:
        self.captured += 1
        valid = self.forgotten

        def call() -> torch.Tensor:
            assert valid == self.forgotten, "the buffers of this step are gone"
            return step()

        return call

    def forget(self) -> None:
        self.forgotten += 1


@pytest.fixture(autouse=True)
def small_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it grows within the context of a tiny model."""
    monkeypatch.setattr(static_decoder, "FIRST_CAPACITY", 0)


def decoders(
    folder: Path, graphs: Graphs | None = None, row_multiple: int | None = None, context: int = CONTEXT
) -> tuple[StaticDecoder, Decoder]:
    """Both on the same float32 weights."""
    architecture = Architecture.read(folder)
    assert architecture is not None
    with open_source(folder) as source:
        weights = load_weights(architecture, source, "float32", CPU)
    static = StaticDecoder(architecture, weights, context, graphs or PlainCalls(), row_multiple)
    return static, Decoder(architecture, weights, context, torch.float32)


def tokens(count: int, seed: int = 0) -> list[int]:
    return torch.randint(3, 290, (count,), generator=torch.Generator().manual_seed(seed)).tolist()


def assert_close(found: torch.Tensor, expected: torch.Tensor) -> None:
    assert found.shape == expected.shape
    assert float((found - expected).abs().max()) <= RELATIVE * float(expected.abs().max())


def configured(source: Path, folder: Path, **changes: object) -> Path:
    """A copy of a model with another config.json."""
    folder.mkdir()
    for path in source.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    config = json.loads((source / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))
    return folder


@pytest.mark.parametrize("row_multiple", [None, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_logits_under_random_accept_patterns(
    tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch, kind: str, row_multiple: int | None
) -> None:
    """Rounds of all lengths with any number of accepted tokens, prefills in between, and copies, over all buckets."""
    monkeypatch.setattr(static_cache, "FIRST_BUCKET", 64)
    static, plain = decoders(tiny(kind, layers=3), row_multiple=row_multiple, context=300)
    chance = random.Random(7)
    cache, reference = static.new_cache(), plain.new_cache()
    grown = set()
    while cache.length < 260:
        count = chance.choice([1, 2, 5, 6, 9, MOST_ROWS, MOST_ROWS + 1, 40])
        rows = chance.randint(1, count)
        text = tokens(count, seed=chance.randrange(1000))
        assert_close(static.forward(text, cache, rows), plain.forward(text, reference, rows))
        refused = chance.randint(0, count // 2)
        assert cache.truncate(cache.length - refused) == reference.truncate(reference.length - refused)
        grown.add(cache.nbytes)
        if chance.random() < 0.1:
            shorter = chance.randint(cache.length // 2, cache.length)
            cache, reference = cache.copy(shorter), reference.copy(shorter)
    assert static._seat.capacity > 256
    assert len(grown) >= 4, "the seat did not grow step by step"


def test_a_window_shorter_than_the_text_in_every_layer(tiny: TinyFactory, tmp_path: Path) -> None:
    static, plain = decoders(configured(tiny("mistral"), tmp_path / "window", sliding_window=16))
    cache, reference = static.new_cache(), plain.new_cache()
    for count in (60, 1, 5, 30):
        assert_close(static.forward(tokens(count), cache, count), plain.forward(tokens(count), reference, count))


def test_a_long_prompt_is_read_in_chunks(tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_decoder, "LONGEST_CHUNK", 48)
    static, plain = decoders(tiny("llama"))
    text = tokens(500)
    for rows in (1, 120):
        assert_close(static.forward(text, static.new_cache(), rows), plain.forward(text, plain.new_cache(), rows))


def test_the_last_token_of_the_context_fits_and_none_beyond(tiny: TinyFactory) -> None:
    static, plain = decoders(tiny("llama"), context=70)
    cache, reference, text = static.new_cache(), plain.new_cache(), tokens(70)
    assert_close(static.forward(text[:69], cache, 1), plain.forward(text[:69], reference, 1))
    with pytest.raises(ValueError, match="do not fit"):
        static.forward([1, 2], cache, 1)
    assert cache.length == 69
    assert_close(static.forward(text[69:], cache, 1), plain.forward(text[69:], reference, 1))


def test_two_texts_take_turns(tiny: TinyFactory) -> None:
    static, plain = decoders(tiny("gemma3"))
    texts = [tokens(300, 1), tokens(300, 2)]
    caches = [static.new_cache(), static.new_cache()]
    expected = [plain.forward(text, plain.new_cache(), 300) for text in texts]
    start = 0
    for size in (9, 200, 17, 40, 5):  # one of them alone makes the seat grow
        for text, cache, rows in zip(texts, caches, expected, strict=True):
            assert_close(static.forward(text[start : start + size], cache, size), rows[start : start + size])
        start += size


def test_an_overflow_in_one_text_does_not_reach_another(tiny: TinyFactory) -> None:
    static, plain = decoders(tiny("llama"))
    first, second = static.new_cache(), static.new_cache()
    static.forward(tokens(100), first, 1)
    with torch.inference_mode():
        for part in first.contents():
            part[:] = torch.inf
    assert_close(static.forward(tokens(10), second, 10), plain.forward(tokens(10), plain.new_cache(), 10))


def test_a_text_that_is_gone_is_not_copied_out(tiny: TinyFactory) -> None:
    static, _ = decoders(tiny("llama"))
    static.forward(tokens(100), static.new_cache(), 1)
    cache = static.new_cache()
    static.forward(tokens(5), cache, 1)
    assert cache.nbytes == cache.seat.nbytes
    assert cache.copy(3).nbytes == cache.nbytes * 3 // cache.seat.capacity


def test_each_shape_is_captured_once_for_a_bucket(tiny: TinyFactory) -> None:
    graphs = Counted()
    static, _ = decoders(tiny("llama"), graphs, row_multiple=1)
    static.prepare()
    prepared = graphs.captured
    assert prepared == 9
    cache = static.new_cache()
    for count in range(1, 10):
        static.forward(tokens(count), cache, count)
    assert graphs.captured == prepared, "what was prepared is used"
    static.forward(tokens(12), cache, 12)
    assert graphs.captured == prepared + 1, "more rows are captured when they are asked for"
    static.forward(tokens(195), cache, 1)  # a prefill: plain
    assert graphs.captured == prepared + 1
    moved = graphs.forgotten
    static.forward(tokens(6), cache, 6)  # into the next bucket: every buffer moves
    assert (graphs.captured, graphs.forgotten) == (prepared + 2, moved + 1)
    static.forward([5], static.new_cache(), 1)  # a short text reads few keys, though the seat has room for many
    assert (graphs.captured, graphs.forgotten) == (prepared + 3, moved + 1)
    assert {room for room, _ in static._steps} == {256, 512}


def test_rows_that_round_alike_share_a_graph(tiny: TinyFactory) -> None:
    """Dense weights: passes of up to 8 rows are one shape, so greedy text is the same with speculation and without."""
    graphs = Counted()
    static, _ = decoders(tiny("llama"), graphs)
    text, cache = tokens(30), static.new_cache()
    static.forward(text, cache, 1)
    expected = static.forward([5, 6, 7, 8], cache, 4).clone()
    for i, token in enumerate([5, 6, 7, 8]):
        cache.truncate(30 + i)
        assert torch.equal(static.forward([token], cache, 1)[0], expected[i])
    assert graphs.captured == 1


@pytest.mark.parametrize(
    ("length", "most", "size"), [(1, 9000, 256), (257, 9000, 512), (8100, 8200, 8256), (9, 70, 128)]
)
def test_buckets_double_up_to_the_context(length: int, most: int, size: int) -> None:
    assert bucket(length, most) == size


def test_what_cannot_be_captured_is_called_plainly_and_said_once(
    tiny: TinyFactory, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(PlainCalls):
        name = "failing graphs"

        def capture(self, step: Step) -> Step:
            raise torch.OutOfMemoryError("no room\nand a long story")

    graphs = OrPlain(Failing())
    static, plain = decoders(tiny("llama"), graphs, row_multiple=1)
    cache, reference = static.new_cache(), plain.new_cache()
    with caplog.at_level(logging.WARNING):
        for count in (1, 2, 3):
            assert_close(static.forward(tokens(count), cache, 1), plain.forward(tokens(count), reference, 1))
    assert [record.getMessage() for record in caplog.records] == [
        "failing graphs: off, kernels are launched one by one (no room)"
    ]
    assert graphs.name == "plain calls"


def test_no_room_for_a_longer_cache_leaves_the_text_as_it_was(
    tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    static, plain = decoders(tiny("llama"))
    cache, text = static.new_cache(), tokens(260)
    static.forward(text[:200], cache, 1)

    def full(seat: Seat, capacity: int) -> torch.Tensor:
        raise torch.OutOfMemoryError("full")

    with monkeypatch.context() as patch:
        patch.setattr(Seat, "_room", full)
        with pytest.raises(MemoryError):
            static.forward(text[200:], cache, 1)
    assert cache.length == 200
    assert_close(static.forward(text[200:], cache, 1), plain.forward(text, plain.new_cache(), 1))


def test_a_cache_of_another_model_is_refused(tiny: TinyFactory) -> None:
    static, plain = decoders(tiny("llama"))
    for cache in (plain.new_cache(), decoders(tiny("llama"))[0].new_cache()):
        with pytest.raises(TypeError, match="not this decoder's cache"):
            static.forward([1], cache, 1)


def test_truncate_and_copy_refuse_what_is_not_there(tiny: TinyFactory) -> None:
    static, _ = decoders(tiny("llama"))
    cache = static.new_cache()
    static.forward(tokens(5), cache, 1)
    for length in (-1, 6):
        with pytest.raises(ValueError, match="cannot be cut"):
            cache.truncate(length)
        with pytest.raises(ValueError, match="holds no"):
            cache.copy(length)
    assert isinstance(cache.copy(5), StaticCache)


def static_model(folder: Path, settings: LoadSettings, report: Callable[[int, int], None]) -> CausalModel:
    static, _ = decoders(folder, context=settings.context_length)
    return FusedModel(static.architecture, static, "float32", static.graphs.name, settings.context_length)


@pytest.fixture(scope="module")
def engine(tiny: TinyFactory, tiny_draft: TinyFactory) -> Iterator[Engine]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inference.manager.host.load_model", static_model)
        yield load(
            tiny("gemma3", layers=4, seed=3),
            tiny_draft("gemma3", keep=3, layers=4, seed=3),
            LoadSettings(precision="float32", context_length=512),
        )


@pytest.mark.parametrize("drafter", ["ngram", "model"])
def test_every_draft_length_gives_the_same_tokens(engine: Engine, drafter: str) -> None:
    question = ask("hello hello hello the system is the system is")
    reply(engine, question, greedy(max_tokens=32))
    expected, proposed = held(engine)[-1].copy(), 0
    for k in range(1, MOST_ROWS):
        drafted = reply(engine, question, greedy(drafter, k, max_tokens=32))
        assert held(engine)[-1] == expected, f"K = {k}"
        proposed += finished(drafted).statistics.proposed
    assert proposed > 0, "nothing was drafted, so nothing was tested"

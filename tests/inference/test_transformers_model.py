"""The adapter: whatever is drafted, accepted, taken back or copied, logits are those of a run that never drafted."""

import random
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inference.models.grouped_attention import grouped_attention
from inference.models.transformers_cache import FIRST_CAPACITY, TransformersCache
from inference.models.transformers_loader import choose_precision
from inference.models.transformers_model import TransformersModel
from tests.tiny_models import SLIDING_WINDOW

Tiny = Callable[..., Path]

KINDS = ("llama", "qwen2", "qwen3", "smollm3", "gemma3", "qwen3_5")
TEXT = 160  # tokens, many times the sliding window
TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def load(tiny: Tiny) -> Callable[..., TransformersModel]:
    @lru_cache
    def make(kind: str, layers: int = 2) -> TransformersModel:
        return TransformersModel.load(tiny(kind, layers=layers), "float32", "cpu", 512)

    return make


@pytest.fixture(scope="module")
def undrafted(load: Callable[..., TransformersModel]) -> Callable[..., tuple[list[int], torch.Tensor]]:
    """undrafted(kind) -> a text and the logits [TEXT, vocabulary] of every position, from one pass without a cache."""

    @lru_cache
    def make(kind: str, layers: int = 2) -> tuple[list[int], torch.Tensor]:
        model = load(kind, layers)
        text = random.Random(7).choices(range(model.vocabulary_size), k=TEXT)
        with torch.inference_mode():
            return text, model._model(torch.tensor([text]), use_cache=False).logits[0].float()

    return make


def close(found: torch.Tensor, expected: torch.Tensor) -> bool:
    return found.shape == expected.shape and bool((found - expected).abs().max() <= TOLERANCE)


def read_again(model: TransformersModel, cache: TransformersCache, text: list[int], length: int) -> None:
    """What a session does after a truncation that went further back than it asked."""
    assert cache.length <= length
    if cache.length < length:
        model.forward(text[cache.length : length], cache)


# A round drafts `proposed` tokens, `accepted` of them right; `back` > 0 then edits the text that many tokens before.
ROUNDS = st.lists(
    st.tuples(
        st.integers(0, 8).flatmap(lambda k: st.tuples(st.just(k), st.integers(0, k))),
        st.sampled_from([0, 0, 0, 0, 1, 2, 5, 30, 90]),
    ),
    min_size=1,
    max_size=14,
)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(prompt=st.integers(1, 90), rounds=ROUNDS)
def test_logits_do_not_depend_on_what_was_drafted(
    kind: str,
    prompt: int,
    rounds: list[tuple[tuple[int, int], int]],
    load: Callable[..., TransformersModel],
    undrafted: Callable[..., tuple[list[int], torch.Tensor]],
) -> None:
    model, (text, expected) = load(kind), undrafted(kind)
    cache = model.new_cache()
    assert close(model.forward(text[:prompt], cache)[-1], expected[prompt - 1])
    for (proposed, accepted), back in rounds:
        at = cache.length
        if at + proposed + 1 > TEXT:
            break
        wrong = [(token + 1) % model.vocabulary_size for token in text[at + 1 + accepted : at + 1 + proposed]]
        logits = model.forward(text[at : at + 1 + accepted] + wrong, cache, rows=proposed + 1)
        assert close(logits[: accepted + 1], expected[at : at + 1 + accepted])
        kept = at + 1 + accepted
        assert cache.truncate(kept) == kept  # a rejected draft never costs a second pass
        if back:
            point = max(kept - back, 1)
            assert cache.truncate(point) == cache.length
            read_again(model, cache, text, point)
        assert cache.get_seq_length() == cache.length


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_does_not_depend_on_how_many_are_asked_for(
    kind: str, load: Callable[..., TransformersModel], undrafted: Callable[..., tuple[list[int], torch.Tensor]]
) -> None:
    model, (text, expected) = load(kind), undrafted(kind)
    for rows in range(1, 10):
        cache = model.new_cache()
        model.forward(text[:50], cache)
        many = model.forward(text[50 : 50 + rows], cache, rows=rows).clone()
        assert many.shape == (rows, model.vocabulary_size) and many.dtype == torch.float32
        cache.truncate(50)
        read_again(model, cache, text, 50)
        single = torch.cat([model.forward([token], cache) for token in text[50 : 50 + rows]])
        assert close(single, many) and close(many, expected[50 : 50 + rows])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("chunk", [1, 7, 64, TEXT])
def test_a_prompt_may_come_in_chunks(
    kind: str,
    chunk: int,
    load: Callable[..., TransformersModel],
    undrafted: Callable[..., tuple[list[int], torch.Tensor]],
) -> None:
    model, (text, expected) = load(kind), undrafted(kind)
    cache = model.new_cache()
    for start in range(0, TEXT, chunk):
        logits = model.forward(text[start : start + chunk], cache)
        assert close(logits[-1], expected[cache.length - 1])


@pytest.mark.parametrize("kind", KINDS)
def test_copies_go_their_own_way(
    kind: str, load: Callable[..., TransformersModel], undrafted: Callable[..., tuple[list[int], torch.Tensor]]
) -> None:
    model, (text, expected) = load(kind), undrafted(kind)
    cache = model.new_cache()
    model.forward(text[:70], cache)
    model.forward(text[70:76], cache, rows=6)
    for length in (76, 73, 70, 40, 0):
        other = cache.copy(length)
        own = other.length
        assert own <= length and (length not in (70, 73, 76) or own == length)
        model.forward([1, 2, 3], other)  # must not be seen by the first
        assert cache.length == 76
        assert other.truncate(own) == own
        read_again(model, other, text, length)
        assert close(model.forward(text[length:90], other)[-1], expected[89])
    assert close(model.forward(text[76:90], cache)[-1], expected[89])


@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize(("heads", "groups", "rows"), [(6, 2, 1), (6, 2, 5), (8, 1, 3), (4, 4, 6)])
def test_grouped_attention_is_attention(heads: int, groups: int, rows: int, masked: bool) -> None:
    generator = torch.Generator().manual_seed(heads * rows)
    length = 20 if masked or rows == 1 else rows
    query = torch.randn(1, heads, rows, 8, generator=generator)
    key, value = torch.randn(2, 1, groups, length, 8, generator=generator)
    causal = torch.ones(rows, length, dtype=torch.bool).tril(length - rows)
    module = torch.nn.Module()
    module.num_key_value_groups = heads // groups  # type: ignore[assignment]
    found, _ = grouped_attention(
        module, query, key, value, causal[None, None] if masked else None, scaling=0.3, dropout=0.0
    )
    every_key, every_value = (state.repeat_interleave(heads // groups, dim=1) for state in (key, value))
    weights = (0.3 * query @ every_key.transpose(-1, -2)).masked_fill(~causal, float("-inf")).softmax(-1)
    torch.testing.assert_close(found, (weights @ every_value).transpose(1, 2), atol=1e-6, rtol=1e-6)


def test_attention_goes_back_any_distance_at_no_cost(load: Callable[..., TransformersModel]) -> None:
    for kind in ("llama", "gemma3"):
        cache = load(kind).new_cache()
        load(kind).forward([5] * 400, cache)
        assert cache.exact_truncation
        assert [cache.truncate(n) for n in (401, 400, 399, SLIDING_WINDOW, 3, 0, -1)] == [400, 400, 399, 12, 3, 0, 0]


def test_linear_attention_returns_to_the_ends_of_prompts(load: Callable[..., TransformersModel]) -> None:
    model = load("qwen3_5")
    cache = model.new_cache()
    model.forward([5] * 100, cache)  # first prompt
    for token in range(40):  # its reply, longer than the recent snapshots reach
        model.forward([token], cache)
    model.forward([6] * 80, cache)  # second prompt
    model.forward([7], cache)
    assert not cache.exact_truncation
    assert cache.truncate(220) == 220  # the reply is written again
    assert cache.truncate(110) == 100  # the second question was edited
    assert cache.truncate(99) == 0


def test_a_failed_pass_leaves_no_trace(
    load: Callable[..., TransformersModel],
    undrafted: Callable[..., tuple[list[int], torch.Tensor]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for kind in KINDS:
        model, (text, expected) = load(kind), undrafted(kind)
        cache = model.new_cache()
        model.forward(text[:30], cache)
        with monkeypatch.context() as patch:

            def fail(*_: object, **__: object) -> None:
                raise torch.OutOfMemoryError

            patch.setattr(model._model.get_output_embeddings(), "forward", fail)
            for count in (1, 6):
                with pytest.raises(torch.OutOfMemoryError):
                    model.forward(text[30 : 30 + count], cache)
                assert cache.length == 30
        assert close(model.forward(text[30:40], cache, rows=10), expected[30:40])


def test_an_unknown_kind_of_cache_is_read_again(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from transformers import cache_utils

    class Peculiar(cache_utils.DynamicLayer):
        pass

    monkeypatch.setitem(cache_utils.DYNAMIC_LAYER_TYPE_MAPPING, "full_attention", Peculiar)
    model = TransformersModel.load(tiny("llama"), "float32", "cpu", 512)
    cache = model.new_cache()
    expected = model.forward([3, 4, 5, 6], cache, rows=4)[:2].clone()
    with caplog.at_level("INFO"):
        assert cache.truncate(4) == 4
        assert cache.truncate(3) == 0
        model.forward([3, 4, 9], cache)
        assert cache.truncate(2) == 0
    assert sum("Peculiar" in record.message for record in caplog.records) == 1
    assert not cache.exact_truncation and cache.copy(2).length == 0
    assert close(model.forward([3, 4], cache, rows=2), expected)


def test_buffers_grow_by_doubling(load: Callable[..., TransformersModel]) -> None:
    model = load("llama")
    cache = model.new_cache()
    sizes = set()
    for token in range(model.context_length):
        model.forward([token % 50], cache)
        sizes.add(cache.nbytes)
    per_token = 2 * 2 * 2 * 16 * 4  # layers, keys and values, heads, size of a head, bytes of a float
    assert sizes == {FIRST_CAPACITY * per_token, 512 * per_token}


def test_bounds(load: Callable[..., TransformersModel]) -> None:
    model = load("llama")
    cache = model.new_cache()
    for tokens, rows in (([], 1), ([1], 0), ([1], 2)):
        with pytest.raises(ValueError, match="rows"):
            model.forward(tokens, cache, rows)
    with pytest.raises(ValueError, match="context"):
        model.forward([1] * 513, cache)
    assert cache.length == 0
    model.forward([1] * 512, cache)
    with pytest.raises(ValueError, match="context"):
        model.forward([1], cache)


def test_a_model_describes_itself(tiny: Tiny) -> None:
    seen: list[tuple[int, int]] = []

    def report(done: int, total: int, stage: str = "weights", /) -> None:
        assert stage == "weights"
        seen.append((done, total))

    folder = tiny("llama", padding=11)
    model = TransformersModel.load(folder, "auto", "auto", 100_000, report=report)
    plain = TransformersModel.load(tiny("llama"), "float32", "cpu", 64)
    assert model.vocabulary_size == plain.vocabulary_size + 11
    assert (model.context_length, plain.context_length) == (1024, 64)
    assert plain.description == "transformers adapter, float32" and plain.device == torch.device("cpu")
    assert seen[0][0] == 0 and seen[-1][0] == seen[-1][1] > 10 and seen == sorted(seen)


@pytest.mark.parametrize(("precision", "gap"), [("bfloat16", 0.2), ("float16", 0.05), ("int8", 0.5), ("int4", 2.5)])
def test_fewer_bits_stay_near(precision: str, gap: float, tiny: Tiny, load: Callable[..., TransformersModel]) -> None:
    full = load("llama")
    model = TransformersModel.load(tiny("llama"), precision, "cpu", 512)  # type: ignore[arg-type]
    tokens = list(range(10, 40))
    difference = (model.forward(tokens, model.new_cache(), 30) - full.forward(tokens, full.new_cache(), 30)).abs()
    assert 0 < float(difference.mean()) < gap
    assert model.nbytes < 0.75 * full.nbytes and precision in model.description


def test_automatic_precision() -> None:
    cpu = torch.device("cpu")
    assert choose_precision("auto", cpu, 1_000_000) == "float32"
    assert choose_precision("auto", cpu, 2_000_000_000) == "bfloat16"
    assert choose_precision("int4", cpu, 1_000_000) == "int4"

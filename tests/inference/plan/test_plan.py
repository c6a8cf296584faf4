from dataclasses import replace

import pytest

from inference.errors import UserError
from inference.manager.safetensors_file import TensorEntry
from inference.native.page_cache import PAGE, part_bytes
from inference.native.weights import Format
from inference.plan.cache import cache_bytes, capacity, per_thousand, stored_bits
from inference.plan.choice import choose
from inference.plan.machine import Card, Machine
from inference.plan.memory_plan import PlanSettings, how_held, plan
from inference.plan.model_shape import shape_of
from inference.plan.weights import Engine, native_bytes, weight_bytes
from inference.settings import FourBit, Precision
from tests.inference.plan.configs import HYBRID, QWEN3_06B, QWEN3_8B, SMOLLM2

GIB = 1 << 30
LAPTOP = Machine(16 * GIB, 10 * GIB)
WORKSTATION = Machine(64 * GIB, 50 * GIB, (Card("Card 24 GB", 24 * GIB, 23 * GIB),))


def test_parameters_are_those_of_the_model_cards() -> None:
    assert shape_of(SMOLLM2).parameters == 134_515_008
    assert shape_of(QWEN3_8B).parameters / 1e9 == pytest.approx(8.19, abs=0.01)
    assert shape_of(QWEN3_06B).parameters / 1e9 == pytest.approx(0.596, abs=0.003)


@pytest.mark.parametrize("kind", list(Format))
@pytest.mark.parametrize(("outputs", "inputs"), [(16, 256), (17, 512), (576, 1536), (49152, 768), (48, 576)])
def test_packed_sizes_are_those_of_the_kernels(kind: Format, outputs: int, inputs: int) -> None:
    if kind.takes(inputs):
        assert native_bytes(kind.name.lower(), outputs, inputs) == kind.nbytes(outputs, inputs)


def test_weights_by_precision() -> None:
    shape = shape_of(QWEN3_8B)
    sixteen = weight_bytes(shape, "cuda", "bfloat16")
    assert sixteen == pytest.approx(2 * shape.parameters, rel=1e-3)
    nf4 = weight_bytes(shape, "cuda", "int4")
    tables = 2 * 2 * shape.vocabulary * shape.hidden
    assert nf4 - tables == pytest.approx((shape.parameters - tables / 2) * 4.127 / 8, rel=1e-3)
    eight, four = weight_bytes(shape, "native", "int8"), weight_bytes(shape, "native", "int4")
    assert four < eight < sixteen < weight_bytes(shape, "torch", "float32")
    assert eight == pytest.approx(shape.parameters * 8.5 / 8, rel=1e-3)


@pytest.mark.parametrize(("engine", "precision"), [("native", "int4"), ("torch", "int4")])
def test_larger_groups_of_four_bit_weights_take_less(engine: Engine, precision: Precision) -> None:
    shape = shape_of(QWEN3_8B)
    weights = sum(a * b for a, b in shape.matrices)
    sizes = [weight_bytes(shape, engine, precision, int4_group=group) for group in (32, 64, 128)]
    tables = 0 if engine == "native" else shape.vocabulary * shape.hidden  # torch packs the head as well
    assert sizes[0] - sizes[1] == pytest.approx((weights + tables) * 0.5 / 8, rel=1e-3)
    assert sizes[1] - sizes[2] == pytest.approx((weights + tables) * 0.25 / 8, rel=1e-3)


def test_groups_are_planned_where_there_is_a_choice_of_them() -> None:
    shape = shape_of(QWEN3_8B)
    blocks = replace(shape, packed_blocks=5 * GIB, four_bit_blocks=True)
    wish = PlanSettings("int4", int4_group=128)
    assert how_held(shape, LAPTOP, wish).group == 128
    assert how_held(shape, LAPTOP, replace(wish, precision="int8")).group == 0
    assert how_held(blocks, LAPTOP, wish).group == 0, "a file's own blocks stay as they are"
    assert how_held(shape, WORKSTATION, wish).group == 0, "on a card bitsandbytes packs"
    packed = replace(shape, packed=("int4",))
    ready, fresh = plan(packed, LAPTOP, PlanSettings("int4")), plan(packed, LAPTOP, wish)
    assert "loading" not in [part.name for part in ready.parts]
    assert "loading" in [part.name for part in fresh.parts], "each size of groups is packed once"


def test_torch_keeps_a_packed_head_beside_the_embedding() -> None:
    tied = shape_of(SMOLLM2)
    table = tied.vocabulary * tied.hidden
    expected = (tied.parameters - table) + 2 * table + table
    assert weight_bytes(tied, "torch", "int8") == pytest.approx(expected, rel=1e-3)


def test_files_that_are_quantized_keep_their_size() -> None:
    entries = {"model.layers.0.q": TensorEntry("U8", (64, 64), 0, 4096)}
    shape = shape_of(SMOLLM2 | {"quantization_config": {"quant_method": "gptq"}}, entries)
    assert how_held(shape, LAPTOP, PlanSettings("auto")).engine == "adapter"
    assert weight_bytes(shape, "adapter", "bfloat16") == 4096


def test_a_head_of_its_own_in_the_files_counts() -> None:
    head = {"lm_head.weight": TensorEntry("BF16", (49152, 576), 0, 2 * 49152 * 576)}
    shape = shape_of(SMOLLM2 | {"tie_word_embeddings": False}, head)
    assert not shape.tied
    assert shape.parameters == 134_515_008 + 49152 * 576


def test_keys_and_values_of_full_attention() -> None:
    shape = shape_of(SMOLLM2)
    assert shape.values_per_token == 30 * 2 * 3 * 64
    assert cache_bytes(shape, 8192, "native") == 8192 * 30 * 2 * 3 * 64 * 2
    assert cache_bytes(shape, 8192, "torch", 32) == 2 * cache_bytes(shape, 8192, "native")
    assert per_thousand(shape) == 23_040_000


@pytest.mark.parametrize("bits", [16, 8, 4, 2])
@pytest.mark.parametrize("size", [16, 32, 48, 64, 80, 96, 128, 256])
def test_bits_are_those_of_the_pages(size: int, bits: int) -> None:
    assert stored_bits(size, bits) * PAGE * 2 * size / 8 == sum(part_bytes(size, bits).values())


@pytest.mark.parametrize(("bits", "least", "most"), [(8, 0.53, 0.54), (4, 0.34, 0.35), (2, 0.28, 0.29)])
def test_fewer_bits_keep_their_scales(bits: int, least: float, most: float) -> None:
    shape = shape_of(SMOLLM2)
    assert least < cache_bytes(shape, 8192, "native", bits) / cache_bytes(shape, 8192, "native") < most


def test_recurrent_layers_keep_a_state_and_no_tokens() -> None:
    shape = shape_of(HYBRID)
    assert [layer.values for layer in shape.layers] == [0, 0, 0, 2 * 2 * 64]
    state = 4 * 8 * 32 * 16 + 2 * 4 * (2 * 4 * 32 + 8 * 16)
    assert [4 * layer.state + 2 * layer.convolution for layer in shape.layers] == [state] * 3 + [0]
    once, twice = cache_bytes(shape, 1000, "adapter"), cache_bytes(shape, 2000, "adapter")
    assert twice - once == 1000 * 2 * 2 * 64 * 2
    assert once > 3 * state


def test_sliding_layers_are_known_and_keep_the_text() -> None:
    config = SMOLLM2 | {"model_type": "mistral", "sliding_window": 128, "tie_word_embeddings": False}
    shape = shape_of(config)
    assert {layer.window for layer in shape.layers} == {128}
    assert cache_bytes(shape, 4096, "adapter") == cache_bytes(shape_of(SMOLLM2), 4096, "adapter")


@pytest.mark.parametrize(
    ("engine", "tokens", "room"),
    [("native", 1, 256), ("native", 256, 256), ("native", 257, 512), ("torch", 513, 1024), ("adapter", 513, 513)],
)
def test_caches_grow_by_steps(engine: str, tokens: int, room: int) -> None:
    assert capacity(tokens, engine) == room  # type: ignore[arg-type]


def test_buckets_are_those_of_the_card() -> None:
    from inference.models.fused.static_cache import bucket

    for tokens in (100, 256, 300, 5000, 8192, 10000):
        assert capacity(tokens, "cuda") == bucket(tokens, tokens)


@pytest.mark.parametrize("missing", ["vocab_size", "hidden_size", "num_hidden_layers"])
def test_a_config_without_sizes_is_refused(missing: str) -> None:
    with pytest.raises(UserError, match="how large"):
        shape_of({key: value for key, value in SMOLLM2.items() if key != missing})


def test_what_auto_becomes() -> None:
    big, small = shape_of(QWEN3_8B), shape_of(SMOLLM2)
    assert how_held(big, WORKSTATION, PlanSettings("auto")).engine == "cuda"
    assert how_held(big, WORKSTATION, PlanSettings("int8")).engine == "adapter"
    assert how_held(big, LAPTOP, PlanSettings("auto")).precision == "int4"
    assert how_held(small, LAPTOP, PlanSettings("auto")).precision == "int8"
    assert how_held(small, LAPTOP, PlanSettings("auto"), draft=True).precision == "int4"
    without = replace(LAPTOP, native=False)
    assert how_held(small, without, PlanSettings("auto")) == how_held(small, without, PlanSettings("float32"))
    assert how_held(shape_of(HYBRID), LAPTOP, PlanSettings("auto")).engine == "adapter"


def test_a_plan_counts_both_models_where_they_lie() -> None:
    target, draft = shape_of(QWEN3_8B), shape_of(QWEN3_06B)
    alone, both = plan(target, WORKSTATION), plan(target, WORKSTATION, draft=draft)
    names = {part.name: part.nbytes for part in both.parts}
    added = both.needed("card") - alone.needed("card")
    assert added > names["draft weights"] + names["draft cache"]
    assert names["draft cache"] == 8192 * 28 * 2 * 8 * 128 * 2
    assert names["card"] and both.on_card and both.scarce == "card"
    assert not any(part.place == "card" for part in plan(target, LAPTOP, draft=draft).parts)


def test_no_more_context_than_the_model_reads() -> None:
    assert plan(shape_of(SMOLLM2), LAPTOP, PlanSettings(context=100_000)).context == 8192


@pytest.mark.parametrize("wrong", [{"context": 3}, {"draft_length": 40}, {"cache_bits": 5}, {"int4_group": 48}])
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"cannot be planned|share a scale"):
        PlanSettings(**wrong)  # type: ignore[arg-type]


def test_the_wish_is_kept_where_it_fits() -> None:
    choice = choose(shape_of(SMOLLM2), LAPTOP, PlanSettings(context=4096))
    assert choice.settings == PlanSettings(context=4096) and choice.plan.fits
    assert "4,096 tokens" in choice.reason


def test_fewer_bits_before_less_context_before_no_draft() -> None:
    target, draft = shape_of(QWEN3_8B), shape_of(QWEN3_06B)

    def card(gib: float) -> Machine:
        return replace(WORKSTATION, cards=(Card("Card", 24 * GIB, round(gib * GIB)),))

    together = PlanSettings(draft_device="target")  # else a draft that has no room goes to the processor
    roomy = choose(target, card(23), together, draft)
    assert (roomy.settings.precision, roomy.settings.context, roomy.with_draft) == ("auto", 8192, True)
    four = choose(target, card(14), together, draft)
    assert (four.settings.precision, four.settings.context, four.with_draft) == ("int4", 8192, True)
    assert "4-bit weights are taken" in four.reason and "would be needed" in four.reason
    short = choose(target, card(9.5), together, draft)
    assert short.settings.precision == "int4" and short.settings.context < 8192 and short.with_draft
    alone = choose(target, card(8.2), together, draft)
    assert not alone.with_draft and "draft is left out" in alone.reason
    none = choose(target, card(3), together, draft)
    assert not none.plan.fits and none.reason.startswith("Even 4-bit weights")


def test_a_precision_that_was_wished_for_steps_down_too() -> None:
    tight = replace(LAPTOP, ram_free=8 * GIB)
    choice = choose(shape_of(QWEN3_8B), tight, PlanSettings("bfloat16"))
    assert choice.settings.precision == "int4" and choice.plan.fits
    small = replace(LAPTOP, ram_free=GIB)
    assert choose(shape_of(QWEN3_8B), small, PlanSettings("int4")).settings.precision == "int4"


def test_a_plan_says_what_it_takes() -> None:
    assert "Takes" in plan(shape_of(SMOLLM2), LAPTOP).sentence
    tight = replace(LAPTOP, ram_free=GIB // 2)
    assert "Does not fit" in plan(shape_of(SMOLLM2), tight).sentence


def test_every_draft_that_may_be_loaded_counts() -> None:
    small = shape_of(SMOLLM2)
    target = shape_of(QWEN3_8B)
    alone, one, three = (
        plan(target, LAPTOP, PlanSettings("int4"), *drafts) for drafts in ((), (small,), (small, [small, small]))
    )
    added = one.needed("ram") - alone.needed("ram")
    further = three.needed("ram") - one.needed("ram")
    assert added > 0 and further == pytest.approx(2 * added, rel=0.05)
    assert [part.name for part in three.parts] == [part.name for part in one.parts]
    tight = replace(LAPTOP, ram_free=(one.needed("ram") + three.needed("ram")) // 2)
    assert choose(target, tight, PlanSettings("int4"), small).with_draft
    assert choose(target, tight, PlanSettings("int4"), small, [small, small]).plan.context < one.context


def test_a_draft_has_its_own_precision_and_four_bits_their_block() -> None:
    card = WORKSTATION
    target, small = shape_of(QWEN3_8B), shape_of(SMOLLM2)
    held = plan(target, card, PlanSettings("int4"), small)
    assert held.draft is not None and (held.target.precision, held.draft.precision) == ("int4", "bfloat16")
    exact = plan(target, LAPTOP, PlanSettings("float32", implementation="adapter"), small)
    assert exact.draft is not None and exact.draft.precision == "float32"
    packed = plan(target, card, PlanSettings("int4", draft_precision="int4"), small)
    assert packed.needed("card") < held.needed("card")
    coarse = plan(target, card, PlanSettings("int4", four_bit=FourBit(double=False)), small)
    weights = sum(a * b for a, b in target.matrices)
    assert coarse.needed("card") - held.needed("card") == pytest.approx(weights * (4.5 - 4.127) / 8, rel=0.01)


def test_each_part_lies_where_its_model_does() -> None:
    """Cards that are pretended: the plan only counts."""
    target, draft = shape_of(QWEN3_8B), shape_of(QWEN3_06B)
    twin = Card("Card", 24 * GIB, 23 * GIB)
    two = replace(WORKSTATION, cards=(twin, twin))
    made = plan(target, two, draft=draft)
    assert made.draft is not None and (made.target.device, made.draft.device) == ("cuda:0", "cuda:1")
    assert made.overlaps and made.places == ("card", "card 2", "ram") and made.fits
    assert {part.name for part in made.parts if part.place == "card 2"} == {
        "draft weights", "draft cache", "buffers", "card"
    }  # fmt: skip
    assert (made.place_name("card"), made.place_name("card 2")) == ("Card (1)", "Card (2)")
    together = plan(target, two, PlanSettings(draft_device="target"), draft)
    assert not together.overlaps and together.places == ("card", "ram")
    apart = plan(target, WORKSTATION, PlanSettings(draft_device="cpu"), draft)
    assert apart.draft is not None and (apart.draft.engine, apart.draft.device) == ("native", "cpu")
    assert apart.needed("card") < together.needed("card") and apart.needed("ram") > together.needed("ram")
    second = plan(target, two, PlanSettings(device="cuda:1", draft_device="cuda:1"), draft)
    assert second.target.device == "cuda:1" and second.places == ("card 2", "ram") and second.scarce == "card 2"
    small = replace(two, cards=(twin, Card("Small", GIB, GIB // 2)))
    full = plan(target, small, PlanSettings(draft_device="cuda:1"), draft)
    assert not full.fits and "Small" in full.sentence
    slow = plan(target, two, PlanSettings(device="cpu"), draft)
    assert slow.places == ("ram",) and slow.draft is not None and slow.draft.device == "cpu"


def test_a_model_larger_than_its_device_says_what_that_costs() -> None:
    target = shape_of(QWEN3_8B)
    small = replace(WORKSTATION, cards=(Card("Card", 12 * GIB, 11 * GIB),), ram_free=30 * GIB)
    wish = PlanSettings("bfloat16", offload=True)
    made = plan(target, small, wish)
    assert made.offload is not None and made.fits and made.target.engine == "adapter"
    assert 0 < made.offload.kept < made.offload.layers == 36 and made.offload.disk == 0
    weights = [part for part in made.parts if part.name == "weights"]
    whole = plan(target, WORKSTATION, PlanSettings("bfloat16")).parts[0].nbytes
    assert {part.place for part in weights} == {"card", "ram"}
    assert sum(part.nbytes for part in weights) == pytest.approx(whole, rel=0.01)
    assert "Kept in the computer's memory: " in made.sentence
    assert made.offload.pass_s == pytest.approx(made.offload.ram / 10e9)
    assert plan(target, WORKSTATION, wish).offload is None, "it fits"
    tight = plan(target, replace(small, ram_free=6 * GIB), wish)
    assert tight.offload is not None and tight.offload.disk > 0 and "and on the disk" in tight.sentence
    slow = plan(target, replace(LAPTOP, ram_free=10 * GIB), PlanSettings("bfloat16", offload=True))
    assert slow.offload is not None and slow.offload.ram == 0 < slow.offload.disk and slow.fits
    assert plan(target, replace(LAPTOP, ram_free=GIB), wish).offload is None, "not even the embedding fits"
    scarce = plan(target, replace(WORKSTATION, ram_free=GIB), wish)
    assert not scarce.fits and scarce.offload is None, "the card has room for all, the program has none"


def test_fewer_bits_come_before_layers_elsewhere() -> None:
    target = shape_of(QWEN3_8B)
    four = choose(target, replace(LAPTOP, ram_free=9 * GIB), PlanSettings("bfloat16", offload=True))
    assert four.settings.precision == "int4" and four.plan.offload is None and four.settings.offload
    last = choose(target, replace(LAPTOP, ram_free=6 * GIB), PlanSettings("bfloat16", offload=True))
    assert last.plan.offload is not None and last.plan.fits and last.reason == last.plan.offload.sentence

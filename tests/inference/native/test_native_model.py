"""A whole forward: near the same model in transformers, and exact wherever exactness is promised."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
import transformers
from transformers import PreTrainedModel

from inference.native.library import Activation, Library
from inference.native.native_model import Heads, LayerWeights, ModelWeights, NativeModel, Rotary, turned_bias
from inference.native.weights import PackedMatrix, pack_int8, unpack

VOCABULARY, HIDDEN, INNER, HEADS, KV, SIZE = 61, 96, 160, 6, 2, 32
SHAPE = {
    "vocab_size": VOCABULARY,
    "hidden_size": HIDDEN,
    "intermediate_size": INNER,
    "num_hidden_layers": 3,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KV,
    "head_dim": SIZE,
    "max_position_embeddings": 512,
    "tie_word_embeddings": False,
}


def reference(family: str) -> PreTrainedModel:
    """A tiny random model whose matrices are exactly what int8 can hold."""
    names = {"llama": "Llama", "qwen2": "Qwen2", "qwen3": "Qwen3", "gemma3": "Gemma3Text"}
    config_class = getattr(transformers, f"{names[family]}Config")
    model_class = getattr(transformers, f"{names[family].removesuffix('Text')}ForCausalLM")
    extra = {"gemma3": {"sliding_window": 9, "query_pre_attn_scalar": SIZE, "pad_token_id": 0}}.get(family, {})
    shape = SHAPE if family != "qwen2" else SHAPE | {"hidden_size": HEADS * SIZE}
    torch.manual_seed(0)
    model = model_class(config_class(**shape, **extra)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 2:
                parameter.copy_(unpack(pack_int8(torch.randn_like(parameter) / parameter.shape[1] ** 0.5)))
            elif name.endswith("bias"):
                parameter.normal_(0, 0.3)
            else:
                parameter.normal_(0 if family == "gemma3" else 1, 0.2)
    return model


def native(model: PreTrainedModel, library: Library) -> NativeModel:
    config, state = model.config, model.state_dict()
    gemma = config.model_type.startswith("gemma3")
    activation: Activation = "gelu_tanh" if gemma else "silu"

    def norm(name: str) -> torch.Tensor | None:
        weight = state.get(f"{name}.weight")
        return None if weight is None else weight + 1 if gemma else weight.clone()

    def matrix(name: str) -> PackedMatrix:
        return pack_int8(state[f"{name}.weight"], state.get(f"{name}.bias"))

    layers = []
    for i in range(config.num_hidden_layers):
        prefix, kind = f"model.layers.{i}", getattr(config, "layer_types", ["full_attention"] * 9)[i]
        embedding = model.model.rotary_emb
        arguments = (torch.zeros(1), torch.arange(512)[None]) + ((kind,) if gemma else ())
        cosines, sines = (table[0, :, : SIZE // 2].contiguous().float() for table in embedding(*arguments))
        bias = state.get(f"{prefix}.self_attn.k_proj.bias")
        heads = Heads(
            HEADS,
            KV,
            SIZE,
            SIZE**-0.5,
            Rotary(cosines, sines),
            config.sliding_window if kind == "sliding_attention" else 0,
            config.rms_norm_eps,
            norm(f"{prefix}.self_attn.q_norm"),
            norm(f"{prefix}.self_attn.k_norm"),
            None if bias is None else turned_bias(bias, Rotary(cosines, sines)),
        )
        after = "pre_feedforward_layernorm" if gemma else "post_attention_layernorm"
        attention_norm, feed_forward_norm = norm(f"{prefix}.input_layernorm"), norm(f"{prefix}.{after}")
        assert attention_norm is not None
        assert feed_forward_norm is not None
        layers.append(
            LayerWeights(
                attention_norm,
                *(matrix(f"{prefix}.self_attn.{name}_proj") for name in "qkvo"),
                heads,
                feed_forward_norm,
                *(matrix(f"{prefix}.mlp.{name}_proj") for name in ("gate", "up", "down")),
                post_attention_norm=norm(f"{prefix}.post_attention_layernorm") if gemma else None,
                post_feed_forward_norm=norm(f"{prefix}.post_feedforward_layernorm") if gemma else None,
            )
        )
    final = norm("model.norm")
    assert final is not None
    scale = config.hidden_size**0.5 if gemma else 1.0
    tables = matrix("model.embed_tokens"), matrix("lm_head")
    weights = ModelWeights(tables[0], tuple(layers), final, tables[1], config.rms_norm_eps, activation, scale)
    return NativeModel(library, weights)


def tokens(count: int) -> list[int]:
    return torch.randint(0, VOCABULARY, (count,), generator=torch.Generator().manual_seed(5)).tolist()


@pytest.mark.parametrize("family", ["llama", "qwen2", "qwen3", "gemma3"])
def test_logits_are_near_those_of_transformers(library: Library, family: str) -> None:
    model = reference(family)
    fused = native(model, library)
    text = tokens(40)
    with torch.no_grad():
        wanted = model(torch.tensor([text])).logits[0]
    got = fused.forward(text, fused.new_cache(64), rows=40)
    # the weights are the same: what differs is int8 activations and half-precision keys and values
    assert (got - wanted).norm() < 0.05 * wanted.norm()
    assert (got.argmax(1) == wanted.argmax(1)).float().mean() > 0.85


@pytest.fixture
def llama(library: Library) -> NativeModel:
    return native(reference("llama"), library)


def test_a_text_reads_the_same_however_it_is_cut(llama: NativeModel) -> None:
    text = tokens(300)
    whole = llama.forward(text, llama.new_cache(300), rows=300)
    cache = llama.new_cache(300)
    position = 0
    for count in (1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33, 100, 89):
        part = llama.forward(text[position : position + count], cache, rows=count)
        assert torch.equal(part, whole[position : position + count])
        position += count
    assert position == cache.length == 300


def test_rolling_back_leaves_no_trace(llama: NativeModel) -> None:
    text, other = tokens(280), tokens(290)[::-1]
    wanted = llama.forward(text, llama.new_cache(400), rows=30)
    cache = llama.new_cache(400)
    llama.forward(text[:250], cache)
    llama.forward(other[:40], cache)
    assert cache.truncate(250) == 250
    assert torch.equal(llama.forward(text[250:], cache, rows=30), wanted)
    with pytest.raises(ValueError, match="truncate"):
        cache.truncate(281)


def test_results_go_where_they_are_asked_for(llama: NativeModel) -> None:
    text = tokens(20)
    wanted = llama.forward(text, llama.new_cache(32), rows=3)
    logits, hidden = torch.empty(3, VOCABULARY), torch.empty(3, HIDDEN)
    assert llama.forward(text, llama.new_cache(32), 3, logits, hidden) is logits
    assert torch.equal(logits, wanted)
    head = llama.library.matmul(llama.weights.head, llama.library.quantize(hidden))
    assert torch.equal(head, wanted)
    assert llama.forward(text, llama.new_cache(32), rows=0).shape == (0, VOCABULARY)


def test_what_does_not_fit_is_refused(llama: NativeModel) -> None:
    cache = llama.new_cache(16)
    for bad in ([VOCABULARY], [-1]):
        with pytest.raises(ValueError, match="vocabulary"):
            llama.forward(bad, cache)
    with pytest.raises(ValueError, match="holds 16"):
        llama.forward(tokens(17), cache)
    with pytest.raises(ValueError, match="rotary"):
        llama.forward(tokens(513), llama.new_cache(1000))
    with pytest.raises(ValueError, match="rows"):
        llama.forward(tokens(3), cache, rows=4)
    with pytest.raises(ValueError, match="rows"):
        llama.forward([], cache)
    assert cache.length == 0


def test_threads_do_not_change_a_bit(llama: NativeModel) -> None:
    text = tokens(50)
    results = []
    for threads in (1, 2, 3):
        llama.library.threads = threads
        results.append(llama.forward(text, llama.new_cache(64), rows=50))
    assert torch.equal(results[0], results[1])
    assert torch.equal(results[0], results[2])


def test_two_that_ask_at_once_are_read_one_after_the_other(llama: NativeModel) -> None:
    llama.observe((0, 2))
    texts = [tokens(40), tokens(90)[::-1]]
    wanted = [llama.forward(text, llama.new_cache(96), rows=len(text)) for text in texts]

    def ask(which: int) -> bool:
        text, good = texts[which], True
        for _ in range(60):
            got = llama.forward(text, llama.new_cache(96), rows=len(text))
            good = good and torch.equal(got, wanted[which])
        return good

    with ThreadPoolExecutor(2) as executor:
        assert list(executor.map(ask, (0, 1))) == [True, True]


def test_a_lent_thread_is_missed_by_no_result(llama: NativeModel) -> None:
    text = tokens(50)
    wanted = llama.forward(text, llama.new_cache(64), rows=50)
    llama.library.threads = 3
    try:
        for lent in (1, 2, 9, 0, 1, 0):
            llama.library.lend(lent)
            assert torch.equal(llama.forward(text, llama.new_cache(64), rows=50), wanted), lent
    finally:
        llama.library.lend(0)
    with pytest.raises(ValueError, match="refuse"):
        llama.library.lend(-1)

"""A checkpoint's own multi-token prediction layer drafts: the target's own words at any draft length."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from inference.engine import Engine
from inference.heads.prediction import HeldPrediction
from inference.heads.prediction_runner import PredictionRunner
from inference.messages import Message
from inference.models.transformers_model import TransformersModel
from inference.profiles import NATIVE
from tests.inference.conftest import TinyFactory
from tests.inference.engines import FLOAT32, ask, finished, greedy, held, load, reply, text_of
from tests.inference.heads.predicting import add_prediction_layer, beside_a_picture_model

QUESTIONS = (
    ask("hello hello hello the system is the system is"),
    ask("and on and on and on", "is the string on?", "the string is on and on"),
)


@pytest.fixture(scope="module")
def folder(tiny: TinyFactory, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return add_prediction_layer(tiny("qwen3_5", layers=2, seed=3), tmp_path_factory.mktemp("predicting") / "model")


@pytest.fixture(scope="module")
def engine(folder: Path) -> Engine:
    return load(folder)


@pytest.fixture
def unafraid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drafts are as long as asked, however unlikely."""
    monkeypatch.setattr("inference.drafters.head.LEAST", 0.0)


@pytest.mark.usefixtures("unafraid")
@pytest.mark.parametrize(("drafter", "lengths"), [("head", range(1, 9)), ("combined", (5,))])
def test_every_draft_length_gives_the_same_tokens(engine: Engine, drafter: str, lengths: Sequence[int]) -> None:
    accepted = proposed = 0
    for question in QUESTIONS:
        plain = reply(engine, question, greedy(max_tokens=14))
        expected = held(engine)[-1].copy()
        for k in lengths:
            drafted = reply(engine, question, greedy(drafter, k, 14))
            assert held(engine)[-1] == expected, f"K = {k}"
            assert text_of(drafted) == text_of(plain)
            accepted += finished(drafted).statistics.accepted
            proposed += finished(drafted).statistics.proposed
    assert 0 < accepted < proposed, "some stood and some fell"


def test_a_conversation_that_goes_on_and_back(engine: Engine) -> None:
    def talk(drafter: str) -> list[str]:
        messages, texts = ask("the system is on"), []
        for content in ("and the user?", "the string, and on"):
            texts.append(text_of(reply(engine, messages, greedy(drafter, 5, 10))))
            messages = [*messages, Message("assistant", texts[-1]), Message("user", content)]
        edited = [*messages[:2], Message("user", "and the end?")]
        return [*texts, *(text_of(reply(engine, these, greedy(drafter, 5, 10))) for these in (messages, edited))]

    engine.forget_chats()
    plain = talk("none")
    engine.forget_chats()
    assert talk("head") == plain
    assert talk("head") == plain, "from the caches"


def test_the_router_may_choose_it(engine: Engine) -> None:
    routes = engine.routes()
    assert routes is not None
    assert {f"head:{NATIVE}", f"combined:{NATIVE}"} <= {candidate.key for candidate in routes.candidates}
    assert [(head.name, head.task) for head in engine.heads] == [(NATIVE, "any")]
    assert engine.target is not None and engine.target.foresight == "ready"
    drafted = reply(engine, QUESTIONS[0], greedy("automatic", max_tokens=12))
    assert text_of(drafted) == text_of(reply(engine, QUESTIONS[0], greedy(max_tokens=12)))


def runner_of(engine: Engine) -> PredictionRunner:
    prediction = engine._host.heads[NATIVE]
    assert isinstance(prediction, HeldPrediction)
    return prediction.runner


def test_a_draft_leaves_nothing_behind(engine: Engine) -> None:
    """However a text is cut, and whatever was drafted on the way, the next draft is the same."""
    runner = runner_of(engine)
    generator = torch.Generator().manual_seed(1)
    tokens = torch.randint(3, 290, (30,), generator=generator).tolist()
    features = torch.randn(30, 1, 64, generator=generator)
    whole = runner.draft(tokens, features, runner.new_cache(), 5)
    assert len(whole) == 5
    cache = runner.new_cache()
    for start, end, k in ((0, 1, 3), (1, 12, 0), (12, 14, 8), (14, 29, 2), (29, 30, 0)):
        assert len(runner.draft(tokens[start:end], features[start:end], cache, k)) == k
        assert cache.length == end
    cache.truncate(20)
    twin = cache.copy(20)
    for one in (cache, twin):
        assert runner.draft(tokens[20:], features[20:], one, 5) == whole
    assert runner.draft(tokens[:3], features[:3], runner.new_cache(), 5, least=1.0) == []


def test_it_reads_what_the_output_layer_reads(engine: Engine, folder: Path) -> None:
    """With the target's own states the layer sees, to rounding, what transformers computes in one go."""
    model = TransformersModel.load(folder, "float32", "cpu", 256)
    text = [7 + (i * i) % 250 for i in range(40)]
    with torch.inference_mode():
        wanted = model.inner.model(torch.tensor([text])).last_hidden_state[0]
    model.observe(runner_of(engine).depths)
    cache, parts, start = model.new_cache(), [], 0
    for end in (1, 9, 10, 40):
        logits = model.forward(text[start:end], cache, 1)
        parts.append(model.features())
        start = end
    seen = torch.cat(parts)
    assert seen.shape == (40, 1, 64)
    assert torch.allclose(seen[:, 0], wanted, atol=1e-4)
    assert torch.allclose(model.inner.lm_head(seen[-1]), logits, atol=1e-4)
    model.observe(())
    with pytest.raises(ValueError, match="nothing is observed"):
        model.features()
    with pytest.raises(ValueError, match="no layers"):
        model.observe((3,))


def test_a_checkpoint_that_also_sees(folder: Path, engine: Engine, tmp_path: Path) -> None:
    """As Qwen3.5 is published: names and configuration of the text lie one level deeper."""
    whole = load(beside_a_picture_model(folder, tmp_path / "whole"))
    assert [head.name for head in whole.heads] == [NATIVE]
    drafted = reply(whole, QUESTIONS[0], greedy("head", 4, 10))
    assert text_of(drafted) == text_of(reply(engine, QUESTIONS[0], greedy(max_tokens=10)))


def test_beside_a_target_whose_embedding_lies_on_the_disk(engine: Engine, folder: Path) -> None:
    """It computes where the target does, not where the target's first weight lies."""
    away = load(folder, settings=replace(FLOAT32, offload=True, away=90))
    assert away.target is not None and "on the disk" in away.target.description
    drafted = reply(away, QUESTIONS[0], greedy("head", 4, 6))
    assert finished(drafted).statistics.proposed
    assert text_of(drafted) == text_of(reply(engine, QUESTIONS[0], greedy(max_tokens=6)))
    away.unload()


@pytest.mark.usefixtures("unafraid")
def test_layers_numbered_behind_the_models_own(tiny: TinyFactory, tmp_path: Path) -> None:
    """As DeepSeek-V3 and GLM name them."""
    import transformers

    folder = tmp_path / "glm"
    glm = transformers.Glm4MoeConfig(
        vocab_size=300,
        hidden_size=32,
        intermediate_size=48,
        moe_intermediate_size=16,
        num_hidden_layers=2,
        first_k_dense_replace=0,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        n_routed_experts=4,
        num_experts_per_tok=2,
        n_shared_experts=1,
        max_position_embeddings=256,
        eos_token_id=2,
        pad_token_id=0,
    )
    source = tmp_path / "source"
    torch.manual_seed(0)
    transformers.AutoModelForCausalLM.from_config(glm, dtype=torch.float32).save_pretrained(source)
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        if (path := tiny("llama") / name).exists():
            (source / name).write_bytes(path.read_bytes())
    engine = load(add_prediction_layer(source, folder, "beyond"))
    assert [head.name for head in engine.heads] == [NATIVE]
    plain = text_of(reply(engine, QUESTIONS[0], greedy(max_tokens=12)))
    for k in (1, 8):
        drafted = reply(engine, QUESTIONS[0], greedy("head", k, max_tokens=12))
        assert text_of(drafted) == plain
        assert finished(drafted).statistics.proposed > 0


@pytest.mark.parametrize(
    ("leave_out", "foresight", "said"),
    [("mtp.", "absent", "they are not there"), ("norm_hidden", "unused", "cannot make them")],
)
def test_what_cannot_draft_is_told(
    tiny: TinyFactory, tmp_path: Path, caplog: pytest.LogCaptureFixture, leave_out: str, foresight: str, said: str
) -> None:
    folder = add_prediction_layer(tiny("qwen3_5"), tmp_path / "model", leave_out=leave_out)
    with caplog.at_level(logging.INFO):
        engine = load(folder)
    assert engine.heads == () and said in caplog.text
    assert engine.target is not None and engine.target.foresight == foresight
    assert finished(reply(engine, ask("hello"), greedy(max_tokens=4))).statistics.reply_tokens == 4


def test_a_target_whose_layers_have_no_norm_is_loaded_all_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inference.heads.prediction._library_layers", lambda *_: next(iter(())))
    engine = load(folder)
    assert engine.heads == () and engine.target is not None and engine.target.foresight == "unused"

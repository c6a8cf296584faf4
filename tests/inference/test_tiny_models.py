"""The models the other tests stand on: whole folders, varied text, the same weights every time."""

from collections.abc import Callable
from pathlib import Path

import pytest
from transformers import AutoTokenizer

from inference.models.transformers_model import TransformersModel
from tests.tiny_models import KINDS, tiny_model

Tiny = Callable[..., Path]


def greedy(model: TransformersModel, prompt: list[int], count: int) -> list[int]:
    cache = model.new_cache()
    text = [int(model.forward(prompt, cache).argmax())]
    while len(text) < count:
        text.append(int(model.forward(text[-1:], cache).argmax()))
    return text


@pytest.mark.parametrize("kind", KINDS)
def test_a_tiny_model_talks(kind: str, tiny: Tiny, tiny_draft: Tiny) -> None:
    tokenizer = AutoTokenizer.from_pretrained(tiny(kind), local_files_only=True)
    for text in ("Hello, the user\n\n is  here", "你好，世界 🎉", "<|im_start|>x<|im_end|>"):
        assert tokenizer.decode(tokenizer(text, add_special_tokens=False)["input_ids"]) == text
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hello"}]
    prompt = tokenizer.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
    assert prompt.startswith("<|im_start|>system\nBe brief.<|im_end|>") and prompt.endswith("<|im_start|>assistant\n")
    ids = tokenizer(prompt, add_special_tokens=False)["input_ids"]
    assert {1, 2} <= set(ids) and len(ids) < len(prompt)
    model = TransformersModel.load(tiny(kind), "float32", "cpu", 512)
    assert model.vocabulary_size == len(tokenizer)
    assert len(set(greedy(model, ids, 40))) > 8  # not one token for ever
    draft = TransformersModel.load(tiny_draft(kind), "float32", "cpu", 512)
    assert draft.nbytes < model.nbytes and len(greedy(draft, ids, 5)) == 5


def test_the_same_seed_gives_the_same_files(tmp_path: Path) -> None:
    first, second, other = (
        tiny_model("qwen3_5", tmp_path / name, seed=seed) for name, seed in (("a", 3), ("b", 3), ("c", 4))
    )
    for path in sorted(first.iterdir()):
        assert path.read_bytes() == (second / path.name).read_bytes()
    weights = "model.safetensors"
    assert (first / weights).read_bytes() != (other / weights).read_bytes()


@pytest.mark.parametrize("size", [8, 12, 100, 262, 290])
def test_any_size_of_vocabulary(size: int, tiny: Tiny) -> None:
    folder = tiny("llama", vocabulary=size, padding=5, chat_template=None)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    assert len(tokenizer) == size and tokenizer.chat_template is None
    assert tokenizer.decode(tokenizer("tea", add_special_tokens=False)["input_ids"]) == "tea"
    model = TransformersModel.load(folder, "float32", "cpu", 64)
    assert model.vocabulary_size == size + 5

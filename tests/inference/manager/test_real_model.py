"""The starter model as a person gets it: fetched by the store, converted, loaded by transformers, asked a question."""

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from inference.manager.folder import inspect
from tests.real_model import real_model_folder

pytestmark = pytest.mark.model


def test_the_starter_is_whole() -> None:
    report = inspect(real_model_folder())
    assert report.architecture == "LlamaForCausalLM" and report.has_chat_template
    assert report.parameters == 134_515_008 and report.context_length == 8192


def test_its_tokens_are_those_the_model_was_trained_with() -> None:
    """Ids published with the model: markers are one token, digits stand alone."""
    tokenizer = AutoTokenizer.from_pretrained(real_model_folder())
    assert tokenizer.convert_tokens_to_ids(["<|endoftext|>", "<|im_start|>", "<|im_end|>"]) == [0, 1, 2]
    text = "<|im_start|>user\nWhat is 12345?<|im_end|>\n"
    ids = tokenizer.encode(text)
    assert ids[0] == 1 and ids[-2] == 2 and tokenizer.decode(ids) == text
    assert [tokenizer.decode([i]) for i in ids].count("1") == 1 and "12345" not in tokenizer.convert_ids_to_tokens(ids)


def test_it_answers_sensibly() -> None:
    folder = real_model_folder()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    prompt = tokenizer.apply_chat_template(
        [{"role": "user", "content": "What is the capital of France?"}],
        add_generation_prompt=True,
        return_tensors="pt",
        return_dict=True,
    )
    reply = model.generate(**prompt, max_new_tokens=16, do_sample=False)[0, prompt["input_ids"].shape[1] :]
    assert tokenizer.decode(reply, skip_special_tokens=True) == "The capital of France is Paris."
    assert reply[-1] == tokenizer.eos_token_id

"""Protocols become cases: the right prompts, of the right length, at every temperature."""

from dataclasses import replace
from pathlib import Path

import pytest

from inference.bench.prompts import Prompt, shipped
from inference.bench.protocol import PROTOCOLS, Case, cases, chosen_prompts, lengthened
from inference.chat_template import render
from inference.errors import UserError
from inference.messages import Message
from inference.tokenizer import Tokenizer
from tests.inference.conftest import TinyFactory
from tests.tiny_tokenizers import byte_level


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return byte_level()


def test_short_asks_twenty_questions_in_english(tokenizer: Tokenizer) -> None:
    protocol = PROTOCOLS["short"]
    asked = cases(protocol, chosen_prompts(protocol, None, ["en"], None), tokenizer, 8192)
    assert [case.group for case in asked] == ["code"] * 10 + ["prose"] * 10
    assert all(case.tokens == 128 and case.greedy for case in asked)
    both = chosen_prompts(protocol, None, ["en", "zh"], None)
    assert [case.group for case in cases(protocol, both, tokenizer, 8192)][-1] == "prose zh"


@pytest.mark.parametrize("length", [200, 1000, 3000])
@pytest.mark.parametrize("at", range(len(shipped("reading.jsonl"))))
def test_lengthened_to_the_token_or_nearly(tokenizer: Tokenizer, length: int, at: int) -> None:
    prompt = shipped("reading.jsonl")[at]
    text = lengthened(prompt, length, tokenizer)
    assert text.startswith(prompt.prompt)
    assert abs(len(render(tokenizer, [Message("user", text)])) - length) <= 4
    assert "\ufffd" not in text


def test_context_keeps_the_lengths_that_fit(tokenizer: Tokenizer) -> None:
    protocol = PROTOCOLS["context"]
    prompts = chosen_prompts(protocol, None, ["en"], None)
    assert len(prompts) == 2
    assert [c.group for c in cases(protocol, prompts, tokenizer, 40_000)][:3] == ["code 0.5K", "code 2K", "code 8K"]
    whole = cases(protocol, prompts, tokenizer, 8192)  # 8K less the reply still counts as 8K
    assert [case.group for case in whole][:3] == ["code 0.5K", "code 2K", "code 8K"]
    assert len(render(tokenizer, [Message("user", whole[2].prompt)])) + whole[2].tokens <= 8192
    assert [case.group for case in cases(protocol, prompts, tokenizer, 1024)] == ["code 0.5K", "prose 0.5K"]
    with pytest.raises(UserError, match="too short"):
        cases(protocol, prompts, tokenizer, 256)


def test_unknown_context_is_taken_to_be_long_enough(tokenizer: Tokenizer) -> None:
    protocol = PROTOCOLS["long"]
    assert len(cases(protocol, chosen_prompts(protocol, None, ["en"], 1), tokenizer, 0)) == 2


def test_temperatures_are_crossed_with_prompts(tokenizer: Tokenizer) -> None:
    protocol = replace(PROTOCOLS["short"], temperatures=(0.0, 0.7))
    asked = cases(protocol, [Prompt("code", "a"), Prompt("mail", "b")], tokenizer, 0)
    assert asked == [
        Case("code T=0", "a", 128, 0.0),
        Case("mail T=0", "b", 128, 0.0),
        Case("code T=0.7", "a", 128, 0.7),
        Case("mail T=0.7", "b", 128, 0.7),
    ]


def test_own_prompts_take_the_place_of_the_shipped_ones(tokenizer: Tokenizer) -> None:
    own = [Prompt("mail", "a"), Prompt("mail", "b")]
    for protocol in PROTOCOLS.values():
        chosen = chosen_prompts(protocol, own, [], 1)
        assert chosen == own[:1]
        assert {case.prompt for case in cases(protocol, chosen, tokenizer, 40_000)} == {"a"}


def test_a_length_without_room_for_a_text_is_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(UserError, match="no room"):
        lengthened(Prompt("code", "many words " * 20, text="x"), 16, tokenizer)


def test_real_tokenizers_from_disk(tiny: TinyFactory) -> None:
    folder: Path = tiny("llama")
    tokenizer = Tokenizer.load(folder)
    prompt = shipped("reading.jsonl")[0]
    assert len(render(tokenizer, [Message("user", lengthened(prompt, 700, tokenizer))])) == pytest.approx(700, abs=4)

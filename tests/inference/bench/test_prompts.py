"""Prompts: the shipped ones are complete, a person's own are read or refused with the line that is wrong."""

from collections import Counter
from pathlib import Path

import pytest

from inference.bench.prompts import Prompt, first_of_each, in_languages, read, reads_chinese, shipped
from inference.bench.protocol import PROTOCOLS
from inference.errors import UserError
from tests.tiny_tokenizers import byte_level


def test_ten_of_each_task_in_both_languages() -> None:
    prompts = shipped("prompts.jsonl")
    kinds = Counter((prompt.task, prompt.language) for prompt in prompts)
    assert kinds == {(task, language): 10 for task in ("code", "prose") for language in ("en", "zh")}
    assert len({prompt.prompt for prompt in prompts}) == 40


def test_chinese_prompts_are_chinese() -> None:
    for prompt in shipped("prompts.jsonl"):
        assert any("\u4e00" <= letter <= "\u9fff" for letter in prompt.prompt) == (prompt.language == "zh"), prompt


@pytest.mark.parametrize("name", sorted({protocol.file for protocol in PROTOCOLS.values()}))
def test_every_shipped_file_has_prompts_in_both_languages(name: str) -> None:
    assert {prompt.language for prompt in shipped(name)} == {"en", "zh"}


def test_repeat_prompts_hold_the_text_that_is_to_be_repeated() -> None:
    for prompt in shipped("repeat.jsonl"):
        order, _, text = prompt.prompt.partition("\n\n")
        assert len(text) > 2 * len(order), prompt
    assert {prompt.task for prompt in shipped("repeat.jsonl")} == {"code", "prose"}


def test_reading_prompts_come_with_their_text() -> None:
    assert all(len(prompt.text) > 1000 for prompt in shipped("reading.jsonl"))


def test_own_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"task": "mail", "prompt": "你好"}\n\n{"prompt": "Hi", "text": "secret.txt"}\n', encoding="utf-8")
    assert read(file) == [Prompt("mail", "你好"), Prompt("prompts", "Hi")]


@pytest.mark.parametrize("line", ["not json", "[1]", '{"task": "code"}', '{"prompt": ""}', '{"prompt": 3}', '{"a": '])
def test_a_line_that_is_no_prompt_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f'{{"prompt": "fine"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"Line 2 of mine\.jsonl"):
        read(file)


@pytest.mark.parametrize(
    ("content", "said"), [(None, "cannot be read"), (b"\n \n", "no prompts"), (b"\xff\xfe\x00", "not UTF-8")]
)
def test_a_file_that_cannot_be_used(tmp_path: Path, content: bytes | None, said: str) -> None:
    file = tmp_path / "mine.jsonl"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UserError, match=said):
        read(file)


def test_languages_and_limit() -> None:
    prompts = [Prompt("a", "1", "en"), Prompt("a", "2", "zh"), Prompt("a", "3"), Prompt("a", "4", "en")]
    assert [prompt.prompt for prompt in in_languages(prompts, ["en"])] == ["1", "3", "4"]
    assert [prompt.prompt for prompt in first_of_each(prompts, 1)] == ["1", "2", "3"]
    assert first_of_each(prompts, None) == prompts


def test_a_vocabulary_that_spells_chinese_in_bytes_is_not_asked_in_chinese() -> None:
    assert not reads_chinese(byte_level())

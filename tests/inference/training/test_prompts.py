"""The built-in questions: many, always the same ones, and never those that are measured with."""

from itertools import islice

import pytest

from inference.bench.prompts import shipped
from inference.tasks import TASKS, Task
from inference.training.prompts import Templates, alike, built_in, for_measuring, for_training

MANY = 600


@pytest.mark.parametrize("task", TASKS)
def test_questions_are_different_and_the_same_in_every_run(task: Task) -> None:
    texts = [prompt.text for prompt in islice(built_in(task, ("en",), 7), MANY)]
    assert len(set(texts)) == MANY
    assert texts[:200] == [prompt.text for prompt in islice(built_in(task, ("en",), 7), 200)]
    assert texts[:200] != [prompt.text for prompt in islice(built_in(task, ("en",), 8), 200)]
    assert not any("{" in text and "}" in text and "slot" in text for text in texts)


@pytest.mark.parametrize("task", TASKS)
def test_held_out_questions_are_never_trained_on(task: Task) -> None:
    trained = {prompt.text for prompt in islice(for_training(task, ("en",), 1), MANY)}
    measured = {prompt.text for prompt in for_measuring(task, ("en",), 20)}
    assert len(measured) == 20
    assert not trained & measured


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("task", TASKS)
def test_no_question_of_the_benchmark_is_asked(task: Task, language: str) -> None:
    asked = {prompt.text for prompt in islice(built_in(task, (language,), 1), MANY)}
    assert not asked & {prompt.prompt for prompt in shipped("prompts.jsonl")}


def test_two_ways_to_ask_for_the_same_thing_are_alike() -> None:
    a = frozenset(("merges", "two", "sorted", "lists", "python", "function"))
    assert alike(a, frozenset(("merges", "two", "sorted", "lists")))
    assert not alike(a, frozenset(("python", "function", "reverses", "words", "sentence")))
    assert not alike(a, frozenset())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_slot_of_every_template_can_be_filled(language: str) -> None:
    import random

    templates = Templates.shipped(language)
    for task in TASKS:
        for template in templates.templates[task]:
            filled = templates.fill(template, random.Random(1))
            assert filled and not filled.startswith("{")


def test_both_languages_are_asked_in_turn() -> None:
    texts = [prompt.text for prompt in islice(built_in("prose", ("en", "zh"), 1), 40)]
    chinese = [text for text in texts if any("\u4e00" <= character <= "\u9fff" for character in text)]
    assert 15 <= len(chinese) <= 25

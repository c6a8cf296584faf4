"""Sampled replies that a head drafted have the target's distribution: its greedy drafts are one-hot proposals."""

from collections import Counter
from pathlib import Path

import pytest

from inference.engine import Engine
from inference.heads.fingerprint import identify
from inference.settings import LoadSettings
from inference.tokenizer import Tokenizer
from tests.inference.conftest import TinyFactory
from tests.inference.engines import held, load
from tests.inference.heads.trained import save_trained
from tests.inference.test_sampled import FILTERS, assert_distributed, exact, prompt_length, replies


@pytest.fixture(scope="module")
def engine(tiny: TinyFactory, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tiny("llama", layers=3, vocabulary=40)
    package: Path = tmp_path_factory.mktemp("drafts") / "any"
    save_trained(package, identify("tiny", folder, Tokenizer.load(folder).vocabulary), folder)
    engine = load(folder, settings=LoadSettings(precision="int8", implementation="fused"))
    engine.load_head(package)
    return engine


@pytest.mark.parametrize("filters", FILTERS)
def test_replies_are_distributed_as_the_target_says(engine: Engine, filters: str) -> None:
    counts = replies(engine, "head", FILTERS[filters])
    prompt = held(engine)[-1]
    del prompt[prompt_length(engine) :]
    for length, expected in enumerate(exact(engine, FILTERS[filters]), 1):
        beginnings: Counter[tuple[int, ...]] = Counter()
        for tokens, count in counts.items():
            beginnings[tokens[:length]] += count
        assert_distributed(beginnings, expected)

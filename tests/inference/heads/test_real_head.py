"""The real SmolLM2 with a head that knows nothing: nearly every draft is refused, and the text is the same."""

from pathlib import Path

import pytest

from inference.heads.fingerprint import identify
from inference.heads.shape import HeadShape
from inference.settings import LoadSettings
from inference.tokenizer import Tokenizer
from tests.inference.engines import ask, finished, greedy, held, load, reply
from tests.inference.heads.tiny import save_random
from tests.real_model import real_model_folder

pytestmark = [pytest.mark.model, pytest.mark.timeout(900)]


def test_a_random_head_changes_no_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inference.drafters.head.LEAST", 0.0)  # it drafts although it is sure of nothing
    folder = real_model_folder()
    target = identify("SmolLM2", folder, Tokenizer.load(folder).vocabulary)
    assert target.architecture is not None
    shape = HeadShape.for_target(target.architecture, 8192)
    assert shape.depths == (2, 14, 29)
    save_random(tmp_path / "head", shape, target, tokens=target.architecture.vocabulary_size)
    engine = load(folder, settings=LoadSettings(implementation="fused", context_length=1024))
    engine.drop_head()  # those that are shipped
    engine.load_head(tmp_path / "head")
    for question in ("Write a Python function that merges two sorted lists.", "Why is the sky blue?"):
        reply(engine, ask(question), greedy(max_tokens=40))
        expected = held(engine)[-1].copy()
        for k in (1, 4, 8):
            statistics = finished(reply(engine, ask(question), greedy("head", k, max_tokens=40))).statistics
            assert held(engine)[-1] == expected, f"{question!r}, K = {k}"
            assert statistics.proposed >= 30 * k

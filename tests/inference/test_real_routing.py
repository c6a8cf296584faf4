"""SmolLM2 with a draft model in memory: switching to it at two thousand tokens is not felt, as it reads little."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from inference.engine import Engine
from inference.events import TaskChanged
from inference.manager.spec import Spec
from inference.profiles import Profile
from inference.settings import GenerationSettings, LoadSettings, SamplingSettings, SpeculationSettings
from tests.inference.engines import ask, finished, reply
from tests.inference.guided_model import guide
from tests.real_model import real_model_folder
from tests.tiny_models import truncated_copy

LONG = ask("Here is a report. " + "The river was high in spring and low in autumn, as it is in most years. " * 120)
PARTS = (8, "\n```python\n", 8, "\n```\n") * 3


@pytest.mark.model
def test_switching_reads_no_long_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = real_model_folder()
    engine = Engine()
    list(engine.load(Spec("target", "SmolLM2", folder=target), LoadSettings(), threading.Event()))
    draft = truncated_copy(target, tmp_path / "draft", 8)
    list(engine.load_draft(Spec("draft", "draft", folder=draft), LoadSettings(), threading.Event()))
    model, read = engine._host.drafts["draft"].held.model, []

    def forward(tokens: Sequence[int], *rest: Any) -> Any:
        read.append(len(tokens))
        return real(tokens, *rest)

    real = model.forward
    monkeypatch.setattr(model, "forward", forward)
    engine.set_profile("code", Profile("model:draft", 4))
    engine.set_profile("prose", Profile("ngram"))
    guide(engine, LONG, *PARTS)
    events = reply(
        engine,
        LONG,
        GenerationSettings(
            SamplingSettings(temperature=0), SpeculationSettings(mode="on", drafter="automatic"), max_tokens=400
        ),
    )
    prompt = finished(events).statistics.prompt_tokens
    assert prompt > 1900
    switches = [event for event in events if isinstance(event, TaskChanged)]
    assert [event.drafter for event in switches] == ["draft", "n-gram"] * 3
    assert 0 < sum(read) < prompt / 4, "the draft reads the last words, and each switch only what is new"

"""Tiny random models, each made once for the whole run of the tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tiny_models import tiny_model, truncated_copy

TinyFactory = Callable[..., Path]


@pytest.fixture(autouse=True)
def whole_drafts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random models are sure of nothing: drafts that end there would all be of one token."""
    monkeypatch.setattr("inference.crew.LEAST_CHANCE", 0.0)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyFactory:
    """tiny(kind, **options of tiny_model) -> folder, made at the first call with these options. Read only."""
    made: dict[tuple[object, ...], Path] = {}

    def make(kind: str, **options: object) -> Path:
        key = (kind, *sorted(options.items()))
        if key not in made:
            made[key] = tiny_model(kind, tmp_path_factory.mktemp("tiny") / kind, **options)
        return made[key]

    return make


@pytest.fixture(scope="session")
def tiny_draft(tiny: TinyFactory, tmp_path_factory: pytest.TempPathFactory) -> TinyFactory:
    """tiny_draft(kind, keep=1, **options) -> folder of the first `keep` layers of tiny(kind, **options). Read only."""
    made: dict[tuple[object, ...], Path] = {}

    def make(kind: str, keep: int = 1, **options: object) -> Path:
        key = (kind, keep, *sorted(options.items()))
        if key not in made:
            made[key] = truncated_copy(tiny(kind, **options), tmp_path_factory.mktemp("tiny") / f"{kind}-{keep}", keep)
        return made[key]

    return make

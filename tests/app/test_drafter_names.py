"""Names that fit beside the gauges and still say what drafts."""

import pytest

from app.drafter_names import ROOM, short_draft


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Qwen2.5-Coder-0.5B-Instruct", "Qwen2.5-Coder-0.5B"),
        ("SmolLM2-135M-Instruct.Q4_1", "SmolLM2-135M"),
        ("SmolLM2-135M-Instruct/prose", "prose head"),
        ("n-gram + Qwen2.5-Coder-0.5B-Instruct", "n-gram + Coder 0.5B"),
        ("n-gram + Qwen2.5 0.5B Instruct", "n-gram + Qwen2.5 0.5B"),
        ("SmolLM2-135M-Instruct/code, n-gram + SmolLM2-135M-Instruct/prose", "n-gram + prose head"),
        ("n-gram", "n-gram"),
        ("native prediction", "own prediction layer"),
        ("A name without a size that goes on", "A name without a size that goes on"),
    ],
)
def test_a_short_name(name: str, short: str) -> None:
    assert short_draft(name) == short


def test_names_of_the_catalogue_fit() -> None:
    from inference.manager.catalogue import Catalogue

    small = {draft for spec in Catalogue.read().specs for draft in spec.drafts}
    assert small and all(len(short_draft(name)) <= ROOM for name in small)

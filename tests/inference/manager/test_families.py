import json
from pathlib import Path

from inference.manager.families import paired
from inference.manager.hub_search import HubModel
from inference.manager.spec import Spec

MILLION = 1_000_000


def model(folder: Path, kind: str, vocabulary: int, millions: int) -> Spec:
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": kind, "vocab_size": vocabulary}), encoding="utf-8")
    return Spec(folder.name, folder.name, folder=folder, parameters=millions * MILLION)


def test_a_smaller_one_of_the_family_makes_a_pair(tmp_path: Path) -> None:
    small = model(tmp_path / "small", "qwen2", 1000, 500)
    large = model(tmp_path / "large", "qwen2", 1000, 1500)
    same = model(tmp_path / "same size", "qwen2", 1000, 900)
    words = model(tmp_path / "other words", "qwen2", 2000, 1500)
    other = model(tmp_path / "other kind", "llama", 1000, 1500)
    assert paired([small, large, same, words, other]) == {"large"}
    assert paired([large, same]) == paired([]) == frozenset()


def test_what_the_hub_has_counts_by_its_kind(tmp_path: Path) -> None:
    small = model(tmp_path / "small", "qwen2", 1000, 500)
    found = [
        HubModel("a/large", parameters=7000 * MILLION, model_type="qwen2"),
        HubModel("a/llama", parameters=7000 * MILLION, model_type="llama"),
        HubModel("a/unknown", parameters=7000 * MILLION),
        HubModel("a/no-size", model_type="qwen2"),
    ]
    assert paired([small], found) == {"a--large"}


def test_a_folder_that_is_damaged_or_gone_has_none(tmp_path: Path) -> None:
    small = model(tmp_path / "small", "qwen2", 1000, 500)
    damaged = model(tmp_path / "damaged", "qwen2", 1000, 1500)
    (tmp_path / "damaged" / "config.json").write_text("{")
    gone = Spec("gone", "gone", folder=tmp_path / "gone", parameters=1500 * MILLION)
    assert paired([small, damaged, gone, Spec("nowhere", "nowhere")]) == frozenset()

"""A head on disk: what was written is read, and nothing else is."""

import json
import pickle
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from inference.errors import UserError
from inference.heads.card import Card, CardError
from inference.heads.package import CARD, WEIGHTS, load, read_card, refusal, save
from tests.inference.heads.tiny import SHAPE, identity, random_head, random_tensors, save_random, tiny_architecture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_random(tmp_path / "head", SHAPE, identity(), tokens=100)
    return tmp_path / "head"


def test_a_package_comes_back_as_it_was(folder: Path) -> None:
    package = load(folder, identity())
    expected = random_head()
    assert package.card.shape == SHAPE
    assert torch.equal(package.vocabulary, random_tensors(SHAPE, 100)["vocabulary"])
    for name, tensor in package.head().state_dict().items():
        assert torch.equal(tensor, expected.state_dict()[name].half().float())
    assert {path.name for path in folder.iterdir()} == {CARD, WEIGHTS}
    assert [path.name for path in folder.parent.iterdir()] == ["head"]


def test_eight_bits_are_close_and_half_as_big(folder: Path, tmp_path: Path) -> None:
    card = read_card(folder)
    save(tmp_path / "small", card, random_tensors(SHAPE, 100), precision="I8")
    assert (tmp_path / "small" / WEIGHTS).stat().st_size < 0.75 * (folder / WEIGHTS).stat().st_size
    wide, small = (load(path, identity()).head().state_dict() for path in (folder, tmp_path / "small"))
    for name, tensor in wide.items():
        assert (tensor - small[name]).abs().max() <= tensor.abs().max() / 127


def test_saving_again_replaces_the_whole_package(folder: Path) -> None:
    card = read_card(folder)
    save(folder, replace(card, task="code", measured={"acceptance": [0.7]}), random_tensors(SHAPE, 100, seed=5))
    package = load(folder, identity())
    assert package.card.task == "code" and package.card.measured == {"acceptance": [0.7]}
    assert torch.equal(package.vocabulary, random_tensors(SHAPE, 100, seed=5)["vocabulary"])


def test_what_does_not_fit_the_card_is_not_written(folder: Path, tmp_path: Path) -> None:
    card, tensors = read_card(folder), random_tensors(SHAPE, 100)
    broken = tensors["layer.q.weight"].clone()
    broken[0, 0] = float("nan")
    falling = tensors["vocabulary"].flip(0)
    for change in ({"layer.q.weight": torch.zeros(3, 3)}, {"layer.q.weight": broken}, {"vocabulary": falling}):
        with pytest.raises(ValueError):
            save(tmp_path / "other", card, tensors | change)
    assert [path.name for path in tmp_path.iterdir()] == ["head"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"fingerprint": "other"}, "whose weights are not"), ({"vocabulary_fingerprint": "other"}, "vocabulary")],
)
def test_a_head_of_another_target_is_refused(folder: Path, changes: dict[str, str], reason: str) -> None:
    with pytest.raises(UserError, match=reason):
        load(folder, identity(**changes))


def test_a_target_that_lacks_the_layers_is_refused(folder: Path) -> None:
    for architecture in (tiny_architecture(layers=2), tiny_architecture(hidden=64)):
        assert "no such layer" in (refusal(read_card(folder), identity(architecture)) or "")
    with pytest.raises(UserError, match="does not have"):
        load(folder, identity(tiny_architecture(vocabulary=int(load(folder, identity()).vocabulary[-1]))))
    unknown = replace(identity(), architecture=None)
    assert "cannot be read" in (refusal(read_card(folder), unknown) or "")


def _rewrite(change: Callable[[dict[str, torch.Tensor]], object]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        tensors = load_file(folder / WEIGHTS)
        change(tensors)
        save_file(tensors, folder / WEIGHTS)

    return damage


def _cut(folder: Path) -> None:
    data = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(data[:-7])


def _pickle(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / "head.pt").write_bytes(pickle.dumps({"in.weight": [1.0]}))


def _pickle_in_disguise(folder: Path) -> None:
    (folder / WEIGHTS).write_bytes(pickle.dumps({"in.weight": [1.0]}))


def _card(text: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / CARD).write_text(text, encoding="utf-8")

    return damage


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (_cut, "is cut off"),
        (_pickle, "can run code"),
        (_pickle_in_disguise, "safetensors"),
        (_rewrite(lambda t: t.pop("in.weight")), "lacks the tensor in.weight"),
        (_rewrite(lambda t: t.update({"in.weight": torch.zeros(2, 2)})), "holds in.weight as"),
        (_rewrite(lambda t: t.update({"extra": torch.zeros(2)})), "no head has"),
        (_rewrite(lambda t: t.update({"in.weight": t["in.weight"].double()})), "as F64"),
        (_rewrite(lambda t: t.update({"in.weight": t["in.weight"].to(torch.int8)})), "in.weight.scale"),
        (_rewrite(lambda t: t["fuse.weight"].fill_(float("inf"))), "not a number"),
        (_rewrite(lambda t: t.update({"vocabulary": t["vocabulary"].flip(0).contiguous()})), "rising order"),
        (_card("{"), "not JSON"),
        (_card("[]"), "not a JSON object"),
        (_card('{"format": "foreword-head-9"}'), "format"),
        (lambda folder: (folder / CARD).unlink(), "not a draft"),
    ],
)
def test_damaged_packages_are_refused_with_the_reason(
    folder: Path, damage: Callable[[Path], None], reason: str
) -> None:
    damage(folder)
    with pytest.raises(UserError, match=reason):
        load(folder, identity())


def test_a_card_lacking_anything_is_refused(folder: Path) -> None:
    whole = json.loads((folder / CARD).read_text(encoding="utf-8"))
    assert Card.from_json(whole) == read_card(folder)
    for name in whole.keys() - {"data", "measured"}:
        with pytest.raises(CardError):
            Card.from_json({key: value for key, value in whole.items() if key != name})
    for name, value in {
        "task": "poetry",
        "hidden": "32",
        "depths": [1],
        "target": [],
        "data": 3,
        "window": None,
    }.items():
        with pytest.raises(CardError):
            Card.from_json(whole | {name: value})


def test_a_package_that_moved_is_still_whole(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "代码草稿")
    assert load(tmp_path / "代码草稿", identity()).name.endswith("/代码草稿")

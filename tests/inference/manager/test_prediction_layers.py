"""Layers that foresee further tokens: promised, there, neither; said at loading, and never in the way of it."""

from pathlib import Path
from typing import Any

import pytest

from inference.manager.prediction_layers import find_prediction_layers, prediction_layers

PLAIN = ["model.embed_tokens.weight", "model.layers.0.mlp.up_proj.weight", "model.layers.1.mlp.up_proj.weight"]


@pytest.mark.parametrize(
    ("config", "more", "said"),
    [
        ({"num_hidden_layers": 2}, [], ""),
        ({"text_config": {"num_hidden_layers": 2, "mtp_num_hidden_layers": 1}}, [], "they are not there"),
        ({"text_config": {"num_hidden_layers": 2, "mtp_num_hidden_layers": 1}}, ["mtp.fc.weight"], "(1 tensors)"),
        ({"num_hidden_layers": 2, "num_nextn_predict_layers": 1}, ["model.layers.2.eh_proj.weight"], "(1 tensors)"),
        ({"num_hidden_layers": 2}, ["vision.layers.9.weight"], ""),
        ({"num_hidden_layers": 2, "num_nextn_predict_layers": None}, ["model.mtp_layers.0.weight"], "foresee"),
    ],
)
def test_what_is_promised_and_what_is_there(config: dict[str, Any], more: list[str], said: str) -> None:
    statement = find_prediction_layers(config, dict.fromkeys([*PLAIN, *more], "BF16")).statement
    assert (said in statement) if said else not statement


def test_how_they_are_stored() -> None:
    plain, packed = {"mtp.fc.weight": "BF16"}, {"mtp.fc.weight": "F8_E4M3", "mtp.norm.weight": "BF16"}
    assert not find_prediction_layers({}, plain).packed and find_prediction_layers({}, packed).packed
    assert not find_prediction_layers({}, {"model.norm.weight": "F8_E4M3"}).packed
    text = {"text_config": {"mtp_use_dedicated_embeddings": True}}
    assert find_prediction_layers(text, plain).own_embeddings and not find_prediction_layers({}, plain).own_embeddings


def test_a_folder_of_another_kind_has_none(tmp_path: Path) -> None:
    assert prediction_layers(tmp_path).statement == ""

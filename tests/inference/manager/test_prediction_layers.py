"""Layers that foresee further tokens: promised, there, neither; said at loading, and never in the way of it."""

import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from inference.manager.prediction_layers import find_prediction_layers, prediction_layers
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, load, reply

PLAIN = ["model.embed_tokens.weight", "model.layers.0.mlp.up_proj.weight", "model.layers.1.mlp.up_proj.weight"]


@pytest.mark.parametrize(
    ("config", "more", "said"),
    [
        ({"num_hidden_layers": 2}, [], ""),
        ({"text_config": {"num_hidden_layers": 2, "mtp_num_hidden_layers": 1}}, [], "they are not there"),
        ({"text_config": {"num_hidden_layers": 2, "mtp_num_hidden_layers": 1}}, ["mtp.fc.weight"], "(1 tensors)"),
        ({"num_hidden_layers": 2, "num_nextn_predict_layers": 1}, ["model.layers.2.eh_proj.weight"], "(1 tensors)"),
        ({"num_hidden_layers": 2}, ["vision.layers.9.weight"], ""),
        ({"num_hidden_layers": 2, "num_nextn_predict_layers": None}, ["model.mtp_layers.0.weight"], "not used"),
    ],
)
def test_what_is_promised_and_what_is_there(config: dict[str, Any], more: list[str], said: str) -> None:
    statement = find_prediction_layers(config, [*PLAIN, *more]).statement
    assert (said in statement) if said else not statement


@pytest.mark.parametrize("there", [False, True])
def test_a_model_that_promises_them_loads_and_says_so(
    tiny: TinyFactory, tmp_path: Path, caplog: pytest.LogCaptureFixture, there: bool
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny("qwen3_5"), folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"mtp_num_hidden_layers": 1}), encoding="utf-8")
    if there:
        weights = load_file(folder / "model.safetensors")
        save_file(weights | {"mtp.fc.weight": torch.zeros(64, 128)}, folder / "model.safetensors", {"format": "pt"})
    with caplog.at_level(logging.INFO):
        engine = load(folder)
    assert finished(reply(engine, ask("hello"), greedy(max_tokens=4))).statistics.reply_tokens == 4
    assert ("they are not used" if there else "they are not there") in caplog.text


def test_a_folder_of_another_kind_has_none(tmp_path: Path) -> None:
    assert prediction_layers(tmp_path).statement == ""

"""`foreword bench` from the command line to its last line, on tiny models."""

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from inference.bench import main
from inference.bench.arm import EngineArm
from inference.bench.protocol import Case
from inference.bench.sample import Run
from inference.engine import Engine
from inference.native import library
from tests.inference.conftest import TinyFactory
from tests.real_model import real_model_folder

PEER = """
import json, sys
tasks = {json.loads(line)["task"] for line in open(sys.argv[1], encoding="utf-8")}
print("warming up")
print(json.dumps({"peer": "abacus", **{task: {"tok_s": 3.0, "accepted": 1, "proposed": 2} for task in tasks}}))
"""
SMALL = ["--runs", "2", "--tokens", "8", "--limit", "1"]
Bench = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bench:
    """bench(arguments...) -> exit code, stdout, stderr."""
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path / "home"))

    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def last(said: str) -> dict[str, Any]:
    values = json.loads(said.splitlines()[-1])
    assert isinstance(values, dict)
    return values


def rows(values: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["group"], row["arm"]): row for row in values["rows"]}


def test_every_arm_and_a_peer_in_one_run(
    bench: Bench, tiny: TinyFactory, tiny_draft: TinyFactory, tmp_path: Path
) -> None:
    (tmp_path / "peer.py").write_text(PEER, encoding="utf-8")
    code, out, err = bench(
        *("--model", tiny("llama"), "--draft", tiny_draft("llama"), *SMALL, "--json", "--perplexity"),
        *("--peer", f"{Path(sys.executable).as_posix()} {(tmp_path / 'peer.py').as_posix()} {{prompt_file}}"),
        *("--csv", tmp_path / "a.csv", "--png", tmp_path / "a.png"),
    )
    assert code == 0, err
    values = last(out)
    arms = ["transformers", "adapter", "fused", "ngram", "draft", "automatic", "abacus"]
    assert [row["arm"] for row in values["rows"]] == arms * 2
    table = rows(values)
    for group in ("code", "prose"):
        for arm in arms:
            row = table[group, arm]
            assert row["tok_s"] > 0
            assert row["ratio"]["pairs"] == 2
            assert row["runs"] == 2
        assert table[group, "transformers"]["ratio"]["median"] == 1.0
        assert table[group, "draft"]["draft_length"] > 0
        assert table[group, "fused"]["tokens_per_round"] == 1.0
        assert all(0 < table[group, arm]["loop_share"] < 1 for arm in arms[1:-1])
        assert table[group, "fused"]["peak_memory"] >= 0
        assert table[group, "abacus"]["draft_yield"] == 0.5
        assert abs(table[group, "transformers"]["prompt_tokens"] - table[group, "fused"]["prompt_tokens"]) == 0
    assert values["differences"] == []
    assert values["compared"] > 0
    assert set(values["perplexity"]) == set(values["models"]) - {"transformers"}
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        assert [row["arm"] for row in csv.DictReader(file)] == arms * 2
    assert Image.open(tmp_path / "a.png").format == "PNG"
    assert "identical" in out


@pytest.mark.parametrize(
    ("arm", "said"), [("head", "No head was trained"), ("combined", "needs a draft model or a head")]
)
def test_an_arm_without_anything_to_draft_with_is_refused(bench: Bench, tiny: TinyFactory, arm: str, said: str) -> None:
    code, _, err = bench("--model", tiny("llama"), *SMALL, "--arms", f"fused,{arm}")
    assert code == 2 and said in err


@pytest.mark.model
def test_heads_of_the_starter_are_an_arm(bench: Bench) -> None:
    code, out, err = bench(
        *("--model", real_model_folder(), "--language", "en", "--limit", 1, "--runs", 1, "--tokens", 24, "--json"),
        *("--arms", "fused,head,combined,automatic"),
    )
    assert code == 0, err
    values = last(out)
    table = rows(values)
    for group in ("code", "prose"):
        for arm in ("head", "combined"):
            row = table[group, arm]
            assert 0 < row["first_acceptance"] <= 1 and row["draft_ms"] > 0 and row["tokens_per_round"] > 1
    assert values["differences"] == []


def test_prompts_are_read_whole_every_time(
    bench: Bench, tiny: TinyFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cache of one run must not help the next, which has the same prompt."""
    reused: list[int] = []
    forget = Engine.forget_chats
    monkeypatch.setattr(Engine, "forget_chats", lambda self: reused.append(1) or forget(self))
    code, out, _ = bench("--model", tiny("llama"), *SMALL, "--arms", "fused:float32,ngram:float32", "--json")
    assert code == 0
    replies = 2 * 2 * 2 + 2 * 2  # arms, prompts, passes; and the warm-up
    assert len(reused) == 2 * replies
    assert all(row["prefill_tok_s"] > 0 for row in last(out)["rows"])


def test_first_arm_is_what_the_others_are_compared_with(bench: Bench, tiny: TinyFactory, tmp_path: Path) -> None:
    (tmp_path / "peer.py").write_text(PEER, encoding="utf-8")
    command = f"{Path(sys.executable).as_posix()} {(tmp_path / 'peer.py').as_posix()} {{prompt_file}}"
    code, out, _ = bench(
        *("--model", tiny("llama"), *SMALL, "--arms", "peer,fused", "--peer", command, "--json"),
    )
    assert code == 0
    values = last(out)
    assert values["first_arm"] == "abacus"
    row = rows(values)["code", "fused"]
    assert row["ratio"]["median"] == pytest.approx(row["tok_s"] / 3.0, rel=0.5)


def test_own_prompts_and_temperatures(bench: Bench, tiny: TinyFactory, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text('{"task": "mail", "prompt": "Dear user"}\n', encoding="utf-8")
    code, out, _ = bench(
        *("--model", tiny("qwen2"), "--prompts", file, "--temperature", "0,1", "--arms", "adapter,ngram:float32"),
        *("--runs", 1, "--tokens", 8, "--json"),
    )
    assert code == 0
    values = last(out)
    assert list(rows(values)) == [(g, arm) for g in ("mail T=0", "mail T=1") for arm in ("adapter", "ngram:float32")]
    assert values["compared"] == 1  # only greedy replies are


def test_sweep_tries_every_draft_length_at_every_temperature(bench: Bench, tiny: TinyFactory, tmp_path: Path) -> None:
    prompts = tmp_path / "short.jsonl"  # forty runs of each
    prompts.write_text('{"task": "code", "prompt": "def"}\n{"task": "prose", "prompt": "Why?"}\n', encoding="utf-8")
    code, out, _ = bench(
        *("--model", tiny("llama"), "--protocol", "sweep", "--arms", "fused:float32,ngram:float32,automatic:float32"),
        *("--prompts", prompts, "--runs", 1, "--tokens", 2, "--temperature", "0,1.5", "--json"),
    )
    assert code == 0
    values = last(out)
    arms = ["fused:float32", *(f"ngram:float32@{k}" for k in range(1, 9)), "automatic:float32"]
    assert [row["arm"] for row in values["rows"]] == arms * 4
    assert {row["group"] for row in values["rows"]} == {"code T=0", "prose T=0", "code T=1.5", "prose T=1.5"}
    assert len(values["models"]) == 1  # all arms share one engine
    assert values["differences"] == []


def test_context_lengths_and_long_prompts(bench: Bench, tiny: TinyFactory) -> None:
    code, out, _ = bench(
        *("--model", tiny("llama"), "--protocol", "context", "--arms", "fused:float32", "--runs", 1, "--tokens", 4),
        "--json",
    )
    assert code == 0
    values = last(out)
    assert [row["group"] for row in values["rows"]] == ["code 0.5K", "prose 0.5K"]  # its context is 1,024
    assert all(row["prompt_tokens"] == pytest.approx(512, abs=4) for row in values["rows"])


def test_check_of_all_twenty_prompts(bench: Bench, tiny: TinyFactory, tiny_draft: TinyFactory) -> None:
    code, out, err = bench(
        *("--model", tiny("llama"), "--draft", tiny_draft("llama"), "--protocol", "check", "--tokens", 8),
        *("--precision", "float32", "--json"),
    )
    assert code == 0, err
    assert "60 compared, all identical" in out  # 20 prompts; n-gram, draft and automatic
    assert last(out)["rows"] == []


def test_check_finds_a_difference(bench: Bench, tiny: TinyFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine whose third token is wrong now and then, when it drafts."""
    right = EngineArm.run

    def wrong(self: EngineArm, case: Case, seed: int) -> Run:
        run = right(self, case, seed)
        if self.name != "ngram" or "bank account" not in case.prompt:
            return run
        reply = (*run.reply[:2], run.reply[2] + 1, *run.reply[3:])
        return Run(run.tok_s, prompt=run.prompt, reply=reply, statistics=run.statistics)

    monkeypatch.setattr(EngineArm, "run", wrong)
    code, out, _ = bench(
        *("--model", tiny("llama"), "--protocol", "check", "--tokens", 8, "--precision", "float32", "--json"),
    )
    assert code == 1
    assert "prompt 2: ngram leaves fused at token 3 of the reply" in out
    (difference,) = last(out)["differences"]
    assert difference["gap"] >= 0  # the reference took the likeliest token


def test_architectures_that_only_the_adapter_knows(bench: Bench, tiny: TinyFactory) -> None:
    code, out, _ = bench("--model", tiny("qwen3_5"), "--protocol", "check", "--tokens", 6, "--limit", 1, "--json")
    assert code == 0
    assert list(last(out)["models"]) == ["adapter, ngram, automatic"]
    code, _, err = bench("--model", tiny("qwen3_5"), *SMALL, "--arms", "fused")
    assert code == 2
    assert "Traceback" not in err


def test_a_check_needs_something_to_compare(bench: Bench, tiny: TinyFactory) -> None:
    code, _, err = bench("--model", tiny("llama"), "--protocol", "check", "--arms", "fused")
    assert code == 2
    assert "two arms" in err


@pytest.mark.parametrize("arguments", [["--model", "nowhere"], ["--model", "{here}"], ["--prompts", "nowhere"]])
def test_models_and_files_that_are_not_there(
    bench: Bench, tiny: TinyFactory, tmp_path: Path, arguments: list[str]
) -> None:
    given = [argument.replace("{here}", str(tmp_path)) for argument in arguments]
    code, out, err = bench("--model", tiny("llama"), *given, "--arms", "fused")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def test_a_draft_of_another_vocabulary_is_refused_with_the_reason(bench: Bench, tiny: TinyFactory) -> None:
    code, _, err = bench(
        "--model", tiny("llama"), "--draft", tiny("llama", vocabulary=280), "--arms", "fused,draft", *SMALL
    )
    assert code == 2
    assert "cannot draft for" in err


def test_interrupted_runs_are_reported(
    bench: Bench, tiny: TinyFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, done = EngineArm.run, []

    def interrupted(self: EngineArm, case: Case, seed: int) -> Run:
        if len(done) == 5:  # two for the warm-up, three measured
            raise KeyboardInterrupt
        done.append(1)
        return right(self, case, seed)

    monkeypatch.setattr(EngineArm, "run", interrupted)
    code, out, _ = bench("--model", tiny("llama"), "--arms", "fused:float32", *SMALL, "--runs", 9, "--json")
    assert code == 130
    values = last(out)
    assert values["interrupted"] is True
    assert sum(row["runs"] for row in values["rows"]) == 3
    assert "Interrupted" in out


def test_threads(bench: Bench, tiny: TinyFactory) -> None:
    import torch

    before, kernels = torch.get_num_threads(), library.load()
    kernel_threads = kernels.threads if kernels else 0
    try:
        code, out, _ = bench("--model", tiny("llama"), "--arms", "fused", *SMALL, "--threads", 1, "--json")
    finally:
        torch.set_num_threads(before)
        if kernels:
            kernels.threads = kernel_threads
    assert code == 0
    machine = last(out)["machine"]
    assert machine["torch_threads"] == 1
    assert machine["kernel_threads"] in (1, None)

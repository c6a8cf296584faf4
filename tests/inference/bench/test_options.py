"""The command line: what it means, and that nonsense is refused in one sentence before anything is loaded."""

import sys
from pathlib import Path

import pytest

from inference.bench import main
from inference.bench.arm_spec import ArmSpec
from inference.bench.options import Options, read
from inference.errors import UserError
from inference.settings import SpeculationSettings


def test_defaults() -> None:
    assert read([]) == Options()


def test_everything_said() -> None:
    line = (
        "--model m --draft d --arms peer,fused:int4,draft@2,ngram:int8@3 --protocol long --runs 7 --tokens 64 "
        "--temperature 0,0.7 --threads 2 --precision int8 --int4-group 64 --language zh --limit 3 --json --perplexity"
    )
    peers = ["--peer", "'a b' --file={prompt_file} {temperature}", "--peer", "c {prompt_file} t={temperature}"]
    options = read([*line.split(), *peers])
    assert options.arms == (ArmSpec("fused", "int4"), ArmSpec("draft", None, 2), ArmSpec("ngram", "int8", 3))
    assert [arm.name for arm in options.arms] == ["fused:int4", "draft@2", "ngram:int8@3"]
    assert options.peer_place == 0
    assert options.temperatures == (0.0, 0.7)
    assert (options.runs, options.int4_group) == (7, 64)
    if sys.platform != "win32":
        assert options.peers == (
            ("a b", "--file={prompt_file}", "{temperature}"),
            ("c", "{prompt_file}", "t={temperature}"),
        )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--runs 0", "runs"),
        ("--tokens 1", "tokens"),
        ("--limit 0", "limit"),
        ("--threads 0", "threads"),
        ("--runs many", "many"),
        ("--temperature warm", "warm"),
        ("--temperature -1", "between"),
        ("--temperature 9", "between"),
        ("--arms fast", "fast"),
        ("--arms fused:int3", "int3"),
        ("--arms fused@2", "drafts nothing"),
        ("--arms ngram@0", "between 1 and"),
        ("--arms ngram@99", "between 1 and"),
        ("--arms fused,fused", "twice"),
        ("--arms draft", "needs a draft"),
        ("--arms peer", "needs a command"),
        ("--peer program", "where the prompts go"),
        ("--peer '{prompt_file}", "quotation"),
        ("--peer {prompt_file} --temperature 0,0.7", "where the temperature goes"),
        ("--protocol sweep --peer={prompt_file}", "no part"),
        ("--protocol check --temperature 0.7", "greedy"),
        ("--protocol endless", "endless"),
        ("--precision int3", "int3"),
        ("--csv nowhere/at/all.csv", "no folder"),
        ("--png nowhere/at/all.png", "no folder"),
        ("--frobnicate", "frobnicate"),
        ("stray", "stray"),
    ],
)
def test_nonsense_is_one_sentence_and_exit_code_2(
    line: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_help_names_protocols_arms_and_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    said = capsys.readouterr().out
    for word in ("context", "sweep", "automatic", "exit codes", "{prompt_file}", "ngram@3"):
        assert word in said


def test_what_an_arm_stands_for() -> None:
    assert ArmSpec("fused").speculation == SpeculationSettings(mode="off")
    assert ArmSpec("ngram").speculation == SpeculationSettings(mode="on", drafter="ngram")
    assert ArmSpec("head").speculation == SpeculationSettings(mode="on", drafter="head")
    automatic = ArmSpec("automatic").speculation
    assert (automatic.mode, automatic.drafter, automatic.dynamic) == ("automatic", "automatic", True)
    fixed = ArmSpec("draft", None, 2).speculation
    assert (fixed.mode, fixed.drafter, fixed.draft_length, fixed.dynamic) == ("on", "model", 2, False)


def test_an_arm_is_read_as_it_is_written() -> None:
    for name in ("adapter", "fused:float32", "ngram@8", "draft:int4@1"):
        assert ArmSpec.read(name).name == name
    with pytest.raises(UserError, match="no arm"):
        ArmSpec.read("fused:")

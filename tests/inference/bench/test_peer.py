"""Outside programs: what they are given, what is read from them, and what is said when they fail."""

import json
import sys
from pathlib import Path

import pytest

from inference.bench.peer import Peer
from inference.bench.protocol import Case
from inference.errors import UserError

CASES = [Case("code", "print\n行", 8), Case("code", "two", 8), Case("prose zh", "three", 8)]


def program(tmp_path: Path, body: str) -> list[str]:
    """A command that runs `body`, with the prompts' file in argv[1] behind "--file="."""
    script = tmp_path / "a peer.py"
    script.write_text(f"import json, sys\nfile = sys.argv[1].removeprefix('--file=')\n{body}\n", encoding="utf-8")
    return [sys.executable, str(script), "--file={prompt_file}"]


def answering(tmp_path: Path, answer: object) -> Peer:
    return Peer(program(tmp_path, f"print('loading...')\nprint({json.dumps(json.dumps(answer))})"))


def test_figures_by_group(tmp_path: Path) -> None:
    code = {"tok_s": 12.5, "prefill_tok_s": 300, "accepted": 6, "proposed": 8}
    peer = answering(
        tmp_path, {"peer": "llama.cpp", "draft": True, "ngram": False, "code": code, "prose zh": {"tok_s": 9}}
    )
    runs = peer.run(CASES)
    assert peer.name == "llama.cpp draft"
    assert (runs["code"].tok_s, runs["code"].prefill_tok_s) == (12.5, 300.0)
    assert (runs["code"].proposed, runs["code"].accepted) == (8, 6)
    assert (runs["prose zh"].tok_s, runs["prose zh"].prefill_tok_s) == (9.0, None)


def test_it_is_given_every_prompt_with_its_group(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    answer = {"code": {"tok_s": 1}, "prose zh": {"tok_s": 1}}
    body = f"import shutil\nshutil.copy(file, {str(kept)!r})\nprint(json.dumps({answer}))"
    Peer(program(tmp_path, body)).run(CASES)
    lines = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    assert lines == [{"task": case.group, "prompt": case.prompt} for case in CASES]


def test_once_for_each_temperature_with_the_length_of_a_reply(tmp_path: Path) -> None:
    log = tmp_path / "log"
    body = (
        f"open({str(log)!r}, 'a').write(' '.join(sys.argv[2:]) + chr(10))\n"
        "tasks = {json.loads(line)['task'] for line in open(file, encoding='utf-8')}\n"
        "print(json.dumps({task: {'tok_s': 1 + float(sys.argv[3])} for task in tasks}))"
    )
    cases = [Case("code T=0", "a", 8), Case("code T=0.7", "a", 8, 0.7), Case("prose T=0.7", "b", 8, 0.7)]
    runs = Peer([*program(tmp_path, body), "{tokens}", "{temperature}"]).run(cases)
    assert log.read_text().splitlines() == ["8 0", "8 0.7"]
    assert {group: run.tok_s for group, run in runs.items()} == {"code T=0": 1.0, "code T=0.7": 1.7, "prose T=0.7": 1.7}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("pass", "line of JSON"),
        ("print('fast enough')", "line of JSON"),
        ("print([1])", "line of JSON"),
        ('print(\'{"code": {"tok_s": 1}}\')', "no tok_s for 'prose zh'"),
        ('print(\'{"code": {"tok_s": 0}, "prose zh": {"tok_s": 1}}\')', "no tok_s for 'code'"),
        ('print(\'{"code": {"tok_s": true}, "prose zh": {"tok_s": 1}}\')', "no tok_s for 'code'"),
        ("sys.exit('out of luck')", "failed with 1: out of luck"),
        ("sys.exit(3)", "failed with 3: it said nothing"),
    ],
)
def test_whatever_goes_wrong_is_said(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(UserError, match=said.replace("{", "{{")):
        Peer(program(tmp_path, body)).run(CASES)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(UserError, match="cannot be started"):
        Peer(["no-such-program-at-all", "{prompt_file}"]).run(CASES)

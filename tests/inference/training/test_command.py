"""`foreword train-draft` as it is typed: exit codes, lines for programs, and what it asks for first."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from inference.errors import UserError
from inference.training import command, opened, options, own_prompts
from inference.training.control import Progress
from tests.inference.training.tiny import PROMPTS
from tests.patience import WAIT_S


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("FOREWORD_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(command, "LOW_PRIORITY", 0)
    yield


def prompts_file(tmp_path: Path) -> Path:
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(json.dumps({"task": prompt.task, "prompt": prompt.text}) for prompt in PROMPTS))
    return path


def arguments(target: Path, tmp_path: Path, *more: str) -> list[str]:
    said = ["--model", str(target), "--prompts", str(prompts_file(tmp_path)), "--only-these", "--reply-tokens", "100"]
    return [*said, "--train-tokens", "300", "--longest-reply", "12", "--output", str(tmp_path / "drafts"), *more]


def test_a_run_says_what_it_does_line_by_line(target: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments(target, tmp_path, "--json", "--tasks", "code")) == command.TRAINED
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert set(lines[0]) == {"estimate"} and lines[0]["estimate"]["disk_bytes"] > 0
    assert lines[-1] == {"draft": str(tmp_path / "drafts" / "code")}
    steps = [line["progress"]["step"] for line in lines if "progress" in line]
    assert steps == sorted(steps, key=["replies", "features", "train", "measure", "package"].index)
    card = json.loads((tmp_path / "drafts" / "code" / "card.json").read_text())
    assert card["data"]["command"].startswith(f"foreword train-draft --model {target.name} --prompts own.jsonl ")
    assert str(tmp_path) not in json.dumps(card)
    assert (tmp_path / "home" / "data" / "training" / target.name / "replies").is_dir()


def test_a_card_tells_no_folders() -> None:
    said = ["--model=/somewhere/anna/m.gguf", "--work", "/somewhere/anna/w", "--seed", "2", "--output=/x", "--json"]
    assert opened.without_places([*said, "--prompts", "/somewhere/anna/p.jsonl", "--from", "/somewhere/d"]) == [
        *("--model", "m.gguf", "--seed", "2", "--prompts", "p.jsonl", "--from", "d")
    ]


def test_an_estimate_alone_makes_nothing(target: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments(target, tmp_path, "--estimate")) == command.TRAINED
    assert "of disk and" in capsys.readouterr().out
    assert not (tmp_path / "drafts").exists()


@pytest.mark.parametrize(
    "said",
    [
        ["--tasks", "poetry"],
        ["--reply-tokens", "0"],
        ["--memory", "-1"],
        ["--only-these"],
        ["--train-tokens", "10", "--task-tokens", "6"],
        ["--nonsense"],
        ["--prompts", "nowhere.jsonl", "--model", "x"],
        ["--model", "/nowhere/at/all"],
    ],
)
def test_bad_input_is_said_and_ends_with_two(said: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(said) == command.BAD_INPUT
    assert capsys.readouterr().err.strip()
    assert command.main([*said, "--json"]) == command.BAD_INPUT
    assert json.loads(capsys.readouterr().err)["error"]


def test_tokens_are_shared_out_as_it_is_said() -> None:
    recipe = options.read(["--train-tokens", "1500000", "--task-tokens", "400000"]).recipe
    assert (recipe.shared_tokens(2), recipe.own_tokens(2)) == (700_000, 400_000)
    recipe = options.read(["--train-tokens", "1000000"]).recipe
    assert (recipe.shared_tokens(2), recipe.own_tokens(2)) == (700_000, 150_000)
    assert (recipe.shared_tokens(1), recipe.own_tokens(1)) == (1_000_000, 0)


def test_help_ends_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        options.read(["--help"])
    assert end.value.code == 0
    assert "exit codes" in capsys.readouterr().out


def test_a_request_to_end_stops_it_in_order(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def end(progress: Progress) -> None:
        if progress.step == "train":
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(command, "_as_json", end)
    before = signal.getsignal(signal.SIGTERM)
    assert command.main(arguments(target, tmp_path, "--json")) == command.STOPPED
    assert signal.getsignal(signal.SIGTERM) is before
    assert "goes on from here" in capsys.readouterr().err
    assert not (tmp_path / "drafts").exists()


def test_a_second_request_does_not_wait() -> None:
    stop = threading.Event()
    with pytest.raises(KeyboardInterrupt), command.listening(stop):
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.wait(WAIT_S)
        os.kill(os.getpid(), signal.SIGINT)
        stop.wait(WAIT_S)


def test_chats_are_read_only_when_the_person_says_so(target: Path, tmp_path: Path) -> None:
    asked: list[bool] = []

    def questions() -> list[str]:
        asked.append(True)
        return ["is the hello", "is the hello", " ", "x" * 5000]

    assert command.main(arguments(target, tmp_path, "--estimate"), questions) == command.TRAINED
    assert not asked
    assert command.main(arguments(target, tmp_path, "--estimate", "--include-my-chats"), questions) == command.TRAINED
    assert asked
    assert [prompt.text for prompt in own_prompts.from_questions(questions())] == ["is the hello"]


def test_prompts_without_a_task_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    texts = ["Write a Python function that adds two numbers.", "Write a poem about rain."]
    path.write_text("\n".join(json.dumps({"prompt": text}) for text in texts))
    assert [prompt.task for prompt in own_prompts.from_file(path)] == ["code", "prose"]
    path.write_text('{"prompt": ""}')
    with pytest.raises(UserError, match="Line 1"):
        own_prompts.from_file(path)


def test_progress_in_words() -> None:
    progress = Progress("train", 50, 200, 125.0, figures={"head": "any", "loss": 2.5, "held_out_1": 0.5})
    assert command.in_words(progress) == "train 25%, head any, loss 2.5, held out 1 0.5, 2 min left"
    assert command.in_words(Progress("train", 50, 200, None, True)) == "train 25%, waiting while you chat"

"""Code or prose: right for what people ask, and right for every line of a reply, however it is cut into pieces."""

import json
from pathlib import Path

import pytest

import assets
from inference.tasks import LONGEST_LINE, Task, TaskTracker, looks_like_code, task_of_request

FOLDER = Path(assets.__file__).parent / "tasks"
REPLY = "Here it is:\n\n```python\nimport os\n\n# prose. In a comment.\nprint('x')\n```\n\nIt prints x. Nothing more.\n"


def labelled(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def course(request: str, reply: str, size: int = 1, pinned: str = "automatic") -> list[tuple[Task, str]]:
    """The task at the start and after every switch, with the text up to there, fed in pieces of `size` characters."""
    tracker = TaskTracker(request, pinned)  # type: ignore[arg-type]
    tasks: list[tuple[Task, str]] = [(tracker.task, "")]
    for start in range(0, len(reply), size):
        if tracker.feed(reply[start : start + size]):
            tasks.append((tracker.task, reply[: start + size]))
    return tasks


def names(request: str, reply: str, size: int = 1) -> list[Task]:
    return [task for task, _ in course(request, reply, size)]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["requests.jsonl", "requests-more.jsonl"])
def test_labelled_requests_are_known(name: str, language: str) -> None:
    rows = [row for row in labelled(name) if row["language"] == language]
    wrong = [row["request"] for row in rows if task_of_request(row["request"]) != row["task"]]
    assert len(wrong) <= 0.05 * len(rows), wrong


def test_the_labelled_requests_are_two_hundred_and_balanced() -> None:
    rows = labelled("requests.jsonl")
    assert len(rows) == len({row["request"] for row in rows}) == 200
    assert [row["language"] for row in rows].count("zh") == 100
    assert all(
        40 <= [row["task"] for row in rows if row["language"] == one].count("code") <= 60 for one in ("en", "zh")
    )


@pytest.mark.parametrize("text", ["", "?", "x" * 100_000, "```\n" * 500])
def test_any_request_has_a_task(text: str) -> None:
    assert task_of_request(text) == "prose"


def test_a_long_pasted_text_does_not_hide_the_question() -> None:
    pasted = "\n".join(f"line {i} of a report about rivers and harbours" for i in range(2000))
    assert task_of_request(f"Write a Python function that counts the lines of this:\n{pasted}") == "code"
    assert task_of_request(f"{pasted}\n\nSummarize this for my colleagues.") == "prose"


@pytest.mark.parametrize("request_text", ["Write a function.", "Why is the sky blue?", "写一个函数"])
@pytest.mark.parametrize("size", [1, 3, 7, 40, 1000])
def test_prose_fence_prose_is_two_switches(request_text: str, size: int) -> None:
    assert names(request_text, REPLY, size) == (["prose", "code", "prose"] if size < 1000 else ["prose"])


def test_the_switch_comes_with_the_line_of_the_fence() -> None:
    _, opened, closed = course("Why?", REPLY)
    assert opened[1].endswith("```python\n") and closed[1].endswith("print('x')\n```\n")


@pytest.mark.parametrize(
    "opening", ["```", "````", "~~~", "   ```js", "- ```sh", "1. ```", '~~~ python title="a"', "```C++\r", "\t```"]
)
def test_every_form_of_fence_opens(opening: str) -> None:
    marks = "~" * 3 if "~" in opening else "`" * opening.count("`")
    reply = f"So:\n{opening}\nx\n{marks}\nDone, as you can see.\n"
    assert names("Why?", reply) == ["prose", "code", "prose"]


def test_what_only_looks_like_a_closing_fence_does_not_close() -> None:
    reply = "~~~~\n```\n~~~\n~~~~ not empty\nstill code\n~~~~~\nProse again.\n"
    tasks = course("Why?", reply)
    assert [task for task, _ in tasks] == ["prose", "code", "prose"]
    assert tasks[-1][1].endswith("~~~~~\n")


def test_a_span_of_code_on_one_line_is_no_fence() -> None:
    assert names("Why?", "Type ```ls``` there.\n```ls -l``` lists them.\nAnd `x = 1;` too.\n") == ["prose"]


def test_an_unclosed_block_stays_code() -> None:
    assert names("Why?", "```\n" + "It was a dark night.\n" * 50) == ["prose", "code"]


@pytest.mark.parametrize(
    "reply",
    [
        "def add(a, b):\n    return a + b\n",
        "import os\n\nprint(os.name)\n",
        "#include <stdio.h>\n\nint main(void) {\n    return 0;\n}\n",
        "SELECT name FROM people WHERE age > 3;\n",
        "<!DOCTYPE html>\n<html>\n<body>\n",
        '{\n  "a": 1\n}\n',
        "#!/bin/sh\nls -l\n",
        "const x = 1;\nlet y = x + 1;\n",
        "public class Main {\n    int x;\n}\n",
    ],
)
def test_bare_code_is_code_within_its_first_line(reply: str) -> None:
    tasks = course("Write it for me in whatever language, code only.", reply)
    assert [task for task, _ in tasks] == ["prose", "code"]
    assert tasks[1][1].count("\n") <= 1


def test_bare_code_that_nobody_asked_for_needs_two_lines() -> None:
    assert names("Why?", "x = 1;\nI am sure of it.\n") == ["prose"]
    assert names("Why?", "def f(x):\n    return x;\n    y = 1;\n") == ["prose", "code"]


def test_after_bare_code_prose_is_prose() -> None:
    code = "def add(a, b):\n    # Adds. Both.\n    return a + b\n\nprint(add(1, 2))\n\n"
    reply = f"{code}This prints the sum of both numbers.\n"
    assert names("Write a Python function.", reply) == ["prose", "code", "prose"]


PROSE = """# The sky

Light is scattered (Rayleigh): blue more than red; the rest goes on.

- Blue: 450 nm
- Red: 700 nm

1. Look up.
2. Look **again**

So f(x) is larger for small x, and for all of these it holds:
因为蓝光的波长较短，所以散射得更多。
    "It is," she said, "as it is."
| colour | nm |
|---|---|
If you import goods from abroad, return them in time.
"""


@pytest.mark.parametrize("request_text", ["Why is the sky blue?", "Write a function."])
def test_ordinary_prose_never_switches(request_text: str) -> None:
    assert names(request_text, PROSE) == ["prose"]
    assert not any(looks_like_code(line) for line in PROSE.splitlines())


@pytest.mark.parametrize("pinned", ["code", "prose"])
def test_a_pinned_task_stays(pinned: str) -> None:
    assert course("Write a function.", REPLY, pinned=pinned) == [(pinned, "")]


def test_a_line_without_end_is_bounded() -> None:
    tracker = TaskTracker("Why?")
    for _ in range(2000):
        tracker.feed("word " * 100)
    assert len(tracker._line) <= LONGEST_LINE

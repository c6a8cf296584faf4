"""A stand-in for an interpreter and all that it runs: it writes down what it was asked and answers as it was told.

FAKE_PYTHON names a folder: `calls` gets a line of JSON for each call; `answers` has lines of JSON with "match" (a
part of the command), "say", "status", and "times" (how often; for ever without it).
"""

import json
import os
import sys
from pathlib import Path

SOURCE = Path(__file__)


class FakePython:
    """The test's side of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.path = folder / "python3"
        self.path.write_text(f"#!{sys.executable}\n{SOURCE.read_text(encoding='utf-8')}", encoding="utf-8")
        self.path.chmod(0o755)

    def answer(self, match: str, say: str = "", status: int = 0, times: int | None = None) -> None:
        rule = {"match": match, "say": say, "status": status, "times": times}
        with (self.folder / "answers").open("a", encoding="utf-8") as file:
            print(json.dumps(rule), file=file)

    def be_well(self) -> None:
        """Forget every answer."""
        (self.folder / "answers").unlink(missing_ok=True)

    def take_calls(self) -> list[str]:
        """The commands since the last time, without the interpreter."""
        path = self.folder / "calls"
        calls = [" ".join(call["arguments"]) for call in self._read(path)]
        path.unlink(missing_ok=True)
        return calls

    def last_call(self) -> dict[str, object]:
        return self._read(self.folder / "calls")[-1]

    @staticmethod
    def _read(path: Path) -> list[dict[str, list[str]]]:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [json.loads(line) for line in lines]


def main(arguments: list[str], folder: Path) -> int:
    with (folder / "calls").open("a", encoding="utf-8") as file:
        call = {"arguments": arguments, "folder": str(Path.cwd()), "path": os.environ.get("PYTHONPATH", "")}
        print(json.dumps(call), file=file)
    if arguments[:2] == ["-m", "venv"]:
        python = Path(arguments[2]) / "bin" / "python"
        python.parent.mkdir(exist_ok=True)
        python.symlink_to(Path(sys.argv[0]).resolve())
    answers = folder / "answers"
    rules = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()] if answers.exists() else []
    for rule in rules:
        if rule["match"] in " ".join(arguments) and rule["times"] != 0:
            if rule["times"] is not None:
                rule["times"] -= 1
                answers.write_text("".join(json.dumps(each) + "\n" for each in rules), encoding="utf-8")
            print(rule["say"])
            return int(rule["status"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(os.environ["FAKE_PYTHON"])))

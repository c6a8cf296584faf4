"""An outside program as an arm: started once a pass with all prompts, its figures read from its last line.

See `foreword bench --help` for what it is given and what it must say.
"""

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from inference.bench.options import PROMPT_FILE, TEMPERATURE, TOKENS
from inference.bench.protocol import Case
from inference.bench.sample import Run
from inference.errors import UserError

CONTRACT = 'Its last line must be JSON such as {"peer": "name", "code": {"tok_s": 12.3}}.'


class Peer:
    """name is "peer" until the first run, then what the program calls itself."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self.name = "peer"

    def run(self, cases: Sequence[Case]) -> dict[str, Run]:
        """The figures of every group of `cases`. Raises UserError for whatever goes wrong out there."""
        result: dict[str, Run] = {}
        for temperature in dict.fromkeys(case.temperature for case in cases):
            result |= self._run([case for case in cases if case.temperature == temperature])
        return result

    def _run(self, cases: Sequence[Case]) -> dict[str, Run]:
        """Start the program for cases of one temperature."""
        with tempfile.TemporaryDirectory(prefix="foreword-bench-") as folder:
            file = Path(folder) / "prompts.jsonl"
            lines = [json.dumps({"task": case.group, "prompt": case.prompt}, ensure_ascii=False) for case in cases]
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            words = {
                PROMPT_FILE: str(file),
                TOKENS: str(max(case.tokens for case in cases)),
                TEMPERATURE: f"{cases[0].temperature:g}",
            }
            output = self._output([_filled(part, words) for part in self._command])
        answer = _last_object(output, self._command[0])
        self.name = _name(answer)
        groups = dict.fromkeys(case.group for case in cases)
        return {group: _figures(answer.get(group), group, self.name) for group in groups}

    def _output(self, command: Sequence[str]) -> str:
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except OSError as error:
            raise UserError(f"The peer {command[0]} cannot be started: {error.strerror}.", "Check its path.") from error
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it said nothing"]
            raise UserError(
                f"The peer {command[0]} failed with {done.returncode}: {said[0]}", "Run it by itself first."
            )
        return done.stdout.decode("utf-8", "replace")


def _filled(part: str, words: Mapping[str, str]) -> str:
    for name, word in words.items():
        part = part.replace(name, word)
    return part


def _last_object(output: str, program: str) -> dict[str, Any]:
    lines = output.strip().splitlines()
    try:
        answer = json.loads(lines[-1]) if lines else None
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise UserError(f"The peer {program} did not end with a line of JSON.", CONTRACT)
    return answer


def _name(answer: dict[str, Any]) -> str:
    name = str(answer.get("peer") or "peer")
    return name + "".join(f" {extra}" for extra in ("draft", "ngram") if answer.get(extra) is True)


def _figures(figures: Any, group: str, name: str) -> Run:
    given = figures if isinstance(figures, dict) else {}
    speed = _number(given, "tok_s")
    if speed is None or speed <= 0:
        raise UserError(f"The peer {name} gave no tok_s for {group!r}.", CONTRACT)
    return Run(
        tok_s=speed,
        prefill_tok_s=_number(given, "prefill_tok_s"),
        first_token_s=_number(given, "time_to_first_token_s"),
        proposed=int(_number(given, "proposed") or 0),
        accepted=int(_number(given, "accepted") or 0),
    )


def _number(values: dict[str, Any], key: str) -> float | None:
    value = values.get(key)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

"""The results of benchmarks: kept as lines of JSON, exported as CSV. Knows nothing of Qt."""

import csv
import io
import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from app.atomic_file import replacing
from inference.tasks import TASKS, Task

log = logging.getLogger(__name__)

MOST_KEPT = 500


@dataclass(frozen=True)
class ArmResult:
    """One way of replying at one task. Speeds: tokens a second, medians over the prompts; ratio: over the first way."""

    task: Task
    arm: str
    x: float | None
    temperature: float
    runs: int
    tok_s: float
    ratio: float | None
    acceptance_rate: float | None
    draft_share: float | None
    tokens_per_round: float | None
    first_token_s: float | None
    prefill_tok_s: float | None


@dataclass(frozen=True)
class BenchmarkResult:
    """began: ISO 8601 with the zone. runs: that were asked for; a stopped benchmark has fewer in its arms."""

    began: str
    model: str
    description: str
    protocol: str
    sweep: str
    tokens: int
    runs: int
    seconds: float
    finished: bool
    arms: tuple[ArmResult, ...]

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "BenchmarkResult":
        """Raises TypeError or KeyError for what no version of Foreword wrote."""
        arms = tuple(ArmResult(**one) for one in values["arms"] if one["task"] in TASKS)
        return cls(**{**values, "arms": arms})


class BenchmarkStore:
    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> list[BenchmarkResult]:
        """Oldest first. Lines that cannot be read are left out, and stay in the file. Raises OSError."""
        results = []
        for line in self._lines():
            try:
                results.append(BenchmarkResult.from_json(json.loads(line)))
            except (ValueError, TypeError, KeyError, AttributeError):
                log.warning("a result in %s cannot be read", self._path.name)
        return results

    def add(self, result: BenchmarkResult) -> None:
        """Whole or not at all. Raises OSError."""
        lines = [*self._lines(), json.dumps(asdict(result), ensure_ascii=False)][-MOST_KEPT:]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self._path) as file:
            file.writelines(f"{line}\n" for line in lines)

    def _lines(self) -> list[str]:
        if not self._path.exists():
            return []
        text = self._path.read_text(encoding="utf-8", errors="replace")
        return [line for line in text.split("\n") if line.strip()]  # a name may hold what splitlines() takes for an end


def to_csv(results: Sequence[BenchmarkResult]) -> str:
    """A line for each arm and task of each result."""
    whole = ("began", "model", "description", "protocol", "sweep", "tokens", "finished")
    own = [field.name for field in fields(ArmResult)]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*whole, *own])
    for result in results:
        for arm in result.arms:
            row = [getattr(result, name) for name in whole] + [getattr(arm, name) for name in own]
            writer.writerow(["" if value is None else value for value in row])
    return file.getvalue()

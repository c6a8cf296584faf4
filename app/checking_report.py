"""What a check of the output found: prompt by prompt, in all, and as a file. Knows nothing of Qt's widgets."""

import json
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median
from typing import Any

from app.compare_verdict import Parting, parting
from inference.bench.prompts import Prompt
from inference.statistics import ReplyStatistics, ratio


@dataclass(frozen=True)
class Reply:
    text: str = ""
    statistics: ReplyStatistics | None = None  # None until it is whole


@dataclass(frozen=True)
class Row:
    """One prompt, without and with speculation."""

    prompt: Prompt
    plain: Reply = Reply()
    drafted: Reply = Reply()

    @property
    def whole(self) -> bool:
        return self.plain.statistics is not None and self.drafted.statistics is not None

    @property
    def parting(self) -> Parting | None:
        return parting(self.plain.text, self.drafted.text) if self.whole else None

    @property
    def gain(self) -> float | None:
        """Times as many tokens a second with speculation."""
        one, other = self.plain.statistics, self.drafted.statistics
        return (ratio(other.tokens_per_second, one.tokens_per_second) or None) if one and other else None


@dataclass(frozen=True)
class CheckReport:
    """description: how the model is held. tokens: of a reply, at most. trouble: why it ended early, in English."""

    model: str
    description: str
    tokens: int
    began: str  # ISO 8601, local time
    rows: tuple[Row, ...]
    finished: bool = False
    trouble: str = ""

    @classmethod
    def begin(cls, model: str, description: str, tokens: int, prompts: list[Prompt]) -> "CheckReport":
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        return cls(model, description, tokens, now, tuple(Row(prompt) for prompt in prompts))

    def with_reply(self, index: int, *, drafted: bool, reply: Reply) -> "CheckReport":
        row = self.rows[index]
        row = replace(row, drafted=reply) if drafted else replace(row, plain=reply)
        return replace(self, rows=(*self.rows[:index], row, *self.rows[index + 1 :]))

    @property
    def compared(self) -> int:
        return sum(row.whole for row in self.rows)

    @property
    def identical(self) -> int:
        return sum(row.whole and row.parting is None for row in self.rows)

    @property
    def passed(self) -> bool:
        """Everything was compared, and everything is the same."""
        return self.finished and self.identical == len(self.rows) > 0

    @property
    def first_difference(self) -> int | None:
        """The index of the first row whose texts part."""
        return next((index for index, row in enumerate(self.rows) if row.parting is not None), None)

    @property
    def gain(self) -> float | None:
        """The median over the prompts."""
        gains = [row.gain for row in self.rows if row.gain is not None]
        return median(gains) if gains else None

    @property
    def drafters(self) -> tuple[str, ...]:
        """Each once, whether it drafted alone or beside another."""
        named = ", ".join(row.drafted.statistics.drafter for row in self.rows if row.drafted.statistics is not None)
        return tuple(dict.fromkeys(name for name in named.replace(" + ", ", ").split(", ") if name))

    @property
    def acceptance(self) -> float:
        figures = [row.drafted.statistics for row in self.rows if row.drafted.statistics is not None]
        return ratio(sum(one.accepted for one in figures), sum(one.verified for one in figures))

    def verdict(self) -> str:
        """In English, for the file."""
        if self.passed:
            return f"PASSED: {self.identical} of {len(self.rows)} greedy replies are identical."
        if not self.finished:
            same = f"{self.identical} of {self.compared} compared replies are identical"
            return f"INCOMPLETE: {same}. {self.trouble}".strip()
        return f"DIFFERENT: {self.compared - self.identical} of {len(self.rows)} greedy replies differ."

    def markdown(self) -> str:
        speed = f"{self.gain:.2f} times" if self.gain else "not known"
        lines = [
            "# Check of the output with and without speculation",
            "",
            f"- {self.verdict()}",
            f"- Model: {self.model} ({self.description})",
            f"- Drafts by: {', '.join(self.drafters) or 'nothing'}, {self.acceptance:.0%} accepted",
            f"- Speed with speculation: {speed} (median of the prompts)",
            f"- {self.tokens} tokens at most, temperature 0, {self.began}",
            "",
            "| # | task | question | result | tok/s without | tok/s with |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        for number, row in enumerate(self.rows, 1):
            speeds = [
                f"{one.statistics.tokens_per_second:.1f}" if one.statistics else "" for one in (row.plain, row.drafted)
            ]
            question = row.prompt.prompt.replace("|", "\\|").replace("\n", " ")
            lines.append(f"| {number} | {row.prompt.task} | {question} | {_result(row)} | {speeds[0]} | {speeds[1]} |")
        for number, row in enumerate(self.rows, 1):
            if (apart := row.parting) is not None:
                lines += ["", f"## {number}. {row.prompt.prompt}", "", f"From character {apart.place + 1}:", ""]
                lines += [f"    without: {apart.before}{apart.left}".replace("\n", "\\n")]
                lines += [f"    with:    {apart.before}{apart.right}".replace("\n", "\\n")]
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        values: dict[str, Any] = {
            "verdict": self.verdict(),
            "passed": self.passed,
            "model": self.model,
            "description": self.description,
            "tokens": self.tokens,
            "began": self.began,
            "drafters": list(self.drafters),
            "acceptance_rate": self.acceptance,
            "gain": self.gain,
            "rows": [
                {
                    "task": row.prompt.task,
                    "prompt": row.prompt.prompt,
                    "result": _result(row),
                    "difference_at": row.parting.place if row.parting else None,
                    "without": _reply(row.plain),
                    "with": _reply(row.drafted),
                }
                for row in self.rows
            ],
        }
        return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def _result(row: Row) -> str:
    if not row.whole:
        return "not compared"
    return "identical" if row.parting is None else f"differs from character {row.parting.place + 1}"


def _reply(reply: Reply) -> dict[str, Any] | None:
    return {"text": reply.text, "statistics": reply.statistics.to_json()} if reply.statistics else None

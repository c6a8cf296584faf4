"""What was measured, as a table for people, one line of JSON, and CSV."""

import csv
import io
import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from inference.bench.agreement import Agreement, Difference
from inference.bench.figures import WIDE, Ratio, Row
from inference.bench.machine import BUSY, Machine

NOISY = "~"  # stands behind a speed whose passes lie far apart


@dataclass(frozen=True)
class Report:
    """models: what was loaded, by arms. others: the share of the processor that other programs took.

    memory: bytes resident in the process at the end, Python and libraries included. load_peak_memory: bytes that
    loading took at most, and perplexity by text, both by the arms that share an engine.
    """

    protocol: str
    models: Mapping[str, str]
    machine: Machine
    runs: int
    rows: Sequence[Row]
    agreement: Agreement
    others: float
    memory: int
    load_peak_memory: Mapping[str, int] = field(default_factory=dict)
    perplexity: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def first_arm(self) -> str:
        return self.rows[0].arm if self.rows else ""


def title(report: Report) -> str:
    return f"foreword bench {report.protocol}, {next(iter(report.models.values()), '').partition(':')[0]}"


def caption(report: Report) -> str:
    rows = f"medians of {report.runs} passes; x: over {report.first_arm}" if report.rows else ""
    return f"{report.machine.processor}, {report.machine.torch_threads} threads; {rows}"


def _number(value: float | None, form: str = ".1f") -> str:
    return "" if value is None else format(value, form)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.0f} %"


def _ratio(value: Ratio | None) -> str:
    if value is None:
        return ""
    between = f" ({value.least:.2f}-{value.most:.2f})" if value.pairs > 1 else ""
    return f"{value.median:.2f}{between}"


def _megabytes(value: int | None) -> str:
    return "" if value is None else f"{value / 1e6:.0f}"


def _interval(value: Ratio | None) -> str:
    return "" if value is None or value.low is None else f"{value.low:.2f}-{value.high:.2f}"


@dataclass(frozen=True)
class Column:
    name: str
    cell: Callable[[Row], str]
    meaning: str = ""


COLUMNS = (
    Column("arm", lambda row: row.arm),
    Column("tok/s", lambda row: f"{row.tok_s:.1f}{NOISY if row.wide else ' '}", "speed of decoding"),
    Column("ratio (min-max)", lambda row: _ratio(row.ratio), "speed over the first arm's, run by run"),
    Column("95 %", lambda row: _interval(row.ratio), "confidence interval of the median ratio"),
    Column("first s", lambda row: _number(row.first_token_s, ".3f"), "seconds to the first token"),
    Column("prefill", lambda row: _number(row.prefill_tok_s, ".0f"), "tokens read a second"),
    Column("accepted", lambda row: _percent(row.acceptance_rate), "of the drafted tokens that were judged"),
    Column("1st", lambda row: _percent(row.first_acceptance), "accepted of the first tokens of drafts"),
    Column("yield", lambda row: _percent(row.draft_yield), "accepted of all that were proposed"),
    Column("/round", lambda row: _number(row.tokens_per_round, ".2f"), "tokens a round"),
    Column("draft", lambda row: _percent(row.draft_share), "share of decoding spent drafting"),
    Column("ms", lambda row: _number(row.draft_ms, ".2f"), "milliseconds to draft"),
    Column("K", lambda row: _number(row.draft_length), "tokens proposed a round"),
    Column("loop", lambda row: _percent(row.loop_share), "share of decoding outside of the models"),
    Column("tokens", lambda row: _number(row.reply_tokens, ".0f"), "length of a reply"),
    Column("MB", lambda row: _megabytes(row.peak_memory), "held while replying, apart from Python and its libraries"),
)


def text(report: Report) -> str:
    """For the terminal."""
    machine = report.machine
    kernels = f", {machine.kernel_threads} for the kernels" if machine.kernel_threads else ""
    lines = [
        f"{machine.processor}, {machine.cores} cores, {machine.system}",
        f"{machine.torch_threads} torch threads{kernels}",
        f"load average at the start {machine.load_average:.2f}; "
        f"meanwhile other programs took {_percent(report.others)} of the processor",
    ]
    if report.others > BUSY:
        lines.append("The machine was not quiet: trust the ratios more than the speeds.")
    lines += ["", *(f"{arm}: {model}" for arm, model in report.models.items())]
    for group in dict.fromkeys(row.group for row in report.rows):
        of_group = [row for row in report.rows if row.group == group]
        lines += ["", group, *_table(of_group), *best_fixed(of_group)]
    if report.rows:
        legend = "; ".join(f"{column.name}: {column.meaning}" for column in _shown(report.rows) if column.meaning)
        lines += ["", *textwrap.wrap(f"{legend}.", 120), f"The whole process holds {_megabytes(report.memory)} MB."]
    if any(row.wide for row in report.rows):
        lines.append(f"{NOISY} the passes over one prompt lie more than {100 * WIDE:.0f} % apart.")
    for model, values in report.perplexity.items():
        lines.append(f"perplexity, {model}: " + ", ".join(f"{name} {value:.3f}" for name, value in values.items()))
    lines += ["", *agreement_lines(report.agreement)]
    if report.interrupted:
        lines.append("Interrupted: these are the runs until then.")
    return "\n".join(lines)


def best_fixed(rows: Sequence[Row]) -> list[str]:
    """The fastest fixed draft length, and what share of its speed each arm with a moving one reaches."""
    fixed = [row for row in rows if "@" in row.arm]
    moving = [row for row in rows if "@" not in row.arm and row.draft_length is not None]
    if not fixed or not moving:
        return []
    best = max(fixed, key=lambda row: row.tok_s)
    shares = ", ".join(f"{row.arm} reaches {_percent(row.tok_s / best.tok_s)}" for row in moving)
    return [f"  the best fixed draft length is that of {best.arm}; {shares}"]


def agreement_lines(agreement: Agreement) -> list[str]:
    """The verdict on greedy replies."""
    if agreement.compared == 0:
        return ["No two greedy replies of one precision to compare."]
    if not agreement.differences:
        return [f"Greedy replies of one precision: {agreement.compared} compared, all identical."]
    lines = [
        f"Greedy replies of one precision: {agreement.compared} compared; {len(agreement.differences)} prompts differ:"
    ]
    return lines + [_difference(difference) for difference in agreement.differences]


def _difference(d: Difference) -> str:
    gap = "" if d.gap is None else f", logit gap {d.gap:.4f}"
    said = ("the end" if token is None else f"token {token}" for token in (d.found, d.expected))
    found, expected = said
    return (
        f"  {d.group}, prompt {d.case + 1}: {d.arm} leaves {d.reference} at token {d.position + 1} of the reply "
        f"({found} in place of {expected}{gap})"
    )


def _shown(rows: Sequence[Row]) -> list[Column]:
    """The columns that have something to say about these rows."""
    return [column for column in COLUMNS if any(column.cell(row).strip() for row in rows)]


def _table(rows: Sequence[Row]) -> list[str]:
    """Columns as wide as they need to be, the first to the left and numbers to the right."""
    columns = [[column.name, *(column.cell(row) for row in rows)] for column in _shown(rows)]
    widths = [max(map(len, cells)) for cells in columns]
    lines = []
    for name, *others in zip(*columns, strict=True):
        numbers = (value.rjust(width) for value, width in zip(others, widths[1:], strict=True))
        lines.append("  " + "  ".join([name.ljust(widths[0]), *numbers]).rstrip())
    return lines


def values(report: Report) -> dict[str, Any]:
    """Everything, for --json. Names and units as in `Row`."""
    result = {
        "protocol": report.protocol,
        "runs": report.runs,
        "first_arm": report.first_arm,
        "models": dict(report.models),
        "machine": asdict(report.machine),
        "other_programs_share": round(report.others, 4),
        "rows": [asdict(row) | {"wide": row.wide} for row in report.rows],
        "compared": report.agreement.compared,
        "differences": [asdict(difference) for difference in report.agreement.differences],
        "process_memory": report.memory,
        "load_peak_memory": dict(report.load_peak_memory),
        "perplexity": {model: dict(texts) for model, texts in report.perplexity.items()},
        "interrupted": report.interrupted,
    }
    return {key: _rounded(value) for key, value in result.items()}


def _rounded(value: Any) -> Any:
    """Six significant digits: more would only claim a precision that no clock has."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list | tuple) else value


def json_line(report: Report) -> str:
    return json.dumps(values(report), ensure_ascii=False)


def csv_text(rows: Sequence[Row]) -> str:
    """One line a row, columns named as in `Row`, the ratio in columns of its own; empty where nothing is known."""
    lines = []
    for row in rows:
        flat = asdict(row) | {"wide": row.wide}
        pairs = flat.pop("ratio") or {}
        flat |= {f"ratio_{name}": pairs.get(name) for name in ("median", "least", "most", "low", "high", "pairs")}
        lines.append({key: _rounded(value) for key, value in flat.items()})
    file = io.StringIO()
    writer = csv.DictWriter(file, list(lines[0]) if lines else ["group", "arm"])
    writer.writeheader()
    writer.writerows(lines)
    return file.getvalue()

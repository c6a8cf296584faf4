"""The table, the JSON line and the CSV say what was measured."""

import csv
import io
import json
from dataclasses import replace

from inference.bench.agreement import Agreement, Difference
from inference.bench.figures import rows
from inference.bench.machine import Machine
from inference.bench.report import Report, best_fixed, csv_text, json_line, text
from tests.inference.bench.samples import drafted, sample

MACHINE = Machine("Linux x86_64", "Abacus 3000", 2, 2, 1, 0.5)


def report(**more: object) -> Report:
    statistics = drafted(proposed=10, verified=8, accepted=4, draft_s=0.2, other_s=0.05)
    speeds = (10.0, 10.2, 10.1, 9.9, 10.0, 10.0)
    samples = [sample("transformers", speed, 0, n) for n, speed in enumerate(speeds)]
    samples += [
        sample("ngram", 3 * speed, 0, n, statistics=statistics, proposed=10, accepted=4, memory=123_000_000)
        for n, speed in enumerate((10.0, 14.2, 10.1, 9.9, 10.0, 10.0))
    ]
    values = {
        "protocol": "short",
        "models": {"transformers": "Tiny: transformers generate, bfloat16", "ngram": "Tiny: fused, int4"},
        "machine": MACHINE,
        "runs": 6,
        "rows": rows(samples, ["transformers", "ngram"]),
        "agreement": Agreement(6, ()),
        "others": 0.01,
        "memory": 456_000_000,
    }
    return Report(**(values | more))  # type: ignore[arg-type]


def table(said: str) -> list[str]:
    lines = said.splitlines()
    start = lines.index("code")
    return lines[start + 1 : start + 4]


def test_columns_are_aligned_to_the_right() -> None:
    heading, first, second = table(text(report()))
    for name, value in (("tok/s", "10.0 "), ("/round", "3.00"), ("accepted", "50 %"), ("yield", "40 %"), ("MB", "123")):
        end = heading.index(name) + len(name)
        line = first if name == "tok/s" else second
        assert line[:end].endswith(value), (name, line)
    assert "1.00 (1.00-1.00)" in first
    assert "3.00 (3.00-4.18)" in second


def test_interval_of_the_median_ratio_is_given_once_there_are_six_pairs() -> None:
    heading, first, second = table(text(report()))
    end = heading.index("95 %") + len("95 %")
    assert first[:end].endswith("1.00-1.00")
    assert second[:end].endswith("3.00-4.18")
    assert "95 %" not in table(text(report(rows=rows([sample("fused", 5.0)], ["fused"]))))[0]


def test_sweeps_name_the_best_fixed_length_and_what_moving_ones_reach() -> None:
    moving = drafted(mode="automatic", proposed=4)
    samples = [sample("fused", 9.0), *(sample(f"ngram@{k}", speed) for k, speed in ((1, 10.0), (2, 20.0), (3, 15.0)))]
    made = rows(
        [*samples, sample("automatic", 19.0, statistics=moving)],
        ["fused", "ngram@1", "ngram@2", "ngram@3", "automatic"],
    )
    assert best_fixed(made) == ["  the best fixed draft length is that of ngram@2; automatic reaches 95 %"]
    assert best_fixed(made[:1]) == []


def test_a_wide_arm_is_marked_and_explained() -> None:
    said = text(report())
    assert "30.0~" in said
    assert "10.0~" not in said
    assert "lie more than 10 % apart" in said


def test_columns_that_say_nothing_are_left_out() -> None:
    plain = report(rows=rows([sample("fused", 5.0)], ["fused"]))
    heading = table(text(plain))[0]
    assert "tok/s" in heading
    assert "accepted" not in heading


def test_machine_and_noise_are_said() -> None:
    said = text(report())
    for part in ("Abacus 3000", "2 cores", "2 torch threads, 1 for the kernels", "load average at the start 0.50"):
        assert part in said
    assert "not quiet" not in said
    assert "not quiet" in text(report(others=0.4))


def test_verdicts() -> None:
    assert "6 compared, all identical" in text(report())
    assert "No two greedy replies" in text(report(agreement=Agreement(0, ())))
    difference = Difference("code", 4, "ngram", "fused", 11, 5, 6, 0.00123)
    said = text(report(agreement=Agreement(6, (difference, replace(difference, found=None, gap=None)))))
    assert (
        "prompt 5: ngram leaves fused at token 12 of the reply (token 6 in place of token 5, logit gap 0.0012)" in said
    )
    assert "(the end in place of token 5)" in said
    assert "Interrupted" in text(report(interrupted=True))


def test_perplexity_is_listed() -> None:
    assert "perplexity, fused: code 15.520, prose 21.240" in text(
        report(perplexity={"fused": {"code": 15.52, "prose": 21.24}})
    )


def test_json_is_one_line_with_every_figure() -> None:
    line = json_line(report(load_peak_memory={"ngram": 5}))
    assert "\n" not in line
    values = json.loads(line)
    assert values["first_arm"] == "transformers"
    assert values["machine"]["processor"] == "Abacus 3000"
    _, row = values["rows"]
    assert row["ratio"]["median"] == 3.0
    assert row["ratio"]["pairs"] == 6
    assert row["ratio"]["low"] <= 3.0 <= row["ratio"]["high"]
    assert (row["acceptance_rate"], row["draft_yield"], row["wide"]) == (0.5, 0.4, True)
    assert values["load_peak_memory"] == {"ngram": 5}


def test_csv_reads_back() -> None:
    first, second = csv.DictReader(io.StringIO(csv_text(report().rows)))
    assert (first["arm"], first["acceptance_rate"]) == ("transformers", "")
    assert float(second["ratio_median"]) == 3.0
    assert float(second["tok_s"]) == 30.0


def test_csv_of_nothing_has_a_heading() -> None:
    assert csv_text([]).splitlines() == ["group,arm"]

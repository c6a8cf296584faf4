"""Made-up samples, for tests of what is computed from them."""

from inference.bench.sample import Run, Sample
from inference.statistics import ReplyStatistics


def run(tok_s: float, reply: tuple[int, ...] = (), **more: object) -> Run:
    return Run(tok_s=tok_s, reply=reply, **more)  # type: ignore[arg-type]


def sample(
    arm: str, tok_s: float, case: int | None = 0, number: int = 0, group: str = "code", **more: object
) -> Sample:
    return Sample(arm, group, case, number, run(tok_s, **more))  # type: ignore[arg-type]


def drafted(**more: object) -> ReplyStatistics:
    values = {"mode": "on", "drafter": "n-gram", "reply_tokens": 30, "rounds": 10, "decode_s": 2.0} | more
    return ReplyStatistics(**values)  # type: ignore[arg-type]

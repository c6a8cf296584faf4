"""The order in which arms, prompts and passes follow each other."""

from collections.abc import Sequence

from inference.bench.measure import Plan
from inference.bench.peer import Peer
from inference.bench.protocol import Case
from inference.bench.sample import Run
from tests.inference.bench.samples import run


class LoggingArm:
    precision = "float32"

    def __init__(self, name: str, log: list[tuple[str, str, int]]) -> None:
        self.name = name
        self._log = log

    def run(self, case: Case, seed: int) -> Run:
        self._log.append((self.name, case.prompt, seed))
        return run(1.0)


class LoggingPeer(Peer):
    def __init__(self, log: list[tuple[str, str, int]]) -> None:
        super().__init__(["nothing"])
        self._log = log

    def run(self, cases: Sequence[Case]) -> dict[str, Run]:
        self._log.append(("peer", ",".join(case.prompt for case in cases), 0))
        return {case.group: run(2.0) for case in cases}


CASES = [Case("code", "1", 8), Case("code", "2", 8), Case("prose", "3", 8)]


def test_arms_in_turn_peer_once_a_pass() -> None:
    log: list[tuple[str, str, int]] = []
    plan = Plan([LoggingArm("a", log), LoggingArm("b", log)], [LoggingPeer(log)], CASES, runs=2)
    samples = list(plan.measure())
    once = [(arm, prompt) for prompt in "123" for arm in "ab"] + [("peer", "1,2,3")]
    assert [(arm, prompt) for arm, prompt, _ in log] == once * 2
    assert [seed for arm, _, seed in log if arm == "a"] == [1, 1, 1, 2, 2, 2]
    assert len(samples) == plan.samples == 2 * (6 + 2)
    assert [(s.arm, s.group, s.case, s.number) for s in samples[:8]] == [
        ("a", "code", 0, 0),
        ("b", "code", 0, 0),
        ("a", "code", 1, 0),
        ("b", "code", 1, 0),
        ("a", "prose", 2, 0),
        ("b", "prose", 2, 0),
        ("peer", "code", None, 0),
        ("peer", "prose", None, 0),
    ]


def test_warm_up_is_one_reply_of_each_arm_in_each_group_and_leaves_no_samples() -> None:
    log: list[tuple[str, str, int]] = []
    plan = Plan([LoggingArm("a", log), LoggingArm("b", log)], [], CASES, runs=1)
    assert list(plan.warm_up()) == [None] * 4
    assert {(arm, prompt) for arm, prompt, _ in log} == {("a", "1"), ("b", "1"), ("a", "3"), ("b", "3")}

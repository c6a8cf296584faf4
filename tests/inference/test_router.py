"""The router finds the fastest candidate, pays little for looking, remembers, and does what the person says."""

import json
import random
from pathlib import Path

import pytest

from inference.profiles import PLAIN, Candidate, Measured, Profile
from inference.router import HEAD_START, MOST_TARGETS, READY, SHARE, Router, Stretch
from inference.statistics import RoundStatistics
from inference.tasks import Task

NGRAM, SMALL, LARGE = Candidate("ngram"), Candidate("model", "small"), Candidate("model", "large")
CANDIDATES = (NGRAM, SMALL, LARGE, Candidate("combined", "small"))
PLAIN_S = 0.02


def rounds_of(gain: float, count: int, chance: random.Random, acceptance: float = 0.6) -> list[RoundStatistics]:
    """Rounds of K = 3 whose tokens come `gain` times as fast as PLAIN_S each, on average."""
    mean = 1 + acceptance + acceptance**2 + acceptance**3
    made = []
    for _ in range(count):
        accepted = next((i for i in range(3) if chance.random() > acceptance), 3)
        verified = min(accepted + 1, 3)
        seconds = mean * PLAIN_S / gain * chance.uniform(0.8, 1.25)
        made.append(
            RoundStatistics(3, 3, verified, accepted, accepted + 1, 0.3 * seconds, 0.6 * seconds, 0.1 * seconds)
        )
    return made


class Life:
    """Many replies, each a stretch of one task; `gains` are the true ones, by task and key."""

    def __init__(self, gains: dict[str, float], seed: int = 0, router: Router | None = None) -> None:
        self.gains = gains
        self.chance = random.Random(seed)
        self.router = router or Router()
        self.written: dict[str, int] = dict.fromkeys(gains, 0)

    def live(self, tokens: int, task: Task = "prose", longest: int = 400) -> None:
        end = sum(self.written.values()) + tokens
        while sum(self.written.values()) < end:
            stretch = Stretch(self.router, "target", task, CANDIDATES[: len(self.gains)])
            left = self.chance.randint(20, longest)
            while left > 0:
                key = stretch.candidate.key
                rounds = rounds_of(self.gains[key], 3, self.chance)
                self.written[key] += sum(one.committed for one in rounds)
                left -= sum(one.committed for one in rounds)
                stretch.add(rounds, PLAIN_S)
            stretch.end()

    @property
    def regret(self) -> float:
        """Share of all tokens that could have been written besides, had the best one drafted all the time."""
        best = max(self.gains.values())
        return sum(n * (best / self.gains[key] - 1) for key, n in self.written.items()) / sum(self.written.values())


GAINS = {
    "one is clearly best": {"ngram": 1.05, "model:small": 1.6, "model:large": 0.6, "combined:small": 1.2},
    "the first is best": {"ngram": 1.5, "model:small": 0.7, "model:large": 0.5, "combined:small": 0.9},
    "the last is best": {"ngram": 1.0, "model:small": 0.8, "model:large": 0.4, "combined:small": 1.7},
    "two are alike": {"ngram": 1.0, "model:small": 1.3, "model:large": 1.32, "combined:small": 0.8},
    "all lose but one": {"ngram": 1.0, "model:small": 0.35, "model:large": 0.3, "combined:small": 0.5},
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("gains", GAINS.values(), ids=list(GAINS))
def test_trying_costs_less_than_two_percent(gains: dict[str, float], seed: int) -> None:
    life = Life(gains, seed)
    life.live(8000)
    book = life.router.book("target", "prose")
    assert book.lost <= SHARE * (book.tokens + HEAD_START) + 12  # a trial ends one look after it has lost its allowance
    assert set(book.measured) == set(gains), "every candidate was tried"
    first = sum(life.written.values()), life.regret
    life.written = dict.fromkeys(gains, 0)
    life.live(8000)
    assert life.regret < 0.02, (first, life.written)


def test_the_fastest_is_found_soon() -> None:
    life = Life(GAINS["the last is best"])
    life.live(3000)
    life.written = dict.fromkeys(life.gains, 0)
    life.live(2000)
    assert life.written["combined:small"] > 0.9 * sum(life.written.values())


def test_a_change_is_noticed() -> None:
    life = Life({"ngram": 1.5, "model:small": 0.8})
    life.live(10_000)
    life.gains = {"ngram": 0.9, "model:small": 1.6}  # say, another version of the libraries
    life.live(10_000)
    life.written = dict.fromkeys(life.gains, 0)
    life.live(2000)
    assert life.written["model:small"] > 0.9 * sum(life.written.values())


def test_tasks_and_targets_are_apart() -> None:
    router = Router()
    Life({"ngram": 1.0, "model:small": 2.0}, router=router).live(3000, "code")
    assert Stretch(router, "target", "code", CANDIDATES[:2]).candidate == SMALL
    assert Stretch(router, "target", "prose", CANDIDATES[:2]).candidate == NGRAM
    assert Stretch(router, "another", "code", CANDIDATES[:2]).candidate == NGRAM


def test_alone_a_candidate_is_never_left() -> None:
    life = Life({"ngram": 0.7})
    life.live(3000)
    assert set(life.written) == {"ngram"} and life.router.book("target", "prose").lost == 0


def test_a_prior_decides_before_anything_is_measured() -> None:
    head = Candidate("head", "shipped", prior=1.2)
    assert Stretch(Router(), "target", "code", (NGRAM, head)).candidate == head


def test_a_prior_holds_at_the_task_the_candidate_was_made_for() -> None:
    heads = [Candidate("head", task, 1.2, task) for task in ("prose", "code")]  # type: ignore[arg-type]
    for task in ("code", "prose"):
        assert Stretch(Router(), "target", task, (NGRAM, *heads)).candidate.draft == task  # type: ignore[arg-type]


def test_a_trial_ends_when_it_has_lost_enough() -> None:
    life = Life({"ngram": 1.0, "model:small": 0.1})
    life.live(1500)
    assert 0 < life.written["model:small"] < 48


def test_short_stretches_are_left_alone() -> None:
    life = Life({"ngram": 1.0, "model:small": 2.0})
    life.live(3000, longest=24)
    assert life.written["model:small"] == 0


@pytest.mark.parametrize("key", ["model:small", "ngram", "none"])
def test_the_person_decides(key: str) -> None:
    router = Router()
    router.set_profile("target", "prose", Profile(key, 3))
    stretch = Stretch(router, "target", "prose", CANDIDATES, router.pinned("target", "prose", CANDIDATES))
    assert stretch.candidate.key == key
    for _ in range(300):
        assert not stretch.add(rounds_of(0.2, 1, random.Random(1)), PLAIN_S)
    cell = router.routes("target", "T", CANDIDATES, PLAIN_S).cell(key, "prose")
    assert cell is not None and cell.chosen and stretch.candidate.key == key


def test_a_pinned_draft_that_is_gone_leaves_the_choice_to_foreword() -> None:
    router = Router()
    router.set_profile("target", "code", Profile("model:gone"))
    assert router.pinned("target", "code", CANDIDATES) is None


def test_everything_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "not made yet" / "routes.json"
    life = Life(GAINS["one is clearly best"], router=Router(path))
    life.live(4000)
    life.router.set_profile("target", "code", Profile("ngram", 7))
    again = Router(path)
    old, new = (router.routes("target", "T", CANDIDATES, PLAIN_S) for router in (life.router, again))
    assert old == new
    assert again.book("target", "code").profile == Profile("ngram", 7)
    assert Stretch(again, "target", "prose", CANDIDATES).candidate == SMALL
    assert [file.name for file in path.parent.iterdir()] == ["routes.json"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "nonsense",
        "[]",
        '{"version": 99, "targets": {}}',
        '{"version": 1}',
        '{"version": 1, "targets": {"t": 3}}',
        '{"version": 1, "targets": {"t": {"code": {"measured": {"ngram": {"tokens": -1}}}}}}',
        '{"version": 1, "targets": {"t": {"code": {"measured": {"ngram": {"verified": [1]}}}}}}',
        '{"version": 1, "targets": {"t": {"code": {"draft_length": 99}}}}',
        '{"version": 1, "targets": {"t": {"code": {"tokens": "many"}}}}',
    ],
)
def test_a_damaged_file_costs_the_memory_only(tmp_path: Path, content: str) -> None:
    path = tmp_path / "routes.json"
    path.write_text(content)
    router = Router(path)
    assert router.trouble
    router.set_profile("target", "code", Profile("ngram"))
    assert Router(path).book("target", "code").profile == Profile("ngram")


def test_a_disk_that_refuses_is_no_disaster(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    router = Router(tmp_path / "file" / "routes.json")
    router.set_profile("target", "code", Profile("ngram"))
    assert "could not be saved" in caplog.text
    assert router.book("target", "code").profile == Profile("ngram")


def test_the_file_stays_small(tmp_path: Path) -> None:
    router = Router(tmp_path / "routes.json")
    for number in range(MOST_TARGETS + 10):
        router.set_profile(f"target {number}", "code", Profile("ngram"))
    kept = json.loads((tmp_path / "routes.json").read_text())["targets"]
    assert len(kept) == MOST_TARGETS and f"target {MOST_TARGETS + 9}" in kept


def test_what_is_measured() -> None:
    first = RoundStatistics(4, 4, 3, 2, 3, draft_s=0.004, verify_s=0.03, other_s=0.001)
    second = RoundStatistics(4, 2, 2, 2, 3, draft_s=0.002, verify_s=0.03, other_s=0.001)
    measured = Measured().with_rounds([first, second], 0.02)
    assert measured.tokens == 6
    assert measured.tokens_per_second == pytest.approx(6 / 0.068)
    assert measured.gain == pytest.approx(0.12 / 0.068)
    assert measured.draft_token_s == pytest.approx(0.001)
    assert measured.verified == (2, 2, 1, 0) and measured.accepted == (2, 2, 0, 0)
    assert measured.acceptance[:3] == (1, 1, 0)
    assert Measured.from_json(json.loads(json.dumps(measured.to_json()))) == measured


def test_old_measurements_fade() -> None:
    chance = random.Random(2)
    measured = Measured().with_rounds(rounds_of(0.5, 2000, chance), PLAIN_S)
    for _ in range(40):
        measured = measured.with_rounds(rounds_of(2.0, 200, chance), PLAIN_S)
    assert measured.gain == pytest.approx(2.0, rel=0.05)


def test_the_table_says_what_is_known() -> None:
    life = Life({"ngram": 1.2, "model:small": 0.8})
    life.live(3000)
    routes = life.router.routes("target", "SmolLM2", CANDIDATES[:2], PLAIN_S)
    assert [candidate.key for candidate in routes.candidates] == ["ngram", "model:small", "none"]
    ngram, small = routes.cell("ngram", "prose"), routes.cell("model:small", "prose")
    assert ngram is not None and ngram.chosen and ngram.ready and ngram.measured.gain == pytest.approx(1.2, rel=0.1)
    assert small is not None and not small.chosen and small.measured.trials >= 1
    code = routes.cell("model:small", "code")
    assert code is not None and not code.ready and code.measured == Measured()
    assert routes.plain_tokens_per_second == pytest.approx(50)
    assert routes.cell(PLAIN.key, "code") is not None


@pytest.mark.parametrize("length", [0, 17, -1])
def test_a_profile_is_checked_when_made(length: int) -> None:
    with pytest.raises(ValueError, match="draft length"):
        Profile(draft_length=length)


def test_ready_is_less_than_a_trial() -> None:
    life = Life({"ngram": 1.0, "model:small": 0.9})
    life.live(1000)
    assert life.router.book("target", "prose").measured["model:small"].tokens >= READY

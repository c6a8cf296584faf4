import json

import pytest

from inference.recorder import Recorder
from inference.statistics import ReplyStatistics, RoundStatistics, expected_tokens


def round_(proposed: int, verified: int, accepted: int, committed: int) -> RoundStatistics:
    return RoundStatistics(proposed, proposed, verified, accepted, committed, 0.1, 0.2, 0.05)


@pytest.mark.parametrize(
    ("p", "k", "tokens"), [(0.75, 5, 3.29), (0.75, 7, 3.60), (0.8, 5, 3.69), (1.0, 4, 5.0), (0.0, 3, 1.0)]
)
def test_expected_tokens_are_those_of_the_reports(p: float, k: int, tokens: float) -> None:
    assert expected_tokens(p, k) == pytest.approx(tokens, abs=0.005)


def test_a_reply_adds_its_rounds_up() -> None:
    rounds = [round_(4, 3, 2, 3), round_(2, 2, 2, 3), round_(0, 0, 0, 1), round_(3, 2, 2, 2)]
    reply = ReplyStatistics().with_rounds(*rounds)
    assert (reply.rounds, reply.paused_rounds, reply.reply_tokens) == (4, 1, 9)
    assert (reply.recovered, reply.bonus) == (1, 1), "a round ended by an accepted end token has neither"
    assert reply.verified_by_position == (3, 3, 1, 0)
    assert reply.accepted_by_position == (3, 3, 0, 0)
    assert reply.rounds_by_draft_length == (1, 0, 1, 1, 1)
    assert reply.acceptance_rate == pytest.approx(6 / 7)
    assert reply.draft_yield == pytest.approx(6 / 9)
    assert reply.draft_share == pytest.approx(0.4 / 1.4)
    assert reply.tokens_per_second == pytest.approx(9 / 1.4)


def test_rounds_added_one_by_one_or_together_make_the_same_reply() -> None:
    rounds = [round_(0, 0, 0, 1), round_(2, 2, 2, 3), round_(5, 3, 2, 3), round_(1, 1, 1, 1), round_(3, 1, 0, 1)]
    one_by_one = ReplyStatistics()
    for figures in rounds:
        one_by_one = one_by_one.with_rounds(figures)
    for cut in range(len(rounds) + 1):
        together = ReplyStatistics().with_rounds(*rounds[:cut]).with_rounds(*rounds[cut:])
        assert together.seconds_per_round == pytest.approx(one_by_one.seconds_per_round)
        counts = [{n: v for n, v in reply.to_json().items() if not isinstance(v, float)} for reply in
                  (together, one_by_one)]  # fmt: skip
        assert counts[0] == counts[1]


def test_json_goes_there_and_back() -> None:
    reply = ReplyStatistics(drafter="n-gram", seed=3).with_rounds(round_(4, 3, 2, 3))
    values = json.loads(json.dumps(reply.to_json()))
    assert values["acceptance_rate"] == pytest.approx(2 / 3)
    assert ReplyStatistics.from_json(values) == reply
    assert ReplyStatistics.from_json({**values, "later": 1}) == reply, "fields of a later version are no fault"


def test_nothing_yet_divides_by_nothing() -> None:
    reply = ReplyStatistics()
    assert reply.tokens_per_second == reply.acceptance_rate == reply.draft_share == reply.tokens_per_round == 0.0


def test_live_figures_look_back_about_a_second() -> None:
    recorder = Recorder(ReplyStatistics())
    recorder.sum_up()
    assert recorder.acceptance_rate is None
    for _ in range(20):
        recorder.add(round_(4, 1, 0, 1))
        recorder.sum_up()
    for _ in range(4):
        recorder.add(round_(4, 4, 4, 5))
    assert recorder.waiting_s == pytest.approx(4 * 0.35)
    recorder.sum_up()
    assert not recorder.waiting
    assert recorder.acceptance_rate == 1.0
    assert recorder.tokens_per_second == pytest.approx(5 / 0.35)
    assert recorder.reply.rounds == 24

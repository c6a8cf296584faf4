"""Runs beside the chats: what they tell, and that the chats' caches are left alone."""

import threading
from collections.abc import Sequence

from inference.engine import Engine
from inference.events import Failed, Finished, PromptProgress
from inference.trials import Trial, TrialLetter, TrialNews, TrialsDone, TrialsPlanned, run_trials
from tests.inference.conftest import TinyFactory
from tests.inference.engines import ask, finished, greedy, held, load, reply, text_of

QUESTION = tuple(ask("is the string on?"))


def told(engine: Engine, trials: Sequence[Trial], cancel: threading.Event | None = None) -> list[TrialLetter]:
    return list(run_trials(engine, trials, cancel or threading.Event()))


def of(letters: Sequence[TrialLetter], index: int) -> list[object]:
    return [letter.event for letter in letters if isinstance(letter, TrialNews) and letter.index == index]


def test_trials_say_what_replies_say_and_leave_the_chats_alone(tiny: TinyFactory) -> None:
    engine = load(tiny("llama", layers=2))
    events = reply(engine, QUESTION, greedy("ngram", max_tokens=12))
    before = held(engine)
    trials = [Trial(QUESTION, greedy("none", max_tokens=12)), Trial(QUESTION, greedy("ngram", max_tokens=12))]
    letters = told(engine, trials)
    assert letters[0] == TrialsPlanned(tuple(trials)) and letters[-1] == TrialsDone(cancelled=False)
    for index in (0, 1):
        news = of(letters, index)
        assert text_of(news) == text_of(events) != ""
        assert isinstance(news[0], PromptProgress) and news[0].reused == 0, "nothing was read before"
    assert held(engine) == before
    assert finished(reply(engine, QUESTION, greedy("ngram", max_tokens=12))).statistics.reused_tokens > 0


def test_a_cancelled_series_ends_where_it_is(tiny: TinyFactory) -> None:
    engine, cancel = load(tiny("llama", layers=2)), threading.Event()
    letters = []
    for letter in run_trials(engine, [Trial(QUESTION, greedy("none"))] * 3, cancel):
        letters.append(letter)
        if isinstance(letter, TrialNews) and letter.index == 1:
            cancel.set()
    assert letters[-1] == TrialsDone(cancelled=True) and not of(letters, 2)
    last = of(letters, 1)[-1]
    assert isinstance(last, Finished) and last.reason == "cancelled"


def test_without_a_model_the_reason_is_told() -> None:
    letters = told(Engine(), [Trial(QUESTION, greedy("none"))] * 2)
    assert isinstance(of(letters, 0)[0], Failed) and not of(letters, 1)
    assert letters[-1] == TrialsDone(cancelled=False)


def test_what_a_pass_costs_is_known(tiny: TinyFactory) -> None:
    engine = load(tiny("llama", layers=2))
    assert Engine().pass_costs() is None
    costs = engine.pass_costs()
    assert costs is not None and costs.nbytes > 0 and costs.seconds[1] > 0
    assert costs.bytes_per_second is not None and costs.bytes_per_second > 0


def test_what_is_taken_back_after_trials_concerns_the_chats(tiny: TinyFactory) -> None:
    engine = load(tiny("llama", layers=2))
    reply(engine, QUESTION, greedy("none", max_tokens=4))
    told(engine, [Trial(QUESTION, greedy("none", max_tokens=4))])
    assert held(engine)
    engine.take_back("cache_bits")
    assert not held(engine), "caches of fewer bits would stay so"

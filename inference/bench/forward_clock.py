"""How much of a reply's time its models computed. What is left is the loop: drafting by lookup, sampling, text."""

from time import perf_counter
from typing import Any

from inference.heads.runner import HeadRunner
from inference.models.causal_model import CausalModel


class ForwardClock:
    """Counts the seconds of what it watches. Only on the CPU, where a forward is done on return.

    complete: whether all that was to be watched is there, so that the rest of the time is the loop's.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.complete = True

    def watch(self, model: CausalModel) -> None:
        self._time_on(model, model, "forward")

    def watch_head(self, runner: HeadRunner, target: CausalModel) -> None:
        """A head runs where its target does."""
        self._time_on(target, runner, "draft")

    def _time_on(self, model: CausalModel, owner: object, method: str) -> None:
        if model.device.type == "cpu":
            self._time(owner, method)
        else:
            self.complete = False

    def _time(self, owner: object, method: str) -> None:
        """Of this one object: a method cannot be assigned to."""
        inner = getattr(owner, method)

        def timed(*arguments: Any, **options: Any) -> Any:
            started = perf_counter()
            result = inner(*arguments, **options)
            self.seconds += perf_counter() - started
            return result

        setattr(owner, method, timed)

    def reset(self) -> None:
        self.seconds = 0.0

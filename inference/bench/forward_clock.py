"""How much of a reply's time its models computed. What is left is the loop: drafting by lookup, sampling, text."""

from time import perf_counter
from typing import Any

from inference.models.causal_model import CausalModel


class ForwardClock:
    """Counts the seconds of `forward` of the models it watches. Only on the CPU, where a forward is done on return."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.passes = 0

    def watch(self, model: CausalModel) -> None:
        forward = model.forward

        def timed(*arguments: Any, **options: Any) -> Any:
            started = perf_counter()
            result = forward(*arguments, **options)
            self.seconds += perf_counter() - started
            self.passes += 1
            return result

        if model.device.type == "cpu":
            setattr(model, "forward", timed)  # noqa: B010 (of this one object; a method cannot be assigned to)

    def reset(self) -> None:
        self.seconds, self.passes = 0.0, 0

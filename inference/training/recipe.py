"""How a head is trained: every number, checked, so that a card can repeat the run."""

from dataclasses import dataclass

from inference.heads.shape import MOST_TOKENS


@dataclass(frozen=True)
class Recipe:
    """tokens: positions of replies that training goes over, repetitions counted; own_share of them come at the end, for
    each task by itself. rollout_share of both are trained with `steps` steps of the head's own rollout, the ones
    before with a single one, which costs a third and teaches the first step as well.

    sharpness: the target's probabilities are raised to this power, since what counts is its likeliest token.
    step_weight: what a step of the rollout counts against the one before it. window: of the head's attention.
    """

    tokens: int = 4_000_000
    own_share: float = 0.3
    rollout_share: float = 0.4
    steps: int = 3
    step_weight: float = 0.7
    sharpness: float = 1.5
    learning_rate: float = 1e-2
    own_learning_rate: float = 3e-3
    warm_up: float = 0.03
    least_rate: float = 0.05  # of the learning rate, at the end of the cosine
    weight_decay: float = 0.01
    batch_tokens: int = 2048
    vocabulary_size: int = MOST_TOKENS
    window: int = 256
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("tokens", "steps", "batch_tokens", "vocabulary_size"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is at least 1, not {getattr(self, name)}")
        for name in ("own_share", "rollout_share", "warm_up", "least_rate"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} lies between 0 and 1, not at {getattr(self, name)}")
        if not 0 < self.step_weight <= 1 or self.sharpness <= 0 or self.window < 0:
            raise ValueError("step_weight lies above 0 and up to 1, sharpness above 0, and a window is not negative")
        if self.learning_rate <= 0 or self.own_learning_rate <= 0 or self.weight_decay < 0:
            raise ValueError("learning rates are positive")

    def shared_tokens(self, tasks: int) -> int:
        """Of `tokens`, those of the one head that all tasks start from: all of them when there is only one task."""
        return self.tokens if tasks < 2 else self.tokens - tasks * self.own_tokens(tasks)

    def own_tokens(self, tasks: int) -> int:
        """Those of each task's own training."""
        return 0 if tasks < 2 else round(self.tokens * self.own_share / tasks)

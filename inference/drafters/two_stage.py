"""N-gram lookup where the text repeats itself at length, a draft model or a trained head everywhere else."""

from inference.drafters.aligned_draft import AlignedDrafter
from inference.drafters.draft_model import ModelDrafter
from inference.drafters.drafter import Draft, DraftsAhead
from inference.drafters.head import HeadDrafter
from inference.drafters.ngram import NgramDrafter
from inference.sampling import Sampler

STRONG = 5  # tokens of a match that make a copy likelier to be right than the model, and free


class TwoStageDrafter:
    """Chooses between two drafters that the session keeps in step; holds nothing itself."""

    def __init__(self, ngram: NgramDrafter, model: ModelDrafter | AlignedDrafter | HeadDrafter) -> None:
        self.name = f"{ngram.name} + {model.name}"
        self._ngram = ngram
        self._model = model
        self._ahead = model if isinstance(model, DraftsAhead) else None
        self._copied = False  # the last proposal

    def catch_up(self, seconds: float) -> None:
        self._model.catch_up(seconds)

    @property
    def behind(self) -> int:
        return 0 if self._copies else self._model.behind

    def source(self) -> str | None:
        return (self._ngram if self._copies else self._model).source()

    def propose(self, k: int, sampler: Sampler) -> Draft:
        self._copied = self._copies
        return (self._ngram if self._copied else self._model).propose(k, sampler)

    @property
    def ready(self) -> int:
        return self._ahead.ready if self._ahead and not self._copied else 0

    def go_on(self) -> None:
        if self._ahead and not self._copied:
            self._ahead.go_on()

    def rest(self) -> None:
        if self._ahead:
            self._ahead.rest()

    @property
    def _copies(self) -> bool:
        return self._ngram.match() >= STRONG

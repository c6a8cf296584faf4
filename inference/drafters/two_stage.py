"""N-gram lookup where the text repeats itself at length, the draft model everywhere else."""

from inference.drafters.draft_model import ModelDrafter
from inference.drafters.drafter import Draft
from inference.drafters.ngram import NgramDrafter
from inference.sampling import Sampler

STRONG = 5  # tokens of a match that make a copy likelier to be right than the model, and free


class TwoStageDrafter:
    """Chooses between two drafters that the session keeps in step; holds nothing itself."""

    def __init__(self, ngram: NgramDrafter, model: ModelDrafter) -> None:
        self.name = f"{ngram.name} + {model.name}"
        self._ngram = ngram
        self._model = model

    def propose(self, k: int, sampler: Sampler) -> Draft:
        return self._ngram.propose(k, sampler, STRONG) or self._model.propose(k, sampler)

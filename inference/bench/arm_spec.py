"""What an arm of the benchmark is called, and which settings that stands for. No torch here."""

import re
from dataclasses import dataclass, replace
from typing import cast, get_args

from inference.errors import UserError
from inference.settings import MAX_DRAFT_LENGTH, DrafterKind, Mode, Precision, SpeculationSettings

KINDS = {
    "transformers": "generate() of the transformers library in bfloat16, as it comes",
    "adapter": "Foreword's loop over the transformers model, without speculation",
    "fused": "Foreword's own decoder without speculation",
    "ngram": "n-gram drafts in every round",
    "draft": "the draft model in every round",
    "head": "a head trained for the model in every round",
    "combined": "n-grams where the text repeats itself at length, else the draft model or the head, in every round",
    "automatic": "as in the window: what has proved fastest for the task, and a pause while drafting loses",
}
DRAFTERS: dict[str, DrafterKind] = {
    "ngram": "ngram",
    "draft": "model",
    "head": "head",
    "combined": "combined",
    "automatic": "automatic",
}
_SPELLING = re.compile(r"(?P<kind>\w+)(?::(?P<precision>\w+))?(?:@(?P<length>\d+))?")


@dataclass(frozen=True)
class ArmSpec:
    """precision None: that of --precision. draft_length None: K follows the measurements."""

    kind: str
    precision: Precision | None = None
    draft_length: int | None = None

    @classmethod
    def read(cls, text: str) -> "ArmSpec":
        """From `kind[:precision][@K]`. Raises UserError."""
        match = _SPELLING.fullmatch(text)
        if match is None or match["kind"] not in KINDS:
            raise UserError(f"There is no arm called {text!r}.", f"Choose among {', '.join(KINDS)}.")
        if match["precision"] and match["precision"] not in get_args(Precision):
            raise UserError(
                f"There are no weights called {match['precision']!r}.",
                f"Choose among {', '.join(get_args(Precision))}.",
            )
        spec = cls(
            match["kind"],
            cast(Precision, match["precision"]) if match["precision"] else None,
            int(match["length"]) if match["length"] else None,
        )
        if spec.draft_length is not None and not spec.drafts:
            raise UserError(f"The arm {spec.kind} drafts nothing.", "Leave out the draft length.")
        if spec.draft_length is not None and not 1 <= spec.draft_length <= MAX_DRAFT_LENGTH:
            raise UserError(f"A draft length lies between 1 and {MAX_DRAFT_LENGTH}.")
        return spec

    @property
    def name(self) -> str:
        precision = f":{self.precision}" if self.precision else ""
        return f"{self.kind}{precision}" + (f"@{self.draft_length}" if self.draft_length else "")

    @property
    def drafts(self) -> bool:
        return self.kind in DRAFTERS

    def at(self, draft_length: int) -> "ArmSpec":
        return replace(self, draft_length=draft_length)

    @property
    def speculation(self) -> SpeculationSettings:
        if not self.drafts:
            return SpeculationSettings(mode="off")
        mode: Mode = "automatic" if self.kind == "automatic" else "on"
        settings = SpeculationSettings(mode, DRAFTERS[self.kind])
        if self.draft_length is None:
            return settings
        return replace(settings, draft_length=self.draft_length, dynamic=False)

"""What the doctor finds: one verdict on one thing, in words, with what to do about it."""

from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["good", "warning", "bad"]
VERDICTS: tuple[Verdict, ...] = ("good", "warning", "bad")


@dataclass(frozen=True)
class Finding:
    """name is for programs, title and the rest for people. remedy: one or two sentences, "" where nothing is to do.
    facts: label and value, for whoever asks for help. open: they are a part of the answer, and shown with it."""

    name: str
    title: str
    verdict: Verdict
    text: str
    remedy: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    open: bool = False

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"{self.verdict!r} is no verdict")
        if self.verdict != "good" and not self.remedy:
            raise ValueError(f"{self.name}: a fault needs a remedy")

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "verdict": self.verdict,
            "text": self.text,
            "remedy": self.remedy,
            "facts": dict(self.facts),
        }


def worst(findings: "list[Finding]") -> Verdict:
    return max((finding.verdict for finding in findings), key=VERDICTS.index, default="good")

"""What can be said on the command line."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

QUESTION = "Explain why the sky is blue."


@dataclass(frozen=True)
class Options:
    file: Path | None = None  # a chat export, to be opened
    model: str = ""  # a folder or a name in the catalogue, for this session
    draft: str = ""  # a folder, for this session
    align: bool = False  # it may have another vocabulary
    cache_bits: str = ""  # of keys and values, for this session
    int4_group: str = ""  # 4-bit weights that share a scale, for this session
    demo: str | None = None  # the question of a demonstration
    json: bool = False
    screenshot: Path | None = None
    appearance: str = ""
    safe_mode: bool = False  # start without loading a model

    @classmethod
    def read(cls, arguments: Sequence[str]) -> "Options":
        """Ends the program with a message when they make no sense."""
        parser = argparse.ArgumentParser(
            prog="foreword",
            description="Chat with a language model on this machine. A small draft writes ahead, the target checks.",
            epilog="Each tells more with --help: foreword models (list, fetch, plan), foreword doctor (is all well?), "
            "foreword bench (measure), foreword train-draft (train a draft).",
        )
        parser.add_argument("file", nargs="?", type=Path, help="a chat export of Foreword's, to be opened")
        parser.add_argument("--model", default="", metavar="PATH", help="a model's folder, or its name")
        parser.add_argument("--draft", default="", metavar="PATH", help="the folder of a draft model for it")
        help = "let a draft of another family draft by its text: exact, but gains less"
        parser.add_argument("--align", action="store_true", help=help)
        parser.add_argument(
            "--cache-bits",
            choices=("16", "8", "4", "2"),
            default="",
            help="of what the model keeps of the chat, this time",
        )
        parser.add_argument(
            "--int4-group",
            choices=("32", "64", "128"),
            default="",
            help="how many 4-bit weights share a scale where they are packed for the processor, this time",
        )
        parser.add_argument(
            "--demo",
            nargs="?",
            const=QUESTION,
            metavar="QUESTION",
            help="ask one question through the window, print the reply and its speed, save a picture, and end",
        )
        parser.add_argument("--json", action="store_true", help="with --demo: the last line is one JSON object")
        parser.add_argument("--screenshot", type=Path, metavar="PATH", help="with --demo: where the picture goes")
        parser.add_argument(
            "--appearance", choices=("light", "dark", "system"), default="", help="how the window looks this time"
        )
        parser.add_argument("--safe-mode", action="store_true", help="start without loading a model")
        values = parser.parse_args(arguments)
        if values.demo is None and (values.json or values.screenshot):
            parser.error("--json and --screenshot belong to --demo")
        if values.demo is not None and values.file:
            parser.error("a file cannot be opened with --demo")
        return cls(**vars(values))

    def session_values(self) -> dict[str, object]:
        """Settings that hold for this session only."""
        values: dict[str, object] = {"model": self.model, "draft_model": self.draft, "appearance": self.appearance}
        values["cache_bits"], values["int4_group"] = self.cache_bits, self.int4_group
        values["align_drafts"] = self.align
        if self.draft:
            values["drafter"] = "model"
        return {name: value for name, value in values.items() if value}

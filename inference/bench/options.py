"""What can be asked of the benchmark, and the command line that asks it."""

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, get_args

from inference.bench.arm_spec import KINDS, ArmSpec
from inference.bench.protocol import PROTOCOLS
from inference.errors import UserError
from inference.settings import INT4_GROUPS, Precision

HELP = f"""\
protocols:
{chr(10).join(f"  {protocol.name:8} {protocol.description}" for protocol in PROTOCOLS.values())}

arms, the first of which the others are compared with:
{chr(10).join(f"  {name:13} {text}" for name, text in KINDS.items())}
  peer          the outside programs of --peer, when they are not to come last
An arm may name its weights and a fixed draft length: fused:int4, ngram@3, draft:int8@2.

A peer is run once in every pass. {{prompt_file}} stands for a file of prompts, one JSON object a line with "task" and
"prompt"; the last line it prints is a JSON object with "peer" (its name) and, for each task, "tok_s" and, if it likes,
"prefill_tok_s", "accepted" and "proposed". {{tokens}} stands for the length of a reply at most, {{temperature}} for the
temperature; with several of these it is run once for each.

exit codes: 0 measured (check: all replies identical), 1 check found a difference, 2 bad input or a model that cannot be
opened, 130 interrupted (what was measured so far is reported).
"""
EXAMPLE = "Write --help to see what there is."
PROMPT_FILE, TOKENS, TEMPERATURE = "{prompt_file}", "{tokens}", "{temperature}"


@dataclass(frozen=True)
class Options:
    """Raises UserError when made of what makes no sense."""

    protocol: str = "short"
    model: str = ""
    draft: str = ""
    arms: tuple[ArmSpec, ...] = ()  # empty: those that the model allows
    peers: tuple[tuple[str, ...], ...] = ()
    peer_place: int | None = None  # where in the order of arms the peers stand; None: last
    prompts: Path | None = None
    language: str = "auto"
    limit: int | None = None
    runs: int = 3
    tokens: int | None = None
    temperatures: tuple[float, ...] = ()
    threads: int | None = None
    precision: Precision = "auto"
    int4_group: int = INT4_GROUPS[0]
    device: str = "auto"
    perplexity: bool = False
    json: bool = False
    csv: Path | None = None
    png: Path | None = None

    def __post_init__(self) -> None:
        for name, least in (("runs", 1), ("tokens", 2), ("limit", 1), ("threads", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise UserError(f"--{name} must be at least {least}, not {value}.", EXAMPLE)
        for temperature in self.temperatures:
            if not 0 <= temperature <= 5:
                raise UserError(f"A temperature lies between 0 and 5, not at {temperature:g}.", EXAMPLE)
        self._check_arms()
        if self.protocol == "check" and any(self.temperatures):
            raise UserError("Only greedy replies can be compared token for token.", "Leave --temperature out.")
        for path in (self.csv, self.png):
            if path is not None and not path.absolute().parent.is_dir():
                raise UserError(f"There is no folder {path.absolute().parent} for {path.name}.", "Make it first.")

    def _check_arms(self) -> None:
        if any(arm.kind == "draft" for arm in self.arms) and not self.draft:
            raise UserError("The arm draft needs a draft model.", "Name one with --draft.")
        if len(set(self.arms)) < len(self.arms):
            raise UserError("An arm is named twice.", EXAMPLE)
        for peer in self.peers:
            if not any(PROMPT_FILE in part for part in peer):
                raise UserError("The peer's command does not say where the prompts go.", f"Write {PROMPT_FILE} in it.")
            if len(self.temperatures) > 1 and not any(TEMPERATURE in part for part in peer):
                raise UserError(
                    "The peer's command does not say where the temperature goes.", f"Write {TEMPERATURE} in it."
                )
        if self.peer_place is not None and not self.peers:
            raise UserError("The arm peer needs a command.", "Name one with --peer.")
        if self.peers and self.protocol in ("check", "sweep"):
            raise UserError(f"An outside program has no part in the protocol {self.protocol}.", "Leave --peer out.")


class _Parser(argparse.ArgumentParser):
    """Raises what it does not understand in place of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message[:1].upper()}{message[1:]}.", EXAMPLE)


def read(arguments: Sequence[str]) -> Options:
    """Raises UserError; --help ends the program."""
    v = vars(_parser().parse_args(arguments))
    names = [name.strip() for name in v.pop("arms").split(",") if name.strip()]
    v["peer_place"] = names.index("peer") if "peer" in names else None
    v["arms"] = tuple(ArmSpec.read(name) for name in names if name != "peer")
    v["temperatures"] = tuple(_number(part) for part in v.pop("temperature").split(",") if part.strip())
    v["peers"] = tuple(_command(text) for text in v.pop("peer"))
    return Options(**v)


def _parser() -> _Parser:
    parser = _Parser(
        prog="foreword bench",
        description="Measures how fast a model replies here: several ways in turn, the same prompts, medians.",
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--protocol", choices=list(PROTOCOLS), default="short", help="what is asked (default: short)")
    add("--model", default="", metavar="PATH", help="a folder, a .gguf file or a name in the catalogue")
    add("--draft", default="", metavar="PATH", help="a smaller model of the same family")
    add("--arms", default="", metavar="A,B,...", help="what is compared (default: all that the model allows)")
    add("--peer", action="append", default=[], metavar="COMMAND", help="an outside program, measured in the same run")
    add("--prompts", type=Path, metavar="FILE", help="your own prompts in place of the protocol's")
    add("--language", choices=("auto", "en", "zh", "all"), default="auto", help="which of the shipped prompts")
    add("--limit", type=int, metavar="N", help="take only the first N prompts of each task")
    add("--runs", type=int, default=3, metavar="N", help="passes over all prompts after the warm-up (default: 3)")
    add("--tokens", type=int, metavar="N", help="length of a reply at most (default: the protocol's)")
    add("--temperature", default="", metavar="T,...", help="0 is greedy and the default; 0,0.7 measures both")
    add("--threads", type=int, metavar="N", help="processor threads (default: as the program runs)")
    add("--precision", choices=get_args(Precision), default="auto", help="weights of arms that do not name theirs")
    add("--int4-group", type=int, choices=INT4_GROUPS, default=INT4_GROUPS[0], help="4-bit weights that share a scale")
    add("--device", default="auto", help="auto, cpu, cuda, mps")
    add("--perplexity", action="store_true", help="also measure how well each precision predicts two fixed texts")
    add("--json", action="store_true", help="the last line is one JSON object with everything")
    add("--csv", type=Path, metavar="FILE", help="write the table to a file")
    add("--png", type=Path, metavar="FILE", help="draw the speeds (needs Pillow)")
    return parser


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{text.strip()!r} is not a temperature.", EXAMPLE) from None


def _command(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text, posix=sys.platform != "win32"))
    except ValueError as error:
        raise UserError(f"The peer's command cannot be read: {error}.", "Check its quotation marks.") from error

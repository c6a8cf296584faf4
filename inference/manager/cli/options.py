"""What can be said after `foreword models`."""

import argparse
from collections.abc import Sequence
from typing import NoReturn, get_args

from inference.manager.cli.errors import UsageError
from inference.manager.cli.exit_codes import EPILOG
from inference.plan.memory_plan import PlanSettings
from inference.settings import CACHE_BITS, DEVICE, INT4_GROUPS, Precision


def _device(name: str) -> str:
    if not DEVICE.fullmatch(name):
        raise argparse.ArgumentTypeError(f"there is no device {name}: auto, cpu, cuda, cuda:1")
    return name


def _draft_device(name: str) -> str:
    return name if name == "target" else _device(name)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", f"See {self.prog} --help.")


def read(arguments: Sequence[str]) -> argparse.Namespace:
    """Raises UsageError when they make no sense."""
    parser = _Parser(
        prog="foreword models",
        description="The models on this machine: list, find, fetch, take in, remove, and plan memory for them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    shared = _Parser(add_help=False)
    shared.add_argument("--json", action="store_true", help="one JSON object for programs")

    def command(name: str, help: str) -> argparse.ArgumentParser:
        formatter = argparse.RawDescriptionHelpFormatter
        return commands.add_parser(
            name, help=help, description=help, parents=[shared], epilog=EPILOG, formatter_class=formatter
        )

    listing = command("list", "what is on this machine, with sizes")
    listing.add_argument("--available", action="store_true", help="what the catalogue offers as well")
    search = command("search", "look for models on the hub by name")
    search.add_argument("text", nargs="+", help="words of the name, in any order")
    search.add_argument("--limit", type=int, default=20, help="how many at most (20)")
    search.add_argument("--fits", action="store_true", help="only those that would fit at 4 bits")
    search.add_argument("--size", type=float, default=0.0, help="billions of parameters at most")
    search.add_argument("--drafted", action="store_true", help="only those of which a smaller one is on this machine")
    fetch = command("download", "fetch a model of the catalogue or of the hub; what was begun goes on")
    fetch.add_argument("model", help="its name in the catalogue, or owner/name on the hub")
    take = command("import", "take in a model's folder (used where it is) or a GGUF file (converted once)")
    take.add_argument("path", help="the folder or the .gguf file")
    take.add_argument("--copy", action="store_true", help="copy the folder, so that the original may go")
    remove = command("remove", "delete a model; a folder elsewhere is only forgotten")
    remove.add_argument("model", help="its name, as `list` shows it, or how that begins")
    remove.add_argument("--yes", action="store_true", help="do not ask")
    plan = command("plan", "what memory a model will take, against what is free")
    plan.add_argument("model", help="its name or how that begins, a folder, or owner/name on the hub")
    plan.add_argument("--draft", action="append", default=[], help="a draft for it, likewise; may be given again")
    plan.add_argument("--context", type=int, help=f"tokens ({PlanSettings.context}); no more than it was made for")
    plan.add_argument("--precision", choices=get_args(Precision), default="", help="else the best that fits")
    plan.add_argument("--cache-bits", type=int, choices=CACHE_BITS, default=16, help="of keys and values (16)")
    help = "4-bit weights that share a scale, where they are packed for the processor (32)"
    plan.add_argument("--int4-group", type=int, choices=INT4_GROUPS, default=INT4_GROUPS[0], help=help)
    plan.add_argument("--device", type=_device, default="auto", help="auto, cpu, cuda")
    plan.add_argument("--offload", action="store_true", help="layers may lie elsewhere when they do not fit: slow")
    plan.add_argument(
        "--draft-device", type=_draft_device, default="auto", help="of the drafts: auto, target, cpu, cuda:1"
    )
    token = command("token", "the token for models that need an account: kept by the system's keyring")
    token.add_argument("action", choices=("set", "clear", "show"), nargs="?", default="show", help="show: whether")
    hub = command("hub", "where models are fetched from")
    hub.add_argument("address", nargs="?", default="", help="of a mirror, with https://")
    hub.add_argument("--usual", action="store_true", help="take the usual one again")
    return parser.parse_args(arguments)

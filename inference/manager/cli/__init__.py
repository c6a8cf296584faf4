"""`foreword models`: the model manager on the command line."""

import json
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Sequence

from inference.errors import HubError, TokenError, UserError
from inference.manager.cli import commands, hub_commands
from inference.manager.cli.errors import NoSuchModelError, UsageError
from inference.manager.cli.exit_codes import FAILED, INTERRUPTED, NOT_FOUND, USAGE
from inference.manager.cli.options import read
from inference.manager.download import DownloadCancelled

COMMANDS: dict[str, Callable[[Namespace, threading.Event], int]] = {
    "list": commands.list_models,
    "search": commands.search_models,
    "download": commands.download_model,
    "import": commands.import_model,
    "remove": commands.remove_model,
    "plan": commands.plan_model,
    "token": hub_commands.token,
    "hub": hub_commands.hub,
}
STATUS: dict[type[UserError], int] = {
    DownloadCancelled: INTERRUPTED,
    NoSuchModelError: NOT_FOUND,
    UsageError: USAGE,
}
HINTS: dict[type[UserError], str] = {  # what the window has a button for
    TokenError: "foreword models token set",
    HubError: "foreword models hub ADDRESS",
}


def main(arguments: Sequence[str]) -> int:
    cancel = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: cancel.set())  # a download ends in order, and can go on later
    try:
        options = read(arguments)
        return COMMANDS[options.command](options, cancel)
    except UserError as error:
        if "--json" in arguments:
            print(json.dumps({"format": 1, "error": error.message, "remedy": error.remedy}, ensure_ascii=False))
        print(_in_words(error), file=sys.stderr)
        return next((status for kind, status in STATUS.items() if isinstance(error, kind)), FAILED)
    except KeyboardInterrupt:  # at a question
        print(file=sys.stderr)
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, before)


def _in_words(error: UserError) -> str:
    if isinstance(error, DownloadCancelled):
        return "Interrupted. The next time it goes on from here."
    hint = next((hint for kind, hint in HINTS.items() if isinstance(error, kind)), "")
    return f"{error} ({hint})" if hint else str(error)

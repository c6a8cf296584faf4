"""`foreword models`: the model manager on the command line."""

import json
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Sequence

from inference.errors import UserError
from inference.manager.cli import commands, hub_commands
from inference.manager.cli.exit_codes import FAILED, INTERRUPTED, NOT_FOUND
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


def main(arguments: Sequence[str]) -> int:
    options = read(arguments)
    cancel = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: cancel.set())  # a download ends in order, and can go on later
    try:
        return COMMANDS[options.command](options, cancel)
    except DownloadCancelled:
        print("Interrupted. The next time it goes on from here.", file=sys.stderr)
        return INTERRUPTED
    except UserError as error:
        if options.json:
            print(json.dumps({"format": 1, "error": error.message, "remedy": error.remedy}, ensure_ascii=False))
        print(error, file=sys.stderr)
        return NOT_FOUND if isinstance(error, commands.NoSuchModelError) else FAILED
    finally:
        signal.signal(signal.SIGINT, before)

"""`foreword models token` and `foreword models hub`: where models come from, and as whom they are asked for."""

import getpass
import os
import sys
import threading
from argparse import Namespace

from inference.manager import addresses
from inference.manager.cli.errors import UsageError
from inference.manager.cli.exit_codes import DONE
from inference.manager.cli.output import asked, say
from inference.manager.hub_choice import choose_hub
from inference.manager.hub_token import VARIABLE, can_keep, clear_token, keep_token, kept_token


def token(options: Namespace, cancel: threading.Event) -> int:
    """The token itself is never an argument: other programs could read it there."""
    hub = addresses.hub()
    if options.action == "set":
        hidden = sys.stdin.isatty()
        given = asked(f"Token for {hub} (not shown): ", getpass.getpass) if hidden else sys.stdin.readline()
        keep_token(hub, given)
    removed = clear_token(hub) if options.action == "clear" else False
    kept, variable = bool(kept_token(hub)), bool(os.environ.get(VARIABLE, "").strip())
    if options.json:
        say({"hub": hub, "kept": kept, "keyring": can_keep(), "variable": variable, "removed": removed})
        return DONE
    if options.action == "clear":
        print("The token was deleted." if removed else "No token was kept.")
    elif kept:
        print(f"The system's keyring keeps a token for {hub}.")
    else:
        print(f"No token is kept for {hub}." + ("" if can_keep() else " This system has no keyring."))
    if variable and not kept:
        print(f"That of {VARIABLE} is used.")
    return DONE


def hub(options: Namespace, cancel: threading.Event) -> int:
    if options.address and options.usual:
        raise UsageError("Either an address or --usual.")
    if options.address or options.usual:
        choose_hub(options.address)
    if options.json:
        say({"hub": addresses.hub(), "usual": addresses.HUB, "mirror": addresses.MIRROR})
        return DONE
    print(f"Models are fetched from {addresses.hub()}.")
    if os.environ.get("HF_ENDPOINT", "").strip():
        print("HF_ENDPOINT says so, and goes before what is chosen.")
    print(f"The usual one is {addresses.HUB}; a mirror of it is {addresses.MIRROR}.")
    return DONE

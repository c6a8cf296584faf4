"""The person's token for a model hub: kept by the system's keyring, never in a file of ours, never in the log.

A token belongs to the host it was given for and is sent to no other: not to a mirror that is chosen later, not to where
the hub redirects a download, and not over an unencrypted line. Without one that is kept, HF_TOKEN counts, as for other
programs: for the hub itself and for the one that HF_ENDPOINT names, but not for a mirror that was chosen in the window.
"""

import logging
import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inference.errors import UserError
from inference.manager import addresses

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

log = logging.getLogger(__name__)

SERVICE = "Foreword model hub"
VARIABLE = "HF_TOKEN"
LONGEST = 500
# Backends that keep nothing, or keep it in a file that anybody can read.
_NO_KEEPERS = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")


def token_for(hub: str) -> str:
    """The token kept for this hub's host, else that of HF_TOKEN, else "". May wait until a keyring is unlocked."""
    meant = {_account(addresses.HUB), _account(os.environ.get("HF_ENDPOINT", "").strip())}
    return kept_token(hub) or (os.environ.get(VARIABLE, "").strip() if _account(hub) in meant else "")


def kept_token(hub: str) -> str:
    from keyring.errors import KeyringError

    keeper = _keeper()
    if keeper is None:
        return ""
    try:
        return (keeper.get_password(SERVICE, _account(hub)) or "").strip()
    except (KeyringError, OSError, RuntimeError) as error:
        log.warning("the system's keyring cannot be read: %s", type(error).__name__)
        return ""


def keep_token(hub: str, token: str) -> None:
    """Raises UserError for what is no token, and where no keyring can keep it."""
    from keyring.errors import KeyringError

    token = token.strip()
    if not token or len(token) > LONGEST or not (token.isascii() and token.isprintable()) or " " in token:
        raise UserError("That is not a token.", "Copy the whole token from the hub's page of access tokens.")
    keeper = _keeper()
    if keeper is None:
        raise no_keyring()
    try:
        keeper.set_password(SERVICE, _account(hub), token)
    except (KeyringError, OSError, RuntimeError) as error:
        raise UserError(
            f"The system's keyring did not take the token ({type(error).__name__}).",
            f"Unlock the keyring, or set the environment variable {VARIABLE} instead.",
        ) from None  # nothing that might quote the token


def clear_token(hub: str) -> bool:
    """Whether one was kept. Raises UserError where the keyring refuses."""
    from keyring.errors import KeyringError

    keeper = _keeper()
    if keeper is None or not kept_token(hub):
        return False
    try:
        keeper.delete_password(SERVICE, _account(hub))
    except (KeyringError, OSError, RuntimeError) as error:
        raise UserError(
            f"The system's keyring did not delete the token ({type(error).__name__}).",
            f"Delete the entry {SERVICE} in the system's own window for passwords.",
        ) from None
    return True


def can_keep() -> bool:
    """Whether this system has a keyring."""
    return _keeper() is not None


def no_keyring() -> UserError:
    return UserError(
        "This system has no keyring that could keep the token.",
        f"Set the environment variable {VARIABLE} instead, or install one (GNOME Keyring, KWallet).",
    )


def authorization(hub: str) -> dict[str, str]:
    """The header for requests to `hub`; {} without a token, and where the line could be read by others."""
    parts = urlsplit(hub)
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
        return {}
    token = token_for(hub)
    return {"Authorization": f"Bearer {token}"} if token else {}


def _keeper() -> "KeyringBackend | None":
    import keyring

    keeper = keyring.get_keyring()
    return None if type(keeper).__module__.startswith(_NO_KEEPERS) else keeper


def _account(hub: str) -> str:
    return urlsplit(hub).netloc or hub

"""Looks for models on the hub by name, over the hub's HTTP interface, and reads what they say about themselves.

The address is that of `addresses.hub()`, so a mirror serves as well; what a mirror leaves out is taken as not known.
"""

import json
import re
import threading
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from inference.errors import HubError, TokenError, UserError
from inference.manager import addresses
from inference.manager.download import LATER, AbsentError, AccessError, Patience, SourceError, fetch_bytes
from inference.manager.hub_token import authorization, token_for
from inference.manager.name_search import is_meant, words_of
from inference.manager.spec import Source, Spec

MOST = 100
MOST_WORDS = 3  # that are asked for one by one
_FIELDS = ("downloads", "gated", "safetensors", "tags", "config", "likes")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True)
class HubModel:
    """One result. parameters 0, licence "" and model_type "": not known. gated: the hub asks for an account."""

    repository: str
    downloads: int = 0
    parameters: int = 0
    licence: str = ""
    model_type: str = ""
    gated: bool = False
    pickle: bool = False  # without safetensors: it cannot be used

    @property
    def spec(self) -> Spec:
        """As an entry that the store can fetch."""
        return Spec(
            identifier=identifier_of(self.repository),
            name=self.repository,
            sources=(Source("hub", self.repository),),
            licence=self.licence,
            parameters=self.parameters,
            size_bytes=2 * self.parameters,
        )


def is_repository(text: str) -> bool:
    """Whether it reads like owner/name."""
    return _REPOSITORY.fullmatch(text) is not None


def identifier_of(repository: str) -> str:
    """A name for its folder: owner/name -> owner--name."""
    return repository.replace("/", "--").lstrip("-_.")


class HubSearch:
    """Asks one hub. Every method blocks; none of them in a window's thread."""

    def __init__(self, hub: str | None = None, patience: Patience | None = None) -> None:
        self._hub = (hub or addresses.hub()).rstrip("/")
        self._patience = patience or Patience()

    def find(self, text: str, cancel: threading.Event, limit: int = 20, most_parameters: int = 0) -> list[HubModel]:
        """Chat models whose name holds the words of `text`, the most fetched first. most_parameters 0: of any size.

        A hub looks for the text as it stands; so where it finds too little, the words are asked for one by one, the
        longest first, and what has all of them is taken. Raises UserError when the hub gives no answer,
        DownloadCancelled.
        """
        first = MOST if most_parameters else min(max(limit, 1), MOST)
        found = {model.repository: model for model in self._find(text.strip(), cancel, first)}
        words = words_of(text)
        for word in sorted(words, key=len, reverse=True)[:MOST_WORDS] if len(words) > 1 else []:
            if len(found) >= limit:
                break
            found |= {m.repository: m for m in self._find(word, cancel, MOST) if is_meant(m.repository, text)}
        ranked = sorted(found.values(), key=lambda model: -model.downloads)
        return [m for m in ranked if not most_parameters or 0 < m.parameters <= most_parameters][:limit]

    def _find(self, text: str, cancel: threading.Event, limit: int) -> list[HubModel]:
        """Those whose name holds `text`."""
        query = [("search", text), ("filter", "text-generation"), ("filter", "safetensors")]
        query += [("sort", "downloads"), ("direction", "-1"), ("limit", str(limit))]
        query += [("expand[]", field) for field in _FIELDS]
        answer = self._json(f"/api/models?{urlencode(query)}", cancel)
        if not isinstance(answer, list):
            raise _senseless()
        return [model for entry in answer if (model := _model(entry)) is not None]

    def model(self, repository: str, cancel: threading.Event) -> HubModel:
        """What the hub says about one repository. Raises UserError when it is not there."""
        model = _model(self._json(f"/api/models/{quote(repository)}", cancel, repository))
        if model is None:
            raise _unknown(repository)
        return model

    def config(self, repository: str, cancel: threading.Event) -> dict[str, Any]:
        """Its config.json, which the memory plan needs. Raises UserError."""
        config = self._json(f"/{quote(repository)}/resolve/main/config.json", cancel, repository)
        if not isinstance(config, dict):
            raise UserError(f"The config.json of {repository} holds no settings.", "Choose another model.")
        return config

    def _json(self, path: str, cancel: threading.Event, what: str = "") -> Any:
        try:
            return json.loads(fetch_bytes(self._hub + path, self._patience, cancel, authorization(self._hub)))
        except SourceError as error:
            if what and isinstance(error, AccessError):
                raise refused(self._hub, what) from error
            if what and isinstance(error, AbsentError):
                raise _unknown(what) from error
            if isinstance(error, AccessError):
                remedy = "Enter a token, or choose another address for the model hub."
                raise TokenError(f"The model hub could not be asked: {error}.", remedy) from error
            if isinstance(error, AbsentError):
                raise HubError(f"There is no model hub at {self._hub}.", "Choose another address for it.") from error
            raise HubError(f"The model hub could not be asked: {error}.", error.remedy) from error
        except (ValueError, RecursionError) as error:
            raise _senseless() from error


def _senseless() -> HubError:
    return HubError("The model hub gave an answer that makes no sense.", LATER)


def _unknown(name: str) -> HubError:
    return HubError(f"The model hub does not know {name}.", "Check the name: owner/model.")


def refused(hub: str, name: str) -> TokenError:
    """What to do about a model that the hub gives only to some."""
    if token_for(hub):
        return TokenError(
            f"The model hub refuses {name} to the account of your token.",
            "Open the model's page on the hub with that account, accept its conditions, and try again.",
        )
    return TokenError(
        f"The model hub gives {name} only to accounts that it knows, or does not have it.",
        "Accept its conditions on the hub with your account, and enter a token.",
    )


def _model(entry: Any) -> HubModel | None:
    """None for what is no model, or what cannot be named."""
    if not isinstance(entry, dict):
        return None
    name = entry.get("id") or entry.get("modelId")
    if not isinstance(name, str) or not is_repository(name):
        return None
    tags = [tag for tag in entry.get("tags") or [] if isinstance(tag, str)]
    weights = entry.get("safetensors")
    total = weights.get("total") if isinstance(weights, dict) else None
    config = entry.get("config")
    kind = config.get("model_type") if isinstance(config, dict) else None
    licence = next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), "")
    downloads = entry.get("downloads")
    return HubModel(
        repository=name,
        downloads=downloads if isinstance(downloads, int) else 0,
        parameters=total if isinstance(total, int) else 0,
        licence=licence,
        model_type=kind if isinstance(kind, str) else "",
        gated=bool(entry.get("gated")),
        pickle=bool(tags) and "safetensors" not in tags and weights is None,
    )

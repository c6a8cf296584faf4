"""How each model was loaded last, so that it is loaded the same way again."""

import logging
from dataclasses import MISSING, asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from app.later import Later
from app.settings import BY_NAME, CacheBits, DraftDevice, Int4Group, Settings
from inference.manager.files import read_json, write_json
from inference.settings import Precision

log = logging.getLogger(__name__)

MOST = 200  # models that are remembered


@dataclass(frozen=True)
class Remembered:
    """Each field is named as in the settings, and means what it means there; no draft_model: no draft."""

    precision: Precision
    context_length: int
    draft_model: str
    cache_bits: CacheBits = "16"
    int4_group: Int4Group = "32"
    draft_device: DraftDevice = "auto"
    offload: bool = False

    @classmethod
    def of(cls, settings: Settings) -> "Remembered":
        values: dict[str, Any] = {name: getattr(settings, name) for name in NAMES}
        return cls(**values | {"draft_model": settings.draft_model if settings.needs_model else ""})

    def applied(self, settings: Settings) -> Settings:
        """`settings` with the model's own way to be loaded. Automatic stays so: there may be a trained draft."""
        changed = settings
        for name in NAMES:
            changed = changed.with_value(name, getattr(self, name))
        if self.draft_model and not changed.needs_model:
            return changed.with_value("drafter", "model")
        if not self.draft_model and changed.needs_model and changed.drafter != "automatic":
            return changed.with_value("drafter", "ngram")
        return changed


NAMES = tuple(one.name for one in fields(Remembered))


class ModelMemory:
    """A small JSON file. One that is damaged is begun anew: nothing is lost but habits."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.later = Later("writer of how models are loaded")
        self._known = self._read()

    def recall(self, model: str) -> Remembered | None:
        return self._known.get(model)

    def keep(self, model: str, how: Remembered) -> None:
        """Written later. A disk that refuses is logged; it can be kept the next time."""
        if not model or self._known.get(model) == how:
            return
        self._known.pop(model, None)
        self._known[model] = how
        for oldest in list(self._known)[:-MOST]:
            del self._known[oldest]
        self.later.do(partial(self._write, {name: asdict(value) for name, value in self._known.items()}))

    def _write(self, values: dict[str, Any]) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_json(self._path, values)
        except OSError as error:
            log.warning("how models are loaded could not be kept: %s", error)

    def _read(self) -> dict[str, Remembered]:
        try:
            values = read_json(self._path)
            return {str(name): _checked(value) for name, value in values.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            log.warning("how models were loaded cannot be read: %s", error)
            return {}


def _checked(value: Any) -> Remembered:
    """Raises ValueError, TypeError, KeyError for what was not written by `keep`."""
    later = {one.name: one.default for one in fields(Remembered) if one.default is not MISSING}
    value = later | value  # which older versions did not keep
    return Remembered(**{name: BY_NAME[name].check(value[name]) for name in NAMES})

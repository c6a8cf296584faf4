"""The filters and the drawing of `inference.sampling` in one native call, without a row of probabilities."""

import ctypes
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from inference.chance import Chances
from inference.native import structures
from inference.native.addresses import Addresses
from inference.native.library import Library, load
from inference.settings import SamplingSettings


def ready() -> Library | None:
    """The kernels, if a model has loaded them: here nobody waits for a compiler."""
    return load() if load.cache_info().currsize else None


class NativeSampling:
    """Of one reply. Each method gives None for logits that are not float32 rows on the CPU: torch must do then."""

    def __init__(self, library: Library, settings: SamplingSettings) -> None:
        self._library = library
        self._structure = structures.Sampling(
            settings.temperature, settings.top_p, settings.min_p, settings.repetition_penalty, settings.top_k
        )
        self._settings = ctypes.addressof(self._structure)
        self._penalizes = settings.repetition_penalty != 1.0
        self._seen = array("i")
        self._known: set[int] = set()
        self._addresses = Addresses()
        self._count = ctypes.c_int64()
        self._to_count = ctypes.addressof(self._count)

    def commit(self, tokens: Iterable[int]) -> None:
        """These follow the text; what penalties know of."""
        if self._penalizes:
            fresh = set(tokens) - self._known
            self._known |= fresh
            self._seen.extend(fresh)

    def say(self, logits: torch.Tensor, draft: Sequence[int], chances: Chances) -> list[int] | None:
        """See `Sampler.say`."""
        place, rows = self._addresses.of(logits), len(draft) + 1
        if place is None:
            return None
        if place.rows != rows:
            raise ValueError(f"{len(draft)} drafted tokens need {rows} rows, not {place.rows}")
        seen, ahead, said = self._seen.buffer_info(), array("i", draft), array("i", bytes(4 * rows))
        self._library.check(
            self._library.functions.foreword_say(
                self._settings,
                place.address,
                rows,
                place.width,
                ahead.buffer_info()[0],
                chances.address(rows),
                seen[0],
                seen[1],
                said.buffer_info()[0],
                self._to_count,
            )
        )
        return said[: self._count.value].tolist()

    def distribution(self, logits: torch.Tensor, draft: Sequence[int]) -> NDArray[np.float32] | None:
        """Probabilities [rows, vocabulary], at a temperature above 0. See `Sampler.distribution`."""
        place = self._addresses.of(logits)
        if place is None:
            return None
        out = np.empty((place.rows, place.width), np.float32)
        seen, ahead = self._seen.buffer_info(), array("i", draft)
        self._library.check(
            self._library.functions.foreword_distribution(
                self._settings,
                place.address,
                place.rows,
                place.width,
                ahead.buffer_info()[0],
                len(ahead),
                seen[0],
                seen[1],
                out.ctypes.data,
            )
        )
        return out

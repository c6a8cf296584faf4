"""The filters and the drawing of `inference.sampling` in one native call, without a row of probabilities."""

import ctypes
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from inference.chance import Chances
from inference.native import structures
from inference.native.addresses import Addresses, Place
from inference.native.library import Library
from inference.settings import MAX_DRAFT_LENGTH, SamplingSettings

NOWHERE = Place(0, 0, 0)


class NativeSampling:
    """Of one reply. Each method gives None for logits that are not float32 rows on the CPU: torch must do then.

    The request to the kernels is kept, since right after a pass of theirs Python is slow: a round without a draft tells
    them no more than where its chance lies.
    """

    def __init__(self, library: Library, settings: SamplingSettings) -> None:
        self._library = library
        self._say = library.functions.foreword_say
        self._penalizes = settings.repetition_penalty != 1.0
        self._seen = array("i")
        self._known: set[int] = set()
        self._addresses = Addresses()
        self._place = NOWHERE
        self._draft = (ctypes.c_int32 * MAX_DRAFT_LENGTH)()
        self._said = (ctypes.c_int32 * (MAX_DRAFT_LENGTH + 1))()
        self._saying = structures.Saying(
            structures.Sampling(
                settings.temperature, settings.top_p, settings.min_p, settings.repetition_penalty, settings.top_k
            ),
            draft=ctypes.addressof(self._draft),
            said=ctypes.addressof(self._said),
        )
        self._request = ctypes.addressof(self._saying)

    def commit(self, tokens: Iterable[int]) -> None:
        """These follow the text; what penalties know of."""
        if self._penalizes:
            fresh = set(tokens) - self._known
            self._known |= fresh
            self._seen.extend(fresh)
            self._saying.seen, self._saying.seen_count = self._seen.buffer_info()

    def say(self, logits: torch.Tensor, draft: Sequence[int], chances: Chances) -> list[int] | None:
        """See `Sampler.say`."""
        place, saying, count = self._addresses.of(logits), self._saying, len(draft)
        if place is None or count > MAX_DRAFT_LENGTH:
            return None
        if place.rows != count + 1:
            raise ValueError(f"{count} drafted tokens need {count + 1} rows, not {place.rows}")
        if place is not self._place:
            saying.logits, saying.rows, saying.size = place
            self._place = place
        saying.chances = chances.address(count + 1)
        if count:
            self._draft[:count] = list(draft)
        self._library.check(self._say(self._request))
        return self._said[: saying.count] if count else [self._said[0]]

    def distribution(self, logits: torch.Tensor, draft: Sequence[int]) -> NDArray[np.float32] | None:
        """Probabilities [rows, vocabulary], at a temperature above 0. See `Sampler.distribution`."""
        place = self._addresses.of(logits)
        if place is None:
            return None
        out = np.empty((place.rows, place.width), np.float32)
        seen, ahead = self._seen.buffer_info(), array("i", draft)
        self._library.check(
            self._library.functions.foreword_distribution(
                self._request,  # which begins with the settings
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

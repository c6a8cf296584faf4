"""A core that is lent while somebody else works."""

import os
from dataclasses import dataclass, field

import pytest

from inference.lent_core import lend_core, take_back_core
from inference.native import library


@dataclass
class Kernels:
    threads: int
    lent: list[int] = field(default_factory=list)

    def lend(self, threads: int) -> None:
        self.lent.append(threads)


@pytest.mark.parametrize(("threads", "lent"), [(4, [1, 0]), (5, [1, 0]), (3, [])])
def test_a_core_is_lent_only_where_the_kernels_use_them_all(
    threads: int, lent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = Kernels(threads)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(library, "loaded", lambda: kernels)
    lend_core()
    take_back_core()
    assert kernels.lent == lent


def test_without_kernels_there_is_nothing_to_lend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "loaded", lambda: None)
    lend_core()
    take_back_core()

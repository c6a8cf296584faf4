"""The peak of memory is that since it was asked to watch."""

import sys

from inference.bench.memory import Peak, resident

BYTES = 64 << 20


def test_what_was_freed_again_counts_and_what_was_before_does_not() -> None:
    before = resident()
    block = bytearray(b"x") * BYTES
    del block
    peak = Peak()
    assert peak.bytes < before + BYTES // 2
    block = bytearray(b"x") * BYTES
    del block
    rose = BYTES * 9 // 10 if sys.platform == "linux" else 0  # elsewhere the system tells no peak since a moment
    assert peak.bytes >= before + rose


def test_resident_memory_is_that_of_this_process() -> None:
    before = resident()
    block = bytearray(b"x") * BYTES
    assert resident() - before >= BYTES * 9 // 10
    del block

from collections.abc import Iterator

import pytest

from inference.native.library import Library, load


@pytest.fixture
def library() -> Iterator[Library]:
    """The kernels with two threads, as they were found afterwards."""
    found = load()
    assert found is not None, "the tests of the kernels need g++ or clang++, and a processor with AVX2 or NEON"
    before = found.threads, found.instruction_set
    found.threads = 2
    yield found
    found.threads = before[0]
    found.use(before[1])

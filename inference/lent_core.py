"""A core of the engine's for whoever works beside it for a moment: the window, while it draws.

Every stage of a pass waits for its last part. A thread of the engine that shares a core with the window's holds up all
of them, time and again; without that thread the others lose what it would have done, and the window is drawn sooner.
"""

import os


def lend_core() -> None:
    """Until `take_back_core`. Any thread may lend; it is soon done, and nothing where the kernels leave a core free."""
    _lend(1)


def take_back_core() -> None:
    """Said before the thread that lent goes to sleep: the engine waits for that, a fifth of a millisecond."""
    _lend(0)


def _lend(threads: int) -> None:
    from inference.native import library

    kernels = library.loaded()
    if kernels is not None and kernels.threads >= (os.cpu_count() or 1):
        kernels.lend(threads)

"""Ends the process when all is said and saved."""

import contextlib
import logging
import os
import sys
from typing import NoReturn


def leave(status: int) -> NoReturn:
    """End at once, whatever the threads are at.

    Python would wait for the worker, which may be importing torch and cannot be interrupted at that, and then spend
    seconds on taking the libraries apart. Nothing of the person's is left to write by now.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):  # nobody reads any more
            if stream is not None:  # a program without a console has none
                stream.flush()
    os._exit(status)

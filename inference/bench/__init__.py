"""`foreword bench`: how fast a model replies on this machine, measured several ways in turn.

Importing this package imports neither torch nor transformers.
"""

import io
import sys
from collections.abc import Sequence
from time import monotonic

from inference.bench import options as command_line
from inference.bench.options import Options
from inference.errors import UserError

MEASURED, DIFFERENT, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
INTERVAL_S = 30.0


def main(argv: Sequence[str]) -> int:
    """Run with the arguments after `bench` and return the exit code (see --help)."""
    progress = Progress()
    try:
        return _run(command_line.read(argv), progress)
    except UserError as error:
        progress.clear()
        print(error, file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        progress.clear()
        return INTERRUPTED


def _run(options: Options, progress: "Progress") -> int:
    from inference.bench import chart

    if options.png is not None:
        chart.require()
    progress("starting")
    from inference.bench import benchmark, report

    benchmark.use_threads(options.threads)
    result = benchmark.run(options, progress)
    progress.clear()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may lack some characters of a name
    print(report.text(result), flush=True)
    from inference.manager.files import explained, write_atomically

    if options.csv is not None:
        with explained(options.csv):
            write_atomically(options.csv, report.csv_text(result.rows).encode())
    if options.png is not None and result.rows:
        picture = chart.draw(result.rows, report.title(result), report.caption(result))
        with explained(options.png):
            write_atomically(options.png, picture)
    if options.json:
        print(report.json_line(result), flush=True)
    if result.interrupted:
        return INTERRUPTED
    checked = options.protocol == "check"
    return DIFFERENT if checked and result.agreement.differences else MEASURED


class Progress:
    """One line on the terminal that is written over and over; into a file or pipe, a line every half minute."""

    def __init__(self) -> None:
        self._shown = 0
        self._said = monotonic()

    def __call__(self, text: str) -> None:
        if sys.stderr.isatty():
            line = text[:100]
            print(f"\r{line.ljust(self._shown)}", end="", file=sys.stderr, flush=True)
            self._shown = len(line)
        elif monotonic() - self._said > INTERVAL_S:
            print(text, file=sys.stderr, flush=True)
            self._said = monotonic()

    def clear(self) -> None:
        if self._shown:
            print("\r" + " " * self._shown, end="\r", file=sys.stderr, flush=True)
            self._shown = 0

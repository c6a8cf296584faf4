"""The program as it starts, with a scripted engine in place of the real one. Arguments as for `python -m app`.

Without --demo it asks a question of its own, says "half" when the reply is half done, and waits to be ended.
"""

import sys
from collections.abc import Sequence

import app.start
from app.__main__ import main
from app.application import Application
from app.welcoming import Welcoming
from inference.events import Delta, Piece
from tests.app.scripted_engine import Gate, ScriptedEngine, ScriptedStore, rounds


def run(arguments: Sequence[str]) -> int:
    demo = "--demo" in arguments
    half = [Delta((Piece("Half a thought", "plain", 1),)), Gate()]
    app.start._make_engine = lambda: ScriptedEngine(rounds(["The", " end", "."]) if demo else half)
    app.start._make_store = ScriptedStore
    Welcoming.due = False  # type: ignore[assignment,method-assign]
    if not demo:
        start = Application.start

        def start_and_ask(self: Application) -> None:
            self.model_ready.connect(lambda _: self.send("Why?"))
            self.replies.grew.connect(lambda _, change: change.pieces and print("half", flush=True))
            start(self)

        Application.start = start_and_ask  # type: ignore[method-assign]
    return main(arguments)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))

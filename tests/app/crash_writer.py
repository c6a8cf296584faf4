"""Run by test_history_crash: writes chats as the program does, says what is safe, and is killed at any moment.

Every line it prints was true before it was printed: NAME CONVERSATION MESSAGE LENGTH.
"""

import itertools
import sys
from pathlib import Path

from app.chat_message import ChatMessage
from app.history import History
from app.history_writer import HistoryWriter
from inference.events import Piece

WORDS = ["merge ", "两个 ", "lists 🙂 ", "in order\n"]


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main(path: Path) -> None:
    history, trouble = History.open(path)
    assert not trouble
    history.close()
    writer = HistoryWriter(path, on_error=lambda text: say("ERROR", text))
    for number in itertools.count():
        conversation = f"{sys.argv[2]}-{number}"
        writer.do(History.create, conversation, f"Chat {number}")
        last = ""
        for turn in range(3):
            question = ChatMessage("user", f"Question {turn}?", parent=last)
            writer.save(conversation, question)
            reply = ChatMessage("assistant", state="streaming", parent=question.id)
            last = reply.id
            for step in range(8):
                for index in range(20):
                    reply.append(Piece(WORDS[index % 4], "accepted" if index % 3 else "bonus", step * 20 + index))
                writer.save(conversation, reply)
                writer.flush()
                say("SAVED", conversation, reply.id, len(reply.text))
            reply.state = "finished"
            writer.save(conversation, reply)
            writer.flush()
            say("FINISHED", conversation, reply.id, len(reply.text))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

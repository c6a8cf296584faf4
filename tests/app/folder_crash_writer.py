"""Run by test_history_crash: deletes a folder with its chats and brings it back, over and over, until it is killed."""

import sys
from pathlib import Path

from app.chat_message import ChatMessage
from app.history import Folder, History
from app.history_writer import HistoryWriter
from tests.app.crash_writer import say

FOLDER = Folder("f", "Fruit")
CHATS = [f"chat {number}" for number in range(20)]


def main(path: Path) -> None:
    History.open(path)[0].close()
    writer = HistoryWriter(path, on_error=lambda text: say("ERROR", text))
    writer.do(History.save_folder, FOLDER)
    for chat in CHATS:
        writer.do(History.create, chat, chat)
        writer.do(History.move, chat, FOLDER.id)
        writer.save(chat, ChatMessage("user", chat, f"message of {chat}"))
    while True:
        writer.flush()
        say("THERE")
        writer.do(History.delete_folder, FOLDER.id, CHATS)
        writer.flush()
        say("GONE")
        writer.do(History.restore_folder, FOLDER, CHATS, CHATS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""One Foreword for each folder of chats: a second start raises the window of the first and hands its file over."""

import contextlib
import json
import logging
import os
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

log = logging.getLogger(__name__)

LOCK = "running.lock"
PATIENCE_S = 6.0  # the first may still be importing its window
STEP_S = 0.1
MOST_BYTES = 65_536  # of a message: a path and a token
ACTIVATION = "XDG_ACTIVATION_TOKEN"  # with it a Wayland desktop lets a window raise itself


class SingleInstance(QObject):
    """Holds the folder while it lives. Made before anything opens the chats; ends with `close`."""

    asked = Signal(str)  # somebody started Foreword again: the file to open, or ""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        with contextlib.suppress(OSError):  # then no lock can be kept there, nor chats: the window says so
            folder.mkdir(parents=True, exist_ok=True)
        self._name = f"foreword-{sha256(str(folder.resolve()).encode()).hexdigest()[:16]}"
        self._lock = QLockFile(str(folder / LOCK))
        self._lock.setStaleLockTime(0)  # only a lock whose process is gone is stale, however old it is
        self._callers: list[QLocalSocket] = []
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._greet)

    def claim(self) -> bool:
        """Whether this is the first. A lock and a socket that a killed process left behind do not count."""
        if not self._lock.tryLock(0):
            if self._lock.error() == QLockFile.LockError.LockFailedError:
                return False
            log.warning("no lock can be kept beside the chats: a second start will not be noticed")
            return True
        QLocalServer.removeServer(self._name)
        if not self._server.listen(self._name):
            log.warning("a second start cannot reach this one: %s", self._server.errorString())
        return True

    def hand_over(self, file: str = "", patience_s: float = PATIENCE_S) -> bool:
        """Ask the first to raise its window and open `file`. Whether it answered."""
        end = monotonic() + patience_s
        while True:
            socket = QLocalSocket()
            socket.connectToServer(self._name)
            if socket.waitForConnected(_ms(end)):
                message = {"open": file, "token": os.environ.get(ACTIVATION, "")}
                socket.write(json.dumps(message).encode() + b"\n")
                return bool(socket.waitForReadyRead(_ms(end)))
            if monotonic() >= end:
                return False
            sleep(STEP_S)

    def close(self) -> None:
        self._server.close()
        for socket in self._callers:
            socket.abort()
        self._forget()
        self._lock.unlock()

    def _greet(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            self._callers.append(socket)
            socket.readyRead.connect(self._listen)
            socket.disconnected.connect(self._forget)

    def _listen(self) -> None:
        for socket in list(self._callers):
            if socket.bytesAvailable():
                self._read(socket)

    def _forget(self) -> None:
        """Those that have gone. They belong to the server, so no closure may hold one beyond its life."""
        gone = [socket for socket in self._callers if socket.state() == QLocalSocket.LocalSocketState.UnconnectedState]
        for socket in gone:
            self._callers.remove(socket)
            socket.deleteLater()

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > MOST_BYTES:
                socket.abort()
            return
        try:
            message = json.loads(bytes(socket.readLine().data()))
            file, token = str(message["open"]), str(message["token"])
        except (ValueError, KeyError, TypeError):
            log.warning("somebody said something unknown to the running window")
            socket.abort()
            return
        socket.write(b"ok\n")
        socket.flush()
        if token:
            os.environ[ACTIVATION] = token
        self.asked.emit(file)


def _ms(end: float) -> int:
    return max(1, int((end - monotonic()) * 1000))

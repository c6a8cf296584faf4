"""One HTTP response, read in a thread of its own, so that the reader can always stop waiting.

A blocking socket cannot be asked to give up: looking up a name may hang for half a minute, a stalled server for ever.
The thread puts what arrives into a short queue; the caller takes it with a time limit, and `close` cuts the connection.
"""

import contextlib
import queue
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import httpx

_POLL_S = 0.05  # how soon a cancel is seen
_QUIET_S = 1.0  # after which a reader hears that nothing has come
_QUEUED = 64  # pieces that may wait, of at most 64 kB each


class NoAnswerError(Exception):
    """The server could not be reached, stayed silent, or broke off. The text says which, without a full stop."""


class OpenConnectionError(Exception):
    """A redirect from https to http."""


class ResponseStream:
    """GET `url`. Make it, `start`, then `read` until None. `close` may be called at any time and never blocks."""

    def __init__(self, url: str, headers: Mapping[str, str], contact_s: float, stall_s: float) -> None:
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self._url = url
        self._request_headers = {"Accept-Encoding": "identity", **headers}
        self._contact_s = contact_s
        self._stall_s = stall_s
        self._heard = 0.0  # when the last bytes came
        self._closed = threading.Event()
        self._socket: socket.socket | None = None
        self._items: queue.Queue[bytes | Exception | None] = queue.Queue(_QUEUED)
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._work, name="download", daemon=True)

    def start(self, cancel: threading.Event) -> None:
        """Send the request; then status and headers are known. Raises NoAnswerError; returns early on `cancel`."""
        import httpx  # noqa: F401  (the first time it takes a second or more, which is not the server's)

        self._thread.start()
        deadline = time.monotonic() + self._contact_s
        while not self._begun.wait(_POLL_S):
            if cancel.is_set():
                return
            if time.monotonic() >= deadline:
                raise NoAnswerError(f"no answer within {self._contact_s:g} s")
        if not self.status:
            self.read(cancel)  # raises what went wrong

    def read(self, cancel: threading.Event) -> bytes | None:
        """The next bytes, b"" where none have come for a while; None at the end and on `cancel`.

        Raises NoAnswerError when nothing came for `stall_s`.
        """
        asked = time.monotonic()
        self._heard = self._heard or asked
        while not cancel.is_set():
            try:
                item = self._items.get(timeout=_POLL_S)
            except queue.Empty:
                now = time.monotonic()
                if now >= self._heard + self._stall_s:
                    raise NoAnswerError(f"nothing came for {self._stall_s:g} s") from None
                if now >= asked + _QUIET_S:
                    return b""
                continue
            if isinstance(item, Exception):
                raise item
            self._heard = time.monotonic()
            return item
        return None

    def close(self) -> None:
        self._closed.set()
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # The plain shutdown, also under TLS: it wakes the thread out of a blocking read.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        with contextlib.suppress(queue.Empty):
            while True:  # make room, so that the thread is not stuck on a full queue
                self._items.get_nowait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _put(self, item: bytes | Exception | None) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._items.put(item, timeout=0.1)
                return

    def _refuse_the_open(self, request: "httpx.Request") -> None:
        """What is asked for over an encrypted connection does not come over an open one, whoever sends us there."""
        if self._url.lower().startswith("https:") and request.url.scheme != "https":
            raise OpenConnectionError

    def _work(self) -> None:
        import httpx

        # Only a backstop for a thread that nobody waits for any more: the limits themselves are kept by the reader.
        timeout = httpx.Timeout(self._contact_s + self._stall_s)
        try:
            with (
                httpx.Client(
                    verify=trusted(),
                    timeout=timeout,
                    follow_redirects=True,
                    max_redirects=10,
                    event_hooks={"request": [self._refuse_the_open]},
                ) as client,
                client.stream("GET", self._url, headers=self._request_headers) as response,
            ):
                self._socket = _socket_of(response)
                self.headers = response.headers
                self.status = response.status_code
                self._begun.set()
                for block in response.iter_raw():  # as it comes: a fixed size would lose the rest when the line breaks
                    self._put(block)
                    if self._closed.is_set():
                        return
            self._put(None)
        except OpenConnectionError:
            self._put(NoAnswerError("it sends to an address without encryption"))
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            self._put(NoAnswerError(_reason(error)))
        finally:
            self._begun.set()


@cache
def trusted() -> ssl.SSLContext:
    """Whom the system trusts (there, or in SSL_CERT_FILE, is the authority of a company's proxy), and certifi's list: a
    built program need not find the system's."""
    import certifi

    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def _socket_of(response: "httpx.Response") -> socket.socket | None:
    stream = response.extensions.get("network_stream")
    found = stream.get_extra_info("socket") if stream is not None else None
    return found if isinstance(found, socket.socket) else None


def _reason(error: Exception) -> str:
    import httpx

    match error:
        case httpx.ConnectTimeout() | httpx.PoolTimeout():
            return "no answer"
        case httpx.ConnectError():
            return "its certificate is not trusted" if _is_distrust(error) else "it cannot be reached"
        case httpx.TimeoutException():
            return "it stopped answering"
        case httpx.TooManyRedirects():
            return "it sends from one address to another without end"
        case httpx.RemoteProtocolError() | httpx.ReadError():
            return "the connection broke off"
        case _:
            return f"the connection failed ({type(error).__name__})"


def _is_distrust(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLCertVerificationError):
        cause = cause.__cause__ or cause.__context__
    return cause is not None

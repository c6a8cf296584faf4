"""A model hub and package index in a thread, on the loopback: the hub's HTTP interface, and every way to misbehave."""

import hashlib
import json
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlsplit

REVISION = "0123456789abcdef0123456789abcdef01234567"


def git_id(content: bytes) -> str:
    return hashlib.sha1(f"blob {len(content)}\0".encode() + content).hexdigest()


class HubServer:
    """`files` are served; `faults[name]` says, request by request, how a request for that file goes wrong.

    Faults: "stall" (headers, half the body, then nothing), "silent" (not even headers), "cut" (half the body, then the
    connection closes), "wrong" (other bytes of the same length), "long" (more bytes than announced by the listing),
    "whole" (Range ignored), "shifted" (another range than asked for), "packed" (a content encoding), "redirect",
    "circle" (redirects to itself), "away" (redirects to another host), or a status code.
    """

    def __init__(self, files: dict[str, bytes] | None = None, repository: str = "someone/tiny") -> None:
        self.files = files or {}
        self.repository = repository
        self.listing: Any = None  # in place of the true one
        self.pages: dict[str, bytes] = {}
        self.names: list[str] = []  # of the models it knows, by parts of which it is searched
        self.searches: list[str] = []
        self.faults: dict[str, list[str | int]] = defaultdict(list)
        self.requests: list[tuple[str, str | None]] = []  # name, Range
        self.tokens: list[tuple[str, str | None]] = []  # name, Authorization
        self.wanted_token: str | None = None  # without it the answer is 401
        self.elsewhere = ""  # where "away" redirects to
        self.asked = threading.Event()  # set by every request
        self.stalled = threading.Event()  # set when a request is held up
        self.release = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                server.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(poll_interval=0.01))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def url(self, name: str) -> str:
        return f"{self.address}/{self.repository}/resolve/{REVISION}/{name}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def true_listing(self) -> dict[str, Any]:
        siblings = []
        for name, content in self.files.items():
            sibling: dict[str, Any] = {"rfilename": name, "size": len(content), "blobId": git_id(content)}
            if name.endswith((".safetensors", ".bin")):
                digest = hashlib.sha256(content).hexdigest()
                sibling |= {"blobId": "1" * 40, "lfs": {"sha256": digest, "size": len(content), "pointerSize": 130}}
            siblings.append(sibling)
        return {"sha": REVISION, "siblings": siblings}

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        path = unquote(parts.path)
        if path == f"/api/models/{self.repository}/revision/main":
            listing = self.true_listing() if self.listing is None else self.listing
            content = listing if isinstance(listing, bytes) else json.dumps(listing).encode()
            self._send(request, "listing", content)
        elif path == "/api/models" and self.names:
            asked = dict(parse_qsl(parts.query))
            self.searches.append(asked["search"])
            names = [name for name in self.names if asked["search"].casefold() in name.casefold()]
            found = [{"id": name, "tags": ["safetensors"]} for name in names[: int(asked["limit"])]]
            self._send(request, path, json.dumps(found).encode())
        elif path in self.pages:
            self._send(request, path, self.pages[path])
        else:
            start = f"/{self.repository}/resolve/{REVISION}/"
            name = path.removeprefix(start).removeprefix("/moved/")
            content = self.files.get(name)
            self._send(request, name, content)

    def _send(self, request: BaseHTTPRequestHandler, name: str, content: bytes | None) -> None:
        asked = request.headers.get("Range")
        self.requests.append((name, asked))
        self.tokens.append((name, request.headers.get("Authorization")))
        self.asked.set()
        fault = self.faults[name].pop(0) if self.faults[name] else ""
        if fault == "silent":
            self._hold(request)
            return
        if self.wanted_token is not None and self.tokens[-1][1] != f"Bearer {self.wanted_token}":
            self._head(request, 401, 0, {})
            return
        if fault == "away":
            self._head(request, 302, 0, {"Location": self.elsewhere + request.path})
            return
        if fault in ("redirect", "circle"):
            target = f"/moved/{name}" if fault == "redirect" else request.path
            if fault == "circle":
                self.faults[name].append("circle")
            self._head(request, 302, 0, {"Location": target})
            return
        if isinstance(fault, int) or content is None:
            self._head(request, fault if isinstance(fault, int) else 404, 0, {"Retry-After": "0"})
            return
        begin = 0
        headers = {}
        if asked and fault != "whole":
            begin = int(asked.removeprefix("bytes=").removesuffix("-"))
            if begin >= len(content):
                self._head(request, 416, 0, {"Content-Range": f"bytes */{len(content)}"})
                return
            begin = begin + 1 if fault == "shifted" else begin
            headers["Content-Range"] = f"bytes {begin}-{len(content) - 1}/{len(content)}"
        body = content[begin:]
        if fault == "wrong":
            body = bytes(byte ^ 0xFF for byte in body)
        elif fault == "long":
            body += b"and more"
        elif fault == "packed":
            headers["Content-Encoding"] = "gzip"
        self._head(request, 206 if "Content-Range" in headers else 200, len(body), headers)
        if fault in ("stall", "cut"):
            request.wfile.write(body[: len(body) // 2])
            request.wfile.flush()
            if fault == "stall":
                self._hold(request)
            request.close_connection = True
            return
        request.wfile.write(body)

    def _hold(self, request: BaseHTTPRequestHandler) -> None:
        request.close_connection = True
        self.stalled.set()
        self.release.wait()

    @staticmethod
    def _head(request: BaseHTTPRequestHandler, status: int, length: int, headers: dict[str, str]) -> None:
        request.send_response(status)
        for key, value in headers.items():
            request.send_header(key, value)
        request.send_header("Content-Length", str(length))
        request.end_headers()

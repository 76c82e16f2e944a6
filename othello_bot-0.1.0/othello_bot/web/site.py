"""The web server: the page's files, uploads, and one WebSocket a tab. It answers this machine's browsers alone.

The library is Tornado: one package without further ones, with HTTP, WebSocket and their limits.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import socket
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream, StreamClosedError
from tornado.web import Application, RequestHandler, stream_request_body
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from othello_bot.base.version import __version__, uncollected
from othello_bot.web.engines import SharedEngines
from othello_bot.web.guard import Bounds, Guard, Pace
from othello_bot.web.lock import COOKIE_S, Lock
from othello_bot.web.page_files import LOGIN, LOGIN_FILES, PAGE, PageFiles
from othello_bot.web.upload import error, games_of_upload

if TYPE_CHECKING:
    from othello_bot.engine import Options
    from othello_bot.web.connection import Connection


UNCHANGING: Final = "max-age=31536000, immutable"
"""How long a browser may keep a file whose address has the edition: for a year, without asking."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src {}; connect-src 'self';"
    " img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may load: nothing from elsewhere. The styles that it may apply are named by their hashes."""

HEADERS: Final = {
    "Content-Security-Policy": POLICY.format("'none'"),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}

MOST_BODY_BYTES: Final = 1 << 10
"""Longest body of a request that is no upload; none of the page's has one."""

MOST_BUFFERED_BYTES: Final = 1 << 20
"""Most bytes of a connection that are read before somebody takes them."""


NO_PASSWORD: Final = "the password is needed: open the page, and log in"
NO_ORIGIN: Final = "Origin: expected that of this page"


@stream_request_body
class _Guarded(RequestHandler):
    """A handler that refuses requests of other sites before anything else: before it reads their bodies, too."""

    is_open = False
    """Whether a browser is answered that has not given the password."""

    def initialize(self, guard: Guard, lock: Lock | None, **rest: Any) -> None:
        """Take what `Site` hands to its handlers."""
        self.guard = guard
        self.lock = lock
        self.rest = rest

    def set_default_headers(self) -> None:
        """Send the page's headers with every answer, errors included; name no server."""
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        """Refuse a request whose Host or Origin is another than this server's."""
        refusal = self.guard.refusal(self.request.headers.get_list("Host"), self.request.headers.get_list("Origin"))
        if refusal:
            self.refuse(403, refusal)
        elif not (self.is_open or self.is_admitted):
            self.refuse(403, NO_PASSWORD, "password")

    @property
    def is_admitted(self) -> bool:
        """Whether the browser has given the password, if there is one."""
        return self.lock is None or self.lock.admits(self.get_cookie(self.lock.cookie))

    def refuse_without_origin(self) -> bool:
        """Refuse a request without an Origin; return whether that was done."""
        missing = not self.request.headers.get("Origin")
        if missing:
            self.refuse(403, NO_ORIGIN)
        return missing

    def data_received(self, chunk: bytes) -> None:
        """Ignore a body, which is small: the server reads no more."""

    def refuse(self, status: int, text: str, code: str = "refused") -> None:
        """End the request with an error."""
        self.set_status(status)
        self.finish(error(text, code))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Write an error without details."""
        self.finish({"kind": "error", "text": f"{status_code} {self._reason}"})


class _FileHandler(_Guarded):
    """The page and its files."""

    is_open = True

    def get(self, path: str) -> None:
        """Send a file; without the password, the page that asks for it, and its files."""
        files: PageFiles = self.rest["files"]
        if not self.is_admitted:
            if path in ("", PAGE):
                path = LOGIN
            elif path.rpartition("/")[2] not in LOGIN_FILES:
                self.refuse(403, NO_PASSWORD, "password")
                return
        found = files.find(path)
        if found is None:
            self.refuse(404, f"{path!r}: no such file")
            return
        kind, content, of_edition = found
        tag = f'"{files.edition}{"-login" if path == LOGIN else ""}"'
        self.set_header("Content-Type", kind)
        self.set_header("Content-Security-Policy", self.rest["policy"])
        self.set_header("Etag", tag)
        self.set_header("Vary", "Cookie")
        if of_edition:
            self.set_header("Cache-Control", UNCHANGING)
        if self.request.headers.get("If-None-Match") == tag:
            self.set_status(304)
            self.finish()
        else:
            self.finish(content)

    head = get

    def compute_etag(self) -> None:
        """Leave the tag as it is."""


class _LoginHandler(_Guarded):
    """The password, which a browser gives once."""

    is_open = True

    def prepare(self) -> None:
        """Refuse a request, or keep its body."""
        super().prepare()
        self._given = b""
        if not self._finished and self.request.method == "POST":
            self.refuse_without_origin()

    def data_received(self, chunk: bytes) -> None:
        """Keep a part of the password."""
        self._given += chunk

    def get(self) -> None:
        """Tell whether the password is needed."""
        self.finish({"kind": "login", "needed": not self.is_admitted})

    def post(self) -> None:
        """Give the browser its token, or refuse the password."""
        lock, now_s = self.lock, time.monotonic()
        if lock is None:
            self.refuse(404, "there is no password")
        elif wait_s := lock.wait_s(now_s):
            self.set_header("Retry-After", str(math.ceil(wait_s)))
            self.refuse(429, "many passwords were wrong: try again in some seconds", "later")
        elif token := lock.token(self._given, now_s):
            by_https = self.request.headers["Origin"].lower().startswith("https:")
            self.set_cookie(lock.cookie, token, max_age=COOKIE_S, httponly=True, samesite="Lax", secure=by_https)
            self.finish({"kind": "login", "needed": False})
        else:
            self.refuse(403, "the password is wrong", "wrong")

    def delete(self) -> None:
        """Forget the browser, and end its tabs, which ask for the password again."""
        if self.refuse_without_origin():
            return
        token = None if self.lock is None else self.get_cookie(self.lock.cookie)
        if self.lock is not None and token is not None:
            self.lock.forget(token)
            self.clear_cookie(self.lock.cookie)
            self.rest["site"].end_tabs_of(token)
        self.finish({"kind": "login", "needed": self.lock is not None})


class _UploadHandler(_Guarded):
    """Files of games that the page reads: listed, never kept."""

    _reading: asyncio.Future[dict[str, Any]] | None = None

    def prepare(self) -> None:
        """Refuse a request, or let its body be longer than others."""
        super().prepare()
        self._body: list[bytes] = []
        if self._finished:
            return
        if self.request.method == "POST" and self.refuse_without_origin():
            return
        if self.rest["uploads"].locked():
            self.refuse(503, "too many uploads at a time: try again", "busy")
        else:
            connection: Any = self.request.connection
            connection.set_max_body_size(self.rest["bounds"].upload_bytes)

    def data_received(self, chunk: bytes) -> None:
        """Keep a part of the upload."""
        self._body.append(chunk)

    async def post(self) -> None:
        """Send the games of the files."""
        async with self.rest["uploads"]:
            body, self._body = b"".join(self._body), []
            reading = asyncio.ensure_future(games_of_upload(body, self.rest["bounds"].upload_s))
            self._reading = reading
            try:
                games = await reading
            except asyncio.CancelledError:
                return  # the browser has left, or the server ends; Tornado would log this
        self.finish(games)

    def on_connection_close(self) -> None:
        """End the reading of an upload that nobody waits for."""
        if self._reading is not None:
            self._reading.cancel()


class _SocketHandler(WebSocketHandler):
    """The WebSocket of a tab."""

    def initialize(self, guard: Guard, lock: Lock | None, site: Site) -> None:
        """Take what `Site` hands over."""
        self._guard = guard
        self._lock = lock
        self._site = site
        self._connection: Connection | None = None
        self._pace = Pace(site.bounds.messages_per_s, site.bounds.burst, time.monotonic())

    def prepare(self) -> None:
        """Refuse other sites, requests without an Origin or the password, and one tab too many."""
        origins = self.request.headers.get_list("Origin")
        refusal = self._guard.refusal(self.request.headers.get_list("Host"), origins)
        if not origins and not refusal:
            refusal = NO_ORIGIN
        if not refusal and self._lock is not None and not self._lock.admits(self.get_cookie(self._lock.cookie)):
            refusal = NO_PASSWORD
        if refusal or len(self._site.tabs) >= self._site.bounds.tabs:
            self.set_status(403 if refusal else 503)
            self.finish({"kind": "error", "text": refusal or f"more than {self._site.bounds.tabs} tabs"})

    def check_origin(self, origin: str) -> bool:
        """Return True: `prepare` has checked it."""
        return True

    async def open(self, *args: str, **kwargs: str) -> None:
        """Greet the tab."""
        self.set_nodelay(True)
        self._site.tabs.add(self)
        await self._send(
            json.dumps(
                {
                    "kind": "hello",
                    "version": __version__,
                    "edition": self._site.files.edition,
                    "locked": self._lock is not None,
                }
            )
        )

    @property
    def token(self) -> str | None:
        """The token of the tab's browser; None without one."""
        return None if self._lock is None else self.get_cookie(self._lock.cookie)

    async def _send(self, text: str) -> None:
        try:
            await self.write_message(text)
        except (WebSocketClosedError, StreamClosedError):
            self.on_close()

    def _leave(self, reason: str) -> None:
        self.close(1008, reason)
        self.on_close()

    async def on_message(self, message: str | bytes) -> None:
        """Begin the work for a message; the next one is read once the pace allows it."""
        if self._connection is None:
            self._site.engines.begin()
            try:
                connection = await asyncio.get_running_loop().run_in_executor(
                    self._site.engines.threads, _connection_class
                )
            except asyncio.CancelledError:
                return  # the server ends; Tornado would log this
            if self in self._site.tabs:
                self._connection = connection(self._site.engines, self._send, self._leave)
        if self._connection is not None:
            self._connection.receive(message)
        wait_s = self._pace.wait_s(time.monotonic())
        if wait_s > 0:
            await asyncio.sleep(wait_s)

    def on_close(self) -> None:
        """End the tab's work."""
        self._site.tabs.discard(self)
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _connection_class() -> type[Connection]:
    """Return what serves a tab. It needs the engine's modules; the page is complete before they are imported."""
    with uncollected():
        from othello_bot.web.connection import Connection

    return Connection


class _BoundedServer(HTTPServer):
    """A server with a bound on its connections; more are closed at once."""

    most = 0

    @property
    def count(self) -> int:
        """The number of open connections."""
        return len(self._connections)

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """Serve a connection, or close it."""
        if self.count >= self.most:
            stream.close()
        else:
            super().handle_stream(stream, address)


class Site:
    """The server; `tabs` are its open connections."""

    def __init__(self, engines: SharedEngines, guard: Guard, lock: Lock | None = None) -> None:
        self.engines = engines
        self.bounds: Bounds = engines.bounds
        self.tabs: set[_SocketHandler] = set()
        self.files = PageFiles()
        policy = POLICY.format(" ".join(self.files.styles))
        common = {"guard": guard, "lock": lock}
        shared = {**common, "files": self.files, "policy": policy}
        uploads = {**shared, "uploads": asyncio.Semaphore(engines.bounds.uploads), "bounds": engines.bounds}
        self._application = Application(
            [
                ("/tab", _SocketHandler, {**common, "site": self}),
                ("/login", _LoginHandler, {**common, "site": self}),
                ("/games", _UploadHandler, uploads),
                ("/(.*)", _FileHandler, shared),
            ],
            websocket_ping_interval=engines.bounds.ping_s,
            websocket_max_message_size=engines.bounds.message_bytes,
            log_function=lambda handler: None,
        )
        self._server = _BoundedServer(
            self._application,
            max_header_size=1 << 14,
            max_body_size=MOST_BODY_BYTES,
            max_buffer_size=MOST_BUFFERED_BYTES,
            idle_connection_timeout=engines.bounds.idle_s,
            body_timeout=engines.bounds.idle_s,
        )
        self._server.most = engines.bounds.connections

    def listen(self, sockets: list[Any]) -> None:
        """Begin to serve."""
        self._server.add_sockets(sockets)

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return self._server.count

    def end_tabs_of(self, token: str) -> None:
        """End the tabs of a browser that has logged out."""
        for handler in tuple(self.tabs):
            if handler.token == token:
                handler.close(1008, "logged out")
                handler.on_close()

    async def close(self) -> None:
        """End all tabs and connections."""
        self._server.stop()
        for handler in tuple(self.tabs):
            handler.close(1001, "the server ends")
            handler.on_close()
        await self._server.close_all_connections()


class Service(NamedTuple):
    """A site that is being served, its port, and the work of its engines: only an error ends that before the site."""

    site: Site
    port: int
    working: asyncio.Future[None]


@asynccontextmanager
async def serving(
    sockets: list[socket.socket],
    options: Options | None,
    bounds: Bounds | None = None,
    *,
    names: Iterable[str] = (),
    public: bool = False,
    password: str | None = None,
) -> AsyncIterator[Service]:
    """Serve the page on listening sockets of one port, with the engine's options (None: the usual ones).

    `names` and `public` are those of `Guard`; browsers are asked for the `password` if there is one. They are served
    before the engines are ready. At the end all tabs are closed and their work is stopped; the error that ended the
    work is raised: InputError for options that the engine refuses, MemoryError if a table does not fit.
    """
    port = sockets[0].getsockname()[1]
    engines = SharedEngines(options, bounds)
    lock = None if password is None else Lock(password, port, time.monotonic())
    site = Site(engines, Guard(port, names, public=public), lock)
    site.listen(sockets)
    working = asyncio.ensure_future(engines.work())
    try:
        yield Service(site, port, working)
    finally:
        await site.close()
        working.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await working

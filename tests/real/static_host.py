"""A static web host of the page without a server, as `python -m http.server` is one; it can go down."""

from __future__ import annotations

import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.real.browser import Page


class PageAlone(Page):
    """A tab with the page, which loads and runs Python: that takes longer than a server's answer."""

    patience_s = 240


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log; those of people's moves once they are let go."""

    def __init__(self, *arguments: Any, people: threading.Event, **named: Any) -> None:
        self._people = people
        super().__init__(*arguments, **named)

    def do_GET(self) -> None:
        """Answer a request."""
        if "/people-" in self.path:
            self._people.wait()
        super().do_GET()

    def log_message(self, *said: object) -> None:
        """Say nothing."""


class StaticHost:
    """Serves a copy of the page, made below `root`, at a path.

    Each has a port, and so storage of the browser, of its own.
    """

    def __init__(self, page: Path, root: Path) -> None:
        self.folder = root / "club" / "othello"
        shutil.copytree(page, self.folder)
        self.people = threading.Event()
        """Set while the file of people's moves is served; one who clears it must set it again."""
        self.people.set()
        serve = partial(Quiet, people=self.people, directory=str(root))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), serve)
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.address = f"{self.origin}/club/othello/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._up = True

    def begin_with(self, script: str) -> None:
        """Let a script run before the page."""
        page = self.folder / "index.html"
        page.write_text(page.read_text().replace("<head>", f"<head><script>{script}</script>", 1))

    def go_down(self) -> None:
        """Serve nothing any more."""
        if self._up:
            self._server.shutdown()
            self._server.server_close()
        self._up = False

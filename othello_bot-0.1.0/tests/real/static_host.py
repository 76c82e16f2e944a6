"""A static web host of the page without a server, as `python -m http.server` is one; it can go down."""

from __future__ import annotations

import shutil
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from othello_bot.web.export import export
from tests.real.browser import Page

KEPT = """
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(caches_.map((cache) => cache.keys()));
    return requests.flat().map((request) => request.url);
"""


class PageAlone(Page):
    """A tab with the page, which loads and runs Python: that takes longer than a server's answer."""

    patience_s = 240

    @property
    def engine(self) -> str:
        """The file with the engine of the page's version."""
        return str(self.run("return document.documentElement.dataset.engine")).split()[1]

    def kept_files(self) -> list[str]:
        """Return the addresses of the files that the browser has kept."""
        return list(self.run(KEPT))


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log; those of people's moves once they are let go.

    It sends those who ask for index.html to its folder, as some hosts do.
    """

    def __init__(self, *arguments: Any, people: threading.Event, **named: Any) -> None:
        self._people = people
        super().__init__(*arguments, **named)

    def do_GET(self) -> None:
        """Answer a request."""
        if "/people-" in self.path:
            self._people.wait()
        if self.path.endswith("/index.html"):
            self.send_response(301)
            self.send_header("Location", "./")
            self.end_headers()
        else:
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

    def publish_newer(self, pyodide: Path, wheel: Path) -> None:
        """Export a page with another engine into the folder, with the files of the one that is there; `wheel` is made."""
        (engine,), (people,) = self.folder.glob("engine-*.zip"), self.folder.glob("people-*.zip")
        shutil.copy2(engine, wheel)
        with zipfile.ZipFile(wheel, "a") as made, zipfile.ZipFile(people) as source:
            for name in source.namelist():
                made.writestr(name, source.read(name))
            made.writestr("othello_bot/newer.py", "")
        export(self.folder, pyodide, wheel)
        with (self.folder / "sw.js").open("a") as keeper:
            keeper.write("// newer, too\n")

    def go_down(self) -> None:
        """Serve nothing any more."""
        if self._up:
            self._server.shutdown()
            self._server.server_close()
        self._up = False

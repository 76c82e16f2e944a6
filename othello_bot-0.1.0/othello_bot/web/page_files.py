"""The files of the page, read once at the start of the server."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from othello_bot.base.files import DATA_FOLDER

STATIC: Final = Path(__file__).with_name("static")
OPENINGS: Final = DATA_FOLDER / "balanced-openings.txt"
PUZZLES: Final = DATA_FOLDER / "puzzles.obf"
SHARED: Final = {"openings.txt": OPENINGS, "puzzles.obf": PUZZLES}
"""Files of others by their names on the page: the balanced openings of matches, and what `othello-bot puzzles` made."""
PAGE: Final = "index.html"
LOGIN: Final = "login.html"
"""What stands in the page's place for a browser that has not given the password."""
LOGIN_FILES: Final = ("login.js", "dom.js", "words.js", "en.js", "ja.js", "rules.js", "icon.svg")
"""The files that it consists of. All others need the password."""
OTHER_NAMES: Final = {"favicon.ico": "icon.svg"}
"""What a browser requests for a file that names no icon."""

TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".obf": "text/plain; charset=utf-8",
}
"""The kinds of files that the page consists of; others in its folder are not served."""

ANY_EDITION: Final = b'="edition/'
"""How the page begins the addresses of its files; the edition takes the word's place. They are relative, so that the
page may lie below a path of a proxy.
"""

_STYLE_SHEET: Final = re.compile(rb'<link rel="stylesheet" href="edition/([a-z]+\.css)">\n')


ALONE: Final = b"<html data-engine="
"""How the page of a host without the engine begins, which no other page has."""


def digest(*contents: bytes) -> str:
    """Return the name of contents: 24 hexadecimal digits."""
    return hashlib.blake2b(b"".join(contents), digest_size=12).hexdigest()


class PageFiles:
    """The page's files, read once: a request's path is a key, never a place on the disk.

    The page itself holds its style sheets: a first visit waits for fewer files.

    `edition` differs whenever a file has changed. It is the folder in the addresses of the files that the page names,
    so that a browser which knows them loads only the page itself. `styles` are the hashes of the page's style sheets,
    as a Content-Security-Policy names them.
    """

    def __init__(self, folder: Path = STATIC) -> None:
        self._files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in TYPES}
        self._files |= {name: path.read_bytes() for name, path in SHARED.items()}
        self.edition = digest(*self._files.values())
        self.styles: list[str] = []
        for name in (PAGE, LOGIN):
            page = _STYLE_SHEET.sub(self._style, self._files[name])
            self._files[name] = page.replace(ANY_EDITION, f'="{self.edition}/'.encode())

    def find(self, path: str) -> tuple[str, bytes, bool] | None:
        """Return type and content of a file, and whether its address has the edition; None if there is none."""
        edition, slash, name = (path or PAGE).rpartition("/")
        name = OTHER_NAMES.get(name, name)
        content = self._files.get(name)
        if content is None or (slash and edition != self.edition):
            return None
        return TYPES[Path(name).suffix], content, bool(slash)

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of each file but the pages."""
        return ((name, content) for name, content in self._files.items() if name not in (PAGE, LOGIN))

    def alone(self, engine: str, manifest: str, files: list[str]) -> bytes:
        """Return the page for a host without the engine, which is a web worker there, made of the parts of `engine`.

        The page lists its `files`, which browsers keep.
        """
        page = self._files[PAGE].replace(b"<html ", ALONE + f'"{engine}" '.encode(), 1)
        page = page.replace(b"</head>", f'<link rel="manifest" href="{manifest}">\n</head>'.encode(), 1)
        listed = f'<script type="application/json" id="all-files">{json.dumps(files)}</script>\n</body>'
        return page.replace(b"</body>", listed.encode(), 1)

    def _style(self, link: re.Match[bytes]) -> bytes:
        """Return the style sheet of a link as an element of the page."""
        style = self._files[link[1].decode()]
        hashed = f"'sha256-{base64.b64encode(hashlib.sha256(style).digest()).decode()}'"
        self.styles += [] if hashed in self.styles else [hashed]
        return b"<style>" + style + b"</style>\n"

"""Settings of Sphinx for the site about the Python interface; `scripts/docs` builds it, with warnings as errors."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from othello_bot.base.version import __version__

project = "othello-bot"
author = "the othello-bot authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 2
default_role = "literal"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
html_theme = "furo"
html_title = f"othello-bot {__version__} in Python"
html_show_copyright = False
html_show_sourcelink = False

ENTRY = re.compile(r"(\w+(?:, \w+)*) {2,}(\S.*)")
"""A line of a docstring that describes a field: its name, spaces, its meaning."""


def as_list(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Make the lines that describe fields a list; else they would be one paragraph."""
    lines[:] = [ENTRY.sub(r"- ``\1``: \2", line) if ENTRY.fullmatch(line) else line for line in lines]


def setup(app: Sphinx) -> None:
    """Register what Sphinx calls."""
    app.connect("autodoc-process-docstring", as_list)

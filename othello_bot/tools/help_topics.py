"""`othello-bot help`: the pages of docs/ and the reference of the protocols, which are installed with the package."""

from __future__ import annotations

import argparse
import pydoc
import sys
from pathlib import Path
from typing import Final

from othello_bot import protocol
from othello_bot.base.errors import InputError
from othello_bot.base.output import guarded, tell

PACKAGE: Final = Path(__file__).resolve().parents[1]

FOLDERS: Final = (PACKAGE / "documents", PACKAGE.parent / "docs")
"""The folders of the pages: in an installed package, and in a checkout."""

REFERENCE: Final = "protocols"
"""The topic whose page is in the folder of the text layer, apart from the others."""


class TopicError(InputError):
    """An unknown topic; the message lists the topics."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Read the documentation. Without a topic: the list of topics."
    parser.add_argument("topic", nargs="?", help="a page, such as arena or protocols, or a command")


@guarded("help")
def run(args: argparse.Namespace) -> int:
    """Show a page, or the list of all; return 0, or 2 for an unknown topic."""
    if args.topic is None:
        tell(listing())
        return 0
    text = page(args.topic)
    if sys.stdin.isatty() and sys.stdout.isatty():
        pydoc.pager(text)
    else:
        sys.stdout.write(text)
    return 0


def topics() -> dict[str, Path]:
    """Return the pages by their topics, sorted."""
    folder = next((folder for folder in FOLDERS if folder.is_dir()), None)
    pages = {} if folder is None else {path.stem: path for path in folder.glob("*.md")}
    pages[REFERENCE] = Path(protocol.__file__).with_name("README.md")
    return dict(sorted(pages.items()))


def listing() -> list[str]:
    """Return the topics with their titles, one a line."""
    found = topics()
    width = max(map(len, found))
    lines = ["othello-bot help TOPIC shows one of these pages, othello-bot help COMMAND the help of a command:"]
    lines += [f"  {topic:{width}}  {title(path)}" for topic, path in found.items()]
    return lines


def page(topic: str) -> str:
    """Return the text of a page; raise TopicError for an unknown topic."""
    found = topics()
    if topic.lower() not in found:
        raise TopicError("topic", topic, f"one of {', '.join(found)}, or a command")
    return found[topic.lower()].read_text(encoding="utf-8")


def title(path: Path) -> str:
    """Return the title of a page, which is its first line."""
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").rstrip()

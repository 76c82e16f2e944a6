"""`othello-bot help`: the pages of docs/ and the reference of the protocols, which are installed with the package."""

from __future__ import annotations

import argparse
import pydoc
import sys
from pathlib import Path
from typing import Final

from othello_bot import protocol
from othello_bot.base.errors import InputError, did_you_mean
from othello_bot.base.output import guarded, tell, terminal_columns
from othello_bot.base.visible import wrapped
from othello_bot.dialects.command_table import find, help_of, known_words
from othello_bot.dialects.gtp import COMMANDS
from othello_bot.engine import Options, described
from othello_bot.tools.markdown_text import plain_text

PACKAGE: Final = Path(__file__).resolve().parents[1]

FOLDERS: Final = (PACKAGE / "documents", PACKAGE.parent / "docs")
"""The folders of the pages: in an installed package, and in a checkout."""

REFERENCE: Final = "protocols"
"""The topic whose page is in the folder of the text layer, apart from the others."""


PIPE_COLUMNS: Final = 80
"""Columns of a page where no terminal shows it."""


class TopicError(InputError):
    """An unknown topic; the message lists the topics."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Read the documentation. Without a topic: the list of topics."
    about = "a page, such as arena or protocols, a command, or a command or option of a session"
    parser.add_argument("topic", nargs="?", help=about)


@guarded("help")
def run(args: argparse.Namespace) -> int:
    """Show a page, or the list of all; return 0, or 2 for an unknown topic."""
    if args.topic is None:
        tell(listing())
        return 0
    text = page(args.topic, terminal_columns(sys.stdout) or PIPE_COLUMNS)
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
    lines = ["othello-bot help TOPIC shows one of these pages, othello-bot help COMMAND what explains a command:"]
    lines += [f"  {topic:{width}}  {title(path)}" for topic, path in found.items()]
    return lines


def page(topic: str, columns: int = PIPE_COLUMNS) -> str:
    """Return a page as text for a terminal of this many columns, or what explains a command or option of a session.

    Raise TopicError for anything else.
    """
    found, word = topics(), topic.lower()
    if word in found:
        return plain_text(found[word].read_text(encoding="utf-8"), columns)
    command = find(COMMANDS, word)
    if command is not None:
        return _broken(f"a command of a session\n{help_of(command)}", columns)
    lines = described(Options())
    name = word.replace("-", "_").strip("_")
    if name in lines:
        return _broken(
            f"an option: --{name.replace('_', '-')}, or setoption {name} in a session\n{lines[name]}", columns
        )
    close = did_you_mean(word, [*found, *known_words(COMMANDS), *lines])
    raise TopicError("topic", topic, f"one of {', '.join(found)}, or a command{close}")


def _broken(text: str, columns: int) -> str:
    return "".join(f"{part}\n" for line in text.split("\n") for part in wrapped(line, columns))


def title(path: Path) -> str:
    """Return the title of a page, which is its first line."""
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").rstrip()

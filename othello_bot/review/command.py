"""`othello-bot review`: what the moves of games were worth, for one game or for a hundred thousand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from othello_bot.base.errors import INTERRUPTED, InputError, counted
from othello_bot.base.files import cache_folder, whole_file
from othello_bot.base.notation import integer
from othello_bot.base.output import ProgressLine, report, tell, terminal_columns
from othello_bot.base.sqlite import reason, sqlite3
from othello_bot.cluster import TaskError, Workers
from othello_bot.engine import MAXIMUM_LEVEL, available_cores
from othello_bot.review import records
from othello_bot.review.game_review import GameReview
from othello_bot.review.many import games_of_files, review_missing
from othello_bot.review.steps import DEFAULT_LEVEL
from othello_bot.review.store import Heading, ReviewStore, from_bytes, game_from
from othello_bot.review.text_report import PlayerTable, game_lines, player_lines

LISTED_GAMES: Final = 3
"""Up to so many games, the text lists their moves as well as the players."""

Advance = Callable[[int], None]
"""Counts games as reviewed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "Review games: what each move lost, what was better, and how well each player did by phase.\n"
        "Files may have any format that the engine reads, with any number of games. Finished reviews are kept: the"
        " same command resumes where it was stopped, and another output of the same games needs no search."
    )
    parser.epilog = "`othello-bot help reviewing` explains the numbers."
    parser.add_argument("files", nargs="+", metavar="FILE", help="game file: GGF, SGF, PGN, WTHOR, transcripts, ...")
    parser.add_argument(
        "--level",
        type=integer(0, MAXIMUM_LEVEL),
        default=DEFAULT_LEVEL,
        metavar="N",
        help=f"playing level of the searches, 0 to {MAXIMUM_LEVEL} ({DEFAULT_LEVEL})",
    )
    parser.add_argument("--html", type=Path, metavar="OUT", help="write one HTML file with tables, graphs and boards")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON object for each game, one a line")
    form.add_argument("--csv", action="store_true", help="print CSV, a row for each player of each game")
    parser.add_argument("--store", type=Path, metavar="FILE", help="where finished reviews are kept (cache folder)")
    parser.add_argument("--processes", type=integer(1, 1024), metavar="N", help="games at once (one for each core)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="review on the Dask cluster with this scheduler")


def run(args: argparse.Namespace) -> int:
    """Review and print; return 0, 1 if a game or file could not be read, 2 for usage, 130 after Ctrl-C."""
    try:
        return _run(args)
    except KeyboardInterrupt:
        _say("stopped; the same command resumes")
        return INTERRUPTED
    except BrokenPipeError:
        raise  # the reader has closed its end: the command line handles that
    except InputError as error:
        _say(str(error))
        return 2
    except sqlite3.Error as error:
        _say(f"{_store(args)}: {reason(error)}")
        return 1
    except (TaskError, OSError) as error:
        _say(str(error))
        return 1


def _store(args: argparse.Namespace) -> Path:
    """Return the file in which finished reviews are kept."""
    path: Path = args.store or cache_folder() / "reviews.db"
    return path


def _run(args: argparse.Namespace) -> int:
    refused = 0
    reading = ProgressLine(sys.stderr)

    def refuse(text: str) -> None:
        nonlocal refused
        refused += 1
        reading.clear()
        _say(text)

    with ReviewStore(_store(args), args.level) as store:
        found = games_of_files(args.files, refuse)
        store.list_games(reading.count(found, lambda count: f"{counted(count, 'game')} read"))
        games, done = store.counts()
        if not games:
            _say("no game to review")
            return 1
        if done < games:
            processes = min(args.processes or available_cores(), games - done)
            with Workers(processes, args.cluster) as workers, _progress(games, done) as advance:
                review_missing(store, workers, args.level, advance)
        if args.html is not None:
            _write_html(args.html, store)
        _print(args, store)
    return 1 if refused else 0


def _write_html(path: Path, store: ReviewStore) -> None:
    from othello_bot.review.html_report import html_of

    with whole_file(path) as file:
        for part in html_of(_reviews(store)):
            file.write(part.encode())


def _print(args: argparse.Namespace, store: ReviewStore) -> None:
    """Print the reviews in the form that the options name."""
    write = sys.stdout.write
    if args.json:
        for heading, review in _reviews(store):
            write(records.json_line(heading, review) + "\n")
    elif args.csv:
        write(records.csv_head())
        for heading, review in _reviews(store):
            write(records.csv_lines(heading, review))
    else:
        _print_text(store)


def _print_text(store: ReviewStore) -> None:
    """Print the table of players, after the moves of few games."""
    from othello_bot.book import Library

    table = PlayerTable()
    few: list[tuple[Heading, GameReview]] = []
    for heading, review in _reviews(store):
        table.add(heading, review)
        if table.games <= LISTED_GAMES:
            few.append((heading, review))
    if table.games <= LISTED_GAMES:
        book = Library().book
        for heading, review in few:
            tell([*game_lines(heading, review, book.opening_name(review.game)), ""])
    tell(player_lines(table, terminal_columns(sys.stdout)))


def _reviews(store: ReviewStore) -> Iterator[tuple[Heading, GameReview]]:
    """Yield the reviewed games of this run in their order, one at a time."""
    for listed, content in store.reviewed():
        yield listed.heading, from_bytes(game_from(listed.start, listed.moves), content)


@contextmanager
def _progress(games: int, done: int) -> Iterator[Advance]:
    """Show on a terminal how many games are reviewed; yield the function that counts further ones."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        yield lambda count: None
        return
    console = Console(stderr=True)
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("games", total=games, completed=done)
        yield lambda count: progress.advance(task, count)


def _say(text: str) -> None:
    report(text, "review")

"""`othello-bot review`: what the moves of games were worth, for one game or for a hundred thousand."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from othello_bot.base.descriptors import is_standard_output, refuse_dash
from othello_bot.base.errors import InputError, WorkError, counted
from othello_bot.base.files import cache_folder, whole_file
from othello_bot.base.notation import integer
from othello_bot.base.output import ProgressLine, guarded, report, tell, terminal_columns
from othello_bot.base.outputs import OVERWRITE, check_outputs, database, refuse_taken
from othello_bot.base.sqlite import reason, sqlite3
from othello_bot.cluster import Workers
from othello_bot.engine import MAXIMUM_LEVEL, Search, available_cores, carried_out, people
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import GameRecord
from othello_bot.formats.writing import inputs_of, user_path
from othello_bot.review import text_report
from othello_bot.review.game_review import DEFAULT_LEVEL, GameReview, review_steps
from othello_bot.review.store import STORE_NAME, Heading, ReviewStore, from_bytes, game_from, to_bytes
from othello_bot.review.text_report import PlayerTable, game_lines, player_lines
from othello_bot.rules import Game

Report = Callable[[str], None]
"""Receives what could not be read: file, place and reason, in one line."""


def games_of_files(names: Sequence[str], report: Report) -> Iterator[tuple[str, str, Heading]]:
    """Yield (start, moves, heading) of each game of the files that can be read and has a move; report the others."""
    for name in names:
        path = user_path(name)
        try:
            yield from _games_of(path, report)
        except OSError as error:
            report(f"{name}: {error.strerror or error}")
        except InputError as error:
            report(f"{name}: {error}")


def _games_of(path: Path, report: Report) -> Iterator[tuple[str, str, Heading]]:
    for found in games_of_file(path):
        if found.record is None:
            report(f"{path}, {found.place}: {found.error}")
        elif not found.record.game.ply:
            report(f"{path}, {found.place}: no move to review")
        else:
            game = found.record.game
            heading = heading_of(found.record, str(path), found.place)
            yield game.start.to_string(), game.transcript(passes=True), heading


def heading_of(record: GameRecord, file: str, place: str) -> Heading:
    """Return the heading of a game that stands in a file."""
    return Heading(file, place, record.black, record.white, record.event, record.date, record.known_result)


HASH_MIB: Final = 64
"""Size of a process's transposition table: enough for the endgame of one game."""

QUICK_HASH_MIB: Final = 4
"""The same for quick reviews, where clearing a larger table would take longer than the searches."""

QUICK_LEVEL: Final = 8
"""Up to this level, a review takes less than a tenth of a second, so a task has several games."""

GAMES_OF_QUICK_TASK: Final = 16

ReviewPiece = tuple[tuple[bytes, str, str], ...]
"""The games of one task: key, start and moves of each."""

_own = threading.local()
"""The search and the model of people of each thread: they and their tables live as long as the thread."""


def review_missing(
    store: ReviewStore, workers: Workers, level: int, advance: Callable[[int], None] = lambda games: None
) -> None:
    """Review the games of this run that the store lacks; call `advance` with the number of games just stored."""
    for _, found in workers.each(review_piece, ((level, piece) for piece in _pieces(store, level))):
        store.add(found)
        advance(len(found))


def _pieces(store: ReviewStore, level: int) -> Iterator[ReviewPiece]:
    """Yield the games without a review in pieces, each for one task."""
    games = store.missing()
    while piece := tuple(islice(games, GAMES_OF_QUICK_TASK if level <= QUICK_LEVEL else 1)):
        yield piece


def review_piece(level: int, piece: ReviewPiece) -> list[tuple[bytes, bytes]]:
    """Review some games in this thread; return key and review of each."""
    search: Search | None = getattr(_own, "search", None)
    if search is None:
        _own.people_model = people.PeopleModel()
    hash_mib = QUICK_HASH_MIB if level <= QUICK_LEVEL else HASH_MIB
    if search is None or search.hash_mib != hash_mib:
        search = _own.search = Search(hash_mib)
    games = ((key, game_from(start, moves)) for key, start, moves in piece)
    return [(key, to_bytes(_reviewed(search, _own.people_model, game, level))) for key, game in games]


def _reviewed(search: Search, people_model: people.PeopleModel, game: Game, level: int) -> GameReview:
    """Review a game with a search of this thread: an engine has a thread of its own, which costs time to wake."""
    search.clear()
    return GameReview(
        game, level, tuple(carried_out(review_steps(game, level, people_model=people_model), search.answer))
    )


LISTED_GAMES: Final = 3
"""Up to this many games, the text lists their moves as well as the players."""


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
    parser.add_argument("--overwrite", action="store_true", help="let --html replace an existing file")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a JSON object for each game, one a line")
    form.add_argument("--csv", action="store_true", help="print CSV, a row for each player of each game")
    parser.add_argument("--store", type=Path, metavar="FILE", help="where finished reviews are kept (cache folder)")
    parser.add_argument("--processes", type=integer(1, 1024), metavar="N", help="games at once (one for each core)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="review on the Dask cluster with this scheduler")


@guarded("review", failed=1, stopped="stopped; the same command resumes")
def run(args: argparse.Namespace) -> int:
    """Review and print; return 0, 1 if a game or file could not be read, 2 for usage, 130 after Ctrl-C."""
    try:
        return _run(args)
    except sqlite3.Error as error:
        raise WorkError(f"{_store(args)}: {reason(error)}") from error


def _store(args: argparse.Namespace) -> Path:
    """Return the file in which finished reviews are kept."""
    path: Path = args.store or cache_folder() / STORE_NAME
    return path


def _run(args: argparse.Namespace) -> int:
    refused = 0
    reading = ProgressLine(sys.stderr)

    def refuse(text: str) -> None:
        nonlocal refused
        refused += 1
        reading.clear()
        _say(text)

    inputs = list(inputs_of(map(user_path, args.files)))
    check_outputs({"--store": args.store}, input=inputs)
    check_outputs({"--html": args.html}, store=database(_store(args)), input=inputs)
    if args.html is not None:  # now, not when the work is done
        refuse_dash(args.html)
        refuse_taken(args.html, overwrite=args.overwrite, word=OVERWRITE)
    with ReviewStore(_store(args), args.level) as store:
        found = games_of_files(args.files, refuse)
        store.list_games(reading.count(found, lambda count: f"{counted(count, 'game')} read"))
        games, done = store.counts()
        if not games:
            _say("no game to review")
            return 1
        if done < games:
            processes = min(args.processes or available_cores(), games - done)
            with Workers(processes, args.cluster) as workers, ProgressLine(sys.stderr, unit="games") as progress:

                def advance(count: int) -> None:
                    nonlocal done
                    done += count
                    progress.told(done, games)

                review_missing(store, workers, args.level, advance)
        if args.html is not None:
            _write_html(args.html, store)
        if args.html is None or args.json or args.csv or not is_standard_output(args.html):
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
            write(text_report.json_line(heading, review) + "\n")
    elif args.csv:
        write(text_report.csv_head())
        for heading, review in _reviews(store):
            write(text_report.csv_lines(heading, review))
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


def _say(text: str) -> None:
    report(text, "review")

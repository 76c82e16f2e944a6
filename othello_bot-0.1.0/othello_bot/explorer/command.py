"""`othello-bot explore`: what was played in a position and how it ended, by a base of games."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from othello_bot.base.errors import WorkError
from othello_bot.base.files import cache_folder
from othello_bot.base.notation import argument_type, format_transcript, integer, parse_move
from othello_bot.base.output import guarded, report, tell, terminal_columns
from othello_bot.base.sqlite import reason, sqlite3
from othello_bot.base.visible import json_line, visible
from othello_bot.book import Library
from othello_bot.engine import MAXIMUM_LEVEL, Engine, Options
from othello_bot.explorer.asking import add_pages, add_selection, beside, game_after, listed_games, selection_of
from othello_bot.explorer.base import GameBase
from othello_bot.explorer.report import player_report, report_lines, report_objects
from othello_bot.explorer.selection import Selection
from othello_bot.explorer.showing import (
    explored_lines,
    json_lines,
    novelty_lines,
    novelty_object,
)
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.writing import user_path
from othello_bot.review import STORE_NAME


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "Show what was played in a position, how often, and how it ended, by a base of games.\n"
        "`othello-bot explore build BASE GAMES...` makes the base."
    )
    parser.epilog = "`othello-bot help explorer` explains the numbers."
    parser.add_argument("base", type=Path, metavar="BASE", help="the base; `explore build` makes it")
    parser.add_argument(
        "moves",
        nargs="?",
        default="",
        metavar="MOVES",
        help="moves like f5d6c3, the name of an opening, or a board and the side to move",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, an object a line")
    parser.add_argument(
        "--level", type=integer(0, MAXIMUM_LEVEL), metavar="N", help="values from a search at this level"
    )
    parser.add_argument("--book", metavar="FILES", help="values from these books, then the shipped one")
    parser.add_argument(
        "--people", type=integer(0, 9999), metavar="RATING", help="how likely people of a rating are to play each move"
    )
    add_selection(parser)
    group = parser.add_argument_group("instead of the moves")
    either = group.add_mutually_exclusive_group()
    either.add_argument("--games", action="store_true", help="list the games that reach the position")
    either.add_argument(
        "--novelty", type=Path, metavar="GAMES", help="for each game of a file, where it leaves what had been played"
    )
    either.add_argument(
        "--lines", type=integer(1), metavar="N", help="lines of moves of at least N games each, as transcripts"
    )
    either.add_argument("--report", action="store_true", help="report about --player: openings, opponents, losses")
    group.add_argument("--plies", type=integer(1, 60), default=12, metavar="N", help="of --lines: their length (12)")
    group.add_argument("--move", type=argument_type(parse_move), help="of --games: those that go on with this move")
    add_pages(group)
    group.add_argument("--store", type=Path, metavar="FILE", help="of --report: stored reviews (cache folder)")
    group.add_argument("--review-level", type=integer(0, MAXIMUM_LEVEL), metavar="N", help="of --report: their level")


@guarded("explore")
def run(args: argparse.Namespace) -> int:
    """Answer; return 0, 1 if the base cannot be read now, 2 for wrong arguments."""
    game = game_after(args.moves)
    with GameBase(args.base) as base:
        selection = selection_of(args, base)
        if args.novelty is not None:
            return _novelties(base, args)
        if args.report:
            return _report(base, args, selection)
        if args.lines is not None:
            begun = game.transcript(passes=True)
            lines = base.lines(args.lines, args.plies - game.ply, game.position, selection)
            _print([begun + format_transcript(line) for line in lines])
            return 0
        if args.games:
            if args.move is not None:
                game.copy().play(args.move)  # refuses an illegal one
            _print(listed_games(base, game, args, selection, args.move))
            return 0
        explored = base.explore(game.position, selection)
        with Engine(Options(hash=64, threads=1, book_file=args.book)) as engine:
            found = beside(engine, game, args.people, args.level)
        if args.json:
            _print(json_lines(explored, found))
        else:
            tell(explored_lines(explored, found, selection, terminal_columns(sys.stdout)))
    return 0


def _print(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))


def _report(base: GameBase, args: argparse.Namespace, selection: Selection) -> int:
    """Print the report about a player."""
    store = args.store or cache_folder() / STORE_NAME
    library = Library(args.book)
    try:
        found = player_report(base, selection, library.book.name, store, args.review_level)
    except sqlite3.Error as error:
        raise WorkError(f"{store}: {reason(error)}") from error
    finally:
        library.close()
    if args.json:
        _print(list(map(json_line, report_objects(found))))
    else:
        tell(report_lines(found, terminal_columns(sys.stdout)))
    return 0


def _novelties(base: GameBase, args: argparse.Namespace) -> int:
    """Print for each game of a file where it leaves what had been played; return 1 if a game cannot be read."""
    failed = False
    for found in games_of_file(user_path(str(args.novelty))):
        if found.record is None:
            report(f"{args.novelty}, {found.place}: {found.error}", "explore")
            failed = True
            continue
        record = found.record
        novelty = base.novelty(record.game, record.date)
        if args.json:
            _print([json_line({"number": found.number, **novelty_object(novelty)})])
        else:
            first, *others = novelty_lines(novelty)
            tell([f"game {found.number}: {first}", *others])
    return int(failed)

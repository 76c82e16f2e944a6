"""`othello-bot explore`: what was played in a position and how it ended, by a base of games."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import argument_type, integer, parse_color, parse_move
from othello_bot.base.output import guarded, report, tell, terminal_columns
from othello_bot.base.visible import visible
from othello_bot.book import Library
from othello_bot.engine import MAXIMUM_LEVEL, Engine, Limits, Options
from othello_bot.explorer.base import MOST_LISTED, ORDERS, GameBase
from othello_bot.explorer.names import read_players
from othello_bot.explorer.selection import BETWEEN, RESULTS, Selection
from othello_bot.explorer.showing import (
    Beside,
    explored_lines,
    explored_objects,
    game_line,
    game_object,
    json_text,
    novelty_lines,
    novelty_object,
)
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import Range
from othello_bot.formats.writing import user_path
from othello_bot.rules import Game, Position

SHOWN_FAILURES: Final = 50
"""Most messages about single games on stderr."""


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Declare the filters."""
    group = parser.add_argument_group("filters")
    group.add_argument(
        "--years", type=argument_type(Range.parse), metavar="YEARS", help="games of 1999, 1990-1999, 2010-"
    )
    group.add_argument(
        "--rating", type=argument_type(Range.parse), metavar="RATINGS", help="both players rated so: 1800-, 1500-1700"
    )
    group.add_argument("--player", default="", metavar="NAME", help="a part of a player's name, or his WTHOR number")
    group.add_argument("--color", type=argument_type(parse_color), help="the colour of --player: black or white")
    group.add_argument("--opponent", default="", metavar="NAME", help="the same for the opponent of --player")
    group.add_argument("--event", default="", metavar="NAME", help="a part of the event's name, or its WTHOR number")
    group.add_argument("--result", choices=tuple(RESULTS), action="append", default=[], help="who won; may be repeated")
    group.add_argument("--between", choices=BETWEEN, default="", help="who played; needs --programs")
    group.add_argument(
        "--programs",
        type=Path,
        metavar="FILE",
        help="the programs, a name or a WTHOR number a line; alone: leave them out",
    )


def selection_of(args: argparse.Namespace) -> Selection:
    """Return the filters of the arguments; raise InputError, or OSError if the list of programs cannot be read."""
    programs = None if args.programs is None else read_players(args.programs)
    between = args.between or ("people" if programs is not None else "")
    return Selection(
        args.years,
        args.rating,
        args.player,
        args.color,
        args.opponent,
        args.event,
        frozenset(args.result),
        between,
        programs,
    )


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
        "moves", nargs="?", default="", metavar="MOVES", help="moves like f5d6c3, or a board and the side to move"
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
    either.add_argument("--report", action="store_true", help="report about --player: openings, opponents, losses")
    group.add_argument("--move", type=argument_type(parse_move), help="of --games: those that go on with this move")
    group.add_argument("--order", choices=ORDERS, default=ORDERS[0], help="of --games; strongest: by both ratings")
    group.add_argument("--count", type=integer(1, 1000), default=20, metavar="N", help="games of a page (20)")
    group.add_argument("--page", type=integer(1, MOST_LISTED), default=1, metavar="N", help="the page, from 1 on")
    group.add_argument("--store", type=Path, metavar="FILE", help="of --report: stored reviews (cache folder)")
    group.add_argument("--review-level", type=integer(0, MAXIMUM_LEVEL), metavar="N", help="of --report: their level")


@guarded("explore")
def run(args: argparse.Namespace) -> int:
    """Answer; return 0, 1 if the base cannot be read now, 2 for wrong arguments."""
    selection = selection_of(args)
    game = Game.from_transcript(args.moves)
    with GameBase(args.base) as base:
        if args.novelty is not None:
            return _novelties(base, args)
        if args.report:
            raise InputError("--report", "", "a later version")
        if args.games:
            first = (args.page - 1) * args.count
            if args.move is not None:
                game.copy().play(args.move)  # refuses an illegal one
            found = base.games(game.position, args.move, selection, order=args.order, first=first, count=args.count)
            _print([json_text(game_object(one)) for one in found] if args.json else list(map(game_line, found)))
            return 0
        explored = base.explore(game.position, selection)
        beside = _beside(args, game)
        if args.json:
            _print([json_text(one) for one in explored_objects(explored, beside)])
        else:
            tell(explored_lines(explored, beside, terminal_columns(sys.stdout)))
    return 0


def _print(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))


def _beside(args: argparse.Namespace, game: Game) -> Beside:
    """Return what stands beside the counts: the book's values, or those of a search."""
    library = Library(args.book)
    try:
        book = library.book
        values: dict[int, EvaluatedMove] = {one.move: one for one in book.lookup(game.position)}
        chances: dict[int, float] = {}
        names: dict[Position, str | None] = {}
        if args.level is not None or args.people is not None:
            with Engine(Options(hash=64, threads=1)) as engine:
                if args.people is not None:
                    chances = engine.policy(game, args.people)
                if args.level is not None and game.position.legal_bits:
                    limits = Limits(level=args.level, multi_pv=game.position.legal_bits.bit_count())
                    values = {one.move: one for one in engine.search(game.position, limits).lines}
        for move in game.position.legal_moves:
            after = game.position.play(move)
            names[after] = book.name(after)
    finally:
        library.close()
    return Beside(values, chances, names.get)


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
            _print([json_text({"number": found.number, **novelty_object(novelty)})])
        else:
            tell(
                [
                    f"game {found.number}: {line}" if not index else line
                    for index, line in enumerate(novelty_lines(novelty))
                ]
            )
    return int(failed)

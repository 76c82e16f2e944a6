"""Questions to a base as people write them in a line of a session, a field of the page or a tool: moves aside, options."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.notation import argument_type, integer, parse_color
from othello_bot.base.visible import json_line
from othello_bot.book import named_line, similar_name
from othello_bot.engine import Engine, Limits
from othello_bot.explorer.base import MOST_LISTED, ORDERS, GameBase
from othello_bot.explorer.names import read_players
from othello_bot.explorer.selection import BETWEEN, RESULTS, Selection
from othello_bot.explorer.showing import (
    Beside,
    explored_lines,
    game_line,
    game_object,
    json_lines,
    none_found,
    novelty_lines,
    novelty_object,
)
from othello_bot.formats.record import Range
from othello_bot.rules import HALF_TURN, Game, transform_square


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
    group.add_argument("--between", choices=BETWEEN, default="", help="who played, as the base or --programs says")
    group.add_argument(
        "--programs",
        type=Path,
        metavar="FILE",
        help="the programs, a name or a WTHOR number a line, in place of the base's; alone: leave them out",
    )


def selection_of(args: argparse.Namespace, base: GameBase) -> Selection:
    """Return the filters of the arguments for a base; raise InputError, or OSError for an unreadable list of programs."""
    programs = None if args.programs is None else read_players(args.programs)
    if programs is None and args.between:
        programs = base.programs
    between = args.between or ("people" if programs is not None else "")
    results = frozenset(args.result)
    return Selection(
        args.years, args.rating, args.player, args.color, args.opponent, args.event, results, between, programs
    )


def add_pages(group: argparse._ActionsContainer) -> None:
    """Declare which games are listed, and in which order."""
    group.add_argument("--order", choices=ORDERS, default=ORDERS[0], help="of games; strongest: by both ratings")
    group.add_argument("--count", type=integer(1, 1000), default=20, metavar="N", help="games of a page (20)")
    group.add_argument("--page", type=integer(1, MOST_LISTED), default=1, metavar="N", help="the page, from 1 on")


class QuestionError(InputError):
    """Words of a question that are not understood; the message says which, and what would be accepted."""

    def __init__(self, message: str) -> None:
        ValueError.__init__(self, message)
        self.value, self.expected = message, "the filters that `othello-bot help explorer` lists"


class _Words(argparse.ArgumentParser):
    """A parser of the words of a line, whose errors are InputErrors."""

    def error(self, message: str) -> NoReturn:
        """Raise InputError."""
        raise QuestionError(message)


def question(line: str | Sequence[str]) -> argparse.Namespace:
    """Return the options of a line such as `f5d6 --years 2010- --player "van den" --json`; raise InputError.

    It has `moves` to go on with, or the name of an opening, the filters, `games`, `novelty`, `order`, `count` and `page`,
    `people` and `json`.
    """
    parser = _Words(prog="explore", add_help=False, allow_abbrev=False)
    add_selection(parser)
    add_pages(parser)
    parser.add_argument("moves", nargs="?", default="")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--games", action="store_true")
    what.add_argument("--novelty", action="store_true")
    parser.add_argument("--people", type=integer(0, 9999))
    parser.add_argument("--json", action="store_true")
    try:
        words = shlex.split(line) if isinstance(line, str) else list(line)
    except ValueError:
        raise InputError("explore", line, "closed quotation marks") from None
    return parser.parse_args(words)


def game_after(text: str, game: Game | None = None) -> Game:
    """Return a game with the moves of a text added, or without a game what from_transcript() returns; for the name of an
    opening, its moves from the usual start, f5 first. Raise InputError.
    """
    try:
        if game is None:
            return Game.from_transcript(text)
        longer = game.copy()
        longer.play_transcript(text)
        return longer
    except FormatError:
        line = named_line(text)
        if line is None and re.fullmatch(r"\D{1,40}", text):
            expected = "moves (f5d6c3, passes as pa), or the name of an opening (Tiger)"
            raise InputError("moves", text, expected + similar_name(text)) from None
        if line is None:
            raise
        named = Game()
        # The list of names begins with c4.
        named.play_moves(transform_square(move, HALF_TURN) for move in line.moves)
        return named


def beside(engine: Engine, game: Game, people: float | None = None, level: int | None = None) -> Beside:
    """Return what stands beside the counts of a position's moves: values from the engine's books, or from a search at a
    level; with a rating, how likely people are to play them.
    """
    position = game.position
    values = {one.move: one for one in engine.book.lookup(position)}
    found = Beside(values, {} if people is None else engine.policy(game, people), engine.book.name)
    if level is None or not position.legal_bits:
        return found
    limits = Limits(level=level, multi_pv=position.legal_bits.bit_count())
    return Beside({one.move: one for one in engine.search(position, limits).lines}, found.chances, found.name)


def listed_games(
    base: GameBase, game: Game, asked: argparse.Namespace, selection: Selection, move: int | None = None
) -> list[str]:
    """Return a line for each game of the page asked for that reaches the position, and goes on with a `move` if given; for
    people, a sentence if there is none.
    """
    first = (asked.page - 1) * asked.count
    games = base.games(game.position, move, selection, order=asked.order, first=first, count=asked.count)
    if not games and not asked.json:
        return ["no more games" if first else none_found(selection, move)]
    return [json_line(game_object(one)) if asked.json else game_line(one) for one in games]


def answer(
    base: GameBase, game: Game, asked: argparse.Namespace, engine: Engine, columns: int | None = None
) -> list[str]:
    """Return the lines that answer a question() about the position of a game; raise InputError."""
    selection = selection_of(asked, base)
    if asked.moves:
        game = game_after(asked.moves, game)
    if asked.novelty:
        novelty = base.novelty(game)
        return [json_line(novelty_object(novelty))] if asked.json else novelty_lines(novelty)
    if asked.games:
        return listed_games(base, game, asked, selection)
    explored = base.explore(game.position, selection)
    found = beside(engine, game, asked.people)
    if asked.json:
        return json_lines(explored, found)
    return list(filter(None, explored_lines(explored, found, selection, columns)))

"""The command line of the simulation: which clocks and plan to try, and how games are recorded."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from othello_bot.arena.config import TimeControl
from othello_bot.base.errors import InputError
from othello_bot.base.notation import NotationError, decimal, integer, parse_decimal, parse_integer
from othello_bot.engine import deepening, time_manager

from .recorded import read_games, write_games
from .recording import record_game
from .simulation import Conditions
from .summary import SimulatedGames, figures, stages

RECORDED = Path(__file__).resolve().parent / "games.jsonl.gz"

CLOCKS = ("0.1+0.02", "0.5", "1", "5", "10", "5+0.1")

_OF_DEEPENING = ("CLEAR_DISCS", "CLEAR_PLIES")
"""Constants of the plan that are not in the time manager."""


def main(words: Sequence[str], description: str | None) -> int:
    """Run the command; return the exit status: 2 for words and files that mean nothing."""
    try:
        if list(words[:1]) == ["record"]:
            return _record(words[1:])
        return _simulate(words, description)
    except (InputError, OSError) as error:
        print(f"scripts/measure clock-simulation: {error}", file=sys.stderr)
        return 2


def _simulate(words: Sequence[str], description: str | None) -> int:
    args = _arguments(description).parse_args(words)
    if args.constants:
        print("\n".join(f"{name}={value:g}" for name, (_, value) in sorted(constants().items())))
        return 0
    games = read_games(args.games)
    conditions = [_conditions(clock, args) for clock in args.clock]
    before = [SimulatedGames.of(games, each) for each in conditions if args.set]
    with changed(args.set):
        outcomes = [SimulatedGames.of(games, each) for each in conditions]
    tables = [figures(outcomes, before), *(stages(outcome) for outcome in outcomes if args.stages)]
    print("\n\n".join("\n".join(table.lines()) for table in tables))
    return 0


def _arguments(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "scripts/measure clock-simulation",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    share, milliseconds = decimal(0, 1), decimal(0)
    parser.add_argument("--games", type=Path, default=RECORDED, metavar="FILE", help="the recorded games")
    parser.add_argument("--clock", nargs="+", default=CLOCKS, metavar="TC", help="as in matches: 5, 0.1+0.02, 40/60")
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=NUMBER", help="change a constant of the plan")
    parser.add_argument("--constants", action="store_true", help="list the constants of the plan, and end")
    parser.add_argument("--stages", action="store_true", help="show the stages of the game as well")
    parser.add_argument("--speed", type=decimal(0.001), default=1, metavar="X", help="a machine X times faster")
    parser.add_argument("--hits", type=share, metavar="SHARE", help="think ahead: this share of replies is hit")
    parser.add_argument("--book", type=integer(0), default=0, metavar="N", help="moves of each side that are free")
    parser.add_argument("--delay-ms", type=milliseconds, default=1.0, metavar="MS", help="lost a move (1)")
    parser.add_argument("--stall-ms", type=milliseconds, default=0.0, metavar="MS", help="longest stall")
    parser.add_argument("--stall-share", type=share, default=0.1, metavar="SHARE", help="of moves (0.1)")
    return parser


def _conditions(clock: str, args: argparse.Namespace) -> Conditions:
    control = TimeControl.parse(clock)
    if control is None:
        raise InputError("clock", clock, "one with a limit")
    return Conditions(
        control,
        speed=args.speed,
        delay_s=args.delay_ms / 1000,
        stall_share=args.stall_share if args.stall_ms else 0.0,
        stall_s=args.stall_ms / 1000,
        hits=args.hits,
        book_moves=args.book,
    )


def constants() -> dict[str, tuple[ModuleType, float]]:
    """Return the numbers that make up the plan, by name, with the module of each."""
    numbers = {name: value for name, value in vars(time_manager).items() if isinstance(value, (int, float))}
    found = {name: (time_manager, value) for name, value in numbers.items()}
    return {**found, **{name: (deepening, getattr(deepening, name)) for name in _OF_DEEPENING}}


@contextmanager
def changed(settings: Sequence[str]) -> Iterator[None]:
    """Replace constants of the plan, given as NAME=NUMBER, within the block. Raise InputError for another name."""
    known = constants()
    chosen = {}
    for setting in settings:
        name, _, text = setting.partition("=")
        if name not in known:
            raise InputError("constant", name, "one of " + ", ".join(sorted(known)))
        try:
            chosen[name] = (parse_integer if isinstance(known[name][1], int) else parse_decimal)(text)
        except NotationError as error:
            raise InputError(f"constant {name}", text, error.expected) from None
    try:
        for name, number in chosen.items():
            setattr(known[name][0], name, number)
        yield
    finally:
        for name in chosen:
            setattr(known[name][0], name, known[name][1])


def _record(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        "scripts/measure clock-simulation record",
        description="Play and record games; the same command continues a stopped run. An equal seed gives equal games.",
    )
    parser.add_argument("file", type=Path, help="where to; compressed if its name ends in .gz")
    parser.add_argument("--games", type=integer(1), default=40, metavar="N", help="how many in all (40)")
    parser.add_argument("--seed", type=integer(0), default=1, metavar="N", help="of the openings (1)")
    args = parser.parse_args(words)
    games = {game.number: game for game in read_games(args.file)} if args.file.exists() else {}
    for number in range(args.games):
        if number not in games:
            games[number] = record_game(number, args.seed)
            write_games(args.file, list(games.values()))
            print(f"scripts/measure clock-simulation: game {number + 1} of {args.games}", file=sys.stderr, flush=True)
    return 0

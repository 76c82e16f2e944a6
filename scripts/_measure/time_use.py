"""Measure how the engine uses a fixed time for each move: this engine against itself over GTP, two games at once.

    scripts/measure time-use                         200 games each at 0.02 to 0.2 s a move, 40 at 1 s: an hour
    scripts/measure time-use --time 0.1 --games 4    a few games at one time

Run it on an idle machine. The same command continues a stopped run. It prints a table: the share of the time used on
moves that were neither forced nor solved (the book is off), the longest delay beyond the time of a move, and the number
of games lost by a move later than the margin. Meanwhile a watcher on each core notes when the machine itself stands
still (a virtual machine does while its host runs others); each lost game is printed with the longest stall in its last
move. It exits with 1 if a game was lost on time without a stall as long as the margin, or if the share of the time used
was too small.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from _performance.stalls import Stall, watched
from _setup.enter import ROOT

from othello_bot.arena.config import MatchConfig
from othello_bot.arena.display import display_of
from othello_bot.arena.match import play
from othello_bot.arena.openings import load
from othello_bot.arena.settings import engine_config, settings_of_words
from othello_bot.arena.store import MatchStore
from othello_bot.arena.time_use import TimeUse, time_use, time_use_table

GAMES = {0.02: 200, 0.05: 200, 0.1: 200, 0.2: 200, 1.0: 40}
WANTED_SHARE = 0.7
STALL_SLACK_S = 0.05
"""How long before its last move a lost game may have met the stall: what its clock counts begins a little earlier."""


def match(move_s: float, games: int, args: argparse.Namespace) -> MatchConfig:
    """Return the match of this engine against itself, at this many seconds a move."""
    words = ["self", f"proto={args.proto}", f"st={move_s:g}", f"margin={args.margin:g}", "start=60"]
    engines = tuple(
        engine_config(settings_of_words([*words, f"name={name}", *args.setting]), []) for name in ("first", "second")
    )
    return MatchConfig(engines, rounds=games // 2, seed=1, concurrency=args.at_once)


def measured(move_s: float, games: int, args: argparse.Namespace) -> TimeUse:
    """Play the rest of the match, and read the figures of all of it."""
    config = match(move_s, games, args)
    display = display_of("scripts/measure time-use", "plain", 10)
    played = play(config, load(config.openings, config.seed), args.store, display)
    with MatchStore(args.store, create=False) as store:
        return time_use(move_s, store.games(played.stored.id))


def reason_with_stall(
    reason: str, ended: float, limit_s: float, margin_s: float, stalls: list[Stall]
) -> tuple[str, bool]:
    """Return why a game was lost on time, with the longest stall in its last move, and whether it explains the loss."""
    during = [stall.duration_s for stall in stalls if stall.overlaps(ended - limit_s - STALL_SLACK_S, ended)]
    longest_s = max(during, default=0.0)
    return f"{reason}: a core of the machine stood still for {1000 * longest_s:.1f} ms then", longest_s >= margin_s


def stalls_line(stalls: list[Stall], watched_s: float) -> str:
    """Return what the watchers saw."""
    longest_ms = 1000 * max((stall.duration_s for stall in stalls), default=0.0)
    return (
        f"The machine stood still {len(stalls)} times for more than 4 ms in {watched_s:.0f} s,"
        f" {longest_ms:.1f} ms at most."
    )


def arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, nargs="+", default=list(GAMES), metavar="S", help="seconds for each move")
    parser.add_argument("--games", type=int, metavar="N", help="games at each time, an even number")
    parser.add_argument("--margin", type=float, default=0.01, metavar="S", help="how late a move may be (0.01)")
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="games at once (2)")
    parser.add_argument("--proto", default="gtp", help="gtp (default), nboard or native")
    parser.add_argument("--setting", nargs="*", default=[], metavar="WORD", help="for both engines: option.hash=16 ...")
    parser.add_argument("--store", type=Path, default=ROOT / "build" / "time-use.db", metavar="FILE")
    return parser.parse_args()


def main() -> int:
    """Measure and print; return the exit status."""
    args = arguments()
    args.store.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with watched() as stalls:
        uses = [measured(move_s, args.games or GAMES.get(move_s, 40), args) for move_s in args.time]
    lost = [
        reason_with_stall(reason, ended, use.limit_s, args.margin, stalls)
        for use in uses
        for reason, ended in zip(use.reasons, use.lost_at, strict=True)
    ]
    print("\n".join(["", *time_use_table(uses).lines(), *(words for words, _ in lost)]))
    print(stalls_line(stalls, time.monotonic() - began))
    return int(not all(stalled for _, stalled in lost) or any(use.share < WANTED_SHARE for use in uses))

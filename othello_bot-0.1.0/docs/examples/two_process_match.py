#!/usr/bin/env python3
"""Play one game between two engine processes under a clock; a short example to read and change.

    python docs/examples/two_process_match.py --time 10 --increment 0.1
    python docs/examples/two_process_match.py --white "edax -gtp"

An engine is any command that speaks GTP. It loses by running out of time, by an illegal move and by crashing.
"""

from __future__ import annotations

import argparse
import shlex
import sys

from othello_bot import Color, Game, move_name
from othello_bot.base.clocks import Clocks, TimeSettings, TimeSystem
from othello_bot.base.notation import RESIGN
from othello_bot.protocol.client import Client
from othello_bot.protocol.conversation import Deadlines
from othello_bot.protocol.errors import EngineError
from othello_bot.rules.position import IllegalMove

THIS_ENGINE = shlex.join([sys.executable, "-m", "othello_bot"])
PATIENT = Deadlines(start_s=600)  # a launcher may have to build before its engine answers


def play(players: tuple[Client, Client], settings: TimeSettings) -> str:
    """Play a game, print each move, and return the result in words."""
    game = Game()
    clocks = Clocks.start(settings)
    for player in players:
        player.new_game(time=settings)
    while not game.is_over:
        color = game.position.color
        mover, waiting = players[color], players[color.opponent]
        name = color.name.lower()
        black, white = clocks.state(Color.BLACK), clocks.state(Color.WHITE)
        assert black is not None and white is not None, "the settings have a limit"
        try:
            best = mover.best_move((black, white))
            if best.move == RESIGN:
                return f"{name} resigns"
            game.play(best.move)
            waiting.play(best.move)
        except (EngineError, IllegalMove) as error:
            return f"{name} loses: {error}"
        used_s = best.time_s or 0.0
        if used_s > (black, white)[color].move_s:
            return f"{name} loses on time"
        clocks = clocks.spent(color, used_s)
        left = "  ".join(f"{other.name.lower()} {clocks.of(other).left_s:6.2f} s" for other in Color)
        print(f"{len(game.moves):2}. {name:5} {move_name(best.move):4}  {left}", flush=True)
    print(game.transcript())
    winner = "black" if game.final_score > 0 else "white"
    return f"{winner} wins by {abs(game.final_score)}" if game.final_score else "draw"


def main() -> int:
    """Read the command line and play; return the exit status."""
    parser = argparse.ArgumentParser(description="play one game between two engine processes under a clock")
    parser.add_argument("--black", default=THIS_ENGINE, help="command; default: this engine")
    parser.add_argument("--white", default=THIS_ENGINE, help="command; default: this engine")
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each side (default 10)")
    parser.add_argument("--increment", type=float, default=0.0, help="seconds more after each move (default 0)")
    chosen = parser.parse_args()
    try:
        commands = shlex.split(chosen.black), shlex.split(chosen.white)
        with Client(commands[0], deadlines=PATIENT) as black, Client(commands[1], deadlines=PATIENT) as white:
            print(play((black, white), TimeSettings(TimeSystem.FISCHER, chosen.time, chosen.increment)))
    except EngineError as error:
        print(f"two_process_match: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

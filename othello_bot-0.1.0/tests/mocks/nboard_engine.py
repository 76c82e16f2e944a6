"""A mock engine that speaks NBoard 2: `python nboard_engine.py --stall-at 2`.

Quirks (`--quirks`): `edax` separates move, value and time with spaces, `ntest` names itself only after `set depth`.
"""

from __future__ import annotations

import contextlib
import re
import time
from pathlib import Path
from sys import path

path.insert(0, str(Path(__file__).resolve().parents[2]))

from othello_bot.base.notation import PASS, move_name, parse_move
from othello_bot.rules.position import IllegalMove, Position
from tests.mocks.misbehaviour import Misbehaviour, complain, run, say


class NBoardMock:
    """The game, and the effects of a GUI's lines."""

    def __init__(self, trouble: Misbehaviour) -> None:
        self.trouble = trouble
        self.quirks = trouble.flags.quirks.split(",")
        self.position = Position.start()

    def serve(self) -> None:
        """Obey until the end of input."""
        for line in self.trouble.lines():
            verb, _, rest = line.partition(" ")
            if verb == "quit" and self.trouble.quits():
                return
            if verb == "nboard" and "ntest" not in self.quirks:
                say("set myname Mock15\n")
            elif verb == "set":
                self.set(*rest.split(maxsplit=1))
            elif verb == "move":
                time.sleep(self.trouble.flags.play_delay)
                with contextlib.suppress(IllegalMove):
                    self.position = self.position.play(parse_move(rest.split("/")[0]))
            elif verb == "ping":
                say(f"pong {rest}\n")
            elif verb == "go":
                self.go()
            elif verb == "hint":
                self.hint(int(rest))

    def set(self, variable: str, value: str) -> None:
        """Set the game; other settings are only recorded."""
        if variable == "game":
            board = re.search(r"BO\[8([^\]]*)\]", value)
            assert board is not None
            self.position = Position.parse(board[1])
            for move in re.findall(r"\b[BW]\[([^\]/]*)", value[board.end() :]):
                self.position = self.position.play(parse_move(move))
        elif variable == "depth" and "ntest" in self.quirks:
            say(f"\nset myname Ntest{value}\n")

    def go(self) -> None:
        """Answer with a move, or misbehave."""
        complain("status of the search: fine")
        move = self.trouble.choose(self.position)
        if move is None:
            return
        if self.trouble.is_time_for("nonsense"):
            say("=== the best one\n")
            return
        name = "PA" if move == PASS else move_name(move).upper()
        say(f"status thinking\nnodestats 1234 0.5\nsearch {name} 1.25 0 8 mock\n")
        say(f"=== {name} 1.50 0.0\n" if "edax" in self.quirks else f"=== {name}/1.50/0.01\n")

    def hint(self, count: int) -> None:
        """Print a few rounds of hints."""
        for depth in ("4", "8", "100%"):
            for move in self.position.legal_moves[:count]:
                say(f"search {move_name(move).upper()} 0.50 0 {depth} mock\n")
            say("nodestats 99 0.1\n")
            time.sleep(0.005)
        say("status\n")


if __name__ == "__main__":
    run(__doc__, lambda trouble: NBoardMock(trouble).serve())

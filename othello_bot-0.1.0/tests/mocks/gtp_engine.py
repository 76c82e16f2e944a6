"""A mock engine that speaks GTP: `python gtp_engine.py --crash-at 3`.

Quirks (`--quirks`, words separated by commas): `upper` answers in capitals, `spaced` writes a space after the sign for
an empty reply, `glued` none before a text, `unended` no empty line after a reply, `stateful` answers `play` like Edax
for a wrong colour, `passing` makes forced passes by itself and refuses pass commands, like GRhino.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from sys import path

path.insert(0, str(Path(__file__).resolve().parents[2]))

from othello_bot.base.notation import PASS, Color, move_name, parse_move
from othello_bot.rules.position import Position
from tests.mocks.misbehaviour import Misbehaviour, run, say

VERBS = """protocol_version name version list_commands known_command quit boardsize clear_board komi play genmove undo
time_settings time_left kata-time_settings setoption setposition ping kata-analyze showboard"""

COMMANDS = VERBS.split()


class GtpMock:
    """The game, the options, and one answer a line."""

    def __init__(self, trouble: Misbehaviour) -> None:
        self.trouble = trouble
        self.quirks = trouble.flags.quirks.split(",")
        self.position = Position.start()
        self.before: list[Position] = []
        """The positions to which `undo` goes back."""
        self.identity = ""
        self.lines: Iterator[str] = iter(())
        self.pending: list[str] = []
        """The line that has ended an analysis."""

    def answer(self, ok: bool, text: str = "") -> None:
        """Print a reply."""
        sign = "=" if ok else "?"
        space = " " if (text and "glued" not in self.quirks) or "spaced" in self.quirks else ""
        say(f"{sign}{self.identity}{space}{text}\n" + ("" if "unended" in self.quirks else "\n"))

    def serve(self) -> None:
        """Answer until the end of input."""
        self.lines = self.trouble.lines()
        for line in self.lines:
            self.pending.append(line)
            while self.pending:
                words = self.pending.pop(0).partition("#")[0].split()
                self.identity = words.pop(0) if words and words[0].isdigit() else ""
                if words[:1] == ["quit"] and self.trouble.quits():
                    self.answer(True)
                    return
                if words and words[0] != "quit":
                    self.obey(words[0], words[1:])

    def obey(self, verb: str, arguments: list[str]) -> None:
        """Answer one command."""
        if self.trouble.flags.no_list and verb in ("name", "version", "list_commands", "time_left"):
            self.answer(False, "unknown command")
        elif verb in ("name", "version", "protocol_version"):
            self.answer(True, {"name": "Mock", "version": "1.5", "protocol_version": "2"}[verb])
        elif verb == "list_commands":
            self.answer(True, "\n".join(COMMANDS))
        elif verb == "known_command":
            self.answer(True, str(arguments[0] in COMMANDS).lower())
        elif verb == "clear_board":
            self.position = Position.start()
            self.before.clear()
            self.answer(True)
        elif verb == "undo":
            if self.before:
                self.position = self.before.pop()
                self.answer(True)
            else:
                self.answer(False, "cannot undo")
        elif verb == "setposition":
            self.position = Position.parse(" ".join(arguments))
            self.answer(True)
        elif verb == "play":
            self.play(*arguments)
        elif verb == "genmove":
            self.genmove(arguments[0])
        elif verb == "setoption":
            self.answer("nonexistent" not in arguments, "unknown option" if "nonexistent" in arguments else "")
        elif verb == "kata-analyze":
            self.analyse()
        elif verb in COMMANDS:
            self.answer(True)
        else:
            self.answer(False, "unknown command")

    def play(self, color: str, move: str) -> None:
        """Play, or refuse."""
        time.sleep(self.trouble.flags.play_delay)
        side = Color.BLACK if color.lower().startswith("b") else Color.WHITE
        if "passing" in self.quirks:
            if parse_move(move) == PASS:
                self.answer(False, "syntax error")
                return
            self.pass_by_itself()
        try:
            if side is not self.position.color:
                raise ValueError("wrong color")
            after = self.position.play(parse_move(move))
        except ValueError as error:
            self.answer(False, "illegal move: " + str(error))
        else:
            self.go_to(after)
            self.answer(True)

    def go_to(self, position: Position) -> None:
        """Go to a position, from which `undo` leads back."""
        self.before.append(self.position)
        self.position = position

    def pass_by_itself(self) -> None:
        """Pass where the rules force the side to move to."""
        if self.position.must_pass:
            self.go_to(self.position.play(PASS))

    def genmove(self, color: str) -> None:
        """Choose and play a move, or misbehave."""
        if "passing" in self.quirks:
            self.pass_by_itself()
        move = self.trouble.choose(self.position)
        if move is None:
            return
        if self.trouble.is_time_for("refuse"):
            self.answer(False, "out of ideas")
        elif self.trouble.is_time_for("nonsense"):
            self.answer(True, "the best one")
        elif self.trouble.is_time_for("resign"):
            self.answer(True, "resign")
        else:
            if move in (self.position.legal_moves or (PASS,)) and not self.position.is_over:
                self.go_to(self.position.play(move))
            name = move_name(move)
            self.answer(True, name.upper() if "upper" in self.quirks else name)

    def analyse(self) -> None:
        """Stream a few reports, then wait for any line."""
        say("=\n")
        for round_ in range(1, 4):
            infos = [
                f"info move {move_name(move)} visits {100 * round_} winrate 0.600000 scoreLead {3 - order} prior 0.1"
                f" lcb 0.6 order {order} pv {move_name(move)}"
                for order, move in enumerate(self.position.legal_moves[:2])
            ]
            say(" ".join(infos) + "\n")
            time.sleep(0.005)
        self.pending.extend(line for line in [next(self.lines, "quit")] if line)
        say("\n")


if __name__ == "__main__":
    run(__doc__, lambda trouble: GtpMock(trouble).serve())

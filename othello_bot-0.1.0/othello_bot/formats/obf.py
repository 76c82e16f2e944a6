"""OBF, one position a line with known scores: "64-cells X; G8:+18; H1:+12;", or the best score alone, "+12;".

Scores are in discs from the view of the player to move, empties to the winner. A % begins a comment.

FEN for Othello as Edax writes it: ranks go from 8 down to 1 and files from a to h; `p` is a black disc, `P` a white
one, a digit a run of empty squares; then "b" or "w" to move, and "- - 0 1", which has no meaning here. WinBoard swaps
the two letters. That form is not supported, because nothing in the text distinguishes the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from othello_bot.base.errors import FormatError, parsed
from othello_bot.base.notation import PASS, move_name, parse_integer, parse_move
from othello_bot.formats.found import FoundGame
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game, Position


def format_fen(position: Position) -> str:
    """Return a position as Edax writes it in FEN."""
    cells = position.to_string()[:64].translate(str.maketrans("XO", "pP"))
    ranks = [re.sub("-+", lambda run: str(len(run[0])), cells[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]
    return f"{'/'.join(ranks)} {position.color.letter} - - 0 1"


_LONGEST_LINE: Final = 4096
"""Most characters in a line: a board and a score for each of at most 33 moves take a few hundred."""

_FIELD: Final = re.compile(r"(?:([a-h][1-8]|pass|pa|ps|--)\s*:)?\s*([+-]?\d{1,3})", re.IGNORECASE | re.ASCII)

_NO_MOVE: Final = re.compile(r"--\s*:\s*-127")
"""Some programs end a line with this; it stands for no move and no score."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A position with its known scores: those of some moves, and the best score, both from the mover's view."""

    position: Position
    scores: Mapping[int, int] = field(default_factory=dict)
    stated_best: int | None = None

    @property
    def best_score(self) -> int | None:
        """The score of the best move, or the lone score of the line; None if it has neither."""
        return max(self.scores.values()) if self.scores else self.stated_best

    @property
    def best_moves(self) -> tuple[int, ...]:
        """The moves with the best score; empty if the line names no move."""
        return tuple(move for move, score in self.scores.items() if score == self.best_score)


def parse_line(text: str) -> Problem | None:
    """Return the problem of a line, None for an empty line or a comment; raise FormatError for an invalid one.

    Moves must be legal in the position; scores lie between -64 and 64.
    """
    if len(text) > _LONGEST_LINE:
        raise FormatError("OBF line", text, f"at most {_LONGEST_LINE} characters")
    fields = text.split("%", 1)[0].split(";")
    if not fields[0].strip():
        if any(part.strip() for part in fields):
            raise FormatError("OBF line", text, "a board before the first semicolon")
        return None
    position = parsed(Position.parse, fields[0], FormatError, "board")
    legal = (PASS,) if position.must_pass else position.legal_moves
    scores: dict[int, int] = {}
    best = None
    place = len(fields[0]) + 1
    for part in fields[1:]:
        if part.strip() and not _NO_MOVE.fullmatch(part.strip()):
            match = _FIELD.fullmatch(part.strip())
            if match is None or abs(parse_integer(match[2])) > 64:
                raise FormatError("OBF field", part, "move:score like G8:+18, or a score from -64 to 64", place)
            if match[1] is None:
                best = parse_integer(match[2])
            else:
                move = parse_move(match[1])
                if move not in legal:
                    raise FormatError("illegal move", match[1], " ".join(map(move_name, legal)) or "no move", place)
                scores[move] = parse_integer(match[2])
        place += len(part) + 1
    return Problem(position, scores, best)


def read(lines: Iterable[str]) -> Iterator[Problem]:
    """Yield the problems of the lines of a file; raise FormatError, whose message begins with the line number."""
    for number, line in enumerate(lines, 1):
        try:
            problem = parse_line(line)
        except FormatError as error:
            raise FormatError(f"line {number}:", error.value, error.expected, error.place) from error
        if problem is not None:
            yield problem


def format_line(problem: Problem) -> str:
    """Return a problem as a line of OBF, best move first."""
    ranked = sorted(problem.scores.items(), key=lambda item: -item[1])
    parts = [f"{move_name(move).upper()}:{score:+d};" for move, score in ranked]
    if not parts and problem.stated_best is not None:
        parts = [f"{problem.stated_best:+d};"]
    return " ".join([f"{problem.position.to_string()};", *parts])


BEGINNING: Final = re.compile(
    r"(?:[^\S\n]*(?:%[^\n]*)?\n)*[^\S\n]*(?:[XxBb*OoWw._-][^\S\n]*){64}"
    r"(?:[XxBb*OoWw][^\S\n]*;|;(?![^\S\n]*[XxBb*OoWw][^\S\n]*(?:[;\n]|\Z)))"
)
"""The beginning of a text in OBF: the first line with more than a comment has a board and a semicolon, but not the side to
move in a field of its own."""


def found_games(text: str) -> Iterator[FoundGame]:
    """Yield each problem as a game without moves, readable or not."""
    number = offset = 0
    for line_number, line in enumerate(text.splitlines(keepends=True), 1):
        try:
            problem = parse_line(line)
            if problem is not None:
                number += 1
                yield FoundGame(number, offset, line_number, _record(problem))
        except FormatError as error:
            number += 1
            error = FormatError(error.what, error.value, error.expected, offset + error.place)
            yield FoundGame(number, error.place, line_number, error=error)
        offset += len(line)


def _record(problem: Problem) -> GameRecord:
    return GameRecord(Game(problem.position), scores=problem.scores, best_score=problem.stated_best)


def write_game(record: GameRecord) -> str:
    """Return the final position of a game as a line of OBF, with the scores of its moves where they are known."""
    return format_line(Problem(record.game.position, record.scores, record.best_score))

"""The console of Edax: what people type and scripts send as typed commands, and the text that they read.

Scripts start Edax without a protocol, send these commands, and look for ``Edax plays D3``, for the prompt, or for the
last line of the board. Sources: the manual of a fork of Edax, and public scripts that drive it; no source of Edax. The
text is written as those expect it, blank lines included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from othello_bot.base import notation
from othello_bot.base.errors import SHOWN_COLUMNS, ProtocolError, parsed
from othello_bot.base.evaluated import Bound, ChosenBy, EvaluatedMove
from othello_bot.base.notation import PASS, Board, Color
from othello_bot.base.visible import visible

PROMPT: Final = ">"
"""Written when a command is answered, without the end of a line."""

SILENT: Final = 0
NORMAL: Final = 1
PROGRESS: Final = 2
MOST_VERBOSE: Final = 4
"""Verbosity: neither boards nor the table of a search; both; also a row for each iteration; the most, no more than that."""


class EdaxError(ProtocolError):
    """A command with damaged arguments."""


class UnknownCommand(EdaxError):
    """A line that is neither a command nor a move that can be played."""

    def __init__(self, line: str, expected: str = "a move, or a command that help lists") -> None:
        super().__init__(line, expected)
        word, _, rest = line.partition(" ")
        shown = visible(f"{word} {rest.strip()}", SHOWN_COLUMNS)
        ValueError.__init__(self, f'Unknown command/Illegal move: "{shown}": expected {expected}')


# -- commands ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """A move alone, ``f5`` or ``ps``; ``line`` is the text as it came."""

    move: int
    line: str


@dataclass(frozen=True, slots=True)
class Play:
    """``play f5d6c3``: moves from the current position on; passes may be omitted."""

    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetBoard:
    """``setboard``: a position to start from."""

    board: Board


@dataclass(frozen=True, slots=True)
class Mode:
    """``mode N``: who plays; 0: Edax has White, 1: Black, 2: both, 3: neither."""

    number: int

    def plays(self, color: Color) -> bool:
        """Return whether Edax moves for that side without being asked."""
        return self.number == 2 or self.number == 1 - color


@dataclass(frozen=True, slots=True)
class Hint:
    """``hint N``: the best N moves."""

    count: int = 1


@dataclass(frozen=True, slots=True)
class Set:
    """``[set] option [=] value``; ``line`` is the text as it came."""

    name: str
    value: str
    line: str


@dataclass(frozen=True, slots=True)
class Verbose:
    """``verbose N``."""

    level: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line or a comment."""


@dataclass(frozen=True, slots=True)
class Word:
    """A command without arguments, under its main name: a key of ``WORDS``."""

    name: str


Command: TypeAlias = Move | Play | SetBoard | Mode | Hint | Set | Verbose | Nothing | Word

WORDS: Final = {
    "init": ("i", "a new game from the usual start"),
    "new": ("n", "a new game from the position that this one began with"),
    "go": ("", "Edax plays a move"),
    "stop": ("", "end the search with the best move found so far; then mode 3"),
    "undo": ("u", "take back a move, with mode 0 and 1 two"),
    "redo": ("r", "play again what was taken back"),
    "options": ("", "show the options"),
    "version": ("v", "show the version"),
    "help": ("?", "show this list"),
    "quit": ("q exit", "end"),
}
"""The commands without arguments, each with its short names and its effect."""

_ALIASES: Final = {alias: name for name, (aliases, _) in WORDS.items() for alias in (name, *aliases.split())}


def parse_command(line: str) -> Command:
    """Return the command of a line. Raise EdaxError."""
    if not line or line.startswith("#"):
        return Nothing()
    word, _, rest = line.partition(" ")
    verb, rest = word.lower(), rest.strip()
    if verb in _ALIASES:
        return Word(_ALIASES[verb])
    parse = _WITH_ARGUMENTS.get(verb)
    if parse is not None:
        return parse(rest)
    if not rest and notation.is_move(word):
        return Move(notation.parse_move(word), line)
    setting = (rest if verb == "set" else line).replace("=", " ", 1).split(maxsplit=1)
    if not setting:
        raise UnknownCommand(line)
    name, value = setting[0].lower(), "".join(setting[1:]).strip()
    if name in ("verbose", "mode"):
        return _WITH_ARGUMENTS[name](value)
    if name == "book" and value in ("on", "off"):
        name = "book-usage"
    return Set(name, value, line)


def _moves(text: str) -> Play:
    return Play(parsed(notation.parse_transcript, text, EdaxError))


_CELLS: Final = {**dict.fromkeys("Xx*Bb", "X"), **dict.fromkeys("OoWw", "O"), **dict.fromkeys("-.", "-")}


def _board(text: str) -> SetBoard:
    """Return the position of 64 squares and the side to move; other characters are skipped, as between rows.

    Without a side, it is Black's turn if the number of empty squares is even, else White's.
    """
    cells = "".join(_CELLS[character] for character in text if character in _CELLS)
    words = text.split()
    if len(cells) == 64 and len(words[-1]) == 1 and len(words) < 64:
        cells = cells[:63]  # the last one is the side, and a square is missing
    if len(cells) < 64 or len(cells.rstrip("-")) > 65:
        expected = "64 squares of X or *, O and - from a1 to h8, then X or O, the side to move"
        raise EdaxError(text, f"{expected} (found {min(len(cells), 64)} squares)")
    squares, side = cells[:64], cells[64:65].strip("-")
    to_move = Color(squares.count("-") % 2) if not side else Color("XO".index(side))
    return SetBoard(Board(squares, to_move))


def _number(low: int, high: int, default: int, text: str) -> int:
    return parsed(lambda word: notation.parse_integer(word, low, high), text, EdaxError) if text else default


def _verbose(text: str) -> Verbose:
    return Verbose(_number(SILENT, MOST_VERBOSE, NORMAL, text))


_WITH_ARGUMENTS: Final[dict[str, Callable[[str], Command]]] = {
    "play": _moves,
    "setboard": _board,
    "mode": lambda text: Mode(_number(0, 3, 3, text)),
    "m": lambda text: Mode(_number(0, 3, 3, text)),
    "hint": lambda text: Hint(max(1, _number(0, 10**9, 1, text))),
    "verbose": _verbose,
}


# -- what is written --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """``You play F5`` and ``Edax plays D6``."""

    by_edax: bool
    move: int

    def __str__(self) -> str:
        return f"\n{'Edax plays' if self.by_edax else 'You play'} {_move_text(self.move, Color.WHITE)}\n"


@dataclass(frozen=True, slots=True)
class Refused:
    """``WARNING:`` and what is wrong."""

    text: str

    def __str__(self) -> str:
        return f"WARNING: {self.text}\n"


GAME_OVER: Final = "\n*** Game Over ***\n"

_RULE: Final = "------+-----+--------------+-------------+----------+----------------------\n"
TABLE_BEGINS: Final = "\n depth|score|       time   |  nodes (N)  |   N/s    | principal variation\n" + _RULE
TABLE_ENDS: Final = _RULE

_LONGEST_VARIATION: Final = 8
"""Moves of a variation in the table, which is 80 columns wide."""


def row(evaluated: EvaluatedMove, color: Color) -> str:
    """Return a row of the table of a search, for a move of the side to move.

    Black's moves are written small, White's in capitals. A move of the opening book has only a score.
    """
    score = round(evaluated.score or 0)
    if evaluated.source is ChosenBy.BOOK:
        return f"book {score:+5d}{' ' * 42}{_move_text(evaluated.move, color)}\n"
    full_width = evaluated.selectivity == 100
    depth = f"{evaluated.depth:5d} " if full_width else f"{evaluated.depth:2d}@{evaluated.selectivity}%"
    time_s, nodes = evaluated.time_s or 0.0, evaluated.nodes or 0
    rate = f"{nodes / time_s:11.0f}" if time_s >= 0.001 else " " * 11
    sides = (color, color.opponent)
    shown = evaluated.pv[:_LONGEST_VARIATION]
    variation = " ".join(_move_text(move, sides[ply % 2]) for ply, move in enumerate(shown))
    return f"{depth:6} {_BOUNDS[evaluated.bound]}{score:+03d}{_clock(time_s):>16}{nodes:14d}{rate} {variation}\n"


_BOUNDS: Final = {Bound.EXACT: " ", Bound.LOWER: ">", Bound.UPPER: "<"}


@dataclass(frozen=True, slots=True)
class Diagram:
    """The two boards: discs with legal moves, and the numbers of the moves.

    Attributes:
        board: the position.
        legal: the moves of Black and of White, whoever is to move.
        start: the position before the first move.
        played: the moves since then, passes included.
        spent_s: seconds used by Black and by White.
    """

    board: Board
    legal: tuple[frozenset[int], frozenset[int]]
    start: Board
    played: Sequence[int]
    spent_s: tuple[float, float]

    def __str__(self) -> str:
        names = "  A B C D E F G H            {}            A  B  C  D  E  F  G  H\n"
        middle = self._middle()
        squares = [move for move in self.played if move != PASS]
        numbers = {square: f"{number:2d}" for number, square in enumerate(squares, start=1)}
        discs = {"X": "##", "O": "()", "-": "  "}
        rows = []
        for row in range(8):
            own = range(8 * row, 8 * row + 8)
            left = " ".join(self._cell(square) for square in own)
            right = "".join(f"|{numbers.get(square) or discs[self.start.cells[square]]}" for square in own)
            rows.append(f"{row + 1} {left} {row + 1}{middle[row]}{row + 1} {right}| {row + 1}\n")
        return f"\n{names.format('BLACK')}{''.join(rows)}{names.format('WHITE')}"

    def _cell(self, square: int) -> str:
        cell = self.board.cells[square]
        return {"X": "*", "O": "O"}.get(cell) or (".-"[square not in self.legal[self.board.to_move]])

    def _middle(self) -> list[str]:
        """Return what stands between the boards: clocks, discs and moves of both sides, and whose turn it is."""
        cells, to_move = self.board.cells, self.board.to_move
        discs = cells.count("X"), cells.count("O")
        counts = [f"   {discs[side]:2d} discs  {len(self.legal[side]):2d} moves   " for side in Color]
        clocks = [f"  {_clock(self.spent_s[side]):>15}       " for side in Color]
        empty = " " * 24
        if any(self.legal):
            state = f"  ply {len(self.played) + 1:2d} ({cells.count('-'):2d} empties)   "
            turn = f"    {to_move.name.title()}'s turn ({'*O'[to_move]})    "
        else:
            state = f"{'Game over':>16}        "
            winner = "White won" if discs[0] < discs[1] else "Black won"
            turn = f"{'draw':>14}          " if discs[0] == discs[1] else f"{winner:>16}        "
        return [clocks[0], counts[0], empty, state, turn, empty, counts[1], clocks[1]]


def help_text() -> str:
    """Return the list of commands."""
    alone = [(", ".join((name, *short.split())), about) for name, (short, about) in WORDS.items()]
    lines = [
        ("f5, or ps for a pass", "play a move"),
        ("play MOVES", "play moves, passes may be omitted"),
        ("setboard BOARD SIDE", "set up 64 squares of X, O and -, then the side to move"),
        ("mode N, m N", "0: Edax has White, 1: Black, 2: both, 3: neither"),
        ("hint N", "show the N best moves"),
        ("verbose N", "0: no boards, 1: boards, 2: also the progress of a search"),
        ("[set] OPTION [[=] VALUE]", "set an option, as on the command line: level 10, move-time 5; alone: show it"),
        *alone,
    ]
    return "".join(f"  {usage:24} {about}\n" for usage, about in lines)


def _move_text(move: int, color: Color) -> str:
    name = "ps" if move == PASS else notation.move_name(move)
    return name.upper() if color is Color.WHITE else name


def _clock(time_s: float) -> str:
    """Return ``0:03.958``, with hours only where there are any."""
    whole, thousandths = divmod(round(max(0.0, time_s) * 1000), 1000)
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{f'{hours}:{minutes:02d}' if hours else minutes}:{seconds:02d}.{thousandths:03d}"

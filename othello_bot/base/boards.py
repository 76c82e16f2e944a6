"""Boards as text: 64 cells in a row, GGS's brackets, and the drawings of programs and of people.

Programs do not agree on the signs of discs. `_colors_of` finds what they mean from all the signs of a board.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from othello_bot.base.grid import LONGEST_ROW, is_columns, plain, read_grid
from othello_bot.base.notation import Board, Color, NotationError, square_name

LONGEST_BOARD: Final = 4096
"""Most characters in a board's text; a drawing with lines between its squares takes half of it."""

_MOST_BESIDE: Final = 4
"""Most rows before or after a drawing that may say whose turn it is."""

_PAIRS: Final = (
    ("Xx", "Oo"),
    ("Bb", "Ww"),
    ("●⚫", "○◯〇⚪"),
    ("@", "Oo"),
    ("#", "Oo"),
    ("*", "Oo"),
    ("Xx*@#", "0"),
    ("■", "□"),
    ("XxBb*@#●⚫0", "OoWw○◯〇⚪1"),
)
"""Signs of black and white discs that go together. A star beside another black sign marks a legal move."""

_EMPTY: Final = frozenset("-._·・:+?🟩🟢") | {""}
_NAMED: Final = (frozenset(("black", "黒", *"xb*0@#●⚫")), frozenset(("white", "白", *"ow1○◯〇⚪")))
"""Names and signs of a side to move, in small letters, where the board does not tell what they mean."""

_SIDE: Final = "(black|white|[xobw*@#●○◯〇⚫⚪黒白])"
_TURN: Final = (
    re.compile(rf"(?<!\w){_SIDE}(?!\w)\W{{0,3}}(?:\(\S{{1,2}}\)\W{{0,3}})?(?:'?s )?(?:is )?(?:to |turn)"),
    re.compile(rf"(?<!\w)(?:turn|to move|to play|side|player|next|手番)\W{{0,4}}(?:is )?{_SIDE}(?!\w)"),
    re.compile("([黒白])の?(?:番|手番)"),
    re.compile(rf"\W{{0,3}}?{_SIDE}\W{{0,3}}"),
)
"""How a row says whose turn it is. The last one is for a row that says nothing else."""

_CELL: Final = "[XxBb*@#0OoWw12●○◯〇⚫⚪._·・-]"
_BOARD: Final = re.compile(
    rf"\s*(?:(?:BO)?\[?8\s+)?(?P<board>(?:{_CELL}\s*){{64}})"
    r"(?P<side>(?:black|white)\b|[XxOoWw*@#●○◯〇⚫⚪]|[Bb](?![1-8])|[012](?=[\s;\]]|$))?[\s;:]*\]?[\s;:]*",
    re.IGNORECASE,
)
_FEN: Final = re.compile(
    r"\s*([pP1-8]{1,8}(?:/[pP1-8]{1,8}){7})\s{1,8}([bBwW])(?![^\s;])(?:\s{1,8}-\s{1,8}-(?:\s{1,8}\d{1,3}){0,2})?[\s;]*"
)
_EXPECTED: Final = "64 cells of X (black), O (white) and - (empty), then the side to move, X or O"

_Colors = tuple[frozenset[str], frozenset[str]]
"""The signs of black and of white discs on a board."""


def parse_board(text: str) -> Board:
    """Return the board of 64 cells, or of a drawing of eight rows, and the side to move.

    Black is any of ``X x B b * @ # ● 0``, white ``O o W w ○ 1``, empty ``- . _``; where 0 is empty, 1 is black and 2 or
    -1 is white. Without a side, the number of discs tells it: black after an even number, as in a game without passes.
    Raise NotationError, whose value is the whole text, or the first cell or side that cannot be read.
    """
    if len(text) > LONGEST_BOARD:
        raise NotationError(text, _EXPECTED)
    shown = plain(text)
    row = _BOARD.fullmatch(shown)
    if row is not None:
        return _board("".join(row["board"].split()), row["side"] or "")
    board, rest = split_fen(shown)
    if board is not None and not rest:
        return board
    rows = shown.splitlines()
    for index in range(len(rows)):
        drawn = drawn_board(rows[index:], rows[:index])
        if drawn is not None:
            return drawn[0]
    packed = "".join(text.split()).removesuffix(";")
    if len(packed) < 64:
        raise NotationError(text, f"{_EXPECTED} (found {len(packed)} cells)" if packed else _EXPECTED)
    for square, cell in enumerate(packed[:64]):
        if not re.fullmatch(_CELL, cell):
            raise NotationError(cell, f"X, O or - at {square_name(square)}, cell {square + 1} of the board")
    raise NotationError(packed[64:], "X or O, the side to move, after the 64 cells")


def split_board(text: str) -> tuple[Board | None, str]:
    """Return the board at the beginning of ``text``, None without one, and the rest of the text."""
    found = _BOARD.match(text)
    if found is None:
        return split_fen(text)
    return _board("".join(found["board"].split()), found["side"] or ""), text[found.end() :]


def split_fen(text: str) -> tuple[Board | None, str]:
    """Return the board of a FEN of Edax at the beginning of ``text``, None without one, and the rest of the text.

    Ranks go from 8 down to 1; ``p`` is a black disc, ``P`` a white one, a digit a run of empty squares.
    """
    found = _FEN.match(text) if "/" in text else None
    if found is None:
        return None, text
    ranks = [re.sub("[1-8]", lambda run: "-" * int(run[0]), rank) for rank in found[1].split("/")]
    if any(len(rank) != 8 for rank in ranks):
        return None, text
    cells = "".join(reversed(ranks)).translate(str.maketrans("pP", "XO"))
    return Board(cells, Color.BLACK if found[2] in "bB" else Color.WHITE), text[found.end() :]


def drawn_board(rows: Sequence[str], before: Sequence[str] = ()) -> tuple[Board, int] | None:
    """Return the board whose drawing begins with the first row, and how many rows it takes; None without one.

    Rows `before` the drawing and after it may say whose turn it is.
    """
    grid = read_grid(rows)
    if grid is None or _colors_of(grid.cells) is None:
        return None
    taken = grid.rows
    side = next(filter(None, map(_turn, grid.beside)), "")
    for count, row in enumerate(rows[taken : taken + _MOST_BESIDE], taken + 1):
        if is_columns(row) or not side and (side := _turn(row)):
            taken = count
    side = side or next(filter(None, map(_turn, reversed(before[-_MOST_BESIDE:]))), "")
    return _board(grid.cells, side), taken


def _board(cells: Sequence[str], side: str) -> Board:
    """Return the board of cells in any signs; raise NotationError for signs of several kinds."""
    colors = _colors_of(cells)
    if colors is None:
        raise NotationError(" ".join(sorted(set(cells))), "signs of one kind, such as X, O and -")
    letters = "".join("X" if cell in colors[0] else "O" if cell in colors[1] else "-" for cell in cells)
    return Board(letters, _side(side, colors, letters))


def _side(side: str, colors: _Colors, letters: str) -> Color:
    """Return the side to move: as named, or else by the number of discs."""
    for black, white in (colors, _NAMED):
        for sign in (side, side.lower()):
            if sign in black or sign in white:
                return Color.BLACK if sign in black else Color.WHITE
    return Color.WHITE if letters.count("-") % 2 else Color.BLACK


def _colors_of(cells: Sequence[str]) -> _Colors | None:
    """Return the signs of the discs on a board; None if it has signs of several kinds."""
    discs = {cell[0] if len(set(cell)) == 1 else cell for cell in cells} - _EMPTY
    found = _colors_of_digits(cells, discs) if discs <= {"0", "1", "2", "-1"} else _colors_of_signs(discs)
    if found is None:
        return None
    black, white = ({*signs, *(2 * sign for sign in signs)} for signs in found)
    return frozenset(black), frozenset(white | {"()"})


def _colors_of_signs(discs: set[str]) -> tuple[set[str], set[str]] | None:
    for black, white in ((set(black), set(white)) for black, white in _PAIRS):
        both = discs & black and discs & (white | {"()"})
        marks = {"*", "0", "□", "()"} if both else {"()"}
        if discs - marks <= black | white:
            return black, white
    return None


def _colors_of_digits(cells: Sequence[str], discs: set[str]) -> tuple[set[str], set[str]]:
    """Return the digits of the discs: 0 and 1 beside empty squares of another sign; or else 1 and 2, or 1 and -1.

    Empty squares are 2 if some of the four in the centre are 0, because no game leaves those empty.
    """
    if not discs & {"2", "-1"}:
        return {"0"}, {"1"}
    centre = {cells[square] for square in (27, 28, 35, 36)}
    if "0" in centre and "2" not in centre:
        return {"0"}, {"1"}
    return {"1"}, {"2", "-1"}


def _turn(row: str) -> str:
    """Return the side that a row says to be on turn; empty if it says nothing about it."""
    if len(row) > LONGEST_ROW:
        return ""
    row = plain(row).lower().strip(" |\t")
    found = next(filter(None, (pattern.search(row) for pattern in _TURN[:-1])), None) or _TURN[-1].fullmatch(row)
    return "" if found is None else found[1]

"""Boards as text: 64 cells in a row, GGS's brackets, and the drawings of programs and of people.

A grid is eight rows of eight cells as they draw them, boards and score sheets with numbered squares. Cells stand next
to each other, or are separated by spaces, commas, tabs or bars. Rows may have their number on either side and lines
between them; the names of the columns show where blank cells are.

Programs do not agree on the signs of discs. `_colors_of` infers their meaning from all the signs of a board.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.base.notation import Board, Color, NotationError, square_name
from othello_bot.base.visible import plain

MOST_ROWS: Final = 40
"""Most rows that a grid takes, drawn lines and empty rows included."""

SHORTEST_ROW: Final = 8
"""Fewest characters in the first row of a grid: the signs of a row, or the names of the columns."""

LONGEST_ROW: Final = 300
"""Most characters in a row of a grid, or beside one."""

_DRAWN: Final = frozenset("+|=_-─━═│┃║┼╋┿╂├┤┬┴┌┐└┘┏┓┗┛┣┫┳┻╔╗╚╝╠╣╦╩╬╭╮╰╯")
"""The signs of the lines of a table."""

_RULE: Final = re.compile("[+=_─━═┼╋-]{2}")
_BAR: Final = re.compile("[|│┃║]")
_NO_CELL: Final = str.maketrans(dict.fromkeys("|│┃║,[]{}'\"", " "))
_TOKEN: Final = re.compile(r"-?\d{1,2}|[^\w\s]{1,2}|[xobwXOBW_〇]")
_FRACTION: Final = re.compile(r"(?<=\d)\.0*(?=[\s|]|$)")
_GLUED: Final = re.compile(r"[xobwXOBW012@#*.:_+·・●○◯〇⚫⚪□■🟩🟢-]{8}")
_COLUMNS: Final = ("abcdefgh", "12345678", "01234567")
_LABELS: Final = {"1": "12345678", "8": "87654321", "0": "01234567"}
"""The numbers of the rows from the first that is drawn to the last, by the first."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid at the beginning of some rows: its 64 cells from a1 on, blank ones as "", how many rows it takes, and the
    texts behind its rows.
    """

    cells: tuple[str, ...]
    rows: int
    beside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """The cells of a row, its number if it stands beside them, the text behind it, and whether it may be a line."""

    cells: list[str]
    label: str
    beside: str
    drawn: bool


def read_grid(rows: Sequence[str]) -> Grid | None:
    """Return the grid that begins with the first of these rows, or with the names of its columns; None without one.

    Rows numbered from 8 down to 1 are turned over.
    """
    found: list[_Row] = []
    labels = ""
    columns: list[int] | None = None
    for index, text in enumerate(rows[:MOST_ROWS]):
        if len(text) > LONGEST_ROW:
            return None
        text = plain(text)
        if index == 0 and (columns := _columns(text)) is not None:
            continue
        row = _row(text, labels[len(found)] if labels else "180", columns)
        if row is None or (labels and not row.label):
            if (found or columns is not None) and (not text.strip() or _is_drawn(text)):
                continue
            return None
        if row.label and not labels:
            if not all(before.drawn for before in found):
                return None
            found.clear()
            labels = _LABELS[row.label]
        found.append(row)
        if len(found) == 8:
            if labels.startswith("8"):
                found.reverse()
            cells = tuple(cell for one in found for cell in one.cells)
            return Grid(cells, index + 1, tuple(one.beside for one in found))
    return None


def is_columns(row: str) -> bool:
    """Return whether a row has the names of the columns and nothing else."""
    return len(row) <= LONGEST_ROW and _columns(plain(row)) is not None


def is_line(row: str) -> bool:
    """Return whether a row draws a line of a table and is not a pass."""
    return row.strip() != "--" and _is_drawn(row)


class PastedBoard:
    """A drawn board that arrives row by row, as pasted at a prompt."""

    def __init__(self) -> None:
        self._rows: list[str] = []
        self._is_whole = False
        self._board: Board | None = None

    @property
    def is_open(self) -> bool:
        """Whether rows are missing."""
        return bool(self._rows) and not self._is_whole

    def add(self, row: str) -> bool:
        """Take a row if it begins or continues a drawing, or is a whole board, or says more of one: the side to move."""
        if self._is_whole:
            # Our own drawings name the opening.
            if is_columns(row) or _is_border(row) or _turn(row) or row.startswith("opening:"):
                self._rows.append(row)
                return True
            self.clear()
        if not self._rows and 64 <= len(row) <= LONGEST_ROW:
            with contextlib.suppress(NotationError):
                parse_board(row)
                self._rows, self._is_whole = [row], True
                return True
        begins = is_columns(row) or _is_row_of_signs(row, "180") or _is_border(row)
        continues = self.is_open and (not row.strip() or is_line(row) or _is_row_of_signs(row, _COLUMNS[1]))
        if len(row) > LONGEST_ROW or not (begins or continues) or len(self._rows) >= MOST_ROWS:
            return False
        self._rows.append(row)
        without_border = list(itertools.dropwhile(is_line, self._rows))
        self._is_whole = any(read_grid(rows) is not None for rows in (self._rows, without_border))
        return True

    def clear(self) -> None:
        """Forget the rows."""
        self._rows.clear()
        self._is_whole, self._board = False, None

    def board(self) -> Board | None:
        """Return the board where the last row has changed it, else None. Raise NotationError for signs of several kinds."""
        before = self._board
        if self._is_whole:
            self._board = parse_board("\n".join(self._rows))
        return self._board if self._board != before else None


def _is_border(row: str) -> bool:
    """Return whether a row draws a line that is longer than a row of empty squares."""
    return len(row.strip()) > SHORTEST_ROW and is_line(row)


def _is_row_of_signs(text: str, labels: str) -> bool:
    """Return whether a text is a row of a grid, and no list of squares as numbers."""
    row = _row(plain(text), labels, None) if len(text) <= LONGEST_ROW else None
    return row is not None and all(len(cell) < 2 or not cell.isdigit() for cell in row.cells)


def _is_drawn(row: str) -> bool:
    """Return whether a row has only the signs of lines, with two of them next to each other."""
    return _RULE.search(row) is not None and _DRAWN.issuperset("".join(row.split()))


def _columns(row: str) -> list[int] | None:
    """Return the places of the names of the columns if a row has nothing else; None if it has."""
    if len(row) < 8:
        return None
    row = row.translate(_NO_CELL).lower()
    names = "".join(row.split())
    return [row.index(name) for name in names] if names in _COLUMNS else None


def _row(text: str, labels: str, columns: list[int] | None) -> _Row | None:
    """Return a row, whose number may be one of `labels`; None if the text is not a row of a grid."""
    if not text.strip() and text.count("\t") < 7:
        return None
    fractions = _FRACTION.findall(text)
    text = text if len(fractions) == 1 else _FRACTION.sub("", text)  # one alone is the dot behind the row's number
    row = None
    if len(_BAR.findall(text)) >= 7:
        row = _row_of([part.strip() for part in _BAR.split(_without_border(text))], labels, blank=True)
    elif text.count("\t") >= 7:
        row = _row_of([part.strip() for part in text.split("\t")], labels, blank=True)
    words = text.translate(_NO_CELL).split()
    row = row or _row_of(words, labels) or _glued(words, labels) or _touching(words, labels)
    if row is None and columns is not None and words and words[0] in labels:
        cells = [text[place : place + 1].strip() for place in columns]
        if all(not cell or _TOKEN.fullmatch(cell) for cell in cells):
            return _Row(cells, words[0], text[columns[-1] + 1 :], False)
    return row


def _without_border(row: str) -> str:
    """Return a row without the bars on its left and right side."""
    row = row.strip()
    return row[1 if _BAR.match(row) else 0 : -1 if _BAR.match(row[-1:]) else None]


def _row_of(words: list[str], labels: str, blank: bool = False) -> _Row | None:
    """Return the row of eight cells; its number may stand before or after them, and text may follow a numbered row."""
    for skipped in (1, 0):
        label = words[0].rstrip(".:)") if skipped and words else ""
        if skipped and not _is_label(label, labels):
            continue
        cells, after = words[skipped : skipped + 8], words[skipped + 8 :]
        if len(cells) < 8 or not all(_TOKEN.fullmatch(cell) or (blank and not cell) for cell in cells):
            continue
        if after and _is_label(after[0], labels) and (not label or after[0] == label):
            label, after = after[0], after[1:]
        if label or not any(after):
            return _Row(cells, label, " ".join(after), all(map(_DRAWN.issuperset, cells)))
    return None


def _glued(words: list[str], labels: str) -> _Row | None:
    """Return the row whose cells are written next to each other."""
    label = words[0].rstrip(".:)") if words else ""
    skipped = 1 if len(words) > 1 and _is_label(label, labels) else 0
    if not words or not _GLUED.fullmatch(words[skipped]):
        return None
    return _row_of([*words[:skipped], *words[skipped], *words[skipped + 1 :]], labels)


def _touching(words: list[str], labels: str) -> _Row | None:
    """Return the row whose number touches its first cell, its last one, or both, as in "1...xo..." and ". . .1"."""
    for before, behind in ((True, True), (True, False), (False, True)):
        parts = list(words)
        if behind and parts:
            parts[-1:] = [parts[-1][:-1], parts[-1][-1:]]
        if before and parts:
            parts[:1] = [parts[0][:1], parts[0][2 if len(parts[0]) == 10 and parts[0][1] in ".:)" else 1 :]]
        if all(parts) and all(_is_label(part, labels) for part in (*parts[:before], *parts[len(parts) - behind :])):
            row = _row_of(parts, labels) or _glued(parts, labels)
            if row is not None and row.label:
                return row
    return None


def _is_label(word: str, labels: str) -> bool:
    return len(word) == 1 and word in labels


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
_NAMED: Final = (frozenset(("black", "黒", *"xb*0@#●⚫")), frozenset(("white", "白", *"ow12○◯〇⚪")))
"""Names and signs of the side to move, in lower case, for boards that do not show what they mean."""

_COUNTED: Final = (frozenset("1"), frozenset("2"))
"""The side to move where `+` is an empty square: programs that draw it count the players from 1."""

_SIDE: Final = "(black|white|[xobw*@#●○◯〇⚫⚪黒白])"
_TURN: Final = (
    re.compile(rf"(?<!\w){_SIDE}(?!\w)\W{{0,3}}(?:\(\S{{1,2}}\)\W{{0,3}})?(?:'?s )?(?:is )?(?:to |turn)"),
    re.compile(rf"(?<!\w)(?:turn|to move|to play|side|player|next|手番)\W{{0,4}}(?:is )?{_SIDE}(?!\w)"),
    re.compile("([黒白])の?(?:番|手番)"),
    re.compile(rf"\W{{0,3}}?{_SIDE}\W{{0,3}}"),
)
"""How a row says whose turn it is. The last one is for a row that says nothing else."""

_CELL: Final = "[XxBb*@#0OoWw12●○◯〇⚫⚪._·・+-]"
_BOARD: Final = re.compile(
    rf"\s*(?:(?:BO)?\[?8\s+)?(?P<board>(?:{_CELL}\s*){{64}})"
    r"(?:(?P<side>(?:black|white)\b|[XxOoWw*@#●○◯〇⚫⚪]|[Bb](?![1-8])|[012](?=[\s;\]]|$))"
    r"|[\"']?[;,|]\s*[\"']?(?P<field>black|white|[XxOoBbWw*@#●○◯〇⚫⚪012])[\"']?\s*(?=[;,|]|$))?[\s;:]*\]?[\s;:]*",
    re.IGNORECASE,
)
"""A board in one row. The side to move follows it, or stands in a field of its own in a table."""

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
        return _board("".join(row["board"].split()), _stated_side(row))
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


def split_board(text: str, before: str = "") -> tuple[Board | None, str]:
    """Return the board at the beginning of ``text``, None without one, and the rest of the text.

    The text ``before`` it, or the rest, may say whose turn it is if nothing else does.
    """
    found = _BOARD.match(text)
    if found is None:
        return split_fen(text)
    rest = text[found.end() :]
    return _board("".join(found["board"].split()), _stated_side(found) or _turn(rest) or _turn(before)), rest


def _stated_side(row: re.Match[str]) -> str:
    return row["side"] or row["field"] or ""


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
    return Board(letters, _side(side, (colors, _COUNTED if "+" in cells else _NAMED, _NAMED), letters))


def _side(side: str, meanings: Sequence[_Colors], letters: str) -> Color:
    """Return the side to move: as the first of the meanings has it that knows its sign, or else by the number of discs."""
    for black, white in meanings:
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
    """Return the side to move that a row names; empty if it names none."""
    if len(row) > LONGEST_ROW:
        return ""
    row = plain(row).lower().strip(" |\t")
    found = next(filter(None, (pattern.search(row) for pattern in _TURN[:-1])), None) or _TURN[-1].fullmatch(row)
    return "" if found is None else found[1]

"""Eight rows of eight cells as people and programs draw them: boards, and score sheets with numbered squares.

Cells stand next to each other, or are separated by spaces, commas, tabs or bars. Rows may have their number on either
side and lines between them; the names of the columns tell where blank cells are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

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
    """Return whether a row draws a line of a table, and is no pass."""
    return row.strip() != "--" and _is_drawn(row)


def plain(row: str) -> str:
    """Return a text with wide letters and signs replaced by usual ones, without marks that only choose a picture."""
    if row.isascii():
        return row
    return unicodedata.normalize("NFKC", row.replace("\ufe0f", ""))


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
    """Return a row, whose number may be one of `labels`; None if the text is no row of a grid."""
    if not text or text.isspace():
        return None
    text = _FRACTION.sub("", text)
    row = None
    if len(_BAR.findall(text)) >= 7:
        row = _row_of([part.strip() for part in _BAR.split(_without_border(text))], labels, blank=True)
    elif text.count("\t") >= 7:
        row = _row_of([part.strip() for part in text.split("\t")], labels, blank=True)
    words = text.translate(_NO_CELL).split()
    row = row or _row_of(words, labels) or _glued(words, labels)
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
    """Return the row of eight cells with its number before or after them or not; a text may follow a numbered row."""
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


def _is_label(word: str, labels: str) -> bool:
    return len(word) == 1 and word in labels

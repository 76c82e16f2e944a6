"""Outside text made safe to show: names, comments and file names may contain anything and never reach a terminal raw.

A name can move the cursor, set the clipboard, turn the direction of the line or break a table. `visible` leaves only
characters that are drawn in one place on one line. Tables measure text as a terminal draws it, and cells of CSV files
are never formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

MOST_MARKS: Final = 4
"""Most accents and other marks over one character: more would paint over the lines above."""

_CUT: Final = "..."
_GAP: Final = "  "

_BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks without a picture, which Python counts as printable."""

_SELECTORS: Final = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Variation selectors: invisible too, and enough of them to hide a text in a name."""

_FORMULA: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Beginnings of a cell that spreadsheets take for a formula; some read the wide forms too."""


def visible(text: str, columns: int | None = None) -> str:
    """Return a text on one line that shows every character: at most `columns` wide, its end then replaced by "...".

    Line breaks, tabs and wide spaces become spaces. Control characters, directional and other invisible characters,
    and halves of characters become escapes as Python writes them (\\x1b, \\u202e); a byte of a file name that is not
    UTF-8 becomes \\xNN. What the text holds beyond `columns` is not read.
    """
    if text.isascii() and text.isprintable() and (columns is None or len(text) <= columns):
        return text
    pieces: list[str] = []
    width = fitting = 0
    for piece, wide in _pieces(text):
        width += wide
        if columns is not None and width > columns:
            return "".join(pieces[:fitting]) + _CUT[:columns]
        pieces.append(piece)
        if columns is not None and width <= columns - len(_CUT):
            fitting = len(pieces)
    return "".join(pieces)


def plain(text: str) -> str:
    """Return a text with wide letters and signs replaced by ordinary ones, without marks that only choose a picture.

    No letter keeps more than `MOST_MARKS` marks: the time to normalise a run of marks grows with its square.
    """
    if text.isascii():
        return text
    import unicodedata  # imported here: a session starts without it

    kept = []
    marks = 0
    for char in text.replace("\ufe0f", ""):
        marks = marks + 1 if unicodedata.category(char).startswith("M") else 0
        if marks <= MOST_MARKS:
            kept.append(char)
    return unicodedata.normalize("NFKC", "".join(kept))


def columns_of(text: str) -> int:
    """Return the columns of a terminal that a visible text takes: wide characters take two, marks none."""
    return len(text) if text.isascii() else sum(map(_width, text))


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Return a visible text followed by spaces up to this many columns, or preceded by them if `right` is true."""
    spaces = " " * (columns - columns_of(text))
    return spaces + text if right else text + spaces


def csv_text(text: str) -> str:
    """Return a text for a cell of a CSV file: visible, and no formula in a spreadsheet (an apostrophe precedes it)."""
    cell = visible(text)
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


def csv_line(cells: Iterable[object]) -> str:
    """Return a line of a CSV file with its end."""
    import csv  # imported here: a session starts without them
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def json_line(content: Mapping[str, object]) -> str:
    """Return an object as a line for programs, without its end."""
    import json  # imported here, as csv

    return json.dumps(content, separators=(", ", ": "))


def wrapped(line: str, columns: int) -> list[str]:
    """Return a line broken between words, so that each part takes at most `columns`; a longer word has its own line.

    The parts after the first are indented like the line, or, in a list of two columns, like its last column that
    begins in the left half.
    """
    if columns_of(line) <= columns:
        return [line]
    begin = len(line) - len(line.lstrip(" "))
    for gap in re.finditer(r"(?<=\S) {2,}(?=\S)", line):
        if columns_of(line[: gap.end()]) <= columns // 2:
            begin = gap.end()
    indent = " " * min(columns_of(line[:begin]), columns // 2)
    parts: list[str] = []
    part = line[:begin]
    for word in re.findall(r"\S+ *", line[begin:]):
        if part.strip() and columns_of(part) + columns_of(word.rstrip(" ")) > columns and len(part) > len(indent):
            parts.append(part.rstrip(" "))
            part = indent
        part += word
    return [*parts, part]


def table_lines(rows: Iterable[Sequence[str]], left: Sequence[int] = (0,), columns: int | None = None) -> list[str]:
    """Return the lines of a table of visible texts; the columns in `left` are left-aligned, the others right-aligned.

    The first row may hold the heads of the columns. All rows have the same number of cells. A table that is wider than
    `columns` of a terminal becomes several, with an empty line between them; each begins with the first column.
    """
    table = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(columns_of, column)) for column in zip(*table, strict=True)]
    groups = [[0]]
    for number in range(1, len(widths)):
        group = groups[-1]
        width = sum(widths[one] + len(_GAP) for one in group) + widths[number]
        if columns is None or width <= columns or len(group) == 1:
            group.append(number)
        else:
            groups.append([0, number])
    lines: list[str] = []
    for group in groups:
        lines += [""] if lines else []
        for row in table:
            cells = (padded(row[number], widths[number], right=number not in left) for number in group)
            lines.append(_GAP.join(cells).rstrip())
    return lines


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Yield the visible form of each character and its width in columns."""
    marks = 0
    for character in text:
        width = _width(character) if character.isprintable() else 0
        marks = 0 if width else marks + 1
        if character.isspace():
            yield " ", 1
        elif not character.isprintable() or _is_invisible(character) or marks > MOST_MARKS:
            escape = _escape(character)
            yield escape, len(escape)
        else:
            yield character, width


def _width(character: str) -> int:
    if character.isascii():
        return 1
    import unicodedata  # imported here: a session starts without it

    if unicodedata.category(character) in ("Mn", "Me") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _is_invisible(character: str) -> bool:
    return character in _BLANK_LETTERS or any(ord(character) in selectors for selectors in _SELECTORS)


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"  # PEP 383
    return ascii(character)[1:-1] if not character.isascii() else f"\\x{ord(character):02x}"

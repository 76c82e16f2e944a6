"""Pages of Markdown as plain text for a terminal: paragraphs, lists and tables at its width, code as it is.

It reads what our pages use: headings, paragraphs, lists, tables, fenced and indented code, comments, emphasis, code
spans, links and pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from othello_bot.base.visible import columns_of, padded, table_lines, wrapped

CODE_INDENT: Final = "    "
NARROWEST_CELL: Final = 8
"""Fewest columns of a table's cell that is broken."""

_GAP: Final = "  "
_FENCE: Final = re.compile(r" {0,3}(```+|~~~+)")
_HEADING: Final = re.compile(r"(#{1,6}) +(.*?)#* *")
_ITEM: Final = re.compile(r"( *)([-*+]|\d+[.)]) +(.*)")
_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_SPAN: Final = re.compile(r"(`+)(.+?)\1")
_PICTURE: Final = re.compile(r"!\[([^]]*)\]\([^)]*\)")
_LINK: Final = re.compile(r"\[([^]]+)\]\(([^)\s]+)\)")
_STRONG: Final = re.compile(r"\*\*(\S(?:.*?\S)?)\*\*")
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*(\S(?:.*?\S)?)\*(?![\w*])")
_UNDERLINES: Final = {1: "=", 2: "-"}


def plain_text(markdown: str, columns: int) -> str:
    """Return a page of Markdown as text for a terminal of this many columns."""
    blocks = ["\n".join(block) for block in _blocks(_COMMENT.sub("", markdown).split("\n"), columns)]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _blocks(lines: list[str], columns: int) -> Iterator[list[str]]:
    """Yield the blocks of a page, each as its lines."""
    at = 0
    while at < len(lines):
        begin, line = at, lines[at]
        at += 1
        if fence := _FENCE.match(line):
            while at < len(lines) and not lines[at].lstrip().startswith(fence[1]):
                at += 1
            yield [f"{CODE_INDENT}{code}".rstrip() for code in lines[begin + 1 : at]]
            at += 1
        elif heading := _HEADING.fullmatch(line):
            yield _heading(len(heading[1]), inline(heading[2]), columns)
        elif line.startswith(CODE_INDENT):
            at = _end(lines, at, lambda text: text.startswith(CODE_INDENT))
            yield lines[begin:at]
        elif line.startswith("|"):
            at = _end(lines, at, lambda text: text.startswith("|"))
            yield _table([_cells(row) for row in lines[begin:at]], columns)
        elif _ITEM.fullmatch(line):
            at = _end(lines, at, lambda text: bool(text.strip()) and not _begins_a_block(text))
            yield _list(lines[begin:at], columns)
        elif line.strip():
            at = _end(lines, at, lambda text: bool(text.strip()) and not _begins_a_block(text))
            yield wrapped(inline(" ".join(part.strip(" >") for part in lines[begin:at])), columns)


def _begins_a_block(line: str) -> bool:
    return line.startswith(("#", "|")) or _FENCE.match(line) is not None


def _end(lines: list[str], at: int, belongs: Callable[[str], bool]) -> int:
    """Return the index of the first line from `at` on that does not belong to a block."""
    while at < len(lines) and belongs(lines[at]):
        at += 1
    return at


def _heading(level: int, text: str, columns: int) -> list[str]:
    """Return a heading, underlined if it is one of the first two levels."""
    lines = wrapped(text, columns)
    return [*lines, _UNDERLINES[level] * max(map(columns_of, lines))] if level in _UNDERLINES else lines


def _list(lines: list[str], columns: int) -> list[str]:
    """Return the items of a list, each continued below its text."""
    items: list[list[str]] = []
    for line in lines:
        if found := _ITEM.fullmatch(line):
            items.append([found[1], found[2], found[3]])
        else:
            items[-1][2] += f" {line.strip()}"
    shown: list[str] = []
    for indent, mark, text in items:
        head = f"{indent}{mark} "
        parts = wrapped(inline(text), max(columns - len(head), NARROWEST_CELL))
        shown += [head + parts[0], *(" " * len(head) + part for part in parts[1:])]
    return shown


def _cells(row: str) -> list[str]:
    """Return the cells of a table's row."""
    cells = re.split(r"(?<!\\)\|", row.strip().strip("|"))
    return [inline(cell.replace("\\|", "|").strip()) for cell in cells]


def _table(rows: list[list[str]], columns: int) -> list[str]:
    """Return a table; where it is too wide, the texts in its widest columns are broken, or it becomes several."""
    count = max(map(len, rows))
    rows = [row + [""] * (count - len(row)) for row in rows if not all(re.fullmatch(":?-+:?", cell) for cell in row)]
    widths = [max(columns_of(row[number]) for row in rows) for number in range(count)]
    words = [[word for row in rows for word in row[number].split()] for number in range(count)]
    least = [max([NARROWEST_CELL, *map(columns_of, column)]) for column in words]
    while sum(widths) + len(_GAP) * (count - 1) > columns:
        spare, widest = max(
            (width - narrow, number) for number, (width, narrow) in enumerate(zip(widths, least, strict=True))
        )
        if spare <= 0:
            break
        widths[widest] -= 1
    if sum(widths) + len(_GAP) * (count - 1) > columns:
        return table_lines(rows, tuple(range(count)), columns)
    shown: list[str] = []
    for index, row in enumerate(rows):
        broken = [wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
        for line in range(max(map(len, broken))):
            parts = [
                padded(cell[line] if line < len(cell) else "", width)
                for cell, width in zip(broken, widths, strict=True)
            ]
            shown.append(_GAP.join(parts).rstrip())
        if index == 0:
            shown.append(_GAP.join("-" * width for width in widths))
    return shown


def inline(text: str) -> str:
    """Return a line of Markdown without its marks; addresses of links to other sites stay, in brackets."""
    spans: list[str] = []

    def kept(span: re.Match[str]) -> str:
        spans.append(span[2].strip() if len(span[1]) > 1 else span[2])
        return f"\0{len(spans) - 1}\0"

    text = _SPAN.sub(kept, text)
    text = _PICTURE.sub(r"[picture: \1]", text)
    text = _LINK.sub(lambda link: f"{link[1]} ({link[2]})" if "://" in link[2] else link[1], text)
    text = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", text))
    return re.sub(r"\0(\d+)\0", lambda span: spans[int(span[1])], text)

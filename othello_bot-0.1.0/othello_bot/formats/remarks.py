"""Remarks of a pasted line that mention moves, behind a mark: "f5d6c3 ; f4 loses 4", or names of openings in a table.

What stands behind a mark is a remark only where two moves or more stand before it, and it holds a word that is neither
moves nor a number. A mark that separates moves elsewhere in the line separates them here too. Otherwise everything is
read as moves, so that no game is cut short.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from othello_bot.formats.words import Mark, Token

_KINDS: Final = ("quote", "tab", "bar", "slashes", "reference", "semicolon", "arrow", "comma", "gap", "equals", "dash")
"""The marks from the one that separates most."""

_COLUMNS: Final = ("quote", "tab", "bar", "comma", "gap")
"""Marks that often stand between parts of a game."""

_TABLE_MARKS: Final = ("quote", "tab", "bar")
"""Marks between the columns of a table."""

_NAME_MARKS: Final = ("quote", "tab", "bar", "semicolon", "gap", "equals")
"""Marks behind a name that stands before its moves."""

_LEAST_MOVES: Final = 2
_LEAST_NAMED_MOVES: Final = 4
"""Fewest moves next to each other behind a name that mentions moves."""

_BEFORE: Final = re.compile(r"[\s\"“”„«»'‘’,;|:/*=>\-)}\]]*")
_BEHIND: Final = " \t\"“”„«»'‘’,;|}]:*/"


def without_remarks(line: str, tokens: list[Token], marks: Sequence[Mark]) -> list[Token]:
    """Return the tokens of a line with one in place of each remark before and behind its moves."""
    tokens, marks = _without_name_before(line, tokens, marks)
    ends_in_label = len(tokens) > 1 and tokens[-1].is_label and bool(tokens[-2].moves)
    if ends_in_label:
        tokens[-1].is_name = True  # "c4 line" is a remark where one may stand
    start = _remark_behind(line, tokens, marks)
    if ends_in_label and start is None:
        tokens[-1].is_name = False
    if start is None:
        return tokens
    remark = _remark(line, start.end, len(line))
    return [*tokens[: start.index], remark]


def _remark(line: str, begin: int, end: int) -> Token:
    """Return the token of a remark between two places, without the signs around it."""
    found = _BEFORE.match(line, begin, end)
    start = begin if found is None else found.end()
    text = line[start:end].rstrip(_BEHIND)
    while text.endswith(")") and text.count("(") < text.count(")"):
        text = text[:-1].rstrip(_BEHIND)
    return Token(start, start + len(text), text, is_note=True, is_name=True, is_remark=True)


def _without_name_before(line: str, tokens: list[Token], marks: Sequence[Mark]) -> tuple[list[Token], Sequence[Mark]]:
    """Return tokens and marks with one token in place of a name that mentions moves and stands before the others."""
    solid = next((index for index, token in enumerate(tokens) if len(token.moves) >= _LEAST_NAMED_MOVES), None)
    first = next((index for index, token in enumerate(tokens) if token.moves or token.damaged), None)
    if solid is None or first is None or first == solid:
        return tokens, marks
    single = all(len(token.moves) <= 1 for token in tokens[:solid])
    name = next((index for index in range(solid - 1, -1, -1) if tokens[index].is_name > tokens[index].is_note), -1)
    mark = next(
        (
            mark
            for mark in marks
            if name < mark.index <= solid and mark.kind in _NAME_MARKS and (single or mark.kind != "equals")
        ),
        None,
    )
    if name < 0 or mark is None or any(token.moves or token.damaged for token in tokens[mark.index : solid]):
        return tokens, marks
    fewer = mark.index - 1
    behind = [Mark(one.kind, one.start, one.end, one.index - fewer) for one in marks if one.index >= mark.index]
    said = next(index for index, token in enumerate(tokens) if _says(token))
    begin = max((one.end for one in marks if one.index <= said and one.kind in _NAME_MARKS), default=0)
    return [_remark(line, begin, mark.start), *tokens[mark.index :]], behind


def _remark_behind(line: str, tokens: Sequence[Token], marks: Sequence[Mark]) -> Mark | None:
    """Return the mark behind which a remark begins that mentions moves; None without one."""
    moves = 0
    first = named = None
    for index, token in enumerate(tokens):
        moves += len(token.moves) + token.damaged
        first = index if first is None and moves else first
        if moves >= _LEAST_MOVES and token.is_name > token.is_note:
            named = index
            break
    if first is None or named is None:
        return None
    for kind in _KINDS:
        own = [mark for mark in marks if mark.kind == kind and first < mark.index <= named]
        start = _start(line, tokens, own, first, named) if own else None
        if start is not None:
            return start if any(map(_mentions_a_move, tokens[start.index :])) else None
    return None


def _start(line: str, tokens: Sequence[Token], marks: Sequence[Mark], first: int, named: int) -> Mark | None:
    """Return the one of the marks of a kind behind which the remark with the first name begins; None without one."""
    ends = [*(mark.index for mark in marks[1:]), named + 1]
    cells = [tokens[first : marks[0].index]] + [tokens[mark.index : end] for mark, end in zip(marks, ends, strict=True)]
    kind, begun = marks[0].kind, cells[0]
    before = sum(len(token.moves) for token in begun)
    later = [(mark, cell) for mark, cell in zip(marks, cells[1:], strict=True) if any(map(_says, cell))]
    if not later:
        return None
    mark, cell = later[0]
    is_column = kind in _TABLE_MARKS and not any(token.is_name > token.is_note for token in cell)
    has_one_style = _style(cell) == _style(begun) and (len(later) > 1 or (kind in _COLUMNS and _style(cell) == "solid"))
    if is_column or has_one_style:
        # The mark separates moves. The name's own cell may still be a remark, but only if no move begins it.
        is_remark = next(filter(_says, later[-1][1])).is_name or (
            is_column and before == 1 and _is_row(tokens, first, later)
        )
        return later[-1][0] if is_remark else None
    if kind == "dash" and [style for _, cell in later if (style := _style(cell))] != ["one"]:
        return None  # "f5d6 - c3d3 Tiger", "f5 d6 - c3 - d3 Tiger"
    if before < _LEAST_MOVES or (kind == "gap" and [len(token.moves) > 1 for token in begun] != [True]):
        return None
    return None if _goes_on_counting(line, tokens, first, mark) else mark


def _mentions_a_move(token: Token) -> bool:
    return token.damaged or (bool(token.moves) and token.text[0] not in "-@")


def _says(token: Token) -> bool:
    return bool(token.moves) or token.damaged or token.is_name > token.is_note


def _style(cell: Sequence[Token]) -> str:
    """Return how moves stand in a cell: next to each other, one alone, or several apart; empty without one at its start."""
    said = [token for token in cell if _says(token)]
    if not said or not said[0].moves:
        return ""
    if len(said[0].moves) > 1:
        return "solid"
    return "one" if len(said) == 1 or not said[1].moves else "several"


def _is_row(tokens: Sequence[Token], first: int, later: Sequence[tuple[Mark, Sequence[Token]]]) -> bool:
    """Return whether a row of a table has its number and the moves of both players before the remark."""
    return first > 0 and tokens[first - 1].number is not None and len(later) == 2


def _goes_on_counting(line: str, tokens: Sequence[Token], first: int, mark: Mark) -> bool:
    """Return whether a number with a dot stands before the first move, and before the first one behind a mark."""
    counted = [
        index > 0 and tokens[index - 1].number is not None and line[tokens[index - 1].end :].lstrip()[:1] in (".", ")")
        for index in (first, mark.index + 1)
        if index < len(tokens)
    ]
    return counted == [True, True]

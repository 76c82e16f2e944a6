"""Boards as SVG pictures: `svg.board(position)`. `Position` and `Game` draw themselves with it in notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final, Protocol

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, as_move, integer_of, number_of

SQUARE: Final = 50
"""Side of a square, in units of the picture."""

MARGIN: Final = 24
"""Room for the coordinates, in the same units."""

SIDE: Final = 8 * SQUARE + 2 * MARGIN

LARGEST_SIZE: Final = 10_000

GREEN: Final = "#2e7d4f"
LINES: Final = "#1b4d31"
BLACK: Final = "#111111"
WHITE: Final = "#f5f5f5"
MARK: Final = "#e4572e"
TEXT: Final = "#666"


class Discs(Protocol):
    """What is drawn: the bitboards of both colours."""

    @property
    def black(self) -> int:
        """The bitboard of the black discs."""

    @property
    def white(self) -> int:
        """The bitboard of the white discs."""


def board(
    position: Discs,
    *,
    last_move: int | str | None = None,
    values: Mapping[int, object] | None = None,
    size: int | None = None,
) -> str:
    """Return an SVG picture of a position with coordinates, row 1 at the top.

    `last_move` gets a mark, a ring where it has a value; a pass has none. `values` are written on their squares,
    numbers with a sign. `size` is the side of the picture in pixels (None: as wide as the place where it is shown, at
    most 400). Raise InputError for squares that are not on the board and for another size, NotationError for what names
    no move.
    """
    if size is not None and integer_of(size, 1, LARGEST_SIZE) is None:
        raise InputError("size", size, f"a number of pixels from 1 to {LARGEST_SIZE}")
    parts = [
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{8 * SQUARE}" height="{8 * SQUARE}" fill="{GREEN}"/>',
        f'<path d="{_lines()}" stroke="{LINES}" stroke-width="1.5"/>',
        *_coordinates(),
    ]
    for square in range(64):
        colour = BLACK if position.black >> square & 1 else WHITE if position.white >> square & 1 else None
        if colour is not None:
            x, y = _centre(square)
            parts.append(f'<circle cx="{x}" cy="{y}" r="21" fill="{colour}" stroke="#000" stroke-width="0.8"/>')
    if last_move is not None and (move := as_move(last_move)) != PASS:
        move = _checked(move)
        x, y = _centre(move)
        look = (
            f'r="22" fill="none" stroke="{MARK}" stroke-width="3"' if move in (values or {}) else f'r="5" fill="{MARK}"'
        )
        parts.append(f'<circle cx="{x}" cy="{y}" {look}/>')
    for given, value in (values or {}).items():
        square = _checked(given)
        x, y = _centre(square)
        shown = f"{value:+g}" if number_of(value) is not None else escape(str(value))
        parts.append(_text(x, y, shown, "#111" if position.white >> square & 1 else "#fff", 16))
    width = f'width="{size}" height="{size}"' if size is not None else 'width="100%" style="max-width:400px"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}" {width}>' + "".join(parts) + "</svg>"


def _checked(square: int) -> int:
    number = integer_of(square, 0, 63)
    if number is None:
        raise InputError("square", square, "a number from 0 (a1) to 63 (h8)")
    return number


def _centre(square: int) -> tuple[int, int]:
    return MARGIN + SQUARE * (square % 8) + SQUARE // 2, MARGIN + SQUARE * (square // 8) + SQUARE // 2


def _lines() -> str:
    ends = [MARGIN + SQUARE * number for number in range(9)]
    return "".join(f"M{MARGIN} {end}h{8 * SQUARE}M{end} {MARGIN}v{8 * SQUARE}" for end in ends)


def _coordinates() -> list[str]:
    places = [(number, MARGIN + SQUARE * number + SQUARE // 2) for number in range(8)]
    files = [_text(place, MARGIN // 2, "abcdefgh"[number], TEXT, 14) for number, place in places]
    return files + [_text(MARGIN // 2, place, str(number + 1), TEXT, 14) for number, place in places]


def _text(x: int, y: int, text: str, colour: str, size: int) -> str:
    place = f'x="{x}" y="{y}" fill="{colour}" font-size="{size}" font-family="sans-serif"'
    return f'<text {place} text-anchor="middle" dominant-baseline="central">{text}</text>'

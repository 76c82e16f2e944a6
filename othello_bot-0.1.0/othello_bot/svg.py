"""SVG: boards (`svg.board(position)`, by which `Position` and `Game` draw themselves in notebooks), and the elements that
all pictures are written with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
RING: Final = "#ffd54a"

_CENTRED: Final = {"font_family": "sans-serif", "text_anchor": "middle", "dominant_baseline": "central"}


class Discs(Protocol):
    """What is drawn: the bitboards of both colours."""

    @property
    def black(self) -> int:
        """The bitboard of the black discs."""

    @property
    def white(self) -> int:
        """The bitboard of the white discs."""


def element(name: str, *inside: str, **attributes: object) -> str:
    """Return an element around markup.

    In the names of attributes, `_` stands for a hyphen, and is left out at the end (`class_`). Numbers have at most two
    decimals.
    """
    words = [name, *(f'{key.rstrip("_").replace("_", "-")}="{_written(value)}"' for key, value in attributes.items())]
    return f"<{' '.join(words)}>{''.join(inside)}</{name}>" if inside else f"<{' '.join(words)}/>"


def points(places: Iterable[tuple[float, float]]) -> str:
    """Return places as the attribute `points` of a line or an area has them."""
    return " ".join(f"{_written(x)},{_written(y)}" for x, y in places)


def _written(value: object) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) else escape(str(value))


def board(
    position: Discs,
    *,
    last_move: int | str | None = None,
    values: Mapping[int, object] | None = None,
    crossed: int | None = None,
    ringed: int | None = None,
    label: str = "board",
    size: int | None = None,
) -> str:
    """Return an SVG picture of a position with coordinates, row 1 at the top.

    `last_move` gets a mark, a ring where it has a value; a pass has none. `values` are written on their squares,
    numbers with a sign. The square `crossed` has a cross, `ringed` a ring; `label` tells those who cannot see the picture
    what it is. `size` is its side in pixels (None: as wide as the place where it is shown, at most 400). Raise InputError
    for squares that are not on the board and for another size, NotationError for what names no move.
    """
    if size is not None and integer_of(size, 1, LARGEST_SIZE) is None:
        raise InputError("size", size, f"a number of pixels from 1 to {LARGEST_SIZE}")
    parts = [
        element("rect", x=MARGIN, y=MARGIN, width=8 * SQUARE, height=8 * SQUARE, fill=GREEN),
        element("path", d=_lines(), stroke=LINES, stroke_width=1.5),
        element("g", *_coordinates(), fill=TEXT, font_size=14, **_CENTRED),
    ]
    discs = [(square, BLACK) for square in range(64) if position.black >> square & 1]
    discs += [(square, WHITE) for square in range(64) if position.white >> square & 1]
    parts.append(
        element("g", *(_circle(square, 21, fill=fill) for square, fill in discs), stroke="#000", stroke_width=0.8)
    )
    if last_move is not None and (move := as_move(last_move)) != PASS:
        move = _checked(move)
        if move in (values or {}):
            parts.append(_circle(move, 22, fill="none", stroke=MARK, stroke_width=3))
        else:
            parts.append(_circle(move, 5, fill=MARK))
    if ringed is not None:
        parts.append(_circle(_checked(ringed), 16, fill="none", stroke=RING, stroke_width=6))
    if crossed is not None:
        x, y = _centre(_checked(crossed))
        cross = f"M{x - 12} {y - 12}l24 24m0 -24l-24 24"
        parts.append(element("path", d=cross, stroke=MARK, stroke_width=7, stroke_linecap="round"))
    for given, value in (values or {}).items():
        square = _checked(given)
        x, y = _centre(square)
        shown = f"{value:+g}" if number_of(value) is not None else escape(str(value))
        colour = "#111" if position.white >> square & 1 else "#fff"
        parts.append(element("text", shown, x=x, y=y, fill=colour, font_size=16, **_CENTRED))
    wide: dict[str, object] = {"width": "100%", "style": "max-width:400px"}
    sides = wide if size is None else {"width": size, "height": size}
    names = {"xmlns": "http://www.w3.org/2000/svg", "class": "board", "viewBox": f"0 0 {SIDE} {SIDE}"}
    return element("svg", *parts, **names, **sides, role="img", aria_label=label)


def _checked(square: int) -> int:
    number = integer_of(square, 0, 63)
    if number is None:
        raise InputError("square", square, "a number from 0 (a1) to 63 (h8)")
    return number


def _centre(square: int) -> tuple[int, int]:
    return MARGIN + SQUARE * (square % 8) + SQUARE // 2, MARGIN + SQUARE * (square // 8) + SQUARE // 2


def _circle(square: int, radius: int, **look: object) -> str:
    x, y = _centre(square)
    return element("circle", cx=x, cy=y, r=radius, **look)


def _lines() -> str:
    ends = [MARGIN + SQUARE * number for number in range(9)]
    return "".join(f"M{MARGIN} {end}h{8 * SQUARE}M{end} {MARGIN}v{8 * SQUARE}" for end in ends)


def _coordinates() -> list[str]:
    places = [(number, MARGIN + SQUARE * number + SQUARE // 2) for number in range(8)]
    files = [element("text", "abcdefgh"[number], x=place, y=MARGIN // 2) for number, place in places]
    return files + [element("text", str(number + 1), x=MARGIN // 2, y=place) for number, place in places]

"""Drawings of a review as SVG: a board with the played and the better move, and the graph of a game.

Colours are CSS classes of `html_style.py`, so that one page serves light and dark screens.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.review.game_review import GameReview
from othello_bot.review.judgement import JudgedMove
from othello_bot.review.tally import MIDGAME_EMPTIES, OPENING_EMPTIES
from othello_bot.rules import Position, squares_of

CELL: Final = 12
EDGE: Final = 8
"""Sizes of a board: a square, and the margin with the names of files and ranks."""

GRAPH_WIDTH: Final = 720
GRAPH_HEIGHT: Final = 190
LOSS_HEIGHT: Final = 44
LEFT: Final = 34
TICKS: Final = (-64, -30, -10, 0, 10, 30, 64)
"""Sizes of a graph, and the scores that its axis names."""

LARGEST_BAR: Final = 24
"""Loss in discs that has a bar of full height."""

_SIDE: Final = 8 * CELL + 2 * EDGE

DEFINITIONS: Final = (
    '<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs><g id="grid">'
    f'<rect class="frame" width="{_SIDE}" height="{_SIDE}" rx="3"/>'
    f'<rect class="felt" x="{EDGE}" y="{EDGE}" width="{8 * CELL}" height="{8 * CELL}"/><path class="rule" d="'
    + "".join(f"M{EDGE + CELL * i} {EDGE}v{8 * CELL}M{EDGE} {EDGE + CELL * i}h{8 * CELL}" for i in range(9))
    + '"/>'
    + "".join(
        f'<circle class="star" cx="{EDGE + CELL * x}" cy="{EDGE + CELL * y}" r="1"/>' for x in (2, 6) for y in (2, 6)
    )
    + "".join(
        f'<text class="mark" x="{EDGE + CELL * (i + 0.5)}" y="{EDGE - 2.2}">{"abcdefgh"[i]}</text>'
        f'<text class="mark" x="{EDGE / 2}" y="{EDGE + CELL * (i + 0.5) + 1.8}">{i + 1}</text>'
        for i in range(8)
    )
    + "</g></defs></svg>"
)
"""The empty board, which every board of a page uses; to be put on the page once."""


def board(position: Position, move: JudgedMove) -> str:
    """Return a board before a move: the played move crossed out, the better one in a ring."""
    black, white = position.mover, position.opponent
    if position.color is Color.WHITE:
        black, white = white, black
    name = "Black" if position.color is Color.BLACK else "White"
    label = f"{name} to move: {move_name(move.move)} was played, {move_name(move.best.move)} was better"
    parts = [f'<svg class="board" viewBox="0 0 {_SIDE} {_SIDE}" role="img" aria-label="{label}"><use href="#grid"/>']
    for bits, kind in ((black, "black"), (white, "white")):
        for square in squares_of(bits):
            x, y = _centre(square)
            parts.append(f'<circle class="disc {kind}" cx="{x:g}" cy="{y:g}" r="{CELL * 0.41:g}"/>')
    x, y = _centre(move.best.move)
    parts.append(f'<circle class="better" cx="{x:g}" cy="{y:g}" r="{CELL * 0.32:g}"/>')
    x, y = _centre(move.move)
    arm = CELL * 0.24
    parts.append(f'<path class="worse" d="M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}')
    parts.append(f'l{-2 * arm:g} {2 * arm:g}"/></svg>')
    return "".join(parts)


def _centre(square: int) -> tuple[float, float]:
    """Return the middle of a square."""
    return EDGE + CELL * (square % 8 + 0.5), EDGE + CELL * (square // 8 + 0.5)


def graph(review: GameReview) -> str:
    """Return the graph of a game: the score after each move from Black's view, and the discs that each move lost."""
    moves = review.moves
    step = (GRAPH_WIDTH - LEFT - 4) / max(1, len(moves))
    points = [(float(LEFT), _height(_black_score(moves[0], moves[0].best.score)))] if moves else []
    points += [(LEFT + step * move.ply, _height(_black_score(move, move.score))) for move in moves]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    middle = _height(0)
    last = points[-1][0] if points else LEFT
    parts = [
        f'<svg class="graph" viewBox="0 0 {GRAPH_WIDTH} {GRAPH_HEIGHT + LOSS_HEIGHT}" role="img"'
        ' aria-label="the score after each move, for Black, and the discs that each move lost">',
        _phases(review, step),
        *(_tick(score) for score in TICKS),
        f'<polygon class="area" points="{LEFT},{middle:.1f} {line} {last:.1f},{middle:.1f}"/>',
        f'<polyline class="line" points="{line}"/>',
        *(_slip(move, LEFT + step * move.ply, step) for move in moves if move.loss),
        f'<text class="mark" x="{LEFT - 4}" y="{GRAPH_HEIGHT + 14}" text-anchor="end">lost</text></svg>',
    ]
    return "".join(parts)


def _black_score(move: JudgedMove, score: int) -> int:
    return score if move.color is Color.BLACK else -score


def _height(score: float) -> float:
    """Return the height of a score; the scale shrinks towards large scores, where a disc matters less."""
    middle = GRAPH_HEIGHT / 2
    return middle - math.copysign((abs(score) / 64) ** 0.6, score) * (middle - 10)


def _tick(score: int) -> str:
    y = _height(score)
    kind = "axis" if score == 0 else "tick"
    return (
        f'<path class="{kind}" d="M{LEFT} {y:.1f}H{GRAPH_WIDTH - 4}"/>'
        f'<text class="mark" x="{LEFT - 4}" y="{y + 3:.1f}" text-anchor="end">{f"{score:+d}" if score else "0"}</text>'
    )


def _phases(review: GameReview, step: float) -> str:
    """Return the borders between the phases, and the names of those that the game has."""
    parts: list[str] = []
    borders = [("opening", 61), ("midgame", OPENING_EMPTIES), ("endgame", MIDGAME_EMPTIES), ("", 1)]
    for (name, highest), (_, lowest) in pairwise(borders):
        plies = [move.ply for move in review.moves if lowest <= review.empties(move) < highest]
        if plies:
            x, width = LEFT + step * (plies[0] - 1), step * len(plies)
            parts.append(f'<rect class="phase {name}" x="{x:.1f}" y="0" width="{width:.1f}" height="{GRAPH_HEIGHT}"/>')
            parts.append(f'<text class="mark" x="{x + width / 2:.1f}" y="{GRAPH_HEIGHT - 4}">{name}</text>')
    return "".join(parts)


def _slip(move: JudgedMove, x: float, step: float) -> str:
    """Return the dot of a slip on the line, and its bar below."""
    kind = "black" if move.color is Color.BLACK else "white"
    height = min(1.0, move.loss / LARGEST_BAR) * (LOSS_HEIGHT - 6)
    title = f"{move.ply}. {move_name(move.move)} lost {move.loss}"
    return (
        f'<g class="slip {kind}"><title>{title}</title>'
        f'<circle cx="{x:.1f}" cy="{_height(_black_score(move, move.score)):.1f}" r="4.2"/>'
        f'<rect x="{x - step * 0.4:.1f}" y="{GRAPH_HEIGHT + 4}" width="{step * 0.8:.1f}" height="{height:.1f}"'
        ' rx="1.5"/></g>'
    )


def is_drawable(move: JudgedMove) -> bool:
    """Return whether a move and the better one are squares of a board."""
    return PASS not in (move.move, move.best.move)

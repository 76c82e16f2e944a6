"""A review as bytes, for the store and for processes: it is small, and the game itself is kept beside it."""

from __future__ import annotations

import json
from typing import Any

from othello_bot.base.notation import format_transcript
from othello_bot.engine import Line
from othello_bot.review.game_review import GameReview
from othello_bot.review.judgement import JudgedMove
from othello_bot.rules import Game, Position, parse_moves


def game_from(start: str, moves: str) -> Game:
    """Return a game from its start as text and its moves with passes."""
    game = Game(Position.parse(start))
    game.play_transcript(moves)
    return game


def to_bytes(review: GameReview) -> bytes:
    """Return the bytes of a complete review."""
    moves = [
        [move.loss, _fields(move.played), None if move.best is move.played else _fields(move.best)]
        for move in review.moves
    ]
    return json.dumps({"level": review.level, "moves": moves}, separators=(",", ":")).encode()


def from_bytes(game: Game, content: bytes) -> GameReview:
    """Return the review of a game from its bytes."""
    stored = json.loads(content)
    moves = []
    for index, (loss, played, best) in enumerate(stored["moves"]):
        line = _line(played)
        better = line if best is None else _line(best)
        moves.append(JudgedMove(index + 1, game.position_at(index).color, line, better, loss))
    return GameReview(game, stored["level"], tuple(moves))


def _fields(line: Line) -> list[Any]:
    return [line.score, line.depth, line.selectivity, int(line.exact), format_transcript(line.pv, passes=True)]


def _line(fields: list[Any]) -> Line:
    score, depth, selectivity, exact, transcript = fields
    pv = parse_moves(transcript)
    return Line(pv[0], score, tuple(pv), depth, selectivity, bool(exact))

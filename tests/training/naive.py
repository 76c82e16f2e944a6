"""Exact scores by a plain full search, to check the labels against."""

from __future__ import annotations

from othello_bot import kernel


def naive_score(mover: int, opponent: int) -> int:
    moves = kernel.legal_moves(mover, opponent)
    if not moves:
        if not kernel.legal_moves(opponent, mover):
            return kernel.final_score(mover, opponent)
        return -naive_score(opponent, mover)
    best = -64
    for square in range(64):
        if moves >> square & 1:
            flips = kernel.flips(mover, opponent, square)
            best = max(best, -naive_score(opponent ^ flips, mover | flips | 1 << square))
    return best

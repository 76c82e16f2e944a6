"""Comparing replayed games with the rules in planes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from othello_bot import batch
from tests.batch import planes


def compared_plies(transcripts: npt.NDArray[np.uint8]) -> int:
    """Compare every position, its legal moves and every result of finished games; return the number of positions."""
    found = batch.replay(transcripts)
    count = 0
    for column, (games, boards, passing) in enumerate(planes.games(transcripts)):
        behind = column == transcripts.shape[1]
        columns = found.lengths[games] if behind else np.full(len(games), column)
        own, other = planes.bits(planes.inner(boards) == 1), planes.bits(planes.inner(boards) == -1)
        assert np.array_equal(found.mover[games, columns], own)
        assert np.array_equal(found.opponent[games, columns], other)
        assert np.array_equal(batch.legal_moves(own, other), planes.bits(planes.legal(boards)))
        if not behind:
            assert np.array_equal(found.passed[games, column], passing)
        count += len(games)
    assert not planes.legal(boards).any() and not planes.legal(-boards).any() and found.over.all()
    own_discs, other_discs = (boards == 1).sum(axis=(1, 2)), (boards == -1).sum(axis=(1, 2))
    scores = np.where(own_discs > other_discs, 64 - 2 * other_discs, 2 * own_discs - 64)
    scores[own_discs == other_discs] = 0
    black = np.where(found.color[np.arange(len(found.color)), found.lengths] == 0, scores, -scores)
    assert np.array_equal(found.scores, black)
    return count

"""How good the moves and the scores of searches are, on positions with the exact score of every move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from othello_bot.base.errors import InputError
from othello_bot.base.notation import move_name
from othello_bot.engine import Limits, Search
from othello_bot.formats.obf import Problem


@dataclass(frozen=True)
class Judged:
    """One search: its cost, and what its move and its score are worth. Discs, from the mover's view."""

    reported: int
    exact: int
    loss: int
    """What the move loses against the best one."""
    among_two: bool
    """Whether at most one move is better."""
    nodes: int
    time_s: float


def judge(search: Search, problems: Iterable[Problem], limits: Limits) -> list[Judged]:
    """Search every position with an empty table; raise InputError for one without the scores of its legal moves."""
    judged = []
    for number, problem in enumerate(problems, start=1):
        position = problem.position
        missing = [move for move in position.legal_moves if move not in problem.scores]
        if missing or not problem.scores:
            unscored = " ".join(map(move_name, missing))
            raise InputError(f"position {number}: {len(missing)} legal moves have no score:", unscored, "one for each")
        search.clear()
        result = search.run(position.mover, position.opponent, limits)
        played, best = problem.scores[result.move], max(problem.scores.values())
        judged.append(
            Judged(
                reported=result.score,
                exact=best,
                loss=best - played,
                among_two=sum(score > played for score in problem.scores.values()) <= 1,
                nodes=result.nodes,
                time_s=result.time_s,
            )
        )
    return judged

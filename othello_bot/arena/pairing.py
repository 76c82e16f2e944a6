"""Who plays whom, with which opening, as what colour: the games of a match as a sequence that never changes.

Round after round every pairing plays the opening of that round twice, with the colours swapped. More rounds only make
the sequence longer, so a match can be resumed and extended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from othello_bot.arena.config import MatchConfig


@dataclass(frozen=True, slots=True)
class GameTask:
    """One game: `pair` counts the pairs of the match from 0, `leg` is 0 or 1, `black` and `white` are engine slots.

    A pair is played between `black` of its leg 0, who counts as its first player, and the other.
    """

    pair: int
    leg: int
    round: int
    black: int
    white: int


def pairings(config: MatchConfig) -> list[tuple[int, int]]:
    """Return the slots of the engines that meet, once each."""
    slots = range(len(config.engines))
    if config.format == "gauntlet":
        return [(0, other) for other in slots[1:]]
    return list(combinations(slots, 2))


def game_tasks(config: MatchConfig) -> Iterator[GameTask]:
    """Yield all games of a match in their order."""
    meeting = pairings(config)
    for number in range(config.rounds):
        for place, (first, second) in enumerate(meeting):
            pair = number * len(meeting) + place
            yield GameTask(pair, 0, number, first, second)
            yield GameTask(pair, 1, number, second, first)


def game_count(config: MatchConfig) -> int:
    """Return the number of games of a match."""
    return 2 * config.rounds * len(pairings(config))

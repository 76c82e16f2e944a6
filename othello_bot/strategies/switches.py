"""The switches of the textbook searcher: which techniques of the chapter are on.

The techniques are those of "Paradigms of Artificial Intelligence Programming", sections 18.9 and 18.13;
`othello_bot.strategies.techniques` implements them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from othello_bot.base.errors import shown
from othello_bot.base.notation import NotationError, parse_integer

DEFAULT_ASPIRATION: Final = 50
"""Default half width of the aspiration window: the book uses 0 to 100 around a value of 50."""

DEFAULT_COMPLETION: Final = 14
"""Default number of empty squares from which the end is searched; that of Bill."""


class SwitchError(ValueError):
    """An unknown switch, an invalid value, or a contradictory combination."""


@dataclass(frozen=True)
class Switches:
    """Which techniques are on; SWITCHES describes each. The number 0 means off.

    SwitchError is raised for a negative number and for metareasoning without deepening.
    """

    iterative_deepening: bool = False
    corner_pruning: bool = False
    nonspeculative: bool = False
    aspiration: int = 0
    zero_window: bool = False
    hashing: bool = False
    static_order: bool = False
    sorted_order: bool = False
    completion: int = 0
    metareasoning: bool = False

    def __post_init__(self) -> None:
        for name in ("aspiration", "completion"):
            value = getattr(self, name)
            if value < 0:
                raise SwitchError(f"switch {name} {value}: expected 0 or more")
        if self.metareasoning and not self.iterative_deepening:
            raise SwitchError("metareasoning alone: expected iterative deepening too, whose rounds give the variances")


SWITCHES: Final = {
    "iterative-deepening": "search depth 1, 2, ... and try first, everywhere, the move that was best in the last round",
    "corner-pruning": "Bill's forward pruning: no move beside an empty corner while there is another",
    # The change of the disc difference in a move is limited; finished games then count by discs.
    "nonspeculative": "leave positions that no series of moves can lift to the bound; needs the evaluation difference",
    "aspiration": f"half width of the window around the last round's value, {DEFAULT_ASPIRATION} where not given",
    "zero-window": "ask of every later move only whether it is better than the first",
    "hashing": "remember the move to try first for each position, under one word of its encoding",
    "static-order": "try squares in the order of their weights",
    "sorted-order": "try moves in the order of the evaluation of their boards",
    "completion": f"empty squares from which the game is searched to its end, {DEFAULT_COMPLETION} where not given",
    "metareasoning": "stop deepening when the best move is clear or both candidates are at rest; needs deepening",
}
"""The switches as a user writes them, with hyphens, and their effects."""

_NUMBERS: Final = {"aspiration": DEFAULT_ASPIRATION, "completion": DEFAULT_COMPLETION}


def parse_switches(values: Mapping[str, str]) -> Switches:
    """Return the named switches, each with the text after its `=` or an empty text.

    Raise SwitchError for an unknown name, for a value of a switch without one, and for a value that is not a number.

    >>> parse_switches({"hashing": "", "completion": "12"}).completion
    12
    """
    chosen: dict[str, bool | int] = {}
    for name, value in values.items():
        if name not in SWITCHES:
            raise SwitchError(f"switch {shown(name)}: expected one of {', '.join(SWITCHES)}")
        field = name.replace("-", "_")
        if name not in _NUMBERS:
            if value:
                raise SwitchError(f"switch {shown(f'{name}={value}')}: expected {name} without a value")
            chosen[field] = True
        elif not value:
            chosen[field] = _NUMBERS[name]
        else:
            try:
                chosen[field] = parse_integer(value, 0, 10**9)
            except NotationError as error:
                raise SwitchError(f"switch {shown(f'{name}={value}')}: expected {error.expected}") from None
    return Switches(**chosen)  # type: ignore[arg-type]  # numbers go to the two fields that take them


@dataclass
class Counters:
    """The cost of searches: boards visited, boards evaluated, and rounds of deepening."""

    boards: int = 0
    evaluations: int = 0
    rounds: int = 0

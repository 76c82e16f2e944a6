"""The table of players: games, discs lost a move by phase, accuracy and slips of each."""

from __future__ import annotations

from typing import Final

from othello_bot.base.notation import Color
from othello_bot.review.game_review import GameReview
from othello_bot.review.store import Heading
from othello_bot.review.tally import Grade, Phase, PlayerTally

HEADS: Final = (
    "player",
    "games",
    "accuracy",
    "loss",
    *(phase.value for phase in Phase),
    *(grade.plural for grade in Grade),
)
"""The columns of a table of players."""


class PlayerTable:
    """The players of many games; a player without a name is named after the colour if the game stands alone."""

    def __init__(self) -> None:
        self.games = 0
        self.players: dict[str, PlayerTally] = {}

    def add(self, heading: Heading, review: GameReview) -> None:
        """Count a game."""
        self.games += 1
        for color in Color:
            tally = self.players.setdefault(player_name(heading, color), PlayerTally())
            tally.add_game(review.losses(color))

    def ranking(self) -> list[tuple[str, PlayerTally]]:
        """Return the players, those with the smallest loss a move first."""
        return sorted(self.players.items(), key=lambda entry: (entry[1].total.mean_loss or 0.0, entry[0]))


def player_name(heading: Heading, color: Color) -> str:
    """Return a player's name, or his colour if nothing else is known."""
    name = heading.black if color is Color.BLACK else heading.white
    return name or f"({color.name.lower()})"


def cells(name: str, tally: PlayerTally) -> tuple[str, ...]:
    """Return the row of a player, as texts in the order of `HEADS`."""
    total = tally.total
    phases = (number(tally.phases[phase].mean_loss, 2) for phase in Phase)
    slips = (str(total.slips[grade]) for grade in Grade)
    return (name, str(tally.games), number(total.accuracy, 1), number(total.mean_loss, 2), *phases, *slips)


def number(value: float | None, digits: int) -> str:
    """Return a number with so many decimals; a dash for None."""
    return "-" if value is None else f"{value:.{digits}f}"

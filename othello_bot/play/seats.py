"""Players of a game and the adviser; players can be exchanged during a game."""

from __future__ import annotations

from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color
from othello_bot.engine import Options, find_option
from othello_bot.play.players import (
    ENGINE,
    ENGINE_OPTIONS,
    HUMAN,
    STRENGTH,
    ComputerPlayer,
    PlayerError,
    PlayerSpec,
    parse_player,
)
from othello_bot.rules import Position

SEEDS: Final = 2**63
"""Number of seeds: 0 up to this."""


class NoEngine(InputError):
    """A level or a strength was given, but no engine plays."""


class Players:
    """The two players and the adviser, who is created on first use. A context manager, which closes them all."""

    def __init__(
        self,
        black: PlayerSpec,
        white: PlayerSpec,
        adviser: PlayerSpec,
        seed: int,
        options: Options = ENGINE_OPTIONS,
    ) -> None:
        """Seat the players. `seed`: that of all random choices of the three. `options`: those of each that is the
        engine.
        """
        self._options = options
        self._specs = {Color.BLACK: black, Color.WHITE: white}
        self._adviser_spec = adviser
        self.seed = seed
        self._made: dict[Color, ComputerPlayer | None] = {}
        self._adviser: ComputerPlayer | None = None

    def __enter__(self) -> Players:
        for color, spec in self._specs.items():
            self._made[color] = self._make(color, spec)
        return self

    def __exit__(self, *exception: object) -> None:
        for player in (*self._made.values(), self._adviser):
            if player is not None:
                player.close()

    def computer(self, color: Color) -> ComputerPlayer | None:
        """Return the player of a colour, None if it is a human."""
        return self._made[color]

    @property
    def any_person(self) -> bool:
        """Whether a person plays."""
        return any(spec.is_human for spec in self._specs.values())

    def name(self, color: Color) -> str:
        """Return a player's name in commands and files."""
        return self._specs[color].text

    def title(self, color: Color, clocked: bool) -> str:
        """Return a player's name beside the board; `clocked`: the game has clocks."""
        spec = self._specs[color]
        if not spec.is_human:
            return spec.title(self._options, clocked)
        return HUMAN if self._specs[color.opponent].is_human else "you"

    def seat(self, color: Color, spec: PlayerSpec) -> None:
        """Replace the player of a colour; raise the errors of creating it, and then nothing has changed."""
        made = self._make(color, spec)
        former, self._made[color] = self._made[color], made
        self._specs[color] = spec
        if former is not None:
            former.close()

    def switch(self) -> None:
        """Exchange the colours of the two players."""
        black, white = Color.BLACK, Color.WHITE
        self._specs = {black: self._specs[white], white: self._specs[black]}
        self._made = {black: self._made[white], white: self._made[black]}

    def set_level(self, text: str) -> None:
        """Set the engine's level on all sides that it plays; raise NoEngine or PlayerError."""
        self._set_engine("level", text, text)

    def set_strength(self, text: str) -> None:
        """Set the engine's strength on all sides that it plays; raise NoEngine or PlayerError."""
        self._set_engine("strength", text, STRENGTH + text)

    def _set_engine(self, what: str, text: str, setting: str) -> None:
        colors = [color for color, spec in self._specs.items() if spec.is_engine]
        if not colors:
            raise NoEngine(what, text, "the engine at the table: white engine, or black engine, seats it")
        try:
            spec = parse_player(f"{ENGINE}:{setting}")
        except PlayerError:
            raise PlayerError(what, text, find_option(what).expected) from None
        for color in colors:
            self.seat(color, spec)

    def set_side(self, text: str) -> None:
        """Let the person play black, white, both sides or none; raise InputError for another word."""
        sides = {"black": (Color.BLACK,), "white": (Color.WHITE,), "both": tuple(Color), "none": ()}
        mine = sides.get(text.lower())
        if mine is None:
            raise InputError("side", text, "black, white, both or none")
        others = [spec for spec in self._specs.values() if not spec.is_human] or [PlayerSpec(ENGINE)]
        for color in Color:
            if color in mine:
                self.seat(color, PlayerSpec(HUMAN))
            elif self._specs[color].is_human:
                self.seat(color, others[-1])

    def advice(self, position: Position) -> list[str]:
        """Return the adviser's lines."""
        return self.adviser.suggest(position)

    @property
    def adviser(self) -> ComputerPlayer:
        """The player who gives advice."""
        if self._adviser is None:
            self._adviser = self._adviser_spec.make(self.seed, self._options)
        assert self._adviser is not None, "the command line takes no human as adviser"
        return self._adviser

    def _make(self, color: Color, spec: PlayerSpec) -> ComputerPlayer | None:
        # Each has its own seed, so that two random players do not play the same moves.
        return spec.make((self.seed + int(color)) % SEEDS, self._options)

"""Othello as an environment of Gymnasium: one agent against the engine, a textbook player or itself."""

from __future__ import annotations

from typing import Any, Final, Literal

import gymnasium
from gymnasium import spaces

from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color
from othello_bot.engine import NEWCOMERS, Engine, Options
from othello_bot.environments import (
    ACTIONS,
    Observation,
    checked_mode,
    legal_actions,
    observation,
    reward,
    spaces_of,
    whole,
)
from othello_bot.rules import Game, IllegalMove

CASUAL: Final = Options(strength=NEWCOMERS, hash=1)
"""The opponent of an environment that names none."""

_SEEDS: Final = 1 << 30


class OthelloEnv(gymnasium.Env[Observation, int]):
    """A game of the agent, who has `color`, against the engine with the options `opponent`, or against itself (None).

    The opponent moves within `reset` and `step`; it depends on the seed alone. The reward is 1, 0 or -1 at the end of
    the game, from the agent's view; against itself, from that of the side that has just moved. An illegal action ends
    the episode with reward -1 (`illegal="end"`), or raises IllegalMove and changes nothing (`illegal="raise"`).
    `info` has `legal_actions`. Raise InputError for invalid arguments.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        opponent: Options | None = CASUAL,
        color: Color = Color.BLACK,
        illegal: Literal["end", "raise"] = "end",
        render_mode: str | None = None,
    ) -> None:
        if opponent is not None and not isinstance(opponent, Options):
            raise InputError("opponent", opponent, "Options, or None for a game against itself")
        if not isinstance(color, Color):
            raise InputError("color", color, "Color.BLACK or Color.WHITE")
        if not isinstance(illegal, str) or illegal not in ("end", "raise"):
            raise InputError("illegal", illegal, "end or raise")
        self.observation_space = spaces_of(spaces)
        self.action_space: Any = spaces.Discrete(ACTIONS)
        self.render_mode = checked_mode(render_mode)
        self._color, self._illegal = color, illegal
        self._engine = None if opponent is None else Engine(opponent)
        self.game = Game()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and return what the agent sees before its first move."""
        super().reset(seed=seed)
        self.game = Game()
        if self._engine is not None:
            self._engine.clear()
            self._engine.set_option("seed", int(self.np_random.integers(_SEEDS)))
        self._answer()
        return self._seen()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's answers; return observation, reward, whether the episode is over, False
        (no episode is cut short) and `info`. Raise InputError for anything but an integer.
        """
        mover = self.game.position.color
        try:
            self.game.play(whole(action))
        except IllegalMove:
            if self._illegal == "raise":
                raise
            seen, info = self._seen()
            return seen, -1.0, True, False, info
        self._answer()
        seen, info = self._seen()
        over = self.game.is_over
        viewer = mover if self._engine is None else self._color
        return seen, float(reward(self.game.position, viewer)) if over else 0.0, over, False, info

    def _answer(self) -> None:
        """Let the opponent move until the agent has the turn."""
        while self._engine is not None and not self.game.is_over and self.game.position.color is not self._color:
            self.game.play(self._engine.choose(self.game).move)

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        position = self.game.position
        viewer = position.color if self._engine is None else self._color
        return observation(position, viewer), {"legal_actions": legal_actions(position)}

    def render(self) -> str | None:  # type: ignore[override]
        """Return a drawing of the board with `render_mode="ansi"`."""
        return str(self.game.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            self._engine.close()

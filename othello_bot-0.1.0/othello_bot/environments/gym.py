"""Othello as an environment of Gymnasium: one agent against the engine, a textbook player or itself.

The import registers it as `ID`.
"""

from __future__ import annotations

import copy
from typing import Any, Final, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.envs import registration

from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color
from othello_bot.engine import ENGINE_STRATEGY, NEWCOMERS, Engine, Options
from othello_bot.environments import (
    ACTIONS,
    RENDER_FPS,
    RENDER_MODES,
    Observation,
    checked_mode,
    legal_actions,
    mask,
    observation,
    rendered,
    reward,
    spaces_of,
    whole,
)
from othello_bot.rules import Game, IllegalMove

ID: Final = "othello_bot/Othello-v0"
"""The name in Gymnasium's registry."""

CASUAL: Final = Options(strength=NEWCOMERS, hash=1)
"""The opponent of an environment that names none."""

_SEEDS: Final = 1 << 30


class OthelloEnv(gymnasium.Env[Observation, int]):
    """A game of the agent, who has `color`, against the engine with the options `opponent`, or against itself (None).

    The opponent moves within `reset` and `step`; it depends on the seed alone. The reward is 1, 0 or -1 at the end of
    the game, from the agent's view; against itself, from that of the side that has just moved. An illegal action ends
    the episode with reward -1 (`illegal="end"`), or raises IllegalMove and changes nothing (`illegal="raise"`).
    `info` has `legal_actions`. A copy, also one by pickle, has an engine of its own and goes on as the original would.
    Raise InputError for invalid arguments.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
    }

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
        self._textbook = opponent is not None and opponent.strategy != ENGINE_STRATEGY
        self._seed = 0 if self._engine is None else self._engine.seed
        self.game = Game()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and return what the agent sees before its first move."""
        super().reset(seed=seed)
        self.game = Game()
        if self._engine is not None:
            self._seed = int(self.np_random.integers(_SEEDS))
            self._engine.set_option("seed", self._seed)
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
        """Let the opponent move until the agent has the turn.

        Each move depends on the options, the seed and the game alone: a copy of the environment finds the same one.
        """
        while self._engine is not None and not self.game.is_over and self.game.position.color is not self._color:
            self._engine.clear()
            if self._textbook:  # its random choices are its own; making a person or an engine anew would cost time
                self._engine.set_option("seed", self._seed + self.game.ply)
            self._engine.random.seed(self._seed + self.game.ply)
            self.game.play(self._engine.choose(self.game).move)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return whether each action is legal for the agent, bool [65]; sb3-contrib's MaskablePPO asks for it."""
        return mask(self.game.position, self._viewer).astype(bool)

    @property
    def _viewer(self) -> Color:
        return self.game.position.color if self._engine is None else self._color

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        position = self.game.position
        return observation(position, self._viewer), {"legal_actions": legal_actions(position)}

    def render(self) -> str | npt.NDArray[np.uint8] | None:  # type: ignore[override]
        """Return the board as text with `render_mode="ansi"`, as a picture, uint8 [384, 384, 3], with "rgb_array"."""
        return rendered(self.game.position, self.render_mode)

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            self._engine.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy takes over: the engine's options and what its variety has lost instead of the engine."""
        state = {**self.__dict__, "game": self.game.copy(), "_np_random": copy.deepcopy(self._np_random)}
        if self._engine is not None:
            state["_engine"] = self._engine.options, copy.deepcopy(self._engine.given_away)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if state["_engine"] is not None:
            options, given_away = state["_engine"]
            self._engine = Engine(options)
            self._engine.given_away = given_away


def register() -> None:
    """Register the environment under `ID`. Gymnasium before 1.0 calls this itself, through the package's entry point."""
    if ID not in registration.registry:
        registration.register(ID, entry_point=f"{__name__}:OthelloEnv")


register()

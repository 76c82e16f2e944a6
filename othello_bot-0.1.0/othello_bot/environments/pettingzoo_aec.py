"""Othello as an AEC environment of PettingZoo: two agents, "black" and "white", who take turns."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color
from othello_bot.environments import (
    ACTIONS,
    RENDER_FPS,
    RENDER_MODES,
    Observation,
    checked_mode,
    observation,
    rendered,
    reward,
    spaces_of,
    whole,
)
from othello_bot.rules import Position

AGENTS = ("black", "white")


def env(render_mode: str | None = None) -> Any:
    """Return the environment in PettingZoo's wrappers: an illegal action ends the game, with reward -1."""
    wrapped = wrappers.TerminateIllegalWrapper(RawEnv(render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def _known(agent: object) -> str:
    """Return the name of an agent; raise InputError for another one."""
    if not isinstance(agent, str) or agent not in AGENTS:
        raise InputError("agent", agent, " or ".join(AGENTS))
    return agent


class RawEnv(AECEnv):
    """The environment without wrappers: `step` raises IllegalMove for an illegal action, and nothing has changed."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": list(RENDER_MODES),
        "name": "othello_v0",
        "is_parallelizable": False,
        "render_fps": RENDER_FPS,
    }

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = checked_mode(render_mode)
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: spaces_of(spaces) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in AGENTS}
        self.reset()

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[_known(agent)]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[_known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. Nothing is random, so `seed` changes nothing."""
        self.position = Position.start()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.color]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; its mask is empty where it is not to move."""
        return observation(self.position, Color(AGENTS.index(_known(agent))))

    def step(self, action: int | None) -> None:
        """Play the action of the agent to move; raise IllegalMove, or InputError for anything but an action."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(whole(action))
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        if self.position.is_over:
            self.rewards = {agent: reward(self.position, Color(index)) for index, agent in enumerate(AGENTS)}
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[self.position.color]
        self._accumulate_rewards()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the board as text with `render_mode="ansi"`, as a picture, uint8 [384, 384, 3], with "rgb_array"."""
        return rendered(self.position, self.render_mode)

    def close(self) -> None:
        """Do nothing."""

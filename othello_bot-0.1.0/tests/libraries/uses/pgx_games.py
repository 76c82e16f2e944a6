"""pgx: our engine plays Black in two games of a batch, against random moves that pgx's masks allow."""

from __future__ import annotations

import json

import jax
import numpy as np
import pgx

from othello_bot import Color, Engine, Options, Position

GAMES = 2


def position(planes: np.ndarray, color: Color) -> Position:
    """Return the position of an observation, bool [8, 8, 2]: the discs of the side to move, then the other's."""
    mover, opponent = (int(np.packbits(planes[..., side].ravel(), bitorder="little").view("<u8")[0]) for side in (0, 1))
    return Position(mover, opponent, color)


def main() -> None:
    """Play, and print what happened."""
    environment = pgx.make("othello")
    begin, step = (jax.jit(jax.vmap(function)) for function in (environment.init, environment.step))
    state = begin(jax.random.split(jax.random.PRNGKey(1), GAMES))
    black, rng, color = np.array(state.current_player), np.random.default_rng(1), Color.BLACK
    legal, rewards = True, np.zeros((GAMES, 2))
    with Engine(Options(level=2, hash=1)) as engine:
        while not bool(state.terminated.all()):
            masks, seen, over = map(np.array, (state.legal_action_mask, state.observation, state.terminated))
            actions = [int(rng.choice(np.flatnonzero(mask))) for mask in masks]
            for game in range(GAMES):
                if over[game]:
                    continue
                ours = position(seen[game], color)
                squares = [*ours.legal_moves] or [64]
                legal &= squares == np.flatnonzero(masks[game]).tolist()
                if color is Color.BLACK and not ours.is_over:
                    actions[game] = engine.choose(ours).move
            state = step(state, np.array(actions))
            rewards += np.array(state.rewards)  # of a step; 0 in a game that was over before
            color = color.opponent
    print(json.dumps({"legal": bool(legal), "games": GAMES, "rewards": rewards[range(GAMES), black].tolist()}))


if __name__ == "__main__":
    main()

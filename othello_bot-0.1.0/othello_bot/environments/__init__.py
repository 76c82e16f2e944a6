"""Othello for libraries of reinforcement learning, a module for each; it needs that library (the extra of its name).

All have the same actions and observations. An action is a square from 0 (a1) to 63 (h8), or 64, a pass, to be played
where a side has no move; a game ends as soon as neither side has one. An observation has `observation`, int8 [8, 8, 2]
by rank and file: the observing player's discs, then the other player's; and `action_mask`, int8 [65].
"""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from othello_bot import svg
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, Color
from othello_bot.batch import encode
from othello_bot.rules import Position

ACTIONS: Final = 65
"""The squares and the pass."""

RENDER_MODES: Final = ("ansi", "rgb_array")
"""How an environment can be drawn."""

RENDER_FPS: Final = 1
"""Pictures a second of a video; one move each."""

_CELL: Final = 48
"""Side of a square in pixels: the board's side is a multiple of 16, as encoders of videos want it."""

Observation = dict[str, npt.NDArray[np.int8]]


def observation(position: Position, viewer: Color) -> Observation:
    """Return what one side sees: its own discs first, and a mask that is empty where it is not to move."""
    own, other = (position.black, position.white) if viewer is Color.BLACK else (position.white, position.black)
    planes = encode(np.array([own], np.uint64), np.array([other], np.uint64))[0]
    return {"observation": planes, "action_mask": mask(position, viewer)}


def legal_actions(position: Position) -> list[int]:
    """Return the squares where the player to move may play, 64 alone where he must pass, nothing after the end."""
    return [PASS] if position.must_pass else list(position.legal_moves)


def whole(action: object) -> int:
    """Return an action as an integer, legal or not; raise InputError for anything else, like 1.5 and None."""
    try:
        return operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        raise InputError("action", action, f"a whole number from 0 to {ACTIONS - 1}") from None


def checked_mode(render_mode: object) -> str | None:
    """Return how an environment is drawn; raise InputError for a way that it does not know."""
    if render_mode is None or (isinstance(render_mode, str) and render_mode in RENDER_MODES):
        return render_mode
    raise InputError("render_mode", render_mode, f"{', '.join(RENDER_MODES)} or None")


def rendered(position: Position, render_mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """Return the board as text ("ansi"), as a picture, uint8 [384, 384, 3] with row 1 at the top, or None."""
    if render_mode is None:
        return None
    return str(position) if render_mode == "ansi" else _picture(position)


def _picture(position: Position) -> npt.NDArray[np.uint8]:
    offsets = np.arange(_CELL) - (_CELL - 1) / 2
    # The share of each pixel that a disc covers: its edge is soft.
    disc = np.clip(0.42 * _CELL + 0.5 - np.hypot(offsets[:, None], offsets), 0, 1).reshape(1, _CELL, 1, _CELL, 1)
    cells = np.full((8, _CELL, 8, _CELL, 3), _rgb(svg.GREEN))
    cells[:, [0, -1]] = cells[:, :, :, [0, -1]] = _rgb(svg.LINES)
    for bits, color in ((position.black, svg.BLACK), (position.white, svg.WHITE)):
        squares = np.unpackbits(np.array([bits], "<u8").view(np.uint8), bitorder="little").reshape(8, 1, 8, 1, 1)
        cells += squares * disc * (_rgb(color) - cells)
    picture: npt.NDArray[np.uint8] = cells.round().astype(np.uint8).reshape(8 * _CELL, 8 * _CELL, 3)
    return picture


def _rgb(color: str) -> npt.NDArray[np.float64]:
    """Return the red, green and blue of a colour as SVG writes it, #rrggbb, each from 0 to 255."""
    return np.array(list(bytes.fromhex(color[1:])), np.float64)


def mask(position: Position, viewer: Color) -> npt.NDArray[np.int8]:
    """Return 1 for each legal action of one side, int8 [65]."""
    found = np.zeros(ACTIONS, np.int8)
    if position.color is viewer:
        found[legal_actions(position)] = 1
    return found


def reward(position: Position, viewer: Color) -> int:
    """Return 1 for a won, 0 for a drawn and -1 for a lost game that is over."""
    score = position.black_score() if viewer is Color.BLACK else -position.black_score()
    return (score > 0) - (score < 0)


def spaces_of(spaces: Any) -> Any:
    """Return the space of observations, made of Gymnasium's module of spaces."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (8, 8, 2), np.int8),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


__all__ = [
    "gym",
    "openspiel",
    "pettingzoo_aec",
]

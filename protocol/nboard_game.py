"""The game as an NBoard controller sends it: GGF with only the tags that engines read, including clocks.

GGF: skatgame.net/mburo/ggsa/ggf. NBoard's own parser requires TY and the final ``;)`` and refuses unknown tags.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from protocol.clocks import ClockState
from protocol.nboard import one_word
from protocol.nboard_values import TimedMove
from protocol.notation import Board, Color, format_decimal


def format_game(
    start: Board,
    moves: Sequence[int],
    clocks: tuple[ClockState, ClockState] | None = None,
    names: tuple[str, str] = ("Black", "White"),
) -> str:
    """Return the GGF text for ``set game``: ``start``, then ``moves`` in alternating colours, including passes.

    GGF holds the clock at the start and the time of each move, in whole seconds and in fractions; both are chosen so
    that an engine that adds them up obtains the current ``clocks`` (black, white). No overtime is granted.
    """
    cells = " ".join(start.cells[row : row + 8] for row in range(0, 64, 8)).replace("X", "*")
    times: dict[int, float] = {}
    tags = ["GM[Othello]PC[NBoard]", f"PB[{one_word(names[0])}]PW[{one_word(names[1])}]RE[?]"]
    if clocks is not None:
        for color, tag, clock in zip(Color, ("TB", "TW"), clocks, strict=True):
            own = range(color ^ start.to_move, len(moves), 2)
            whole_s, over_s = _clock_at_start(clock, len(own))
            tags.append(f"{tag}[{_clock_text(whole_s)}/{_clock_text(int(clock.increment_s))}/0]")
            if own and over_s:
                times[own[-1]] = over_s
    tags.append(f"TY[8]BO[8 {cells} {'*' if start.to_move is Color.BLACK else 'O'}]")
    color = start.to_move
    for ply, move in enumerate(moves):
        tags.append(f"{color.letter.upper()}[{TimedMove(move)}{_time_text(times.get(ply))}]")
        color = color.opponent
    return f"(;{''.join(tags)};)"


def _clock_at_start(clock: ClockState, own_moves: int) -> tuple[int, float]:
    """Return the whole seconds at the start, and the seconds that one move must have used of them."""
    now_s = round(max(0.0, clock.remaining_s), 3) - own_moves * int(clock.increment_s)
    if not own_moves:
        return max(0, int(now_s)), 0.0
    whole_s = max(0, math.ceil(now_s))
    return whole_s, round(whole_s - now_s, 3)


def _clock_text(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"


def _time_text(time_s: float | None) -> str:
    return "" if time_s is None else f"//{format_decimal(time_s, 3)}"

"""The content of a session's drawing: its game, players, clocks, how the engine plays, and the opening."""

from __future__ import annotations

from othello_bot.base.notation import Color
from othello_bot.engine import ENGINE_STRATEGY
from othello_bot.session import Session
from othello_bot.terminal.scene import Scene, Seat, clock_text, turn_text, what_the_last_move_did


def scene_of(session: Session) -> Scene:
    """Return the content of the session's drawing."""
    position = session.position
    last_move, turned = what_the_last_move_did(session.game)
    facts = [("engine", engine_text(session))]
    opening = session.opening_name()
    if opening:
        facts.append(("opening", opening))
    seats = {color: Seat(_player(session, color), clock_shown(session, color)) for color in Color}
    headline = turn_text(position)
    return Scene(position, last_move, turned, seats[Color.BLACK], seats[Color.WHITE], headline, tuple(facts))


def engine_text(session: Session) -> str:
    """Return how the session's engine plays: its level and other limits, or the textbook player's name."""
    options = session.engine.options
    if options.strategy != ENGINE_STRATEGY:
        return options.strategy
    return options.limits_text(clocked=any(session.clocks.state(color) is not None for color in Color))


def clock_shown(session: Session, color: Color, spent_s: float = 0.0) -> str:
    """Return the text of a player's clock `spent_s` seconds into its turn; an empty text without a limit."""
    state = session.clocks.of(color).state
    return "" if state is None else clock_text(state.remaining_s - spent_s)


def _player(session: Session, color: Color) -> str:
    """Return the player's name with its colour, or only the colour if no name is known."""
    name = session.log.player(session.game, color)
    return f"{color.name.lower()} ({name})" if name else color.name.lower()

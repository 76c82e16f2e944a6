"""The time commands of GTP and its extensions as text: ``time_settings``, ``time_left``, ``kata-time_settings``.

Times are in seconds, read with at most milliseconds; negative times count as 0.

What follows resolves the only ambiguity, ``time_settings M B 0`` with B > 0. In GTP 2 it means "no limit" (GoGui sends
exactly ``0 1 0`` for that); Othello's match runners mean B seconds a move (M = 0) or M seconds plus B a move (Fischer).
Those runners send ``time_left`` before each move and GoGui never does, so the setting is without limit until a
``time_left`` arrives and a true clock from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from othello_bot.base.clocks import WITH_OVERTIME, TimeLeft, TimeSettings, TimeSystem, clamped
from othello_bot.base.errors import shown
from othello_bot.base.notation import format_decimal
from othello_bot.protocol.gtp import parse_color, parse_decimal, parse_integer, syntax_error

KATA_TIME_SYSTEMS: Final = (
    TimeSystem.NONE,
    TimeSystem.ABSOLUTE,
    TimeSystem.BYOYOMI,
    TimeSystem.CANADIAN,
    TimeSystem.FISCHER,
    TimeSystem.FISCHER_CAPPED,
)
"""What ``kata-list_time_settings`` lists."""

KGS_TIME_SYSTEMS: Final = (TimeSystem.NONE, TimeSystem.ABSOLUTE, TimeSystem.BYOYOMI, TimeSystem.CANADIAN)


def parse_time_settings(arguments: Sequence[str]) -> TimeSettings:
    """Return the control of ``time_settings main_time [byo_yomi_time [byo_yomi_stones]]``, in seconds, with decimals.

    ``M 0 0`` is absolute, ``M B k`` Canadian, ``M B 0`` undecided (see above), ``0 0 0`` no time at all, taken as no
    limit. Raise GtpError.
    """
    if not 1 <= len(arguments) <= 3:
        raise syntax_error(f"time_settings takes main time, byo-yomi time and stones, got {len(arguments)} arguments")
    main_s = _parse_seconds(arguments[0])
    period_s = _parse_seconds(arguments[1]) if len(arguments) > 1 else 0
    stones = max(0, parse_integer(arguments[2])) if len(arguments) > 2 else 0
    if not period_s:
        return TimeSettings(TimeSystem.ABSOLUTE, main_s) if main_s else TimeSettings()
    if not stones:
        return TimeSettings(TimeSystem.UNDECIDED, main_s, period_s)
    return TimeSettings(TimeSystem.CANADIAN, main_s, period_s, stones)


def parse_time_left(arguments: Sequence[str]) -> TimeLeft:
    """Return the contents of ``time_left colour seconds [stones]``; negative values count as 0. Raise GtpError."""
    if not 2 <= len(arguments) <= 3:
        raise syntax_error(f"time_left takes a colour, seconds and stones, got {len(arguments)} arguments")
    stones = max(0, parse_integer(arguments[2])) if len(arguments) > 2 else 0
    return TimeLeft(parse_color(arguments[0]), _parse_seconds(arguments[1]), stones)


# The numbers after each name: main time, period or increment, stones or periods, clock limit, move limit.
_KATA_FIELDS: Final = {
    TimeSystem.NONE: "",
    TimeSystem.ABSOLUTE: "M",
    TimeSystem.CANADIAN: "MBS",
    TimeSystem.BYOYOMI: "MBS",
    TimeSystem.FISCHER: "MB",
    TimeSystem.FISCHER_CAPPED: "MBLX",
}


def parse_kata_time_settings(
    arguments: Sequence[str], systems: Sequence[TimeSystem] = KATA_TIME_SYSTEMS
) -> TimeSettings:
    """Return the control of ``kata-time_settings`` (``kgs-time_settings`` with ``KGS_TIME_SYSTEMS``).

    ``none``, ``absolute M``, ``canadian M B stones``, ``byoyomi M B periods``, ``fischer M INC``, ``fischer-capped M
    INC LIMIT MAXPERMOVE`` (negative: no limit); seconds, decimals allowed. Raise GtpError.
    """
    names = {system.value: system for system in systems}
    name = arguments[0].lower() if arguments else ""
    if name not in names:
        raise syntax_error(f"expected one of {' '.join(names)}, got {shown(name)}")
    system = names[name]
    fields = _KATA_FIELDS[system]
    if len(arguments) - 1 != len(fields):
        raise syntax_error(f"{name} takes {len(fields)} numbers, got {len(arguments) - 1}")
    given = dict(zip(fields, arguments[1:], strict=True))
    stones = parse_integer(given["S"], 1) if "S" in given else 0
    limits = [parse_decimal(given[field]) if field in given else -1.0 for field in "LX"]
    limit_s, per_move_s = (None if limit < 0 else clamped(round(limit, 3)) for limit in limits)
    main_s, period_s = (_parse_seconds(given.get(field, "0")) for field in "MB")
    if system in WITH_OVERTIME and not period_s:
        # Overtime of length 0 is no overtime.
        return TimeSettings(TimeSystem.ABSOLUTE, main_s)
    return TimeSettings(system, main_s, period_s, stones, limit_s, per_move_s)


def format_time_settings(settings: TimeSettings) -> str:
    """Return the ``time_settings`` line in the form that Othello engines understand: Fischer as ``M INC 0``.

    Japanese overtime becomes one move a period, which never allows more time than the true control.
    """
    if settings.system is TimeSystem.NONE:
        return "time_settings 0 1 0"
    stones = {TimeSystem.CANADIAN: settings.stones, TimeSystem.BYOYOMI: 1}.get(settings.system, 0)
    return f"time_settings {_format_seconds(settings.main_s)} {_format_seconds(settings.period_s)} {stones}"


def format_kata_time_settings(settings: TimeSettings) -> str:
    """Return the ``kata-time_settings`` line; undecided settings are sent as Fischer."""
    system = TimeSystem.FISCHER if settings.system is TimeSystem.UNDECIDED else settings.system
    texts = {
        "M": _format_seconds(settings.main_s),
        "B": _format_seconds(settings.period_s),
        "S": str(settings.stones),
        "L": "-1" if settings.limit_s is None else _format_seconds(settings.limit_s),
        "X": "-1" if settings.per_move_s is None else _format_seconds(settings.per_move_s),
    }
    return " ".join(["kata-time_settings", system.value, *(texts[field] for field in _KATA_FIELDS[system])])


def format_time_left(told: TimeLeft) -> str:
    """Return the ``time_left`` line, milliseconds as decimals."""
    return f"time_left {told.color.letter} {_format_seconds(told.left_s)} {told.stones}"


def _parse_seconds(text: str) -> float:
    return clamped(round(parse_decimal(text), 3))


def _format_seconds(time_s: float) -> str:
    whole = round(time_s)
    return str(whole) if abs(time_s - whole) < 0.0005 else format_decimal(time_s, 3).rstrip("0")

"""The time commands of GTP, and one small pure state machine for the clock of each colour.

All times are integer milliseconds; negative ones count as nothing.  The machine only keeps books and says what a player
may use (``Allowance``); how much of that a move deserves is the engine's business.

The one ambiguity, ``time_settings M B 0`` with B > 0, is decided by what follows.  By GTP 2 it means "no limit" (GoGui
sends exactly ``0 1 0`` for that), and Othello's match runners mean B seconds a move (M = 0) or M seconds plus B a move
(Fischer).  Those runners send ``time_left`` before each move and GoGui never does, so the setting is without limit
until a ``time_left`` arrives and a true clock from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from protocol.gtp import parse_color, parse_decimal, parse_integer, syntax_error
from protocol.notation import Color, NotationError, format_decimal
from protocol.refusals import shown

LONGEST_MS: Final = 10**12
"""Longer times (more than thirty years) are cut to this one."""


class TimeSystem(Enum):
    """What refills a clock; the value is the name in ``kata-time_settings``."""

    NONE = "none"
    ABSOLUTE = "absolute"
    CANADIAN = "canadian"
    BYOYOMI = "byoyomi"
    FISCHER = "fischer"
    FISCHER_CAPPED = "fischer-capped"
    UNDECIDED = "undecided"


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


_WITH_OVERTIME: Final = frozenset((TimeSystem.CANADIAN, TimeSystem.BYOYOMI))


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """A time control, the same for both sides.

    Attributes:
        system: what refills the clock.
        main_ms: main time, or what the clock shows first.
        period_ms: length of an overtime period; with Fischer the increment after each move.
        stones: Canadian: moves in a period; Japanese (byoyomi): number of periods; else 0.
        limit_ms: FISCHER_CAPPED: the clock never shows more (None: no limit).
        per_move_ms: FISCHER_CAPPED: no move may take longer (None: no limit).
    """

    system: TimeSystem = TimeSystem.NONE
    main_ms: int = 0
    period_ms: int = 0
    stones: int = 0
    limit_ms: int | None = None
    per_move_ms: int | None = None

    def __post_init__(self) -> None:
        """Raise NotationError for a control with overtime that does not say how much."""
        if self.system in _WITH_OVERTIME and not (self.period_ms > 0 and self.stones > 0):
            raise NotationError(f"{self.period_ms} ms for {self.stones}", "an overtime of more than nothing")


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """``time_left``: what a colour's clock shows; ``stones`` moves (or periods) are left in it, 0 in main time."""

    color: Color
    left_ms: int
    stones: int = 0


@dataclass(frozen=True, slots=True)
class GameClock:
    """One side's clock as the keeper of the game knows it.

    Attributes:
        remaining_ms: what is left.
        increment_ms: what each move brings back.
        stones: in overtime, the moves (or periods) left in it; 0 in main time.
    """

    remaining_ms: int
    increment_ms: int = 0
    stones: int = 0


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a player may use now.

    Attributes:
        remaining_ms: left on the clock, never negative; 0 means: move at once.
        increment_ms: comes back after each move.
        moves_to_go: the moves that ``remaining_ms`` must last for; None: the rest of the game.
        cap_ms: the most that one move may take; None: no such rule.
    """

    remaining_ms: int
    increment_ms: int = 0
    moves_to_go: int | None = None
    cap_ms: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """One side's clock: what it shows, and in which part of its time control it is.

    ``stones`` is 0 in main time; in overtime the moves left in the period (Canadian) or the periods left (Japanese).
    ``told`` is true once a ``time_left`` has shown that a clock is kept at all.
    """

    settings: TimeSettings = TimeSettings()
    left_ms: int = 0
    stones: int = 0
    told: bool = False

    @classmethod
    def start(cls, settings: TimeSettings) -> PlayerClock:
        """The clock at the beginning of a game."""
        clock = cls(settings, settings.main_ms)
        if settings.system is TimeSystem.UNDECIDED and not settings.main_ms:
            return replace(clock, left_ms=settings.period_ms)
        return clock._in_overtime_when_due()

    @property
    def running(self) -> bool:
        """Whether time matters: false means no limit."""
        return self.told or self.settings.system not in (TimeSystem.NONE, TimeSystem.UNDECIDED)

    @property
    def allowance(self) -> Allowance | None:
        """What the player may use now; None is no limit."""
        if not self.running:
            return None
        settings = self.settings
        if self.stones:
            return Allowance(self.left_ms, 0, 1 if settings.system is TimeSystem.BYOYOMI else self.stones)
        if settings.system is TimeSystem.UNDECIDED and not settings.main_ms:
            return Allowance(self.left_ms, 0, 1)
        if settings.system is TimeSystem.CANADIAN:
            # Main time first, then a share of each period: the same as an increment that never runs out.
            return Allowance(self.left_ms, settings.period_ms // settings.stones)
        if not self.left_ms and not settings.period_ms:
            return Allowance(0, 0, 1)
        if settings.system is TimeSystem.FISCHER_CAPPED and settings.per_move_ms is not None:
            return Allowance(self.left_ms, settings.period_ms, None, settings.per_move_ms)
        return Allowance(self.left_ms, 0 if settings.system is TimeSystem.ABSOLUTE else settings.period_ms)

    def time_left(self, left_ms: int, stones: int = 0) -> PlayerClock:
        """The clock as the controller says it is; that overrules everything computed.

        Nothing left in main time (match runners cut 0.9 s to 0) begins the overtime where the control has one.
        """
        told = replace(self, left_ms=_clamped(left_ms), stones=max(0, stones), told=True)
        return told._in_overtime_when_due()

    def spent(self, used_ms: int) -> PlayerClock:
        """The clock after a move that took ``used_ms``."""
        used_ms = _clamped(used_ms)
        settings = self.settings
        if not self.running:
            return self
        if self.stones:
            return self._spent_in_overtime(used_ms)
        if settings.system is TimeSystem.UNDECIDED and not settings.main_ms:
            return replace(self, left_ms=settings.period_ms)
        after = self.left_ms - used_ms
        if settings.system in _WITH_OVERTIME:
            if after > 0:
                return replace(self, left_ms=after)
            return replace(self, left_ms=0)._in_overtime_when_due()._spent_in_overtime(-after)
        after = max(0, after)
        if settings.system in (TimeSystem.FISCHER, TimeSystem.FISCHER_CAPPED, TimeSystem.UNDECIDED):
            after += settings.period_ms
        limit = settings.limit_ms if settings.system is TimeSystem.FISCHER_CAPPED else None
        return replace(self, left_ms=after if limit is None else min(after, limit))

    def _in_overtime_when_due(self) -> PlayerClock:
        # Overtime begins when main time is over, and only in a control that has one.
        settings = self.settings
        if self.stones or self.left_ms or settings.system not in _WITH_OVERTIME:
            return self
        return replace(self, left_ms=settings.period_ms, stones=settings.stones)

    def _spent_in_overtime(self, used_ms: int) -> PlayerClock:
        settings = self.settings
        if settings.system is TimeSystem.BYOYOMI:
            lost = (used_ms - self.left_ms + settings.period_ms - 1) // settings.period_ms
            return replace(self, left_ms=settings.period_ms, stones=max(1, self.stones - max(0, lost)))
        if self.stones > 1:
            return replace(self, left_ms=max(0, self.left_ms - used_ms), stones=self.stones - 1)
        if settings.system is TimeSystem.CANADIAN:
            return replace(self, left_ms=settings.period_ms, stones=settings.stones)
        # A controller that speaks of stones in a control that has none: only its next time_left can say what follows.
        return replace(self, left_ms=max(0, self.left_ms - used_ms))


@dataclass(frozen=True, slots=True)
class Clocks:
    """Both clocks.  A value: each event returns the clocks after it."""

    black: PlayerClock = PlayerClock()
    white: PlayerClock = PlayerClock()

    @classmethod
    def start(cls, settings: TimeSettings) -> Clocks:
        """Both clocks at the beginning of a game; what earlier settings or ``time_left`` said is forgotten."""
        clock = PlayerClock.start(settings)
        return cls(clock, clock)

    @property
    def settings(self) -> TimeSettings:
        """The time control."""
        return self.black.settings

    def of(self, color: Color) -> PlayerClock:
        """The clock of one side."""
        return self.white if color else self.black

    def allowance(self, color: Color) -> Allowance | None:
        """What that side may use for its next move; None is no limit."""
        return self.of(color).allowance

    def restarted(self) -> Clocks:
        """The clocks for a new game under the same control."""
        return Clocks.start(self.settings)

    def time_left(self, told: TimeLeft) -> Clocks:
        """The clocks after a ``time_left``.

        With undecided settings it also decides for the other side that a clock is kept.
        """
        after = self._with(told.color, self.of(told.color).time_left(told.left_ms, told.stones))
        if self.settings.system is not TimeSystem.UNDECIDED:
            return after
        other = Color(told.color).opponent
        return after._with(other, replace(after.of(other), told=True))

    def spent(self, color: Color, used_ms: int) -> Clocks:
        """The clocks after a move of ``color`` that took ``used_ms``."""
        return self._with(color, self.of(color).spent(used_ms))

    def _with(self, color: Color, clock: PlayerClock) -> Clocks:
        return replace(self, white=clock) if color else replace(self, black=clock)


# -- text -------------------------------------------------------------------------------------------------------------


def parse_time_settings(arguments: Sequence[str]) -> TimeSettings:
    """Return the control of ``time_settings main_time [byo_yomi_time [byo_yomi_stones]]``, seconds, decimals allowed.

    ``M 0 0`` is absolute, ``M B k`` Canadian, ``M B 0`` undecided (see above), ``0 0 0`` nothing at all, taken as no
    limit.  Raises GtpError.
    """
    if not 1 <= len(arguments) <= 3:
        raise syntax_error(f"time_settings takes main time, byo-yomi time and stones, got {len(arguments)} arguments")
    main_ms = _milliseconds(arguments[0])
    period_ms = _milliseconds(arguments[1]) if len(arguments) > 1 else 0
    stones = max(0, parse_integer(arguments[2])) if len(arguments) > 2 else 0
    if not period_ms:
        return TimeSettings(TimeSystem.ABSOLUTE, main_ms) if main_ms else TimeSettings()
    if not stones:
        return TimeSettings(TimeSystem.UNDECIDED, main_ms, period_ms)
    return TimeSettings(TimeSystem.CANADIAN, main_ms, period_ms, stones)


def parse_time_left(arguments: Sequence[str]) -> TimeLeft:
    """Return the meaning of ``time_left colour seconds [stones]``; negative values count as 0.  Raises GtpError."""
    if not 2 <= len(arguments) <= 3:
        raise syntax_error(f"time_left takes a colour, seconds and stones, got {len(arguments)} arguments")
    stones = max(0, parse_integer(arguments[2])) if len(arguments) > 2 else 0
    return TimeLeft(parse_color(arguments[0]), _milliseconds(arguments[1]), stones)


# The numbers that follow each name: main time, period or increment, stones or periods, clock limit, move limit.
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
    INC LIMIT MAXPERMOVE`` (negative: no limit); seconds, decimals allowed.  Raises GtpError.
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
    limit_ms, per_move_ms = (None if limit < 0 else _clamped(round(limit * 1000)) for limit in limits)
    main_ms, period_ms = (_milliseconds(given.get(field, "0")) for field in "MB")
    if system in _WITH_OVERTIME and not period_ms:
        # An overtime of no length is none.
        return TimeSettings(TimeSystem.ABSOLUTE, main_ms)
    return TimeSettings(system, main_ms, period_ms, stones, limit_ms, per_move_ms)


def format_time_settings(settings: TimeSettings) -> str:
    """Return the ``time_settings`` line, as Othello's engines understand it: Fischer as ``M INC 0``.

    Japanese overtime becomes one move a period, which never allows more than the true control.
    """
    if settings.system is TimeSystem.NONE:
        return "time_settings 0 1 0"
    stones = {TimeSystem.CANADIAN: settings.stones, TimeSystem.BYOYOMI: 1}.get(settings.system, 0)
    return f"time_settings {_seconds(settings.main_ms)} {_seconds(settings.period_ms)} {stones}"


def format_kata_time_settings(settings: TimeSettings) -> str:
    """Return the ``kata-time_settings`` line; undecided settings are sent as Fischer."""
    system = TimeSystem.FISCHER if settings.system is TimeSystem.UNDECIDED else settings.system
    texts = {
        "M": _seconds(settings.main_ms),
        "B": _seconds(settings.period_ms),
        "S": str(settings.stones),
        "L": "-1" if settings.limit_ms is None else _seconds(settings.limit_ms),
        "X": "-1" if settings.per_move_ms is None else _seconds(settings.per_move_ms),
    }
    return " ".join(["kata-time_settings", system.value, *(texts[field] for field in _KATA_FIELDS[system])])


def format_time_left(told: TimeLeft) -> str:
    """Return the ``time_left`` line, milliseconds as decimals."""
    return f"time_left {told.color.letter} {_seconds(told.left_ms)} {told.stones}"


def _milliseconds(text: str) -> int:
    return _clamped(round(parse_decimal(text) * 1000))


def _clamped(time_ms: int) -> int:
    return min(max(0, time_ms), LONGEST_MS)


def _seconds(time_ms: int) -> str:
    whole, part = divmod(time_ms, 1000)
    return format_decimal(time_ms / 1000, 3).rstrip("0") if part else str(whole)

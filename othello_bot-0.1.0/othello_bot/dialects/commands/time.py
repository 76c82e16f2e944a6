"""Commands about the clocks."""

from __future__ import annotations

from othello_bot.base.clocks import Clocks, TimeControl, TimeSettings
from othello_bot.base.errors import InputError, parsed
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.protocol.time_commands import (
    KATA_TIME_SYSTEMS,
    KGS_TIME_SYSTEMS,
    parse_kata_time_settings,
    parse_time_left,
    parse_time_settings,
)

TIME = CommandGroup("Time")


@TIME.command(
    "time_settings",
    "main_time [byo_yomi_time [byo_yomi_stones]]",
    """Sets the time control, in seconds; decimals are allowed. `M 0 0` is M for the whole game. `M B n` is M, then B
    for every n moves. `M B 0` is no limit, as in GTP; after the first `time_left` it means M plus B a move, or B for
    each move if M is 0.""",
    """
> time_settings 60 0 0
=
> clocks
= black 60.000 white 60.000
""",
)
def _time_settings(call: Call) -> str:
    call.session.clocks = Clocks.start(parse_time_settings(call.arguments))
    return ""


@TIME.command(
    "clock",
    "[minutes [seconds] | off]",
    """Sets the time control of people: minutes for each side, and seconds added after each move; `off` ends it. Times
    may also be written like `1:30`, `90s` or `5 min + 3 s`. Without an argument, tells both clocks.""",
    """
> clock 5 3
=
> clock
= black 300.000 white 300.000
> clock off
=
> clock soon
? clock 'soon': expected minutes for each player like 5, ...
""",
    for_people=("clock M [S], clock off", "M minutes for each side, and S seconds a move"),
)
def _clock(call: Call) -> str:
    if not call.arguments:
        return call.session.clocks_text()
    control = parsed(lambda text: TimeControl.parse(text, "minutes"), call.command.text, InputError, "clock")
    call.session.clocks = Clocks.start(TimeSettings() if control is None else control.settings)
    return ""


@TIME.command(
    "kata-time_settings",
    "none | absolute M | canadian M B stones | byoyomi M B periods | fischer M INC | fischer-capped M INC LIMIT MAX",
    """Sets the time control by name, without ambiguity. Seconds; decimals are allowed. With fischer, INC is added after
    each move; a negative LIMIT or MAX means none.""",
    """
> kata-time_settings fischer 60 0.5
=
> kata-time_settings sandglass 60
? syntax error: ...
""",
)
def _kata_time_settings(call: Call) -> str:
    call.session.clocks = Clocks.start(parse_kata_time_settings(call.arguments))
    return ""


@TIME.command(
    "kata-list_time_settings",
    "",
    "The names accepted by `kata-time_settings`.",
    """
> kata-list_time_settings
= none absolute byoyomi canadian fischer fischer-capped
""",
)
def _kata_list_time_settings(call: Call) -> str:
    call.expect(0)
    return " ".join(system.value for system in KATA_TIME_SYSTEMS)


@TIME.command(
    "kgs-time_settings",
    "none | absolute M | canadian M B stones | byoyomi M B periods",
    "Like `kata-time_settings`, with KGS's names.",
    """
> kgs-time_settings byoyomi 60 5 3
=
""",
)
def _kgs_time_settings(call: Call) -> str:
    call.session.clocks = Clocks.start(parse_kata_time_settings(call.arguments, KGS_TIME_SYSTEMS))
    return ""


@TIME.command(
    "time_left",
    "colour seconds [stones]",
    """Sets a player's clock, in seconds; replaces the engine's own count. Decimals are allowed; a negative time counts
    as 0. Stones are the moves to play in that time, 0 for the main time.""",
    """
> time_settings 60 0 0
=
> time_left black 12.5 0
=
> clocks
= black 12.500 white 60.000
""",
)
def _time_left(call: Call) -> str:
    call.session.clocks = call.session.clocks.time_left(parse_time_left(call.arguments))
    return ""


@TIME.command(
    "clocks",
    "",
    "Both clocks in seconds, by the engine's own count; `none` for a player without a limit.",
    """
> clocks
= black none white none
""",
)
def _clocks(call: Call) -> str:
    call.expect(0)
    return call.session.clocks_text()

"""Commands about the clocks."""

from __future__ import annotations

from othello_bot.dialects.command_table import Call, CommandGroup
from protocol.clocks import (
    KATA_TIME_SYSTEMS,
    KGS_TIME_SYSTEMS,
    Clocks,
    parse_kata_time_settings,
    parse_time_left,
    parse_time_settings,
)
from protocol.notation import Color

TIME = CommandGroup("Time")


@TIME.command(
    "time_settings",
    "main_time [byo_yomi_time [byo_yomi_stones]]",
    """Sets the time control, in seconds, decimals allowed. `M 0 0` is M for the whole game; `M B n` is M and then n
    moves in each further B; `M B 0` is no limit as GTP says, until a `time_left` shows that a clock is kept, from when
    on it is M plus B a move, or B for each move where M is 0.""",
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
    "kata-time_settings",
    "none | absolute M | canadian M B stones | byoyomi M B periods | fischer M INC | fischer-capped M INC LIMIT MAX",
    """Sets the time control by its name, so that nothing is ambiguous. Seconds, decimals allowed; with fischer INC
    comes back after each move, and a negative LIMIT or MAX is none.""",
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
    "The names that `kata-time_settings` knows.",
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
    "As `kata-time_settings`, with the names that KGS knows.",
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
    """What a player's clock shows; it overrules what the engine has counted. Decimals are welcome, negative times count
    as nothing left. Stones are the moves that the time must last for, 0 for the main time.""",
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
    "What both clocks show, in seconds, as the engine counts; `none` for a player without a limit.",
    """
> clocks
= black none white none
""",
)
def _clocks(call: Call) -> str:
    call.expect(0)
    parts = []
    for color in Color:
        state = call.session.clocks.state(color)
        shown = "none" if state is None else f"{state.remaining_s:.3f}"
        parts.append(f"{color.name.lower()} {shown}")
    return " ".join(parts)

"""Commands of KataGo, Leela Zero and Sabaki: streams of analysis, searches that play no move, names for options."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from othello_bot.base.notation import move_name
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.dialects.commands.game import move_not_played
from othello_bot.engine import OPTIONS, Limits, SearchRequest, Steps, find_option
from othello_bot.protocol.analysis import AnalyzeRequest, InfoStyle, format_info, parse_analyze
from othello_bot.protocol.gtp import GtpError
from othello_bot.rules import Position

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult


STREAM = CommandGroup("Analysis streams")

ANALYZE_ARGUMENTS = (
    "[player] [interval_cs] [minmoves N] [maxmoves N] [avoid|allow PLAYER MOVE,... DEPTH] [rootInfo true]"
)
"""The arguments of all commands that stream an analysis."""

_STREAM_EFFECT = """Analyses until the next line arrives, even an empty one, and reports every interval (hundredths of a
second). Win rates are from the view of the side to move: 1 / (1 + exp(-score / 8)) for a score in discs, or won, drawn
or lost if the score is proven. `avoid` and `allow` restrict the moves of the side to move."""


def _considered(position: Position, request: AnalyzeRequest) -> frozenset[int]:
    """Return the moves that `avoid` and `allow` leave to the side to move; an empty set, for all, if they do not
    restrict it.

    Restrictions on later plies are beyond this search. Raise GtpError if no move is left.
    """
    moves = frozenset(position.legal_moves)
    avoided = {move for one in request.avoid if one.color == position.color for move in one.moves}
    allowed = {move for one in request.allow if one.color == position.color for move in one.moves}
    if not moves or not (avoided or allowed):
        return frozenset()
    left = (moves & allowed if allowed else moves) - avoided
    if not left:
        raise GtpError(f"expected a legal move to be left, there are {' '.join(map(move_name, position.legal_moves))}")
    return left


def _asked(call: Call) -> tuple[AnalyzeRequest, Position, frozenset[int]]:
    """Return what a command asks for, its position, and the moves considered; open the reply."""
    request = parse_analyze(call.arguments)
    position = call.session.live.position_for(request.color)
    considered = _considered(position, request)
    call.open_stream()
    return request, position, considered


def _info_line(result: SearchResult, request: AnalyzeRequest, style: InfoStyle) -> str:
    lines = result.lines[: request.max_moves]
    moves = [replace(line, nodes=result.nodes // len(lines)) for line in lines]
    return format_info(moves, style, root_info=request.root_info)


def _moves_wanted(position: Position, request: AnalyzeRequest) -> int:
    """Return how many best moves the search must find."""
    legal = max(1, position.legal_bits.bit_count())
    return legal if request.max_moves is None else max(1, min(request.max_moves, legal))


def analysis(call: Call, style: InfoStyle) -> Steps[str]:
    """Return an analysis that runs until any line arrives, with a report every interval."""
    request, position, considered = _asked(call)
    if position.is_over:
        return ""
    call.session.last_result = yield SearchRequest(
        position,
        Limits(infinite=True, multi_pv=_moves_wanted(position, request), considered=considered),
        on_report=lambda result: call.stream(_info_line(result, request, style)),
        report_every_s=request.interval_cs / 100,
    )
    return ""


@STREAM.command(
    "lz-analyze",
    ANALYZE_ARGUMENTS,
    _STREAM_EFFECT + " Win rates are integers, in ten thousandths.",
    """
> lz-analyze b 1
=...
""",
    ends_on_input=True,
)
def _lz_analyze(call: Call) -> Steps[str]:
    return analysis(call, InfoStyle.LEELA)


@STREAM.command(
    "kata-analyze",
    ANALYZE_ARGUMENTS,
    _STREAM_EFFECT + " `scoreLead` is the score in discs.",
    """
> kata-analyze 1 maxmoves 2
=...
""",
    ends_on_input=True,
)
def _kata_analyze(call: Call) -> Steps[str]:
    return analysis(call, InfoStyle.KATAGO)


def genmove_analysis(call: Call, style: InfoStyle, *, plays: bool = True) -> Steps[str]:
    """Choose a move like `genmove` and stream the analysis; the last line names the move. Play it if `plays`."""
    session, (request, position, considered) = call.session, _asked(call)
    if position.is_over:
        return "play pass"
    choice = yield from session.chosen(
        position,
        replace(session.move_limits(position.color), considered=considered),
        on_report=lambda result: call.stream(_info_line(result, request, style)),
    )
    if plays:
        session.finish_move(call, position.color, choice)
    return f"play {move_name(choice.move)}"


for _name, _style, _effect in (
    (
        "lz-genmove_analyze",
        InfoStyle.LEELA,
        "Like `genmove`, with a report at each improvement. The last line is `play` and the move.",
    ),
    ("kata-genmove_analyze", InfoStyle.KATAGO, "Like `lz-genmove_analyze`, in KataGo's format."),
    ("genmove_analyze", InfoStyle.SABAKI, "Like `lz-genmove_analyze`, in Sabaki's format."),
):
    STREAM.command(
        _name,
        ANALYZE_ARGUMENTS,
        _effect,
        f"""
> setoption depth 2
=
> setoption book off
=
> {_name} b 1
=
info move ...
play ...
""",
    )(partial(genmove_analysis, style=_style))


KATA = CommandGroup("KataGo")

CANCELLED = "cancelled"

_PARAMETERS = {"maxvisits": "nodes", "numsearchthreads": "threads"}
"""KataGo's names of options with the same meaning and unit."""


def _cancellable(call: Call, steps: Steps[str], answer: str) -> Steps[str]:
    """Return the steps, with another answer if they had to search and a line arrived in the meantime."""
    found = yield from steps
    return answer if call.searched and call.interrupted else found


@KATA.command(
    "kata-search",
    "[player]",
    "Chooses a move like `genmove`, under the clock, and does not play it.",
    """
> setoption depth 2
=
> kata-search b
= ...
> transcript
=
""",
)
def _search(call: Call) -> Steps[str]:
    return move_not_played(call, call.session.move_limits)


@KATA.command(
    "kata-search_cancellable",
    "[player]",
    "Like `kata-search`; any line that arrives during the search ends it with the answer `cancelled`.",
    """
> setoption depth 2
=
> kata-search_cancellable b
= ...
""",
    ends_on_input=True,
)
def _search_cancellable(call: Call) -> Steps[str]:
    return _cancellable(call, move_not_played(call, call.session.move_limits), CANCELLED)


@KATA.command(
    "kata-search_analyze",
    ANALYZE_ARGUMENTS,
    "Like `kata-genmove_analyze`, without playing the move.",
    """
> setoption depth 2
=
> setoption book off
=
> kata-search_analyze b 1
=
info move ...
play ...
> transcript
=
""",
)
def _search_analyze(call: Call) -> Steps[str]:
    return genmove_analysis(call, InfoStyle.KATAGO, plays=False)


@KATA.command(
    "kata-search_analyze_cancellable",
    ANALYZE_ARGUMENTS,
    "Like `kata-search_analyze`; any line that arrives during the search ends it with `play cancelled`.",
    """
> setoption depth 2
=
> kata-search_analyze_cancellable b 1
=...
play ...
""",
    ends_on_input=True,
)
def _search_analyze_cancellable(call: Call) -> Steps[str]:
    return _cancellable(call, genmove_analysis(call, InfoStyle.KATAGO, plays=False), f"play {CANCELLED}")


def _option_name(text: str) -> str:
    return find_option(_PARAMETERS.get(text.lower(), text)).name


@KATA.command(
    "kata-list-params",
    "",
    "The names accepted by `kata-get-param` and `kata-set-param`: those of the options.",
    """
> kata-list-params
= hash threads level ...
""",
)
def _list_params(call: Call) -> str:
    call.expect(0)
    return " ".join(option.name for option in OPTIONS)


@KATA.command(
    "kata-get-param",
    "name",
    "The value of an option, like `getoption`. `maxVisits` is `nodes` and `numSearchThreads` is `threads`.",
    """
> kata-get-param numSearchThreads
= 1
""",
)
def _get_param(call: Call) -> str:
    (name,) = call.expect(1)
    return call.session.engine.options.text(_option_name(name))


@KATA.command(
    "kata-set-param",
    "name [value]",
    "Sets an option, or tells its value, like `setoption`.",
    """
> kata-set-param maxVisits 1000
=
> getoption nodes
= 1000
""",
)
def _set_param(call: Call) -> str:
    name, *values = call.expect(1, 2)
    return call.session.set_or_tell(_option_name(name), "".join(values))

"""KataGo's commands that search without playing, and its names for options."""

from __future__ import annotations

from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.dialects.commands.game import move_not_played
from othello_bot.dialects.commands.stream import ANALYZE_ARGUMENTS, genmove_analysis
from othello_bot.engine import OPTIONS, find_option
from othello_bot.protocol.analysis import InfoStyle
from othello_bot.session import Steps

KATA = CommandGroup("KataGo")

CANCELLED = "cancelled"

_PARAMETERS = {"maxvisits": "nodes", "numsearchthreads": "threads"}
"""KataGo's names of options with the same meaning and unit."""


def _cancellable(call: Call, steps: Steps, answer: str) -> Steps:
    """Return the steps, with another answer if they had to search and a line arrived in the meantime."""
    result = None
    try:
        while True:
            result = yield next(steps) if result is None else steps.send(result)
    except StopIteration as done:
        found: str = done.value
    return answer if result is not None and call.interrupted else found


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
def _search(call: Call) -> Steps:
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
def _search_cancellable(call: Call) -> Steps:
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
def _search_analyze(call: Call) -> Steps:
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
def _search_analyze_cancellable(call: Call) -> Steps:
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
    "name value",
    "Sets an option, like `setoption`.",
    """
> kata-set-param maxVisits 1000
=
> getoption nodes
= 1000
""",
)
def _set_param(call: Call) -> str:
    name, value = call.expect(2)
    call.session.set_option(_option_name(name), value)
    return ""

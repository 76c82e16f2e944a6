"""The command that asks a base of games: what was played in the position, and how it ended."""

from __future__ import annotations

import sys

from othello_bot.base.errors import InputError
from othello_bot.base.output import terminal_columns
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.dialects.commands.search import PLAYED
from othello_bot.protocol.gtp import GtpError

EXPLORE = CommandGroup("Search")


@EXPLORE.command(
    "explore",
    "[moves] [filter ...] [--people rating] [--games | --novelty] [--json]",
    """What was played in the position, or after more moves, in the base of games that the option `base_file` names: for
    each move its games, the mover's wins, draws and losses, years, and the book's value. `--years`, `--player`,
    `--color`, `--opponent`, `--event`, `--rating`, `--result`, `--programs` and `--between` choose the games; a name with
    spaces stands in quotation marks. `--people` adds how likely people of a rating are to play each move. `--games` lists
    the games, `--count` of them on a `--page`, and `--order strongest` begins with the highest ratings; `--novelty` tells
    where the present game leaves what had been played. With `--json`, each move or game is a JSON object on its own line;
    a position without moves in the base is one with the move null.""",
    """
> explore
? ...option base_file...
""",
    for_people=PLAYED,
)
def _explore(call: Call) -> str:
    from othello_bot.explorer import answer, question  # imported here: a session without a base never needs it

    session = call.session
    try:
        asked = question(call.command.text)
        columns = terminal_columns(sys.stdout) if session.person is not None else None
        return "\n".join(answer(session.base, session.game, asked, session.engine, columns))
    except (InputError, OSError) as error:
        raise GtpError(f"cannot explore: {error}") from error

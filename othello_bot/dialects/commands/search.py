"""Commands about what the engine thinks: hints, analysis, evaluation, statistics, one position searched."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.dialects.commands.stream import analysis
from othello_bot.dialects.stateless import stateless_search
from othello_bot.engine import SearchRequest
from othello_bot.session import Steps, bounds_line, hint_lines, reached, signed, statistics
from protocol.analysis import InfoStyle
from protocol.cassio import parse_search
from protocol.gtp import Command, GtpError, parse_integer
from protocol.notation import PASS, is_color, move_name

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult
    from othello_bot.rules import Position
    from othello_bot.session import Session

SEARCH = CommandGroup("Search")


@SEARCH.command(
    "hint",
    "[n]",
    """The n best moves, 1 without a number, in one search, each with its score in discs for the side on turn, how deep
    it was searched, and the expected line. Level, depth, nodes and move time of the options limit it. Says the
    opening's name where there is one.""",
    """
> setoption depth 3
=
> hint 2
= 1 ... 3@...
2 ... 3@...
""",
)
def _hint(call: Call) -> Steps:
    arguments = call.expect(0, 1)
    count = parse_integer(arguments[0], 1, 64) if arguments else 1
    if not call.session.position.legal_bits:
        return no_move_text(call.session.position)
    result = yield from search_of_moves(call.session, count)
    opening = call.session.opening_name()
    return "\n".join(hint_lines(result) + ([f"opening: {opening}"] if opening else []))


def no_move_text(position: Position) -> str:
    """What is said in place of the best moves where there is no legal move."""
    return "pass" if position.must_pass else "the game is over"


def search_of_moves(session: Session, count: int) -> Generator[SearchRequest, SearchResult, SearchResult]:
    """Steps that end in a search of the position for its `count` best moves, limited by the options."""
    position = session.position
    limits = replace(session.engine.default_limits(), multi_pv=min(count, position.legal_bits.bit_count()))
    result = yield SearchRequest(position, limits)
    session.last_result = result
    return result


@dataclass(frozen=True, slots=True)
class _Judged:
    """A move of the game: what it was worth, and what the best one was worth, in discs from its player's view."""

    ply: int
    letter: str
    move: int
    score: int
    best: int
    best_score: int
    depth: str


def _is_sabakis(command: Command) -> bool:
    return bool(command.arguments) and is_color(command.arguments[0])


@SEARCH.command(
    "analyze",
    "[n] | player [interval_cs] ...",
    """Goes through the game from its end to its start, or only through its last n moves, and answers for each move its
    number, colour, score in discs from its player's view, the best move with its score, and the discs that were lost.
    The options limit the search of each position; `stop` ends it with what it has. With a colour it is Sabaki's command
    of this name: a stream as `kata-analyze` makes it, in Sabaki's words.""",
    """
> setoption depth 4
=
> play f5d6c3
=
> analyze
= 1 b f5 ... best ... loss ...
2 w d6 ... best ... loss ...
3 b c3 ... best ... loss ...
""",
    ends_on_input=_is_sabakis,
)
def _analyze(call: Call) -> Steps:
    return analysis(call, InfoStyle.SABAKI) if _is_sabakis(call.command) else _analysis_of_the_game(call)


def _analysis_of_the_game(call: Call) -> Steps:
    arguments = call.expect(0, 1)
    session = call.session
    game = session.game
    count = min(parse_integer(arguments[0], 1, 1000) if arguments else game.ply, game.ply)
    limits = session.engine.default_limits()
    judged: list[_Judged] = []
    value: int | None = None
    # Backwards: what the table learned about the end of the game helps with the moves before it.
    for ply in range(game.ply, game.ply - count - 1, -1):
        if call.interrupted:
            break
        position = game.position_at(ply)
        if position.is_over:
            best, best_score, depth = PASS, position.score(), "exact"
        else:
            result = yield SearchRequest(position, limits)
            best, best_score, depth = result.best.move, result.best.score, reached(result.best)
        if value is not None:
            played = game.moves[ply]
            # The position after the move was searched one ply deeper than this one saw it: its word counts.
            score = -value
            if played == best or score > best_score:
                best, best_score = played, score
            judged.append(_Judged(ply + 1, position.color.letter, played, score, best, best_score, depth))
        value = best_score
    return "\n".join(
        f"{item.ply} {item.letter} {move_name(item.move)} {signed(item.score)} best {move_name(item.best)}"
        f" {signed(item.best_score)} loss {item.best_score - item.score} {item.depth}"
        for item in reversed(judged)
    )


@SEARCH.command(
    "eval",
    "",
    "The static evaluation of the position, without search, in discs from the view of the side on turn.",
    """
> eval
= ...
""",
)
def _eval(call: Call) -> str:
    call.expect(0)
    position = call.session.position
    if position.is_over:
        return signed(position.score())
    return signed(float(call.session.engine.evaluate(position)))


@SEARCH.command(
    "stats",
    "",
    """About the last search: depth, score in discs from the view of the side that was on turn, positions visited,
    time, rate, expected line, and what thinking ahead contributed.""",
    """
> stats
? nothing has been searched yet
> setoption depth 3
=
> hint
= ...
> stats
= depth 3@...
score ...
nodes ...
time ...
rate ...
pv ...
""",
)
def _stats(call: Call) -> str:
    call.expect(0)
    result = call.session.last_result
    if result is None:
        raise GtpError("nothing has been searched yet")
    lines = statistics(result)
    hit = call.session.engine.ponder_hit
    if hit is not None:
        lines.append(f"thought ahead {hit.time_s:.3f} s")
    return "\n".join(lines)


@SEARCH.command(
    "search",
    "position [alpha [beta [depth [precision]]]]",
    """Searches one position without touching the game: 64 cells and the side to move, a window in discs from that
    side's view, a depth in plies, and a precision in percent, 100 for no selective pruning. A depth of at least the
    number of empties is a solve. What is left out means the widest window, the deepest search, full precision. The
    answer has a line for each improvement; the last one is the result. `stop` ends it with what it has.""",
    """
> search ---------------------------OX------XO---------------------------X -64 64 3 100
=
...
move ... depth 3@100% score ... <= v <= ... nodes ... time ... pv ...
""",
)
def _search(call: Call) -> Steps:
    asked = parse_search(list(call.arguments))
    position, limits = stateless_search(asked)
    if position.is_over:
        return f"game over, score {signed(position.score())}"
    improvements: list[str] = []
    result = yield SearchRequest(
        position, limits, on_report=lambda found: improvements.append(bounds_line(found)) if found.lines else None
    )
    last = bounds_line(result)
    return "\n".join(["", *(line for line in improvements if line != last), last])

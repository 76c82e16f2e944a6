"""Commands that search or evaluate: hints, analysis, evaluation, statistics, one position searched."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from othello_bot.base.errors import InputError
from othello_bot.base.notation import is_color, move_name
from othello_bot.base.output import terminal_columns
from othello_bot.base.visible import json_line
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.dialects.commands.kata import analysis
from othello_bot.engine import MEAN_RATING, SearchRequest, Steps
from othello_bot.kernel import VARIANT
from othello_bot.protocol.analysis import InfoStyle
from othello_bot.protocol.gtp import Command, GtpError, parse_integer
from othello_bot.rules import Position
from othello_bot.session import (
    bounds_line,
    evaluation_object,
    hint_lines,
    hint_objects,
    hint_table,
    judged_line,
    judged_object,
    known_text,
    no_hint_object,
    probability_objects,
    signed,
    statistics,
    statistics_object,
)

if TYPE_CHECKING:
    from othello_bot.book import BookMove
    from othello_bot.session import Session

SEARCH = CommandGroup("Search")

HIGHEST_RATING: Final = 9999

PLAYED: Final = ("policy [RATING], explore", "what people of a rating play; what was played")
"""The line of `help` for what others play."""


@SEARCH.command(
    "hint",
    "[n] [--json]",
    """The n best moves, by default 1, found in one search: score in discs for the side to move, depth, and principal
    variation. The options level, depth, nodes and move_time limit the search. Adds the book's best moves, unless it is
    off, and the opening's name if there is one. A terminal shows a table with a header. With `--json`, each move is a
    JSON object on its own line, with a member `book` if the book knows it.""",
    """
> setoption depth 3
=
> hint 2
= 1 ... 3@...
2 ... 3@...
> hint --json
= {"rank": 1, "move": ..., "score": ..., "bound": "exact", "depth": 3, ..., "pv": [...], "opening": ...}
""",
    for_people=("hint, suggest [N]", "the best move, or the N best, with scores"),
    aliases=("suggest",),
)
def _hint(call: Call) -> Steps[str]:
    arguments, as_json = _arguments(call, 1)
    count = parse_integer(arguments[0], 1, 64) if arguments else 1
    position = call.session.position
    if call.session.resigned:
        call.session.live.require_going_on("hint")
    if not position.legal_bits:
        return json_line(no_hint_object(position)) if as_json else no_move_text(position)
    result = yield from call.session.best_moves(count)
    opening = call.session.opening_name()
    if as_json:
        return "\n".join(map(json_line, hint_objects(result, opening, _known(call.session, position))))
    known = list(_known(call.session, position).values())[:count]
    book = [f"book: {', '.join(f'{move_name(one.move)} {known_text(one)}' for one in known)}"] if known else []
    moves = hint_lines(result)
    if call.session.person is not None:
        moves = ["", *hint_table(result, terminal_columns(sys.stdout))]
    return "\n".join([*moves, *book, *([f"opening: {opening}"] if opening else [])])


def _known(session: Session, position: Position) -> dict[int, BookMove]:
    """Return the moves that the book knows, the best first; none if it is off."""
    if not session.engine.options.book:
        return {}
    return {known.move: known for known in session.engine.book.lookup(position)}


def no_move_text(position: Position) -> str:
    """Return the text that replaces the best moves if there is no legal move."""
    return "pass" if position.must_pass else "the game is over"


def _arguments(call: Call, most: int) -> tuple[tuple[str, ...], bool]:
    """Return the arguments without `--json`, at most `most`, and whether `--json` was among them."""
    words = tuple(word for word in call.arguments if word != "--json")
    return replace(call.command, arguments=words).expect(0, most, call.usage), len(words) < len(call.arguments)


def _is_sabakis(command: Command) -> bool:
    return bool(command.arguments) and is_color(command.arguments[0])


@SEARCH.command(
    "analyze",
    "[n] [--json] | player [interval_cs] ...",
    """Analyses the game, or only its last n moves. Answers for each move: number, colour, score in discs from its
    player's view, best move with its score, and discs lost. The played move and the best one are compared by the same
    search, symmetric moves have the same value, and a loss within the error of the search counts as none. The options
    limit the search of each position; `stop` ends the analysis with its result so far. The results of earlier searches
    are forgotten. With `--json`, each move is a JSON object on its own line. With a colour it is Sabaki's command of
    the same name: a stream like that of `kata-analyze`, in Sabaki's format. If the book knows a move, its line ends
    with the move's loss by the book.""",
    """
> setoption depth 4
=
> play f5d6c3
=
> analyze
= 1 b f5 ... best f5 ... loss 0 4@...
2 w d6 ... best ... loss ...
3 b c3 ... best ... loss ...
> analyze 1 --json
= {"ply": 3, "color": "black", "move": "c3", ..., "best": ..., "best_score": ..., "loss": ...}
""",
    for_people=("analyze [N]", "what each move gave away, or the last N moves"),
    ends_on_input=_is_sabakis,
)
def _analyze(call: Call) -> Steps[str]:
    return analysis(call, InfoStyle.SABAKI) if _is_sabakis(call.command) else _analysis_of_the_game(call)


def _analysis_of_the_game(call: Call) -> Steps[str]:
    from othello_bot.review import analysis_steps  # imported here: it would delay the first reply

    arguments, as_json = _arguments(call, 1)
    session, game = call.session, call.session.game
    count = min(parse_integer(arguments[0], 1, 1000) if arguments else game.ply, game.ply)
    session.engine.clear()
    limits = session.engine.default_limits()
    judged = yield from analysis_steps(game, limits, lambda: call.interrupted, first_ply=game.ply - count)
    if count and not judged:
        raise GtpError("stopped before a move was judged")
    known = [_known(session, game.position_at(one.ply - 1)).get(one.played.move) for one in judged]
    if as_json:
        return "\n".join(map(json_line, map(judged_object, judged, known)))
    return "\n".join(map(judged_line, judged, known))


@SEARCH.command(
    "review",
    "",
    """Reviews the game for people, at level 16 whatever the options say: the moves that lost discs, with what was
    better, and for each side its accuracy, its losses and the rating that it played like. `stop` ends the review with
    its result so far. The results of earlier searches are forgotten.""",
    """
> play f5f4c3
=
> review
=
...
black: accuracy ...
white: accuracy ...
> newgame
=
> review
? review 'this game': expected one with moves
""",
    for_people=("review", "the moves that lost discs, and what was better"),
)
def _review(call: Call) -> Steps[str]:
    from othello_bot.review import DEFAULT_LEVEL, GameReview, review_lines, review_steps  # imported here: as above

    call.expect(0)
    session, game = call.session, call.session.game
    if not game.ply:
        raise InputError("review", "this game", "one with moves")
    session.engine.clear()
    steps = review_steps(game, DEFAULT_LEVEL, None, lambda: call.interrupted, people_model=session.engine.people_model)
    moves = yield from steps
    return "\n".join(["", *review_lines(GameReview(game.copy(), DEFAULT_LEVEL, tuple(moves)))])


@SEARCH.command(
    "book",
    "",
    """The moves that the opening books know, the best first: score in discs for the side to move, depth, number of
    learned games, `leaf` if the book ends after the move, and the opening's name. Empty if they know none. It does
    not search.""",
    """
> play f5
=
> book
= d6 0 exact 0 games Perpendicular
f6 ...@... 0 games Diagonal
f4 ...@... 0 games Parallel
""",
)
def _book(call: Call) -> str:
    call.expect(0)
    book, position = call.session.engine.book, call.session.position
    lines = []
    for known in book.lookup(position):
        words = [move_name(known.move), known_text(known)]
        words += [*([] if known.leads_on else ["leaf"]), *filter(None, [book.name(position.play(known.move))])]
        lines.append(" ".join(words))
    return "\n".join(lines)


@SEARCH.command(
    "eval",
    "[--json]",
    """The static evaluation of the position, without search, in discs from the view of the side to move; the score
    if the game is over. With `--json`, as a JSON object.""",
    """
> eval
= ...
> eval --json
= {"color": "black", "empties": 60, "score": ...}
""",
)
def _eval(call: Call) -> str:
    _, as_json = _arguments(call, 0)
    position = call.session.position
    score = position.score() if position.is_over else float(call.session.engine.evaluate(position))
    return json_line(evaluation_object(position, score)) if as_json else signed(score)


@SEARCH.command(
    "policy",
    "[rating] [--alone] [--json]",
    """How likely players of a rating are to play each move, the likeliest first. 1500, the default, is the mean of
    active tournament players; ratings below 500 count as 500, and above 1950 as 1950, where the data end. The answer takes
    the scores of a search of a few milliseconds into account; with `--alone` it is what people see at a glance, and
    ratings end at 1800. With `--json`, each move is a JSON object on its own line.""",
    """
> play f5
=
> policy
= ... %
... %
... %
> policy 1900 --alone --json
= {"move": ..., "probability": ...}
{"move": ..., "probability": ...}
{"move": ..., "probability": ...}
""",
    for_people=PLAYED,
)
def _policy(call: Call) -> str:
    words = tuple(word for word in call.arguments if word not in ("--alone", "--json"))
    chances = likeliest_first(call, words, alone="--alone" in call.arguments)
    position = call.session.position
    if "--json" in call.arguments:
        return "\n".join(map(json_line, probability_objects(chances) or [no_hint_object(position)]))
    return "\n".join(f"{move_name(move)} {100 * chance:.1f} %" for move, chance in chances) or no_move_text(position)


def likeliest_first(call: Call, words: tuple[str, ...], *, alone: bool) -> list[tuple[int, float]]:
    """Return the moves with their probabilities for the rating among the words, if there is one."""
    given = replace(call.command, arguments=words).expect(0, 1, call.usage)
    asked = parse_integer(given[0], 1, HIGHEST_RATING) if given else MEAN_RATING
    chances = call.session.engine.policy(call.session.game, asked, alone=alone)
    return sorted(chances.items(), key=lambda one: -one[1])


@SEARCH.command(
    "stats",
    "[--json]",
    """Statistics of the last search: depth, score in discs from the view of the side to move then, nodes, time, rate,
    why it ended (`solved`, `goal`, `only move`, `easy move`, `decided`, `optimum`, `maximum`, `nodes` or `stop`), and
    principal variation. With a time limit, `planned` is when the search should have ended and when it had to. `thought
    ahead` is the time already spent on this position during the opponent's turn; `thinking ahead` counts the replies
    that were foreseen in this game. `kernel` is the variant of the kernel. A book move is not a search. With `--json`,
    as a JSON object.""",
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
ended goal
pv ...
kernel ...
> stats --json
= {"move": ..., "nodes": ..., "time_s": ..., "ended": "goal", "planned_s": null, ..., "replies": 0, "kernel": ...}
""",
    for_people=("stats", "how deep and how fast the last search was"),
)
def _stats(call: Call) -> str:
    _, as_json = _arguments(call, 0)
    result = call.session.last_result
    if result is None:
        raise GtpError("nothing has been searched yet")
    engine = call.session.engine
    if as_json:
        return json_line(statistics_object(result, engine.budget, engine.ponder_hit, engine.free_time))
    lines = statistics(result, engine.budget, engine.ponder_hit, engine.free_time)
    return "\n".join([*lines, f"kernel {VARIANT}"])


@SEARCH.command(
    "search",
    "position [alpha [beta [depth [precision]]]]",
    """Searches one position without changing the game. Arguments: 64 cells and the side to move, a window in discs from
    that side's view, a depth in plies, and a precision in percent (100 for no selective pruning). A depth of at least
    the number of empties solves the position. The defaults are the full window, full depth and full precision. Answers
    one line per improvement; the last line is the result. `stop` ends the search with its result so far.""",
    """
> search ---------------------------OX------XO---------------------------X -64 64 3 100
=
...
move ... depth 3@100% score ... <= v <= ... nodes ... time ... pv ...
""",
)
def _search(call: Call) -> Steps[str]:
    from othello_bot.protocol.cassio import parse_search  # imported here: a session starts without it

    asked = parse_search(list(call.arguments))
    position = Position.from_board(asked.board)
    limits = call.session.requested_limits(position.empties, asked.depth, asked.alpha, asked.beta, asked.precision)
    if position.is_over:
        return f"game over, score {signed(position.score())}"
    improvements: list[str] = []
    result = yield SearchRequest(
        position, limits, on_report=lambda found: improvements.append(bounds_line(found)) if found.lines else None
    )
    last = bounds_line(result)
    return "\n".join(["", *(line for line in improvements if line != last), last])

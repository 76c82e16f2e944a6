"""``lz-analyze``, ``kata-analyze`` and Sabaki's ``analyze``: arguments in, ``info`` lines out, and back.

KataGo's docs/GTP_Extensions.md describes them. These commands stream: the reply opens with ``=``, each report is one
line with the words of all moves, and the next input line, even an empty one, ends it.

Othello counts discs, so a logistic curve converts the score to a win rate: ``1 / (1 + exp(-score / 8))``. At 8 discs
ahead it is 73 %, at 16 it is 88 %; ``scoreLead`` is the score in discs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from othello_bot.base import notation
from othello_bot.base.errors import shown
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import Color, NotationError, format_decimal, is_color, move_name
from othello_bot.protocol.gtp import (
    parse_boolean,
    parse_color,
    parse_decimal,
    parse_integer,
    parse_vertex,
    syntax_error,
)

WIN_RATE_SCALE_DISCS: Final = 8.0
"""Lead in discs at which the odds are e to one."""

DEFAULT_INTERVAL_CS: Final = 100
"""Default interval between reports in centiseconds."""


class InfoStyle(Enum):
    """The format of reports: ``lz-analyze`` (integers, ten thousandths), ``kata-analyze``, Sabaki's ``analyze``
    (decimals).
    """

    LEELA = "lz"
    KATAGO = "kata"
    SABAKI = "sabaki"


@dataclass(frozen=True, slots=True)
class Restriction:
    """``avoid`` or ``allow``: these moves of that colour, at the root: a depth beyond it is accepted, without effect."""

    color: Color
    moves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnalyzeRequest:
    """The arguments of an analysis command.

    Attributes:
        color: whose move is analysed; None: the side to move.
        interval_cs: centiseconds between two reports.
        min_moves: report at least this many moves, if there are as many.
        max_moves: report at most this many; None: all.
        avoid: moves not to consider.
        allow: the only moves to consider.
        root_info: KataGo's ``rootInfo true``.
    """

    color: Color | None = None
    interval_cs: int = DEFAULT_INTERVAL_CS
    min_moves: int = 0
    max_moves: int | None = None
    avoid: tuple[Restriction, ...] = ()
    allow: tuple[Restriction, ...] = ()
    root_info: bool = False


def win_rate(score: float, *, exact: bool = False) -> float:
    """Return the win rate, 0..1, of a score in discs; an ``exact`` score is won, drawn or lost."""
    if exact:
        return 0.5 if score == 0 else float(score > 0)
    return 1.0 / (1.0 + math.exp(-score / WIN_RATE_SCALE_DISCS))


# KataGo's switches that only make sense in Go: accepted, without effect.
_IGNORED: Final = "ownership ownershipstdev movesownership movesownershipstdev pvvisits pvedgevisits noresultvalue"
_IGNORED_SWITCHES: Final = frozenset(_IGNORED.split())


def parse_analyze(arguments: Sequence[str]) -> AnalyzeRequest:
    """Return the request of ``[player] [interval] [key value ...]``.

    Keys: ``interval``, ``minmoves``, ``maxmoves``, ``avoid`` and ``allow`` (player, moves separated by commas, depth),
    ``rootInfo``; KataGo's keys for ownership and visits are ignored. Raise GtpError.
    """
    words = list(arguments)
    color = parse_color(words.pop(0)) if words and is_color(words[0]) else None
    interval_cs = DEFAULT_INTERVAL_CS
    if words and (words[0][:1].isdigit() or words[0][:1] in ("-", "+", ".")):
        interval_cs = _interval(words.pop(0))
    min_moves, max_moves, root_info = 0, None, False
    restrictions: dict[str, list[Restriction]] = {"avoid": [], "allow": []}
    while words:
        key = words.pop(0)
        name = key.lower()
        values = [words.pop(0) for _ in range(min(len(words), 3 if name in restrictions else 1))]
        if len(values) < (3 if name in restrictions else 1):
            raise syntax_error(f"{shown(key)} lacks its value")
        if name in restrictions:
            moves = tuple(parse_vertex(word) for word in values[1].split(",") if word)
            parse_integer(values[2], 1)
            restrictions[name].append(Restriction(parse_color(values[0]), moves))
        elif name == "interval":
            interval_cs = _interval(values[0])
        elif name == "minmoves":
            min_moves = parse_integer(values[0], 0)
        elif name == "maxmoves":
            max_moves = parse_integer(values[0], 1)
        elif name == "rootinfo":
            root_info = parse_boolean(values[0])
        elif name in _IGNORED_SWITCHES:
            parse_boolean(values[0])
        else:
            known = "interval, minmoves, maxmoves, avoid, allow or rootInfo"
            raise syntax_error(f"expected {known}, got {shown(key)}")
    return AnalyzeRequest(
        color, interval_cs, min_moves, max_moves, tuple(restrictions["avoid"]), tuple(restrictions["allow"]), root_info
    )


def format_info(moves: Sequence[EvaluatedMove], style: InfoStyle = InfoStyle.KATAGO, *, root_info: bool = False) -> str:
    """Return one report line for all moves, the best first; ``""`` without moves.

    ``prior`` is the same for all moves. With ``root_info`` (KataGo) the best move's score and the sum of the nodes follow
    as ``rootInfo``.
    """
    parts = [_format_move(move, order, 1 / len(moves), style) for order, move in enumerate(moves)]
    if root_info and moves and style is InfoStyle.KATAGO:
        parts.append(f"rootInfo visits {sum(move.nodes or 0 for move in moves)} {_katago_scores(moves[0])}")
    return " ".join(parts)


def _format_move(move: EvaluatedMove, order: int, prior: float, style: InfoStyle) -> str:
    head = f"info move {move_name(move.move)} visits {move.nodes or 0}"
    pv = " ".join(map(move_name, move.pv or (move.move,)))
    rate = _rate(move)
    if style is InfoStyle.KATAGO:
        return f"{head} {_katago_scores(move)} prior {prior:.6f} lcb {rate:.6f} order {order} pv {pv}"
    if style is InfoStyle.SABAKI:
        # Sabaki's parser distinguishes this style from Leela's by the decimal point.
        return (
            f"{head} winrate {rate:.6f} scoreLead {format_decimal(move.score or 0)} prior {prior:.6f} lcb {rate:.6f}"
            f" order {order} pv {pv}"
        )
    rate_text, prior_text = round(10000 * rate), round(10000 * prior)
    return f"{head} winrate {rate_text} prior {prior_text} lcb {rate_text} order {order} pv {pv}"


def _katago_scores(move: EvaluatedMove) -> str:
    score, rate = format_decimal(move.score or 0), _rate(move)
    return (
        f"utility {format_decimal(2 * rate - 1, 6)} winrate {rate:.6f} scoreMean {score} scoreStdev 0.00"
        f" scoreLead {score} scoreSelfplay {score}"
    )


def _rate(move: EvaluatedMove) -> float:
    return win_rate(move.score or 0, exact=move.exact)


@dataclass(slots=True)
class _Words:
    """The words of one ``info``, collected so far."""

    values: dict[str, str] = field(default_factory=dict)
    pv: list[int] = field(default_factory=list)


def parse_info(line: str) -> tuple[EvaluatedMove, ...]:
    """Return the moves of an engine's report line in any of the styles, the best first; an empty tuple for any other
    line.

    Without ``scoreLead`` the score is computed from the win rate. Raise NotationError for a damaged report.
    """
    found: list[_Words] = []
    words = iter(line.split())
    for word in words:
        if word == "info":
            found.append(_Words())
        elif not found:
            return ()
        elif word in ("rootInfo", "ownership", "ownershipStdev"):
            break
        elif word == "pv":
            found[-1].values["pv"] = ""
        elif "pv" in found[-1].values and notation.is_move(word):
            found[-1].pv.append(notation.parse_move(word))
        else:
            # Every other item is a key with one value.
            found[-1].values[word] = next(words, "")
    ordered = sorted(found, key=lambda words: notation.parse_integer(words.values.get("order", "0")))
    return tuple(map(_evaluated, ordered))


def _evaluated(words: _Words) -> EvaluatedMove:
    values = words.values
    if "move" not in values:
        raise NotationError(" ".join(values), "info with a move")
    rate_text = values.get("winrate")
    rate = None
    if rate_text is not None:
        rate = notation.parse_decimal(rate_text) / (1.0 if "." in rate_text else 10000.0)
    score_text = values.get("scoreLead", values.get("scoreMean"))
    score = _score_of(rate) if score_text is None else notation.parse_decimal(score_text)
    nodes = notation.parse_integer(values["visits"]) if "visits" in values else None
    return EvaluatedMove(notation.parse_move(values["move"]), score, tuple(words.pv), nodes=nodes)


def _score_of(rate: float | None) -> float:
    # The inverse of win_rate, limited to 64 discs.
    if rate is None:
        return 0.0
    inside = min(max(rate, 0.0003), 0.9997)
    return min(max(WIN_RATE_SCALE_DISCS * math.log(inside / (1 - inside)), -64.0), 64.0)


def _interval(text: str) -> int:
    return max(1, round(parse_decimal(text, 0, 1e9)))

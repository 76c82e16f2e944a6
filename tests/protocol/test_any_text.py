"""Whatever is sent: a parser returns a value or raises its declared error, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import analysis, cassio, clocks, gtp, nboard, notation
from protocol.cassio import CassioError
from protocol.detect import detect
from protocol.gtp import GtpError
from protocol.nboard import NBoardError
from protocol.notation import START, NotationError
from protocol.wire import clean

# Any text, and texts made of the words that the dialects know, in a wrong order.
KNOWN = """12 play genmove b w black f5 F5 d6 pass PA z9 -- 0 -1 1.5 nan 1e999 99999999999999999999 true interval avoid
    minmoves fischer canadian nboard set depth game move F5/1/2 F5//x hint ping === search book nodestats status pong
    analysis myname ENGINE-PROTOCOL init midgame-search feed-hash ready. info winrate pv order rootInfo = ? =12 # ( ; ]
    100% 100%W 12@73% 1,2 ٣ é"""
ODD = [
    "\x00",
    "\u2028",
    "\udc80",
    START.cells,
    START.cells + "X",
    f"{START.cells}X, move F5, depth 12, @73%, B+2.00 <= v",
]
WORDS = st.sampled_from(KNOWN.split() + ODD)
LINES = st.text() | st.lists(WORDS, max_size=9).map(" ".join) | st.binary().map(clean)

PARSERS: list[tuple[Callable[[str], object], type[Exception]]] = [
    (notation.parse_color, NotationError),
    (notation.parse_square, NotationError),
    (notation.parse_move, NotationError),
    (notation.parse_transcript, NotationError),
    (notation.parse_board, NotationError),
    (notation.parse_integer, NotationError),
    (notation.parse_decimal, NotationError),
    (notation.parse_boolean, NotationError),
    (gtp.parse, GtpError),
    (lambda line: gtp.parse_play(line.split()), GtpError),
    (lambda line: gtp.parse_optional_color(line.split()), GtpError),
    (lambda line: gtp.parse_colored_moves(line.split()), GtpError),
    (lambda line: gtp.parse_reply([line]), GtpError),
    (gtp.parse_score, GtpError),
    (lambda line: clocks.parse_time_settings(line.split()), GtpError),
    (lambda line: clocks.parse_time_left(line.split()), GtpError),
    (lambda line: clocks.parse_kata_time_settings(line.split()), GtpError),
    (lambda line: analysis.parse_analyze(line.split()), GtpError),
    (analysis.parse_info, NotationError),
    (nboard.parse_command, NBoardError),
    (nboard.parse_response, NBoardError),
    (nboard.parse_timed_move, NBoardError),
    (nboard.parse_depth, NBoardError),
    (cassio.parse_command, CassioError),
    (cassio.parse_response, CassioError),
    (detect, NotationError),
]


@pytest.mark.parametrize(("parser", "error"), PARSERS)
@settings(max_examples=150)
@given(line=LINES)
def test_a_parser_returns_or_raises_its_own_error(
    parser: Callable[[str], object], error: type[Exception], line: str
) -> None:
    try:
        parser(line)
    except error as raised:
        # What goes into a reply is one short line, whatever came in.
        assert len(str(raised)) < 400
        assert "\n" not in str(raised)

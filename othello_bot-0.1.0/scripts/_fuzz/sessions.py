"""Fuzzed sessions: whole inputs to the command loop, in this process, with a search that ends at once."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Final

from othello_bot import strategies
from othello_bot.base.notation import PASS
from othello_bot.book.book import Book
from othello_bot.book.opening import Library

# Dialects are imported on first use, which is too late for the instrumentation.
from othello_bot.daemon.edax_arguments import console_meaning
from othello_bot.dialects import cassio as cassio_dialect  # noqa: F401
from othello_bot.dialects import edax as edax_dialect
from othello_bot.dialects import gtp as gtp_dialect  # noqa: F401
from othello_bot.dialects import nboard as nboard_dialect  # noqa: F401
from othello_bot.protocol import cassio, edax, nboard
from othello_bot.protocol.nboard_values import NBoardError
from othello_bot.protocol.wire import clean
from othello_bot.rules.position import Position
from othello_bot.session import Output
from othello_bot.session.session import Session
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, Forced, in_process, replies

PROBES: Final = ("position", "transcript", "clocks", "options", "gogui-rules_legal_moves")
"""Commands that show the whole state of a session."""

MOST_LINES: Final = 40
"""Most lines read of an input, so that no input takes long."""

LONGEST_LINE_REPLY: Final = 60_000
"""Most characters in the answer to a line; the longest answers are the help and the analysis of a long game."""


@functools.cache
def _book() -> Book:
    return Library().book


def _first_move(strategy: object, position: Position, should_stop: object = None) -> int:
    return position.legal_moves[0] if position.legal_bits else PASS


def _answers(data: bytes, forced: Forced | None = None) -> str:
    # A textbook player at depth ten takes minutes, and its choices are not the subject here.
    strategies.choose = _first_move
    return in_process(data, search=FakeSearch(reports=2), options=SMALL, book=_book(), forced=forced)


def _lines(data: bytes) -> list[str]:
    return [clean(line) for line in data.split(b"\n")][:MOST_LINES]


def _encoded(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def any_dialect(data: bytes) -> None:
    """Run any bytes: the session ends properly, and its output is bounded."""
    text = _answers(b"\n".join(data.split(b"\n")[:MOST_LINES]))
    assert len(text) < LONGEST_LINE_REPLY * MOST_LINES


def gtp(data: bytes) -> None:
    """Check that each line gets one reply with its id, and that a refused line changes nothing."""
    lines = _lines(data)
    sent = ["1 name", *(f"2{probe} {name}" for probe, name in enumerate(PROBES))]
    for number, line in enumerate(lines):
        sent.append(f"5{number:03} {line}")
        sent += [f"9{number:03}{probe} {name}" for probe, name in enumerate(PROBES)]
    text = _answers(_encoded(sent))
    answers: dict[str, str] = {}
    for reply in replies(text):
        match = re.match(r"([=?])(\d+)( |\n|$)", reply)
        assert match is not None, f"a reply without an id: {reply!r}"
        assert match[2] not in answers, f"two replies with the id {match[2]}"
        assert len(reply) < LONGEST_LINE_REPLY
        answers[match[2]] = match[1] + reply[match.end(2) :]
    state = [answers[f"2{probe}"] for probe in range(len(PROBES))]
    for number, line in enumerate(lines):
        answer = answers.get(f"5{number:03}")
        assert answer is not None, f"no reply to {line!r}"
        if f"9{number:03}0" not in answers:
            # Lines after quit are ignored; a stop may make quit's reply, but not its effect, come early.
            assert clean(line).lower().split("#")[0].strip() == "quit" and answer == "=", (line, answer)
            return
        after = [answers[f"9{number:03}{probe}"] for probe in range(len(PROBES))]
        if answer.startswith("?"):
            assert after == state, f"{line!r} was refused with {answer!r} and changed {state} to {after}"
        state = after


def native_nboard(data: bytes) -> None:
    """Check that each line sent can be read by a GUI, and that a ping is answered last."""
    lines = _lines(data)
    text = _answers(_encoded(["nboard 2", *lines, "ping 987654321"]))
    for line in text.split("\n")[:-1]:
        response = nboard.parse_response(line)
        assert response is not None, f"a line without a meaning: {line!r}"
        assert str(response) == line, line
    assert text.startswith("set myname "), text[:80]
    if not any(isinstance(_nboard_command(line), nboard.Quit) for line in lines):
        assert text.endswith("pong 987654321\n"), text[-80:]


def _nboard_command(line: str) -> nboard.Command | None:
    try:
        return nboard.parse_command(line)
    except NBoardError:
        return None


def stateless(data: bytes) -> None:
    """Check that each line of ENGINE-PROTOCOL is answered with lines that a controller can read."""
    lines = _lines(data)
    text = _answers(_encoded([f"{cassio.PREFIX} init", *lines, f"{cassio.PREFIX} get-version"]))
    found = [cassio.parse_response(line) for line in text.split("\n")[:-1]]
    assert None not in found, text
    assert isinstance(found[0], cassio.Ready)
    if isinstance(found[-1], cassio.Bye):
        return
    assert isinstance(found[-1], cassio.Ready) and any(isinstance(response, cassio.Version) for response in found)


def edax_console(data: bytes) -> None:
    """Check that a prompt follows every line, whatever it is."""
    lines = _lines(data)

    def forced(session: Session, output: Output) -> edax_dialect.EdaxDialect:
        return edax_dialect.EdaxDialect(session, output, edax_dialect.Console(console_meaning, verbosity=edax.SILENT))

    text = _answers(_encoded(["", *lines]), forced)
    assert text.endswith(">"), text[-80:]
    if edax.Word("quit") not in map(_console_command, lines):
        assert text.count(">") > len(lines), text[-80:]


def _console_command(line: str) -> edax.Command | None:
    try:
        return edax.parse_command(line)
    except edax.EdaxError:
        return None


RUNS: Final[dict[str, Callable[[bytes], None]]] = {
    "session-any": any_dialect,
    "session-gtp": gtp,
    "session-nboard": native_nboard,
    "session-cassio": stateless,
    "session-edax": edax_console,
}
"""A target for each dialect, and one for any input."""

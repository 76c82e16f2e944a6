"""A refused command changes nothing, in every dialect, even if the other player's pass was omitted."""

from __future__ import annotations

import contextlib
import functools
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.book.opening import Library
from othello_bot.dialects.gtp import COMMANDS
from othello_bot.dialects.nboard import NBoardDialect
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, EndedSession, LiveSession, run_in_process

BOOK = Library().book
OPTIONS = SMALL.with_value("seed", "1")
BLACK_MUST_PASS = "d3c3e6d2d1e1b2c1"
"""White has a3, b4 and d6 then."""

GAMES = {
    "a new game": [],
    "a pass is due": [f"play {BLACK_MUST_PASS}"],
    "a pass was omitted": [f"play {BLACK_MUST_PASS}", "play w a3"],
    "moves were taken back": [f"play {BLACK_MUST_PASS}", "undo 2"],
    "a pass was taken back": [f"play {BLACK_MUST_PASS}", "play w a3", "undo"],
    "the end": ["play d3c3f5f4f3d2d1e3b3"],
    "a clock and a search": ["time_settings 60 0 0", "play f5", "hint"],
}
"""What was sent before the command that is refused."""


def run(*lines: str) -> tuple[EndedSession, dict[str, Any]]:
    """Run a session over these lines; return it, and everything about its state that a host can observe."""
    search = FakeSearch()
    ended = run_in_process("".join(f"{line}\n" for line in lines), search=search, options=OPTIONS, book=BOOK)
    session = ended.session
    noticeable = {
        "game": session.game,
        "to be redone": session.game.redoable,
        "omitted passes": {ply for ply in session.live.omitted if ply < session.game.ply},
        "clocks": session.clocks,
        "options": session.engine.options,
        "has searched": session.last_result is not None,
        "calls": search.calls,
    }
    if isinstance(ended.dialect, NBoardDialect):
        noticeable |= {"notes": session.live.known, "level": ended.dialect._level}
    return ended, noticeable


@functools.cache
def state_after(*lines: str) -> dict[str, Any]:
    """Return the observable state after these lines."""
    return run(*lines)[1]


def check_refusal(before: list[str], line: str) -> bool:
    """Fail if the line is refused and changes something; return whether it is refused."""
    ended, found = run("name", *before, f"999 {line}")
    if "?999" not in ended.text:
        return False
    assert found == state_after("name", *before), line
    return True


REFUSED = [
    "lz-analyze w avoid w a3,b4,d6 1",
    "kata-analyze w allow w h8 1",
    "analyze w avoid w a3,b4,d6 1",
    "lz-genmove_analyze w avoid w a3,b4,d6 1",
    "kata-genmove_analyze w avoid w a3,b4,d6 1",
    "genmove_analyze w avoid w a3,b4,d6 1",
    "kata-search_analyze w avoid w a3,b4,d6 1",
    "kata-search_analyze_cancellable w avoid w a3,b4,d6 1",
    "genmove w now",
    "play w a1",
    "gogui-play_sequence w a3 b h8",
    "undo 99",
    "redo 1",
    "setoption level x",
    "setoption book_file /no/such/folder/book",
    "setoption log_file /no/such/folder/log",
    "time_left w",
    "loadsgf /no/such/file",
]


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_refused_where_the_other_must_pass(line: str) -> None:
    assert check_refusal(GAMES["a pass is due"], line)


# -- every command ----------------------------------------------------------------------------------------------------

TEXT = """b w black a1 a3 b4 d6 a3,b4,d6 f5 d3c3 pass 0 1 2 8 60 99 -1 0.5 1e9 nan x avoid allow minmoves maxmoves
interval rootInfo true none fischer absolute byoyomi canadian name value level hash threads seed Othello Chess now
/no/such/file ---------------------------OX------XO---------------------------"""
WORDS = st.sampled_from(TEXT.split())
VERBS = st.sampled_from([name for name in COMMANDS if name not in ("printsgf", "save")])  # those write files
LINES = st.builds(lambda verb, words: " ".join([verb, *words]), VERBS, st.lists(WORDS, max_size=7))
ANALYSES = st.builds(
    lambda verb, color, kind, other, moves: f"{verb} {color} {kind} {other} {moves} 1",
    st.sampled_from([name for name in COMMANDS if "analy" in name]),
    st.sampled_from("bw"),
    st.sampled_from(["avoid", "allow"]),
    st.sampled_from("bw"),
    st.sampled_from(["a3", "a3,b4,d6", "h8", "d3,c4,f5,e6", "x", ""]),
)


@given(st.sampled_from(list(GAMES)), st.one_of(LINES, ANALYSES))
def test_what_is_refused_changes_nothing(game: str, line: str) -> None:
    check_refusal(GAMES[game], line)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("newgame", "known_command", "printsgf")])
def test_every_command_refuses_some_arguments(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many arguments, or unreadable ones: a refusal changes nothing."""
    monkeypatch.chdir(tmp_path)  # some commands write files
    lines = [f"{name} {words}".strip() for words in ("x", "b x", "w a3 b", "1 2 3 4 5 6 7 8 9", "")]
    refused = [check_refusal(GAMES["a pass is due"], line) for line in lines]
    assert any(refused), name


# -- what a word alone does -------------------------------------------------------------------------------------------


def test_a_refused_stop_stops_nothing() -> None:
    search = FakeSearch(blocks=True)
    with LiveSession(search, OPTIONS) as live:
        live.send("1 setoption book off", "2 genmove", "3 stop now", "4 isready")
        live.wait_for("=4 readyok\n\n")
        assert not search.stopping
        live.send("5 stop")
        live.wait_for("=2 d3\n\n")


def test_a_refused_quit_goes_on() -> None:
    ended, _ = run("1 quit now", "2 name")
    assert "?1 syntax error" in ended.text and "=2 othello-bot" in ended.text


# -- the other dialects -----------------------------------------------------------------------------------------------

START = "---------------------------O*------*O---------------------------"
GGF = f"(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[05:00]TY[8]BO[8 {START} *]{{}};)"
MOVES = "".join(f"{'BW'[ply % 2]}[{BLACK_MUST_PASS[2 * ply : 2 * ply + 2].upper()}//1.5]" for ply in range(8))
NBOARD_LINES = st.one_of(
    st.builds(
        lambda verb, words: " ".join([verb, *words]),
        st.sampled_from(["set depth", "set contempt", "set game", "set", "move", "hint", "ping", "nboard", "new", "x"]),
        st.lists(WORDS, max_size=3),
    ),
    st.builds(
        lambda moves: f"set game {GGF.format(moves)}",
        st.sampled_from(["B[f5]W[a1]", "B[PA]", "W[f5]", "B[z9]", "B[f5//x]", "X[f5]", "B[f5]TY[9]", "B[f5", "B[d3]"]),
    ),
)


def ignored_by_nboard(line: str) -> bool:
    """Fail if NBoard's message is ignored and changes something; return whether it is ignored."""
    before = ["nboard 2", f"set game {GGF.format(MOVES)}", "set depth 5"]
    with contextlib.redirect_stderr(io.StringIO()) as said:
        ended, found = run(*before, line)
    if "message ignored" not in said.getvalue():
        return False
    assert isinstance(ended.dialect, NBoardDialect)
    assert found == state_after(*before), line
    return True


@given(NBOARD_LINES)
def test_what_nboard_has_ignored_changes_nothing(line: str) -> None:
    ignored_by_nboard(line)


@pytest.mark.parametrize("line", ["move a1", "move z9/1", "set depth x", "set game (;GM[Go];)", "hint x", "ping"])
def test_damaged_messages_of_nboard(line: str) -> None:
    assert ignored_by_nboard(line)


@given(
    st.builds(
        lambda verb, words: " ".join(["ENGINE-PROTOCOL", verb, *words]),
        st.sampled_from(["init", "midgame-search", "endgame-search", "feed-hash", "get-version", "stop", "nonsense"]),
        st.lists(st.one_of(WORDS, st.just(START + "X"), st.just("-64"), st.just("64")), max_size=6),
    )
)
def test_what_cassio_is_refused_changes_nothing(line: str) -> None:
    ended, found = run("ENGINE-PROTOCOL init", line)
    if "ERROR" in ended.text:
        assert found == state_after("ENGINE-PROTOCOL init"), line

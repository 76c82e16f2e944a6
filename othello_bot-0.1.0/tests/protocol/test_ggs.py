"""GGS: text in, messages out. The texts here have the forms that the sources named in `protocol/ggs.py` show."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.clocks import ClockState, TimeControl
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, START, Color, NotationError
from othello_bot.protocol import ggs
from othello_bot.protocol.ggs_commands import GgsCommand, Password, accept, ask, logged, play, set_open, tell
from othello_bot.protocol.ggs_values import (
    BoardText,
    Damaged,
    MatchType,
    format_clock,
    format_time,
    match_of,
    parse_clock,
    parse_login,
    parse_match_type,
    parse_played,
    parse_time,
    parse_time_shown,
)
from othello_bot.protocol.nboard_values import annotated

LETTERS = "|   A B C D E F G H"


def ranks(cells: str, turn: str) -> list[str]:
    rows = [f"| {rank + 1} {' '.join(cells[8 * rank : 8 * rank + 8])} {rank + 1} " for rank in range(8)]
    return ["|", LETTERS, *rows, LETTERS, "|", f"|{turn} to move"]


START_CELLS = START.cells.replace("X", "*")
AFTER_CELLS = "-" * 27 + "O*" + "-" * 6 + "***" + "-" * 26

JOIN = [
    "/os: join .12.0 s8 K?",
    "|0 move(s)",
    "|  0: PASS",
    "|ann      (1801.5 *) 04:59,0:0//02:00,0:0",
    "|ben      (1720.0 O) 05:00,0:0//02:00,0:0",
    *ranks(START_CELLS, "*"),
]
UPDATE = [
    "/os: update .12.0 s8 K?",
    "|  1: f5/1.50/3.47",
    "|ann      (1801.5 *) 04:56,1:0//02:00,1:0",
    "|ben      (1720.0 O) 05:00,0:0//02:00,0:0",
    *ranks(AFTER_CELLS, "O"),
]
LATER_JOIN = [
    "/os: join .12.0 s8 K?",
    "|1 move(s)",
    "|ann      (1801.5 *) 05:00//02:00",
    "|ben      (1720.0 O) 05:00//02:00",
    *ranks(START_CELLS, "*"),
    *UPDATE[1:],
]


def read(*lines: str) -> ggs.Message:
    (message,) = ggs.parse_frame(lines)
    return message


def board(lines: list[str]) -> BoardText:
    message = read(*lines)
    assert isinstance(message, BoardText)
    return message


def test_a_board_tells_players_clocks_position_and_the_last_move() -> None:
    shown = board(UPDATE)
    assert (shown.game, shown.match, shown.joined, shown.ply) == (".12.0", ".12", False, 1)
    assert shown.type == MatchType(synchro=True)
    assert shown.last == EvaluatedMove(37, 1.5, time_s=3.47)
    assert shown.board.to_move is Color.WHITE and shown.board.cells.count("X") == 4
    ann, ben = shown.players
    assert (ann.name, ann.rating, ann.color) == ("ann", 1801.5, Color.BLACK)
    assert (ann.clock, ann.grace_s) == (ClockState(296.0), 120.0)
    assert shown.player("ben") is ben and shown.player("eve") is None


def test_a_joined_game_is_shown_from_its_start_with_all_moves() -> None:
    first, later = board(JOIN), board(LATER_JOIN)
    assert first.joined and first.start == first.board == START and first.moves == () and first.settings is None
    assert later.start == START and later.moves == (EvaluatedMove(37, 1.5, time_s=3.47),) and later.ply == 1
    assert later.settings is not None and later.settings[0].clock == ClockState(300.0)
    assert later.players[0].clock.remaining_s == 296.0


@pytest.mark.parametrize("missing", range(1, len(LATER_JOIN)))
def test_a_board_without_one_of_its_lines_is_damaged_or_complete_without_it(missing: int) -> None:
    lines = LATER_JOIN[:missing] + LATER_JOIN[missing + 1 :]
    message = read(*lines)
    decoration = LATER_JOIN[missing] in ("|", LETTERS)
    assert isinstance(message, BoardText if decoration else Damaged)
    if isinstance(message, Damaged):
        assert message.game == ".12.0"


def test_requests() -> None:
    first = read("/os: +   .8 1720.0 ann      01:00//02:00       s8r18 R 1650.5 ben .1234")
    assert first == ggs.MatchRequest(
        ".8",
        True,
        "ann",
        1720.0,
        TimeControl(60.0, 0.0, grace_s=120.0),
        MatchType(synchro=True, random_discs=18),
        True,
        "ben",
        None,
        ".1234",
    )
    own = read("/os: + .9 1720.0 ann 01:00//02:00 8w U 1650.5 ben 05:00/00:10/02:00")
    assert (
        isinstance(own, ggs.MatchRequest) and own.own_clock == TimeControl(300.0, 10.0, grace_s=120.0) and not own.rated
    )
    anybody = read("/os: + .9 1720.0 ann 15:00//02:00 8 U")
    assert isinstance(anybody, ggs.MatchRequest) and anybody.challenged == ""
    gone = read("/os: - .8 1720.0 ann 01:00//02:00 8b U 1720.0 ben")
    assert isinstance(gone, ggs.MatchRequest) and not gone.offered
    assert read("/os: - .8 something else") == ggs.RequestGone(".8")


def test_matches_begin_and_end() -> None:
    kind = MatchType(synchro=True, random_discs=20)
    assert read("/os: + match .9 2544 ann 2505 ben s8r20 R ") == ggs.MatchStarted(
        ".9", ("ann", "ben"), (2544.0, 2505.0), kind, True
    )
    ended = read("/os: - match .9 2544 ann 2505 ben s8r20 R +30.00 .77")
    assert ended == ggs.MatchEnded(".9", ("ann", "ben"), kind, True, 30.0, stored=".77")
    left = read("/os: - match .9 2544 ann 2505 ben s8r20 R ben left .78")
    assert left == ggs.MatchEnded(".9", ("ann", "ben"), kind, True, None, left="ben", stored=".78")
    aborted = read("/os: - match .9 2544 ann 2505 ben 8 U aborted")
    assert isinstance(aborted, ggs.MatchEnded) and aborted.aborted and not aborted.rated
    odd = read("/os: - match .9 in words that nobody knows")
    assert isinstance(odd, ggs.MatchEnded) and (odd.id, odd.result) == (".9", None)
    assert read("/os: end .9.1 ( ann vs. ben ) +46.00") == ggs.GameEnded(".9.1", ("ann", "ben"), 46.0)
    assert read("/os: end .9.1 ( ann vs. ben ) player ben left") == ggs.GameEnded(".9.1", ("ann", "ben"), None)


def test_what_happens_in_a_match() -> None:
    assert read("/os: abort .9.0 ben is asking") == ggs.Asking("abort", ".9.0", "ben")
    assert read("/os: undo .9 ben is asking") == ggs.Asking("undo", ".9", "ben")
    assert read("/os: timeout .9 ben (*)") == ggs.TimedOut(".9", "ben")
    assert read("/os: fatal-timeout .9 ben (O)") == ggs.TimedOut(".9", "ben")
    assert read("/os: error .9 not your turn") == ggs.Refused(".9", "not your turn")
    assert read("/os: watch + ERR not found: .3") == ggs.Refused("watch", "not found: .3")
    assert read("/os: .9 A 1720 ben: good game") == ggs.Said("ben", "good game", ".9")
    assert read("/os: + ben stored") == ggs.StoredNotice("ben")


def test_people_and_lists() -> None:
    assert read("ben: hello: you") == ggs.Said("ben", "hello: you")
    assert read(".chat ben: hello") == ggs.Said("ben", "hello", ".chat")
    assert read(": + /os 1") == ggs.ServiceChange(True)
    stored = read("/os: stored 1 ann", "|.42590   23 Feb 2001 23:17:39 ann patzer   s8r16:l")
    assert stored == ggs.Listed("stored", "ann", ((".42590", "ann", "patzer", "s8r16:l"),))
    history = read("/os: history 1 ann", "|.48723   25 Mar 2001 03:28:00 1780 ann    2144 OO7        -4.0 8")
    assert history == ggs.Listed("history", "ann", ((".48723", "ann", "OO7", "8"),))
    assert read("/os: look", "|1 (;GM[Othello];)") == ggs.Looked("1 (;GM[Othello];)")
    for lines in (
        ("/os: who    26      change:    win    draw    loss", "|n2       + 1384.1@ 80.5 "),
        (": who    2        idle      online", "/os      +    00:01:00    00:43:46", "ann      -    00:00:00"),
        ("/os: finger ann", "|login  : ann", "|open   : 1"),
    ):
        assert read(*lines) == ggs.Unknown(lines)
    helped = read(": help faq", "name: not somebody who speaks")
    assert isinstance(helped, ggs.Unknown)


def test_several_messages_in_a_frame() -> None:
    frame = [*UPDATE, "ben: hello", "/os: end .12.0 ( ann vs. ben ) +46.00"]
    assert [type(message) for message in ggs.parse_frame(frame)] == [BoardText, ggs.Said, ggs.GameEnded]


SESSION = (
    b"\r\n\r\nSomebody's Game Server\r\n: Enter login (yours, or one you'd like to use).\r\n"
    b": Enter your password.\r\nREADY\r\n\xff\xfb\x01\xff\xfa\x18\x01\xff\xf0"
    b"\x1b[1m/os: error .9 corrupt move\x1b[0m\r\nREADY\n"
    + "\n".join(["", *JOIN, "READY", "", *UPDATE, "ALERT", "half a line"]).encode()
)


def frames_of(*pieces: bytes) -> list[ggs.Frame]:
    reader = ggs.FrameReader()
    return [frame for piece in pieces for frame in reader.feed(piece)]


def test_frames() -> None:
    frames = frames_of(SESSION)
    assert [frame[0].partition(" ")[0] for frame in frames] == ["Somebody's", ":", "/os:", "/os:", "/os:"]
    assert frames[2] == ("/os: error .9 corrupt move",)
    assert list(frames[4]) == [line.rstrip() for line in UPDATE]
    prompts = [message for frame in frames[:2] for message in ggs.parse_frame(frame)]
    assert prompts[-2:] == [ggs.LoginPrompt(), ggs.PasswordPrompt()]


@pytest.mark.slow
@given(st.lists(st.integers(0, len(SESSION)), max_size=40))
def test_frames_are_the_same_wherever_the_text_is_cut(cuts: list[int]) -> None:
    places = sorted({0, *cuts, len(SESSION)})
    assert frames_of(*(SESSION[one:two] for one, two in itertools.pairwise(places))) == frames_of(SESSION)


def test_frames_byte_by_byte() -> None:
    assert frames_of(*(bytes([byte]) for byte in SESSION)) == frames_of(SESSION)


def test_a_prompt_needs_no_line_end() -> None:
    assert frames_of(b"\n: Enter your password.") == [(": Enter your password.",)]
    assert frames_of(b"\n: Enter your pass", b"word.", b"\nREADY\n") == [(": Enter your password.",)]


def test_lines_and_frames_have_a_limit() -> None:
    ((line,),) = frames_of(b"x" * (ggs.LONGEST_LINE + 5) + b"\nREADY\n")
    assert len(line) == ggs.LONGEST_LINE
    assert [len(frame) for frame in frames_of(b"x\n" * (ggs.MOST_LINES + 1) + b"READY\n")] == [ggs.MOST_LINES, 1]


PIECES = st.sampled_from([*JOIN, *UPDATE, *LATER_JOIN, "READY", "ben: hi", "/os: + match .9", "/os: - match .9"])


@given(st.lists(st.one_of(PIECES, st.text(max_size=40)), max_size=40))
def test_no_text_raises_an_error(lines: list[str]) -> None:
    for frame in frames_of("\n".join([*lines, "READY", ""]).encode("utf-8", "surrogatepass")):
        assert ggs.parse_frame(frame)


@given(st.binary(max_size=300), st.integers(0, 300))
def test_no_bytes_raise_an_error(data: bytes, cut: int) -> None:
    for frame in frames_of(data[:cut], data[cut:], b"\nREADY\n"):
        ggs.parse_frame(frame)


@pytest.mark.parametrize("text", ("8", "8b", "8w", "s8", "s8r18", "8k", "8a", "10", "8r20", "s8kr16", "88"))
def test_types_of_matches(text: str) -> None:
    assert str(parse_match_type(text)) == text
    assert parse_match_type(text.upper()) == parse_match_type(text)


@pytest.mark.parametrize("text", ("", "x", "8x", "s", "r18", "8 b", "888", "8" + "k" * 9))
def test_no_types_of_matches(text: str) -> None:
    with pytest.raises(NotationError):
        parse_match_type(text)


def test_clocks() -> None:
    assert parse_clock("05:00//02:00") == TimeControl(300.0, 0.0, grace_s=120.0)
    assert parse_clock("1:00:00/10/") == TimeControl(3600.0, 10.0, grace_s=0.0)
    assert parse_clock("15") == TimeControl(15.0)
    assert parse_clock("05:00,N/00:10,2/02:00").moves == 2 and parse_clock("05:00,N").moves == 1
    assert parse_clock("05:00/00:10,1/02:00").moves is None
    assert format_clock(TimeControl(300.0, 0.0, grace_s=120.0)) == "05:00//02:00"
    assert format_clock(TimeControl(3605.0, 10.0)) == "1:00:05/00:10"
    assert parse_time_shown("00:56,1:0//02:00,1:0") == (ClockState(56.0), 120.0)
    assert parse_time_shown("-00:05,12:40/00:10,2:1/02:00,2:0") == (ClockState(-5.0, 10.0, 28), 120.0)
    assert parse_time("1.01:00:00") == 90000.0 and parse_time("-00:05") == -5.0
    for text in ("", "//", "5:00/x", "five", "1:2:3:4"):
        with pytest.raises(NotationError):
            parse_clock(text)


@given(st.integers(0, 86399))
def test_times_round_trip(seconds: int) -> None:
    assert parse_time(format_time(seconds)) == seconds


def test_moves() -> None:
    assert parse_played("F5//3.47") == EvaluatedMove(37, None, time_s=3.47)
    assert parse_played("PA/-2.00") == EvaluatedMove(PASS, -2.0)
    assert parse_played("f5/nan/-1") == EvaluatedMove(37)
    assert annotated(EvaluatedMove(37, -1.0, time_s=2.5)) == "F5/-1.00/2.50" and annotated(EvaluatedMove(PASS)) == "PA"
    assert annotated(EvaluatedMove(37, None, time_s=0.0)) == "F5//0.00"
    with pytest.raises(NotationError):
        parse_played("i9")


def test_logins() -> None:
    assert parse_login("ant+") == "ant+"
    for text in ("a", "far-too-long", ".ann", "_ann", "a,b", "an n", "", "ann\n"):
        with pytest.raises(NotationError):
            parse_login(text)


@pytest.mark.parametrize(
    ("command", "line"),
    (
        (set_open(1), "tell /os open 1"),
        (accept(".8"), "tell /os accept .8"),
        (ask(parse_match_type("s8r18"), parse_clock("5:00//2:00"), "ben"), "tell /os ask s8r18 05:00//02:00 ben"),
        (ask(parse_match_type("8b"), parse_clock("1:00")), "tell /os ask 8b 01:00"),
        (play(".5.1", EvaluatedMove(37, None, time_s=1.25)), "tell /os play .5.1 f5//1.25"),
        (tell("ben", "one\ntwo \\ \x1b[1m three"), "tell ben one two / \\x1b[1m three"),
    ),
)
def test_commands(command: GgsCommand, line: str) -> None:
    assert str(command) == line == logged(command)


def test_a_password_is_in_no_representation_and_no_log() -> None:
    command = Password("hunter2")
    assert str(command) == "hunter2"
    assert "hunter2" not in repr(command) and "hunter2" not in logged(command)


def test_the_match_of_a_game() -> None:
    assert match_of(".5.1") == match_of(".5") == ".5"

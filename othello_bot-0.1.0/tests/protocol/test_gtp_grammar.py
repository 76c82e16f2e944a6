"""GTP 2: what is said and what it means, as tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.notation import PASS, Color, parse_square
from othello_bot.protocol import gtp
from othello_bot.protocol.gtp import ColoredMove, Command, GtpError, Play, Reply, ReplyReader
from othello_bot.protocol.wire import InputLine, clean
from tests.protocol import gogui_reader

F5, D6, C3 = (parse_square(name) for name in ("f5", "d6", "c3"))
B, W = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", Command("name")),
        ("  name  ", Command("name")),
        ("12 name", Command("name", id="12")),
        ("007 name", Command("name", id="007")),
        ("0 name", Command("name", id="0")),
        ("play b F5", Command("play", ("b", "F5"), text="b F5")),
        ("1 PLAY\tB\tf5\r", Command("play", ("B", "f5"), "1", "B  f5")),
        ("play b f5 # the usual", Command("play", ("b", "f5"), text="b f5")),
        ("loadsgf my games/a b.sgf", Command("loadsgf", ("my", "games/a", "b.sgf"), text="my games/a b.sgf")),
        ("na\x07me\x00", Command("name")),
        ("1 2 3", Command("2", ("3",), "1", "3")),
        ("-1 name", Command("-1", ("name",), text="name")),
        ("f5", Command("f5")),
        ("gogui-rules_board", Command("gogui-rules_board")),
    ],
)
def test_commands(line: str, command: Command) -> None:
    assert gtp.parse(clean(line)) == command


@pytest.mark.parametrize("line", ["", " ", "\t\r", "# comment", "   # interrupt", "\x01\x02"])
def test_lines_without_an_answer(line: str) -> None:
    assert gtp.parse(clean(line)) is None


@pytest.mark.parametrize("line", ["12", "12 # nothing"])
def test_an_id_alone_is_answered_with_the_id(line: str) -> None:
    with pytest.raises(GtpError, match="syntax error") as caught:
        gtp.parse(line)
    assert caught.value.id == "12"


def test_a_number_that_is_too_long_is_no_id() -> None:
    command = gtp.parse("9" * 21 + " name")
    assert command is not None
    assert (command.id, command.name) == (None, "9" * 21)


def test_an_overlong_line_is_an_error_with_its_id() -> None:
    with pytest.raises(GtpError, match="syntax error: a line of 10000000 bytes is too long") as caught:
        gtp.parse_line(InputLine("77 play b f5 f5 f5", 10_000_000, overlong=True))
    assert caught.value.id == "77"
    assert gtp.parse_line(InputLine("77 name", 7)) == Command("name", id="77")


@pytest.mark.parametrize(("arguments", "least", "most"), [((), 0, 1), (("2",), 0, 1), (("8",), 1, None)])
def test_a_right_number_of_arguments_is_accepted(arguments: tuple[str, ...], least: int, most: int | None) -> None:
    assert Command("undo", arguments).expect(least, most) == arguments


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (Reply(True), "=\n\n"),
        (Reply(True, "", "12"), "=12 \n\n"),
        (Reply(True, "d6"), "= d6\n\n"),
        (Reply(True, "d6", "12"), "=12 d6\n\n"),
        (Reply(False, "unknown command"), "? unknown command\n\n"),
        (Reply(False, "illegal move", "12"), "?12 illegal move\n\n"),
        (Reply(True, "a\nb"), "= a\nb\n\n"),
        (Reply(True, "a\n\n \nb\n\n"), "= a\nb\n\n"),
        (Reply(True, "\n  A B\n1 . ."), "= \n  A B\n1 . .\n\n"),
        (Reply(True, "\n  A B\n1 . .", "3"), "=3 \n  A B\n1 . .\n\n"),
        (Reply(True, "a\tb\x07\r"), "= a b\\x07\n\n"),
        (Reply(True, "  padded  "), "= padded\n\n"),
    ],
)
def test_replies(reply: Reply, text: str) -> None:
    assert gtp.format_reply(reply) == text


def test_short_forms_of_replies() -> None:
    assert gtp.success("d6", "1") == "=1 d6\n\n"
    assert gtp.failure("cannot undo") == "? cannot undo\n\n"
    assert gtp.error_text(gtp.SYNTAX_ERROR) == "syntax error"
    assert gtp.error_text(gtp.SYNTAX_ERROR, "no colour") == "syntax error: no colour"


@given(st.booleans(), st.text(), st.none() | st.from_regex(r"[0-9]{1,20}", fullmatch=True))
def test_a_reply_ends_at_its_first_empty_line(ok: bool, text: str, identity: str | None) -> None:
    framed = gtp.format_reply(Reply(ok, text, identity))
    lines = framed.split("\n")
    assert lines[-2:] == ["", ""]
    assert all(line.strip() for line in lines[:-2])
    assert all(c.isprintable() or ord(c) >= 0xA0 for line in lines for c in line)
    head = ("=" if ok else "?") + (identity or "")
    assert lines[0].startswith(head + " ") or lines == [head, "", ""] and identity is None


@given(st.booleans(), st.text(), st.none() | st.from_regex(r"[0-9]{1,20}", fullmatch=True))
def test_gogui_reads_the_whole_text_of_a_reply(ok: bool, text: str, identity: str | None) -> None:
    framed = gtp.format_reply(Reply(ok, text, identity))
    reader = ReplyReader()
    (reply,) = filter(None, (reader.feed(line) for line in framed.split("\n")[:-1]))
    assert gogui_reader.reads(framed) == reply.text


@pytest.mark.parametrize("reply", ["=\n. . X\n\n", "=12\n\n", "=7\ninfo move f5\n\n"])
def test_the_reader_is_as_strict_as_gogui(reply: str) -> None:
    assert gogui_reader.reads(reply) != gtp.parse_reply(reply.rstrip("\n").split("\n")).text


@pytest.mark.slow
@given(
    st.booleans(),
    st.lists(st.from_regex(r"[!-~][ -~]{0,20}", fullmatch=True).map(str.rstrip), min_size=1),
    st.from_regex(r"[0-9]{1,20}", fullmatch=True),
)
def test_a_reply_reads_back(ok: bool, lines: list[str], identity: str) -> None:
    reply = Reply(ok, "\n".join(lines), identity)
    reader = ReplyReader()
    replies = [reader.feed(line) for line in gtp.format_reply(reply).split("\n")[:-1]]
    assert replies[:-1] == [None] * (len(replies) - 1)
    assert replies[-1] == reply
    assert not reader.inside


def test_a_stream_is_opened_continued_and_closed() -> None:
    assert gtp.open_stream() + gtp.stream_line("info move f5") + gtp.close_stream() == "= \ninfo move f5\n\n"
    assert gtp.open_stream("7") == "=7 \n"
    assert gtp.stream_line("  ") == ""
    assert gtp.stream_line("a\n\nb") == "a  b\n"


@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        (["= f5"], Reply(True, "f5")),
        (["=f5"], Reply(True, "f5")),
        (["=12 f5"], Reply(True, "f5", "12")),
        (["=12"], Reply(True, "", "12")),
        (["= 12"], Reply(True, "12")),
        (["? no"], Reply(False, "no")),
        (["=", "a", " b"], Reply(True, "\na\n b")),
    ],
)
def test_replies_of_engines(lines: list[str], reply: Reply) -> None:
    assert gtp.parse_reply(lines) == reply


@pytest.mark.parametrize("lines", [[], ["f5"], [""]])
def test_what_is_no_reply(lines: list[str]) -> None:
    with pytest.raises(GtpError, match="invalid reply"):
        gtp.parse_reply(lines)


def test_noise_outside_of_a_reply_is_ignored() -> None:
    reader = ReplyReader()
    assert [reader.feed(line) for line in ("hello", "", "= f5", "")] == [None, None, None, Reply(True, "f5")]


@pytest.mark.parametrize(
    ("line", "interrupt"),
    [("# interrupt", True), ("  #  interrupt ", True), ("#interrupt", False), ("# interrupted", False), ("", False)],
)
def test_goguis_interrupt(line: str, interrupt: bool) -> None:
    assert gtp.is_interrupt(line) is interrupt


@pytest.mark.parametrize(
    ("arguments", "play"),
    [
        ("b f5", Play(B, (F5,))),
        ("BLACK F5", Play(B, (F5,))),
        ("w pass", Play(W, (PASS,))),
        ("w PA", Play(W, (PASS,))),
        ("w ps", Play(W, (PASS,))),
        ("w --", Play(W, (PASS,))),
        ("B", Play(B, (PASS,))),
        ("f5", Play(None, (F5,))),
        ("pass", Play(None, (PASS,))),
        ("f5d6c3", Play(None, (F5, D6, C3))),
        ("b f5d6c3", Play(B, (F5, D6, C3))),
        ("f5 d6 c3", Play(None, (F5, D6, C3))),
        ("1. f5 d6 2. c3", Play(None, (F5, D6, C3))),
        ("b f5 pass c3", Play(B, (F5, PASS, C3))),
    ],
)
def test_plays(arguments: str, play: Play) -> None:
    assert gtp.parse_play(arguments.split()) == play


@pytest.mark.parametrize("arguments", ["", "b z9", "black i5", "f5d", "b b f5", "resign", "1."])
def test_plays_that_mean_nothing(arguments: str) -> None:
    with pytest.raises(GtpError, match=r"^syntax error: "):
        gtp.parse_play(arguments.split())


def test_optional_colors() -> None:
    assert gtp.parse_optional_color([]) is None
    assert gtp.parse_optional_color(["White"]) is W
    for arguments in (["x"], ["b", "w"]):
        with pytest.raises(GtpError, match=r"^syntax error: "):
            gtp.parse_optional_color(arguments)


def test_sequences_with_colors() -> None:
    assert gtp.parse_colored_moves(["b", "f5", "W", "d6", "b", "pass"]) == (
        ColoredMove(B, F5),
        ColoredMove(W, D6),
        ColoredMove(B, PASS),
    )
    assert gtp.parse_colored_moves([]) == ()
    for arguments in ("b", "b f5 w", "f5 b", "b x9"):
        with pytest.raises(GtpError, match=r"^syntax error: "):
            gtp.parse_colored_moves(arguments.split())


@pytest.mark.parametrize(
    ("score", "text"), [(12, "B+12"), (-4, "W+4"), (0, "0"), (64, "B+64"), (-64, "W+64"), (1, "B+1")]
)
def test_scores(score: int, text: str) -> None:
    assert gtp.format_score(score) == text


def test_arguments_name_what_would_be_accepted() -> None:
    with pytest.raises(GtpError, match=r"^syntax error: expected an integer from 1 to 9, got 'x'$") as caught:
        gtp.parse_integer("x", 1, 9)
    assert (caught.value.value, caught.value.expected) == ("x", "an integer from 1 to 9")
    with pytest.raises(GtpError, match=r"^expected an integer from 1 to 9, got '10'$"):
        gtp.parse_integer("10", 1, 9)
    with pytest.raises(GtpError, match=r"^expected a number from 0 to 1, got '1.5'$"):
        gtp.parse_decimal("1.5", 0, 1)
    for number in ("9" * 26, "1e300"):
        with pytest.raises(GtpError, match=rf"^expected a number from -1\d* to 1\d*, got '{number}'$"):
            gtp.parse_decimal(number)
    assert gtp.parse_decimal("12.50000000000000000000") == 12.5
    with pytest.raises(GtpError, match=r"^syntax error: expected a colour"):
        gtp.parse_color("green")
    with pytest.raises(GtpError, match=r"^syntax error: expected a move"):
        gtp.parse_vertex("t19")
    with pytest.raises(GtpError, match=r"^syntax error: expected a number"):
        gtp.parse_decimal("nan")
    with pytest.raises(GtpError, match=r"^syntax error: expected true or false"):
        gtp.parse_boolean("perhaps")


@pytest.mark.parametrize(
    ("line", "least", "most", "told"),
    [
        ("a", 1, 1, "a takes 1 argument, got 0"),
        ("a 1", 2, 2, "a takes 2 arguments, got 1"),
        ("a 1", 0, 0, "a takes no arguments, got 1"),
        ("a", 1, 2, "a takes 1 to 2 arguments, got 0"),
        ("a", 1, None, "a takes"),
    ],
)
def test_a_wrong_number_of_arguments_is_a_syntax_error(line: str, least: int, most: int | None, told: str) -> None:
    command = gtp.parse(line)
    assert command is not None
    # neural-reversi says "unknown command" here, which sends a controller looking for another command.
    with pytest.raises(gtp.GtpError, match=rf"syntax error: {told}.* \(usage: say it\)"):
        command.expect(least, most, "say it")

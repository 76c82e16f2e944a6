"""GTP and the session: what is sent and what must come back, in this process and from the real one."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello_bot import __version__
from tests.dialects.engine_scenarios import ENGINE
from tests.dialects.game_scenarios import GAMES
from tests.session.harness import check_dialogue, in_process, matches, replies

SCENARIOS = GAMES | ENGINE


@pytest.mark.parametrize(
    "moves",
    [";B[f5];W[d6];B[c3]", ";B[fd];W[dc];B[cf]", ";B[fe];W[df];B[cc]"],
    ids=["as players write", "as GoGui writes, row a is rank 8", "row a is rank 1"],
)
def test_a_game_is_loaded_and_written(moves: str, tmp_path: Path) -> None:
    """Both ways of naming squares, a name with spaces, up to a move, and back into a file."""
    path, copy = tmp_path / "a game.sgf", tmp_path / "copy.sgf"
    path.write_text(f"(;FF[4]GM[2]SZ[8]PB[a]PW[b]{moves})")
    check_dialogue(f"""
> loadsgf {path}
= white
> transcript
= f5d6c3
> printsgf {copy}
=
> loadsgf {path} 3
= black
> transcript
= f5d6
> loadsgf {path} 1
= black
> transcript
=
> loadsgf {copy}
= white
> transcript
= f5d6c3
> loadsgf {tmp_path}
? cannot load file: {tmp_path}: Is a directory
> transcript
= f5d6c3
""")


@pytest.mark.parametrize(
    ("command", "framed"),
    [
        ("name", "= othello-bot\n\n"),
        ("7 name", "=7 othello-bot\n\n"),
        ("play f5", "=\n\n"),
        ("7 play f5", "=7 \n\n"),
        ("7 gogui-rules_legal_moves", "=7 D3 C4 F5 E6\n\n"),
        ("gogui-settings level 9", "=\n\n"),
        ("7 undo", "?7 cannot undo"),
        ("gogui-rules_board", "= . . . . . . . .\n. . "),
        ("showboard", "= \n  a b c d e f g h\n1 "),
        ("7 showboard", "=7 \n  a b c d e f g h\n1 "),
        ("gogui-analyze_commands", "= param/Settings/gogui-settings\ngfx/"),
        ("7 lz-analyze", "=7 \n"),
    ],
)
def test_sign_and_number_end_with_a_space(command: str, framed: str) -> None:
    assert in_process(f"setoption depth 2\n{command}\n").removeprefix("=\n\n").startswith(framed)


def _text(scenario: str) -> str:
    return scenario.replace("VERSION", __version__)


@pytest.mark.parametrize("name", SCENARIOS)
def test_in_process(name: str) -> None:
    check_dialogue(_text(SCENARIOS[name]))


WIRE = [
    (b"name\r\n", ["= othello-bot"]),
    (b"\xef\xbb\xbfname\n", ["= othello-bot"]),
    (b"1\tname\t\n", ["=1 othello-bot"]),
    (b"na\x00me\x07\n", ["= othello-bot"]),
    (b"\n\r\n   \n\t\n# only a comment\n", []),
    (b"name # with a comment\n", ["= othello-bot"]),
    (b"1 name\n2 name\n\n\n3 name", ["=1 othello-bot", "=2 othello-bot", "=3 othello-bot"]),
    (b"play b f", ["? syntax error: ..."]),
    (b"", []),
    (b"\xff\xfe\x80\n", ["? unknown command: ..."]),
    (
        b"12 " + b"x" * 10_000_000 + b"\nname\n",
        ["?12 syntax error: a line of 10000003 bytes is too long", "= othello-bot"],
    ),
    (b"x" * 70_000, ["? syntax error: a line of 70000 bytes is too long"]),
    ("play b \u0666\u0665\n".encode(), ["? syntax error: ..."]),
    (b"99999999999999999999 name\n", ["=99999999999999999999 othello-bot"]),
]


@pytest.mark.parametrize(("data", "expected"), WIRE)
def test_on_the_wire(data: bytes, expected: list[str]) -> None:
    answers = replies(in_process(data))
    assert len(answers) == len(expected)
    for want, got in zip(expected, answers, strict=True):
        assert matches(want, got)

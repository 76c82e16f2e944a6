"""Lines that people paste at a prompt: moves as files have them, but no command that is not known."""

from __future__ import annotations

import pytest

from othello_bot.base.notation import TranscriptError, format_transcript
from othello_bot.formats.reading import found_games
from othello_bot.formats.transcripts import moves_to_play
from othello_bot.rules import Game, Position
from tests.play.evening import Evening
from tests.session.harness import in_process, replies

PASTED = {
    "f5d6c3": "f5d6c3",
    "1. f5 d6 2. c3": "f5d6c3",
    "Tiger: f5d6c3d3c4": "f5d6c3d3c4",
    "Rose (Kobayashi): f5d6c5f4e3": "f5d6c5f4e3",
    "Moves: f5 d6 c3": "f5d6c3",
    "F5: f5d6c4": "f5d6c4",
    "Tiger - f5d6c3d3c4": "f5d6c3d3c4",
    "No-Kan, f5d6c3d3c4f4c5": "f5d6c3d3c4f4c5",
    "Black: f5": None,
    "\u2022 f5d6c3": "f5d6c3",
    "\u2463 f5 d6 c3": "f5d6c3",
    '"f5d6c3d3c4", "Tiger",': "f5d6c3d3c4",
    '{ "f5d6c3d3c4", "Tiger c4" }, /* f4 */': "f5d6c3d3c4",
    "f5d6c3 ; f4 loses 4": "f5d6c3",
    "f5d6c3  c4 Tiger": "f5d6c3",
    "f5 d6 c3 // e3 is book": "f5d6c3",
    "F5D6C3D3C4 Tiger": "f5d6c3d3c4",
    "f5d6c3 (B+12)": "f5d6c3",
    "f5 (d6) c3": "f5d6c3",
    "f5 -> d6": "f5d6",
    "f5 \u2192 d6 \u2192 c3": "f5d6c3",
    "https://example.org/?moves=f5d6c3d3c4": "f5d6c3d3c4",
    "\uff26\uff15\uff24\uff16": "f5d6",
    "f5d6 c9": None,
    "Tiger: f5d6 c9": None,
    "f5 d6 z3 c3": None,
    "f5d6c3, c9, Tiger": "f5d6c3",
    "1. f5 d6 2. c3 d3x": None,
    "f5 please": None,
    "f5d6c3 d3x c4": None,
}
"""Lines with their moves; None: refused, whatever is in them."""


@pytest.mark.parametrize(("line", "moves"), PASTED.items())
def test_a_pasted_line_is_read_as_a_line_of_a_file(line: str, moves: str | None) -> None:
    if moves is None:
        with pytest.raises(TranscriptError):
            moves_to_play(line, Position.start())
        return
    assert format_transcript(moves_to_play(line, Position.start())) == moves
    assert [found.checked().game.transcript() for found in found_games(line)] == [moves]


OTHERS = (
    *(
        "paly f5",
        "tiger f5d6c3d3",
        "set_moves f5d6c3d3 c4",
        "gogui-foo b d3 w e4",
        "hello: there",
        "1.",
        "...",
        "",
        "(;B[f5])",
    ),
    *("a b c d e f g h", ". . . . . . . .", "---------------------------OX------XO--------------------------- X"),
)


@pytest.mark.parametrize("line", OTHERS)
def test_another_line_is_no_move(line: str) -> None:
    with pytest.raises(TranscriptError):
        moves_to_play(line, Position.start())


def test_the_rest_of_a_game_may_be_pasted_with_its_numbers_and_omitted_passes() -> None:
    game = Game.from_transcript("f5d6c3")
    assert format_transcript(moves_to_play("4. d3 5. c4 (Tiger)", game.position)) == "d3c4"


@pytest.mark.parametrize(
    "line", [line for line, moves in PASTED.items() if moves and line.isascii() and "#" not in line]
)
def test_both_prompts_play_a_pasted_line(line: str) -> None:
    assert replies(in_process(f"{line}\n7 {line}\ntranscript\n"))[-1] == f"= {PASTED[line]}"
    assert Evening(line, "quit").moves == PASTED[line]


def test_a_host_gets_the_id_of_a_pasted_line_and_an_unknown_command_is_refused() -> None:
    answers = in_process("7 Tiger: f5d6c3\n8 tiger f5d6c3\n9 f5d6c3\tc4 Tiger\ntranscript\n")
    assert replies(answers)[0].strip() == "=7"
    assert replies(answers)[1].startswith("?8 unknown command: 'tiger'")
    assert replies(answers)[2].startswith("?9 illegal move 'f5'")

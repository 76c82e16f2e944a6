"""What a controller sends to an NBoard engine, and how it understands the answers, without process or waiting."""

from __future__ import annotations

import pytest

from othello_bot.base.clocks import ClockState
from othello_bot.base.notation import PASS, START, Color, parse_square
from othello_bot.protocol.conversation import Deadlines
from othello_bot.protocol.conversation_nboard import NBoardConversation
from othello_bot.protocol.errors import EngineGarbage, EngineStalled, EngineUnsupported
from tests.protocol.script import Stage, best, fault, talk

F5, D6 = (parse_square(name) for name in ("f5", "d6"))


def nboard() -> NBoardConversation:
    """Return a conversation after the handshake."""
    conversation = NBoardConversation(fault, Deadlines(1, 2, 3, 4))
    talk(conversation, "> nboard 2\n> ping 1\n< set myname Mock15\n< pong 1")
    return conversation


def test_nboard_handshake() -> None:
    assert nboard().info.name == "Mock15"


def test_nboard_what_is_said_before_the_pong_is_about_the_past() -> None:
    dialogue = "> move F5\n> ping 2\n< search D6 1 0 9\n< === D6\n< chatter\n< pong 1\n< pong 2"
    conversation = nboard()
    Stage(dialogue).run(conversation.play(F5))
    assert conversation.moves == [F5]


def test_nboard_a_position_is_a_game() -> None:
    conversation = nboard()
    stage = Stage("> set game (;GM[Othello]PC[NBoard]PB[Black]PW[White]RE[?]TY[8]BO[8 "
                  "-------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5]W[PA];)\n"
                  "> ping 2\n< pong 2")  # fmt: skip
    stage.run(conversation.set_position(START, [F5, PASS]))
    assert conversation.to_move is Color.BLACK


def test_nboard_best_move_is_played_by_the_controller() -> None:
    conversation = nboard()
    dialogue = (
        "> ping 2\n< pong 2\n> go\n< status thinking\n< nodestats 1234 0.5\n< search F5d6 1.25 0 8 x\n"
        "< === F5//1.5\n> move F5//1.50"
    )
    answer = Stage(dialogue).run(conversation.best_move())
    assert answer == best(F5, 4.0, 1.25, "8", 1234, (F5, D6))
    assert conversation.moves == [F5]


def test_nboard_the_value_in_the_answer_counts_most() -> None:
    answer = Stage("> ping 2\n< pong 2\n> go\n< search F5 1 0 8\n< === F5/2.5\n> move F5/2.50").run(
        nboard().best_move()
    )
    assert (answer.score, answer.nodes) == (2.5, None)


def test_nboard_clocks_travel_with_the_game() -> None:
    stage = Stage("> set game\n> ping 2\n< pong 2\n> go\n< === PA\n> move PA")
    stage.lines[0] = (
        "> set game (;GM[Othello]PC[NBoard]PB[Black]PW[White]RE[?]TB[1:00/0:01/0]TW[0:30/0:00/0]TY[8]BO[8 "
        "-------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *];)"
    )
    stage.run(nboard().best_move((ClockState(60, 1), ClockState(30))))
    assert stage.waits[-1].within_s == 64


def test_nboard_damaged_lines_and_noise_before_a_silence_are_garbage() -> None:
    for said in ("=== the best one", "search F5 x 0 8", "pong x", "chatter\n..."):
        with pytest.raises(EngineGarbage):
            Stage(f"> ping 2\n< pong 2\n> go\n< {said}").run(nboard().best_move())
    with pytest.raises(EngineStalled):
        Stage("> ping 2\n< pong 2\n> go\n< status thinking\n...").run(nboard().best_move())


def test_nboard_options() -> None:
    Stage("> set depth 12\n> ping 2\n< set myname Mock12\n< pong 2").run(nboard().set_option("depth", "12"))
    Stage("> set contempt -100\n> ping 2\n< pong 2").run(nboard().set_option("contempt", "-100"))
    for name, value in (("level", "3"), ("depth", "deep")):
        with pytest.raises(EngineUnsupported):
            Stage("").run(nboard().set_option(name, value))

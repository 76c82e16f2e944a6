"""What a controller sends in ENGINE-PROTOCOL, and how it understands the answers, without process or waiting."""

from __future__ import annotations

import pytest

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import START, Board, Color, parse_square
from othello_bot.protocol.conversation import Deadlines, EngineInfo, Receive, Send
from othello_bot.protocol.conversation_cassio import CassioConversation
from othello_bot.protocol.errors import EngineGarbage, EngineRefused, EngineUnsupported
from tests.protocol.script import ArrivedLine, Stage, fault, talk

F5, D6 = (parse_square(name) for name in ("f5", "d6"))
EMPTYISH = Board("-" * 62 + "XO", Color.WHITE)


P = "> ENGINE-PROTOCOL"
SEARCH = f"{P} midgame-search {START.cells}X -64.00 64.00 12 100"
RESULT = f"< {START.cells}X, move F5, depth 12, @100%, B+1.00 <= v <= B+3.00, f5d6, node 99, time 0.5"


def cassio() -> CassioConversation:
    """Return a conversation after the handshake."""
    conversation = CassioConversation(fault, Deadlines(1, 2, 3, 4))
    talk(conversation, f"{P} init\n< ready.\n{P} get-version\n< version: Mock Engine 1.5\n< ready.")
    return conversation


def test_cassio_handshake() -> None:
    assert cassio().info == EngineInfo("Mock Engine", "1.5")


def test_cassio_best_move_is_the_last_result() -> None:
    conversation = cassio()
    earlier = RESULT.replace("F5", "D6")
    answer = Stage(f"{SEARCH}\n{earlier}\n{RESULT}\n< ready.").run(conversation.best_move())
    assert answer == EvaluatedMove(F5, 2.0, (F5, D6), 12, 100, nodes=99, time_s=3.0)
    assert conversation.moves == []


def test_cassio_options_shape_the_request() -> None:
    conversation = cassio()
    for name, value in (("depth", "20"), ("precision", "73"), ("alpha", "-1"), ("beta", "1")):
        Stage("").run(conversation.set_option(name, value))
    line = f"{P} midgame-search {START.cells}X -1.00 1.00 20 73"
    Stage(f"{line}\n{RESULT}\n< ready.").run(conversation.best_move())
    Stage("").run(conversation.set_option("endgame", "true"))
    Stage(f"{P} endgame-search {START.cells}X -1 1 73\n{RESULT}\n< ready.").run(conversation.best_move())
    for name, value in (("depth", "0"), ("speed", "9")):
        with pytest.raises(EngineUnsupported):
            Stage("").run(conversation.set_option(name, value))


def test_cassio_an_error_is_a_refusal_after_its_ready() -> None:
    with pytest.raises(EngineRefused, match="cannot parse"):
        Stage(f"{SEARCH}\n< ERROR: cannot parse\n< ready.").run(cassio().best_move())


def test_cassio_garbage() -> None:
    for said in ("< ready.", "< nonsense\n...", f"{RESULT.replace('F5,', 'Z9,')}"):
        with pytest.raises(EngineGarbage):
            Stage(f"{SEARCH}\n{said}").run(cassio().best_move())


def test_cassio_knows_positions_and_no_games() -> None:
    conversation = cassio()
    Stage(f"{P} new-position\n< ready.").run(conversation.set_position(EMPTYISH, []))
    assert conversation.start == EMPTYISH
    with pytest.raises(EngineUnsupported):
        Stage("").run(conversation.set_position(START, [F5]))
    with pytest.raises(EngineUnsupported):
        Stage("").run(conversation.play(F5))


@pytest.mark.parametrize(("at", "time_s"), [(10.25, 0.25), (10.0, 0.0), (9.75, 0.0)])
def test_cassio_ping_takes_the_time_until_ready(at: float, time_s: float) -> None:
    script = cassio().ping()
    assert isinstance(next(script), Send) and isinstance(script.send(10.0), Receive)
    with pytest.raises(StopIteration) as end:
        script.send(ArrivedLine("ready.", at))
    assert end.value.value == time_s

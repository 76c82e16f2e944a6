"""An engine's turn: dialogues with an engine played from a list, and one with a process."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from othello_bot.arena.config import PlayerDialect
from othello_bot.arena.conversations import CONVERSATIONS, StatsConversation
from othello_bot.arena.players import ProcessPlayer
from othello_bot.base.clocks import ClockState, ClockStates
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, RESIGN, START, parse_move
from othello_bot.engine import Limits, carried_out
from othello_bot.protocol.conversation import Conversation, Receive, Send
from othello_bot.protocol.conversation_nboard import NBoardConversation
from othello_bot.protocol.errors import Awaited, EngineGarbage, EngineRefused, EngineStalled
from othello_bot.rules import Game, Position
from tests.arena.builders import engines, mock_spec
from tests.protocol.script import Stage, best, fault, talk

F5, D6, C3 = map(parse_move, ("f5", "d6", "c3"))

OK = "< =\n<\n"


def native(commands: str = "stats time_left") -> Conversation:
    conversation = CONVERSATIONS[PlayerDialect.NATIVE](fault)
    listed = "\n< ".join(commands.split())
    talk(conversation, f"> name\n< = it\n<\n> version\n< = 1\n<\n> list_commands\n< = {listed}\n<")
    return conversation


class JoinedLines(Stage):
    """A stage on which the lines that are sent in one piece are one line."""

    def fulfil(self, request: Send | Receive) -> Any:
        return super().fulfil(Send(request.line.replace("\n", " | ")) if isinstance(request, Send) else request)


def turn(
    conversation: Conversation,
    dialogue: str,
    untold: Sequence[int] = (),
    clocks: ClockStates | None = None,
    within_s: float = 3.0,
) -> EvaluatedMove:
    return JoinedLines(dialogue).run(conversation.turn(untold, clocks, within_s))


def test_a_native_turn_is_sent_in_one_piece() -> None:
    conversation = native()
    found = turn(
        conversation,
        f"> play b f5 | genmove w | stats\n{OK}< = d6\n<\n< = depth 8@73%\n< score +2\n< nodes 1234\n< pv d6\n<",
        [F5],
    )
    # The clock of the dialogue moves on with each line: two of the move before, one of the answer.
    assert found == best(D6, 3.0, 2.0, "8@73%", 1234)
    assert conversation.moves == [F5, D6]


def test_a_native_turn_tells_both_clocks_and_a_refusal_of_these_is_not_an_event() -> None:
    dialogue = f"> time_left b 9 0 | time_left w 8 0 | genmove b\n{OK}< ? no clock\n<\n< = f5\n<"
    found = turn(native("time_left"), dialogue, clocks=(ClockState(9), ClockState(8)))
    assert found == best(F5, 5.0)
    dialogue = "> genmove b | stats\n< = f5\n<\n< ? nothing has been searched yet\n<"
    assert turn(native("stats"), dialogue, clocks=(ClockState(9), ClockState(8))) == best(F5, 1.0)


def test_the_same_thoughts_again_are_about_an_earlier_move() -> None:
    conversation = native()
    said = "< = depth 8\n< score 2\n<"
    assert turn(conversation, f"> genmove b | stats\n< = f5\n<\n{said}").score == 2
    book = turn(conversation, f"> play w d6 | genmove b | stats\n{OK}< = c3\n<\n{said}", [D6])
    assert (book.move, book.score, book.words) == (C3, None, "")


def test_a_native_engine_may_resign_refuse_and_talk_nonsense() -> None:
    resigned = turn(native(), "> genmove b | stats\n< = resign\n<\n< = depth 3\n< score -60\n<")
    assert (resigned.move, resigned.score) == (RESIGN, -60)
    with pytest.raises(EngineRefused, match="refused 'play b f5': illegal"):
        turn(native(), "> play b f5 | genmove w | stats\n< ? illegal\n<", [F5])
    with pytest.raises(EngineRefused, match="refused 'genmove b': tired"):
        turn(native(), "> genmove b | stats\n< ? tired\n<\n< =\n<")
    with pytest.raises(EngineGarbage, match="no move"):
        turn(native(), "> genmove b | stats\n< = the best one\n<\n< =\n<")
    with pytest.raises(EngineGarbage, match="no number"):
        turn(native(), "> genmove b | stats\n< = f5\n<\n< = score many\n<")
    with pytest.raises(EngineStalled) as caught:
        turn(native(), f"> play b f5 | genmove w | stats\n{OK}...", [F5])
    assert caught.value.awaited is Awaited.MOVE


def test_an_opening_is_sent_in_one_piece_where_it_goes_on_from_what_is_known() -> None:
    conversation = native()
    JoinedLines(f"> play b f5 | play w d6\n{OK}{OK}").run(conversation.set_position(START, [F5, D6]))
    JoinedLines("").run(conversation.set_position(START, [F5, D6]))
    assert conversation.moves == [F5, D6]
    again = f"> clear_board\n{OK}> play b f5\n{OK}"
    JoinedLines(again).run(conversation.set_position(START, [F5]))
    with pytest.raises(EngineRefused, match="play w d6"):
        JoinedLines("> play w d6 | play b c3\n< ? no\n<").run(conversation.set_position(START, [F5, D6, C3]))


def test_over_gtp_an_engine_with_stats_is_asked_for_its_thoughts_afterwards() -> None:
    conversation = StatsConversation(fault)
    talk(conversation, "> name\n< = it\n<\n> version\n< = 1\n<\n> list_commands\n< = stats\n< kata-genmove_analyze\n<")
    thoughts = "< = depth exact\n< score -4\n< nodes 99\n<"
    found = turn(conversation, f"> play b f5\n{OK}> genmove w\n< = d6\n<\n> stats\n{thoughts}", [F5])
    assert found == best(D6, 1.0, -4.0, "exact", 99)
    book = turn(conversation, f"> play b c3\n{OK}> genmove w\n< = d3\n<\n> stats\n{thoughts}", [C3])
    assert (book.score, book.words) == (None, "")


def test_planned_times_are_read_from_stats() -> None:
    conversation = StatsConversation(fault)
    talk(conversation, "> name\n< = it\n<\n> version\n< = 1\n<\n> list_commands\n< = stats\n<")
    thoughts = "< = depth 9@73%\n< planned 0.046 s, at most 0.139 s\n<"
    found = turn(conversation, f"> play b f5\n{OK}> genmove w\n< = d6\n<\n> stats\n{thoughts}", [F5])
    assert found == best(D6, 1.0, None, "9@73%", planned_s=0.046)


def test_other_engines_get_one_command_at_a_time() -> None:
    gtp = StatsConversation(fault)
    assert turn(gtp, f"> play b f5\n{OK}> genmove w\n< = d6\n<", [F5]).move == D6
    nboard = NBoardConversation(fault)
    dialogue = "> move F5\n> ping 1\n< pong 1\n> ping 2\n< pong 2\n> go\n< === D6/2.00/1\n> move D6/2.00/1.00"
    assert turn(nboard, dialogue, [F5]).move == D6


SLOW_TO_ANSWER = r"""
import sys
def read():
    return sys.stdin.readline().split() or sys.exit()
while True:
    words = read()
    if words[0] == "play":
        # The answer waits for the next command, which somebody who waits for the answer would never send.
        following = read()
        print("=\n", flush=True)
        words = following
    if words[0] == "genmove":
        print("= d6\n", flush=True)
    else:
        print("= play genmove clear_board\n" if words[0] == "list_commands" else "=\n", flush=True)
"""


@pytest.mark.process
def test_a_native_engine_need_not_answer_before_it_knows_the_whole_turn() -> None:
    command = shlex.quote(shlex.join([sys.executable, "-c", SLOW_TO_ANSWER]))
    (config,) = engines(f"cmd={command} proto=native tc=inf timeout=20 name=slow")
    player = ProcessPlayer(config)
    player.start()
    try:
        player.new_game(Game(), "seed")
        player.played(F5)
        assert carried_out(player.choose(Position.start().play(F5), Limits())).move == D6
    finally:
        player.close()


@pytest.mark.process
def test_a_pass_is_told_at_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    (config,) = engines(mock_spec("--log", str(log)))
    player = ProcessPlayer(config)
    player.start()
    try:
        # Black, who plays a1, leaves White with no move.
        start = Position.parse("-OX" + "-" * 29 + "-" * 24 + "XO------" + " X")
        player.new_game(Game(start), "seed")
        player.played(0)
        assert "play b a1" not in log.read_text()
        player.played(PASS)
        assert log.read_text().splitlines()[-2:] == ["play b a1", "play w pass"]
    finally:
        player.close()


@pytest.mark.process
def test_an_opponent_without_a_clock_is_told_as_a_day(tmp_path: Path) -> None:
    log = tmp_path / "log"
    (config,) = engines(f"{mock_spec('--log', str(log))} tc=60")
    player = ProcessPlayer(config)
    player.start()
    try:
        player.new_game(Game(), "seed")
        carried_out(player.choose(Game.from_transcript("f5"), Limits(clock=ClockState(60))))
        times = [line for line in log.read_text().splitlines() if line.startswith("time_left")]
        assert times == ["time_left b 86400 0", "time_left w 60 0"]
    finally:
        player.close()

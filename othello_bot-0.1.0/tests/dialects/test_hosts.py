"""Recorded behaviour of known hosts: neural-reversi's match-runner, Egaroucid's battle scripts, gogui-twogtp, Sabaki.

Each host is played by a small reader that is as strict as the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from othello_bot.base.boards import parse_board
from othello_bot.base.notation import PASS, Color, move_name, parse_move
from othello_bot.protocol.client import Client
from othello_bot.protocol.detect import Dialect
from othello_bot.rules.game import Game
from tests.daemon.test_process import PipedEngine
from tests.session.harness import COMMAND, in_process, replies

pytestmark = pytest.mark.process

BLACK_MUST_PASS = "d3c3e6d2d1e1b2c1"


@pytest.fixture
def pair() -> Iterator[tuple[PipedEngine, PipedEngine]]:
    talks = PipedEngine("--option", "depth=2"), PipedEngine("--option", "depth=1")
    yield talks
    for talk in talks:
        if talk.spawn.proc.poll() is None:
            talk.spawn.proc.kill()
            talk.spawn.proc.wait()
        assert talk.spawn.proc.stdout is not None
        talk.spawn.proc.stdout.close()


def strict(talk: PipedEngine, command: str) -> str:
    """Return the text of a reply as neural-reversi's match-runner reads it: `=` alone, or `= ` and the text; fail
    otherwise.
    """
    talk.send(command)
    reply = talk.reply()
    assert reply == "=" or reply.startswith("= "), (command, reply)
    return reply[2:]


def test_match_runner(pair: tuple[PipedEngine, PipedEngine]) -> None:
    """No ids; both clocks to both engines before each genmove; genmove also for passes; no quit at the end."""
    for talk in pair:
        assert strict(talk, "name") and strict(talk, "version")
        strict(talk, "clear_board")
        strict(talk, "time_settings 60 1 0")
    game = Game()
    for word in ("f5", "d6", "c3"):
        for talk in pair:
            strict(talk, f"play {game.position.color.letter} {word}")
        game.play(parse_move(word))
    while not game.is_over:
        color = game.position.color
        mover, other = pair[color], pair[color.opponent]
        for talk in pair:
            strict(talk, "time_left black 59 0")
            strict(talk, "time_left white 0 0")  # 0.9 s, cut
        move = strict(mover, f"genmove {color.name.lower()}")
        assert re.fullmatch("[a-h][1-8]|pass", move)
        strict(other, f"play {color.name.lower()} {move}")
        game.play(parse_move(move))
    for talk in pair:
        assert strict(talk, "transcript") == game.transcript(passes=True)


def test_battle_script(pair: tuple[PipedEngine, PipedEngine]) -> None:
    """Exactly one nonempty line for each command, whose last two characters are the move; passes, also those at the end
    of the game, are sent to both engines and never requested.
    """
    game = Game()
    for talk in pair:
        talk.ask("clear_board")
    while True:
        position = game.position
        if not position.legal_bits:
            for talk in pair:
                assert talk.ask(f"play {position.color.letter} pass") == "="
            if game.is_over:
                for talk in pair:
                    assert talk.ask(f"play {position.color.opponent.letter} pass") == "="
                break
            game.play(PASS)
            continue
        reply = pair[position.color].ask(f"genmove {position.color.letter}")
        assert "\n" not in reply
        move = parse_move(reply[-2:])
        game.play(move)
        assert pair[position.color.opponent].ask(f"play {position.color.letter} {move_name(move).upper()}") == "="


def test_twogtp(pair: tuple[PipedEngine, PipedEngine]) -> None:
    """Ends only on two passes; requests the score; never sends the remaining time."""
    for talk in pair:
        for query in ("name", "version", "list_commands", "protocol_version"):
            assert talk.ask(query)[:2] == "= "
        for command in ("boardsize 8", "komi 6.5", "clear_board", "time_settings 600 0 0"):
            assert talk.ask(command) == "="
    color, passes, score = Color.BLACK, 0, 0
    while passes < 2:
        move = strict(pair[color], f"genmove {color.letter}")
        passes = passes + 1 if move == "pass" else 0
        assert pair[color.opponent].ask(f"play {color.letter} {move}") == "="
        color = color.opponent
        score += 1
        assert score < 140, "the game does not end"
    results = {strict(talk, "final_score") for talk in pair}
    assert len(results) == 1 and re.fullmatch(r"[BW]\+\d+|0", results.pop())
    for talk in pair:
        assert talk.ask("quit") == "="


def test_sabaki() -> None:
    """Sets the board up in the wrong order, passes with only a colour, and requests the other colour's move."""
    sent = f"clear_board\nboardsize 8\nkomi 0\nplay {BLACK_MUST_PASS}\nplay B\nsetoption depth 1\ngenmove W\n"
    found = replies(in_process(sent))
    assert found[:-1] == ["="] * 6 and re.fullmatch("= (a3|b4|d6)", found[-1])


def test_a_whole_game_over_the_cassio_dialect() -> None:
    """The dialect is stateless: its controller keeps the game and sends each position."""
    command = [*COMMAND, "--option", "hash=1"]
    with Client(command, Dialect.CASSIO) as black, Client(command, Dialect.CASSIO) as white:
        players = (black, white)
        for player in players:
            player.new_game()
            player.set_option("depth", "2")
        game = Game()
        while not game.is_over:
            position = game.position
            player = players[position.color]
            player.set_position(parse_board(position.to_string()))
            move = player.best_move(within_s=60).move if position.legal_bits else PASS
            assert move is not None
            game.play(move)
        assert game.ply > 8

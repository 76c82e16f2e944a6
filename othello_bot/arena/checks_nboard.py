"""What `match check` asks of a program that speaks NBoard: messages, passes, hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from othello_bot.arena.checks_gtp import PASS_LINE
from othello_bot.arena.probe import Check, Probe, Skip, lines_text
from othello_bot.base.boards import parse_board
from othello_bot.base.errors import shown
from othello_bot.base.notation import PASS, move_name
from othello_bot.protocol import nboard
from othello_bot.protocol.nboard_game import format_game
from othello_bot.protocol.nboard_values import NBoardError
from othello_bot.rules import Game

_UNASKED_S: Final = 0.3


def _until_pong(probe: Probe, number: int) -> list[str]:
    """Send a ping and return the lines before its pong."""
    probe.say(f"ping {number}")
    lines: list[str] = []
    while (line := probe.hear(probe.settings.start_s)) != f"pong {number}":
        lines.append(line)
        if len(lines) > 5000:
            raise probe.fault(f"{len(lines)} lines and no pong, the first {shown(lines[0])}", f"pong {number}")
    return lines


def _set_game(probe: Probe, game: Game) -> None:
    probe.say(str(nboard.SetGame(format_game(parse_board(game.start.to_string()), game.moves, None))))


def _chosen(probe: Probe) -> int:
    """Send `go` and return the move that is chosen."""
    probe.say("go")
    for _ in range(5000):
        response = _parsed(probe, probe.hear(probe.settings.move_s))
        if isinstance(response, nboard.Chosen):
            return response.played.move
    raise probe.fault("5000 lines and no move", "=== and a move")


def _parsed(probe: Probe, line: str) -> nboard.Response | None:
    try:
        return nboard.parse_response(line)
    except NBoardError:
        raise probe.fault(shown(line), "a message of NBoard 2") from None


def _names_itself(probe: Probe) -> None:
    client = probe.engine()
    client.set_option("depth", "2")
    client.ping()
    if not client.info.name:
        raise probe.fault("no set myname", "set myname, at once or after set depth")


def _skips_unknown_messages(probe: Probe) -> None:
    probe.engine()
    probe.say("castle e1 g1\nset castle short")
    _until_pong(probe, 91)
    if lines := probe.unasked(_UNASKED_S):
        raise probe.fault(lines_text(lines), "silence")


def _prints_messages_only(probe: Probe) -> None:
    probe.launched()
    probe.say("nboard 2")
    lines = _until_pong(probe, 1)
    for line in probe.settings.init:
        probe.say(line)
    _set_game(probe, Game.from_transcript("f5d6"))
    _chosen(probe)
    lines += _until_pong(probe, 2) + probe.unasked(_UNASKED_S)
    others = [line for line in lines if line and _parsed(probe, line) is None]
    if others:
        raise probe.fault(lines_text(others), "nothing on standard output but messages of NBoard 2")


def _plays_on(probe: Probe) -> None:
    """After a move that is told, the answer is for the position after it."""
    probe.engine()
    game = Game.from_transcript("f5d6")
    _set_game(probe, game)
    probe.say("move C3//0.01")
    game.play_transcript("c3")
    _legal(probe, game)


def _legal(probe: Probe, game: Game) -> None:
    move = _chosen(probe)
    legal = game.position.legal_moves or (PASS,)
    if move not in legal:
        raise probe.fault(f"=== {move_name(move)}", f"one of {' '.join(map(move_name, legal))}")


def _does_not_play_its_move(probe: Probe) -> None:
    """GUIs repeat the chosen move as a `move` message, or do not play it at all."""
    probe.engine()
    game = Game.from_transcript("f5d6")
    _set_game(probe, game)
    _legal(probe, game)
    _legal(probe, game)


def _outlives_illegal_moves(probe: Probe) -> None:
    probe.engine()
    _set_game(probe, Game())
    probe.say("move A1//0.01")
    _until_pong(probe, 92)
    game = Game.from_transcript("f5")
    _set_game(probe, game)
    _legal(probe, game)


def _accepts_passes(probe: Probe) -> None:
    probe.engine()
    game = Game.from_transcript(PASS_LINE)
    _set_game(probe, game)
    probe.say("move PA//0.01")
    game.play(PASS)
    _legal(probe, game)
    _set_game(probe, game)
    _legal(probe, game)


def _passes_itself(probe: Probe) -> None:
    probe.engine()
    game = Game.from_transcript(PASS_LINE)
    _set_game(probe, game)
    _legal(probe, game)


def _no_undo(probe: Probe) -> None:
    raise Skip("NBoard has no undo that hosts send: they set the game")


def _stops_hinting(probe: Probe) -> None:
    probe.engine()
    game = Game.from_transcript("f5d6")
    _set_game(probe, game)
    probe.say("hint 2")
    while not isinstance(_parsed(probe, probe.hear(probe.settings.move_s)), nboard.SearchLine):
        pass
    _until_pong(probe, 93)
    if lines := [line for line in probe.unasked(_UNASKED_S) if line.startswith("search")]:
        raise probe.fault(lines_text(lines), "no search line after the pong")
    _legal(probe, game)


FORM: Final[Sequence[Check]] = (
    Check("name", "names itself by set myname", _names_itself),
    Check("unknown", "skips unknown messages and goes on", _skips_unknown_messages),
    Check("stdout", "prints nothing on standard output but messages", _prints_messages_only),
)

BOARD: Final[Sequence[Check]] = (
    Check("moves", "plays the moves that it is told", _plays_on),
    Check("own move", "waits for the host to play the move it chose", _does_not_play_its_move),
    Check("illegal", "outlives an illegal move, and plays the next game", _outlives_illegal_moves),
    Check("told passes", "accepts a forced pass", _accepts_passes),
    Check("own passes", "passes where it has no move", _passes_itself),
    Check("undo", "takes a move back", _no_undo),
    Check("hints", "ends hints at a ping, and is silent after its pong", _stops_hinting),
)

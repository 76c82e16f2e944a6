"""The checks of `match check` for programs that speak NBoard 2 or Cassio's protocol: messages, passes, searches."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from othello_bot.arena.checks_gtp import PASS_LINE
from othello_bot.arena.probe import UNASKED_S, Check, Probe, Skip, lines_text
from othello_bot.base.boards import parse_board
from othello_bot.base.errors import shown
from othello_bot.base.notation import PASS, move_name
from othello_bot.protocol import cassio, nboard
from othello_bot.protocol.cassio import CassioError
from othello_bot.protocol.nboard_values import NBoardError, format_game
from othello_bot.rules import Game, Position


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
    probe.check_silence("silence")


def _prints_messages_only(probe: Probe) -> None:
    probe.launched()
    probe.say("nboard 2")
    lines = _until_pong(probe, 1)
    for line in probe.settings.init:
        probe.say(line)
    _set_game(probe, Game.from_transcript("f5d6"))
    _chosen(probe)
    lines += _until_pong(probe, 2) + probe.unasked(UNASKED_S)
    others = [line for line in lines if line and _parsed(probe, line) is None]
    if others:
        raise probe.fault(lines_text(others), "nothing on standard output but messages of NBoard 2")


def _legal(probe: Probe, game: Game) -> None:
    move = _chosen(probe)
    probe.check_move(game.position, move, f"=== {move_name(move)}")


def _chooses(moves: str, told: str = "", times: int = 1) -> Callable[[Probe], None]:
    """Return the check that a program chooses legal moves in a game that is set, after one more move that it is told.

    The second choice is for the same position: GUIs repeat the chosen move as a `move` message, or do not play it.
    """

    def check(probe: Probe) -> None:
        probe.engine()
        game = Game.from_transcript(moves)
        _set_game(probe, game)
        if told:
            probe.say(f"move {told}//0.01")
            game.play_transcript(told)
        for _ in range(times):
            _legal(probe, game)

    return check


def _survives_illegal_moves(probe: Probe) -> None:
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
    if lines := [line for line in probe.unasked(UNASKED_S) if line.startswith("search")]:
        raise probe.fault(lines_text(lines), "no search line after the pong")
    _legal(probe, game)


# -- Cassio ------------------------------------------------------------------------------------------------------------

_DEEP: Final = 40
"""Plies that no program searches soon."""

_MOST_LINES: Final = 5000

_ENDING: Final = (
    "e6d6c3f4d7c5g4g3c4g5b5c7f5a5a6d8a4f7f6d3h4c2e7e3g6f8b4b3e2h5b6f3h6g7c6a7d2d1c1b1c8b2h7h8h2a3h3h1f2g2f1g1e8g8a2"
)
"""A game up to its last five moves."""


def _until_ready(probe: Probe, command: str, until: type[cassio.Response] = cassio.Ready) -> list[cassio.Response]:
    """Send a command; return the responses before its `ready.`, which follows one of the kind `until`."""
    probe.say(f"{cassio.PREFIX} {command}".strip() if command else "")
    found: list[cassio.Response] = []
    for _ in range(_MOST_LINES):
        response = _read(probe, probe.hear(probe.settings.move_s))
        if response is not None:
            found.append(response)
        if isinstance(response, cassio.Ready) and any(isinstance(one, until) for one in found):
            return found
    raise probe.fault(f"{_MOST_LINES} lines and no end", cassio.READY)


def _read(probe: Probe, line: str) -> cassio.Response | None:
    try:
        return cassio.parse_response(line)
    except CassioError:
        raise probe.fault(shown(line), "a message of ENGINE-PROTOCOL") from None


def _searched(
    probe: Probe, position: Position, kind: str = "midgame-search", depth: str = " 4"
) -> cassio.Result | None:
    """Return the last result of a search; raise Fault for a move that is illegal."""
    cells, side = position.to_string().split()
    found = _until_ready(probe, f"{kind} {cells}{side} -64 64{depth} 100")
    results = [response for response in found if isinstance(response, cassio.Result)]
    for result in results:
        probe.check_move(position, result.move, f"the move {move_name(result.move)}")
    return results[-1] if results else None


def _says_its_version(probe: Probe) -> None:
    probe.engine()
    found = _until_ready(probe, "get-version")
    if not any(isinstance(response, cassio.Version) and response.text for response in found):
        raise probe.fault("no version", "version: and a name, then ready.")


def _goes_on_after(*commands: str) -> Callable[[Probe], None]:
    """Return the check that a program goes on after what it cannot obey, whether it answers that or not."""

    def check(probe: Probe) -> None:
        probe.engine()
        for command in commands:
            probe.say(f"{cassio.PREFIX} {command}")
        _until_ready(probe, "get-version", cassio.Version)
        probe.unasked(UNASKED_S)

    return check


def _prints_responses_only(probe: Probe) -> None:
    probe.launched()
    lines = probe.unasked(UNASKED_S)
    cells, side = Position.start().to_string().split()
    for command in ("init", "get-version", f"midgame-search {cells}{side} -64 64 4 100"):
        probe.say(f"{cassio.PREFIX} {command}")
        while not isinstance(_read(probe, line := probe.hear(probe.settings.start_s)), cassio.Ready):
            lines.append(line)
            if len(lines) > _MOST_LINES:
                break
    others = [line for line in lines + probe.unasked(UNASKED_S) if line and _read(probe, line) is None]
    if others:
        raise probe.fault(lines_text(others), "nothing on standard output but responses of ENGINE-PROTOCOL")


def _finds_moves(probe: Probe) -> None:
    probe.engine()
    for moves in ("", "f5", "f5d6c3", _ENDING[:80]):
        if _searched(probe, Game.from_transcript(moves).position) is None:
            raise probe.fault("no result", "a line with move, depth and bounds before ready.")


def _solves(probe: Probe) -> None:
    probe.engine()
    position = Game.from_transcript(_ENDING).position
    found, right = _searched(probe, position, "endgame-search", ""), _score(position)
    if found is None or not found.lower == found.upper == right:
        came = "no result" if found is None else f"{found.lower:+g} <= v <= {found.upper:+g}"
        raise probe.fault(came, f"the score {right:+d}, as both bounds")


def _score(position: Position) -> int:
    """Return the score at the end of a game, from the mover's view, by plain minimax."""
    if position.is_over:
        return position.score()
    return max(-_score(position.play(move)) for move in position.legal_moves or (PASS,))


def _searches_where_it_must_pass(probe: Probe) -> None:
    probe.engine()
    _searched(probe, Game.from_transcript(PASS_LINE).position)
    _until_ready(probe, "get-version", cassio.Version)


def _answers_a_poll(probe: Probe) -> None:
    probe.engine()
    for command in ("", "get-search-infos"):
        _until_ready(probe, command)


def _stops_searching(probe: Probe) -> None:
    probe.engine()
    cells, side = Game.from_transcript("f5d6").position.to_string().split()
    probe.say(f"{cassio.PREFIX} midgame-search {cells}{side} -64 64 {_DEEP} 100")
    while not isinstance(_read(probe, probe.hear(probe.settings.move_s)), cassio.Result):
        pass
    asked_at = time.monotonic()
    _until_ready(probe, "stop")
    if (took_s := time.monotonic() - asked_at) > probe.settings.reply_s:
        raise probe.fault(f"ready. after {took_s:.1f} s", f"ready. within {probe.settings.reply_s:g} s")
    # The search may have ended by itself, and then both commands say that they are ready.
    _until_ready(probe, "get-version", cassio.Version)


CASSIO: Final[Sequence[Check]] = (
    Check("name", "says its version", _says_its_version),
    Check("unknown", "goes on after an unknown command", _goes_on_after("castle e1 g1")),
    Check("stdout", "prints nothing on standard output but responses", _prints_responses_only),
    Check("moves", "finds legal moves for a board", _finds_moves),
    Check("solve", "solves the end of a game", _solves),
    Check("own passes", "goes on after a board whose mover must pass", _searches_where_it_must_pass),
    Check("illegal", "goes on after an invalid board", _goes_on_after("midgame-search XYZ -64 64 4 100")),
    Check("poll", "answers an empty line and get-search-infos", _answers_a_poll),
    Check("stop", "ends a search at stop", _stops_searching),
)

FORM: Final[Sequence[Check]] = (
    Check("name", "names itself by set myname", _names_itself),
    Check("unknown", "skips unknown messages and goes on", _skips_unknown_messages),
    Check("stdout", "prints nothing on standard output but messages", _prints_messages_only),
)

BOARD: Final[Sequence[Check]] = (
    Check("moves", "plays the moves that it receives", _chooses("f5d6", told="C3")),
    Check("own move", "waits for the host to play the move it chose", _chooses("f5d6", times=2)),
    Check("illegal", "survives an illegal move, and plays the next game", _survives_illegal_moves),
    Check("told passes", "accepts a forced pass", _accepts_passes),
    Check("own passes", "passes where it has no move", _chooses(PASS_LINE)),
    Check("undo", "takes a move back", _no_undo),
    Check("hints", "ends hints at a ping, and is silent after its pong", _stops_hinting),
)

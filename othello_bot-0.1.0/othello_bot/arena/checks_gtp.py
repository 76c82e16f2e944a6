"""The checks of `match check` for programs that speak GTP 2, our own session included: form, board, passes, undo."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Final

from othello_bot.arena.probe import UNASKED_S, Check, FailedCheck, Probe, Skip, lines_text, strict
from othello_bot.base.errors import brief, shown
from othello_bot.base.notation import Color, NotationError, move_name, parse_move
from othello_bot.rules import Game

PASS_LINE: Final = "d3c3e6d2d1e1b2c1"
"""After these moves Black must pass."""

NEEDED: Final = ("name", "version", "list_commands", "quit", "boardsize", "clear_board", "play", "genmove")

_SHORT_GAME: Final = "f5 d6 c3 d3 c4"

_NOT_PLAYABLE: Final = ("a1", "d4", "f4", "z9", "i9", "castle", "pass")
"""For Black at the start: no flips, occupied, White's, off the board, nothing, and a pass with moves left."""

_ID: Final = 4711


def reply(probe: Probe, within_s: float | None = None, unasked: list[str] | None = None) -> list[str]:
    """Return the lines of the next reply, without the empty one that ends it; lines before it join `unasked`."""
    others: list[str] = [] if unasked is None else unasked
    lines: list[str] = []
    while True:
        line = probe.hear(within_s)
        if lines and not line:
            return lines
        if lines or line[:1] in ("=", "?"):
            lines.append(line)
        elif line:
            others.append(line)
        if len(others) > 1000:
            raise probe.fault(f"{len(others)} lines that are not replies, the first {shown(others[0])}")


def ask(probe: Probe, command: str, *, ok: bool | None = None, within_s: float | None = None) -> str:
    """Send a command and return the text of its reply; raise Fault unless the command is accepted or refused as `ok`
    says.
    """
    probe.say(command)
    lines = reply(probe, within_s)
    if ok is not None and (lines[0][0] == "=") is not ok:
        raise probe.fault(lines_text(lines), "a reply that begins with " + ("=" if ok else "?"))
    return "\n".join([lines[0][1:].strip(), *lines[1:]])


def play(probe: Probe, moves: str) -> Game:
    """Clear the board, play moves, each of which must be accepted, and return the game."""
    game = Game()
    ask(probe, "clear_board", ok=True)
    for move in Game.from_transcript(moves).moves:
        ask(probe, f"play {game.position.color.letter} {move_name(move)}", ok=True)
        game.play(move)
    return game


def follows(probe: Probe, game: Game) -> None:
    """Raise Fault unless the program is in the position of a game: it accepts and answers legal moves there."""
    move = game.position.legal_moves[-1]
    ask(probe, f"play {game.position.color.letter} {move_name(move)}", ok=True)
    position = game.position.play(move)
    if position.must_pass:
        return
    text = ask(probe, f"genmove {position.color.letter}", ok=True, within_s=probe.settings.move_s)
    if text.lower() != "resign":
        probe.check_move(position, _move(probe, text), shown(text))


def _move(probe: Probe, text: str) -> int:
    try:
        return parse_move(text)
    except NotationError:
        raise probe.fault(shown(text), "a move like d6, or pass") from None


# -- the form of replies ----------------------------------------------------------------------------------------------


def _names_itself(probe: Probe) -> None:
    probe.engine()
    for command in ("name", "version"):
        if not ask(probe, command, ok=True):
            raise probe.fault("an empty text", "a name and a version")


def _lists_commands(probe: Probe) -> None:
    commands = probe.engine().info.commands
    if missing := [name for name in NEEDED if name not in commands]:
        right = f"a line for each of {', '.join(NEEDED)}"
        raise FailedCheck(f"a list without {', '.join(missing)}", ["list_commands"], right)
    if "known_command" in commands:
        for name, known in (("genmove", "true"), ("castle", "false")):
            if ask(probe, f"known_command {name}", ok=True) != known:
                raise probe.fault("another answer", known)


def _frames(probe: Probe) -> None:
    probe.engine()
    for command in ("protocol_version", "castle"):
        probe.say(command)
        line = reply(probe)[0]
        if len(line) > 1 and line[1] != " ":
            raise probe.fault(shown(line), "a space between = or ? and the text")


def _keeps_order(probe: Probe) -> None:
    probe.engine()
    probe.say("clear_board\nplay b f5\nplay b a1\nprotocol_version")
    signs = "".join(reply(probe)[0][0] for _ in range(4))
    if signs != "==?=":
        raise probe.fault(f"replies {' '.join(signs)}", "= = ? =, one for each command")


def _repeats_ids(probe: Probe) -> None:
    probe.engine()
    for command, sign in (("protocol_version", "="), ("castle", "?")):
        probe.say(f"{_ID} {command}")
        line = reply(probe)[0]
        if not re.match(rf"\{sign}{_ID}(\s|$)", line):
            raise probe.fault(shown(line), f"{sign}{_ID} and the text")


def _refuses_unknown_commands(probe: Probe) -> None:
    probe.engine()
    ask(probe, "castle e1 g1", ok=False)
    ask(probe, "protocol_version", ok=True)


def _skips_comments(probe: Probe) -> None:
    probe.engine()
    probe.say("\n# a comment\n   \nprotocol_version # the rest\nprotocol_version\r")
    for _ in range(2):
        if (line := reply(probe)[0])[0] != "=":
            raise probe.fault(shown(line), "an accepted protocol_version")
    probe.check_silence("no reply to an empty line or a comment")


def _prints_replies_only(probe: Probe) -> None:
    probe.launched()
    others = probe.unasked(UNASKED_S)
    for command in ("name", "version", "clear_board", "play b f5", "genmove w", "castle"):
        probe.say(command)
        reply(probe, max(probe.settings.start_s, probe.settings.move_s), others)
    probe.check_silence("nothing on standard output but replies; text for people goes to stderr", others)


# -- the game ---------------------------------------------------------------------------------------------------------


def _refuses_illegal_moves(probe: Probe) -> None:
    probe.engine()
    for move in _NOT_PLAYABLE:
        game = play(probe, "")
        ask(probe, f"play b {move}", ok=False)
        follows(probe, game)


def _accepts_passes(probe: Probe) -> None:
    strict(probe.engine())
    game = play(probe, PASS_LINE)
    ask(probe, "play b pass", ok=True)
    follows(probe, _passed(game))


def _implies_passes(probe: Probe) -> None:
    probe.engine()
    game = _passed(play(probe, PASS_LINE))
    probe.say(f"play w {move_name(game.position.legal_moves[0])}")
    if (line := reply(probe)[0])[0] != "=":
        raise Skip(f"it wants to be told of forced passes ({brief(line)}), as this arena does")


def _passes_itself(probe: Probe) -> None:
    probe.engine()
    play(probe, PASS_LINE)
    text = ask(probe, "genmove b", ok=True, within_s=probe.settings.move_s)
    if _move(probe, text) != 64:
        raise probe.fault(shown(text), "pass")


def _passed(game: Game) -> Game:
    game.play(64)
    return game


def _undoes(probe: Probe) -> None:
    if "undo" not in probe.engine().info.commands:
        raise Skip("it does not list undo")
    game = play(probe, _SHORT_GAME)
    ask(probe, "undo", ok=True)
    game.undo()
    follows(probe, game)
    ask(probe, "clear_board", ok=True)
    ask(probe, "undo", ok=False)
    follows(probe, Game())


# -- a search that is ended -------------------------------------------------------------------------------------------


def _stops_analysing(probe: Probe) -> None:
    commands = probe.engine().info.commands
    name = next((name for name in ("kata-analyze", "lz-analyze") if name in commands), None)
    if name is None:
        raise Skip("it does not list kata-analyze, and GTP alone cannot stop a search")
    play(probe, "f5d6")
    probe.say(f"{name} b 10")
    while not probe.hear(probe.settings.move_s).startswith("info"):
        pass
    asked_at = time.monotonic()
    probe.say("protocol_version")
    while (line := probe.hear()) != "= 2":
        if time.monotonic() - asked_at > probe.settings.reply_s:
            raise probe.fault(f"still {shown(line)}", "the analysis ends at the next line, and its command is answered")
    probe.hear()


def _stops_at_stop(probe: Probe) -> None:
    probe.fresh()
    for name, value in (("book", "off"), ("level", "60")):
        ask(probe, f"setoption name {name} value {value}", ok=True)
    play(probe, _SHORT_GAME)
    probe.say("genmove w\nisready\nstop")
    texts = [reply(probe)[0] for _ in range(3)]
    # The next check is for a process with the usual options.
    probe.end()
    if texts[:2] != ["= readyok", "="]:
        raise FailedCheck(
            lines_text(texts), ["genmove w", "isready", "stop"], "readyok, the answer of stop, then the move"
        )


def _clock_commands(probe: Probe) -> None:
    commands = probe.engine().info.commands
    if "time_settings" not in commands:
        raise Skip("it does not list time_settings")
    for command in ("time_settings 60 0 0", "time_settings 0 5 1", "time_settings 60 30 25"):
        ask(probe, command, ok=True)
    if "time_left" in commands:
        for color in Color:
            ask(probe, f"time_left {color.letter} 5 0", ok=True)
        ask(probe, "time_left b -1 0")  # a late host; what counts is that an answer comes


FORM: Final[Sequence[Check]] = (
    Check("name", "says its name and version", _names_itself),
    Check("commands", "lists its commands, including those that a match needs", _lists_commands),
    Check("framing", "writes replies in GTP's form", _frames),
    Check("order", "answers commands sent at once, in order", _keeps_order),
    Check("ids", "repeats the id of a command", _repeats_ids),
    Check("unknown", "refuses an unknown command and goes on", _refuses_unknown_commands),
    Check("comments", "skips comments, empty lines and carriage returns", _skips_comments),
    Check("stdout", "prints nothing on standard output but replies", _prints_replies_only),
)

BOARD: Final[Sequence[Check]] = (
    Check("illegal", "refuses illegal moves and keeps its position", _refuses_illegal_moves),
    Check("told passes", "accepts a forced pass", _accepts_passes),
    Check("implied passes", "accepts a move after a forced pass that was not sent", _implies_passes),
    Check("own passes", "passes where it has no move", _passes_itself),
    Check("undo", "takes a move back, and refuses if there is none", _undoes),
    Check("clock commands", "accepts a clock of each kind", _clock_commands),
    Check("analysis", "ends an analysis at the next line", _stops_analysing),
)

NATIVE: Final[Sequence[Check]] = (
    Check("stop", "answers isready during a search, and ends it at stop", _stops_at_stop),
)

"""PGN as arenas, Edax and PlayOK write it for Othello: tag pairs, then "1. f5 d6 2. c3 ..." and the result.

The result is from the view of Black, who moves first: 1-0 means that Black won. A pass is "pass" or "--". The FEN tag
holds a start other than the usual one. Comments in the form of chess arenas, "{+2.00/14 1.2s}", hold score and time;
"[%emt 0:00:12]" in a comment is the time of the move, "[%clk 0:04:56]" what is left on the clock.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError, parsed
from othello_bot.base.notation import PASS, Color, move_name, parse_integer, parse_move, seconds_of
from othello_bot.formats.found import ReadGame, TextFormat
from othello_bot.formats.obf import format_fen
from othello_bot.formats.record import (
    EndedBy,
    FileMove,
    GameRecord,
    MoveNote,
    dotted,
    joined,
    one_line,
    read_date,
    read_time,
)
from othello_bot.rules import Game, Position

_LINE_LENGTH: Final = 80
_TEXT: Final = re.compile(r"\S")
_TOKEN: Final = re.compile(
    r"""(?:
      \[\s*(?P<tag>\w{1,64})\s+"(?P<value>[^"\\]*(?:\\.[^"\\]*)*)"\s*\]
    | \{(?P<comment>[^}]*)\} | ;(?P<line>[^\n]*) | %[^\n]*
    | (?P<bracket>[()])
    | (?P<sign>\$\d{1,3})
    | (?P<result>1-0|0-1|1/2-1/2|\*|\d{1,2}-\d{1,2})(?=\s|\[|$)
    | (?P<number>\d{1,3}\s*\.+)
    | (?P<move>[a-h][1-8]|pass|pa|ps|--)(?P<mark>[!?+\#]{0,2})(?=[\s{;()]|$|\d{1,3}\.)
    )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_BETWEEN_GAMES: Final = re.compile(
    r'''(?:(?<=\n\n)|(?<=\n\r\n))[ \t]*\[[ \t]*\w+[ \t]+"|^[ \t]*\[[ \t]*Event[ \t]+"''', re.IGNORECASE | re.MULTILINE
)
_NUMBER: Final = r"\d{1,7}(?:\.\d{1,6})?"
_SCORE: Final = re.compile(rf"([+-]?{_NUMBER})?(?:/\d{{1,3}}%?)?")
_SECONDS: Final = re.compile(rf"({_NUMBER})s")
_TIMES: Final = re.compile(r"\[%(emt|clk)\s+(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:\.\d{1,6})?)\s*\]", re.IGNORECASE)
"""The time of a move, and what is left on the clock, as chess servers write them."""

_TIME_CONTROL: Final = re.compile(rf"({_NUMBER})(?:\+({_NUMBER}))?")
_WINNERS: Final = {"1-0": Color.BLACK, "0-1": Color.WHITE}
_DISCS: Final = re.compile(r"(\d{1,2})-(\d{1,2})", re.ASCII)
_VARIANTS: Final = re.compile(
    r"(?:othello|reversi|standard|normal|xot|from position)(?:[ (-]{0,3}8 ?x ?8\)?)?", re.IGNORECASE
)
"""Names of this game, and of its starts, in the tag Variant."""

_IGNORED_TAGS: Final = ("result", "setup", "plycount")
_TERMINATIONS: Final = {
    EndedBy.TIME: "time forfeit",
    EndedBy.RESIGNATION: "resignation",
    EndedBy.AGREEMENT: "agreement",
    EndedBy.LEFT: "abandoned",
}
_ENDINGS: Final = {
    "resign": EndedBy.RESIGNATION,
    "time": EndedBy.TIME,
    "agree": EndedBy.AGREEMENT,
    "abandon": EndedBy.LEFT,
    "disconn": EndedBy.LEFT,
}
"""The endings by words in the tag Termination."""

_TEXTS: Final = {
    "event": "event",
    "site": "place",
    "round": "round",
    "black": "black",
    "white": "white",
}


def _read_at(text: str, place: int, limit: int) -> ReadGame:
    """Return the game at offset `place`, None if there is none, and the offset behind it."""
    record: GameRecord | None = None
    line: list[FileMove] = []
    stated = "*"
    depth = opened = 0
    while (found := _TEXT.search(text, place, limit)) is not None:
        place = found.start()
        token = _TOKEN.match(text, place, limit)
        if token is None:
            expected = 'a tag like [Black "name"], a move like f5, or a result'
            raise FormatError("PGN", text[place : place + 16].strip(), expected, place)
        if token["tag"] and line:
            break
        place = token.end()
        if token["bracket"]:
            opened = opened if depth else token.start("bracket")
            depth += 1 if token["bracket"] == "(" else -1
            if depth < 0:
                raise FormatError("PGN", ")", "a ( before it", place)
            if record is not None:
                record.left_out.add("variations")
        elif depth:
            continue
        elif token["tag"]:
            record = record or GameRecord()
            value = one_line(re.sub(r"\\(.)", r"\1", token["value"], flags=re.DOTALL))
            if token["tag"].lower() == "result":
                stated = value
            _read_tag(record, token["tag"].lower(), value, token.start("value"))
        elif token["move"]:
            record = record or GameRecord()
            line.append(FileMove(parse_move(token["move"]), token.start("move")))
            record.left_out.update(["annotation signs"] if token["mark"] else [])
        elif token["result"] and record is not None:
            return _finished(record, line, token["result"], stated), place
        elif token["comment"] and _BETWEEN_GAMES.search(token["comment"]):
            raise FormatError("PGN comment", token["comment"][:16], "a } before the next game", token.start("comment"))
        elif (comment := token["comment"] or token["line"]) and record is not None:
            if line:
                line[-1] = _with_note(line[-1], comment)
            else:
                record.comment = joined(record.comment, comment)
        elif token["sign"] and record is not None:
            record.left_out.add("annotation signs")
    if depth:
        raise FormatError("PGN", text[opened : opened + 16], "a ) after it", opened)
    return None if record is None else _finished(record, line, "*", stated), place


FORMAT: Final = TextFormat("PGN", _TEXT, _read_at, _BETWEEN_GAMES)
"""The format for readers of any file: main lines only. A game begins with a tag after an empty line, or with Event."""


def _read_tag(record: GameRecord, name: str, value: str, place: int) -> None:
    """Store the information of a tag pair."""
    if not value.strip("?") or name in _IGNORED_TAGS:
        return
    if name in ("date", "utcdate"):
        if name == "date" or not record.date:
            record.tell_date(value)
    elif name in ("time", "utctime"):
        record.time_of_day = read_time(value if name == "time" else f"{value} UTC") or record.time_of_day
    elif name in _TEXTS:
        setattr(record, _TEXTS[name], value)
    elif name in ("blackelo", "whiteelo"):
        rating = re.match(r"\d{1,5}(?:\.\d{1,4})?", value)
        setattr(record, f"{name[:5]}_rating", float(rating[0]) if rating else None)
    elif name == "fen":
        record.game = Game(parsed(Position.parse, value, FormatError, "FEN", place=place))
    elif name == "variant" and not _VARIANTS.fullmatch(value):
        raise FormatError("variant", value, "Othello on 8x8", place)
    elif name == "timecontrol" and (clock := _TIME_CONTROL.fullmatch(value)):
        record.clock = TimeControl(float(clock[1]), float(clock[2] or 0))
    elif name == "termination":
        record.ending = next((_ENDINGS[word] for word in _ENDINGS if word in value.lower()), EndedBy.RULES)
    elif name != "variant":
        record.left_out.add("other tags")


def _finished(record: GameRecord, line: list[FileMove], text: str, tag: str) -> GameRecord:
    """Return the record with its moves, and the score that its result implies, from Black's view: that of a number of
    discs in the text or in the tag, else only the winner.

    The result of a finished game is ignored, because the board tells more.
    """
    record.add_line(line)
    if record.game.is_over:
        return record
    words = [word for word in (text, tag) if word != "*"]
    discs = [found for word in words if word not in _WINNERS and (found := _DISCS.fullmatch(word))]
    winner = next((_WINNERS[word] for word in words if word in _WINNERS), None)
    if discs:
        record.result = float(parse_integer(discs[0][1]) - parse_integer(discs[0][2]))
    elif "1/2-1/2" in words:
        record.result = 0.0
    elif winner is not None:
        record.tell_winner(winner)
    return record


def _with_note(move: FileMove, comment: str) -> FileMove:
    """Return a move with the score, the times and the words of a comment on it."""
    note = move.note or MoveNote()
    for found in _TIMES.finditer(comment):
        time_s = seconds_of(*found.groups()[1:])
        note = replace(note, seconds=time_s) if found[1].lower() == "emt" else replace(note, left_s=time_s)
    comment = _TIMES.sub(" ", comment)
    words = comment.split(maxsplit=3)
    if len(words) > 1 and words[-1] == "s":
        words[-2:] = [f"{words[-2]}s"]
    score = _SCORE.fullmatch(words[0]) if words and len(words) <= 2 else None
    seconds = _SECONDS.fullmatch(words[-1]) if words and len(words) <= (1 if score is None else 2) else None
    if len(words) == (score is not None) + (seconds is not None):
        note = replace(note, score=float(score[1]) if score and score[1] else note.score)
        return move._replace(note=replace(note, seconds=float(seconds[1]) if seconds else note.seconds))
    return move._replace(note=note).with_comment(comment)


def write_game(record: GameRecord) -> str:
    """Return a game as PGN: its tag pairs, an empty line, its moves in lines of at most 80 characters."""
    game = record.game
    date, time_of_day = read_date(record.date)
    time_of_day = record.time_of_day or time_of_day
    tags = [
        ("Event", record.event or "?"),
        ("Site", record.place or "?"),
        ("Date", dotted(date, "??") or "????.??.??"),
        ("Round", record.round or "?"),
        ("Black", record.black or "?"),
        ("White", record.white or "?"),
        ("Result", _result_text(record)),
        ("Variant", "Othello"),
    ]
    if time_of_day:
        tags.append(("Time", time_of_day.split(" ")[0]))
    if record.black_rating is not None:
        tags.append(("BlackElo", f"{record.black_rating:.10g}"))
    if record.white_rating is not None:
        tags.append(("WhiteElo", f"{record.white_rating:.10g}"))
    if record.clock is not None:
        tags.append(("TimeControl", f"{record.clock.main_s:.10g}+{record.clock.increment_s:.10g}"))
    if record.ending:
        tags.append(("Termination", _TERMINATIONS[record.ending]))
    if game.start != Position.start():
        tags.append(("FEN", format_fen(game.start)))
    words = [f"{{{_plain(record.comment)}}}"] if record.comment else []
    for ply, move in enumerate(game.moves):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        words.append("pass" if move == PASS else move_name(move))
        note = record.notes.get(ply)
        if note is not None:
            words += [f"{{{text}}}" for text in (_details(note), _plain(note.comment)) if text]
    words.append(_result_text(record))
    header = "\n".join(f'[{name} "{_escape(value)}"]' for name, value in tags)
    return f"{header}\n\n{_wrap(words)}\n"


def _details(note: MoveNote) -> str:
    """Return the score and the times of a move as they stand in a comment."""
    score = "" if note.score is None else f"{note.score:+.2f}"
    seconds = "" if note.seconds is None else f"{note.seconds:.3f}s"
    left = "" if note.left_s is None else f"[%clk {_clock(note.left_s)}]"
    return " ".join(filter(None, (score, seconds, left)))


def _clock(seconds: float) -> str:
    """Return a time as h:mm:ss, with thousandths only if it has any."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}" + (f".{thousandths:03}" if thousandths else "")


def _result_text(record: GameRecord) -> str:
    """Return the result as PGN writes it, from Black's view."""
    if record.known_winner is not None:
        return "1-0" if record.known_winner is Color.BLACK else "0-1"
    return "*" if record.known_result is None else "1/2-1/2"


def _wrap(words: list[str]) -> str:
    """Return the words joined into lines."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _LINE_LENGTH:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return "\n".join(lines)


def _plain(comment: str) -> str:
    """Return a comment without the brace that would end it; PGN cannot escape it."""
    return one_line(comment.replace("}", ")"))


def _escape(value: str) -> str:
    """Return a tag's value with the characters escaped that would end it."""
    return one_line(value).replace("\\", "\\\\").replace('"', '\\"')

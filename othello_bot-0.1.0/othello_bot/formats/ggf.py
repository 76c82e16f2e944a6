"""GGF, the Generic Game Format of the GGS server, which NBoard and most Othello engines speak.

A game is "(;GM[Othello]PB[A]PW[B]TI[05:00//02:00]TY[8]BO[8 64-cells *]B[F5/1.5/3.47]W[D6];)": tags with a value in
brackets. BO is the board before the first move and who moves, a move is "move/score/seconds", RE the result from the
view of Black. TY is the size of the board with letters around it: s for two games at once, b or w for a colour, k for
komi, r20 for a random start with 20 discs, a for reversed Othello. Facts: https://www.skatgame.net/mburo/ggsa/ggf .
"""

from __future__ import annotations

import re
from typing import Final

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError, parsed
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import LONGEST_GAME, Color, NotationError, parse_move, seconds_of
from othello_bot.formats.found import ReadGame, TextFormat, skip_space
from othello_bot.formats.record import (
    UNREADABLE,
    EndedBy,
    FileMove,
    GameRecord,
    MoveNote,
    dotted,
    is_day,
    one_line,
    read_date,
)
from othello_bot.protocol.nboard_values import annotated, read_detail, with_details
from othello_bot.rules import Game, Position

_MOST_TAGS: Final = 4 * LONGEST_GAME
"""Most tags in a game: its moves, and more headers and comments than any program writes."""

_TAG: Final = re.compile(r"([A-Za-z]{1,16})\s*\[([^\]]*)\]")
_GAME_BEGINS: Final = re.compile(r"\(;\s*GM\s*\[", re.IGNORECASE)
_TYPE: Final = re.compile(r"(s?)(\d{1,3})((?:[abkw]|r\d{0,3})*)", re.IGNORECASE)
_USUAL_TYPES: Final = ("", "?", "othello", "reversi")
_LONGEST_CLOCK: Final = 64
"""Most characters in a time control."""

_CLOCK_PART: Final = re.compile(r"(?:(\d{1,4}):)??(?:(\d{1,4}):)?(\d{1,6}(?:\.\d{1,6})?)(?:,.*)?\s*")
_UNKNOWN: Final = ("", "?", "nan")
"""What programs write for a number that they do not know."""

_ENDINGS: Final = {"r": EndedBy.RESIGNATION, "t": EndedBy.TIME, "s": EndedBy.AGREEMENT, "l": EndedBy.LEFT}
_ENDING_LETTERS: Final = {ending: letter for letter, ending in _ENDINGS.items()}
_TEXT_TAGS: Final = {
    "PB": "black",
    "PW": "white",
    "PC": "place",
    "EV": "event",
    "RO": "round",
    "CO": "comment",
}
_RATING_TAGS: Final = {"RB": "black_rating", "RW": "white_rating"}
_CLOCK_TAGS: Final = {"TI": "clock", "TB": "black_clock", "TW": "white_clock"}
_READ_CLOCK_TAGS: Final = {**_CLOCK_TAGS, "BT": "black_clock", "WT": "white_clock"}
"""The server of NBoard writes BT and WT."""


def _read_at(text: str, start: int, limit: int) -> ReadGame:
    """Return the game that begins at offset `start`, and the offset behind it."""
    tags: list[tuple[str, str, int]] = []
    behind = start + 2
    while (tag := _TAG.match(text, place := skip_space(text, behind, limit), limit)) is not None:
        if len(tags) == _MOST_TAGS:
            raise FormatError("GGF tag", tag[1], f"at most {_MOST_TAGS} tags in a game", place)
        if _GAME_BEGINS.search(tag[2]):
            raise FormatError("GGF tag", tag[2][:16], "a ] before the next game", place)
        tags.append((tag[1].upper(), tag[2].strip(), tag.start(2)))
        behind = tag.end()
    end = skip_space(text, place + 1, limit) if text.startswith(";", place) else place
    if end >= limit or text[end] != ")":
        found = text[behind : behind + 16]
        raise FormatError("GGF", found, "a tag like B[F5], or ;) at the end of the game", behind)
    try:
        return _record(tags), end + 1
    except FormatError as error:
        return error, end + 1


FORMAT: Final = TextFormat("GGF", re.compile(r"\(;"), _read_at, _GAME_BEGINS)
"""The format for readers of any file; the server writes GM as the first tag. Text between games is ignored."""


def _record(tags: list[tuple[str, str, int]]) -> GameRecord:
    """Return the game of these tags: name, value, offset of the value."""
    record = GameRecord(Game(_start(tags)))
    line: list[FileMove] = []
    for name, value, at in tags:
        if name in ("B", "W"):
            move, note = parse_annotated_move(value, at)
            line.append(FileMove(move, at, Color.BLACK if name == "B" else Color.WHITE, note))
            told = [detail for detail in value.split("/")[1:3] if detail.strip().lower() not in _UNKNOWN]
            if len(told) > (note.score is not None) + (note.seconds is not None):
                record.left_out.add(UNREADABLE)
        elif name == "CO" and line:
            line[-1] = line[-1].with_comment(value)
        elif name in _TEXT_TAGS:
            text = one_line(value)
            setattr(record, _TEXT_TAGS[name], "" if text == "?" else text)
        elif name == "DT":
            record.tell_date(value)
        elif name in _RATING_TAGS:
            rating = read_detail(value)
            setattr(record, _RATING_TAGS[name], rating)
            record.left_out.update([UNREADABLE] if rating is None and value.lower() not in _UNKNOWN else [])
        elif name in _READ_CLOCK_TAGS and value:
            try:
                setattr(record, _READ_CLOCK_TAGS[name], parse_clock(value, at))
            except FormatError:
                record.left_out.add(UNREADABLE)
        elif name == "RE":
            _take_result(record, value)
        elif name == "GM" and value.lower() not in ("othello", "reversi"):
            raise FormatError("game", value, "Othello", at)
        elif name in ("KB", "KW", "KM"):
            record.left_out.add("komi")
        elif name not in ("GM", "TY", "BO", *_READ_CLOCK_TAGS):
            record.left_out.add("other tags")
    record.add_line(line)
    return record


def _check_type(value: str, place: int) -> None:
    """Raise FormatError if the tag TY names another game than Othello on 8x8."""
    found = _TYPE.fullmatch(value)
    if found is not None and found[2] == "8" and "a" not in found[3].lower():
        return
    if found is None and value.lower() in _USUAL_TYPES:
        return
    if found is not None and found[2] != "8":
        raise FormatError("board size", found[2], "8", place)
    if found is not None:
        raise FormatError("game type", value, "Othello; a stands for reversed Othello, where fewer discs win", place)
    raise FormatError("game type", value, "Othello on 8x8, such as 8, s8r18 or 8k", place)


def _start(tags: list[tuple[str, str, int]]) -> Position:
    """Return the position of the BO tag; the usual start without one. Raise FormatError for another kind of game."""
    for name, value, at in tags:
        if name == "TY":
            _check_type(value, at)
    for name, value, at in tags:
        if name == "BO":
            cells = value.lstrip("0123456789")
            size, cells = value[: len(value) - len(cells)], cells.strip()
            if size != "8":
                raise FormatError("board size", size or value, "8", at)
            return parsed(Position.parse, cells, FormatError, "board", place=at)
    return Position.start()


def parse_annotated_move(text: str, place: int = 0) -> tuple[int, MoveNote]:
    """Return the move and the note of "F5", "F5/1.25", "F5//3.2" or "F5/1.25/3.2" (score in discs, then seconds).

    A score or a time that is not a number, and a negative time, is unknown. Raise FormatError for another move, with
    `place`, the offset of the text.
    """
    name, *details = text.split("/", 3)
    try:
        move = parse_move(name)
    except NotationError as error:
        raise FormatError("move", name, error.expected, place) from error
    played = with_details(move, details)
    return move, MoveNote(played.score, played.time_s)


def format_annotated_move(move: int, note: MoveNote | None = None) -> str:
    """Return a move as GGF writes it: "F5", "PA", "F5/1.25", "F5//3.200" or "F5/1.25/3.200"."""
    note = note or MoveNote()
    return annotated(EvaluatedMove(move, note.score, time_s=note.seconds), 3)


def parse_clock(text: str, place: int = 0) -> TimeControl:
    """Return the time control of "base/increment/grace", each [hh:]mm:ss; all but the base may be empty.

    Raise FormatError for any other text, with `place`, the offset of the text.
    """
    seconds: list[float] = []
    if len(text) > _LONGEST_CLOCK:
        raise FormatError("clock", text, f"at most {_LONGEST_CLOCK} characters", place)
    for part in [*text.split("/", 3), "", ""][:3]:
        match = _CLOCK_PART.fullmatch(part.strip()) if part.strip() else None
        if match is None and (part.strip() or not seconds):
            raise FormatError("clock", text, "base/increment/grace like 05:00//02:00", place)
        seconds.append(seconds_of(*match.groups()) if match else 0.0)
    main_s, increment_s, grace_s = seconds
    return TimeControl(main_s, increment_s, grace_s=grace_s)


def format_clock(clock: TimeControl) -> str:
    """Return a time control as GGF writes it, like 05:00//02:00, in seconds or, if necessary, in milliseconds."""
    parts = [_minutes(seconds) if seconds else "" for seconds in (clock.increment_s, clock.grace_s)]
    return "/".join([_minutes(clock.main_s), *parts]).rstrip("/")


def _minutes(seconds: float) -> str:
    """Return a time as mm:ss or hh:mm:ss, with milliseconds only if it has any."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{f'{hours:02}:' if hours else ''}{minutes:02}:{rest:02}{f'.{thousandths:03}' if thousandths else ''}"


def _take_result(record: GameRecord, text: str) -> None:
    """Take the score and the ending of a result like "+12.00", "-3:t" or "?"."""
    score, _, letter = text.partition(":")
    record.result = read_detail(score)
    record.ending = _ENDINGS.get(letter.strip().lower(), EndedBy.RULES)
    if (record.result is None and score.strip().lower() not in _UNKNOWN) or (letter.strip() and not record.ending):
        record.left_out.add(UNREADABLE)


def write_game(record: GameRecord) -> str:
    """Return a game as one line of GGF."""
    game = record.game
    cells, side = game.start.to_string().replace("X", "*").split(" ")
    board = " ".join(cells[8 * rank : 8 * rank + 8] for rank in range(8))
    result = record.known_result
    ending = _ENDING_LETTERS.get(record.ending, "")
    tags = [
        ("GM", "Othello"),
        ("PC", record.place or "?"),
        ("DT", _date(record) or "?"),
        ("EV", record.event),
        ("RO", record.round),
        ("PB", record.black or "?"),
        ("PW", record.white or "?"),
        ("RB", "" if record.black_rating is None else f"{record.black_rating:.10g}"),
        ("RW", "" if record.white_rating is None else f"{record.white_rating:.10g}"),
        *((tag, format_clock(clock)) for tag, name in _CLOCK_TAGS.items() if (clock := getattr(record, name))),
        ("CO", record.comment),
        ("TY", "8"),
        ("RE", "?" if result is None else f"{result:+.2f}{':' + ending if ending else ''}"),
        ("BO", f"8 {board} {side}"),
    ]
    text = "".join(f"{name}[{_clean(value)}]" for name, value in tags if value)
    for ply, move in enumerate(game.moves):
        note = record.notes.get(ply)
        text += f"{game.color_at(ply).letter.upper()}[{format_annotated_move(move, note)}]"
        text += f"CO[{_clean(note.comment)}]" if note is not None and note.comment else ""
    return f"(;{text};)"


def _date(record: GameRecord) -> str:
    """Return the date as GGS writes it, like 2003.12.15_12:33:18.MST; without the time of day if it is unknown."""
    date, time_of_day = read_date(record.date)
    time_of_day = record.time_of_day or time_of_day
    return dotted(date) + (f"_{time_of_day.replace(' ', '.')}" if is_day(date) and time_of_day else "")


def _clean(value: str) -> str:
    """Return a value without the characters that would end it; GGF cannot escape them."""
    return one_line(value.replace("[", "(").replace("]", ")"))

"""SGF, the Smart Game Format (FF[4]), as Othello programs write it.

Edax and others name squares as players do ("f5"), GoGui as in Go ("fd": file and row letters). Both are read, and
either can be written. The Go form does not define whether row a is rank 8 (GoGui, whose board has rank 1 at the bottom)
or rank 1. Both are tried in this order: from the usual start, only one of them makes a legal game. Facts:
https://www.red-bean.com/sgf/ .
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import Final

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError
from othello_bot.base.notation import PASS, PASS_WORDS, Color, parse_square, square_name
from othello_bot.formats.found import ReadGame, TextFormat
from othello_bot.formats.record import (
    UNREADABLE,
    EndedBy,
    FileMove,
    GameRecord,
    MoveNote,
    joined,
    one_line,
    read_date,
)
from othello_bot.rules import Game, Position, squares_of

_MOST_PROPERTIES: Final = 5000
"""Most properties in a game; an annotated game has a few hundred."""

_MOVE_PASS: Final = PASS_WORDS | {"", "tt"}
_FROM_BOTTOM: Final = "hgfedcba"
_FROM_TOP: Final = "abcdefgh"
"""The row letters of ranks 1 to 8 if row a is the last rank, and if it is the first."""

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<mark>[();])|(?P<name>[A-Za-z]{1,32})\s*(?=\[)|(?P<value>\[[^\]\\]*(?:\\.[^\]\\]*)*\]))", re.DOTALL
)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_ROOT: Final = re.compile(r"\(\s*;\s*(?:FF|GM|CA|AP|SZ|PB|PW|EV|DT)\s*\[")
_FREE_TEXTS: Final = ("C", "GC")
_SQUARE: Final = re.compile(r"[a-h][1-8]", re.IGNORECASE)
_LETTERS: Final = re.compile(r"[a-h][a-h]", re.IGNORECASE)
_RESULT: Final = re.compile(r"([BW])\+(\d{1,2}(?:\.\d{1,4})?|)([RTF]?)(?:esign|ime|orfeit)?", re.IGNORECASE)
_UNKNOWN: Final = ("", "?", "void")
_FISCHER: Final = re.compile(r"(\d{1,5}(?:\.\d{1,3})?)\s*(?:s\s*)?fischer", re.IGNORECASE)
"""The form in which programs write an increment in the property OT, which is free text."""
_ENDINGS: Final = {"R": EndedBy.RESIGNATION, "T": EndedBy.TIME, "F": EndedBy.LEFT}
_TIMES_LEFT: Final = ("BL", "WL")
_IGNORED: Final = frozenset(("FF", "CA", "AP", "ST", "US", "SO", "PL", "GM", "SZ", "AB", "AW", "AE", "MN", "KM", "HA"))
"""Properties that say nothing about a game, or what is read in another way."""

_TEXTS: Final = {
    "PB": "black",
    "PW": "white",
    "PC": "place",
    "EV": "event",
    "RO": "round",
    "GC": "comment",
}


@dataclass(frozen=True, slots=True)
class _Property:
    """A property of a node with its values, and the offset of the first value."""

    name: str
    values: list[str]
    place: int


def _main_line(text: str, place: int, limit: int) -> tuple[list[_Property], bool, int]:
    """Return the properties on the main line of the game tree at offset `place`, whether it has other lines, and the
    offset behind the tree.

    The tree ends before offset `limit`.
    """
    branches = False
    properties: list[_Property] = []
    depth, in_main_line, name = 0, True, ""
    while True:
        token = _TOKEN.match(text, place, limit)
        if token is None:
            raise FormatError("SGF", text[place : place + 16], "a property like B[f5], or ; ( or )", place)
        place = token.end()
        if token["mark"]:
            name = ""
            depth += {"(": 1, ")": -1, ";": 0}[token["mark"]]
            # The main line follows each tree's first subtree, so it ends where the first tree ends.
            in_main_line = in_main_line and token["mark"] != ")"
            branches = branches or not (in_main_line or token["mark"] == ")")
            if depth == 0:
                return properties, branches, place
        elif token["name"]:
            # Before FF[4], names could contain lower-case letters without meaning: "White" is W.
            name = token["name"] if token["name"].isupper() else "".join(filter(str.isupper, token["name"]))
            if in_main_line:
                properties.append(_Property(name, [], token.end() + 1))
            if len(properties) > _MOST_PROPERTIES:
                most = f"at most {_MOST_PROPERTIES} properties"
                raise FormatError("SGF property", token["name"], most, token.start("name"))
        elif not name:
            raise FormatError("SGF value", token["value"], "a property name before it", token.start("value"))
        elif name not in _FREE_TEXTS and "(" in token["value"] and _ROOT.search(token["value"]):
            raise FormatError("SGF value", token["value"][:16], "a ] before the next game", token.start("value"))
        elif in_main_line:
            value = token["value"][1:-1]
            value = _ESCAPED.sub(r"\1", value) if "\\" in value else value
            properties[-1].values.append(value.strip())


_TREE: Final = re.compile(r"\((?!\s*\))")
"""A game tree that is not empty."""


def _read_at(text: str, place: int, limit: int) -> ReadGame:
    """Return the game at offset `place`, and the offset behind it."""
    properties, branches, end = _main_line(text, place, limit)
    try:
        record = _game(properties)
        record.left_out.update(["variations"] if branches else [])
        return record, end
    except FormatError as error:
        return error, end


FORMAT: Final = TextFormat("SGF", _TREE, _read_at, _ROOT)
"""The format for readers of any file: main lines only. Its games begin with a property that belongs to a root."""


def _game(properties: list[_Property]) -> GameRecord:
    """Return the game of these properties, in the row order in which it is legal.

    If the set-up stones are those of the usual start in only one order, try that order first.
    """
    orders = [(rows, _start(properties, rows)) for rows in (_FROM_BOTTOM, _FROM_TOP)]
    if orders[0][1] != Position.start() == orders[1][1]:
        orders.reverse()
    try:
        return _game_with_rows(properties, *orders[0])
    except FormatError:
        points = (value for prop in properties if prop.name in ("B", "W") for value in prop.values)
        if not any(_LETTERS.fullmatch(point) for point in points):
            raise
        try:
            return _game_with_rows(properties, *orders[1])
        except FormatError:
            pass
        raise


def _game_with_rows(properties: list[_Property], rows: str, start: Position) -> GameRecord:
    """Return the game of these properties from a position on, with `rows` as the row letters of ranks 1 to 8."""
    record = GameRecord(Game(start))
    line: list[FileMove] = []
    comments: list[str] = []
    begun = False
    for prop in properties:
        value = prop.values[0] if prop.values else ""
        if prop.name in ("B", "W"):
            move = PASS if value.lower() in _MOVE_PASS else _square(value, rows, prop.place)
            line.append(FileMove(move, prop.place, Color.BLACK if prop.name == "B" else Color.WHITE))
            begun = True
        elif prop.name in ("AB", "AW", "AE") and begun:
            raise FormatError("set-up after a move", prop.name, "set-up stones before the first move only", prop.place)
        elif prop.name == "PL" and begun:
            # GoGui writes the side to move after each move.
            record.add_line(line)
            line.clear()
            on_turn = record.game.position.color
            if _color(value) != on_turn and not record.game.is_over:
                raise FormatError("player to move", value, f"{on_turn.letter.upper()}, who is on turn", prop.place)
        elif prop.name == "GM" and value not in ("1", "2"):
            raise FormatError("game", value, "2 (Othello), or 1 as GoGui writes", prop.place)
        elif prop.name == "SZ" and value not in ("8", "8:8"):
            raise FormatError("board size", value, "8", prop.place)
        elif prop.name in _TEXTS:
            setattr(record, _TEXTS[prop.name], one_line(value))
        elif prop.name == "DT":
            record.tell_date(value)
        elif prop.name == "C" and line:
            line[-1] = line[-1].with_comment(value)
        elif prop.name == "C":
            comments.append(value)
        elif prop.name in _TIMES_LEFT and line and (left := _rating(value)) is not None:
            line[-1] = line[-1]._replace(note=replace(line[-1].note or MoveNote(), left_s=left))
        elif prop.name == "BR":
            record.black_rating = _rating(value)
        elif prop.name == "WR":
            record.white_rating = _rating(value)
        elif prop.name == "TM" and (seconds := _rating(value)) is not None:
            record.clock = TimeControl(seconds, 0.0 if record.clock is None else record.clock.increment_s)
        elif prop.name == "OT" and (fischer := _FISCHER.fullmatch(value)):
            record.clock = TimeControl(0.0 if record.clock is None else record.clock.main_s, float(fischer[1]))
        elif prop.name == "RE":
            _take_result(record, value)
        elif prop.name not in _IGNORED:
            record.left_out.add("other properties")
    record.add_line(line)
    for comment in comments:
        record.comment = joined(record.comment, comment)
    return record


def _start(properties: list[_Property], rows: str) -> Position:
    """Return the position of the set-up stones before the first move; the usual start without any."""
    if not properties:
        return Position.start()
    stones = {"AB": 0, "AW": 0}
    color = Color.BLACK
    for prop in itertools.takewhile(lambda prop: prop.name not in ("B", "W"), properties):
        if prop.name in stones:
            for value in prop.values:
                stones[prop.name] |= _points(value, rows, prop.place)
        elif prop.name == "PL":
            color = _color(prop.values[0] if prop.values else "")
    if not any(stones.values()):
        start = Position.start()
        return Position.from_colors(start.black, start.white, color)
    if stones["AB"] & stones["AW"]:
        square = next(squares_of(stones["AB"] & stones["AW"]))
        raise FormatError("set-up stones", square_name(square), "one colour on a square", properties[0].place)
    return Position.from_colors(stones["AB"], stones["AW"], color)


def _color(value: str) -> Color:
    """Return the colour that PL names; Black for any other text."""
    return Color.WHITE if value[:1].upper() in ("W", "2") else Color.BLACK


def _points(value: str, rows: str, place: int) -> int:
    """Return the bitboard of a point, or of the rectangle between two corners written "a1:b2"."""
    corners = [_square(corner, rows, place) for corner in value.split(":", 1)]
    first, last = min(corners), max(corners)
    files = sorted(corner & 7 for corner in corners)
    row = sum(1 << file for file in range(files[0], files[-1] + 1))
    return sum(row << 8 * rank for rank in range(first >> 3, (last >> 3) + 1))


def _square(value: str, rows: str, place: int) -> int:
    """Return the square that a point names in either form."""
    if _SQUARE.fullmatch(value):
        return parse_square(value)
    if _LETTERS.fullmatch(value):
        return 8 * rows.index(value[1].lower()) + "abcdefgh".index(value[0].lower())
    raise FormatError("point", value, "a square like f5, or two letters from a to h", place)


def _rating(value: str) -> float | None:
    """Return the number at the beginning of a rating or a time; None for words."""
    number = re.match(r"\d{1,7}(?:\.\d{1,6})?", value)
    return float(number[0]) if number else None


def _take_result(record: GameRecord, value: str) -> None:
    """Take the score and the ending of "B+12", "W+R", "0" or "Draw"; any other text is an unknown result."""
    match = _RESULT.fullmatch(value)
    if value.lower() in ("0", "draw"):
        record.result = 0.0
    elif match is not None:
        winner = Color.BLACK if match[1].upper() == "B" else Color.WHITE
        record.ending = _ENDINGS.get(match[3].upper(), EndedBy.RULES)
        if match[2]:
            record.result = float(match[2]) if winner is Color.BLACK else -float(match[2])
        else:
            record.tell_winner(winner)
    elif value.lower() not in _UNKNOWN:
        record.left_out.add(UNREADABLE)


def write_game(record: GameRecord, *, go_points: bool = False) -> str:
    """Return a game as one line of SGF, its squares named like f5, or with `go_points` as GoGui does, like fd."""
    start = record.game.start
    header = [("PC", record.place), ("DT", read_date(record.date)[0]), ("EV", record.event), ("RO", record.round)]
    header += [("PB", record.black), ("PW", record.white), ("GC", record.comment)]
    header += [("BR", "" if record.black_rating is None else f"{record.black_rating:.10g}")]
    header += [("WR", "" if record.white_rating is None else f"{record.white_rating:.10g}")]
    header += [("TM", "" if record.clock is None else f"{record.clock.main_s:.10g}")]
    header += [("OT", f"{record.clock.increment_s:.10g} fischer" if record.clock and record.clock.increment_s else "")]
    header += [("RE", _result_text(record))]
    text = "FF[4]GM[2]AP[othello-bot]SZ[8]" + "".join(f"{name}[{_escape(value)}]" for name, value in header if value)
    for name, stones in (("AB", start.black), ("AW", start.white)):
        if stones:
            text += name + "".join(f"[{_point(square, go_points)}]" for square in squares_of(stones))
    text += f"PL[{start.color.letter.upper()}]"
    sides = [record.game.color_at(ply).letter.upper() for ply in (0, 1)]
    for ply, move in enumerate(record.game.moves):
        text += f";{sides[ply % 2]}[{_point(move, go_points)}]"
        note = record.notes.get(ply)
        if note is not None and note.left_s is not None:
            text += f"{sides[ply % 2]}L[{note.left_s:.3f}]"
        if note is not None and note.comment:
            text += f"C[{_escape(note.comment)}]"
    return f"(;{text})"


def _result_text(record: GameRecord) -> str:
    """Return the result as SGF writes it; an empty text if it is unknown."""
    result, winner = record.known_result, record.known_winner
    if winner is None:
        return "" if result is None else "0"
    letter = {ending: letter for letter, ending in _ENDINGS.items()}.get(record.ending)
    return f"{winner.letter.upper()}+{letter or ('' if result is None else f'{abs(result):.10g}')}"


def _point(move: int, go_points: bool) -> str:
    """Return a move as a point in the chosen form."""
    if move == PASS:
        return "" if go_points else "PA"
    name = square_name(move)
    return name[0] + _FROM_BOTTOM[move >> 3] if go_points else name


def _escape(value: str) -> str:
    """Return a text with the characters escaped that would end it."""
    return one_line(value).replace("\\", "\\\\").replace("]", "\\]")

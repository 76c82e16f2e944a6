"""XOF, the XML of Othello games that Cassio writes; it is read, not written.

A game is <game> with <event date="1999" name="Open" />, <result winner="black" type="normal">40-24</result>, Black's
discs first, <player color="black" name="A" /> for each colour, and <moves game="othello-8x8" type="flat">f5d6</moves>.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final

from othello_bot.base.errors import FormatError, parsed
from othello_bot.base.notation import Color, parse_integer, parse_transcript
from othello_bot.formats.found import ReadGame, TextFormat
from othello_bot.formats.record import UNREADABLE, EndedBy, FileMove, GameRecord, joined, one_line
from othello_bot.protocol.nboard_values import read_detail

BEGINNING: Final = re.compile(
    r"\s*<(?:\?xml|!doctype(?!\s+html)|xof|database|game)\b(?=[\s\S]{0,8000}?(?:\bxof\b|<game-collection|<moves\b))",
    re.IGNORECASE,
)
"""The beginning of a text in XOF: XML that soon names the format, or holds a collection of games or moves."""

_GAME: Final = re.compile(r"<game(?=[\s>])", re.IGNORECASE)
_TAG: Final = re.compile(r"<(/?)([A-Za-z][\w:.-]*)([^<>]*)>")
_ATTRIBUTE: Final = re.compile(r"""(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_LONGEST_TAG: Final = 4096
_LONGEST_MOVES: Final = 1024
_THIS_GAME: Final = re.compile(r"(?:othello|reversi)?(?:-?8x8)?", re.IGNORECASE)
_DISCS: Final = re.compile(r"(\d{1,2})\s?-\s?(\d{1,2})", re.ASCII)
_WINNERS: Final = {"black": Color.BLACK, "white": Color.WHITE}
_ENDINGS: Final = {
    "resign": EndedBy.RESIGNATION,
    "time": EndedBy.TIME,
    "agree": EndedBy.AGREEMENT,
    "left": EndedBy.LEFT,
    "forfeit": EndedBy.LEFT,
}
"""The endings by words in the type of a result."""


def _read_at(text: str, start: int, limit: int) -> ReadGame:
    """Return the game that begins at offset `start`, and the offset behind it."""
    record = GameRecord()
    moves: list[FileMove] = []
    broken: FormatError | None = None
    for tag in _tags(text, start, limit):
        name = tag[2].lower()
        if name == "game" and tag[1]:
            return broken or _finished(record, moves), tag.end()
        if name == "game" and tag.start() != start:
            raise FormatError("XOF", text[tag.start() : tag.start() + 16], "a </game> before it", tag.start())
        if tag[1] or name == "game":
            continue
        end = text.find("<", tag.end(), limit)
        content = "" if tag[3].endswith("/") else html.unescape(text[tag.end() : end if end >= 0 else limit])
        told = {found[1].lower(): one_line(html.unescape(found[2] or found[3] or "")) for found in _attributes(tag)}
        try:
            if name == "moves":
                moves = _moves(told.get("game", ""), content, tag.end())
            else:
                _take(record, name, told, content)
        except FormatError as error:
            broken = broken or error
    raise FormatError("XOF", text[start : start + 16], "a </game> at its end", start)


FORMAT: Final = TextFormat("XOF", _GAME, _read_at, _GAME)
"""The format for readers of any file."""


def _tags(text: str, place: int, limit: int) -> Iterator[re.Match[str]]:
    """Yield the tags from an offset on; raise FormatError at one that does not end. Comments are skipped."""
    while (place := text.find("<", place, limit)) >= 0:
        if text.startswith(("<!", "<?"), place):
            end = text.find("-->" if text.startswith("<!--", place) else ">", place, limit)
            if end < 0:
                raise FormatError("XOF", text[place : place + 16], "a > at its end", place)
            place = end + 1
            continue
        tag = _TAG.match(text, place, limit)
        if tag is None or len(tag[0]) > _LONGEST_TAG:
            raise FormatError("XOF", text[place : place + 16], 'a tag like <player color="black" name="A"/>', place)
        yield tag
        place = tag.end()


def _attributes(tag: re.Match[str]) -> Iterator[re.Match[str]]:
    return _ATTRIBUTE.finditer(tag[3])


def _moves(game: str, content: str, place: int) -> list[FileMove]:
    """Return the moves of a game; raise FormatError for another game than Othello on 8x8, or for anything but moves."""
    if not _THIS_GAME.fullmatch(game):
        raise FormatError("game", game, "othello-8x8", place)
    if len(content) > _LONGEST_MOVES:
        raise FormatError("moves", content, f"at most {_LONGEST_MOVES} characters", place)
    moves = parsed(parse_transcript, content, FormatError, "moves", place=place)
    return [FileMove(move, place) for move in moves]


def _take(record: GameRecord, name: str, told: dict[str, str], content: str) -> None:
    """Take what an element tells about the game."""
    color = told.pop("color", "").lower()
    if name == "event":
        record.event = told.pop("name", record.event)
        record.round = told.pop("round", record.round)
        record.place = told.pop("place", "") or told.pop("site", record.place)
        record.tell_date(told.pop("date", record.date))
    elif name == "player" and color in _WINNERS:
        setattr(record, color, told.pop("name", ""))
        rating = told.pop("rating", "")
        setattr(record, f"{color}_rating", read_detail(rating))
        record.left_out.update([UNREADABLE] if rating and read_detail(rating) is None else [])
    elif name == "result":
        kind = told.pop("type", "").lower()
        record.ending = next((_ENDINGS[word] for word in _ENDINGS if word in kind), EndedBy.RULES)
        discs = _DISCS.fullmatch(content.strip())
        winner = _WINNERS.get(told.pop("winner", "").lower())
        if discs is not None:
            record.result = float(parse_integer(discs[1]) - parse_integer(discs[2]))
        elif winner is not None:
            record.tell_winner(winner)
    elif name == "comment":
        record.comment = joined(record.comment, content)
    else:
        record.left_out.add("other elements")
    if told:
        record.left_out.add("other attributes")


def _finished(record: GameRecord, moves: list[FileMove]) -> GameRecord | FormatError:
    """Return the record with its moves; the result of a finished game is ignored, because the board tells more."""
    try:
        record.add_line(moves)
    except FormatError as error:
        return error
    if record.game.is_over:
        record.result = record.winner = None
    return record

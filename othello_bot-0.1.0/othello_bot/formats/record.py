"""GameRecord: a game with the information that a file holds about it; every game format reads and writes it.

GGS writes dates as 2003.12.15_12:33:18.MST, 2000-4-16 11:13 EST, or seconds since 1970. A record keeps a date as ISO
8601 has it, 2003-12-15, possibly only 2003-12 or 2003, and apart from it the time of day with its zone, 12:33:18 MST.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.notation import PASS, Color, NotationError, move_name, parse_integer
from othello_bot.base.visible import visible
from othello_bot.game import EndedBy as EndedBy
from othello_bot.game import MoveNote as MoveNote
from othello_bot.rules import Game, IllegalMove

_LONGEST: Final = 64
"""Most characters of a date; a longer text is not a date."""

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FIRST_YEAR: Final = 1800
_LAST_YEAR: Final = 2999
_PIVOT: Final = 70
"""Years of two digits from this one on belong to the 20th century, as POSIX reads them."""

_EPOCH_S: Final = range(100_000_000, 32_503_680_000)
"""Numbers that are seconds since 1970, not a date in digits; a thousand times as many are milliseconds."""

_NUMBERS: Final = re.compile(r"(\d{1,4})([-./])(\d{1,2}|\?\?)(?:\2(\d{1,4}|\?\?))?(?:[T_ ,.]+|$)", re.ASCII)
_HALVES: Final = {
    **dict.fromkeys(("am", "a.m.", "午前", "上午", "오전"), 0),
    **dict.fromkeys(("pm", "p.m.", "午後", "下午", "오후"), 12),
}
"""The hours to add to those of a clock with twelve of them."""

_HALF_OF_DAY: Final = "|".join(map(re.escape, _HALVES))
_TIME: Final = re.compile(
    rf"(?:({_HALF_OF_DAY}) ?)?(\d{{1,2}}):(\d\d)(?::(\d\d)(?:[.,]\d{{1,9}})?)?(?:[ _]?({_HALF_OF_DAY})(?![a-z]))?"
    r"(?:[ ._]?([A-Za-z]{1,5}|(?:(?:UTC|GMT)(?=[+-]))?[+-]\d\d:?\d\d))?[ .]?",
    re.ASCII | re.IGNORECASE,
)
_EASTERN_DATE: Final = re.compile(
    r"(?:(明治|大正|昭和|平成|令和) ?)?(\d{1,4}|元) ?[年년] ?(?:(\d{1,2}) ?[月월] ?(?:(\d{1,2}) ?[日일])?)?"
    r"(?: ?(?:[日月火水木金土]曜日?|[일월화수목금토]요일|(?:星期|周|週).))?[ ,、]*"
)
_EASTERN_TIME: Final = re.compile(r"(\d{1,2}) ?[時时点시] ?(?:(\d{1,2}) ?[分분] ?(?:(\d{1,2}) ?[秒초] ?)?)?")
_ASIDE: Final = re.compile(r" ?\([^()]{0,40}\)")
"""The day of the week or the name of a time zone in brackets."""

_MONTH_BETWEEN: Final = re.compile(r"(\d{1,2})-([A-Za-z]{3,9})-(\d{4})")
_DOT_SPACE: Final = re.compile(r"(?<=\d)\. (?=\d{1,2}\.)")
_ERAS: Final = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, None: 0}
"""The year before the first one of each Japanese era."""

_KEPT: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?", re.ASCII)


def read_date(text: str) -> tuple[str, str]:
    """Return the date of a text, and the time of day, empty if it tells none.

    Both are empty for an unknown date such as ????.??.??; a text that is no date, or an impossible one, comes back as
    it is. An impossible time of day is left out.
    """
    text = text.strip()
    if not text.strip("?.-/ 0"):
        return "", ""
    if len(text) > _LONGEST:
        return text, ""
    given, text = text, _ASIDE.sub(" ", _usual_digits(text))
    text = _DOT_SPACE.sub(".", _MONTH_BETWEEN.sub(r"\1 \2 \3", text)).strip()
    if text.isascii() and text.isdigit():
        return _of_digits(text)
    numbers = _NUMBERS.match(text)
    found = _of_words(text) if numbers is None else _of_numbers(numbers, text[numbers.end() :])
    return (given, "") if found is None else found


def _usual_digits(text: str) -> str:
    """Return a date of Japan, China or Korea in digits and signs; any other text as it is."""
    if text.isascii():
        return text
    usual = _ASIDE.sub("", unicodedata.normalize("NFKC", text))
    if (found := _EASTERN_DATE.match(usual)) is None:
        return usual if _NUMBERS.match(usual) is not None else text
    era, year, *rest = found.groups()
    date = "-".join((f"{_ERAS[era] + int(year.replace('元', '1')):04}", *filter(None, rest)))
    time_of_day = _EASTERN_TIME.sub(
        lambda told: ":".join(f"{part or 0:>02}" for part in told.groups()), usual[found.end() :]
    )
    return f"{date} {time_of_day}".strip()


def read_time(text: str) -> str:
    """Return the time of day as a record keeps it, such as 12:33:18 MST; empty for a text that is not a time."""
    found = _TIME.fullmatch(text.strip()[:_LONGEST])
    if found is None:
        return ""
    hour, minute, second = (int(found[index] or 0) for index in (2, 3, 4))
    half = found[1] or found[5]
    if half is not None:
        hour = hour % 12 + _HALVES[half.lower()] if hour <= 12 else hour
    if hour > 23 or minute > 59 or second > 60:
        return ""
    zone = {"Z": "UTC", "GMT": "UTC"}.get((found[6] or "").upper(), found[6] or "")
    zone = zone if zone[3:4] not in ("+", "-") else zone[3:]
    return f"{hour:02}:{minute:02}:{second:02} {zone}".rstrip()


def is_day(date: str) -> bool:
    """Return whether a date is one day, as ISO 8601 has it, so that a time of day may follow."""
    return len(date) == 10 and _KEPT.fullmatch(date) is not None


def dotted(date: str, unknown: str = "") -> str:
    """Return a date as GGF and PGN write it, 2003.12.15, with `unknown` for a month and a day that nobody knows; a text
    that is no date as it is.
    """
    if not _KEPT.fullmatch(date):
        return date
    parts = date.split("-")
    return ".".join(parts + [unknown] * (3 - len(parts) if unknown else 0))


def _of_digits(text: str) -> tuple[str, str]:
    """Return the date of a text of digits: a year, a day, perhaps with its time, or (milli)seconds since 1970."""
    number = int(text)
    if len(text) == 4:
        return text, ""
    if len(text) == 8:
        return _date(int(text[:4]), int(text[4:6]), int(text[6:])) or text, ""
    if len(text) == 14:
        date = _date(int(text[:4]), int(text[4:6]), int(text[6:8]))
        return (text, "") if date is None else (date, read_time(f"{text[8:10]}:{text[10:12]}:{text[12:]}"))
    seconds = number if number in _EPOCH_S else number // 1000
    if seconds not in _EPOCH_S:
        return text, ""
    moment = time.gmtime(seconds)
    return time.strftime("%Y-%m-%d", moment), time.strftime("%H:%M:%S UTC", moment)


def _of_numbers(found: re.Match[str], rest: str) -> tuple[str, str] | None:
    """Return the date of numbers with a separator, and the time of day behind them; None if they are no date."""
    first, separator, second, third = found.groups()
    time_of_day = read_time(rest)
    if rest and not _TIME.fullmatch(rest):
        return None
    if len(first) == 4 and (third is None or len(third) <= 2):
        year, month = int(first), 0 if second == "??" else int(second)
        date = _date(year, month or None, None if third in (None, "??") else int(third))
        return None if date is None else (date, time_of_day)
    if third is None or "??" in (second, third) or len(first) > 2:
        return None
    numbers = int(first), int(second), int(third)
    date = _day_last_or_first(numbers, separator) if len(third) == 4 else _of_short_year(numbers)
    return None if date is None else (date, time_of_day)


def _day_last_or_first(numbers: tuple[int, int, int], separator: str) -> str | None:
    """Return the date of a day, a month and a year; None where the month could as well come first."""
    first, second, year = numbers
    if separator != "." and first != second and max(first, second) <= 12:
        return None
    return _date(year, second, first) or (None if separator == "." else _date(year, first, second))


def _of_short_year(numbers: tuple[int, int, int]) -> str | None:
    """Return the date of a year of two digits, a month and a day, or of a day, a month and such a year."""
    first, second, third = numbers
    return _date(_whole_year(first), second, third) or _date(_whole_year(third), second, first)


def _whole_year(year: int) -> int:
    return year + (1900 if year >= _PIVOT else 2000)


def _of_words(text: str) -> tuple[str, str] | None:
    """Return the date of a text with the name of a month, such as 15 Dec 2003 or Mon Dec 15 12:33:18 MST 2003."""
    year = month = day = None
    time_of_day = half = zone = ""
    for word in text.replace(".m.", "m").replace(",", " ").replace(".", " ").split():
        name = word[:3].lower()
        if word.isascii() and word.isdigit() and len(word) == 4:
            year = int(word)
        elif word.isascii() and word.rstrip("thsndr").isdigit() and len(word.rstrip("thsndr")) <= 2:
            day = int(word.rstrip("thsndr"))
        elif word.isalpha() and name in _MONTHS:
            month = _MONTHS.index(name) + 1
        elif ":" in word:
            time_of_day = word
        elif word.lower() in _HALVES:
            half = word
        elif word[:1] in "+-" or word[:4] in ("GMT+", "GMT-", "UTC+", "UTC-") or (word.isalpha() and word.isupper()):
            zone = word
        elif name not in ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "at"):
            return None
    date = None if year is None or month is None else _date(year, month, day)
    if date is None or not time_of_day:
        return None if date is None else (date, "")
    told = (" ".join(filter(None, (time_of_day, half, part))) for part in (zone, ""))
    return date, next(filter(None, map(read_time, told)), "")


def _date(year: int, month: int | None, day: int | None) -> str | None:
    """Return a date as ISO 8601 has it, as far as it is known; None for an impossible one."""
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    if month is None:
        return str(year) if day is None else None
    if not 1 <= month <= 12:
        return None
    if day is None:
        return f"{year}-{month:02}"
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= day <= _DAYS[month - 1] or (month == 2 and day == 29 and not leap):
        return None
    return f"{year}-{month:02}-{day:02}"


UNTOLD_MARGIN: Final = 64.0
"""Score in discs that servers and tournaments give for a win by resignation, on time or because the other left."""

LARGEST_FILE_BYTES: Final = 1 << 20
"""Size limit: a file with one game takes a thousandth of it."""


UNREADABLE: Final = "unreadable details"
"""What `GameRecord.left_out` names if a number, a clock or a result is invalid."""

LONGEST_TEXT: Final = 1 << 12
"""Most characters of a name or a comment that are kept."""


class FileMove(NamedTuple):
    """A move as a file has it, at offset `place`, with the player and the note if the file tells them."""

    move: int
    place: int
    color: Color | None = None
    note: MoveNote | None = None

    def with_comment(self, comment: str) -> FileMove:
        """Return the move with a comment behind those that it has."""
        note = self.note or MoveNote()
        return self._replace(note=replace(note, comment=joined(note.comment, comment)))


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The result with best play from the position with this many `empties`, in discs from Black's view."""

    result: float
    empties: int


@dataclass(slots=True)
class GameRecord:
    """A game and its circumstances; an empty text or None stands for unknown.

    `date` is 2003-12-15, 2003-12, 2003, or the text of a file that is no date; `time_of_day` is 12:33:18, possibly with
    a zone behind it. `result` is in discs from Black's view as the file states it, which may differ from the score on
    the board; where the file tells only who won, `winner` does, and `result` is None. `clock` applies to both players;
    `black_clock` and `white_clock` are set if they differ. `notes` has an entry for each ply (0 is the first move)
    about which the file says more than the move. `comment` is one line about the whole game. `best_play` is what WTHOR
    files say about it. `scores` are known scores of moves in the final position, and `best_score` that of the best, in
    discs from the view of the player to move; files of problems have them. `left_out` names what the file tells beyond
    all this.
    """

    game: Game = field(default_factory=Game)
    black: str = ""
    white: str = ""
    black_rating: float | None = None
    white_rating: float | None = None
    event: str = ""
    place: str = ""
    date: str = ""
    time_of_day: str = ""
    round: str = ""
    result: float | None = None
    winner: Color | None = None
    ending: EndedBy = EndedBy.RULES
    clock: TimeControl | None = None
    black_clock: TimeControl | None = None
    white_clock: TimeControl | None = None
    notes: dict[int, MoveNote] = field(default_factory=dict)
    comment: str = ""
    best_play: BestPlay | None = None
    scores: Mapping[int, int] = field(default_factory=dict)
    best_score: int | None = None
    left_out: set[str] = field(default_factory=set)

    @property
    def known_result(self) -> float | None:
        """The stated result, else the score of the finished game, else None; discs from Black's view."""
        if self.result is not None:
            return self.result
        return float(self.game.final_score) if self.game.is_over else None

    @property
    def known_winner(self) -> Color | None:
        """Who won, as far as `known_result` or the file tells; None for a draw too."""
        result = self.known_result
        if result is None:
            return self.winner
        return None if result == 0 else Color.BLACK if result > 0 else Color.WHITE

    def tell_winner(self, winner: Color) -> None:
        """Take the winner of a game whose file tells no number of discs; `ending` must be set before."""
        if self.ending:
            self.result = UNTOLD_MARGIN if winner is Color.BLACK else -UNTOLD_MARGIN
        else:
            self.winner = winner

    def tell_date(self, text: str) -> None:
        """Take the date of a file, in any form, and the time of day if the text has one."""
        self.date, time_of_day = read_date(one_line(text))
        self.time_of_day = time_of_day or self.time_of_day

    def add_line(self, line: Sequence[FileMove]) -> None:
        """Play the moves of a file together, which is faster than one by one, and gives the same.

        Insert passes that the file omits; ignore passes after the end of the game. Raise FormatError at the first move
        that is illegal or out of turn; then the record holds the moves before it.
        """
        if not line:
            return
        first = self.game.ply
        try:
            played = self.game.play_moves(bytes(one.move for one in line))
        except IllegalMove:
            played = None
        notes = None if played is None else self._notes_of(line, played, first)
        if notes is not None:
            self.notes |= notes
            return
        self.game.undo(self.game.ply - first)
        for one in line:
            self._add_move(one)

    def _notes_of(self, line: Sequence[FileMove], played: Sequence[int], first: int) -> dict[int, MoveNote] | None:
        """Return the notes on moves that were played from ply `first` on; None if a move is out of turn."""
        notes: dict[int, MoveNote] = {}
        index = 0
        for one in line:
            if index == len(played):
                break  # passes after the end
            omitted = played[index] == PASS != one.move
            index += omitted
            if one.color is not None and not omitted and one.color is not self.game.color_at(first + index):
                return None
            if one.note is not None and one.note != MoveNote():
                notes[first + index] = one.note
            index += 1
        return notes

    def _add_move(self, one: FileMove) -> None:
        """Play one move as add_line() does; raise FormatError if it is illegal or out of turn."""
        position = self.game.position
        if one.move == PASS and position.is_over:
            return
        # The opponent may be named if a pass is omitted. He has a legal move then, so his move is not a pass.
        out_of_turn = one.color is not None and one.color is not position.color
        name = move_name(one.move)
        if out_of_turn and (one.move == PASS or not position.must_pass):
            raise FormatError("move out of turn", name, f"a move of {position.color.name.lower()}", one.place)
        try:
            self.game.play_moves((one.move,))
        except IllegalMove as error:
            raise FormatError("illegal move", name, error.expected, one.place) from error
        if one.note is not None and one.note != MoveNote():
            self.notes[self.game.ply - 1] = one.note

    def add_moves(self, moves: Sequence[int], place: int) -> None:
        """Play moves that a file has from offset `place` on, one a character, as add_line() does; all or none."""
        try:
            self.game.play_moves(moves)
        except IllegalMove as error:
            raise FormatError("illegal move", move_name(error.move), error.expected, place + error.index) from error


def joined(comment: str, more: str) -> str:
    """Return two comments as one line, which ends with an ellipsis where it would be too long."""
    return comment if len(comment) > LONGEST_TEXT else one_line(f"{comment} {more}")


def one_line(text: str) -> str:
    """Return a text as one line of visible characters, as `visible` makes it, but halves of characters become
    the sign of a character that cannot be shown, and joiners within words and pictures stay. A text that is longer than
    LONGEST_TEXT ends with an ellipsis.
    """
    if len(text) > LONGEST_TEXT:
        text = " ".join(text.split())
        text = text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}\u2026"
    if not text.isascii():
        text = "".join(part if part in _JOINERS else visible(part) for part in _JOINER.split(_HALF.sub("\ufffd", text)))
    return " ".join(visible(text).split()) if text.isascii() else " ".join(text.split())


_HALF: Final = re.compile("[\ud800-\udfff]")
_JOINERS: Final = "\u200c\u200d\ufe0e\ufe0f"
_JOINER: Final = re.compile(f"([{_JOINERS}])")

_YEAR: Final = re.compile(r"(?<!\d)(1[89]\d\d|2\d\d\d)(?!\d)")


def year_of(date: str) -> int | None:
    """Return the year in a date as files write it, such as 2026-11-20, 2004.09.18_05:54 or 1987; None without one."""
    found = _YEAR.search(date)
    return None if found is None else int(found[0])


def plain(name: str) -> str:
    """Return a name in small letters, without accents, and with single spaces, to be compared."""
    if not name.isascii():
        parts = unicodedata.normalize("NFKD", name)
        name = "".join(char for char in parts if not unicodedata.combining(char))
    return " ".join(name.casefold().split())


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers from `low` to `high`, both included."""

    low: int
    high: int

    @classmethod
    def parse(cls, text: str, least: int = 0, most: int = 9999) -> Range:
        """Return the range of "60", "50-60" or "50-" between `least` and `most`. Raise InputError for other texts."""
        first, dash, last = text.partition("-")
        try:
            low = parse_integer(first, least, most)
            return cls(low, parse_integer(last, low, most) if last else most if dash else low)
        except NotationError:
            expected = f"a number from {least} to {most}, or a range like 8-12 or 8-"
            raise InputError("range", text, expected) from None

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high

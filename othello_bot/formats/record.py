"""GameRecord: a game with the information that a file holds about it; every game format reads and writes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from othello_bot.base.errors import FormatError
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.base.visible import visible
from othello_bot.formats.dates import read_date
from othello_bot.rules import Game, IllegalMove

UNTOLD_MARGIN: Final = 64.0
"""Score in discs that servers and tournaments give for a win by resignation, on time or because the other left."""

LARGEST_FILE_BYTES: Final = 1 << 20
"""Size limit: a file with one game takes a thousandth of it."""


UNREADABLE: Final = "unreadable details"
"""What `GameRecord.left_out` names where a number, a clock or a result is none."""

LONGEST_TEXT: Final = 1 << 12
"""Most characters of a name or a comment that are kept."""


@dataclass(frozen=True, slots=True)
class MoveNote:
    """Information about one move: `score` in discs from the view of its player, `seconds` of thought, `left_s`: what is
    left on the player's clock after the move, and a comment in one line.
    """

    score: float | None = None
    seconds: float | None = None
    left_s: float | None = None
    comment: str = ""


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
class ClockSetting:
    """A time control: `base_s` seconds for the game, `increment_s` a move, `grace_s` once after the flag falls."""

    base_s: float
    increment_s: float = 0.0
    grace_s: float = 0.0


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The result with best play from the position with so many `empties`, in discs from Black's view."""

    result: float
    empties: int


@dataclass(slots=True)
class GameRecord:
    """A game and its circumstances; an empty text or None stands for unknown.

    `date` is 2003-12-15, 2003-12, 2003, or the text of a file that is no date; `time_of_day` is 12:33:18, possibly with
    a zone behind it. `result` is in discs from Black's view as the file states it, which may differ from the score on
    the board; where the file tells only who won, `winner` does, and `result` is None. `ending` says why the game ended
    if not by the rules: "resignation", "time", "agreement" or "left". `clock` applies to both players; `black_clock`
    and `white_clock` are set if they differ. `notes` has an entry for each ply (0 is the first move) about which the
    file says more than the move. `comment` is one line about the whole game. `best_play` is what WTHOR files say about
    it. `scores` are known scores of moves in the final position, and `best_score` that of the best, in discs from the
    view of the player to move; files of problems have them. `left_out` names what the file tells beyond all this.
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
    ending: str = ""
    clock: ClockSetting | None = None
    black_clock: ClockSetting | None = None
    white_clock: ClockSetting | None = None
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

    def clock_of(self, color: Color) -> ClockSetting | None:
        """Return the time control of one player."""
        own = self.black_clock if color is Color.BLACK else self.white_clock
        return own if own is not None else self.clock

    def add_line(self, line: Sequence[FileMove]) -> None:
        """Play the moves of a file together, which is faster than one by one, and gives the same.

        Insert passes that the file omits; ignore passes after the end of the game. Raise FormatError at the first move
        that is illegal or out of turn; then the record holds the moves before it.
        """
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


def first_game(records: Iterable[GameRecord], what: str, text: str, expected: str) -> GameRecord:
    """Return the first game of a text; raise FormatError, with `what` and what is `expected`, if there is none."""
    for record in records:
        return record
    raise FormatError(what, text, expected)


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

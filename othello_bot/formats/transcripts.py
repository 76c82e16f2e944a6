"""Transcripts: games as moves alone, one a line or over several lines, and as diagrams with numbered squares.

Nothing marks where a game ends, so the rules decide: a line that can only go on with the game before it belongs to it,
and a line that can only begin a game begins one. Where it could do both, its number decides ("2. c3 d3" follows
"1. f5 d6"), or whether the lines before it are short, as in a table of moves. Lines without a move are captions.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from othello_bot.errors import FormatError
from othello_bot.formats import diagram
from othello_bot.formats.found import FoundGame
from othello_bot.formats.pasted import ROW_END, PastedLine, parse_pasted, plain_text
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game, IllegalMove, Position
from protocol.notation import move_name, split_board
from protocol.visible import visible

EXPECTED: Final = "moves (f5d6c3, passes as pa)"

_SHORT_LINE: Final = 2
"""Most moves in a row of a table of moves."""

_COMMENT: Final = re.compile(r"[#%]")
_ROW: Final = re.compile(rf"[^\n{ROW_END}]*(?:\n|{ROW_END}|\Z)")


@dataclass(slots=True)
class _Row:
    """A row of the text: where it is, its start if it begins with a board, and its tokens."""

    offset: int
    line: int
    text: str
    tokens: PastedLine
    start: Position | None
    comment: str
    ends_within_line: bool
    """Whether a web page ends the row, not the line of its source."""

    def error(self, start: Position) -> FormatError | None:
        """Return why the row's moves cannot be played from a position; None if they can."""
        game = Game(start)
        try:
            game.play_moves(self.tokens.moves[: self.tokens.before] if self.tokens.word_count else self.tokens.moves)
        except IllegalMove as error:
            return FormatError("illegal move", move_name(error.move), error.expected, self.offset)
        if self.tokens.word_count:
            return FormatError("transcript", self.tokens.unreadable[:16], EXPECTED, self._place_of_word())
        return None

    def _place_of_word(self) -> int:
        found = self.text.find(self.tokens.unreadable)
        return self.offset + max(found, 0)

    def is_continuation(self) -> bool:
        """Return whether the row, which cannot be played, looks like the middle of a game."""
        if self.tokens.number is not None and self.tokens.number > 1 and len(self.tokens.moves) <= _SHORT_LINE:
            return True
        return bool(self.tokens.moves) and not self.first_move_fits(Game(self.start))

    def first_move_fits(self, game: Game) -> bool:
        """Return whether the first move is legal where a game stands."""
        try:
            game.copy().play_moves(self.tokens.moves[:1])
        except IllegalMove:
            return False
        return bool(self.tokens.moves)


@dataclass(slots=True)
class _Open:
    """The game that the next line may go on with."""

    row: _Row
    game: Game
    comments: list[str] = field(default_factory=list)
    rows: int = 1
    last_was_short: bool = False

    def expects(self, number: int) -> bool:
        """Return whether a line with this number before its moves goes on with the game, counted in moves or plies."""
        ply, discs = self.game.ply, sum(move < 64 for move in self.game.moves)
        return number > 1 and number in (ply + 1, discs + 1, ply // 2 + 1, discs // 2 + 1)


def found_games(text: str) -> Iterator[FoundGame]:
    """Yield the games of a text of transcripts, readable or not; # and % begin a comment."""
    return _Reader().read(text)


class _Reader:
    """Puts the rows of a text together to games."""

    def __init__(self) -> None:
        self._open: _Open | None = None
        self._number = 0
        self._broken = False
        self._caption: FoundGame | None = None

    def read(self, text: str) -> Iterator[FoundGame]:
        """Yield the games; an error for the first line if there is no game."""
        rows = list(_rows(plain_text(text)))
        index = 0
        while index < len(rows):
            drawn = diagram.read([row.text for row in rows[index : index + diagram.MOST_ROWS]])
            if drawn is not None:
                yield from self._close()
                yield self._found(rows[index], drawn.result)
                index += drawn.rows
                continue
            yield from self._row(rows[index])
            index += 1
        yield from self._close()
        if self._number == 0 and self._caption is not None:
            yield self._caption

    def _row(self, row: _Row) -> Iterator[FoundGame]:
        """Yield what a row completes."""
        if diagram.is_line(row.text) or (row.ends_within_line and not row.text.strip()):
            return
        if not row.text.strip():
            if self._open is not None:
                self._open.last_was_short = False
            self._broken = False
            return
        if row.start is None and not row.tokens.moves and not row.tokens.word_count:
            self._add_comment(row)
            if row.tokens.number is not None and self._open is not None:
                self._open.last_was_short = True
            return
        if row.start is None and row.tokens.is_caption:
            if self._caption is None:
                error = FormatError("transcript", row.tokens.unreadable[:16], EXPECTED, row.offset)
                self._caption = FoundGame(1, row.offset, row.line, error=error)
            return
        yield from self._moves(row)

    def _moves(self, row: _Row) -> Iterator[FoundGame]:
        """Yield what a row with moves completes."""
        as_start = row.error(row.start or Position.start())
        as_next = as_start if row.start is not None or self._open is None else row.error(self._open.game.position)
        goes_on = self._open is not None and row.start is None and as_next is None
        if goes_on and as_start is None:
            goes_on = self._prefers_to_go_on(row)
        if goes_on and self._open is not None:
            self._open.game.play_moves(row.tokens.moves)
            self._open.rows += 1
            self._open.last_was_short = len(row.tokens.moves) <= _SHORT_LINE
            self._add_comment(row)
        elif as_start is None:
            yield from self._close()
            self._broken = False
            game = Game(row.start)
            game.play_moves(row.tokens.moves)
            self._open = _Open(row, game, last_was_short=len(row.tokens.moves) <= _SHORT_LINE)
            self._add_comment(row)
        elif self._belongs_to_open(row):
            self._open = None
            self._broken = True
            yield self._found(row, as_next or as_start)
        else:
            yield from self._close()
            if not (self._broken and row.is_continuation()):
                yield self._found(row, as_start)
            self._broken = True

    def _prefers_to_go_on(self, row: _Row) -> bool:
        """Return whether a row that could begin a game as well goes on with the open one."""
        if self._open is None:
            return False
        if row.tokens.number is not None:
            return self._open.expects(row.tokens.number)
        return self._open.last_was_short

    def _belongs_to_open(self, row: _Row) -> bool:
        """Return whether a row that cannot be played is a part of the open game, which it spoils."""
        if self._open is None or row.start is not None or not row.tokens.moves:
            return False
        if row.tokens.number is not None and row.tokens.number > 1:
            return self._open.expects(row.tokens.number)
        if row.first_move_fits(Game()):
            return False
        return self._open.rows > 1 or row.first_move_fits(self._open.game)

    def _add_comment(self, row: _Row) -> None:
        if row.comment and self._open is not None:
            self._open.comments.append(row.comment)

    def _close(self) -> Iterator[FoundGame]:
        """Yield the open game."""
        if self._open is not None:
            record = GameRecord(self._open.game, comment=" ".join(self._open.comments))
            row, self._open = self._open.row, None
            yield self._found(row, record)

    def _found(self, row: _Row, result: GameRecord | FormatError) -> FoundGame:
        self._number += 1
        if isinstance(result, FormatError):
            return FoundGame(self._number, row.offset, row.line, error=result)
        return FoundGame(self._number, row.offset, row.line, result)


def _rows(text: str) -> Iterator[_Row]:
    """Yield the rows of a text, empty ones included."""
    line = 1
    for match in _ROW.finditer(text):
        if not match[0]:
            return
        row = match[0].rstrip(f"\n{ROW_END}\r")
        parts = _COMMENT.split(row, maxsplit=1)
        board, moves = split_board(parts[0])
        start = None if board is None else Position.from_board(board)
        comment = " ".join(parts[1].split()) if len(parts) > 1 else ""
        yield _Row(match.start(), line, parts[0], parse_pasted(moves), start, comment, match[0].endswith(ROW_END))
        line += match[0].endswith("\n")


def last_start(text: str) -> int:
    """Return the offset of the last row that certainly begins a game, 0 without one: a long text may be cut there.

    Such a row and the one before are a game each, and would be no legal game together.
    """
    for length in (1 << 12, 1 << 16, len(text)):
        start = text.find("\n", max(0, len(text) - length)) + 1
        rows = list(_rows(text[start:]))
        # The last row may be cut off.
        for before, row in reversed(list(itertools.pairwise(rows[:-1]))):
            if _surely_begins(before, row):
                return start + row.offset
    return 0


def _surely_begins(before: _Row, row: _Row) -> bool:
    """Return whether a row certainly begins a game, whatever stands before the row `before`."""
    if row.error(row.start or Position.start()) is not None or not row.tokens.moves:
        return False
    if row.start is not None:
        return True
    if len(before.tokens.moves) <= _SHORT_LINE or before.tokens.number is not None or row.tokens.number is not None:
        return False
    start = before.start or Position.start()
    if before.error(start) is not None:
        return False
    game = Game(start)
    game.play_moves(before.tokens.moves)
    return row.error(game.position) is not None


def write_game(record: GameRecord) -> str:
    """Return the game as a line of moves, preceded by the board unless it is the usual start, followed by a comment."""
    start = record.game.start
    moves = record.game.transcript() + (f" # {' '.join(visible(record.comment).split())}" if record.comment else "")
    return moves if start == Position.start() else f"{start.to_string()} {moves}"

"""Transcripts: games as moves alone, one a line or over several lines, and as drawings of boards and score sheets.

Nothing marks where a game ends, so the rules decide: a line that can only go on with the game before it belongs to it,
and a line that can only begin a game begins one. Where it could do both, its number decides ("2. c3 d3" follows
"1. f5 d6"), or whether the lines before it are short, as in a table of moves. Lines without a move are captions.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from othello_bot.base.boards import is_line, split_board
from othello_bot.base.errors import FormatError, parsed
from othello_bot.base.forks import lazy_property
from othello_bot.base.notation import TranscriptError, move_name, parse_transcript
from othello_bot.base.visible import plain, visible
from othello_bot.formats import numbers, pasted
from othello_bot.formats.found import FoundGame
from othello_bot.formats.pasted import ROW_END, PastedLine, parse_pasted, plain_text, without_links
from othello_bot.formats.record import GameRecord, joined
from othello_bot.kernel import replay
from othello_bot.rules import Game, IllegalMove, Position

EXPECTED: Final = "moves (f5d6c3, passes as pa)"

_FEW_MOVES: Final = 2
"""Most moves in a row of a table of moves."""

_SHORT_TEXT: Final = 16
"""Characters of a move or two with their number."""

_FIRST_MOVES: Final = frozenset(Position.start().legal_moves)

_COMMENT: Final = re.compile(r"(?<!^)#|#(?!\d+\W)|%")
"""What begins a comment; a hash sign with a number at the beginning of a row is a number of a game."""

_LEAST_CELLS: Final = 56
_CELLS: Final = re.compile(
    r"""(?<![^\s,;:|"'])(?:[XxOo*@BbWw0-2.+_-]{64}(?![^\s,;:|"'XOxobw*])|[XxOo*@BbWw.+_-]{56,72}(?![^\s,;:|"']))"""
)
"""A board in one word, or one with some cells too few or too many."""

_ALMOST_CELLS: Final = re.compile(r"""(?<![^\s,;:|"'])[^\s,;:|"']{48,80}(?![^\s,;:|"'])""")
"""A word as long as a board, give or take some cells."""

_CELL: Final = frozenset("XxOo*@BbWw.+_-")
_LEAST_TRUE_CELLS: Final = 0.9
"""Share of the signs of such a word that are cells if it is a damaged board."""

_LEAST_TOLD_MOVES: Final = 2
"""Fewest moves of a line at a prompt that says more than moves."""

_COMMAND: Final = re.compile(r"[^\W\d_](?:(?![a-h][1-8]|[:\"'|;=,\t]| [-–—] ).)*(?:[a-h][1-8]|$)", re.IGNORECASE)
"""Words that may be a command: no mark stands between them and the first square."""

_BOARD_EXPECTED: Final = "64 cells, then the side to move"
_DISCS: Final = re.compile("[Xx*@Bb].*[OoWw]|[OoWw].*[Xx*@Bb]")
_LONGEST_WORDS: Final = 256
"""Characters of the words beside a board that are kept."""

_ROW: Final = re.compile(rf"[^\n{ROW_END}]*(?:\n|{ROW_END}|\Z)")


class _Text:
    """What the text of a row says, which is read when it is asked for: a board, moves, and words around them."""

    def __init__(self, text: str) -> None:
        self.text = text

    @lazy_property
    def is_blank(self) -> bool:
        """Whether nothing is in the row."""
        return not self.text or self.text.isspace()

    @lazy_property
    def is_line(self) -> bool:
        """Whether the row draws a line."""
        return is_line(self.text) and self.start is None

    @lazy_property
    def _parts(self) -> tuple[Position | None, str]:
        """The position that the row begins with, and the row behind it."""
        text, start = self.text, None
        if len(text) >= _LEAST_CELLS and (word := _CELLS.search(text)) is not None:
            if len(word[0]) == 64:
                start, text = _split_start(text[word.start() :], text[: word.start()])
            elif _DISCS.search(word[0]):
                raise FormatError("board", f"{len(word[0])} cells", _BOARD_EXPECTED)
        elif (damaged := _damaged_board(text)) is not None:
            raise damaged
        if start is None:
            start, text = _split_start(self.text)
        return start, without_links(text)

    @lazy_property
    def refused(self) -> FormatError | None:
        """Why the board of the row cannot be read; None if it can, and without one."""
        try:
            _ = self._parts
        except FormatError as error:
            return error
        return None

    @lazy_property
    def start(self) -> Position | None:
        """The position that the row begins with."""
        return self._parts[0]

    @lazy_property
    def tokens(self) -> PastedLine:
        """The row without its board and its comment; words beside a board are no moves."""
        told = parse_pasted(_COMMENT.split(self._parts[1], maxsplit=1)[0])
        if self.start is not None and told.is_caption:
            return PastedLine(comment=joined("", self._parts[1][:_LONGEST_WORDS]).strip(" ,;\"'"))
        return told

    @lazy_property
    def comment(self) -> str:
        """The words around the moves and behind them."""
        behind = _COMMENT.split(self._parts[1], maxsplit=1)[1:]
        return " ".join(" ".join((self.tokens.comment, *behind)).split()) if behind else self.tokens.comment

    @lazy_property
    def says_nothing(self) -> bool:
        """Whether the row has no word."""
        told = self.tokens
        return self.start is None and not (told.moves or told.unreadable or told.is_caption)

    @lazy_property
    def may_begin(self) -> bool:
        """Whether the row can begin a game, by its first move."""
        told = self.tokens
        return self.start is not None or bool(told.label_moves or _FIRST_MOVES.intersection(told.moves[:1]))

    @lazy_property
    def opening(self) -> Game | None:
        """The game that the moves of the row make from its board, or from the usual start; None if they make none."""
        return self.after(self.tokens.moves) if self.fits(self.start or Position.start()) else None

    def after(self, moves: tuple[int, ...]) -> Game:
        """Return the game of legal moves from the board of the row, or from the usual start."""
        game = Game(self.start)
        game.play_moves(bytes(moves))
        return game

    def fits(self, position: Position) -> bool:
        """Return whether the moves of the row, all of them readable, are legal from a position on."""
        told = self.tokens
        return not (told.unreadable or told.doubtful) and _are_legal(position, told.moves)

    def first_move_fits(self, position: Position) -> bool:
        """Return whether the first move is legal in a position."""
        moves = self.tokens.moves
        return bool(moves) and _are_legal(position, moves[:1])

    def is_continuation(self) -> bool:
        """Return whether the row, which cannot be played, looks like the middle of a game."""
        told = self.tokens
        if told.number is not None and told.number > 1 and len(told.moves) <= _FEW_MOVES:
            return True
        return bool(told.moves) and not self.first_move_fits(self.start or Position.start())


_text_of_short = lru_cache(1024)(_Text)
"""The text of a short row, such as a table of moves repeats in every game."""


class _TextRow:
    """A row of the text: where it is, and what it says."""

    __slots__ = ("ends_within_line", "line", "offset", "said")

    def __init__(self, offset: int, line: int, text: str, ends_within_line: bool) -> None:
        self.offset = offset
        self.line = line
        self.said = _text_of_short(text) if len(text) <= _SHORT_TEXT else _Text(text)
        self.ends_within_line = ends_within_line
        """Whether a web page ends the row, not the line of its source."""

    def as_start(self) -> Game | FormatError:
        """Return the game that begins with the row, or why none does; names may stand before its moves."""
        told, opening = self.said.tokens, self.said.opening
        if opening is not None:
            return opening.copy()
        if told.doubtful and len(told.moves) <= _FEW_MOVES:
            return self._unreadable(told.doubtful, 0)
        start = self.said.start or Position.start()
        error = self._error(start, told.moves, 0)
        if error is None:
            return self.said.after(told.moves)
        moves = told.moves[told.label_moves :] if told.label_moves else ()
        return self.said.after(moves) if moves and self._error(start, moves, 0) is None else error

    def error_in(self, game: Game) -> FormatError | None:
        """Return why the moves of the row do not go on with a game; None if they do."""
        if self.said.tokens.doubtful:
            return self._unreadable(self.said.tokens.doubtful, game.ply)
        return self._error(game.position, self.said.tokens.moves, game.ply)

    def _error(self, start: Position, moves: tuple[int, ...], ply: int) -> FormatError | None:
        """Return why moves cannot be played from a position after this many plies; None if they can."""
        unreadable = self.said.tokens.unreadable
        try:
            Game(start).play_moves(moves[: self.said.tokens.before] if unreadable else moves)
        except IllegalMove as error:
            where = f"move {ply + error.index + 1}"
            return FormatError("illegal move", move_name(error.move), error.expected, self.offset, where)
        return self._unreadable(unreadable, ply + self.said.tokens.before) if unreadable else None

    def _unreadable(self, word: str, ply: int) -> FormatError:
        place = self.offset + max(self.said.text.find(word), 0)
        return FormatError("transcript", word[:16], EXPECTED, place, f"after move {ply}" if ply else "")


def _are_legal(position: Position, moves: Sequence[int]) -> bool:
    """Return whether moves, with the passes that they omit, are legal from a position on."""
    *_, illegal = replay(position.mover, position.opponent, bytes(moves))
    return illegal < 0


def _damaged_board(text: str) -> FormatError | None:
    """Return what is wrong with a word that is nearly a board, so that none is left out in silence; None without one."""
    for word in _ALMOST_CELLS.findall(text):
        wrong = [sign for sign in word if sign not in _CELL]
        if len(word) - len(wrong) >= _LEAST_TRUE_CELLS * len(word) and _DISCS.search(word):
            value = f"{len(word)} cells" if len(word) != 64 else f"cell '{wrong[0]}'"
            return FormatError("board", value, _BOARD_EXPECTED)
    return None


def _split_start(text: str, before: str = "") -> tuple[Position | None, str]:
    """Return the position that a text begins with, None without one, and the rest of the text.

    The text `before` it may say whose turn it is. Dashes alone are a line, and no empty board.
    """
    board, rest = parsed(lambda cells: split_board(cells, before), text, FormatError, "board")
    if board is None or not board.cells.strip("-"):
        return None, text
    return Position.from_board(board), rest


@dataclass(slots=True)
class _Open:
    """The game that the next line may go on with."""

    row: _TextRow
    game: Game
    comments: list[str] = field(default_factory=list)
    rows: int = 1
    last_was_short: bool = False

    def ends_with(self, drawn: GameRecord | FormatError) -> bool:
        """Return whether a drawing below the moves shows the game's last position, or its moves, once more."""
        if not self.game.ply or isinstance(drawn, FormatError):
            return False
        shown, last = drawn.game.position, self.game.position
        return drawn.game == self.game or (
            not drawn.game.ply and (shown.black, shown.white) == (last.black, last.white)
        )

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
        self._is_middle = False
        """Whether the rows behind a broken one may belong to its game."""
        self._has_long_games = False
        """Whether a game took several rows, more than a table's row each."""
        self._caption: FoundGame | None = None

    def read(self, text: str) -> Iterator[FoundGame]:
        """Yield the games; an error for the first line if there is no game."""
        rows = list(_rows(plain_text(text)))
        texts = [row.said.text for row in rows]
        index = 0
        while index < len(rows):
            drawn = None
            if len(texts[index]) >= pasted.SHORTEST_ROW:
                drawn = pasted.read(texts[index : index + pasted.MOST_ROWS], texts[max(0, index - 4) : index])
            if drawn is None:
                yield from self._row(rows[index])
                index += 1
                continue
            if self._open is not None and self._open.ends_with(drawn.result):
                index += drawn.rows
                continue
            yield from self._close()
            if isinstance(drawn.result, GameRecord) and not drawn.result.game.ply:
                self._open = _Open(rows[index], drawn.result.game, last_was_short=True)  # moves may follow a board
            else:
                yield self._found(rows[index], drawn.result)
            index += drawn.rows
        yield from self._close()
        if self._number == 0 and (reason := self._caption or _no_game(rows)) is not None:
            yield reason

    def _row(self, row: _TextRow) -> Iterator[FoundGame]:
        """Yield what a row completes."""
        said = row.said
        if said.is_blank:
            if not row.ends_within_line:
                if self._open is not None:
                    self._open.last_was_short = False
                self._broken = False
            return
        if said.refused is not None:
            yield from self._close()
            yield self._found(row, said.refused)
            return
        start = said.start
        if said.is_line:
            return
        if self._shows_the_end(said):
            self._add_comment(row)
            return
        if said.says_nothing:
            refused = numbers.refusal(said.text, row.offset)
            if refused is not None:
                yield from self._close()
                yield self._found(row, refused)
                return
            self._add_comment(row)
            if said.tokens.number is not None and self._open is not None:
                self._open.last_was_short = True
            return
        if start is None and said.tokens.is_caption:
            if self._caption is None:
                error = FormatError("transcript", said.text.strip()[:16], EXPECTED, row.offset)
                self._caption = FoundGame(1, row.offset, row.line, error=error)
            return
        if not (self._broken and start is None and self._is_rest(said)):
            yield from self._moves(row)

    def _shows_the_end(self, said: _Text) -> bool:
        """Return whether a row is the last position of the open game once more."""
        if self._open is None or said.start is None or said.tokens.moves or said.tokens.unreadable:
            return False
        return self._open.ends_with(GameRecord(Game(said.start)))

    def _moves(self, row: _TextRow) -> Iterator[FoundGame]:
        """Yield what a row with moves completes."""
        said, opened = row.said, self._open
        goes_on = opened is not None and said.start is None and said.fits(opened.game.position)
        as_start = None if goes_on and not said.may_begin else row.as_start()
        if goes_on and (not isinstance(as_start, Game) or self._prefers_to_go_on(row)):
            self._add_to_open(row)
        elif isinstance(as_start, Game):
            yield from self._close()
            self._broken = False
            self._open = _Open(row, as_start, last_was_short=as_start.ply <= _FEW_MOVES)
            self._add_comment(row)
        elif opened is not None and self._belongs_to_open(row) and (error := row.error_in(opened.game)) is not None:
            self._open = None
            self._broken = self._is_middle = True
            yield self._found(row, error)
        else:
            yield from self._close()
            is_short = len(said.tokens.moves) <= _FEW_MOVES
            if as_start is not None and not (self._broken and said.is_continuation() and (is_short or self._is_middle)):
                yield self._found(row, as_start)
                self._is_middle = self._has_long_games and said.first_move_fits(Position.start())
            self._broken = True

    def _is_rest(self, said: _Text) -> bool:
        """Return whether a row without a move behind a broken one may be a part of it: words, or a damaged move or two."""
        told = said.tokens
        return not told.moves and (self._is_middle or len(told.unreadable) <= 2 * _FEW_MOVES)

    def _add_to_open(self, row: _TextRow) -> None:
        """Play the moves of a row in the open game."""
        if self._open is not None:
            self._open.game.play_moves(bytes(row.said.tokens.moves))
            self._open.rows += 1
            self._open.last_was_short = len(row.said.tokens.moves) <= _FEW_MOVES
            self._has_long_games = self._has_long_games or not self._open.last_was_short
            self._add_comment(row)

    def _prefers_to_go_on(self, row: _TextRow) -> bool:
        """Return whether a row that could begin a game as well goes on with the open one."""
        if self._open is None:
            return False
        number = row.said.tokens.number
        return self._open.last_was_short if number is None else self._open.expects(number)

    def _belongs_to_open(self, row: _TextRow) -> bool:
        """Return whether a row that cannot be played is a part of the open game, which it spoils."""
        said = row.said
        if self._open is None or said.start is not None or not said.tokens.moves:
            return False
        if said.tokens.number is not None and said.tokens.number > 1:
            return self._open.expects(said.tokens.number)
        if said.first_move_fits(Position.start()):
            return False
        return self._open.rows > 1 or said.first_move_fits(self._open.game.position)

    def _add_comment(self, row: _TextRow) -> None:
        if self._open is not None and row.said.comment:
            self._open.comments.append(row.said.comment)

    def _close(self) -> Iterator[FoundGame]:
        """Yield the open game."""
        if self._open is not None:
            record = GameRecord(self._open.game, comment=" ".join(self._open.comments))
            row, self._open = self._open.row, None
            yield self._found(row, record)

    def _found(self, row: _TextRow, result: GameRecord | FormatError) -> FoundGame:
        self._number += 1
        if isinstance(result, FormatError):
            return FoundGame(self._number, row.offset, row.line, error=result)
        return FoundGame(self._number, row.offset, row.line, result)


def _no_game(rows: Sequence[_TextRow]) -> FoundGame | None:
    """Return the refusal of rows without a game: of numbers of squares, or of the first row that says anything."""
    told = [row for row in rows if not row.said.is_blank and not row.said.is_line]
    refused = numbers.first_refusal([(row.said.text, row.offset) for row in told])
    if refused is not None:
        return FoundGame(1, told[refused[0]].offset, told[refused[0]].line, error=refused[1])
    for row in told:
        if text := _COMMENT.split(row.said.text, maxsplit=1)[0].strip():
            return FoundGame(1, row.offset, row.line, error=FormatError("transcript", text[:16], EXPECTED, row.offset))
    return None


def _rows(text: str) -> Iterator[_TextRow]:
    """Yield the rows of a text, empty ones included."""
    line = 1
    for match in _ROW.finditer(text):
        if not match[0]:
            return
        yield _TextRow(match.start(), line, match[0].rstrip(f"\n{ROW_END}\r"), match[0].endswith(ROW_END))
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


def _surely_begins(before: _TextRow, row: _TextRow) -> bool:
    """Return whether a row certainly begins a game, whatever stands before the row `before`."""
    if before.said.refused or row.said.refused:
        return False
    said, told = row.said, before.said.tokens
    if not said.tokens.moves or isinstance(row.as_start(), FormatError):
        return False
    if said.start is not None:
        return True
    if len(told.moves) <= _FEW_MOVES or told.number is not None or said.tokens.number is not None:
        return False
    game = before.as_start()
    return isinstance(game, Game) and not said.fits(game.position)


def moves_to_play(line: str, position: Position) -> tuple[int, ...]:
    """Return the moves of a line that somebody types or pastes in a position, as a file's line has them; a pass may be
    omitted.

    Words before the moves need a mark behind them, as in "Tiger: f5d6c3", for others may be a command; words behind the
    moves need two moves. Raise TranscriptError.
    """
    text = plain(line)
    try:
        if moves := parse_transcript(text):
            return moves
        raise TranscriptError(text, EXPECTED, 0)
    except TranscriptError as error:
        said = _Text(line)
        if said.refused is not None or said.start is not None:
            raise
        told = said.tokens
        unreadable = told.doubtful or told.unreadable
        is_command = not error.begins_as_moves and _COMMAND.match(text) is not None
        if is_command or told.is_caption or len(told.moves) < _LEAST_TOLD_MOVES:
            raise
        if unreadable:
            place = text.find(unreadable)
            raise TranscriptError(text, error.expected, place if place > 0 else error.place) from None
        behind = told.moves[told.label_moves :]
        return behind if told.label_moves and not said.fits(position) else told.moves


def write_game(record: GameRecord) -> str:
    """Return the game as a line of moves, preceded by the board unless it is the usual start, followed by a comment."""
    start = record.game.start
    moves = record.game.transcript() + (f" # {' '.join(visible(record.comment).split())}" if record.comment else "")
    return moves if start == Position.start() and record.game.ply else f"{start.to_string()} {moves}".rstrip()

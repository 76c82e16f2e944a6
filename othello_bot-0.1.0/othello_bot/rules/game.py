"""Game: a start position and the moves played from it, with undo and redo; transcripts of games in one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from othello_bot import kernel
from othello_bot.base.errors import FormatError, InputError, counted, parsed
from othello_bot.base.notation import (
    PASS,
    Color,
    TranscriptError,
    as_move,
    format_transcript,
    integer_of,
    parse_transcript,
)
from othello_bot.rules.position import IllegalMove, Position


def parse_moves(text: str) -> tuple[int, ...]:
    """Return the moves that `text` names, with passes only where it writes them; do not check legality.

    Raise FormatError, with the offset, at anything that is not a move, pass, move number or separator.
    """
    if not isinstance(text, str):
        raise FormatError("transcript", text, "a text of moves (f5d6c3, passes as pa)")
    try:
        return parse_transcript(text)
    except TranscriptError as error:
        raise FormatError("transcript", error.value[:8], error.expected, error.place) from error


def split_start(text: str) -> tuple[Position, str]:
    """Return the position from which `text` starts, and the rest of the text.

    A text may begin with a board of 64 cells and the side to move; otherwise the position is the usual start and the
    rest is the whole text. Raise FormatError for anything but a text, and for a board in signs of several kinds.
    """
    if not isinstance(text, str):
        raise FormatError("transcript", text, "a text of moves, possibly after a board")
    from othello_bot.base.boards import split_board  # imported here: a session starts without it

    board, rest = parsed(split_board, text, FormatError, "board")
    return Position.start() if board is None else Position.from_board(board), rest


class CannotUndo(InputError):
    """An attempt to take back more moves than were played; the game is unchanged."""


class CannotRedo(InputError):
    """An attempt to replay more moves than were taken back; the game is unchanged."""


def cannot_undo(count: int, possible: int, whose: str = "") -> CannotUndo:
    """Return the error for taking back `count` moves when at most `possible` can be; `whose`, such as " of yours"."""
    return CannotUndo("cannot undo", count, _moves_accepted(count, possible, whose) or f"a move{whose} before it")


def cannot_redo(count: int, possible: int, whose: str = "") -> CannotRedo:
    """Return the error for replaying `count` moves when only `possible` were taken back; `whose` as in `cannot_undo`."""
    return CannotRedo("cannot redo", count, _moves_accepted(count, possible, whose) or "an undo before it")


def _moves_accepted(count: int, possible: int, whose: str) -> str:
    """Return how many moves would be accepted instead of `count`, in words; an empty text if none would be."""
    if integer_of(count, 0) is None:
        return "0 or more moves"
    return f"at most {counted(possible, 'move')}{whose}" if possible else ""


def position_of(place: Position | Game) -> Position:
    """Return a position, or the current position of a game; raise InputError for anything else."""
    if isinstance(place, Game):
        return place.position
    if isinstance(place, Position):
        return place
    raise InputError("position", place, "a Position or a Game")


def _require_ply(ply: int) -> None:
    if integer_of(ply) is None:
        raise InputError("ply", ply, "a whole number of moves")


class Game:
    """A game in progress or finished.

    A ply is one move or pass. A method that raises an error changes nothing. Raise InputError for a start that is not a
    position.
    """

    def __init__(self, start: Position | None = None) -> None:
        if start is not None and not isinstance(start, Position):
            raise InputError("start", start, "a Position, or None for the usual one; Game.from_transcript reads text")
        self._positions = [Position.start() if start is None else start]
        self._current = self._positions[0]
        self._moves: list[int] = []
        self._undone: list[int] = []

    @classmethod
    def from_transcript(cls, text: str) -> Game:
        """Return the game of a transcript, which may begin with a board to start from.

        Raise FormatError, PositionError or IllegalMove as `play_transcript` and `Position.parse` do.
        """
        start, moves = split_start(text)
        game = cls(start)
        game.play_transcript(moves)
        return game

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The current position."""
        return self._current

    @property
    def moves(self) -> tuple[int, ...]:
        """All moves since the start; a pass is PASS."""
        return tuple(self._moves)

    @property
    def redoable(self) -> tuple[int, ...]:
        """The moves that `redo` would play, the next one first."""
        return tuple(reversed(self._undone))

    @property
    def ply(self) -> int:
        """The number of moves played, passes included."""
        return len(self._moves)

    @property
    def is_over(self) -> bool:
        """Whether neither player has a legal move."""
        return self.position.is_over

    @property
    def discs(self) -> tuple[int, int]:
        """The numbers of discs on the board now: Black's, then White's. Empty squares count for nobody."""
        return self.position.discs

    @property
    def final_score(self) -> int:
        """The score if the game ended now, from Black's view: the disc difference, with the empty squares counted for
        the player who has more discs. After 5 to 2 discs and 57 empty squares it is +60.
        """
        return self.position.black_score()

    def position_at(self, ply: int) -> Position:
        """Return the position after `ply` moves (0: the start).

        Raise IndexError outside 0..ply, InputError for anything but a whole number.
        """
        _require_ply(ply)
        if not 0 <= ply <= self.ply:
            raise IndexError(f"ply {ply}: expected 0 to {self.ply}")
        # A game that was played at once has its positions computed when they are asked for.
        for played in range(len(self._positions) - 1, ply):
            self._positions.append(self._positions[-1].play(self._moves[played]))
        return self._positions[ply]

    def color_at(self, ply: int) -> Color:
        """Return the side that makes move number `ply` (0: the first), or would make it; raise InputError for anything
        but a whole number.
        """
        _require_ply(ply)
        return self.start.color if ply % 2 == 0 else self.start.color.opponent

    def play(self, move: int | str) -> Position:
        """Play one move, a number or a name like "f5", and return the new position.

        Raise IllegalMove if the rules forbid it, NotationError if it does not name a move. The moves taken back are
        discarded unless `move` is the next of them.
        """
        position = self._current.play(move)
        self._take((as_move(move),), position)
        return position

    def play_moves(self, moves: Iterable[int]) -> tuple[int, ...]:
        """Play all of `moves` or none; return the moves played.

        Insert passes that the moves omit; skip passes after the end of the game, which many programs write. Raise
        IllegalMove at the first illegal move, InputError for anything but moves.
        """
        if isinstance(moves, bytes):  # as files have them
            given: Sequence[int] = moves
            known = moves
        elif isinstance(moves, str) or not isinstance(moves, Iterable):
            raise InputError("moves", moves, "moves one by one, as numbers or names; play_transcript plays a text")
        else:
            given = tuple(map(as_move, moves))
            count = next((index for index, move in enumerate(given) if not 0 <= move <= PASS), len(given))
            known = bytes(given[:count])
        start = self.position
        plies, mover, opponent, illegal = kernel.replay(start.mover, start.opponent, known)
        position = Position(mover, opponent, start.color if len(plies) % 2 == 0 else start.color.opponent)
        if illegal >= 0 or len(known) < len(given):
            index = illegal if illegal >= 0 else len(known)
            raise IllegalMove(given[index], position, index)
        self._take(plies, position)
        return tuple(plies)

    def _take(self, moves: Iterable[int], position: Position) -> None:
        """Add legal moves, which lead to `position`; keep the moves to redo as long as these are the same."""
        if self._undone:
            for move in moves:
                if self._undone and self._undone[-1] == move:
                    self._undone.pop()
                else:
                    self._undone.clear()
        self._moves += moves
        self._current = position

    def play_transcript(self, text: str) -> tuple[int, ...]:
        """Play all moves of a transcript or none, as `play_moves` does; return the moves played.

        Raise FormatError if the text is not a transcript, and IllegalMove if a move is illegal.
        """
        return self.play_moves(parse_moves(text))

    def undo(self, count: int = 1) -> Position:
        """Take back `count` moves, including passes, and return the position; raise CannotUndo if there are fewer."""
        moves = integer_of(count, 0, self.ply)
        if moves is None:
            raise cannot_undo(count, self.ply)
        self._current = self.position_at(self.ply - moves)
        for _ in range(moves):
            self._undone.append(self._moves.pop())
        del self._positions[self.ply + 1 :]
        return self.position

    def redo(self, count: int = 1) -> Position:
        """Replay `count` moves that were taken back and return the position; raise CannotRedo if there are fewer."""
        moves = integer_of(count, 0, len(self._undone))
        if moves is None:
            raise cannot_redo(count, len(self._undone))
        for _ in range(moves):
            self.play(self._undone[-1])
        return self.position

    def transcript(self, *, passes: bool = False) -> str:
        """Return the moves so far, "f5d6c3"; passes are written as "pa" only if `passes` is true."""
        return format_transcript(self._moves, passes=passes)

    def copy(self) -> Game:
        """Return an independent game with the same start, moves and moves to redo."""
        twin = Game.__new__(Game)
        twin._positions, twin._current = self._positions[:], self._current
        twin._moves, twin._undone = self._moves[:], self._undone[:]
        return twin

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        """Return whether the games have the same start and the same moves."""
        if not isinstance(other, Game):
            return NotImplemented
        return self.start == other.start and self._moves == other._moves

    def __repr__(self) -> str:
        start = "" if self.start == Position.start() else f"{self.start.to_string()} "
        return f"Game.from_transcript({start + self.transcript(passes=True)!r})"

    def _repr_svg_(self) -> str:
        """Return a picture of the current position with the last move marked; notebooks show it."""
        from othello_bot import svg

        return svg.board(self.position, last_move=self._moves[-1] if self._moves else None)

    def __str__(self) -> str:
        return str(self.position)


__all__ = ["CannotRedo", "CannotUndo", "Game", "IllegalMove"]

"""LiveGame: one game while it is played, as an immutable value: each event returns the game after it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from othello_bot.base.clocks import Clocks
from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.rules import Game, IllegalMove, Position, cannot_redo, cannot_undo

_AFTER_THE_GAME: Final = "review, transcript, undo, new, save, load or quit"
"""What a person may want once the game is over."""

_LOST: Final = 64.0
"""Discs by which a player loses who resigns or has no time left."""


class AfterTheGame(InputError):
    """A move, a hint or a resignation after the end of the game."""


class WrongColor(InputError):
    """A move of the player who is not to move, while the other player has a legal move."""


class EndedBy(str, Enum):
    """Why a game ended."""

    RULES = ""
    """By the rules, or for an unknown reason."""
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended before the rules ended it: why, and its result in discs from Black's view (None: no result)."""

    by: EndedBy
    black_score: float | None = None


@dataclass(frozen=True, slots=True)
class MoveNote:
    """Information about one move: `score` in discs from the view of its player, `seconds` of thought, `left_s`: what is
    left on the player's clock after the move, a comment in one line, and who chose it here, empty for somebody elsewhere.
    """

    score: float | None = None
    seconds: float | None = None
    left_s: float | None = None
    comment: str = ""
    player: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game in progress or finished, with its clocks.

    The clock of the side to move runs only after `started`, and stops with the turn; the caller passes the time in, in
    seconds of a clock of its own. A method that raises an error changes nothing.

    Attributes:
        game: start and moves; nobody plays in it, a copy takes the next move.
        clocks: both clocks as at the beginning of the turn.
        ending: how it ended early; None while it goes on, and if the rules ended it.
        omitted: the plies of passes that a host did not send.
        since_s: when the clock of the side to move was started; None while it stands.
        notes: on moves, by ply, also on moves taken back.
    """

    game: Game = field(default_factory=Game)
    clocks: Clocks = field(default_factory=Clocks)
    ending: Ending | None = None
    omitted: frozenset[int] = frozenset()
    since_s: float | None = None
    notes: Mapping[int, MoveNote] = field(default_factory=dict)

    # -- what can be asked ------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The current position."""
        return self.game.position

    @property
    def color(self) -> Color:
        """The side to move."""
        return self.game.position.color

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or early."""
        return self.ending is not None or self.game.is_over

    @property
    def black_score(self) -> float | None:
        """The result in discs from Black's view; None while the game goes on, and for one without a result."""
        if self.ending is not None:
            return self.ending.black_score
        return float(self.game.final_score) if self.game.is_over else None

    @property
    def is_clocked(self) -> bool:
        """Whether the side to move has a clock."""
        return self.clocks.of(self.color).running

    def used_s(self, now_s: float) -> float:
        """Return the time of this turn that is not yet charged."""
        return 0.0 if self.since_s is None else now_s - self.since_s

    def left_s(self, color: Color, now_s: float) -> float | None:
        """Return the time on a side's clock now, below 0 once it is up; None for a side without a clock."""
        clock = self.clocks.of(color)
        return clock.left_s - (self.used_s(now_s) if color is self.color else 0.0) if clock.running else None

    @property
    def known(self) -> dict[int, MoveNote]:
        """The notes on the moves played, by ply."""
        return {ply: note for ply, note in self.notes.items() if ply < self.game.ply}

    def require_going_on(self, what: str) -> None:
        """Raise `AfterTheGame` if the game has ended; `what` was asked for."""
        if self.is_over:
            raise AfterTheGame("after the game", what, _AFTER_THE_GAME)

    def position_for(self, color: Color | None) -> Position:
        """Return the position with `color` to move (None: either): the current one, or the one after a forced pass.

        Raise `WrongColor` if the other player has a move, `AfterTheGame` after an early end.
        """
        self._require_no_ending()
        if color is None or color is self.color or self.game.is_over:
            return self.position
        if not self.position.must_pass:
            raise self._wrong_color(color)
        return self.position.play(PASS)

    # -- moves ------------------------------------------------------------------------------------------------------

    def play(self, move: int, now_s: float | None = None) -> LiveGame:
        """Return the game after a move of the side to move, which costs the time since its clock was started.

        Without `now_s` it costs nothing, as a forced pass does. Raise `IllegalMove`, and `AfterTheGame` after an early
        end.
        """
        self._require_no_ending()
        after = self._after(move)
        return after if now_s is None else replace(after, clocks=self.clocks.spent(self.color, self.used_s(now_s)))

    def take_moves(self, moves: Iterable[tuple[Color | None, int]]) -> LiveGame:
        """Return the game after moves that a host sends, all or none, each of a side (None: the side to move).

        Insert passes that hosts omit; skip passes that they repeat, and those after the end. Raise `IllegalMove` and
        `WrongColor`, and `AfterTheGame` after an early end.
        """
        self._require_no_ending()
        live = self
        for color, move in moves:
            position = live.position
            theirs = color is not None and color is not position.color
            if move == PASS and (position.is_over or (theirs and live.game.moves[-1:] == (PASS,))):
                continue
            if position.must_pass and color is not position.color and move != PASS:
                if not position.play(PASS).legal_bits >> move & 1:
                    raise IllegalMove(move, position)
                live = replace(live._after(PASS), omitted=live.omitted | {live.game.ply})
            elif color is not None and theirs and not position.is_over:
                raise live._wrong_color(color)
            live = live._after(move)
        return live

    def _after(self, move: int) -> LiveGame:
        game = self.game.copy()
        game.play(move)
        omitted = frozenset(ply for ply in self.omitted if ply < self.game.ply)
        notes = self.notes if self.game.redoable[:1] == (move,) else self.known
        return replace(self, game=game, omitted=omitted, since_s=None, notes=notes)

    def noted(self, note: MoveNote) -> LiveGame:
        """Return the game with a note on the last move."""
        return replace(self, notes={**self.notes, self.game.ply - 1: note})

    def undo(self, count: int = 1, people: Container[Color] | None = None) -> LiveGame:
        """Return the game without its last `count` moves; an early end counts as one of them.

        A pass that a host omitted goes with the move after it. With `people`, only moves that one of these sides chose
        count, and what followed them goes with them. Raise `CannotUndo`.
        """
        game = self.game.copy()
        for done in range(self.ending is not None, count):
            while game.ply:
                game.undo()
                if self._is_stop(game, people):
                    break
            else:
                raise cannot_undo(count, done, _whose(people))
        return replace(self, game=game, ending=None if count else self.ending, since_s=None)

    def redo(self, count: int = 1, people: Container[Color] | None = None) -> LiveGame:
        """Return the game with `count` moves replayed that were taken back, as `undo` counts them.

        Raise `CannotRedo`.
        """
        game = self.game.copy()
        for done in range(count):
            if not game.redoable:
                raise cannot_redo(count, done, _whose(people))
            game.redo()
            while game.redoable and not self._is_stop(game, people):
                game.redo()
        return replace(self, game=game, ending=None if count else self.ending, since_s=None)

    def _is_stop(self, game: Game, people: Container[Color] | None) -> bool:
        """Return whether going back and forth may end here: before a choice of the people, or of a host."""
        if people is None:
            return game.ply - 1 not in self.omitted
        return game.position.color in people and not game.position.must_pass

    # -- clocks -----------------------------------------------------------------------------------------------------

    def started(self, now_s: float) -> LiveGame:
        """Return the game with the clock of the side to move running from now on."""
        return replace(self, since_s=now_s)

    def charged(self, now_s: float) -> LiveGame:
        """Return the game with the clock of the side to move stopped, and its time subtracted."""
        return replace(self.waited(self.color, self.used_s(now_s)), since_s=None)

    def waited(self, color: Color, used_s: float) -> LiveGame:
        """Return the game after a wait for a side that ended with no move."""
        return replace(self, clocks=self.clocks.waited(color, used_s))

    def flag_fell(self, now_s: float) -> bool:
        """Return whether the side to move has used more than its time."""
        state = self.clocks.state(self.color)
        return not self.is_over and state is not None and self.used_s(now_s) > state.move_s

    # -- early ends -------------------------------------------------------------------------------------------------

    def lost(self, by: EndedBy, loser: Color | None = None, now_s: float = 0.0) -> LiveGame:
        """Return the game as lost by a side (None: the side to move), by resignation or on time.

        Raise `AfterTheGame` if it has ended.
        """
        loser = self.color if loser is None else loser
        return self.ended(Ending(by, _LOST if loser else -_LOST), now_s)

    def ended(self, ending: Ending, now_s: float = 0.0) -> LiveGame:
        """Return the game with an early end; the clock stops. Raise `AfterTheGame` if it has ended."""
        self.require_going_on(ending.by.value)
        return replace(self.charged(now_s), ending=ending)

    # -- inside -----------------------------------------------------------------------------------------------------

    def _require_no_ending(self) -> None:
        if self.ending is not None:
            self.require_going_on("a move")

    def _wrong_color(self, color: Color) -> WrongColor:
        legal = " ".join(map(move_name, self.position.legal_moves)) or "pass"
        accepted = f"{self.color.name.lower()}, who can play {legal}"
        return WrongColor("illegal move: wrong color", color.name.lower(), accepted)


def _whose(people: Container[Color] | None) -> str:
    return "" if people is None else " of yours"

"""The textbook searcher: alpha-beta with the techniques of the chapter as switches, to be measured one by one.

After "Paradigms of Artificial Intelligence Programming", section 18.13. With every switch off it is plain alpha-beta.
Deepening, aspiration, zero window, hashing, the orders and, under its assumptions, nonspeculative pruning keep the
choice as good as minimax's and only save boards. Corner pruning, metareasoning and completion deliberately change the
choice.
"""

from __future__ import annotations

import random
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from othello_bot.base.errors import shown
from othello_bot.base.notation import NotationError, parse_integer
from othello_bot.strategies.board import (
    ALL_SQUARES,
    PaddedBoard,
    PlayerPiece,
    Square,
    after_move,
    any_legal_move,
    empties,
    legal_moves,
    opponent,
)
from othello_bot.strategies.evaluations import (
    LOSING_VALUE,
    STATIC_ORDER,
    WINNING_VALUE,
    Evaluation,
    count_difference,
    final_score,
    final_value,
)
from othello_bot.strategies.metareasoning import Candidate, Verdict, largest_gain, plausible_moves, verdict
from othello_bot.strategies.searchers import Interrupted, check_interruption, put_first

PASS_STEP: Final = 0
"""Represents a pass in a line of moves; no square has this number."""

GROWTH: Final = 10
"""Factor of the next depth's time while no other is known: the average number of moves in Othello."""

DEFAULT_ASPIRATION: Final = 50
"""Default half width of the aspiration window: the book uses 0 to 100 around a value of 50."""

DEFAULT_COMPLETION: Final = 14
"""Default number of empty squares from which the end is searched; that of Bill."""


@dataclass(frozen=True)
class Switches:
    """Which techniques are on; SWITCHES describes each. The number 0 means off.

    ValueError is raised for a negative number and for metareasoning without deepening.
    """

    iterative_deepening: bool = False
    corner_pruning: bool = False
    nonspeculative: bool = False
    aspiration: int = 0
    zero_window: bool = False
    hashing: bool = False
    static_order: bool = False
    sorted_order: bool = False
    completion: int = 0
    metareasoning: bool = False

    def __post_init__(self) -> None:
        for name in ("aspiration", "completion"):
            value = getattr(self, name)
            if value < 0:
                raise ValueError(f"switch {name} {value}: expected 0 or more")
        if self.metareasoning and not self.iterative_deepening:
            raise ValueError("metareasoning alone: expected iterative deepening too, whose rounds give the variances")


SWITCHES: Final = {
    "iterative-deepening": "search depth 1, 2, ... and try first, everywhere, the move that was best in the last round",
    "corner-pruning": "Bill's forward pruning: no move beside an empty corner while there is another",
    # The change of the disc difference in a move is limited; finished games then count by discs.
    "nonspeculative": "leave positions that no series of moves can lift to the bound; needs the evaluation difference",
    "aspiration": f"half width of the window around the last round's value, {DEFAULT_ASPIRATION} by default",
    "zero-window": "ask of every later move only whether it is better than the first",
    "hashing": "remember the move to try first for each position, under one word of its encoding",
    "static-order": "try squares in the order of their weights",
    "sorted-order": "try moves in the order of the evaluation of their boards",
    "completion": f"empty squares from which the game is searched to its end, {DEFAULT_COMPLETION} by default",
    "metareasoning": "stop deepening when the best move is clear or both candidates are at rest; needs deepening",
}
"""The switches as a user writes them, with hyphens, and their effects."""

_NUMBERS: Final = {"aspiration": DEFAULT_ASPIRATION, "completion": DEFAULT_COMPLETION}


def parse_switches(values: Mapping[str, str]) -> Switches:
    """Return the named switches, each with the text after its `=` or an empty text.

    Raise ValueError for an unknown name, for a value of a switch without one, and for a value that is not a number.

    >>> parse_switches({"hashing": "", "completion": "12"}).completion
    12
    """
    chosen: dict[str, bool | int] = {}
    for name, value in values.items():
        if name not in SWITCHES:
            raise ValueError(f"switch {shown(name)}: expected one of {', '.join(SWITCHES)}")
        field = name.replace("-", "_")
        if name not in _NUMBERS:
            if value:
                raise ValueError(f"switch {shown(f'{name}={value}')}: expected {name} without a value")
            chosen[field] = True
        elif not value:
            chosen[field] = _NUMBERS[name]
        else:
            try:
                chosen[field] = parse_integer(value, 0, 10**9)
            except NotationError as error:
                raise ValueError(f"switch {shown(f'{name}={value}')}: expected {error.expected}") from None
    return Switches(**chosen)  # type: ignore[arg-type]  # numbers go to the two fields that take them


@dataclass
class Counters:
    """The cost of searches: boards visited, boards evaluated, and rounds of deepening."""

    boards: int = 0
    evaluations: int = 0
    rounds: int = 0


@dataclass(frozen=True)
class RootMove:
    """A move with its value after a round. `exact` is false if only a bound is known."""

    move: Square
    value: int
    exact: bool


class TextbookSearcher:
    """A strategy: alpha-beta at a depth in plies on an evaluation, with switches.

    `budget_s` ends deepening if the next round would not fit into that many seconds; it requires iterative deepening.
    `counters` accumulates the cost of all searches of this searcher. `seed` decides between two settled moves.
    """

    def __init__(
        self,
        depth: int,
        evaluate: Evaluation,
        switches: Switches | None = None,
        *,
        budget_s: float | None = None,
        seed: int = 0,
    ) -> None:
        self.depth = depth
        self.switches = Switches() if switches is None else switches
        if self.switches.nonspeculative and evaluate is not count_difference:
            raise ValueError("nonspeculative pruning: expected the evaluation count_difference, which cannot jump")
        if budget_s is not None and not self.switches.iterative_deepening:
            raise ValueError(f"budget {budget_s} s: expected iterative_deepening with it")
        self.counters = Counters()
        self.last_verdict = Verdict.CONTINUE
        self._evaluate_board = evaluate
        self._budget_s = budget_s
        self._rng = random.Random(seed)
        self._squares = STATIC_ORDER if self.switches.static_order else ALL_SQUARES
        self._best_of_line: dict[tuple[Square, ...], Square] = {}
        self._best_of_position: dict[int, Square] = {}
        self._final: Evaluation = count_difference if self.switches.nonspeculative else final_value
        self._largest_gain = 0

    def __call__(self, player: PlayerPiece, board: PaddedBoard) -> Square:
        """Return the move to play."""
        return self.search(player, board).move

    def search(self, player: PlayerPiece, board: PaddedBoard, hints_from: TextbookSearcher | None = None) -> RootMove:
        """Return the chosen move with its value from the player's view; raise ValueError without a legal move.

        Results of earlier searches are discarded, except that `hints_from` may provide the moves to try first.
        """
        self._best_of_line = {} if hints_from is None else hints_from._best_of_line.copy()
        self._best_of_position = {} if hints_from is None else hints_from._best_of_position.copy()
        moves = self._moves(player, board, ())
        if not moves:
            raise ValueError("a strategy was asked for a move without a legal one: expected at least one")
        self.last_verdict = Verdict.CONTINUE
        self._largest_gain = largest_gain(board)
        if 0 < empties(board) <= self.switches.completion:
            return self._complete(player, board, moves)
        if not self.switches.iterative_deepening:
            guess = self._evaluate(player, board) if self.switches.aspiration else 0
            return self._round(player, board, moves, self.depth, guess)[0]
        return self._deepen(player, board, moves)

    def _complete(self, player: PlayerPiece, board: PaddedBoard, moves: list[Square]) -> RootMove:
        """Search to the end of the game for the largest margin."""
        midgame_final, self._final = self._final, final_score
        try:
            # Every ply fills a square or is a pass, and two passes never follow each other.
            return self._round(player, board, moves, 2 * empties(board) + 2, 0)[0]
        finally:
            self._final = midgame_final

    def _deepen(self, player: PlayerPiece, board: PaddedBoard, moves: list[Square]) -> RootMove:
        """Search depth by depth until the last one, the end of the budget or a verdict."""
        begin = time.perf_counter()
        values: dict[Square, list[int]] = {move: [] for move in moves}
        guess = self._evaluate(player, board) if self.switches.aspiration else 0
        found: list[RootMove] = []
        for depth in range(1, self.depth + 1):
            round_begin = time.perf_counter()
            try:
                found = self._round(player, board, moves, depth, guess)
            except Interrupted:
                if not found:
                    raise
                break  # the last complete round has an answer, thanks to deepening
            moves = [root.move for root in found]
            guess = found[0].value
            for root in found:
                values[root.move].append(root.value)
            if self.switches.metareasoning and depth < self.depth and len(found) > 1:
                best, second = (Candidate(root.move, values[root.move]) for root in found[:2])
                self.last_verdict = verdict(best, second)
                if self.last_verdict is Verdict.SETTLED:
                    return self._rng.choice(found[:2])
                if self.last_verdict is Verdict.CLEAR:
                    break
            now = time.perf_counter()
            if self._budget_s is not None and now - begin + GROWTH * (now - round_begin) > self._budget_s:
                break
        return found[0]

    def _round(
        self, player: PlayerPiece, board: PaddedBoard, moves: list[Square], depth: int, guess: int
    ) -> list[RootMove]:
        """Return the moves with their values at a depth, the best first, the others in their previous order."""
        found = self._round_in_window(player, board, moves, depth, guess)
        self._remember(player, board, (), found[0].move)
        return found

    def _round_in_window(
        self, player: PlayerPiece, board: PaddedBoard, moves: list[Square], depth: int, guess: int
    ) -> list[RootMove]:
        """Search the moves within the aspiration window, and without it if the value lies outside."""
        self.counters.rounds += 1
        search = self._zero_window_root if self.switches.zero_window and not self.switches.metareasoning else self._root
        half = self.switches.aspiration
        if half:
            found = search(player, board, moves, depth, guess - half, guess + half)
            if guess - half < found[0].value < guess + half:
                return found
        return search(player, board, moves, depth, LOSING_VALUE, WINNING_VALUE)

    def _root(
        self, player: PlayerPiece, board: PaddedBoard, moves: list[Square], depth: int, achievable: int, cutoff: int
    ) -> list[RootMove]:
        """Search every move; metareasoning needs the exact values of the two best, everything else only the best."""
        wanted = 2 if self.switches.metareasoning else 1
        found: list[RootMove] = []
        for move in moves:
            bound = found[wanted - 1].value if len(found) >= wanted else achievable
            value = self._child_value(player, board, move, bound, cutoff, depth, ())
            found.append(RootMove(move, value, bound < value < cutoff))
            found.sort(key=lambda root: -root.value)  # stable: an equal value does not overtake
            if value >= cutoff:
                break
        return self._with_rest(found, moves)

    def _zero_window_root(
        self, player: PlayerPiece, board: PaddedBoard, moves: list[Square], depth: int, achievable: int, cutoff: int
    ) -> list[RootMove]:
        """Search the first move exactly and test of the others only whether they are better.

        A single better move is chosen without measuring how much better it is; of several, the best must be found.
        """
        first = self._child_value(player, board, moves[0], achievable, cutoff, depth, ())
        if first >= cutoff:
            return self._with_rest([RootMove(moves[0], first, False)], moves)
        tested = [
            RootMove(move, self._child_value(player, board, move, first, first + 1, depth, ()), False)
            for move in moves[1:]
        ]
        better = [root for root in tested if root.value > first]
        best = RootMove(moves[0], first, first > achievable)
        if len(better) == 1:
            best = better[0]
        for root in better if len(better) > 1 else ():
            bound = max(first, best.value)
            value = self._child_value(player, board, root.move, bound, cutoff, depth, ())
            if value > bound:
                best = RootMove(root.move, value, value < cutoff)
        return self._with_rest([best], moves, fallback=first)

    def _with_rest(self, found: list[RootMove], moves: list[Square], fallback: int = LOSING_VALUE) -> list[RootMove]:
        """Return the results, followed by the moves about which nothing more than `fallback` is known."""
        known = {root.move for root in found}
        return found + [RootMove(move, min(fallback, found[0].value), False) for move in moves if move not in known]

    def _value(
        self, player: PlayerPiece, board: PaddedBoard, achievable: int, cutoff: int, ply: int, line: tuple[Square, ...]
    ) -> int:
        """Return the value of a board within a window, as alpha-beta does; `line` is the moves that led to it."""
        check_interruption()
        self.counters.boards += 1
        if ply == 0:
            return self._evaluate(player, board)
        other = opponent(player)
        moves = self._moves(player, board, line)
        if not moves:
            if any_legal_move(other, board):
                return -self._value(other, board, -cutoff, -achievable, ply - 1, (*line, PASS_STEP))
            return self._final(player, board)
        # In the end search the empty squares count for the winner, a jump that the limit does not cover.
        if self.switches.nonspeculative and self._final is count_difference:
            own_moves_left = (ply + 1) // 2
            if self._evaluate(player, board) + self._largest_gain * own_moves_left <= achievable:
                return achievable
        best: Square | None = None
        for number, move in enumerate(moves):
            value: int | None = None
            if self.switches.zero_window and number > 0:
                test = self._child_value(player, board, move, achievable, achievable + 1, ply, line)
                value = test if test <= achievable or test >= cutoff else None
            if value is None:
                value = self._child_value(player, board, move, achievable, cutoff, ply, line)
            if value > achievable:
                achievable, best = value, move
            if achievable >= cutoff:
                break
        if best is not None:
            self._remember(player, board, line, best)
        return achievable

    def _child_value(
        self,
        player: PlayerPiece,
        board: PaddedBoard,
        move: Square,
        achievable: int,
        cutoff: int,
        ply: int,
        line: tuple[Square, ...],
    ) -> int:
        """Return the value, for the player, of making the move."""
        child = after_move(move, player, board)
        return -self._value(opponent(player), child, -cutoff, -achievable, ply - 1, (*line, move))

    def _evaluate(self, player: PlayerPiece, board: PaddedBoard) -> int:
        self.counters.evaluations += 1
        return self._evaluate_board(player, board)

    def _moves(self, player: PlayerPiece, board: PaddedBoard, line: tuple[Square, ...]) -> list[Square]:
        """Return the moves to search, in order."""
        moves = legal_moves(player, board, self._squares)
        if self.switches.corner_pruning:
            moves = plausible_moves(moves, board)
        if self.switches.sorted_order:
            moves.sort(key=lambda move: -self._evaluate(player, after_move(move, player, board)))
        if self.switches.iterative_deepening:
            moves = put_first(self._best_of_line.get(line), moves)
        if self.switches.hashing:
            moves = put_first(self._best_of_position.get(position_word(player, board)), moves)
        return moves

    def _remember(self, player: PlayerPiece, board: PaddedBoard, line: tuple[Square, ...], best: Square) -> None:
        """Store the best move for the next round and for transpositions to the same position."""
        if self.switches.iterative_deepening:
            self._best_of_line[line] = best
        if self.switches.hashing:
            self._best_of_position[position_word(player, board)] = best


def position_word(player: PlayerPiece, board: PaddedBoard) -> int:
    """Return the position compressed into a word of 32 bits; positions may collide, so it is only a key for hints."""
    return zlib.crc32(bytes(board), player)

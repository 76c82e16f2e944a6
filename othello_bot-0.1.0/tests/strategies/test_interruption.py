"""Interrupting a strategy: each ends at once, with a legal move, and plays on as before."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from othello_bot.base.notation import parse_square
from othello_bot.rules.position import Position
from othello_bot.strategies import choose, make
from othello_bot.strategies.board import legal_moves, parse_board
from othello_bot.strategies.searchers import Interrupted, check_interruption, interruptible

# The deepest of each would take hours.
ENDLESS = [
    "minimax:30",
    "alphabeta:30",
    "static:30",
    "sorted:30",
    "killer:30",
    "iago:30",
    "mini-othello:30",
    "mini-othello:3:end=60",
    "marappan:30",
    "marappan:30:minimax",
    "textbook:30",
    "textbook:30:zero-window+hashing",
    "textbook:3:completion=60",
    "textbook:30:iterative-deepening",
    "textbook:30:think-ahead",
]


def stop_after(boards: int) -> tuple[list[int], Callable[[], bool]]:
    """Return a counter of calls and the function that counts them, false until it has been called so often."""
    asked = [0]

    def should_stop() -> bool:
        asked[0] += 1
        return asked[0] > boards

    return asked, should_stop


@pytest.mark.parametrize("spec", ENDLESS)
def test_every_searcher_asks_and_ends_with_the_first_yes(spec: str) -> None:
    asked, should_stop = stop_after(200)
    strategy = make(spec)
    move = choose(strategy, Position.start(), should_stop)
    assert move in Position.start().legal_moves
    assert asked[0] == 201, "asked at every board, and not once more after the yes"


def test_without_an_answer_the_heaviest_square_is_played() -> None:
    # Black may play d2 or the corner h8.
    position = Position.parse(f"{8 * '.'} {8 * '.'} ...O.... ...X.... {24 * '.'} .....XO. X".replace(" ", "", 6))
    assert position.legal_moves == (parse_square("d2"), parse_square("h8"))
    assert choose(make("minimax:9"), position, lambda: True) == parse_square("h8")


def test_deepening_answers_with_its_last_whole_round() -> None:
    position = Position.start().play(19).play(18)  # d3 c3
    three = choose(make("textbook:3:iterative-deepening"), position)
    asked, count = stop_after(10**9)
    choose(make("textbook:3:iterative-deepening"), position, count)
    asked_again, should_stop = stop_after(asked[0] + 1)
    assert choose(make("textbook:30:iterative-deepening"), position, should_stop) == three
    assert asked_again[0] == asked[0] + 2


@pytest.mark.parametrize("spec", ["killer:3", "mini-othello:2:end=8", "textbook:3:hashing+completion=8"])
def test_a_strategy_is_as_before_after_an_interruption(spec: str) -> None:
    strategy = make(spec)
    board = parse_board("XXXXXXXX XXOOOOOX XOXOXOXO XOOXXOXO XOOOXXO. XXXXOX.. XOOO.... ........".replace(" ", ""))
    player = 1 if legal_moves(1, board) else 2
    before = strategy(player, board[:])
    _, should_stop = stop_after(20)
    with pytest.raises(Interrupted), interruptible(should_stop):
        strategy(player, board[:])
    assert strategy(player, board[:]) == before


def test_one_thread_does_not_interrupt_another() -> None:
    outcome: list[str] = []

    def elsewhere() -> None:
        check_interruption()
        outcome.append("went on")

    with interruptible(lambda: True):
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        with interruptible(lambda: False):
            check_interruption()
        with pytest.raises(Interrupted):
            check_interruption()
    check_interruption()
    assert outcome == ["went on"]

"""The switches: those that promise minimax's value keep it, the others have their documented effects, and they save
boards.
"""

from __future__ import annotations

import dataclasses

import pytest

from othello_bot.strategies.board import (
    BLACK,
    CORNERS,
    EMPTY,
    WHITE,
    PaddedBoard,
    PlayerPiece,
    Square,
    after_move,
    any_legal_move,
    empties,
    empty_board,
    initial_board,
    legal_moves,
    opponent,
    parse_board,
    square_of,
)
from othello_bot.strategies.evaluations import (
    Evaluation,
    count_difference,
    modified_weighted_squares,
    weighted_squares,
)
from othello_bot.strategies.metareasoning import CORNER_OF_NEIGHBOR, Candidate, Verdict, plausible_moves, verdict
from othello_bot.strategies.searchers import minimax
from othello_bot.strategies.techniques import (
    SWITCHES,
    Switches,
    TextbookSearcher,
    parse_switches,
    position_word,
)
from tests.strategies.conftest import exact_score, random_positions

EXACT = {
    "none": Switches(),
    "deepening": Switches(iterative_deepening=True),
    "static order": Switches(static_order=True),
    "sorted order": Switches(sorted_order=True),
    "hashing": Switches(hashing=True),
    "aspiration": Switches(aspiration=20),
    "aspiration and deepening": Switches(aspiration=3, iterative_deepening=True),
    "zero window": Switches(zero_window=True),
    "zero window and aspiration": Switches(zero_window=True, aspiration=5),
    "zero window and deepening": Switches(zero_window=True, iterative_deepening=True, hashing=True),
    "everything": Switches(
        iterative_deepening=True, hashing=True, aspiration=10, zero_window=True, static_order=True, sorted_order=True
    ),
}
DEPTH = 3


def move_values(player: PlayerPiece, board: PaddedBoard, evaluate: Evaluation, depth: int) -> dict[Square, int]:
    """Return minimax's values of all moves."""
    other = opponent(player)
    return {
        move: -minimax(other, after_move(move, player, board), depth - 1, evaluate)[0]
        for move in legal_moves(player, board)
    }


POSITIONS = [
    (player, board, move_values(player, board, weighted_squares, DEPTH))
    for player, board in random_positions(12, seed=31, last_move=56)
]


@pytest.mark.parametrize("name", EXACT)
def test_exact_switches_choose_a_best_move(name: str) -> None:
    for player, board, values in POSITIONS:
        before = board[:]
        found = TextbookSearcher(DEPTH, weighted_squares, EXACT[name]).search(player, board)
        assert values[found.move] == max(values.values())
        assert found.exact or EXACT[name].zero_window, "only the zero window gives up the value, and only the value"
        if found.exact:
            assert found.value == max(values.values())
        assert board == before


def test_hints_of_an_earlier_search_put_the_best_moves_first() -> None:
    switches = Switches(hashing=True, static_order=True)
    boards = {"alone": 0, "hinted": 0, "hinted, zero window": 0}
    for player, board, values in POSITIONS:
        teacher = TextbookSearcher(DEPTH, weighted_squares, switches)
        first = teacher.search(player, board)
        boards["alone"] += teacher.counters.boards
        for name, zero_window in (("hinted", False), ("hinted, zero window", True)):
            pupil = TextbookSearcher(DEPTH, weighted_squares, dataclasses.replace(switches, zero_window=zero_window))
            found = pupil.search(player, board, hints_from=teacher)
            assert (found.move, found.value) == (first.move, max(values.values()))
            boards[name] += pupil.counters.boards
    assert boards["hinted"] == boards["hinted, zero window"] < boards["alone"]


def test_a_search_forgets_the_one_before() -> None:
    switches = Switches(hashing=True, static_order=True)
    used = TextbookSearcher(DEPTH, weighted_squares, switches)
    for player, board, _ in POSITIONS:
        before = used.counters.boards
        fresh = TextbookSearcher(DEPTH, weighted_squares, switches)
        assert used.search(player, board) == fresh.search(player, board)
        assert used.search(player, board) == fresh.search(player, board)
        assert used.counters.boards - before == fresh.counters.boards


def test_zero_window_gives_up_only_the_value_of_a_single_better_move() -> None:
    searcher = TextbookSearcher(DEPTH, weighted_squares, Switches(zero_window=True))
    found = [(searcher.search(player, board), values) for player, board, values in POSITIONS]
    assert any(not root.exact for root, _ in found) and any(root.exact for root, _ in found)
    for root, values in found:
        if not root.exact:
            assert root.value <= max(values.values())


def counts_minimax(player: PlayerPiece, board: PaddedBoard, ply: int) -> int:
    """Return minimax on discs with finished games counted in discs, as nonspeculative pruning counts them."""
    other = opponent(player)
    moves = legal_moves(player, board)
    if ply == 0 or (not moves and not any_legal_move(other, board)):
        return count_difference(player, board)
    if not moves:
        return -counts_minimax(other, board, ply - 1)
    return max(-counts_minimax(other, after_move(move, player, board), ply - 1) for move in moves)


@pytest.mark.slow
def test_nonspeculative_pruning_is_exact_and_prunes() -> None:
    pruning = TextbookSearcher(DEPTH, count_difference, Switches(nonspeculative=True))
    for player, board in random_positions(15, seed=9, last_move=55):
        assert pruning.search(player, board).value == counts_minimax(player, board, DEPTH)
    # In a lost position nothing lifts the value by more than the rules allow.
    board = parse_board("XXXXXXXX" * 5 + "XXXXXX.." + "OOO....." + "........")
    few, many = (TextbookSearcher(2, count_difference, Switches(nonspeculative=on)) for on in (True, False))
    player = WHITE if legal_moves(WHITE, board) else BLACK
    assert few.search(player, board).value == counts_minimax(player, board, 2)
    many.search(player, board)
    assert few.counters.boards <= many.counters.boards


def test_nonspeculative_pruning_needs_the_disc_difference() -> None:
    with pytest.raises(ValueError, match="expected the evaluation count_difference"):
        TextbookSearcher(2, weighted_squares, Switches(nonspeculative=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["static order", "zero window and deepening", "everything"])
def test_switches_save_boards(name: str) -> None:
    plain, switched = TextbookSearcher(4, weighted_squares), TextbookSearcher(4, weighted_squares, EXACT[name])
    for player, board in random_positions(6, seed=17, first_move=10, last_move=40):
        plain(player, board)
        switched(player, board)
    assert switched.counters.boards < plain.counters.boards


def test_aspiration_saves_boards_where_the_guess_holds_and_costs_a_second_search_where_not() -> None:
    near = [
        (player, board)
        for player, board, values in POSITIONS
        if abs(max(values.values()) - weighted_squares(player, board)) < 40
    ]
    far = [(player, board) for player, board, _ in POSITIONS if (player, board) not in near]
    assert len(near) > 2 and len(far) > 2
    boards = {}
    for half in (0, 40):
        for name, positions in (("near", near), ("far", far)):
            searcher = TextbookSearcher(DEPTH, weighted_squares, Switches(aspiration=half))
            for player, board in positions:
                searcher.search(player, board)
            boards[name, half] = searcher.counters.boards
    assert boards["near", 40] < boards["near", 0]
    assert boards["far", 40] > boards["far", 0]


@pytest.mark.slow
def test_corner_pruning_avoids_the_squares_beside_empty_corners() -> None:
    assert len(CORNER_OF_NEIGHBOR) == 12
    searcher = TextbookSearcher(2, count_difference, Switches(corner_pruning=True))
    avoided = 0
    for player, board in random_positions(60, seed=2):
        move = searcher(player, board)
        moves = legal_moves(player, board)
        kept = plausible_moves(moves, board)
        assert move in kept
        if len(kept) < len(moves):
            avoided += 1
            assert all(board[CORNER_OF_NEIGHBOR[move]] == EMPTY for move in set(moves) - set(kept))
    assert avoided > 10
    board = empty_board()
    board[CORNERS[0]] = BLACK
    assert plausible_moves([12, 17, 45], board) == [12, 45]


def test_completion_plays_the_end_perfectly() -> None:
    searcher = TextbookSearcher(1, weighted_squares, Switches(completion=6, static_order=True))
    for player, board in random_positions(8, seed=13, first_move=54, last_move=57):
        found = searcher.search(player, board)
        assert found.value == exact_score(player, board)
        assert -exact_score(opponent(player), after_move(found.move, player, board)) == found.value


def test_completion_is_exact_under_nonspeculative_pruning_too() -> None:
    searcher = TextbookSearcher(1, count_difference, Switches(completion=6, nonspeculative=True))
    for player, board in random_positions(8, seed=13, first_move=54, last_move=57):
        assert searcher.search(player, board).value == exact_score(player, board)


def test_completion_begins_at_its_number_of_empty_squares() -> None:
    player, board = random_positions(8, seed=13, first_move=53, last_move=57)[0]
    late = TextbookSearcher(1, weighted_squares, Switches(completion=empties(board) - 1))
    in_time = TextbookSearcher(1, weighted_squares, Switches(completion=empties(board)))
    late(player, board)
    in_time(player, board)
    assert late.counters.boards == len(legal_moves(player, board)) < in_time.counters.boards


def test_deepening_stops_before_a_round_that_would_not_fit() -> None:
    board = initial_board()
    hurried = TextbookSearcher(6, weighted_squares, Switches(iterative_deepening=True), budget_s=0.0)
    assert hurried(BLACK, board) in legal_moves(BLACK, board)
    assert hurried.counters.rounds == 1
    patient = TextbookSearcher(3, weighted_squares, Switches(iterative_deepening=True), budget_s=1e9)
    patient(BLACK, board)
    assert patient.counters.rounds == 3
    with pytest.raises(ValueError, match="expected iterative_deepening"):
        TextbookSearcher(3, weighted_squares, budget_s=1.0)


def test_metareasoning_stops_at_the_symmetric_start() -> None:
    # All four first moves are the same move, so their values agree in every round and soon rest.
    searcher = TextbookSearcher(6, count_difference, Switches(iterative_deepening=True, metareasoning=True), seed=1)
    calm = TextbookSearcher(6, lambda player, board: 0, Switches(iterative_deepening=True, metareasoning=True))
    assert calm(BLACK, initial_board()) in legal_moves(BLACK, initial_board())
    assert calm.last_verdict is Verdict.SETTLED and calm.counters.rounds == 3
    assert searcher(BLACK, initial_board()) in legal_moves(BLACK, initial_board())


def test_metareasoning_stops_when_a_corner_decides() -> None:
    # White may take a corner that nobody disputes, or throw discs away: clear long before depth 5.
    board = parse_board(
        """
        . X O . . . . .
        . . . . . . . .
        . . . X . . . .
        . . . X O . . .
        . . . O X . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """
    )
    searcher = TextbookSearcher(5, modified_weighted_squares, Switches(iterative_deepening=True, metareasoning=True))
    assert searcher(WHITE, board) == square_of("a1")
    assert searcher.last_verdict is Verdict.CLEAR
    assert searcher.counters.rounds < 5


def test_verdicts() -> None:
    assert verdict(Candidate(11, [9, 9]), Candidate(12, [0, 0])) is Verdict.CONTINUE, "too few rounds"
    assert verdict(Candidate(11, [9, 9, 9]), Candidate(12, [0, 0, 0])) is Verdict.CLEAR
    assert verdict(Candidate(11, [1, 1, 1]), Candidate(12, [0, 0, 0])) is Verdict.SETTLED
    assert verdict(Candidate(11, [90, 1, 80]), Candidate(12, [0, 50, 0])) is Verdict.CONTINUE


def test_metareasoning_ranks_the_two_best_moves_exactly() -> None:
    switches = Switches(iterative_deepening=True, metareasoning=True)
    for player, board, values in POSITIONS:
        if len(values) > 1:
            searcher = TextbookSearcher(DEPTH, weighted_squares, switches)
            roots = searcher._round(player, board, legal_moves(player, board), DEPTH, 0)
            assert [root.value for root in roots[:2]] == sorted(values.values(), reverse=True)[:2]


def test_position_word_depends_on_board_and_player() -> None:
    words = {position_word(player, board) for player, board in random_positions(50, seed=1)}
    assert len(words) > 45
    assert position_word(BLACK, initial_board()) != position_word(WHITE, initial_board())
    assert position_word(BLACK, initial_board()) < 2**32


@pytest.mark.parametrize(
    "values",
    [{"unknown": ""}, {"hashing": "3"}, {"completion": "many"}, {"aspiration": "-1"}, {"metareasoning": ""}],
)
def test_bad_switches(values: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_switches(values)


def test_switches_by_name() -> None:
    assert parse_switches({}) == Switches()
    assert parse_switches({"iterative-deepening": "", "aspiration": ""}) == Switches(
        iterative_deepening=True, aspiration=50
    )
    assert [name.replace("-", "_") for name in SWITCHES] == [item.name for item in dataclasses.fields(Switches)]
    everything = parse_switches(dict.fromkeys(SWITCHES, ""))
    assert everything.completion == 14 and everything.metareasoning
    with pytest.raises(ValueError, match="expected 0 or more"):
        Switches(completion=-1)


def test_without_a_legal_move() -> None:
    with pytest.raises(ValueError, match="without a legal one"):
        TextbookSearcher(2, weighted_squares)(BLACK, parse_board(".XXXXXXO" + "O" * 56))

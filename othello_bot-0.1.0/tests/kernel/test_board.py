"""Functions of the rules that only the search uses: the flips of the last move, stable discs."""

from __future__ import annotations

import functools
import random

import pytest

from othello_bot import kernel
from othello_bot.kernel import stable_discs
from tests.kernel.positions import ALL, START, BitboardPair, after, filled, played, random_game, squares_of


def test_branch_is_one_of_the_header() -> None:
    assert kernel.BRANCH in ("avx512", "avx2", "neon", "wasm", "portable")


def test_last_flips_on_every_square() -> None:
    rng = random.Random(1)
    for square in range(64):
        for _ in range(300):
            mover = rng.getrandbits(64) & ~(1 << square)
            opponent = ALL & ~mover & ~(1 << square)
            assert kernel.last_flips(mover, square) == kernel.flips(mover, opponent, square).bit_count()


@pytest.mark.parametrize("square", [-1, 64, 1000])
def test_squares_off_the_board_are_refused(square: int) -> None:
    with pytest.raises(ValueError, match=f"square {square}: not one of 0 to 63"):
        kernel.flips(*START, square)
    with pytest.raises(ValueError, match=f"square {square}: not one of 0 to 63"):
        kernel.last_flips(START[0], square)


def test_occupied_square_flips_nothing() -> None:
    mover, opponent = START
    assert all(kernel.flips(mover, opponent, square) == 0 for square in squares_of(mover | opponent))


def test_bitboards_outside_64_bits_are_refused() -> None:
    for call in (kernel.legal_moves, kernel.final_score, stable_discs):
        with pytest.raises(OverflowError):
            call(1 << 64, 0)
        with pytest.raises(OverflowError):
            call(0, -1)


def test_perft_refuses_a_negative_depth() -> None:
    with pytest.raises(ValueError, match="depth -1"):
        kernel.perft(*START, -1)


def test_perft_is_the_same_from_symmetric_images() -> None:
    mover, opponent = played(random.Random(3), 40)

    def upside_down(bits: int) -> int:
        return int.from_bytes(bits.to_bytes(8, "little"), "big")

    assert kernel.perft(upside_down(mover), upside_down(opponent), 5) == kernel.perft(mover, opponent, 5)


def flipped_ever(mover: int, opponent: int, known: dict[BitboardPair, int]) -> int:
    """Return the occupied squares whose discs are flipped in some continuation; `known` is a cache."""
    flipped = known.get((mover, opponent))
    if flipped is None:
        flipped = 0
        for square in squares_of(kernel.legal_moves(mover, opponent)):
            flipped |= kernel.flips(mover, opponent, square)
            flipped |= flipped_ever(*after(mover, opponent, square), known) & (mover | opponent)
        if not kernel.legal_moves(mover, opponent) and kernel.legal_moves(opponent, mover):
            flipped = flipped_ever(opponent, mover, known)
        known[mover, opponent] = flipped
    return flipped


def test_no_continuation_of_an_endgame_flips_a_stable_disc() -> None:
    rng = random.Random(4)
    stable = 0
    for number in range(140):
        known: dict[BitboardPair, int] = {}
        flipped_ever(*(played(rng, 6) if number < 60 else filled(rng, 5, rng.choice((0.2, 0.5, 0.8)))), known)
        for (mover, opponent), flipped in known.items():
            own = stable_discs(mover, opponent)
            assert own & ~mover == 0 and own & flipped == 0, f"{mover:#x} {opponent:#x}"
            stable += own.bit_count()
    assert stable > 100_000, "the positions have too few stable discs to show anything"


def test_no_random_game_flips_a_stable_disc() -> None:
    rng = random.Random(5)
    stable_ever = 0
    for _ in range(400):
        own = theirs = 0
        for mover, opponent in random_game(rng):
            assert own & ~mover == 0 and theirs & ~opponent == 0
            own, theirs = stable_discs(mover, opponent), stable_discs(opponent, mover)
            assert own & ~mover == 0 and theirs & ~opponent == 0
            stable_ever += own.bit_count()
            own, theirs = theirs, own  # the next position is seen from the other side
    assert stable_ever > 10_000


def test_full_board_is_stable() -> None:
    rng = random.Random(6)
    for _ in range(50):
        mover, opponent = filled(rng, 0, rng.random())
        assert stable_discs(mover, opponent) == mover


@functools.cache
def edge_flipped_ever(cells: str) -> frozenset[int]:
    """Return the places of an edge's discs that some sequence of moves of both sides on the edge flips."""
    flipped: set[int] = set()
    for place, cell in enumerate(cells):
        if cell != "-":
            continue
        for player, other in ("XO", "OX"):
            turned: list[int] = []
            for step in (-1, 1):
                run = []
                reached = place + step
                while 0 <= reached < 8 and cells[reached] == other:
                    run.append(reached)
                    reached += step
                if 0 <= reached < 8 and cells[reached] == player:
                    turned += run
            child = list(cells)
            child[place] = player
            for at in turned:
                child[at] = player
            flipped |= set(turned) | edge_flipped_ever("".join(child))
    return frozenset(at for at in flipped if cells[at] != "-")


def edges() -> list[str]:
    """Return all fillings of an edge."""
    return ["".join("-XO"[number // 3**place % 3] for place in range(8)) for number in range(3**8)]


def test_edge_table_against_all_sequences_of_moves() -> None:
    """On an otherwise empty board, the stable discs are those of the edge table."""
    for cells in edges():
        own = sum(1 << place for place in range(8) if cells[place] == "X")
        theirs = sum(1 << place for place in range(8) if cells[place] == "O")
        expected = sum(1 << at for at in squares_of(own) if at not in edge_flipped_ever(cells))
        assert stable_discs(own, theirs) == expected, cells
        assert stable_discs(own << 56, theirs << 56) == expected << 56, cells
        column = [sum(1 << 8 * at for at in squares_of(bits)) for bits in (own, theirs, expected)]
        for file in (0, 7):
            found = stable_discs(column[0] << file, column[1] << file)
            assert found == column[2] << file, cells


def test_a_replay_against_single_moves() -> None:
    """Passes are inserted, and a replay ends at the first illegal move."""
    for seed in range(50):
        position = START
        moves: list[int] = []
        plies: list[int] = []
        rng = random.Random(seed)
        while True:
            mover, opponent = position
            legal = list(squares_of(kernel.legal_moves(mover, opponent)))
            if not legal:
                if not kernel.legal_moves(opponent, mover):
                    break
                plies.append(64)
                position = (opponent, mover)
                continue
            square = rng.choice(legal)
            moves.append(square)
            plies.append(square)
            position = after(*position, square)
        assert kernel.replay(*START, bytes(moves))[0] == bytes(plies)
        assert kernel.replay(*START, bytes(plies)) == (bytes(plies), *position, -1)
        assert kernel.replay(*START, bytes([*plies, 64, 64])) == (bytes(plies), *position, -1)
        assert kernel.replay(*START, bytes([*moves, moves[0]]))[3] == len(moves)


@pytest.mark.parametrize("move", [0, 27, 64, 65, 255])
def test_a_replay_names_the_illegal_move(move: int) -> None:
    assert kernel.replay(*START, bytes([37, move, 19])) == (b"\x25", *after(*START, 37), 1)

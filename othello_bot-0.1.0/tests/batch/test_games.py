"""Replayed and random games against `Game`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from othello_bot import batch
from othello_bot.base.notation import parse_transcript
from othello_bot.rules import Game, Position


def row(*moves: int, width: int = 60) -> Any:
    return np.array([[*moves, *[255] * (width - len(moves))]], np.uint8)


def test_random_games_do_not_depend_on_count_and_threads() -> None:
    games = batch.random_games(9000, 5)
    assert np.array_equal(games[:10], batch.random_games(10, 5))
    assert np.array_equal(games, batch.random_games(9000, 5, threads=2))
    assert not np.array_equal(games[:10], batch.random_games(10, 6))
    first = np.bincount(games[:, 0], minlength=64)
    assert set(np.flatnonzero(first)) == {19, 26, 37, 44} and first[[19, 26, 37, 44]].min() > 2000


def test_a_game_with_passes_left_out_and_written() -> None:
    rng = np.random.default_rng(4)
    checked = 0
    for transcript in batch.random_games(200, 8):
        moves = [int(move) for move in transcript if move != 255]
        game = Game()
        plies = game.play_moves(moves)
        checked += 64 in plies
        written = row(*plies, *[64] * int(rng.integers(0, 3)), width=70)
        left_out, explicit = batch.replay(row(*moves)), batch.replay(written)
        assert left_out.lengths[0] == len(moves) and explicit.lengths[0] == len(plies)
        assert explicit.passed.sum() == 0
        played = [ply for ply, move in enumerate(plies) if move != 64]
        assert left_out.passed[0, : len(moves)].tolist() == [ply > 0 and plies[ply - 1] == 64 for ply in played]
        for found, at in ((left_out, [*played, len(plies)]), (explicit, range(len(plies) + 1))):
            assert bool(found.over[0]) and int(found.scores[0]) == game.final_score and found.illegal[0] == -1
            for column, ply in enumerate(at):
                position = game.position_at(ply)
                boards = int(found.mover[0, column]), int(found.opponent[0, column])
                assert (*boards, found.color[0, column]) == (position.mover, position.opponent, position.color)
    assert checked > 20


def test_many_games_are_replayed_as_one_is() -> None:
    games = batch.random_games(9000, 5)
    for threads in (1, 3):
        many, few = batch.replay(games, threads=threads), batch.replay(games[-20:])
        for name in many._fields:
            assert np.array_equal(getattr(many, name)[-20:], getattr(few, name)), name


def test_unfinished_games_and_other_starts() -> None:
    game = Game.from_transcript("f5d6c3")
    found = batch.replay(row(*parse_transcript("d3c4")), start=game.position)
    after = Game.from_transcript("f5d6c3d3c4").position
    assert (int(found.mover[0, 2]), int(found.opponent[0, 2])) == (after.mover, after.opponent)
    assert found.color[0, :3].tolist() == [1, 0, 1]
    assert found.scores[0] == after.black_score() and not found.over[0]
    assert (found.mover[0, 3:] == 0).all() and (found.opponent[0, 3:] == 0).all()
    empty = batch.replay(np.zeros((0, 60), np.uint8))
    assert empty.mover.shape == (0, 61) and empty.scores.shape == (0,)
    assert batch.replay(np.zeros((2, 0), np.uint8)).lengths.tolist() == [0, 0]


def test_illegal_moves_are_raised_or_marked() -> None:
    games = np.concatenate([row(37, 43, 18), row(37, 0, 18), row(37, 43, 64), row(100), row()])
    with pytest.raises(ValueError, match="game 1, move 1 0: expected one of 29, 43, 45"):
        batch.replay(games)
    found = batch.replay(games, errors="mark")
    assert found.illegal.tolist() == [-1, 1, 2, 0, -1]
    assert found.lengths.tolist() == [3, 1, 2, 0, 0]
    with pytest.raises(ValueError, match="expected 255, the game is over"):
        batch.replay(row(2, 9), start=Position(1, 2))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"transcripts": row(37)[0]}, r"transcripts, shape \(60,\): expected a contiguous array of uint8 with 2 dim"),
        ({"transcripts": row(37).astype(np.int64)}, "transcripts, dtype 'int64'"),
        ({"transcripts": np.zeros((1, 129), np.uint8)}, "expected at most 128 columns"),
        ({"transcripts": row(37), "errors": "ignore"}, "errors 'ignore': expected raise or mark"),
        ({"transcripts": row(37), "start": "f5"}, "start 'f5': expected a Position"),
    ],
)
def test_what_is_no_transcript(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        batch.replay(**arguments)


@pytest.mark.parametrize(("count", "seed"), [(-1, 0), (1.0, 0), (1, -1), (1, 1 << 64), (None, 0)])
def test_counts_and_seeds(count: Any, seed: Any) -> None:
    with pytest.raises(ValueError, match="expected a whole number from 0"):
        batch.random_games(count, seed)

"""The ProbCut model and the gate."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from othello_bot import probcut
from othello_bot.arena.sprt import Verdict
from othello_bot.kernel import error_model
from othello_bot.kernel.searcher import Searcher
from othello_bot.learning import gate, probcut_statistics
from othello_bot.learning.workers import Workers

MIDGAME = [1.4, 0.35, -0.45, -0.01, -0.3, -0.8]
ENDGAME = [1.3, 0.4, -0.6, 0.1, -1.0, -0.2]


def test_kernel_has_the_formula_of_the_file() -> None:
    probcut.install()
    midgame_set, endgame_set = probcut.read_coefficients()
    for empties, depth, shallow in ((24, 8, 4), (40, 11, 5), (52, 3, 1), (20, 20, 8), (12, 12, 0)):
        expected = probcut.sigma(endgame_set if depth >= empties else midgame_set, empties, depth, shallow)
        assert error_model.probcut_sigma(empties, depth, shallow) == pytest.approx(expected, rel=1e-4)


def test_shallower_searches_are_further_off() -> None:
    midgame_set, _ = probcut.read_coefficients()
    sigmas = [probcut.sigma(midgame_set, 30, 10, shallow) for shallow in (0, 2, 4, 6, 8)]
    assert sigmas == sorted(sigmas, reverse=True)


@pytest.mark.parametrize(
    "content", ["", "{}", '{"midgame": [1], "endgame": [1]}', '{"midgame": "abcdef", "endgame": 1}']
)
def test_damaged_model_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(content)
    with pytest.raises(probcut.ProbCutError, match=r"model\.json"):
        probcut.read_coefficients(path)


def test_fit_finds_the_formula_behind_the_statistics() -> None:
    made = {
        (empties, depth, shallow): (
            probcut.sigma(ENDGAME if depth == empties else MIDGAME, empties, depth, shallow),
            400,
        )
        for empties in (10, 12, 14, 16, 20, 30, 40, 50)
        for depth in (*range(2, 10), *((empties,) if empties <= 20 else ()))
        for shallow in range(depth % 2, min(depth, 9), 2)
    }
    found_midgame, found_endgame, error = probcut_statistics.fit(made)
    assert error < 0.01
    assert probcut.sigma(found_midgame, 36, 12, 6) == pytest.approx(probcut.sigma(MIDGAME, 36, 12, 6), rel=0.03)
    assert probcut.sigma(found_endgame, 18, 18, 8) == pytest.approx(probcut.sigma(ENDGAME, 18, 18, 8), rel=0.03)


def test_statistics_come_from_pairs_of_one_parity() -> None:
    position = gate.opening(random.Random(1), Searcher(1))
    group = probcut_statistics.Group(64 - (position[0] | position[1]).bit_count(), (position,) * 12, (1, 2, 3, 4))
    with Workers(1) as workers:
        measured = probcut_statistics.measure(workers, None, [group])
    assert {key[1:] for key in measured} == {(1, 0), (2, 0), (3, 0), (4, 0), (3, 1), (4, 2)}


def test_openings_are_even_and_repeat_with_the_seed() -> None:
    judge = Searcher(1)
    start = gate.opening(random.Random(5), judge)
    assert start == gate.opening(random.Random(5), Searcher(1))
    assert abs(judge.score(*start, 6)[0]) <= gate.EVEN_DISCS


def test_the_gate_counts_pairs_from_the_view_of_the_new_function() -> None:
    """The shipped weights against the hand-made evaluation, very fast: the better one must come out ahead."""
    from othello_bot.weights import DEFAULT_FILE

    with Workers(1) as workers:
        *_, last = gate.run(workers, DEFAULT_FILE.read_bytes(), None, 0.0005, 8, 3)
    assert sum(last.counts) <= 8
    assert last.discs > 0
    assert last.verdict in (Verdict.CONTINUE, Verdict.H1)
    assert sum(points * count for points, count in enumerate(last.counts)) > 2 * sum(last.counts)

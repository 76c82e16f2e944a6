"""Tallies: phases and grades by their borders, accuracy by its definition, sums over games."""

from __future__ import annotations

import pytest

from othello_bot.review import Grade, LossTally, Phase, PlayerTally, grade_of, phase_of


@pytest.mark.parametrize(
    ("empties", "phase"),
    [
        (60, Phase.OPENING),
        (41, Phase.OPENING),
        (40, Phase.MIDGAME),
        (21, Phase.MIDGAME),
        (20, Phase.ENDGAME),
        (1, Phase.ENDGAME),
    ],
)
def test_each_phase_has_twenty_moves(empties: int, phase: Phase) -> None:
    assert phase_of(empties) is phase


@pytest.mark.parametrize(
    ("loss", "grade"),
    [
        (0, None),
        (1, Grade.INACCURACY),
        (5, Grade.INACCURACY),
        (6, Grade.MISTAKE),
        (11, Grade.MISTAKE),
        (12, Grade.BLUNDER),
        (128, Grade.BLUNDER),
    ],
)
def test_a_loss_has_the_grade_of_its_size(loss: int, grade: Grade | None) -> None:
    assert grade_of(loss) is grade


def test_accuracy_halves_with_every_six_discs() -> None:
    for loss, accuracy in ((0, 100), (6, 50), (12, 25)):
        tally = LossTally()
        tally.add(loss)
        assert tally.accuracy == accuracy
    tally.add(0)
    assert tally.accuracy == 62.5 and tally.mean_loss == 6


def test_no_moves_have_no_mean() -> None:
    assert LossTally().accuracy is None and LossTally().mean_loss is None


def test_a_player_is_counted_over_games_and_phases() -> None:
    player = PlayerTally()
    player.add_game([(60, 0), (41, 7), (30, 3)])
    player.add_game([(5, 12)])
    assert player.games == 2
    assert {phase: (tally.moves, tally.loss) for phase, tally in player.phases.items()} == {
        Phase.OPENING: (2, 7),
        Phase.MIDGAME: (1, 3),
        Phase.ENDGAME: (1, 12),
    }
    assert (player.total.moves, player.total.loss) == (4, 22)
    assert player.total.slips == {Grade.INACCURACY: 1, Grade.MISTAKE: 1, Grade.BLUNDER: 1}

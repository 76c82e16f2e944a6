"""Who meets whom: gauntlets with several seeds, and the formats in stages, Swiss and knockout."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from othello_bot.arena.config import MatchConfig, MatchFormat
from othello_bot.arena.errors import ConfigError
from othello_bot.arena.games import GameJob
from othello_bot.arena.match import Match, game_count, game_tasks, pairings, stage_count, stage_pairings
from othello_bot.arena.openings import RandomOpenings
from othello_bot.arena.report import report_lines
from othello_bot.arena.store import MatchStore
from othello_bot.arena.tally import Meeting
from othello_bot.base.notation import Color
from tests.arena.builders import Silent, SimulatedBackend, engines

pytestmark = pytest.mark.process

FOUR = engines(*(f"random name={name}" for name in "ABCD"))


def test_each_seed_plays_all_others_and_no_other_seed() -> None:
    config = MatchConfig(engines=FOUR, format=MatchFormat.GAUNTLET, seeds=2, rounds=3)
    assert pairings(config) == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert len(list(game_tasks(config))) == game_count(config) == 24


def test_a_gauntlet_of_one_keeps_its_key() -> None:
    assert "seeds" not in MatchConfig(engines=FOUR, format=MatchFormat.GAUNTLET).identity
    assert pairings(MatchConfig(engines=FOUR, format=MatchFormat.GAUNTLET)) == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize(("form", "seeds"), [("gauntlet", 0), ("gauntlet", 4), ("round-robin", 2)])
def test_seeds_that_make_no_gauntlet(form: str, seeds: int) -> None:
    with pytest.raises(ConfigError, match="seeds"):
        MatchConfig(engines=FOUR, format=MatchFormat(form), seeds=seeds)


# -- in stages --------------------------------------------------------------------------------------------------------


def of_so_many(players: int, form: str, **settings: object) -> MatchConfig:
    """Return a match between players named 0, 1, 2, ..."""
    named = engines(*(f"random name={number}" for number in range(players)))
    return MatchConfig(engines=named, format=MatchFormat(form), **settings)  # type: ignore[arg-type]


def better_first(job: GameJob) -> Color:
    """Return the player with the greater number as the loser."""
    return Color.WHITE if int(job.black.name) < int(job.white.name) else Color.BLACK


def played(config: MatchConfig, path: Path, backend: SimulatedBackend) -> list[str]:
    """Play a match, and return its report."""
    with MatchStore(path) as store:
        match = Match(config, RandomOpenings(8, 1), store, backend)
        match.run(Silent())
        assert match.tally.games == game_count(config)
        return report_lines(store, match.stored)


@pytest.mark.parametrize("form", ["swiss", "knockout"])
@pytest.mark.parametrize("players", [2, 3, 5, 6, 8, 13])
def test_the_best_player_wins_and_nobody_meets_another_twice(form: str, players: int, tmp_path: Path) -> None:
    config = of_so_many(players, form, rounds=2)
    lines = played(config, tmp_path / "m.db", SimulatedBackend(better_first, slots=3))
    stages = [line for line in lines if line.startswith("stage ")]
    assert len(stages) == stage_count(config)
    met = [tuple(sorted(part.split()[::4])) for line in stages for part in line.partition(": ")[2].split(", ")]
    assert len(met) == len(set(met)) == game_count(config) // 4
    result = lines[-1]
    if form == "knockout":
        assert result == "0 has won the knockout" and len(met) == players - 1
        assert stages[-1] == f"stage {len(stages)}: 0 4 - 0 1"
    else:
        assert result.startswith("stages won (points): 0 ")
        assert len(met) == stage_count(config) * (players // 2)


def test_equal_scores_meet_in_a_swiss_match(tmp_path: Path) -> None:
    lines = played(of_so_many(5, "swiss", rounds=1), tmp_path / "m.db", SimulatedBackend(better_first))
    assert [line for line in lines if line.startswith("stage")] == [
        "stage 1: 0 2 - 0 1, 2 2 - 0 3",
        "stage 2: 0 2 - 0 2, 4 0 - 2 1",
        "stages won (points): 0 2 (4), 1 1 (2), 2 1 (2), 3 1 (0), 4 1 (0)",
    ]


@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_a_match_in_stages_goes_on_where_it_was_stopped(form: str, tmp_path: Path) -> None:
    """At every game; and two arenas that take turns find the same pairings."""
    config = of_so_many(6, form, rounds=1)
    whole = played(config, tmp_path / "whole.db", SimulatedBackend(better_first))

    class Stopping(SimulatedBackend):
        def wait(self, timeout_s: float) -> list[object]:  # type: ignore[override]
            if self.played > 1:
                raise KeyboardInterrupt
            return super().wait(timeout_s)  # type: ignore[return-value]

    path = tmp_path / "parts.db"
    for _ in range(game_count(config)):
        try:
            parts = played(config, path, Stopping(better_first, slots=1))
        except KeyboardInterrupt:
            continue
    assert parts[1:] == whole[1:]


def test_a_drawn_knockout_goes_to_discs_and_then_to_the_first() -> None:
    config = of_so_many(4, "knockout", rounds=1)

    def meeting(discs: float) -> Meeting:
        made = Meeting(wins=1, losses=1)
        made.discs.add(discs)
        return made

    assert stage_pairings(config, 0, {}) == [(0, 3), (1, 2)]
    assert stage_pairings(config, 1, {(0, 3): meeting(0)}) is None
    assert stage_pairings(config, 1, {(0, 3): meeting(0), (1, 2): meeting(0)}) == [(0, 1)]
    assert stage_pairings(config, 1, {(0, 3): meeting(-2), (1, 2): meeting(4)}) == [(1, 3)]


def test_a_long_swiss_match_with_random_results_finds_pairings_in_every_stage() -> None:
    for players in (9, 40):
        config = of_so_many(players, "swiss", rounds=1, stages=players // 2)
        rng = random.Random(players)
        meetings: dict[tuple[int, int], Meeting] = {}
        for stage in range(config.stages or 0):
            found = stage_pairings(config, stage, meetings)
            assert found is not None and len({slot for pair in found for slot in pair}) == players // 2 * 2
            for pair in found:
                assert pair not in meetings and pair[::-1] not in meetings
                wins = rng.randrange(3)
                meetings[pair] = Meeting(wins=wins, losses=2 - wins)


def test_more_rounds_are_another_match_in_stages_only() -> None:
    keys = {
        form: [of_so_many(4, form, rounds=rounds).key for rounds in (1, 2)]
        for form in ("swiss", "knockout", "round-robin")
    }
    assert [len(set(found)) for found in keys.values()] == [2, 2, 1]


@pytest.mark.parametrize(("form", "stages"), [("swiss", 0), ("swiss", 3), ("knockout", 2), ("round-robin", 1)])
def test_stages_that_make_no_match(form: str, stages: int) -> None:
    with pytest.raises(ConfigError, match="stages"):
        of_so_many(5, form, stages=stages)

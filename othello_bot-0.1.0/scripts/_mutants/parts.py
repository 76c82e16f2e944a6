"""The parts of the code whose tests are checked: their modules, and the tests that should find a fault in them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Part:
    """Patterns of the files that get faults, the tests that should find them, and those among them that are not run,
    because they take too long.
    """

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    slow: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of pytest."""
        return (*self.tests, *(f"--deselect={test}" for test in self.slow))

    def files(self, root: Path) -> list[Path]:
        """Return the modules as paths relative to `root`, sorted; raise SystemExit for a pattern without matches."""
        found: list[Path] = []
        for pattern in self.modules:
            matching = sorted(path.relative_to(root) for path in root.glob(pattern) if path.name != "__init__.py")
            if not matching:
                raise SystemExit(f"scripts/mutate: {pattern} names no file")
            found += matching
        return found


VALUES = "tests/house/test_values.py"
"""The test of dataclasses, which finds faults in their declarations."""

PARTS = {
    "rules": Part(
        ("othello_bot/rules/*.py",),
        ("tests/rules", "tests/formats", VALUES),
        ("tests/rules/test_kernel_against_oracle.py::test_positions_of_random_games",),
    ),
    "clock": Part(
        ("othello_bot/engine/time_manager.py", "othello_bot/base/clocks.py"),
        ("tests/engine/test_time_manager.py", "tests/base/test_clocks.py", "tests/session", VALUES),
    ),
    "deepening": Part(
        ("othello_bot/engine/deepening.py", "othello_bot/engine/levels.py", "othello_bot/engine/limits.py"),
        (
            "tests/engine/test_deepening.py",
            "tests/engine/test_windows.py",
            "tests/engine/test_levels.py",
            "tests/engine/test_limits.py",
            "tests/engine/test_evaluation_file.py",
            "tests/engine/test_variety.py",
            VALUES,
        ),
    ),
    "pondering": Part(
        ("othello_bot/engine/ponder.py",),
        (
            "tests/engine/test_ponder.py",
            "tests/engine/test_ponder_plan.py",
            VALUES,
        ),
    ),
    "session": Part(
        ("othello_bot/session/*.py", "othello_bot/game/*.py"),
        (
            "tests/session",
            "tests/game/test_live.py",
            "tests/dialects/test_conformance.py",
            "tests/dialects/test_json.py",
            VALUES,
        ),
    ),
    "book": Part(
        ("othello_bot/book/*.py", "othello_bot/book_growing/*.py"),
        ("tests/book", "tests/book_growing", VALUES),
        (
            "tests/book_growing/test_growing.py::test_several_threads_search_at_once",
            "tests/book_growing/test_growing.py::test_workers_search_as_threads_do",
            "tests/book_growing/test_growing.py::test_workers_end_when_nothing_is_within_reach",
            "tests/book_growing/test_growing.py::test_a_killed_grower_loses_nothing_that_it_reported",
            "tests/book_growing/test_growing.py::test_two_processes_read_while_one_grows",
        ),
    ),
    "protocol": Part(
        ("protocol/*.py", "othello_bot/base/*.py"),
        ("tests/protocol", "tests/base", "tests/house/test_posix.py", VALUES),
        ("tests/protocol/test_fuzzing.py::test_every_target_takes_any_input",),
    ),
    "arena": Part(
        ("othello_bot/arena/*.py",),
        ("tests/arena", VALUES),
        (
            "tests/arena/test_cluster.py::test_a_worker_that_dies_in_mid_match_loses_no_game_and_counts_none_twice",
            "tests/arena/test_cluster.py::test_no_engine_stays_behind_on_the_cluster",
            "tests/arena/test_cluster.py::test_an_engine_that_cannot_be_used_ends_the_match",
            "tests/arena/test_cluster.py::test_a_worker_is_given_the_files_that_it_lacks",
            "tests/arena/test_match.py::test_a_worker_that_is_killed_loses_no_game_and_repeats_none",
            "tests/arena/test_match.py::test_a_game_that_kills_every_worker_ends_the_match",
            "tests/arena/test_match.py::test_closing_ends_workers_and_engines_in_mid_game",
            "tests/arena/test_match.py::test_two_arenas_share_one_match",
            "tests/arena/test_store.py::test_a_new_store_opened_by_many_at_once",
        ),
    ),
}
"""By name."""

FOUND_GOAL = 0.9
"""The share of faults that the tests of a part should find."""

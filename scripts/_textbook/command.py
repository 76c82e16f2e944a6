"""The command line of the measurements: what to run, for how long, and where to write."""

from __future__ import annotations

import argparse
import datetime
import time
from collections.abc import Sequence
from pathlib import Path

from _textbook.ends import endgame
from _textbook.experiment import Experiment
from _textbook.games import engine_series, iago_series, versus_random
from _textbook.learning import learning
from _textbook.page import write_page
from _textbook.searches import orders, zero_window
from _textbook.store import Store, default_folder
from _textbook.switching import switches

PAGE = Path(__file__).resolve().parents[2] / "docs" / "textbook.md"
NAMES = ("random", "iago", "orders", "zero-window", "switches", "endgame", "learning", "engine")
STOPPED = 130


def all_experiments(options: argparse.Namespace) -> list[Experiment]:
    """Return the experiments at the size that the options set."""
    games, positions, depth = options.games, options.positions, options.depth
    return [
        versus_random(games, options.random_depth),
        iago_series(games // 2),
        orders(positions, depth),
        zero_window(positions, depth),
        switches(positions, depth - 1, games // 4),
        endgame(positions),
        learning(5, 4 * positions, 30 * positions),
        engine_series(games // 4),
    ]


class TimeIsUp(Exception):
    """The time of the whole run is over."""


class Runner:
    """Runs the unfinished units within the limits of time."""

    def __init__(self, store: Store, cell_s: float, end_s: float) -> None:
        self._store = store
        self._cell_s = cell_s
        self._end_s = end_s
        self.done = 0

    def run(self, experiment: Experiment) -> None:
        """Run an experiment's units; raise TimeIsUp between two of them."""
        spent = self._spent(experiment)
        left = [unit for unit in experiment.units if self._store.get(experiment.name, unit.key) is None]
        say(f"{experiment.name}: {experiment.title}; {len(left)} of {len(experiment.units)} units to do")
        for number, unit in enumerate(left, 1):
            if spent.get(unit.cell, 0.0) >= self._cell_s:
                continue
            if time.monotonic() >= self._end_s:
                raise TimeIsUp
            begin = time.process_time()
            values = unit.work()
            # Processor time, so that the size of a sample does not depend on the machine's other work.
            took = time.process_time() - begin
            spent[unit.cell] = spent.get(unit.cell, 0.0) + took
            self._store.put(experiment.name, unit.key, {**values, "took": took}, datetime.date.today().isoformat())
            self.done += 1
            say(f"  {experiment.name} {number}/{len(left)}  {unit.key}  {took:.2f} s")
            if spent[unit.cell] >= self._cell_s:
                say(f"  {unit.cell}: its {self._cell_s / 60:g} minutes are up, the rest is skipped")

    def _spent(self, experiment: Experiment) -> dict[str, float]:
        """Return the seconds that earlier runs have spent on each cell."""
        spent: dict[str, float] = {}
        for unit in experiment.units:
            values = self._store.get(experiment.name, unit.key)
            if values is not None:
                spent[unit.cell] = spent.get(unit.cell, 0.0) + values["took"]
        return spent


def say(text: str) -> None:
    """Print a line and flush it, so that a log shows the progress."""
    print(text, flush=True)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="Measure again what was published about the textbook opponents.")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=list(NAMES), help="the experiments to run")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end the run after so many minutes")
    parser.add_argument("--cell-minutes", type=float, default=10.0, help="processor time for a row (10)")
    parser.add_argument("--games", type=int, default=100, help="games against random play; others follow (100)")
    parser.add_argument("--random-depth", type=int, default=6, help="deepest search against random play (6)")
    parser.add_argument("--positions", type=int, default=50, help="positions for counts of boards (50)")
    parser.add_argument("--depth", type=int, default=6, help="plies for counts of boards (6)")
    parser.add_argument("--cache", type=Path, default=default_folder(), help="folder of finished work")
    parser.add_argument("--output", type=Path, default=PAGE, help="the page to write")
    parser.add_argument("--page-only", action="store_true", help="write the page from finished work only")
    options = parser.parse_args(words)
    if options.games < 4 or options.positions < 1 or options.depth < 2:
        parser.error("expected at least 4 games, 1 position and depth 2")
    return options


def main(words: Sequence[str] | None = None) -> int:
    """Measure, write the page, and return 0, or 130 after a signal."""
    options = arguments(words)
    store = Store(options.cache)
    experiments = all_experiments(options)
    runner = Runner(store, 60 * options.cell_minutes, time.monotonic() + 60 * options.minutes)
    code = 0
    try:
        if not options.page_only:
            for experiment in experiments:
                if experiment.name in options.only:
                    runner.run(experiment)
    except TimeIsUp:
        say(f"the {options.minutes:g} minutes are up; run it again to go on")
    except KeyboardInterrupt:
        say("stopped; run it again to go on")
        code = STOPPED
    say(f"{runner.done} units done")
    if not write_page(options.output, experiments, store):
        say("no plots: matplotlib is missing, it comes with the extra arena")
    say(f"written: {options.output}")
    return code

"""A round of fits over all stages, and what it leaves behind: the function so far and the report's numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot import weights as weights_file
from othello_bot.learning import boards, calibration, columns, fit
from othello_bot.learning.progress import shown
from othello_bot.learning.store import EXACT, Records, Store
from othello_bot.learning.workers import Workers

#: Highest number of empties of each stage: two by two where games are decided, coarser in the opening. 25 stages fill
#: 12 MiB.
STAGE_ENDS: Final = (2, *range(4, 41, 2), 42, 44, 47, 51, 60)
STAGE_OF_EMPTIES: Final = tuple(int(np.searchsorted(STAGE_ENDS, count)) for count in range(61))
STAGES: Final = len(STAGE_ENDS)


def empties_of_stage(stage: int) -> range:
    """Return the numbers of empties that a stage serves."""
    return range(STAGE_ENDS[stage - 1] + 1 if stage else 0, STAGE_ENDS[stage] + 1)


class Function:
    """The weights of all stages in discs (float32, stages x reduced weights), and which stages have been fitted."""

    def __init__(self) -> None:
        self.weights: fit.Reals = np.zeros((STAGES, columns.reduced_size()), np.float32)
        self.fitted: NDArray[np.bool_] = np.zeros(STAGES, np.bool_)

    @classmethod
    def from_bytes(cls, data: bytes) -> Function:
        """Return the function in a weights file's content; stages of zeros count as not fitted. Raise WeightsError."""
        result = cls()
        stage_of_empties, reduced = weights_file.split(data)
        if tuple(stage_of_empties) != STAGE_OF_EMPTIES:
            raise weights_file.WeightsError(f"stages {list(stage_of_empties)}: expected {list(STAGE_OF_EMPTIES)}")
        entries = np.frombuffer(reduced, "<i2").reshape(STAGES, -1)
        result.weights = entries.astype(np.float32) / np.float32(columns.UNIT)
        result.fitted = np.any(entries != 0, axis=1)
        return result

    def to_bytes(self) -> bytes:
        """Return the content of a weights file.

        Stages that are not fitted lend the weights of the nearest fitted one.
        """
        served = [self.nearest(stage) for stage in range(STAGES)]
        reduced = np.clip(np.rint(self.weights[served] * columns.UNIT), -32767, 32767).astype("<i2")
        return weights_file.to_bytes(STAGE_OF_EMPTIES, reduced.tobytes())

    def nearest(self, stage: int) -> int:
        """Return the fitted stage next to `stage` (itself, if it is); `stage` where none is fitted."""
        fitted = self.fitted.nonzero()[0]
        return int(fitted[np.abs(fitted - stage).argmin()]) if len(fitted) else stage

    def prior(self, stage: int) -> fit.Reals:
        """Return what the neighbouring stages say about a stage: the mean of the fitted ones, zeros where there is
        none.
        """
        around = [other for other in (stage - 1, stage + 1) if 0 <= other < STAGES and self.fitted[other]]
        if not around:
            around = [self.nearest(stage)]
        result: fit.Reals = self.weights[around].mean(axis=0)
        return result


def collect(store: Store, stages: range, excluded: NDArray[np.uint64], earliest: int = 1) -> dict[int, Records]:
    """Return the labelled positions of the stages and their neighbours by number of empties.

    Each comes once under symmetry, with the best label it has; labels of rounds before the `earliest` are left out.
    """
    lowest = max(empties_of_stage(stages[0]).start - 2, 0)
    highest = min(empties_of_stage(stages[-1]).stop + 1, 60)
    parts: dict[int, list[Records]] = {count: [] for count in range(lowest, highest + 1)}
    for records in store.labelled(lowest, highest, excluded, earliest):
        present = boards.empties(records["mover"], records["opponent"])
        for count in np.unique(present):
            parts[int(count)].append(records[present == count])
    return {count: _best_labels(np.concatenate(records)) for count, records in parts.items() if records}


def _best_labels(records: Records) -> Records:
    """Return each position once: an exact label before a later round's before a deeper one."""
    names = boards.keys(records["mover"], records["opponent"])
    quality = (records["depth"] == EXACT) * 65536 + records["round"].astype(np.int32) * 256 + records["depth"]
    order = np.lexsort((-quality, names))
    names = names[order]
    first = np.concatenate(([True], names[1:] != names[:-1]))
    return records[order[first]]


def has_positions(by_empties: dict[int, Records], stage: int) -> bool:
    """Return whether there is anything to fit a stage to."""
    return any(len(by_empties.get(count, ())) for count in empties_of_stage(stage))


def sample(
    by_empties: dict[int, Records], stage: int, options: fit.Options, factors: Mapping[int, float] | None = None
) -> fit.Sample:
    """Return a stage's positions and those of its neighbours, their labels stretched by `factors`."""
    own = empties_of_stage(stage)
    counts = [(count, 1.0) for count in own]
    for distance, weight in enumerate(options.neighbours):
        counts += [(own.start - 1 - distance, weight), (own.stop + distance, weight)]
    parts = [(by_empties[count], weight) for count, weight in counts if count in by_empties]
    records = np.concatenate([part for part, _ in parts])
    importance = np.concatenate([np.full(len(part), weight, np.float32) for part, weight in parts])
    present = boards.empties(records["mover"], records["opponent"])
    return fit.Sample(
        records["mover"].copy(),
        records["opponent"].copy(),
        calibration.stretched(records, factors or {}),
        importance,
        (present >= own.start) & (present < own.stop),
        fit.is_held_out(boards.keys(records["mover"], records["opponent"])),
    )


def fit_stages(
    workers: Workers,
    by_empties: dict[int, Records],
    function: Function,
    stages: Sequence[int],
    options: fit.Options,
    factors: Mapping[int, float] | None = None,
) -> list[fit.Fitted]:
    """Fit the stages, each from its own weights so far (or its neighbours'), and put the results into `function`.

    `factors`: by what the labels of searches are stretched (see calibration.py).
    """

    def arguments() -> Iterator[tuple[Any, ...]]:
        for stage in stages:
            prior = function.prior(stage)
            start = function.weights[stage] if function.fitted[stage] else prior
            yield stage, sample(by_empties, stage, options, factors), start, prior, options

    results = []
    title = f"stages {min(stages)}-{max(stages)}"
    for _, fitted in shown(workers.each(fit.fit_stage, arguments()), len(stages), title):
        function.weights[fitted.stage] = fitted.weights
        function.fitted[fitted.stage] = True
        results.append(fitted)
    return sorted(results, key=lambda fitted: fitted.stage)

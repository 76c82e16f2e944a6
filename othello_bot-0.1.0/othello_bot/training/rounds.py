"""A round of fits over all stages, and its results: the function so far and the numbers of the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_bot.cluster import Workers
from othello_bot.evaluation import weights as weights_file
from othello_bot.training import boards, fit, labels
from othello_bot.training.boards import EXACT, PositionStore, Records
from othello_bot.training.progress import State, Unfinished, fingerprint, shown

BLOCK_ENDS: Final = (*range(4, 29, 4), 34, 42, 60)
"""Highest number of empties in each block of stages."""


def stages_between(block_ends: Sequence[int]) -> tuple[int, ...]:
    """Return the stage of each of 61 numbers of empties, given the highest of each block.

    A block has two stages, one for even and one for odd numbers: the value of a late position depends much on who moves
    last.
    """
    return tuple(2 * int(np.searchsorted(block_ends, count)) + count % 2 for count in range(61))


STAGE_OF_EMPTIES: Final = stages_between(BLOCK_ENDS)
STAGES: Final = 2 * len(BLOCK_ENDS)


def empties_of_stage(stage: int) -> tuple[int, ...]:
    """Return the numbers of empties that a stage serves, in order: all even or all odd."""
    return tuple(count for count in range(61) if STAGE_OF_EMPTIES[count] == stage)


def taken_over(parts: weights_file.Parts, stage_of_empties: Sequence[int]) -> fit.Reals:
    """Return the tables of a weights file converted to other stages, in discs (float32, stages x reduced weights).

    Each new stage is the mean of the old ones that served its numbers of empties.
    """
    entries = np.frombuffer(parts.reduced, "<i2").reshape(max(parts.stage_of_empties) + 1, -1)
    result: fit.Reals = np.empty((max(stage_of_empties) + 1, entries.shape[1]), np.float32)
    for stage in range(len(result)):
        served = [old for old, new in zip(parts.stage_of_empties, stage_of_empties, strict=True) if new == stage]
        result[stage] = entries[served].mean(axis=0, dtype=np.float32) / np.float32(fit.UNIT)
    return result


def in_units(tables: fit.Reals) -> bytes:
    """Return tables given in discs in the units of a weights file."""
    return bytes(np.clip(np.rint(tables * fit.UNIT), -32767, 32767).astype("<i2").tobytes())


class Function:
    """The weights of all stages in discs (float32, stages x reduced weights), and which stages are fitted."""

    def __init__(self) -> None:
        self.weights: fit.Reals = np.zeros((STAGES, fit.reduced_size()), np.float32)
        self.fitted: NDArray[np.bool_] = np.zeros(STAGES, np.bool_)

    @classmethod
    def from_bytes(cls, data: bytes) -> Function:
        """Return the function in a weights file's content; stages of zeros count as not fitted. Raise WeightsError.

        The tables of a file with other stages are converted. Its factors are dropped: they were fitted to the residuals
        of its tables, not to those of new ones.
        """
        result = cls()
        result.weights = taken_over(weights_file.split(data), STAGE_OF_EMPTIES)
        result.fitted = np.any(result.weights != 0, axis=1)
        return result

    def to_bytes(self) -> bytes:
        """Return the content of a weights file.

        Stages that are not fitted get the weights of the nearest fitted one.
        """
        served = [self.nearest(stage) for stage in range(STAGES)]
        return weights_file.to_bytes(STAGE_OF_EMPTIES, in_units(self.weights[served]))

    def nearest(self, stage: int) -> int:
        """Return the fitted stage nearest to `stage`, possibly itself; `stage` if none is fitted."""
        fitted = self.fitted.nonzero()[0]
        return int(fitted[np.abs(fitted - stage).argmin()]) if len(fitted) else stage

    def prior(self, stage: int) -> fit.Reals:
        """Return the prior of a stage: the mean of the fitted stages before and after it of the same parity.

        Without those, the nearest fitted stage; zeros if no stage is fitted.
        """
        around = [other for other in (stage - 2, stage + 2) if 0 <= other < STAGES and self.fitted[other]]
        if not around:
            around = [self.nearest(stage)]
        result: fit.Reals = self.weights[around].mean(axis=0)
        return result


_REACH: Final = 2
"""Largest difference in empties at which a position still belongs to the fit of a stage."""


def collect(
    store: PositionStore,
    stages: range,
    excluded: NDArray[np.uint64],
    earliest: int = 1,
) -> dict[int, Records]:
    """Return the labelled positions of the stages and their neighbours by number of empties.

    Each comes once under symmetry, with its best label; labels of rounds before `earliest` are skipped.
    """
    counts = [count for stage in stages for count in empties_of_stage(stage)]
    numbers = range(max(min(counts) - _REACH, 0), min(max(counts) + _REACH, 60) + 1)
    return best_by_empties(store, numbers, excluded, earliest)


def best_by_empties(
    store: PositionStore,
    numbers: range,
    excluded: NDArray[np.uint64],
    earliest: int = 1,
    shards: Sequence[Path] | None = None,
) -> dict[int, Records]:
    """Return the labelled positions with those numbers of empties, as collect() does, from `shards` if given."""
    parts: dict[int, list[Records]] = {count: [] for count in numbers}
    for records in store.labelled(numbers.start, numbers.stop - 1, excluded, earliest, shards):
        present = boards.empties(records["mover"], records["opponent"])
        for count in np.unique(present):
            parts[int(count)].append(records[present == count])
    return {count: _best_labels(np.concatenate(records)) for count, records in parts.items() if records}


def _best_labels(records: Records) -> Records:
    """Return each position once: exact labels before others, then later rounds, then deeper searches."""
    names = boards.keys(records["mover"], records["opponent"])
    quality = (records["depth"] == EXACT) * 65536 + records["round"].astype(np.int32) * 256 + records["depth"]
    order = np.lexsort((-quality, names))
    names = names[order]
    first = np.concatenate(([True], names[1:] != names[:-1]))
    return records[order[first]]


def has_positions(by_empties: dict[int, Records], stage: int) -> bool:
    """Return whether a stage has positions to fit."""
    return any(len(by_empties.get(count, ())) for count in empties_of_stage(stage))


def sample(
    by_empties: dict[int, Records], stage: int, options: fit.FitOptions, factors: labels.LabelFactors | None = None
) -> fit.Sample:
    """Return the positions of a stage and of its neighbours, with labels stretched by `factors`."""
    own = empties_of_stage(stage)
    weight_of = dict.fromkeys(own, 1.0)
    for distance, weight in ((2, options.same_parity), (1, options.other_parity)):
        for count in own:
            weight_of.setdefault(count - distance, weight)
            weight_of.setdefault(count + distance, weight)
    parts = [(by_empties[count], weight) for count, weight in weight_of.items() if weight and count in by_empties]
    records = np.concatenate([part for part, _ in parts])
    importance = np.concatenate([np.full(len(part), weight, np.float32) for part, weight in parts])
    present = boards.empties(records["mover"], records["opponent"])
    return fit.Sample(
        records["mover"].copy(),
        records["opponent"].copy(),
        labels.stretched(records, factors or {}),
        importance,
        np.isin(present, own),
        fit.is_held_out(boards.keys(records["mover"], records["opponent"])),
    )


def fit_stages(
    workers: Workers,
    by_empties: dict[int, Records],
    function: Function,
    stages: Sequence[int],
    options: fit.FitOptions,
    factors: labels.LabelFactors | None = None,
    unfinished: Unfinished | None = None,
) -> list[fit.Fitted]:
    """Fit the stages, each from its current weights (or its neighbours'), and put the results into `function`.

    Every other block comes first, then those between, which depend on the former. So the result does not depend on the
    order in which tasks end. `factors`: those by which labels from searches are stretched (see labels.py).
    `unfinished`: the file that keeps finished stages; if the fit is killed, the same fit continues with the others. The
    caller removes it once the result is safe.
    """
    mark, done = "", State()
    if unfinished is not None:
        counts = sorted(by_empties)
        arrays = (function.weights, function.fitted, *(by_empties[count] for count in counts))
        mark = fingerprint((options, factors, list(stages), counts), arrays)
        done = unfinished.load(mark) or done

    def arguments(missing: Sequence[tuple[int, fit.Reals]]) -> Iterator[tuple[Any, ...]]:
        for stage, prior in missing:
            start = function.weights[stage] if function.fitted[stage] else prior
            yield stage, sample(by_empties, stage, options, factors), start, prior, options

    results: list[fit.Fitted] = []
    for chosen in filter(None, ([stage for stage in stages if stage // 2 % 2 == odd] for odd in (0, 1))):
        priors = [function.prior(stage) for stage in chosen]
        title = f"stages {min(stages)}-{max(stages)}, {len(chosen)} of {len(stages)}"
        missing = []
        for stage, prior in zip(chosen, priors, strict=True):
            restored = fit.Fitted.restored(stage, done)
            if restored is None:
                missing.append((stage, prior))
            else:
                results.append(restored)
        tasks = workers.each(fit.fit_stage, arguments(missing))
        for _, fitted in shown(tasks, len(chosen), title, len(chosen) - len(missing)):
            results.append(fitted)
            if unfinished is not None:
                done |= fitted.state()
                unfinished.save(mark, done)
        for fitted in results:
            function.weights[fitted.stage] = fitted.weights
        function.fitted[chosen] = True
    return sorted(results, key=lambda fitted: fitted.stage)

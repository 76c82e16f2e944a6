"""Step 3, the factors: fit them on top of a file's tables, and write both as one function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from othello_bot.base.errors import InputError
from othello_bot.base.files import write_whole
from othello_bot.evaluation import weights as weights_file
from othello_bot.training import columns, factor_fit, report, rounds
from othello_bot.training.factor_fit import Errors, Fitted
from othello_bot.training.factor_learner import Options
from othello_bot.training.factor_samples import Sample
from othello_bot.training.factors import PHASE_ENDS, PHASE_OF_EMPTIES, SIGNS
from othello_bot.training.unfinished import Unfinished

BLOCK_ENDS: Final = (6, 12, 18, 26, 36, 60)
"""Highest number of empties of each block of stages in a function with factors. There are fewer stages than in a
function of tables alone: within 12 MiB, more phases of rows are worth more than more stages of tables.
"""

STAGE_OF_EMPTIES: Final = rounds.stages_between(BLOCK_ENDS)


def tables_of(data: bytes, name: str = "weights") -> weights_file.Parts:
    """Return the tables of a weights file in the stages of a function with factors. Raise WeightsError."""
    tables = rounds.taken_over(weights_file.split(data, name), STAGE_OF_EMPTIES)
    return weights_file.split(weights_file.to_bytes(STAGE_OF_EMPTIES, rounds.in_units(tables)), name)


def factors_of(parts: weights_file.Parts, name: str = "weights") -> weights_file.Factors:
    """Return the factors of a file as the start of a fit.

    Raise InputError if it has none, or if its phases or stages are not those of this fit.
    """
    found, wanted = parts.factors, (PHASE_OF_EMPTIES.tobytes(), SIGNS.astype(np.int8).tobytes())
    if (
        found is None
        or (bytes(found.phase_of_empties), bytes(found.signs)) != wanted
        or tuple(parts.stage_of_empties) != STAGE_OF_EMPTIES
    ):
        phases, stages = (", ".join(map(str, ends)) for ends in (PHASE_ENDS, BLOCK_ENDS))
        expected = f"a function with factors of phases that end at {phases} empties, and stages at {stages}"
        raise InputError("--weights to continue with", name, expected)
    return found


def file_content(tables: weights_file.Parts, fitted: Fitted) -> bytes:
    """Return the content of a weights file: the start's tables with their changes, and the factors."""
    old = np.frombuffer(tables.reduced, "<i2").reshape(fitted.moved.shape)
    new = rounds.in_units(old / np.float32(columns.UNIT) + fitted.moved)
    return weights_file.to_bytes(tables.stage_of_empties, new, fitted.factors)


def fit_factors(
    tables: weights_file.Parts,
    trained: Sample,
    held: Sample,
    options: Options,
    path: Path,
    after_epoch: Callable[[int, float, Errors], None] | None = None,
    say: Callable[[str], None] | None = None,
    start: weights_file.Factors | None = None,
) -> Fitted:
    """Fit the factors; write the weights file `path` and the report beside it.

    `start`: factors to start from, which belong to these tables. A fit that was killed continues from its last save
    (see unfinished.py). `say` is told when that happens, and at the end which patterns matter most.
    """
    unfinished = Unfinished.of(path, say)
    fitted = factor_fit.train(trained, held, list(tables.stage_of_empties), options, after_epoch, unfinished, start)
    uses = report.factor_uses(fitted.factors, held)
    report.write_factors(fitted, uses, path.parent, path.stem)
    write_whole(path, file_content(tables, fitted))
    unfinished.remove()
    if say is not None:
        for use in uses:
            say(str(use))
    return fitted

"""Step 3, the factors: fitted on top of a file's tables, and written with these as one function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from othello_bot import weights as weights_file
from othello_bot.learning import columns, factor_fit, report
from othello_bot.learning.factor_fit import Errors, Fitted, Options
from othello_bot.learning.factor_samples import Sample
from othello_bot.whole_file import write_whole


def file_content(tables: weights_file.Parts, fitted: Fitted) -> bytes:
    """Return the content of a weights file: the tables of the fit's start, moved, with the factors."""
    old = np.frombuffer(tables.reduced, "<i2").reshape(fitted.moved.shape)
    new = np.clip(old + np.rint(fitted.moved * columns.UNIT), -32767, 32767).astype("<i2")
    return weights_file.to_bytes(tables.stage_of_empties, new.tobytes(), fitted.factors)


def fit_factors(
    tables: weights_file.Parts,
    trained: Sample,
    held: Sample,
    options: Options,
    path: Path,
    after_epoch: Callable[[int, float, Errors], None] | None = None,
) -> Fitted:
    """Fit the factors, and write the weights file `path` and the report beside it."""
    fitted = factor_fit.train(trained, held, list(tables.stage_of_empties), options, after_epoch)
    report.write_factors(fitted, path.parent, path.stem)
    write_whole(path, file_content(tables, fitted))
    return fitted

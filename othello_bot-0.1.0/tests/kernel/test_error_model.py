"""The ProbCut error model: its arguments, and the quantiles of the selectivities."""

from __future__ import annotations

from array import array
from statistics import NormalDist

import pytest

from othello_bot import kernel
from othello_bot.engine.limits import SELECTIVITIES


def test_probcut_model_refuses_what_is_no_model() -> None:
    six, five = array("d", [0.0] * 6), array("d", [0.0] * 5)
    for coefficients in ((five, six), (six, five)):
        with pytest.raises(ValueError, match="not 6 and 6"):
            kernel.ErrorModel(*coefficients)
    model = kernel.ErrorModel(six, six)
    for arguments in ((61, 1, 0), (1, 61, 0), (1, 1, 21), (-1, 0, 0)):
        with pytest.raises(ValueError, match="not within"):
            model.sigma(*arguments)


@pytest.mark.parametrize("index", range(len(SELECTIVITIES) - 1))
def test_quantiles_are_those_of_their_percentages(index: int) -> None:
    """A normally distributed error lies within this many standard deviations with the probability of the selectivity."""
    expected = NormalDist().inv_cdf((1 + SELECTIVITIES[index] / 100) / 2)
    assert kernel.quantile(index) == pytest.approx(expected, abs=1e-4)


def test_full_width_never_prunes() -> None:
    """Its quantile times the smallest standard deviation lies beyond every score."""
    assert kernel.quantile(len(SELECTIVITIES) - 1) * 0.5 > 128


@pytest.mark.parametrize("index", [-1, 6])
def test_other_selectivities_have_no_quantile(index: int) -> None:
    with pytest.raises(ValueError, match=f"^selectivity index {index}: not 0 to 5$"):
        kernel.quantile(index)

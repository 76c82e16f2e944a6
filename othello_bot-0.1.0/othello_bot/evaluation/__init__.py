"""The data of the evaluation: patterns, the weights file, the shipped one, and the error model of ProbCut."""

from __future__ import annotations

from othello_bot.evaluation import probcut, weights
from othello_bot.evaluation.probcut import ProbCutError
from othello_bot.evaluation.weights import WeightsError, load, release_shipped, shipped

__all__ = [
    "ProbCutError",
    "WeightsError",
    "load",
    "probcut",
    "release_shipped",
    "shipped",
    "weights",
]

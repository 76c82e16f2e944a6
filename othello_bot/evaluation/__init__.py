"""The data of the evaluation: patterns, the weights file, the shipped one, and the error model of ProbCut."""

from __future__ import annotations

from othello_bot.evaluation import probcut, shipped_weights, weights
from othello_bot.evaluation.probcut import ProbCutError
from othello_bot.evaluation.shipped_weights import shipped
from othello_bot.evaluation.weights import WeightsError, load

__all__ = [
    "ProbCutError",
    "WeightsError",
    "load",
    "probcut",
    "shipped",
    "shipped_weights",
    "weights",
]

"""Train the evaluation: positions from self-play, labels from searches, the fit, and tests of the result.

Needs the `train` extra; the engine imports nothing from here at run time. docs/development/evaluation.md describes the
whole pipeline.
"""

"""How the evaluation is learned: positions from self-play, labels from searches, the fit, and the tests of what came
out.

Needs the `train` extra; nothing here is imported by the engine at run time. docs/evaluation.md tells the whole story.
"""

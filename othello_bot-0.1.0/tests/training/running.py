"""`othello-bot train STEP ...` in this process, for the tests of the steps."""

from __future__ import annotations

from collections.abc import Sequence

from othello_bot import cli


def train(words: Sequence[str]) -> int:
    """Run a step; return the exit status."""
    return cli.main(["train", *words])

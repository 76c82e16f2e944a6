"""Step 5, the gate: a new function replaces the shipped one only if it wins a sequential test.

The test is a match of the arena: both sides have the same time a move, play every opening with both colours, and use
their own ProbCut models. The games are kept in the store's folder, so that an interrupted gate can continue.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.config import MatchConfig, check_cores
from othello_bot.arena.match import Match, MatchDisplay, play
from othello_bot.arena.openings import load
from othello_bot.arena.settings import match_config
from othello_bot.arena.sprt import Sprt
from othello_bot.base.files import write_whole
from othello_bot.evaluation import probcut, weights

TEST: Final = Sprt(elo0=0.0, elo1=10.0)
"""Hypotheses of the test, "no better" and "better by this", in Elo of its model. The error rates are the defaults of
Sprt.
"""

_STORE: Final = "matches.db"


class Contender:
    """A player of the match: the hand-made function, or a weights file with the ProbCut model beside it.

    `files`: copies in their own folder, named after their content, so that writing another function to `path` during
    the match changes nothing. Without a model beside `path`, the shipped one is used. Raise WeightsError or
    ProbCutError for an invalid file, OSError if it cannot be read.
    """

    def __init__(self, path: Path | None, folder: Path) -> None:
        self.files: tuple[Path, ...] = ()
        if path is None:
            return
        model = probcut.serving(path)
        contents = path.read_bytes(), model.read_bytes()
        weights.split(contents[0], str(path))
        probcut.read_coefficients(model)
        name = hashlib.sha256(b"".join(hashlib.sha256(content).digest() for content in contents)).hexdigest()
        copy = (folder / f"{name[:16]}.weights").absolute()
        self.files = copy, probcut.beside(copy)
        for file, content in zip(self.files, contents, strict=True):
            if not file.exists() or file.read_bytes() != content:
                write_whole(file, content)

    def options(self) -> dict[str, str]:
        """Return the engine's options that select it."""
        return {"evaluation_file": str(self.files[0])} if self.files else {"evaluation": "handmade"}

    def install(self) -> None:
        """Replace the shipped function with it."""
        if self.files:
            install(self.files[0])


def install(path: Path) -> None:
    """Replace the shipped function with that of a weights file, packed, and its model with the one that serves it.

    Raise OSError if a file cannot be read or written, WeightsError or ProbCutError if one is damaged; then nothing has
    changed.
    """
    model = probcut.serving(path)
    probcut.read_coefficients(model)
    model_content, packed = model.read_bytes(), weights.pack(path.read_bytes())
    write_whole(probcut.DEFAULT_FILE, model_content)
    write_whole(weights.PACKED_FILE, packed)


def configuration(
    new: Contender,
    old: Contender,
    test: Sprt,
    seconds: float,
    pairs: int,
    seed: int,
    processes: int | None,
    cluster: str,
) -> MatchConfig:
    """Return the match of a gate; `seconds` a move, at most `pairs` pairs of games.

    `processes`: concurrent games; default: one a core of this machine. Raise ConfigError for invalid values.
    """

    def player(name: str, function: Contender) -> dict[str, Any]:
        return {"player": "engine", "name": name, "option": function.options()}

    settings = {
        "engine": [player("new", new), player("old", old)],
        "each": {"st": seconds},
        "rounds": pairs,
        "seed": seed,
        "sprt": {"elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta, "model": test.model},
        "event": "gate",
        "concurrency": processes or (1 if cluster else os.cpu_count() or 1),
        "cluster": cluster,
    }
    config = match_config(settings)
    check_cores(config, forced=False)
    return config


def run(config: MatchConfig, functions: Sequence[Contender], folder: Path, display: MatchDisplay) -> Match:
    """Play the rest of a gate's match, kept in the folder; return the match with its verdict."""
    files = [file for function in functions for file in function.files]
    return play(config, load(config.openings, config.seed), folder / _STORE, display, files)

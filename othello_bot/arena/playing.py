"""A match played to its end on this machine or on a cluster, and shown meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from othello_bot.arena.backend import Backend
from othello_bot.arena.config import MatchConfig
from othello_bot.arena.display import LiveDisplay, PlainDisplay
from othello_bot.arena.errors import MissingExtra
from othello_bot.arena.match import Match
from othello_bot.arena.openings import Openings
from othello_bot.arena.store import Store


def play(
    config: MatchConfig,
    openings: Openings,
    store_file: Path,
    display: PlainDisplay | LiveDisplay,
    files: Sequence[Path] = (),
) -> Match:
    """Play what is left of a match that is kept in a store; return it as it ended.

    `files`: what the engines read besides the program, which a cluster's workers are given under the same names.
    """
    with Store(store_file) as store:
        backend = _backend(config, files)
        try:
            match = Match(config, openings, store, backend)
            match.run(display)
        finally:
            try:
                backend.close()
            finally:
                display.end()
    return match


def display_of(program: str, wanted: str, every: int) -> PlainDisplay | LiveDisplay:
    """Return what is shown on standard output: "live", "plain", "quiet" or "auto", live on a terminal.

    `every`: plain lines come once for so many games. Raise MissingExtra for a live display that is not there.
    """
    if wanted == "live" or (wanted == "auto" and sys.stdout.isatty()):
        try:
            return LiveDisplay(write)
        except MissingExtra as error:
            if wanted == "live":
                raise
            sys.stderr.write(f"{program}: plain lines: {error}\n")
    # Quiet shows the final tables and nothing before.
    return PlainDisplay(write, sys.maxsize if wanted == "quiet" else max(1, every))


def write(text: str) -> None:
    """Write to standard output at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _backend(config: MatchConfig, files: Sequence[Path]) -> Backend:
    if config.cluster:
        from othello_bot.arena.cluster import ClusterBackend

        return ClusterBackend(config.cluster, config.concurrency if config.concurrency > 1 else 0, files)
    from othello_bot.arena.local import LocalBackend

    return LocalBackend(config.concurrency)

"""The arena: matches between engines, with clocks, crash tolerance, resume and statistics.

From the command line to the result: `command` and a file give a mapping, `match_settings` and `engine_settings` make it
a checked, frozen `MatchConfig`, `pairing` and `openings` say which games there are, `match` hands them to the workers
of `local` or `cluster`, each of which plays them with `game_runner` between `players` (a process is a `process_player`,
who says in `turns` what its dialect wants), and writes every one into the `store` as it ends. What is shown
comes from the store alone: `tally` counts its games, `statistics`, `sprt` and `ladder` do the arithmetic, `display`
shows it live, `report`, `pictures` and `export` afterwards.
"""

from __future__ import annotations

__all__ = [
    "command",
    "config",
    "display",
    "errors",
    "match",
    "match_settings",
    "openings",
    "playing",
    "sprt",
]

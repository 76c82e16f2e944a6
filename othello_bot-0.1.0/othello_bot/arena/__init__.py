"""The arena: matches between engines, with clocks, crash tolerance, resuming and statistics.

Settings become a checked, frozen `MatchConfig`: `command` takes them from the command line and a file, `settings` reads
them, `config` holds them. A `match` decides who meets whom, hands its games to the workers of `backends` and writes
each one into the `store` when it ends. A worker's `engine_host` keeps the `players`, between whom `game_runner` plays a
game; `conversations` has what an engine process is sent in its dialect; `adjudication` decides how the game ends;
`heartbeat` tells whether the arena itself was stopped. Everything shown comes from the store: `tally` counts its games;
`pentanomial`, `statistics`, `ratings` and `sprt` compute; `display` shows a match in progress, `report`, `pictures` and
`export` present it afterwards. `checks` examine a program; `probe` talks to it. `tune` plays a match whose engines
change with its results; `spsa` computes how.
"""

from __future__ import annotations

__all__ = [
    "command",
    "config",
    "display",
    "errors",
    "match",
    "openings",
    "settings",
    "sprt",
]

"""Write the page's list of the computer's players, othello_bot/web/static/players.js, as the engine declares them.

The page has them from its own files, so that it is complete before the engine is imported. Run it from a checkout after
a strength or a textbook player has changed: scripts/figures players
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from othello_bot import strategies
from othello_bot.engine import CHAMPION, NEWCOMERS, find_option, step

MODULE: Final = Path(__file__).parents[2] / "othello_bot" / "web" / "static" / "players.js"

_BEGINNING: Final = """\
// The computer's players, as the engine declares them. Written by scripts/figures players; do not edit.

/** The steps of playing strength, weakest first; a step between two names has none. */
"""


def players_module() -> str:
    """Return the text of the module."""
    names = {number: name for name, number in find_option("strength").names}
    strengths = [names.get(number, "") for number in range(1, CHAMPION + 1)]
    textbook = [{"name": name, "searches": strategies.searches(name)} for name in strategies.names()]
    steps = [
        {"rating": one.person.rating if one.person else None, "level": one.level}
        for one in map(step, range(1, CHAMPION + 1))
    ]
    return (
        f"{_BEGINNING}export const STRENGTHS = {_array(strengths)};\n\n"
        f"/** The step of the opponent of a first visit. */\n"
        f"export const NEWCOMERS = {NEWCOMERS};\n\n"
        f"/** What each step is: the rating of a person, or a level of the engine; neither: the default level. */\n"
        f"export const STEPS = {_array(steps)};\n\n"
        f"/** The textbook players: name, whether they take a depth. */\n"
        f"export const STRATEGIES = {_array(textbook)};\n"
    )


def _array(items: Sequence[str] | Sequence[Mapping[str, object]]) -> str:
    lines = "".join(f"  {json.dumps(item, ensure_ascii=False)},\n" for item in items)
    return f"[\n{lines}]"


def main() -> int:
    """Write the module; return 0."""
    MODULE.write_text(players_module(), encoding="utf-8")
    return 0

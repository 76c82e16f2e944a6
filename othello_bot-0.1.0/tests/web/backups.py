"""Backups of the page's games: a whole one with all that an entry may have, and mutated ones."""

from __future__ import annotations

import json
import random
from typing import Any, Final

from tests.rules.strategies import random_game

BEGINNING: Final = '{"othello-bot games":1,'
"""The first words of a backup."""

TALLY: Final = {"moves": 8, "loss": 3, "accuracy": 91.5, "inaccuracies": 1, "mistakes": 0, "blunders": 0}
PLAYER: Final = dict.fromkeys(("total", "opening", "midgame", "endgame"), TALLY) | {
    "rating": 1500,
    "rating_error": 90,
}

STRANGE: Final[tuple[Any, ...]] = (
    *(None, True, "", "X", "\ud800", "a\0b", "a1", "f5f5", "x" * 11_000, "1e999", "__proto__", 'a"]\n[b'),
    *(0, -1, 0.5, 3.5, 1e300, -1e300, 2**53, [], [None], {}, [[[[]]]]),
    *({"toString": 1}, {"length": 2}, {"X": {}, "O": {}}, {"black": 1}, [{"toString": None, "valueOf": None}]),
)
"""Values that take the place of others."""


def entry(seed: int, plies: int = 60, **summary: Any) -> dict[str, Any]:
    """Return a game as a backup has it, with a review and something to practise."""
    moves = random_game(seed, plies).transcript(passes=True)
    judged = {
        "ply": 1,
        "color": "black",
        "move": moves[:2],
        "score": -3,
        "best": "d3",
        "best_score": 1,
        "loss": 4,
        "grade": "mistake",
        "reached": "16@91%",
        "line": "d3c3",
        "level": 16,
        "played_by": 0.2,
        "note": None,
    }
    told = {"date": "1987-06-05", "black": f"Ada {seed}", "white": "Bertil", "event": "Cup", "result": 4, "won": "X"}
    told |= {"newest": -550_000_000_000, "mine": "X", "accuracy": {"X": 91.5, "O": None}, "begun": 0}
    told |= {"lost": {"opening": 1, "midgame": 2, "endgame": 0, "corners": 0}, "print": f"{seed}|{moves}", **summary}
    review = {"level": 16, "players": {"black": PLAYER, "white": PLAYER}, "judged": [judged, None]}
    task = {"id": f"{seed + 1} 3", "game": seed + 1, "start": "", "moves": moves[:4], "played": moves[4:6], "loss": 4}
    return {
        "summary": told,
        "game": {"start": "", "moves": moves, "review": review},
        "tasks": [{**task, "gap": 0, "due": 20_000}],
    }


def backup(entries: list[Any], puzzles: list[Any] | None = None) -> str:
    """Return the text of a backup."""
    tried = [{"id": 64 * "X" + " O", "missed": True, "day": 20_000}] if puzzles is None else puzzles
    return f'{BEGINNING}"puzzles":{json.dumps(tried)},"games":{json.dumps(entries)}}}'


def mutated(rng: random.Random) -> tuple[str, int]:
    """Return a backup of three games of which at most two are damaged, or whose text is, and how many are whole for sure.

    The number is -1 where the text itself is damaged.
    """
    entries = [entry(seed, 12) for seed in range(3)]
    puzzles: list[Any] = [{"id": "a", "missed": False, "day": 1}]
    touched = set()
    for _ in range(rng.randrange(1, 5)):
        place = rng.randrange(3)
        if place == 2:
            puzzles = _changed(puzzles, rng)
        else:
            touched.add(place)
            entries[place] = _changed(entries[place], rng)
    text = backup(entries, puzzles)
    if rng.random() < 0.1:
        place = rng.randrange(len(BEGINNING), len(text))
        return text[:place] + rng.choice(["", "}", '"', ",", "\\", "\0", "0"]) + text[place + rng.randrange(3) :], -1
    return text, 3 - len(touched)


def _changed(value: Any, rng: random.Random) -> Any:
    """Return a value with one change somewhere inside, or another value."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.12:
        return rng.choice(STRANGE)
    inside = value.copy()
    keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
    key = rng.choice(keys)
    if rng.random() < 0.1:
        del inside[key]
    elif isinstance(inside, dict) and rng.random() < 0.05:
        inside[rng.choice(["__proto__", "constructor", "id", "toString"])] = rng.choice(STRANGE)
    else:
        inside[key] = _changed(inside[key], rng)
    return inside

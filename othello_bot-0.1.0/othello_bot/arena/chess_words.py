"""Options as the arenas of chess spell them, with ours: cutechess-cli's and fastchess's command lines are copied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from othello_bot.arena.config import OpeningOrder
from othello_bot.arena.errors import ConfigError
from othello_bot.base.notation import NotationError, parse_decimal

_OURS: Final = {
    "pgnout": "--games FILE.pgn",
    "repeat": "nothing: each opening is played with both colours",
    "noswap": "nothing: each opening is played with both colours",
    "recover": "nothing: an engine that fails is started again",
    "tournament": "--format round-robin, gauntlet, pair or swiss",
    "srand": "--seed N",
    "draw": "--agree DISCS/MOVES, where both engines report the same winner",
    "quick": "--engine cmd=FIRST proto=gtp --engine cmd=SECOND proto=gtp",
    "log": "--traffic FOLDER",
    "ratinginterval": "--every N",
    "use-affinity": "--affinity",
    "maxmoves": "nothing: a game of Othello ends by itself",
    "variant": "nothing: every game is Othello",
    "reverse": "nothing: each opening is played with both colours",
    "site": "--event TEXT",
    "debug": "--traffic FOLDER",
    "scoreinterval": "--every N",
    "output": "--display plain, with tables of our own",
    "report": "nothing: the report counts pairs; see match report",
    "strict": "nothing: an illegal move loses the game",
    "autosaveinterval": "nothing: each game is stored when it ends",
    "tb": "--adjudicate N, with our solver",
    "wait": "nothing: a game begins when the one before it has ended",
}
"""Options that only those programs have, and what to use here."""

_MOST_DISCS: Final = 64


def check_words(words: Sequence[str]) -> None:
    """Raise ConfigError for an option or a value in the spelling of chess arenas; it names the right one."""
    for at, word in enumerate(words):
        name = word.lstrip("-")
        if word == name or not word.startswith("-"):
            continue
        values = list(_values(words[at + 1 :]))
        given = " ".join([word, *values])
        if name in _OURS:
            raise ConfigError("option", given, _OURS[name])
        pairs = dict(value.partition("=")[::2] for value in values)
        if name == "openings" and "file" in pairs:
            raise ConfigError("option", given, _openings(pairs))
        if name == "resign" and ("movecount" in pairs or "score" in pairs):
            raise ConfigError("option", given, _resign(pairs))
        if name == "games" and values and values[0].isdigit():
            raise ConfigError("option", given, "--rounds N, two games for each opening; --games FILE writes them")


def _values(words: Sequence[str]) -> Iterator[str]:
    """Yield the words up to the next option."""
    for word in words:
        if word.startswith("-") and not word.lstrip("-").isdigit():
            return
        yield word


def _openings(pairs: dict[str, str]) -> str:
    """Return our options for `-openings file=F order=O plies=N`; `start`, `format` and `policy` have no meaning here."""
    order, plies = pairs.get("order", ""), pairs.get("plies", "")
    words = ["--openings", pairs["file"]]
    words += ["--order", order] if order in tuple(OpeningOrder) else []
    words += ["--opening-plies", plies] if plies.isdigit() else []
    return " ".join(words)


def _resign(pairs: dict[str, str]) -> str:
    """Return our option for `-resign movecount=M score=S`; a score that is no number of discs is not repeated."""
    moves, example = pairs.get("movecount", ""), "--resign DISCS/MOVES, like 40/3"
    try:
        discs = parse_decimal(pairs.get("score", ""), 1, _MOST_DISCS)
    except NotationError:
        return example
    return f"--resign {discs:g}/{moves}, in discs" if moves.isdigit() else example

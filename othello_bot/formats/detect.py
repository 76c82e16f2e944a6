"""Find out the format of a text and read its games: GGF, SGF, XOF, PGN, Othello Quest, OBF or transcripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from othello_bot.formats import ggf, obf, pgn, quest, sgf, transcripts, xof
from othello_bot.formats.found import FoundGame
from othello_bot.formats.record import GameRecord


@dataclass(frozen=True, slots=True)
class TextForm:
    """A format of texts: its name, what its texts begin with, its reader, and where long texts may be cut."""

    name: str
    beginning: re.Pattern[str]
    games: Callable[[str], Iterator[FoundGame]]
    last_start: Callable[[str], int]


def _last_match(pattern: re.Pattern[str]) -> Callable[[str], int]:
    """Return a function that returns the offset of the last match in a text, 0 without one."""

    def last_start(text: str) -> int:
        for beginning in (max(0, len(text) - _TAIL), 0):
            starts = [match.start() for match in pattern.finditer(text, beginning)]
            if starts:
                return starts[-1]
        return 0

    return last_start


_TAIL: Final = 1 << 16
"""Characters at the end of a text that have a game's beginning, nearly always."""

_TAGLESS: Final = re.compile(
    r"\s*1\s?\.\s*[a-h][1-8](?:[^%#]*(?:\*|1-0|0-1|1/2-1/2|\d\d?-\d\d?)\s*$|[^\n]*\{)", re.IGNORECASE
)
"""PGN moves without tags differ from a transcript by the result after them, or by comments in braces."""

FORMS: Final = (
    TextForm(
        "GGF", re.compile(r"\s*(?:\d+\s*)?\(;\s*GM\[\s*[A-Za-z]"), ggf.FORMAT.games, _last_match(ggf.FORMAT.restart)
    ),
    TextForm("SGF", re.compile(r"\s*\(\s*;"), sgf.FORMAT.games, _last_match(sgf.FORMAT.restart)),
    TextForm("XOF", xof.BEGINNING, xof.FORMAT.games, _last_match(xof.FORMAT.restart)),
    TextForm("Othello Quest", quest.BEGINNING, quest.found_games, _last_match(quest.NEXT)),
    TextForm("PGN", re.compile(r"\s*(?:\[\s*\w+\s+\"|\{)"), pgn.FORMAT.games, _last_match(pgn.FORMAT.restart)),
    TextForm("OBF", obf.BEGINNING, obf.found_games, _last_match(re.compile(r"(?<=\n).", re.DOTALL))),
    TextForm("PGN", _TAGLESS, pgn.FORMAT.games, _last_match(pgn.FORMAT.restart)),
    TextForm("transcripts", re.compile(""), transcripts.found_games, transcripts.last_start),
)
"""All formats of texts, in the order in which they are recognised; the last one takes every text."""


def form_of(text: str) -> TextForm:
    """Return the format that the beginning of a text shows."""
    text = text.removeprefix("\ufeff")
    return next(form for form in FORMS if form.beginning.match(text))


def found_games(text: str) -> Iterator[FoundGame]:
    """Yield the games of a text, readable or not, in the format that its beginning shows.

    Any other text is read as transcripts, where # and % begin a comment.
    """
    return form_of(text).games(text)


def read_games(text: str) -> Iterator[GameRecord]:
    """Yield the games of a text as found_games() does; raise FormatError at the first that cannot be read."""
    return (found.checked() for found in found_games(text))

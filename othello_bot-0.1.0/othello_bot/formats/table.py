"""The table of formats: how each is called, recognised, read, cut and written, and what it has no place for.

A new format is a row of `FORMATS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from othello_bot.base.clocks import TimeControl
from othello_bot.formats import ggf, obf, pgn, quest, sgf, transcripts, wthor, xof
from othello_bot.formats.found import FoundGame, TextFormat
from othello_bot.formats.record import UNTOLD_MARGIN, EndedBy, GameRecord, is_day
from othello_bot.formats.wthor import PackedGame

# -- what a game tells ------------------------------------------------------------------------------------------------


def _any_note(name: str) -> Callable[[GameRecord], bool]:
    """Return whether a game has a note whose attribute `name` is set."""
    return lambda game: any(getattr(note, name) not in (None, "") for note in game.notes.values())


def _any_clock(*names: str) -> Callable[[GameRecord], bool]:
    """Return whether a game has a clock whose attributes `names` are set."""
    return lambda game: any(getattr(clock, name) for clock in _clocks(game) for name in names)


def _clocks(game: GameRecord) -> list[TimeControl]:
    return [clock for clock in (game.clock, game.black_clock, game.white_clock) if clock is not None]


def _is_stated(game: GameRecord) -> bool:
    """Return whether the file tells a number of discs that the board does not."""
    return game.result is not None and (not game.game.is_over or game.result != game.game.final_score)


def _tells_discs(game: GameRecord) -> bool:
    """Return whether the file tells a number of discs that neither the board tells, nor the winner and the ending."""
    if not _is_stated(game) or game.game.is_over:
        return _is_stated(game)
    return bool(game.result) and not (game.ending and abs(game.result or 0) == UNTOLD_MARGIN)


def _ended_early_with_discs(game: GameRecord) -> bool:
    """Return whether a game has a number of discs and an ending; SGF writes B+R in place of the number then."""
    return (
        game.ending in (EndedBy.RESIGNATION, EndedBy.TIME, EndedBy.LEFT)
        and game.known_winner is not None
        and game.known_result is not None
        and abs(game.known_result) != UNTOLD_MARGIN
    )


_KINDS: Final[dict[str, Callable[[GameRecord], object]]] = {
    "moves": lambda game: game.game.ply,
    "players": lambda game: game.black or game.white,
    "letters of names": lambda game: not wthor.names_fit(game),
    "ratings": lambda game: (game.black_rating, game.white_rating) != (None, None),
    "event": lambda game: game.event,
    "place": lambda game: game.place,
    "place (another)": lambda game: game.place not in ("", quest.PLACE),
    "round": lambda game: game.round,
    "date": lambda game: game.date,
    "month and day": lambda game: game.date[4:],
    "time of day": lambda game: game.time_of_day,
    "time of day (no day)": lambda game: game.time_of_day and not is_day(game.date),
    "time of day (not UTC)": lambda game: game.time_of_day and not game.time_of_day.endswith(" UTC"),
    "time zone": lambda game: " " in game.time_of_day,
    "result": _is_stated,
    "number of discs": _tells_discs,
    "number of discs (early end)": _ended_early_with_discs,
    "number of discs (odd)": lambda game: (game.known_result or 0) % 2,
    "who won": lambda game: game.winner is not None,
    "how the game ended": lambda game: game.ending,
    "how the game ended (no result)": lambda game: game.ending and game.known_result is None,
    "how the game ended (no winner)": lambda game: game.ending and game.known_winner is None,
    "how the game ended (agreement)": lambda game: game.ending is EndedBy.AGREEMENT,
    "how the game ended (over)": lambda game: game.ending and game.game.is_over,
    "clocks": _any_clock("main_s"),
    "increments": _any_clock("increment_s"),
    "grace times": _any_clock("grace_s"),
    "clocks of each player": lambda game: game.black_clock or game.white_clock,
    "scores of moves": _any_note("score"),
    "times of moves": _any_note("seconds"),
    "times left": _any_note("left_s"),
    "comments on moves": _any_note("comment"),
    "comment": lambda game: game.comment,
    "result with best play": lambda game: game.best_play,
    "scores of the position": lambda game: game.scores or game.best_score is not None,
}
"""Kinds of information, in the words for people, and whether a game has it; a bracket names a part of a kind."""

# -- the formats ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TextReader:
    """How texts of a format are read: what they begin with, the reader of their games, and where long ones may be cut."""

    beginning: re.Pattern[str]
    games: Callable[[str], Iterator[FoundGame]]
    last_start: Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, the ending of its files (empty if none are written), its reader, its writer, what it loses.

    `read` is None for a binary format, `write` for one that is only read. `loses` names kinds of information.
    """

    name: str
    ending: str
    read: TextReader | None
    write: Callable[[GameRecord], str | PackedGame] | None
    loses: str = ""

    def written(self, record: GameRecord) -> str | PackedGame:
        """Return a game in this format; raise InputError if it has no place for it."""
        assert self.write is not None
        return self.write(record)

    def lost(self, record: GameRecord) -> list[str]:
        """Return the kinds of information that a game loses in this format, each once."""
        loses = self.loses.split(", ")
        told = [kind for kind, is_told in _KINDS.items() if kind in loses and is_told(record)]
        return list(dict.fromkeys(kind.split(" (")[0] for kind in told))


_TAIL: Final = 1 << 16
"""Characters at the end of a text in which a game nearly always begins."""


def _last_match(pattern: re.Pattern[str]) -> Callable[[str], int]:
    """Return a function that returns the offset of the last match in a text, 0 without one."""

    def last_start(text: str) -> int:
        for beginning in (max(0, len(text) - _TAIL), 0):
            starts = [match.start() for match in pattern.finditer(text, beginning)]
            if starts:
                return starts[-1]
        return 0

    return last_start


def _reader(beginning: re.Pattern[str], form: TextFormat) -> TextReader:
    return TextReader(beginning, form.games, _last_match(form.restart))


_PGN: Final = re.compile(
    r"""\s*(?:\[\s*\w+\s+"|\{(?!\s*(?:["}]|\d+\s*[,}]))"""
    r"|1\s?\.\s*[a-hA-H][1-8](?:[^%#]*(?:\*|1-0|0-1|1/2-1/2|\d\d?-\d\d?)\s*$|[^\n]*\{))"
)
"""Tags, a comment that is neither JSON nor an array of C, or moves that differ from a transcript by the result after them,
or by comments in braces.
"""

_LOST_BY_GGF: Final = (
    "time of day (no day), who won, how the game ended (no result), times left, result with best play,"
    " scores of the position"
)
_LOST_BY_SGF: Final = (
    "time of day, number of discs (early end), how the game ended (no result), how the game ended (no winner),"
    " how the game ended (agreement), grace times, clocks of each player, scores of moves, times of moves,"
    " result with best play, scores of the position"
)
_LOST_BY_PGN: Final = (
    "time zone, number of discs, grace times, clocks of each player, result with best play, scores of the position"
)
_LOST_BY_QUEST: Final = (
    "event, place (another), round, time of day (no day), time of day (not UTC), number of discs,"
    " how the game ended (no result), how the game ended (over), increments, grace times, clocks of each player,"
    " scores of moves, times left, comments on moves, comment, result with best play, scores of the position"
)
_UNNOTED: Final = (
    "ratings, place, round, time of day, how the game ended, clocks, scores of moves, times of moves, times left,"
    " comments on moves"
)
_LOST_BY_OBF: Final = f"{_UNNOTED}, moves, players, event, date, result, who won, comment, result with best play"
_LOST_BY_TEXT: Final = (
    f"{_UNNOTED}, players, event, date, result, who won, result with best play, scores of the position"
)
_LOST_BY_WTHOR: Final = (
    f"{_UNNOTED}, letters of names, month and day, number of discs (odd), comment, scores of the position"
)

_GGF: Final = _reader(re.compile(r"\s*(?:\d+\s*)?\(;\s*GM\[\s*[A-Za-z]"), ggf.FORMAT)
_SGF: Final = _reader(re.compile(r"\s*\(\s*;"), sgf.FORMAT)
_QUEST: Final = TextReader(quest.BEGINNING, quest.found_games, _last_match(quest.NEXT))
_OBF: Final = TextReader(obf.BEGINNING, obf.found_games, _last_match(re.compile(r"(?<=\n).", re.DOTALL)))
_TEXT: Final = TextReader(re.compile(""), transcripts.found_games, transcripts.last_start)

FORMATS: Final = (
    Format("GGF", ".ggf", _GGF, ggf.write_game, _LOST_BY_GGF),
    Format("SGF", ".sgf", _SGF, sgf.write_game, _LOST_BY_SGF),
    Format("XOF", "", _reader(xof.BEGINNING, xof.FORMAT), None),
    Format("PGN", ".pgn", _reader(_PGN, pgn.FORMAT), pgn.write_game, _LOST_BY_PGN),
    Format("Othello Quest", ".json", _QUEST, quest.write_game, _LOST_BY_QUEST),
    Format("OBF", ".obf", _OBF, obf.write_game, _LOST_BY_OBF),
    Format("transcripts", ".txt", _TEXT, transcripts.write_game, _LOST_BY_TEXT),
    Format("WTHOR", ".wtb", None, wthor.pack_game, _LOST_BY_WTHOR),
)
"""All formats; texts are recognised in this order, and transcripts take every text."""

WRITTEN: Final = {form.ending: form for form in FORMATS if form.write is not None}
"""The formats that are written, by the ending of their files."""

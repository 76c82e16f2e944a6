"""What a game loses in a format that has no place for it, in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from othello_bot.formats.quest import PLACE
from othello_bot.formats.record import UNTOLD_MARGIN, ClockSetting, GameRecord, is_day
from othello_bot.formats.wthor_base import names_fit


class _Kind(NamedTuple):
    """A kind of information: its words, whether a game has it, and the endings of the formats that lose it."""

    words: str
    is_told: Callable[[GameRecord], object]
    lost_in: frozenset[str]


def _kind(words: str, is_told: Callable[[GameRecord], object], *endings: str) -> _Kind:
    return _Kind(words, is_told, frozenset(endings))


def _any_note(name: str) -> Callable[[GameRecord], bool]:
    """Return whether a game has a note whose attribute `name` is set."""
    return lambda game: any(getattr(note, name) not in (None, "") for note in game.notes.values())


def _any_clock(*names: str) -> Callable[[GameRecord], bool]:
    """Return whether a game has a clock whose attributes `names` are set."""
    return lambda game: any(getattr(clock, name) for clock in _clocks(game) for name in names)


def _clocks(game: GameRecord) -> list[ClockSetting]:
    return [clock for clock in (game.clock, game.black_clock, game.white_clock) if clock is not None]


def _is_stated(game: GameRecord) -> bool:
    """Return whether the file tells a number of discs that the board does not."""
    return game.result is not None and (not game.game.is_over or game.result != game.game.final_score)


def _tells_discs(game: GameRecord) -> bool:
    """Return whether the file tells a number of discs that neither the board tells, nor the winner and the ending."""
    if not _is_stated(game) or game.game.is_over:
        return _is_stated(game)
    return bool(game.result) and not (game.ending and abs(game.result or 0) == UNTOLD_MARGIN)


_KINDS: Final = (
    _kind("moves", lambda game: game.game.ply, ".obf"),
    _kind("players", lambda game: game.black or game.white, ".txt", ".obf"),
    _kind("letters of names", lambda game: not names_fit(game), ".wtb"),
    _kind("ratings", lambda game: (game.black_rating, game.white_rating) != (None, None), ".wtb", ".txt", ".obf"),
    _kind("event", lambda game: game.event, ".json", ".txt", ".obf"),
    _kind("place", lambda game: game.place, ".wtb", ".txt", ".obf"),
    _kind("place", lambda game: game.place not in ("", PLACE), ".json"),
    _kind("round", lambda game: game.round, ".json", ".wtb", ".txt", ".obf"),
    _kind("date", lambda game: game.date, ".txt", ".obf"),
    _kind("month and day", lambda game: game.date[4:], ".wtb"),
    _kind("time of day", lambda game: game.time_of_day, ".sgf", ".wtb", ".txt", ".obf"),
    _kind("time of day", lambda game: game.time_of_day and not is_day(game.date), ".ggf", ".json"),
    _kind("time of day", lambda game: game.time_of_day and not game.time_of_day.endswith(" UTC"), ".json"),
    _kind("time zone", lambda game: " " in game.time_of_day, ".pgn"),
    _kind("result", _is_stated, ".txt", ".obf"),
    _kind("number of discs", _tells_discs, ".pgn", ".json"),
    _kind("who won", lambda game: game.winner is not None, ".ggf", ".txt", ".obf"),
    _kind("how the game ended", lambda game: game.ending, ".wtb", ".txt", ".obf"),
    _kind("how the game ended", lambda game: game.ending and game.known_result is None, ".ggf", ".sgf", ".json"),
    _kind("how the game ended", lambda game: game.ending and game.known_winner is None, ".sgf"),
    _kind("how the game ended", lambda game: game.ending == "agreement", ".sgf"),
    _kind("how the game ended", lambda game: game.ending and game.game.is_over, ".json"),
    _kind("clocks", _any_clock("base_s"), ".wtb", ".txt", ".obf"),
    _kind("increments", _any_clock("increment_s"), ".json"),
    _kind("grace times", _any_clock("grace_s"), ".sgf", ".pgn", ".json"),
    _kind("clocks of each player", lambda game: game.black_clock or game.white_clock, ".sgf", ".pgn", ".json"),
    _kind("scores of moves", _any_note("score"), ".sgf", ".json", ".wtb", ".txt", ".obf"),
    _kind("times of moves", _any_note("seconds"), ".sgf", ".wtb", ".txt", ".obf"),
    _kind("times left", _any_note("left_s"), ".ggf", ".json", ".wtb", ".txt", ".obf"),
    _kind("comments on moves", _any_note("comment"), ".json", ".wtb", ".txt", ".obf"),
    _kind("comment", lambda game: game.comment, ".json", ".wtb", ".obf"),
    _kind("result with best play", lambda game: game.best_play, ".ggf", ".sgf", ".pgn", ".json", ".txt", ".obf"),
    _kind(
        "scores of the position",
        lambda game: game.scores or game.best_score is not None,
        *(".ggf", ".sgf", ".pgn", ".json", ".txt", ".wtb"),
    ),
)


def losses(record: GameRecord, ending: str) -> list[str]:
    """Return the kinds of information that a game loses in the format with this ending, each once."""
    return list(dict.fromkeys(kind.words for kind in _KINDS if ending in kind.lost_in and kind.is_told(record)))

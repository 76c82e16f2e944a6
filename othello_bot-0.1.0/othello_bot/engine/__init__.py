"""The engine: searches, iterations, time, thinking ahead, levels, limits and options."""

from __future__ import annotations

from othello_bot.base.evaluated import ChosenBy
from othello_bot.base.evaluated import EvaluatedMove as Line
from othello_bot.base.posix import available_cores, available_mib
from othello_bot.engine.deepening import Search, fixed_depth
from othello_bot.engine.engine import Engine
from othello_bot.engine.levels import DEFAULT_LEVEL, FULL_WIDTH, exact_empties, goal
from othello_bot.engine.limits import (
    MAXIMUM_DEPTH,
    MAXIMUM_LEVEL,
    MAXIMUM_SCORE,
    SELECTIVITIES,
    LimitError,
    Limits,
    limits_requested,
)
from othello_bot.engine.option_arguments import (
    PLAYERS_OPTIONS,
    PLAYING_OPTIONS,
    add_option_arguments,
    add_setting_argument,
    argument,
    files_of,
    named_values,
    options_of,
    settings_of,
)
from othello_bot.engine.options import (
    ENGINE_STRATEGY,
    OPTIONS,
    OptionError,
    OptionKind,
    Options,
    Value,
    described,
    drawn_seed,
    find_option,
    listing,
)
from othello_bot.engine.player import Choice, EnginePlayer, OwnPlayer, PersonPlayer, Player, TextbookPlayer
from othello_bot.engine.ponder import FreeTime, PonderedResult
from othello_bot.engine.request import (
    Ended,
    Finished,
    SearchEngine,
    SearchRequest,
    SearchResult,
    Steps,
    advance,
    carried_out,
)
from othello_bot.engine.strength import CHAMPION, MEAN_RATING, NEWCOMERS, in_words, step
from othello_bot.engine.task import EngineBusy, EngineClosed, SearchLost, chosen
from othello_bot.engine.time_manager import TimeBudget, allocate
from othello_bot.engine.variety import FOR_PEOPLE

__all__ = [
    "CHAMPION",
    "Choice",
    "ChosenBy",
    "Ended",
    "Finished",
    "DEFAULT_LEVEL",
    "ENGINE_STRATEGY",
    "Engine",
    "EngineBusy",
    "EngineClosed",
    "EnginePlayer",
    "FOR_PEOPLE",
    "FULL_WIDTH",
    "FreeTime",
    "LimitError",
    "Limits",
    "Line",
    "MAXIMUM_DEPTH",
    "MAXIMUM_LEVEL",
    "MAXIMUM_SCORE",
    "MEAN_RATING",
    "NEWCOMERS",
    "OPTIONS",
    "OptionError",
    "OptionKind",
    "Options",
    "PLAYERS_OPTIONS",
    "PLAYING_OPTIONS",
    "OwnPlayer",
    "PersonPlayer",
    "Player",
    "PonderedResult",
    "SELECTIVITIES",
    "Search",
    "SearchEngine",
    "SearchLost",
    "SearchRequest",
    "SearchResult",
    "Steps",
    "TextbookPlayer",
    "TimeBudget",
    "Value",
    "add_option_arguments",
    "add_setting_argument",
    "allocate",
    "argument",
    "async_engine",
    "available_cores",
    "available_mib",
    "advance",
    "carried_out",
    "chosen",
    "drawn_seed",
    "exact_empties",
    "files_of",
    "find_option",
    "fixed_depth",
    "goal",
    "limits_requested",
    "in_words",
    "described",
    "listing",
    "named_values",
    "people",
    "options_of",
    "settings_of",
    "step",
]

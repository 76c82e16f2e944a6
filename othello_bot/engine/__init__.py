"""The engine: searches, iterations, time, thinking ahead, levels, limits and options."""

from __future__ import annotations

from othello_bot.engine.deepening import Line, Search, SearchResult
from othello_bot.engine.engine import DEFAULT_LEVEL, Engine
from othello_bot.engine.levels import FULL_WIDTH
from othello_bot.engine.limits import MAXIMUM_DEPTH, MAXIMUM_LEVEL, MAXIMUM_SCORE, SELECTIVITIES, ClockState, Limits
from othello_bot.engine.memory import available_mib
from othello_bot.engine.option_arguments import (
    PLAYING_OPTIONS,
    add_option_arguments,
    add_setting_argument,
    argument,
    options_of,
    settings_of,
)
from othello_bot.engine.options import (
    ENGINE_STRATEGY,
    OPTIONS,
    OptionError,
    Options,
    find_option,
    format_value,
    listing,
)
from othello_bot.engine.searcher import Chooser
from othello_bot.engine.time_manager import allocate

__all__ = [
    "Chooser",
    "ClockState",
    "DEFAULT_LEVEL",
    "ENGINE_STRATEGY",
    "Engine",
    "FULL_WIDTH",
    "Limits",
    "Line",
    "MAXIMUM_DEPTH",
    "MAXIMUM_LEVEL",
    "MAXIMUM_SCORE",
    "OPTIONS",
    "OptionError",
    "Options",
    "PLAYING_OPTIONS",
    "SELECTIVITIES",
    "Search",
    "SearchResult",
    "add_option_arguments",
    "add_setting_argument",
    "allocate",
    "argument",
    "available_mib",
    "find_option",
    "format_value",
    "listing",
    "options_of",
    "settings_of",
]

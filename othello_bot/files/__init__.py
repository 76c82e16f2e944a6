"""Files: whole-file writes, the cache folder, output, the progress line, the traffic log and the shipped data."""

from __future__ import annotations

from othello_bot.files.cache_folder import cache_folder
from othello_bot.files.compression import name_inside, opener_of, packed
from othello_bot.files.data_folder import DATA_FOLDER
from othello_bot.files.output import Output
from othello_bot.files.progress_line import ProgressLine
from othello_bot.files.traffic import TrafficLog, broken, report, tell, terminal_columns, write_to_stderr
from othello_bot.files.whole_file import (
    as_path,
    open_regular,
    read_at_most,
    read_regular,
    refuse_special,
    whole_file,
    write_whole,
)

__all__ = [
    "DATA_FOLDER",
    "Output",
    "ProgressLine",
    "TrafficLog",
    "as_path",
    "broken",
    "cache_folder",
    "name_inside",
    "open_regular",
    "opener_of",
    "packed",
    "read_at_most",
    "read_regular",
    "refuse_special",
    "report",
    "tell",
    "terminal_columns",
    "whole_file",
    "write_to_stderr",
    "write_whole",
]

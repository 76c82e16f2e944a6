"""A session: one game, one engine, the command loop, its jobs and its reports."""

from __future__ import annotations

from othello_bot.session.loop import (
    CommandLoop,
    Dialect,
    Event,
    Inbox,
    InputEnded,
    Job,
    LineArrived,
    Observer,
    Outcome,
    OutputFailed,
)
from othello_bot.session.output import Output, TrafficLog
from othello_bot.session.reports import (
    bounds,
    bounds_line,
    evaluation_object,
    hint_lines,
    hint_objects,
    judged_line,
    judged_object,
    known_text,
    no_hint_object,
    probability_objects,
    pv_text,
    signed,
    standing,
    statistics,
    statistics_object,
)
from othello_bot.session.session import Session

__all__ = [
    "CommandLoop",
    "Dialect",
    "Event",
    "Inbox",
    "InputEnded",
    "Job",
    "LineArrived",
    "Observer",
    "Outcome",
    "Output",
    "OutputFailed",
    "Session",
    "TrafficLog",
    "bounds",
    "bounds_line",
    "evaluation_object",
    "game_log",
    "hint_lines",
    "hint_objects",
    "judged_line",
    "judged_object",
    "known_text",
    "keeping",
    "no_hint_object",
    "probability_objects",
    "pv_text",
    "signed",
    "standing",
    "statistics",
    "statistics_object",
]

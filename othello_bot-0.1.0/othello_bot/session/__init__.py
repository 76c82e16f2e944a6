"""A session: one game, one engine, the command loop, its jobs and its reports."""

from __future__ import annotations

from othello_bot.session.inbox import Event, Inbox, InputEnded, LineArrived, OutputFailed
from othello_bot.session.jobs import Answer, DialectAdapter, Job, JobOutcome, Observer, refusal
from othello_bot.session.loop import CommandLoop
from othello_bot.session.output import Output
from othello_bot.session.reports import (
    bounds,
    bounds_line,
    evaluation_object,
    hint_lines,
    hint_objects,
    hint_table,
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
    verdict,
)
from othello_bot.session.session import Session

__all__ = [
    "CommandLoop",
    "DialectAdapter",
    "Event",
    "Inbox",
    "InputEnded",
    "Answer",
    "Job",
    "refusal",
    "LineArrived",
    "Observer",
    "JobOutcome",
    "Output",
    "OutputFailed",
    "Session",
    "bounds",
    "bounds_line",
    "evaluation_object",
    "game_log",
    "hint_lines",
    "hint_objects",
    "hint_table",
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
    "verdict",
]

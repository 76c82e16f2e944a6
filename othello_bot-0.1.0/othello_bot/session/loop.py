"""The command loop: read lines, run jobs in order, let the worker search, write answers.

It uses exactly three threads: one reads lines, one runs this loop, executes commands and writes, and one searches. They
meet in the `Inbox`. Commands are answered in the order of arrival; only jobs that overtake are answered during a
search. At the end of input all received commands are answered, and a search without a limit is stopped.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from othello_bot.base.errors import InputError
from othello_bot.engine import Finished, SearchEngine, SearchRequest, Steps, advance
from othello_bot.session.inbox import (
    Event,
    Improved,
    Inbox,
    InputEnded,
    LineArrived,
    OutputFailed,
    SearchEnded,
)
from othello_bot.session.jobs import DialectAdapter, Job

if TYPE_CHECKING:
    from othello_bot.engine import SearchResult


REFUSALS = InputError
"""Errors by which a handler refuses a command; any other is a programming error and ends the process."""


class EventSource(Protocol):
    """The source of the loop's events."""

    def next_event(self, busy: bool, timeout_s: float | None) -> Event | None:
        """Return the next event, None if there is none within the timeout; `busy` while a search runs."""


class SearchObserver(Protocol):
    """Observer of all searches of a session; called in the loop's thread."""

    def began(self, request: SearchRequest) -> None:
        """Note that a search has begun."""

    def improved(self, result: SearchResult) -> None:
        """Show a better result of the running search."""

    def ended(self) -> None:
        """Note that the search is over."""


class CommandLoop:
    """Runs one session to its end.

    Requests are answered by the engine that they name, or by that of the session, which `engine` returns.
    """

    def __init__(
        self,
        engine: Callable[[], SearchEngine],
        dialect: DialectAdapter,
        inbox: Inbox,
        source: EventSource,
        observer: SearchObserver | None = None,
    ) -> None:
        self._engine = engine
        self._searching: SearchEngine | None = None
        self._dialect = dialect
        self._inbox = inbox
        self._source = source
        self._observer = observer
        self._waiting: deque[tuple[Job[Any], LineArrived]] = deque()
        # Waiting jobs that a stop, or any line, has yet to interrupt. Each is visited only once.
        self._stoppable: deque[Job[Any]] = deque()
        self._endable: deque[Job[Any]] = deque()
        self._job: Job[Any] | None = None
        self._line: LineArrived | None = None
        self._steps: Steps[str] | None = None
        self._request: SearchRequest | None = None
        # The last improvement, for reports by the clock, and the result of a search without a limit that has nothing
        # left to search: only its requester ends it.
        self._improvement: SearchResult | None = None
        self._held: SearchResult | None = None
        self._next_report_s = 0.0
        self._free_since_s = 0.0
        self._input_ended = False
        self._quitting = False

    def run(self) -> None:
        """Answer until the input ends, a command quits, or writing fails."""
        while True:
            self._start_waiting_jobs()
            if self._quitting or (self._input_ended and self._job is None):
                return
            if self._job is None:
                if self._inbox.is_empty():
                    self._dialect.prepare()
                self._dialect.when_idle()
            event = self._source.next_event(self._job is not None, self._seconds_to_report())
            if event is None:
                self._report_when_due()
            elif isinstance(event, LineArrived):
                self._take_line(event)
            elif isinstance(event, Improved):
                self._take_improvement(event.result)
            elif isinstance(event, SearchEnded):
                self._take_outcome(event.outcome)
            elif isinstance(event, OutputFailed):
                return
            else:
                self._end_input(event)

    # -- lines ------------------------------------------------------------------------------------------------------

    def _take_line(self, arrived: LineArrived) -> None:
        job = self._dialect.read(arrived.line, arrived.at_s)
        self._interrupt_all(self._endable)
        if self._job is not None and self._job.answer.ends_on_input:
            self._interrupt(self._job)
        if job is None:
            self._inbox.release(arrived)
            return
        if job.answer.stops:
            self._interrupt_all(self._stoppable)
            if self._job is not None:
                self._interrupt(self._job)
        if job.answer.overtakes and self._job is not None and not self._job.reply_open:
            self._answer_at_once(job)
            self._inbox.release(arrived)
            return
        self._waiting.append((job, arrived))
        self._stoppable.append(job)
        if job.answer.ends_on_input:
            self._endable.append(job)

    def _end_input(self, event: InputEnded) -> None:
        if event.problem is not None:
            raise event.problem
        self._input_ended = True
        if self._job is not None and self._request is not None and self._request.limits.infinite:
            self._interrupt(self._job)

    @staticmethod
    def _interrupt_all(jobs: deque[Job[Any]]) -> None:
        while jobs:
            jobs.popleft().interrupted = True

    def _interrupt(self, job: Job[Any]) -> None:
        job.interrupted = True
        if self._searching is not None:
            self._searching.stop()
        held, self._held = self._held, None
        if held is not None:
            self._proceed(lambda: self._advance(held))

    # -- jobs -------------------------------------------------------------------------------------------------------

    def _start_waiting_jobs(self) -> None:
        while self._job is None and not self._quitting:
            due = None if self._input_ended else self._dialect.due()
            if due is not None:
                self._job, self._line = due, None
            elif self._waiting:
                self._job, self._line = self._waiting.popleft()
                for jobs in (self._stoppable, self._endable):
                    if jobs and jobs[0] is self._job:
                        jobs.popleft()
            else:
                return
            # Do not charge a command for the time it waited for its predecessor's search.
            self._job.asked_at_s = max(self._job.asked_at_s, self._free_since_s)
            self._steps = None
            self._proceed(self._begin)

    def _begin(self) -> str | None:
        """Run the job; return its answer, or None if it searches first."""
        assert self._job is not None
        outcome = self._job.answer.handler(self._job)
        if isinstance(outcome, str):
            return outcome
        self._steps = outcome
        return self._advance(None)

    def _advance(self, outcome: SearchResult | BaseException | None) -> str | None:
        """Hand an outcome to the job's steps; return its answer, or None if it searches again."""
        assert self._job is not None and self._steps is not None
        request = advance(self._steps, outcome)
        if isinstance(request, Finished):
            return request.value
        self._job.searched = True
        if request.on_report is None:
            request = replace(request, on_report=self._job.dialect.observer(self._job, request.position))
        self._request = request
        self._improvement = self._held = None
        self._next_report_s = time.monotonic() + (request.report_every_s or 0)
        unseen = request.on_report is None and self._observer is None
        if self._observer is not None:
            self._observer.began(request)
        tell = None if unseen else lambda found: self._inbox.put(Improved(found))
        self._searching = request.engine or self._engine()
        self._searching.begin(
            replace(request, on_report=tell, asked_at_s=self._job.asked_at_s),
            on_done=lambda outcome: self._inbox.put(SearchEnded(outcome)),
        )
        if self._job.interrupted or (self._input_ended and request.limits.infinite):
            self._interrupt(self._job)
        return None

    def _take_outcome(self, outcome: SearchResult | BaseException) -> None:
        if self._observer is not None:
            self._observer.ended()
        assert self._job is not None and self._request is not None
        is_held = self._request.limits.infinite and not self._job.interrupted and not self._input_ended
        if is_held and not isinstance(outcome, BaseException):
            self._held = self._improvement = outcome
            return
        self._proceed(lambda: self._advance(outcome))

    def _proceed(self, step: Callable[[], str | None]) -> None:
        """Take one step of the current job, and answer if that ends it."""
        job = self._job
        assert job is not None
        try:
            answer = step()
        except REFUSALS as error:
            job.dialect.fail(job, error)
        else:
            if answer is None:
                return
            job.dialect.succeed(job, answer)
            self._quitting = self._quitting or job.answer.quits
        if self._line is not None:
            self._inbox.release(self._line)
        self._job = self._line = self._steps = self._request = None
        self._free_since_s = time.monotonic()

    @staticmethod
    def _answer_at_once(job: Job[Any]) -> None:
        try:
            answer = job.answer.handler(job)
        except REFUSALS as error:
            job.dialect.fail(job, error)
            return
        assert isinstance(answer, str), "a job that overtakes does not search"
        job.dialect.succeed(job, answer)

    # -- reports ----------------------------------------------------------------------------------------------------

    def _take_improvement(self, result: SearchResult) -> None:
        self._improvement = result
        if self._observer is not None:
            self._observer.improved(result)
        if self._request is not None and self._request.on_report is not None and not self._request.report_every_s:
            self._request.on_report(result)

    def _seconds_to_report(self) -> float | None:
        if self._request is None or not self._request.report_every_s:
            return None
        return max(0.0, self._next_report_s - time.monotonic())

    def _report_when_due(self) -> None:
        request = self._request
        if request is None or not request.report_every_s or time.monotonic() < self._next_report_s:
            return
        self._next_report_s = time.monotonic() + request.report_every_s
        if self._improvement is not None and request.on_report is not None:
            request.on_report(self._improvement)

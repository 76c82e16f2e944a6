"""One tab of a browser: its questions become jobs, the answers go to its outbox. It keeps no game."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, move_name
from othello_bot.engine import Steps
from othello_bot.rules import Position
from othello_bot.web import messages, work
from othello_bot.web.engines import SharedEngines
from othello_bot.web.messages import AskMove, AskOpening, AskPeople, AskPlayed, AskReview, AskText, AskValues, Question
from othello_bot.web.scheduler import PageJob, Scheduler, Urgency
from othello_bot.web.upload import invalid
from othello_bot.web.work import Reply

if TYPE_CHECKING:
    from othello_bot.engine import Engine

QUICK_PLIES: Final = 2
"""Moves of a review that takes precedence over those of whole games: a move and its answer."""


class Connection:
    """That of one page; `send` writes one message to its browser and waits until it is gone, `leave` ends the connection.

    Of each kind of question only the latest is worked on: a new one ends the one before.
    """

    def __init__(
        self, engines: SharedEngines, send: Callable[[str], Awaitable[None]], leave: Callable[[str], None]
    ) -> None:
        self._engines = engines
        self._send = send
        self._leave = leave
        self._jobs: dict[type[Question], tuple[int, Scheduler, PageJob]] = {}
        self._thinking: tuple[int, threading.Event] | None = None
        """The question that a textbook player thinks about, and what stops it."""
        self._outbox: asyncio.Queue[Reply] = asyncio.Queue(engines.bounds.unsent)
        self._loop = asyncio.get_running_loop()
        self._sender = asyncio.ensure_future(self._send_all())
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def close(self) -> None:
        """End all work for the page; a running search is stopped at once."""
        self._closed = True
        for _, scheduler, job in self._jobs.values():
            scheduler.cancel(job)
        self._jobs.clear()
        if self._thinking is not None:
            self._thinking[1].set()
        self._sender.cancel()

    def receive(self, text: str | bytes) -> None:
        """Begin the work for a message; an invalid one is answered with an error and changes nothing."""
        try:
            ask = messages.parse(text)
            if isinstance(ask, messages.Stop):
                self._stop(ask.id)
            else:
                self._begin(ask)
        except InputError as error:
            self.tell({"id": messages.id_of(text), **invalid(error)})

    def tell(self, reply: Reply) -> None:
        """Put a reply into the outbox; a tab that leaves too many unread is closed."""
        if self._closed:
            return
        try:
            self._outbox.put_nowait(reply)
        except asyncio.QueueFull:
            self._leave("replies are not read")

    async def _send_all(self) -> None:
        while True:
            await self._send(json.dumps(await self._outbox.get()))

    # -- questions --------------------------------------------------------------------------------------------------

    def _begin(self, ask: Question) -> None:
        """Begin the work for a question."""
        if isinstance(ask, AskOpening):
            self._keep(self._opening(ask))
        elif isinstance(ask, AskPeople):
            self._keep(self._people(ask))
        elif isinstance(ask, AskPlayed):
            self._keep(self._played(ask))
        elif isinstance(ask, AskText):
            from othello_bot.web.writing import written  # imported here: the formats would delay the first page

            self.tell({"id": ask.id, "kind": "text", "text": written(ask)})
        elif isinstance(ask, AskMove):
            self._move(ask)
        elif isinstance(ask, AskValues):
            tell = self._from_any_thread(self._teller(ask))
            self._give(ask, lambda engine: work.value_moves(ask, tell), Urgency.THOUGHT, self._engines.scheduler)
        elif isinstance(ask, AskReview):
            self._review(ask)

    def _move(self, ask: AskMove) -> None:
        position = ask.game.position
        if position.is_over:
            raise InputError("game", ask.game.transcript(), "a game that is not over")
        if position.must_pass:
            self.tell({"id": ask.id, "kind": "move", "move": move_name(PASS), "source": "rules"})
        elif ask.strategy:
            self._think(ask)
        else:
            longest_s = self._engines.bounds.move_s
            begin = partial(work.choose_move, ask=ask, longest_s=longest_s)
            self._give(ask, begin, Urgency.MOVE, self._engines.scheduler)

    def _review(self, ask: AskReview) -> None:
        """Review the game; a move that has just been played goes before the reviews of whole games."""
        urgency = Urgency.MOVE if ask.game.ply - ask.first_ply <= QUICK_PLIES else Urgency.THOUGHT
        begin = partial(work.review_moves, ask=ask, tell=self._teller(ask))
        self._give(ask, begin, urgency, self._engines.reviews)

    def _give(
        self, ask: Question, begin: Callable[[Engine], Steps[Any]], urgency: Urgency, scheduler: Scheduler
    ) -> None:
        """Give a job to a scheduler; it replaces the tab's last one of the kind."""
        self._drop(type(ask))

        def ended(outcome: Reply | Exception) -> None:
            self._jobs.pop(type(ask), None)
            if isinstance(outcome, InputError):
                outcome = invalid(outcome)
            if isinstance(outcome, Exception):
                self.tell({"id": ask.id, "kind": "error", "text": f"internal error: {outcome!r}"})
                raise outcome
            self.tell({"id": ask.id, **outcome})

        job = PageJob(urgency, begin, ended)
        self._jobs[type(ask)] = (ask.id, scheduler, job)
        scheduler.add(job)

    def _teller(self, ask: Question) -> Callable[[Reply], None]:
        """Return a function that tells the tab something while the question is worked on."""

        def tell(reply: Reply) -> None:
            current = self._jobs.get(type(ask))
            if current is not None and current[0] == ask.id:
                self.tell({"id": ask.id, **reply})

        return tell

    def _from_any_thread(self, tell: Callable[[Reply], None]) -> Callable[[Reply], None]:
        """Return a function that does the same from any thread."""

        def from_any_thread(reply: Reply) -> None:
            if not self._closed:
                self._loop.call_soon_threadsafe(tell, reply)

        return from_any_thread

    def _think(self, ask: AskMove) -> None:
        """Let a textbook player think in a thread."""
        steps, stop = work.choose_textbook_move(ask, self._engines.bounds.move_s), threading.Event()
        if self._thinking is not None:
            self._thinking[1].set()
        self._thinking = (ask.id, stop)
        asked_at_s = time.monotonic()

        async def wait() -> None:
            carry_out = partial(self._engines.round_robin.carry_out, steps, stop.is_set, asked_at_s)
            reply = await self._loop.run_in_executor(self._engines.threads, carry_out)
            if self._thinking == (ask.id, stop):
                self._thinking = None
                self.tell({"id": ask.id, **reply})

        self._keep(wait())

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Carry out some work beside the messages; the loop alone would not keep it."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _stop(self, number: int) -> None:
        for kind, (of, _, _) in tuple(self._jobs.items()):
            if of == number:
                self._drop(kind)
        if self._thinking is not None and self._thinking[0] == number:
            self._thinking[1].set()
            self._thinking = None

    def _drop(self, kind: type[Question]) -> None:
        former = self._jobs.pop(kind, None)
        if former is not None:
            _, scheduler, job = former
            scheduler.cancel(job)

    async def _opening(self, ask: AskOpening) -> None:
        """Tell the opening's name and the book's moves in the position."""
        book, game = (await self._engines.engine()).book, ask.game
        usual = game.start == Position.start()
        moves = [
            {"move": move_name(known.move), "loss": known.loss, "name": book.name(game.position.play(known.move))}
            for known in book.lookup(game.position)
        ]
        name = book.opening_name(game) if usual else None
        self.tell({"id": ask.id, "kind": "opening", "name": name, "moves": moves})

    async def _people(self, ask: AskPeople) -> None:
        """Tell how likely people are to play each move, the likeliest first."""
        chances = (await self._engines.engine()).policy(ask.game, ask.rating)
        moves = [
            {"move": move_name(move), "probability": round(chance, 4)}
            for move, chance in sorted(chances.items(), key=lambda one: -one[1])
        ]
        self.tell({"id": ask.id, "kind": "people", "rating": ask.rating, "moves": moves})

    async def _played(self, ask: AskPlayed) -> None:
        """Tell what was played in the position, in the server's base of games."""
        try:
            reply = await self._engines.played(ask)
        except InputError as error:
            reply = invalid(error)
        self.tell({"id": ask.id, **reply})

"""Engine: the only interface to the search.

`go` starts a search and returns at once, `stop` ends it from any thread, `wait` returns the result. Callbacks report
progress and the end; they run in the engine's only worker thread. The engine owns that thread, the transposition table
and the opening book, and it thinks ahead on the opponent's time (`ponder`).

>>> from othello_bot import Engine, Limits, Position
>>> with Engine() as engine:
...     result = engine.search(Position.start(), Limits(depth=4))
>>> len(result.pv) > 0 and result.depth == 4
True
"""

from __future__ import annotations

import contextlib
import math
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final, NoReturn

from othello_bot.base.clocks import ClockState
from othello_bot.base.errors import InputError
from othello_bot.base.forks import lazy_property
from othello_bot.base.posix import can_start_threads
from othello_bot.engine.deepening import Search, Slices, whole
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import OptionError, Options, find_option
from othello_bot.engine.player import Choice, OwnPlayer, last_square, player_of
from othello_bot.engine.ponder import APART_FROM_SEARCHES, FreeTime, Plan, PonderedResult
from othello_bot.engine.request import Chooser, SearchRequest, SearchResult, carried_out
from othello_bot.engine.strength import MEAN_RATING
from othello_bot.engine.task import EngineBusy, EngineClosed, NotEnoughMemory, Task, Worker
from othello_bot.engine.time_manager import UNLIMITED, allocate
from othello_bot.engine.variety import GivenAway
from othello_bot.kernel import use_tuned_constants
from othello_bot.rules import Game, Position, position_of

if TYPE_CHECKING:
    from typing_extensions import Self

    from othello_bot.book import Book, BookMove
    from othello_bot.engine.book_use import BookUse
    from othello_bot.engine.people import PeopleModel


INTERRUPTIBLE_S: Final = 0.5
"""The slices in seconds of a search in the caller's thread: an interruption waits for their end. Almost all searches
take no second slice, and visit the same nodes as in the engine's thread.
"""


class Engine:
    """An Othello engine. Use it as a context manager, or `close` it to end its thread.

    Raises `OptionError` for options out of range, MemoryError if the table does not fit or no thread can be started.

    Where the platform has no threads (Python in a browser), the caller's thread searches: what waits for the result
    works, and `go` and `ponder` raise OptionError.

    It runs one search at a time. All methods but `stop` are for one thread at a time. A forked process may use its copy.
    """

    def __init__(
        self, options: Options | None = None, *, search: Search | None = None, book: Book | None = None
    ) -> None:
        self._options = Options.with_seed_drawn(options)
        if search is None:
            _require_threads(self._options.threads)
            try:
                search = Search(self._options.hash, self._options.threads)
            except OSError as error:  # no thread can be started
                raise MemoryError(str(error)) from None
            self._search = search
            if (self._options.evaluation, self._options.evaluation_file) != ("learned", None):
                self._apply_evaluation(self._options)
        self._search = search
        self._given_book = book
        self._book_use: BookUse | None = None
        if self._options.book_file is not None:
            self._book_use = self._open_books(self._options.book_file)
        self.given_away = GivenAway()
        """What variety has lost in the latest games."""
        self.random = random.Random(self.seed)
        """The source of all random choices, seeded by the option `seed`."""
        self._worker = Worker(search)
        self._player: tuple[tuple[object, ...], OwnPlayer] | None = None
        self._task: Task | None = None
        self._plan: Plan | None = None
        self._closed = False
        self._learned = False
        self.ponder_hit: PonderedResult | None = None
        """What thinking ahead contributed to the last search under a clock; None for nothing."""
        self.budget = UNLIMITED
        """The time allowed for the last search."""
        self.free_time = FreeTime()
        """What thinking ahead has gained since the last `clear`."""

    # -- options ----------------------------------------------------------------------------------------------------

    @property
    def options(self) -> Options:
        """The current options; a random seed is replaced by the one that was drawn."""
        return self._options

    @property
    def seed(self) -> int:
        """The seed in use: that of the options, or the one that was drawn."""
        assert self._options.seed is not None, "drawn when the options were set"
        return self._options.seed

    def set_option(self, name: str, value: object) -> None:
        """Set one option, from text or from a value of its type.

        Raise `OptionError`, also if a larger table does not fit into memory, or `EngineBusy`; then nothing has changed,
        and thinking ahead goes on. A change of an option that thinking ahead depends on ends it. Setting the seed
        restarts the random choices.
        """
        changed = Options.with_seed_drawn(self._options.with_value(name, value))
        option = find_option(name).name
        self._require_idle()
        if changed == self._options and option != "seed":
            return
        plan = None if option in APART_FROM_SEARCHES else self._plan
        paused = plan is not None and plan.pause(self._search)
        try:
            if option in self._APPLY:
                self._APPLY[option](self, changed)
        except BaseException:
            if plan is not None and paused:
                plan.go_on()
                self._hand_over(plan)
            raise
        self._options = changed
        if plan is not None:
            self.stop_pondering()

    def _apply_hash(self, changed: Options) -> None:
        try:
            self._search.resize(changed.hash)
        except MemoryError as error:
            raise NotEnoughMemory.of_table(changed.hash, self._options.hash, error) from None

    def _apply_threads(self, changed: Options) -> None:
        _require_threads(changed.threads)
        try:
            self._search.set_threads(changed.threads)
        except (MemoryError, OSError) as error:
            self._search.set_threads(self._options.threads)
            raise OptionError("option threads", changed.threads, f"fewer ({error})") from None

    def _apply_evaluation(self, changed: Options) -> None:
        try:
            self._search.set_evaluation(changed.evaluation, changed.evaluation_file)
        except (OSError, ValueError, MemoryError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error) or "not enough memory"
            raise OptionError("option evaluation_file", changed.evaluation_file, f"a weights file ({reason})") from None

    def _apply_book_file(self, changed: Options) -> None:
        self._given_book, self._book_use = None, self._open_books(changed.book_file)

    def _apply_seed(self, changed: Options) -> None:
        self.random.seed(changed.seed)
        self._player = None

    _APPLY: ClassVar[dict[str, Callable[[Engine, Options], None]]] = {
        "hash": _apply_hash,
        "threads": _apply_threads,
        "evaluation": _apply_evaluation,
        "evaluation_file": _apply_evaluation,
        "book_file": _apply_book_file,
        "seed": _apply_seed,
    }
    """What follows a changed option at once: each takes over the new value, or raises and changes nothing."""

    def default_limits(self, clock: ClockState | None = None, level: int | None = None) -> Limits:
        """Return the limits of a move under the options (`level` replaces theirs) and a clock; by default, level 21."""
        options = self._options
        return Limits(
            level=options.level_that_applies(clocked=clock is not None) if level is None else level,
            depth=options.depth,
            nodes=options.nodes,
            move_time_s=options.move_time_s,
            clock=clock,
            selectivity=options.selectivity,
        )

    # -- searching --------------------------------------------------------------------------------------------------

    @property
    def searching(self) -> bool:
        """Whether a search has started and has no result yet."""
        return self._task is not None and not self._task.finished.is_set()

    def go(
        self,
        position: Position | Game,
        limits: Limits | None = None,
        *,
        on_progress: Callable[[SearchResult], None] | None = None,
        on_done: Callable[[SearchResult | BaseException], None] | None = None,
        asked_at_s: float | None = None,
        chooser: Chooser | None = None,
    ) -> None:
        """Start a search and return. Raise `EngineBusy` while another one runs.

        The options limit it if `limits` is None. A game stands for its current position. The time of the search counts
        from `asked_at_s` (of `time.monotonic`; None: now). Both callbacks run in the worker thread; `on_done` is called
        last, once `wait` no longer blocks, with the result or with the error that ended the search. A `chooser` chooses
        the move instead of the search, also in the worker thread; of the limits it sees only the times. Raise NoThreads
        or NotEnoughMemory, both OptionError, where no thread can be started.
        """
        limits = self.default_limits() if limits is None else limits
        request = SearchRequest(position_of(position), limits, on_progress, chooser=chooser, asked_at_s=asked_at_s)
        self.begin(request, on_done)

    def begin(
        self, request: SearchRequest, on_done: Callable[[SearchResult | BaseException], None] | None = None
    ) -> None:
        """Start what a request asks for, and return; see `go`."""
        self._require_usable()
        self._worker.start()
        self._hand_over(self._task_of(request, on_done))

    def _task_of(self, request: SearchRequest, on_done: Callable[[SearchResult | BaseException], None] | None) -> Task:
        """Return the task of a request; it is the running one from now on."""
        if not isinstance(request.limits, Limits):
            raise InputError("limits", request.limits, "a Limits value, or None for what the options say")
        plan = self.stop_pondering()
        position, limits = request.position, request.limits
        overhead_s, ahead = self._options.move_overhead_s, plan is not None
        budget = allocate(limits.clock, position.empties, overhead_s, limits.move_time_s, thinks_ahead=ahead)
        if request.asked_at_s is None:
            request = replace(request, asked_at_s=time.monotonic())
        task = Task(request, budget, on_done)
        self.ponder_hit = None
        if plan is not None and limits.clock is not None:
            self.ponder_hit = plan.found(position)
            if request.chooser is None:
                task.resume(self.ponder_hit, self.free_time)
        self.budget = task.budget
        self._task = task
        # Armed here and not in the worker: a stop that arrives before the worker has begun must count.
        self._search.arm()
        return task

    def has_thread(self) -> bool:
        """Return whether the engine's thread runs, and start it if it does not; False where none can be started."""
        self._require_usable()
        return self._worker.starts()

    def slices(
        self,
        request: SearchRequest,
        slice_s: float,
        on_done: Callable[[SearchResult | BaseException], None] | None = None,
    ) -> Slices[None]:
        """Return a search that the caller's thread carries out, in slices, as `begin` does in the engine's thread.

        It may do anything else between two slices, also `stop`. To give the search up, close the generator. Raise what
        `begin` raises, except for the want of a thread.
        """
        self._require_usable()
        slices = self._task_of(request, on_done).slices(self._search, slice_s)
        next(slices)
        self._begin_work()
        return slices

    def stop(self) -> None:
        """Stop the running search, if any, and thinking ahead; return at once, from any thread."""
        plan = self._plan
        if plan is not None:
            plan.cancelled = True
        task = self._task
        if task is not None:
            task.stopped = True
        self._search.stop()

    def wait(self, timeout_s: float | None = None) -> SearchResult:
        """Wait for the end of the last search and return its result.

        Raise TimeoutError if it has not ended by then, and the error that ended it; SearchLost if a fork left it behind.
        """
        task = self._task
        if task is None:
            raise EngineClosed("no search was started")
        if not task.finished.wait(timeout_s):
            raise TimeoutError(f"the search has not ended within {timeout_s} s")
        if isinstance(task.outcome, BaseException):
            raise task.outcome
        assert task.outcome is not None
        return task.outcome

    def search(
        self,
        position: Position | Game,
        limits: Limits | None = None,
        on_progress: Callable[[SearchResult], None] | None = None,
    ) -> SearchResult:
        """Search a position, or the current position of a game, and return the result; see `go`.

        The options book, strength and strategy apply only to `choose`. `on_progress` receives each intermediate result.
        An interruption stops the search.
        """
        given = self.default_limits() if limits is None else limits
        return self.answer(SearchRequest(position_of(position), given, on_progress))

    def answer(self, request: SearchRequest) -> SearchResult:
        """Return the result of what a request asks for; block until then.

        Where no thread can be started, the caller's own one searches.
        """
        if not self.has_thread():
            slices = self.slices(request, INTERRUPTIBLE_S)
            with contextlib.closing(slices):
                whole(slices)
            return self.wait()
        self.begin(request)
        try:
            return self.wait()
        except BaseException:
            self.stop()
            if self._task is not None:
                self._task.finished.wait()
            raise

    # -- choosing a move --------------------------------------------------------------------------------------------

    def choose(
        self,
        position: Position | Game,
        clock: ClockState | None = None,
        on_progress: Callable[[SearchResult], None] | None = None,
    ) -> Choice:
        """Return the move that a session with these options plays, under the `clock` of the side to move; blocks.

        It comes from the book, a search, a person of the chosen strength, or a textbook player: all options count
        except `ponder` and those of a session's text. A forced pass is chosen. Raise InputError if the game is over.
        """
        steps = self.player.choose(position, self.default_limits(clock), on_progress)
        return carried_out(steps, asked_at_s=time.monotonic())

    @property
    def player(self) -> OwnPlayer:
        """The player that the options name, the same one from move to move, because some remember positions."""
        options = self._options
        made_of = (options.strategy, options.strategy_depth, options.strength)
        if self._player is None or self._player[0] != made_of:
            self._player = made_of, player_of(self)
        return self._player[1]

    def choose_from_book(self, position: Position, given_away: int = 0) -> BookMove | None:
        """Return the book's move, None if it has none or is off; `given_away`: what variety has lost in this game."""
        return self.book_use.choose(position, self._options, self.random, given_away) if self._options.book else None

    def note_game(self, game: Game) -> None:
        """Note the end of a game, to avoid the last book move of a lost one; see the option `book_avoid`."""
        if self._book_use is not None:
            self._book_use.note_game(game)

    def prepare(self, empties: int = 60) -> None:
        """Load now what the next move, on a board with so many empties, would otherwise load while its clock runs."""
        if not self.searching and not self.pondering:
            self._search.prepare(empties)
        if self._options.book and self._book_use is None:
            self.book.lookup(Position.start())

    @property
    def book(self) -> Book:
        """The opening book, opened on first use."""
        return self.book_use.book

    @property
    def book_use(self) -> BookUse:
        """How the opening books are used; opens them on first use."""
        if self._book_use is None:
            self._book_use = self._open_books(None)
        return self._book_use

    def _open_books(self, paths: str | None) -> BookUse:
        from othello_bot.engine.book_use import BookUse  # imported here to keep the start quick

        opened = BookUse(paths, self._given_book)
        if self._book_use is not None:
            self._book_use.close()
        return opened

    def evaluate(self, position: Position | Game) -> float:
        """Return the static evaluation in discs, from the mover's view."""
        self._require_idle()
        self.stop_pondering()
        position = position_of(position)
        return self._search.evaluate(position.mover, position.opponent)

    def policy(self, at: Position | Game, rating: float | None = MEAN_RATING, alone: bool = False) -> dict[int, float]:
        """Return the probability that a person of this rating (None: unknown) plays each legal move; see `PeopleModel`.

        Ratings below 500 count as 500, and above 1950 as 1950, where the data end; alone, above 1800 as 1800.
        """
        from othello_bot.policy import clamped  # imported here: most sessions do not need it

        asked = None if rating is None else clamped(rating, alone=alone)
        return self.people_model.chances(position_of(at), asked, last_square(at), alone=alone)

    @lazy_property
    def people_model(self) -> PeopleModel:
        """The model of how people play."""
        from othello_bot.engine.people import PeopleModel  # imported here: most sessions do not need it

        return PeopleModel()

    def clear(self) -> None:
        """Forget the results of earlier searches."""
        self._require_idle()
        self.stop_pondering()
        self.free_time = FreeTime()
        if self._learned:
            # Clearing a large table takes a while, and hosts begin a game with several commands that require it.
            self._search.clear()
            self._learned = False

    # -- thinking ahead ---------------------------------------------------------------------------------------------

    def ponder(
        self,
        position: Position,
        expected: int | None = None,
        clock: ClockState | None = None,
        longest_s: float = math.inf,
        level: int | None = None,
    ) -> None:
        """Think ahead, while the opponent is to move in `position`, until the next search, `stop` or `longest_s`.

        `expected` is the reply that the last search expects; `clock` (our own) and `level` are those of the next search.
        The next `go` under a clock uses the results: its search goes on from there, with a budget that counts the free
        time, and a solved reply is answered at once. Without a clock and below full strength, nothing is done.
        """
        self._require_usable()
        self.stop_pondering()
        limits = self.default_limits(clock, level)
        plan = self.player.plan(position, expected, limits, longest_s) if position.legal_bits else None
        if plan is not None:
            self._worker.start()
            self._plan = plan
            self._hand_over(plan)

    @property
    def pondering(self) -> bool:
        """Whether the engine is thinking ahead."""
        return self._plan is not None and not self._plan.finished.is_set()

    def stop_pondering(self) -> Plan | None:
        """Stop thinking ahead, if it is running, and return what it did since the last search."""
        plan, self._plan = self._plan, None
        if plan is None:
            return None
        plan.cancelled = True
        if not plan.finished.is_set():
            self._search.stop()
            plan.finished.wait()
        if plan.error is not None:
            raise plan.error
        return plan

    # -- the worker -------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """End the search, thinking ahead and the worker thread, and wait for them. Closing twice is harmless."""
        self._closed = True
        self.stop()
        self._worker.close()
        if self._book_use is not None:
            self._book_use.close()

    def __reduce__(self) -> NoReturn:
        """Raise TypeError: the copy would share the thread and the table."""
        raise TypeError("an Engine cannot be copied: make another one with the same options")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _require_usable(self) -> None:
        if self._closed:
            raise EngineClosed("the engine is closed")
        self._require_idle()

    def _require_idle(self) -> None:
        if self.searching:
            raise EngineBusy("a search is running")

    def _hand_over(self, work: Task | Plan) -> None:
        self._begin_work()
        self._worker.hand_over(work)

    def _begin_work(self) -> None:
        self._learned = True
        use_tuned_constants(self._options)


def _require_threads(threads: int) -> None:
    """Raise OptionError if so many threads are wanted where none can be started."""
    if threads > 1 and not can_start_threads():
        raise OptionError("option threads", threads, "1, because no thread can be started here")

"""The display of a match in progress: a live table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.errors import MissingExtra
from othello_bot.arena.heartbeat import stops_text
from othello_bot.arena.match import Match, MatchDisplay, stage_lines
from othello_bot.arena.report import (
    ReportTable,
    estimate_text,
    failure_lines,
    meeting_lines,
    places,
    rated,
    rating_text,
    sprt_text,
    standings,
    summary_lines,
    superiority_text,
)
from othello_bot.arena.sprt import SprtVerdict
from othello_bot.arena.statistics import elo
from othello_bot.arena.stored import Result
from othello_bot.base.errors import counted
from othello_bot.base.output import broken, report
from othello_bot.base.visible import columns_of, table_lines, visible, wrapped
from othello_bot.terminal.picture import look_of

if TYPE_CHECKING:
    from rich.console import Console

REFRESH_S: Final = 0.5

NAME_COLUMNS: Final = 24
"""Most columns of an engine's name in the live table."""

LAST_GAMES: Final = 5
"""Games listed below the live table."""

Write = Callable[[str], None]


class MatchWords:
    """What the displays say of a match; a tuning has words of its own."""

    def lines(self, match: Match, result: Result, every: int) -> list[str]:
        """Return the lines after a game; one per `every` games."""
        games = match.tally.games
        lines = [game_line(match, result)] if games % every == 0 else []
        return [*lines, status_line(match)] if games % max(10, every) == 0 else lines

    def table(self, match: Match) -> ReportTable:
        """Return the standing, for the live display."""
        return standings(match.stored.shown_names, match.tally)

    def below(self, match: Match) -> list[str]:
        """Return what stands below the live table, apart from failures and games."""
        names = match.stored.shown_names
        if len(names) > 2 or (0, 1) not in match.tally.meetings:
            return []
        return meeting_lines(names, (0, 1), match.tally.meetings[0, 1], match.tally.run)

    def final(self, match: Match) -> list[str]:
        """Return the final tables."""
        lines = summary_lines(match.stored.shown_names, match.tally)
        lines += stage_lines(match.config, match.tally.meetings)
        if match.verdict is not SprtVerdict.CONTINUE:
            lines.append(f"The sequential test has ended the match: {match.verdict.value}.")
        return lines


class PlainDisplay(MatchDisplay):
    """One line per game, and now and then one with the standings."""

    def __init__(self, write: Write, every: int, words: MatchWords | None = None) -> None:
        self._write = write
        self._every = every
        self._words = words or MatchWords()
        self._match: Match | None = None

    def begin(self, match: Match) -> None:
        """Write which match is played."""
        self._match = match
        names = ", ".join(match.stored.shown_names)
        resumed = f", {match.resumed} of them played before" if match.resumed else ""
        write_lines([f"match {match.stored.key[:8]}: {names}; {counted(match.total, 'game')}{resumed}"], self._write)

    def game(self, result: Result) -> None:
        """Write a line about a game."""
        assert self._match is not None
        write_lines(self._words.lines(self._match, result, self._every), self._write)

    def end(self) -> None:
        """Write the final tables if any game was played."""
        if self._match is not None and self._match.tally.games:
            write_lines(["", *self._words.final(self._match)], self._write)


class LiveDisplay(MatchDisplay):
    """A table that rich keeps up to date. Raises MissingExtra without rich."""

    def __init__(self, write: Write, console: Console | None = None, words: MatchWords | None = None) -> None:
        try:
            from rich.live import Live
        except ImportError as error:
            raise MissingExtra("the live table", "rich") from error
        self._write = write
        self._words = words or MatchWords()
        self._live: Any = Live(console=console, auto_refresh=False, transient=True)
        self._match: Match | None = None
        self._last: list[str] = []
        self._drawn = 0.0
        self._begun = 0.0

    def begin(self, match: Match) -> None:
        """Show the table."""
        self._match = match
        self._begun = time.monotonic()
        self._live.start()
        # It hides the cursor, which would stay hidden after Ctrl-Z or a kill.
        self._live.console.show_cursor(True)
        self.refresh()

    def game(self, result: Result) -> None:
        """Record a game."""
        assert self._match is not None
        self._last = [*self._last[-LAST_GAMES + 1 :], game_line(self._match, result)]

    def look(self) -> None:
        """Redraw the table if it is out of date."""
        if time.monotonic() - self._drawn > REFRESH_S:
            self.refresh()

    def end(self) -> None:
        """Replace the live table by the final ones."""
        self._live.stop()
        if self._match is not None and self._match.tally.games:
            write_lines(self._words.final(self._match), self._write)

    def refresh(self) -> None:
        """Draw the table."""
        from rich.text import Text

        assert self._match is not None
        match = self._match
        content = self._words.table(match)
        remaining = time_left(match, time.monotonic() - self._begun)
        title = f"{match.tally.games} of {counted(match.total, 'game')}{remaining}"
        columns = self._live.console.width
        lines = ["", title, "", *live_table(content, columns), *content.notes, "", *self._words.below(match)]
        failures = failure_lines(match.stored.shown_names, match.tally)
        lines += ["", *failures] if failures else []
        shown = [part for line in [*lines, "", *self._last] for part in wrapped(visible(line), columns)]
        self._live.update(Text("\n".join(shown)), refresh=True)
        self._drawn = time.monotonic()


def live_table(table: ReportTable, columns: int) -> list[str]:
    """Return a table for a terminal of this many columns: names are cut, and the last columns go where space ends.

    The final tables have all columns.
    """
    rows = [[visible(row[0], NAME_COLUMNS), *row[1:]] for row in table.rows]
    for count in range(len(table.heads), 1, -1):
        lines = table_lines([row[:count] for row in (table.heads, *rows)])
        if max(map(columns_of, lines)) <= columns:
            return lines
    return [visible(line, columns) for line in table_lines([row[:2] for row in (table.heads, *rows)])]


def time_left(match: Match, elapsed_s: float) -> str:
    """Return how long a match will still take at its pace so far, as text; empty if that is not known."""
    played = match.tally.games - match.resumed
    if played <= 0 or elapsed_s <= 0:
        return ""
    minutes = math.ceil((match.total - match.tally.games) * elapsed_s / played / 60)
    most = "at most " if match.config.sprt is not None else "about "
    return f", {most}{minutes // 60} h {minutes % 60:02} min left" if minutes >= 60 else f", {most}{minutes} min left"


def game_line(match: Match, result: Result) -> str:
    """Return a line about a game of a match in progress."""
    return f"game {match.tally.games} of {match.total}: {result_text(match.stored.shown_names, result)}"


def result_text(names: Sequence[str], result: Result) -> str:
    """Return who played, and how the game ended."""
    task = result.task
    outcome = {1.0: "black wins", 0.5: "draw", 0.0: "white wins"}[result.black_points]
    discs = f" by {abs(result.discs)}" if result.discs else ""
    reason = f": {result.detail}" if result.ending.is_failure and result.detail else ""
    ending = "" if result.ending is Ending.BOARD else f" ({result.ending.value}{reason})"
    repeated = ", repeats an earlier game" if result.repeats is not None else ""
    stopped = f", {stops_text(result.stops)}" if result.stops else ""
    players = f"{names[task.black]} - {names[task.white]}"
    return f"{players} (opening {task.round + 1}): {outcome}{discs}{ending}{repeated}{stopped}"


def status_line(match: Match) -> str:
    """Return the standing in one line."""
    names = match.stored.shown_names
    if len(names) > 2:
        found, order = rated(len(names), match.tally), places(len(names), match.tally)
        best = sorted(range(len(names)), key=lambda slot: (found[slot].group, -order[slot]))
        return "  " + "; ".join(f"{names[slot]} {rating_text(found[slot])}" for slot in best)
    meeting = match.tally.meetings[0, 1]
    test = "" if match.tally.run is None else f"; {sprt_text(match.tally.run)}"
    return (
        f"  {names[0]}: +{meeting.wins} ={meeting.draws} -{meeting.losses}, Elo {estimate_text(elo(meeting.scores))},"
        f" {superiority_text(meeting)}{test}"
    )


def display_of(program: str, wanted: str, every: int, words: MatchWords | None = None) -> MatchDisplay:
    """Return the display on standard output: "live", "plain", "quiet" or "auto" (live on a terminal
    that can rewrite lines).

    `every`: number of games for each plain line. Raise MissingExtra for a live display without rich.
    """
    if wanted == "live" or (wanted == "auto" and look_of(sys.stdout).rewrites):
        try:
            return LiveDisplay(write, words=words)
        except MissingExtra as error:
            if wanted == "live":
                raise
            report(f"plain lines: {error}", program)
    # Quiet shows only the final tables.
    return PlainDisplay(write, sys.maxsize if wanted == "quiet" else max(1, every), words)


def write(text: str) -> None:
    """Write to standard output and flush it."""
    sys.stdout.write(text)
    sys.stdout.flush()


def write_lines(lines: Iterable[str], write: Write = write) -> None:
    """Write lines, made visible and broken between words: they have names and messages of engines."""
    write("".join(f"{part}\n" for line in lines for part in broken(visible(line), sys.stdout)))

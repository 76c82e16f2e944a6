"""The standings of a match as text, during it and afterwards; `pictures` draws them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from importlib.util import find_spec
from typing import Final

from othello_bot.arena.adjudication import stops_text
from othello_bot.arena.config import EngineConfig, OpeningConfig, PlayLimits
from othello_bot.arena.games import NAME_COLUMNS, GameResult, StoredMatch
from othello_bot.arena.match import stage_lines
from othello_bot.arena.sprt import SequentialRun
from othello_bot.arena.statistics import (
    Estimate,
    Rating,
    RunningMoments,
    elo,
    likelihood_of_superiority,
    normalised_elo,
    ratings,
    ratings_by_opening,
)
from othello_bot.arena.store import MatchStore
from othello_bot.arena.tally import ClockUse, Meeting, Tally, clock_uses
from othello_bot.base.errors import counted
from othello_bot.base.version import install_command
from othello_bot.base.visible import table_lines, visible

_MOST_COLUMNS: Final = 1000
"""Most columns of the line that describes an engine."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of text: title, column heads and rows. The first column is left-aligned, the others right-aligned."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def lines(self) -> list[str]:
        """Return the table in plain text."""
        return [*([self.title] if self.title else []), *table_lines([self.heads, *self.rows])]


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign; "inf" and "-inf", "-" for NaN, and +0.0 for a zero."""
    if math.isnan(value):
        return "-"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{round(value, digits) + 0.0:+.{digits}f}"  # -0.0 + 0.0 is 0.0


def estimate_text(estimate: Estimate) -> str:
    """Return a value with its 95 % interval, like "+12.3 ± 4.5", or the interval's ends if one is infinite."""
    value = signed(estimate.value)
    if math.isinf(estimate.low) and math.isinf(estimate.high):
        return f"{value}, no interval yet"
    if math.isfinite(estimate.error) and math.isfinite(estimate.value):
        return f"{value} ± {estimate.error:.1f}"
    return f"{value} ({signed(estimate.low)} to {signed(estimate.high)})"


def meeting_lines(
    names: Sequence[str], pair: tuple[int, int], meeting: Meeting, run: SequentialRun | None
) -> list[str]:
    """Return the standing between two engines, from the view of the first."""
    first, second = (names[slot] for slot in pair)
    pairs = meeting.pairs
    lines = [
        f"{first} against {second}: +{meeting.wins} ={meeting.draws} -{meeting.losses}, {meeting.points:g} of"
        f" {counted(meeting.games, 'point')} ({percent(meeting.points, meeting.games)})",
        f"  Elo {estimate_text(elo(pairs))}, normalised Elo {estimate_text(normalised_elo(pairs))} (95 %)",
        f"  {superiority_text(pairs)}; pairs of 0 1/2 1 3/2 2 points: {' '.join(map(str, pairs))}"
        + (f", and {meeting.repeated_pairs} that repeat others and do not count" if meeting.repeated_pairs else ""),
        "  discs {} a game, standard error {}".format(*_discs(meeting)),
    ]
    if run is not None:
        lines.append(f"  {sprt_text(run)}")
    return lines


def meetings_table(names: Sequence[str], meetings: Mapping[tuple[int, int], Meeting]) -> ReportTable:
    """Return the same in short, one row for each pair of engines that met, from the view of the first."""
    rows = []
    for (first, second), meeting in sorted(meetings.items()):
        rows.append(
            (
                f"{names[first]} against {names[second]}",
                f"+{meeting.wins} ={meeting.draws} -{meeting.losses}",
                percent(meeting.points, meeting.games),
                estimate_text(elo(meeting.pairs)),
                f"{100 * likelihood_of_superiority(meeting.pairs):.1f} %",
                " ".join(map(str, meeting.pairs)),
                *_discs(meeting),
            )
        )
    heads = ("pairing", "games", "score", "Elo", "superior", "pairs 0 1/2 1 3/2 2", "discs", "error")
    return ReportTable("", heads, tuple(rows))


def superiority_text(pairs: Sequence[int]) -> str:
    """Return in words how likely the first of two engines is the stronger one."""
    return f"superior with {100 * likelihood_of_superiority(pairs):.1f} % probability"


def _discs(meeting: Meeting) -> tuple[str, str]:
    """Return the mean disc difference and its standard error, "-" for what is not known."""
    found = meeting.discs
    mean = signed(found.mean, 2) if found.count else "-"
    return mean, "-" if math.isnan(found.standard_error) else f"{found.standard_error:.2f}"


def sprt_text(run: SequentialRun) -> str:
    """Return the state of the sequential test in one line."""
    test = run.test
    return (
        f"SPRT {test.elo0:g} against {test.elo1:g} Elo ({test.model}): LLR {signed(run.log_likelihood_ratio, 2)}"
        f" in {test.lower:.2f} to {test.upper:.2f}, {run.verdict.value} after {counted(sum(run.counts), 'pair')}"
    )


def percent(part: float, whole: float) -> str:
    """Return a share in percent."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


Anchors = Mapping[int, float]
"""The ratings that are known, by slot."""


def has_numpy() -> bool:
    """Return whether NumPy is installed, without which intervals do not respect openings that pairings share."""
    return find_spec("numpy") is not None


def rated(engines: int, tally: Tally, anchors: Anchors | None = None) -> list[Rating]:
    """Return the ratings of the engines of a match; their errors respect shared openings if these are known."""
    if tally.openings and tally.shares_openings and has_numpy():
        return ratings_by_opening(engines, list(tally.openings.values()), anchors)
    return ratings(engines, {pair: meeting.pairs for pair, meeting in tally.meetings.items()}, anchors)


def standings(names: Sequence[str], tally: Tally, anchors: Anchors | None = None) -> ReportTable:
    """Return one row per engine: rating, games, score, time, losses by failure."""
    found = rated(len(names), tally, anchors)
    rows = []
    for slot in sorted(range(len(names)), key=lambda slot: -found[slot].elo):
        wins, draws, losses = results_of(slot, tally.meetings)
        games = wins + draws + losses
        engine = tally.engines[slot]
        failures = ", ".join(f"{count} {ending.value}" for ending, count in engine.failures.most_common()) or "none"
        error = found[slot].error
        rows.append(
            (
                names[slot],
                signed(found[slot].elo),
                "fixed" if not error else f"{error:.1f}" if math.isfinite(error) else "-",
                str(games),
                str(wins),
                str(draws),
                str(losses),
                percent(wins + draws / 2, games),
                f"{1000 * engine.seconds / engine.moves:.2f}" if engine.moves else "-",
                str(engine.time_losses),
                failures,
            )
        )
    heads = ("engine", "Elo", "±", "games", "won", "drawn", "lost", "score", "ms/move", "late", "failures")
    return ReportTable("", heads, tuple(rows))


def failure_lines(names: Sequence[str], tally: Tally) -> list[str]:
    """Return the reasons for which engines lost games by failures, the most frequent first."""
    lines = []
    for name, engine in zip(names, tally.engines, strict=True):
        for reason in sorted(engine.reasons.values(), key=lambda reason: -reason.count):
            times = f"{reason.count} x " if reason.count > 1 else ""
            lines.append(f"{name}: {times}{reason.ending.value}: {reason.words}".rstrip(": "))
    return lines


def stop_lines(names: Sequence[str], tally: Tally) -> list[str]:
    """Return the games that were played again because the arena was stopped, each with its stops."""
    return [
        f"{names[result.black]} - {names[result.white]} (opening {result.round + 1}): {stops_text(result.stops)}"
        for result in tally.stopped
    ]


def results_of(slot: int, meetings: Mapping[tuple[int, int], Meeting]) -> tuple[int, int, int]:
    """Return the wins, draws and losses of one engine against all others."""
    wins = draws = losses = 0
    for (first, second), meeting in meetings.items():
        if slot == first:
            wins, draws, losses = wins + meeting.wins, draws + meeting.draws, losses + meeting.losses
        elif slot == second:
            wins, draws, losses = wins + meeting.losses, draws + meeting.draws, losses + meeting.wins
    return wins, draws, losses


def crosstable(names: Sequence[str], tally: Tally) -> ReportTable:
    """Return the points of each engine against each other one, with the number of games."""
    rows = []
    for row, name in enumerate(names):
        cells = [name]
        for column in range(len(names)):
            meeting = tally.meetings.get((row, column))
            mirrored = tally.meetings.get((column, row))
            if meeting is not None:
                cells.append(f"{meeting.points:g}/{meeting.games}")
            elif mirrored is not None:
                cells.append(f"{mirrored.games - mirrored.points:g}/{mirrored.games}")
            else:
                cells.append("-")
        rows.append(tuple(cells))
    return ReportTable("points of the row against the column", ("", *names), tuple(rows))


def summary_lines(names: Sequence[str], tally: Tally, anchors: Anchors | None = None) -> list[str]:
    """Return the whole standing of a match."""
    lines = standings(names, tally, anchors).lines()
    if len(names) > 2 and tally.meetings:
        lines += ["", *crosstable(names, tally).lines(), "", *meetings_table(names, tally.meetings).lines()]
    elif tally.meetings:
        lines += ["", *meeting_lines(names, (0, 1), tally.meetings[0, 1], tally.run)]
    return [*lines, *closing_lines(names, tally)]


def closing_lines(names: Sequence[str], tally: Tally) -> list[str]:
    """Return what no table tells: failures, games played again, endings, repetitions, the arena's own time."""
    lines: list[str] = []
    if failures := failure_lines(names, tally):
        lines += ["", "games lost by failures:", *(f"  {line}" for line in failures)]
    if stopped := stop_lines(names, tally):
        lines += ["", "games played again:", *(f"  {line}" for line in stopped)]
    endings = ", ".join(f"{count} {ending.value}" for ending, count in tally.endings.most_common())
    won = f"black won {tally.black_wins}, white {tally.white_wins}"
    lines += ["", f"{counted(tally.games, 'game')}: {endings or 'none'}; {won}"]
    if tally.repeats:
        verb = "repeats" if tally.repeats == 1 else "repeat"
        lines.append(f"{counted(tally.repeats, 'game')} {verb} an earlier one move by move")
    if tally.overhead_ms.count:
        lines.append(f"{tally.overhead_ms.mean:.3f} ms of each move passed outside of both engines")
    return [*lines, *_machine_lines(names, tally)]


def _machine_lines(names: Sequence[str], tally: Tally) -> list[str]:
    """Return what is known of answers without a search, of illegal moves that were mended, and of the machine."""
    engines = list(zip(names, tally.engines, strict=True))
    lines = []
    if len(names) > 2 and tally.shares_openings and not has_numpy():
        lines.append(f"without NumPy, ± ignores that pairings share openings: {install_command('arena')}")
    if told := [f"{name} {1000 * one.latency_s.mean:.2f}" for name, one in engines if one.latency_s.count]:
        lines.append(f"latency in ms, of an answer without a search: {', '.join(told)}")
    if told := [f"{name} {one.retries}" for name, one in engines if one.retries]:
        lines.append(f"illegal moves after which an engine was asked again: {', '.join(told)}")
    if stalls := tally.stall_s.count:
        lines.append(
            f"the machine stalled {counted(stalls, 'time')} for {stalls * tally.stall_s.mean:.1f} s in all,"
            f" {tally.longest_stall_s:.2f} s at most, in {counted(tally.stalled_games, 'game')}"
        )
    return lines


# -- from a store -----------------------------------------------------------------------------------------------------


def tally_of(store: MatchStore, match: StoredMatch) -> Tally:
    """Return the counts of a stored match."""
    tally = Tally(len(match.names), by_opening=True, sprt=match.config.sprt)
    tally.add_all(store.results(match.id))
    return tally


ChosenMatches = Sequence[tuple[MatchStore, StoredMatch]]
"""Matches, each with the store that has it."""

APART: Final = 1 << 40
"""The distance between the numbers that the pairs and rounds of two matches get in a pool."""


@dataclass(frozen=True, slots=True)
class PooledMatches:
    """Several matches, whose engines are the same where their names are: names, counts and notes."""

    names: tuple[str, ...]
    tally: Tally
    notes: tuple[str, ...]

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names as tables show them."""
        return tuple(visible(name, NAME_COLUMNS) for name in self.names)

    def lines(self, anchors: Anchors) -> list[str]:
        """Return the tables of the pool."""
        title = f"all matches together, with engines of the same name as one: {counted(len(self.names), 'engine')}"
        return [title, *self.notes, "", *summary_lines(self.shown_names, self.tally, anchors)]


def pooled(chosen: ChosenMatches) -> PooledMatches:
    """Return matches together; a game that several stores have counts once, and so does an opening."""
    configs: dict[str, list[EngineConfig]] = {}
    for _, match in chosen:
        for engine in match.config.engines:
            known = configs.setdefault(engine.name, [])
            if engine not in known:
                known.append(engine)
    names = tuple(configs)
    tally = Tally(len(names), by_opening=True)
    matches: dict[str, int] = {}
    sources: dict[tuple[OpeningConfig, int], int] = {}
    games: set[tuple[str, int, int]] = set()
    for store, match in chosen:
        number = matches.setdefault(match.key, len(matches)) * APART
        source = sources.setdefault((match.config.openings, match.config.seed), len(sources)) * APART
        slots = [names.index(name) for name in match.names]
        for result in store.results(match.id):
            if (game := (match.key, result.pair, result.leg)) not in games:
                games.add(game)
                tally.add(moved(result, slots, number, source))
    told = (
        f"{visible(name)} has different settings in different matches" for name, known in configs.items() if known[1:]
    )
    return PooledMatches(names, tally, tuple(told))


def moved(result: GameResult, slots: Sequence[int], match: int, source: int) -> GameResult:
    """Return a result with the numbers that it has in a pool, where the first of two engines is always the same one."""
    black, white = slots[result.black], slots[result.white]
    first, second = (black, white) if result.leg == 0 else (white, black)
    leg = result.leg if first < second else 1 - result.leg
    return replace(result, pair=match + result.pair, round=source + result.round, black=black, white=white, leg=leg)


def report_lines(
    store: MatchStore, match: StoredMatch, anchors: Anchors | None = None, standing: Sequence[str] = ()
) -> list[str]:
    """Return the settings of a stored match and its standing; `standing` is that of a tuning."""
    config = match.config
    begun = datetime.fromtimestamp(match.created, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    event = f" {config.event}" if config.event else ""
    identities = store.identities(match.id)
    lines = [
        f"match {match.key[:8]}{event}, begun {begun} on {match.machine}",
        f"openings {config.openings.source}, {config.format}, seed {config.seed}",
        *(_engine_line(engine, identities.get(slot, [])) for slot, engine in enumerate(config.engines)),
        "",
    ]
    tally = tally_of(store, match)
    if standing:
        return [*lines, *standing, *closing_lines(match.shown_names, tally)]
    return [
        *lines,
        *summary_lines(match.shown_names, tally, anchors),
        *stage_lines(config, tally.meetings),
    ]


def failure_records(store: MatchStore, match: StoredMatch) -> Iterator[str]:
    """Yield lines about each game that ended in a failure: who, how, why, its moves, the engine's last words."""
    for game in store.games(match.id):
        result = game.result
        if game.loser_slot is None or not result.ending.is_failure:
            continue
        black, white, loser = (match.shown_names[slot] for slot in (result.black, result.white, game.loser_slot))
        yield f"{black} - {white} (opening {result.round + 1}): {loser} lost by {result.ending.value}"
        yield from (f"  {line}" for line in result.detail.splitlines())
        yield f"  moves: {game.moves}"
        yield from (f"    {line}" for line in game.last_words)
        yield ""


def _engine_line(engine: EngineConfig, identities: Sequence[str]) -> str:
    """Return what an engine is, its limits and options, and what it reports itself to be."""
    words = [visible(engine.name, NAME_COLUMNS), "is", engine.strategy or " ".join(engine.command) or engine.kind.value]
    if engine.limits != PlayLimits():
        words.append(str(engine.limits))
    words += [f"{name}={value}" for name, value in engine.options]
    said = [identity for identity in identities if identity != engine.name]
    if said:
        words.append(f"({' and '.join(said)})")
    return visible(" ".join(words), _MOST_COLUMNS)


# -- clocks -----------------------------------------------------------------------------------------------------------


def clock_table(store: MatchStore, match: StoredMatch) -> ReportTable:
    """Return one row for each engine that has a clock."""
    heads = ("engine", "clock", "games", "used before solve", "left", "solved at", "over plan", "overtime", "most")
    return ReportTable(
        "use of the clock",
        (*heads, "lost on time"),
        tuple(_clock_rows(match, clock_uses(match, store.games(match.id)))),
    )


def _clock_rows(match: StoredMatch, uses: Sequence[ClockUse]) -> Iterable[tuple[str, ...]]:
    for name, engine, use in zip(match.shown_names, match.config.engines, uses, strict=True):
        if engine.limits.control is not None:
            yield (
                name,
                str(engine.limits.control),
                str(use.games),
                _mean_text(use.used, 100, " %"),
                _mean_text(use.left_s, 1000, " ms"),
                _mean_text(use.solved_at),
                _mean_text(use.over_plan, 100, " %"),
                _mean_text(use.overtime_s, 1000, " ms"),
                f"{1000 * use.overtime_most_s:.1f} ms",
                str(use.forfeits),
            )


def _mean_text(moments: RunningMoments, scale: float = 1.0, unit: str = "") -> str:
    """Return a mean; "-" without values."""
    return "-" if not moments.count else f"{scale * moments.mean:.1f}{unit}"

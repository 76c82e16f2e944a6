"""The standings of a match as text, during it and afterwards; `pictures` draws them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from itertools import combinations
from typing import Final

from othello_bot.arena.config import EngineConfig, PlayLimits
from othello_bot.arena.heartbeat import stops_text
from othello_bot.arena.match import stage_lines
from othello_bot.arena.ratings import Pairing, Rating, ratings
from othello_bot.arena.sprt import SequentialRun
from othello_bot.arena.statistics import Estimate, OpeningScore, elo, likelihood_of_superiority, normalised_elo
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import NAME_COLUMNS, Result, StoredMatch
from othello_bot.arena.tally import Meeting, Tally
from othello_bot.base.errors import counted
from othello_bot.base.visible import table_lines, visible

_MOST_COLUMNS: Final = 1000
"""Most columns of the line that describes an engine."""


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of text: title, column heads, rows, and notes below. The first column is left-aligned, the others right."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the table in plain text."""
        return [*([self.title] if self.title else []), *table_lines([self.heads, *self.rows]), *self.notes]


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign; "inf" and "-inf", "-" for NaN, and +0.0 for a zero."""
    if math.isnan(value):
        return "-"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{round(value, digits) + 0.0:+.{digits}f}"  # -0.0 + 0.0 is 0.0


def interval_text(estimate: Estimate | Rating) -> str:
    """Return a 95 % interval, like "+8.1 to +16.4", or the bound on one side; "fixed" if empty, "-" without both."""
    if estimate.low == estimate.high:
        return "fixed"
    if math.isfinite(estimate.low) and math.isfinite(estimate.high):
        return f"{signed(estimate.low)} to {signed(estimate.high)}"
    if math.isfinite(estimate.low):
        return f"above {signed(estimate.low)}"
    return f"below {signed(estimate.high)}" if math.isfinite(estimate.high) else "-"


def estimate_text(estimate: Estimate) -> str:
    """Return a value with its 95 % interval, like "+12.3 (+8.1 to +16.4)", or its bound if it is infinite."""
    interval = interval_text(estimate)
    if math.isinf(estimate.value) and interval != "-":
        return interval
    return f"{signed(estimate.value)} ({estimate.why or 'no interval' if interval == '-' else interval})"


def rating_text(rating: Rating) -> str:
    """Return a rating with its 95 % interval, in short."""
    return estimate_text(Estimate(rating.elo, rating.low, rating.high))


def meeting_lines(
    names: Sequence[str], pair: tuple[int, int], meeting: Meeting, run: SequentialRun | None
) -> list[str]:
    """Return the standing between two engines, from the view of the first."""
    first, second = (names[slot] for slot in pair)
    scores = meeting.scores
    lines = [
        f"{first} against {second}: +{meeting.wins} ={meeting.draws} -{meeting.losses}, {meeting.points:g} of"
        f" {counted(meeting.games, 'point')} ({percent(meeting.points, meeting.games)})",
        f"  Elo {estimate_text(elo(scores))}, normalised Elo {estimate_text(normalised_elo(scores))}, 95 %",
        f"  {superiority_text(meeting)}; pairs of 0 1/2 1 3/2 2 points: {' '.join(map(str, meeting.pairs))},"
        f" on {counted(len(scores), 'opening')}",
        "  discs {} a game, standard error {}".format(*_discs(meeting)),
    ]
    if meeting.repeated_pairs:
        repeat = "pair repeats another one" if meeting.repeated_pairs == 1 else "pairs repeat others"
        lines.append(
            f"  {meeting.repeated_pairs} {repeat}: in the score, and in the error with the others of the opening"
        )
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
                estimate_text(elo(meeting.scores)),
                _superiority(meeting),
                " ".join(map(str, meeting.pairs)),
                *_discs(meeting),
            )
        )
    heads = ("pairing", "games", "score", "Elo", "superior", "pairs 0 1/2 1 3/2 2", "discs", "error")
    return ReportTable("", heads, tuple(rows))


def superiority_text(meeting: Meeting) -> str:
    """Return in words how likely the first of two engines is the stronger one."""
    return f"superior with {_superiority(meeting)} probability"


def _superiority(meeting: Meeting) -> str:
    found = likelihood_of_superiority(meeting.scores)
    return "unknown" if math.isnan(found) else f"{100 * found:.1f} %"


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


def rated(engines: int, tally: Tally, anchors: Anchors | None = None, *, intervals: bool = True) -> list[Rating]:
    """Return the ratings of the engines of a match."""
    return ratings(engines, tally.openings if intervals else [_totals(tally)], anchors, intervals=intervals)


def _totals(tally: Tally) -> dict[Pairing, OpeningScore]:
    """Return the games of all openings, as those of one: ratings without intervals need no more."""
    return {pairing: OpeningScore(meeting.games, meeting.points) for pairing, meeting in tally.meetings.items()}


def places(engines: int, tally: Tally, anchors: Anchors | None = None) -> list[float]:
    """Return a number for each engine to sort by: its rating if every meeting had one more game, a draw.

    So it is finite for those who won or lost everything, too.
    """
    drawn = {pairing: OpeningScore(1, 0.5) for pairing in tally.meetings}
    found = ratings(engines, [_totals(tally), drawn], anchors, intervals=False)
    return [rating.elo if math.isfinite(rating.elo) else 0.0 for rating in found]


def standings(names: Sequence[str], tally: Tally, anchors: Anchors | None = None) -> ReportTable:
    """Return one row per engine: rating, games, score, time, losses by failure; the engines of a group together."""
    found, order = rated(len(names), tally, anchors), places(len(names), tally, anchors)
    rows = []
    groups = _groups(tally, found)
    for slot in sorted(range(len(names)), key=lambda slot: (found[slot].group, -order[slot])):
        wins, draws, losses = results_of(slot, tally.meetings)
        games = wins + draws + losses
        engine, rating = tally.engines[slot], found[slot]
        failures = ", ".join(f"{count} {ending.value}" for ending, count in engine.failures.most_common()) or "none"
        rows.append(
            (
                names[slot],
                *([str(rating.group + 1) if games else "-"] if groups > 1 else []),
                signed(rating.elo) if math.isfinite(rating.elo) else "-",
                interval_text(rating),
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
    heads = ("Elo", "95 %", "games", "won", "drawn", "lost", "score", "ms/move", "late", "failures")
    notes = tuple(rating_notes(names, tally, found, anchors))
    return ReportTable("", ("engine", *(["group"] if groups > 1 else []), *heads), tuple(rows), notes)


def _groups(tally: Tally, found: Sequence[Rating]) -> int:
    """Return the number of groups that have games."""
    return len({found[slot].group for pairing in tally.meetings for slot in pairing})


def rating_notes(names: Sequence[str], tally: Tally, found: Sequence[Rating], anchors: Anchors | None) -> list[str]:
    """Return what the ratings are relative to, and why some have no interval."""
    if not tally.meetings:
        return []
    openings = len(tally.openings)
    lines = [
        f"95 %: profile likelihood, with {counted(openings, 'opening')} as {'units' if openings > 1 else 'the unit'}"
    ]
    groups = _groups(tally, found)
    if groups > 1:
        lines.append(f"{groups} groups never met: ratings compare within a group")
    for group in range(groups):
        inside = [slot for slot, rating in enumerate(found) if rating.group == group]
        finite = [names[slot] for slot in inside if math.isfinite(found[slot].elo)]
        if not set(inside) & set(anchors or ()) and len(finite) < len(inside):
            lines.append(f"0 is {'the mean of ' if len(finite) > 1 else ''}{', '.join(finite)}")
    reasons: dict[str, list[str]] = {}
    for name, rating in zip(names, found, strict=True):
        if rating.why:
            reasons.setdefault(rating.why, []).append(name)
    return [*lines, *(f"no interval for {', '.join(told)}: {why}" for why, told in reasons.items())]


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
    if failed := failed_meetings(names, tally):
        lines += ["", failed]
    endings = ", ".join(f"{count} {ending.value}" for ending, count in tally.endings.most_common())
    won = f"black won {tally.black_wins}, white {tally.white_wins}"
    lines += ["", f"{counted(tally.games, 'game')}: {endings or 'none'}; {won}"]
    if unpaired := unpaired_games(tally):
        lines.append(unpaired)
    if tally.repeats:
        verb = "repeats" if tally.repeats == 1 else "repeat"
        lines.append(f"{counted(tally.repeats, 'game')} {verb} an earlier one move by move")
    if tally.overhead_ms.count:
        lines.append(f"{tally.overhead_ms.mean:.3f} ms of each move passed outside of both engines")
    return [*lines, *_machine_lines(names, tally)]


def failed_meetings(names: Sequence[str], tally: Tally) -> str:
    """Return which results say nothing of how engines play, because failures decided all games; empty if none."""
    failed = [f"{names[i]} - {names[j]}" for (i, j), one in tally.meetings.items() if 0 < one.games == one.failures]
    if not failed:
        return ""
    if len(failed) == len(tally.meetings):
        return "all games were lost by failures: the ratings say nothing of how well the engines play"
    told = ", ".join(failed)
    return f"failures decided all games of {told}: these results say nothing of how well the engines play"


def unpaired_games(tally: Tally) -> str:
    """Return how games count whose pair lacks the other one; empty if there are none."""
    if not tally.unpaired:
        return ""
    one = "1 game has no other game of its pair yet: it counts"
    more = f"{tally.unpaired} games have no other game of their pair yet: they count"
    return f"{one if tally.unpaired == 1 else more} in the score and the rating alone"


def _machine_lines(names: Sequence[str], tally: Tally) -> list[str]:
    """Return what is known of answers without a search, of illegal moves that were mended, and of the machine."""
    engines = list(zip(names, tally.engines, strict=True))
    lines = []
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
    tally = Tally(len(match.names), sprt=match.config.sprt)
    tally.add_all(store.results(match.id))
    return tally


ChosenMatches = Sequence[tuple[MatchStore, StoredMatch]]
"""Matches, each with the store that has it."""

APART: Final = 1 << 40
"""The distance between the numbers that the pairs of two matches get in a pool."""


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
    """Return matches together; a game that several stores have counts once."""
    configs: dict[str, list[EngineConfig]] = {}
    for _, match in chosen:
        for engine in match.config.engines:
            known = configs.setdefault(engine.name, [])
            if engine not in known:
                known.append(engine)
    names = tuple(configs)
    tally = Tally(len(names))
    matches: dict[str, int] = {}
    games: set[tuple[str, int, int]] = set()
    for store, match in chosen:
        number = matches.setdefault(match.key, len(matches)) * APART
        slots = [names.index(name) for name in match.names]
        for result in store.results(match.id):
            if (game := (match.key, result.pair, result.leg)) not in games:
                games.add(game)
                tally.add(moved(result, slots, number))
    notes = [
        f"{visible(name)} has different settings in different matches" for name, known in configs.items() if known[1:]
    ]
    return PooledMatches(names, tally, (*notes, *_twins(chosen, configs)))


def _twins(chosen: ChosenMatches, configs: Mapping[str, Sequence[EngineConfig]]) -> Iterator[str]:
    """Yield notes on names with the same settings that were never in one match."""
    together = [set(match.names) for _, match in chosen]
    for (first, one), (second, other) in combinations(configs.items(), 2):
        alike = {replace(engine, name="") for engine in one} & {replace(engine, name="") for engine in other}
        if alike and not any({first, second} <= names for names in together):
            yield f"{visible(first)} and {visible(second)} have the same settings: perhaps one player under two names"


def moved(result: Result, slots: Sequence[int], match: int) -> Result:
    """Return a result with the numbers that it has in a pool, where the first of two engines is always the same one."""
    black, white = slots[result.black], slots[result.white]
    first, second = (black, white) if result.leg == 0 else (white, black)
    leg = result.leg if first < second else 1 - result.leg
    return replace(result, pair=match + result.pair, black=black, white=white, leg=leg)


def report_lines(
    store: MatchStore,
    match: StoredMatch,
    anchors: Anchors | None = None,
    standing: Sequence[str] = (),
    tally: Tally | None = None,
) -> list[str]:
    """Return the settings of a stored match and its standing.

    `standing` is that of a tuning, `tally` are the match's counts where they are known.
    """
    lines, tally = [*settings_lines(store, match), ""], tally or tally_of(store, match)
    if standing:
        return [*lines, *standing, *closing_lines(match.shown_names, tally)]
    return [
        *lines,
        *summary_lines(match.shown_names, tally, anchors),
        *stage_lines(match.config, tally.meetings),
    ]


def settings_lines(store: MatchStore, match: StoredMatch) -> list[str]:
    """Return when and where a stored match was played, and with which settings."""
    config = match.config
    begun = datetime.fromtimestamp(match.created, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    event = f" {config.event}" if config.event else ""
    identities = store.identities(match.id)
    return [
        f"match {match.key[:8]}{event}, begun {begun} on {match.machine}",
        f"openings {config.openings.source}, {config.format}, seed {config.seed}",
        *(_engine_line(engine, identities.get(slot, [])) for slot, engine in enumerate(config.engines)),
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

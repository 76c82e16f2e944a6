"""`othello-bot match report STORE...`: tables of matches, each and all together, with pictures and failures on request."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from othello_bot.arena.clock_use import ClockUse, clock_uses
from othello_bot.arena.display import write_lines
from othello_bot.arena.errors import ConfigError, guarded
from othello_bot.arena.page import anchors_in, drawn_match, html_of, is_page_of
from othello_bot.arena.ratings import Rating
from othello_bot.arena.report import (
    Anchors,
    ChosenMatches,
    PooledMatches,
    ReportTable,
    failed_meetings,
    failure_records,
    pooled,
    rated,
    rating_notes,
    report_lines,
    results_of,
    tally_of,
    unpaired_games,
)
from othello_bot.arena.sprt import SequentialRun
from othello_bot.arena.spsa import stored_walk, tuning_facts, tuning_lines
from othello_bot.arena.statistics import Estimate, RunningMoments, elo, likelihood_of_superiority, normalised_elo
from othello_bot.arena.store import DEFAULT_STORE, MatchStore
from othello_bot.arena.stored import StoredMatch
from othello_bot.arena.tally import Meeting, Tally
from othello_bot.base.descriptors import is_standard_output
from othello_bot.base.files import whole_file
from othello_bot.base.notation import NotationError, parse_decimal
from othello_bot.base.outputs import OVERWRITE, check_outputs, database, refuse_taken


def add_store_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that name stores and their matches, also for `match export`."""
    parser.add_argument("place", nargs="*", type=Path, metavar="STORE", help=f"the stores of matches ({DEFAULT_STORE})")
    parser.add_argument("--store", type=Path, metavar="FILE", help="a store; the same as STORE")
    parser.add_argument("--match", metavar="KEY", help="only matches whose key starts with this")


def stores_of(args: argparse.Namespace) -> Sequence[Path]:
    """Return the stores that a command names, or the default one."""
    return args.place or [args.store or Path(DEFAULT_STORE)]


@contextmanager
def chosen_matches(args: argparse.Namespace) -> Iterator[ChosenMatches]:
    """Open the stores and choose their matches; raise ConfigError if no match is found."""
    paths = stores_of(args)
    with ExitStack() as stores:
        chosen = []
        for path in dict.fromkeys(paths):
            store = stores.enter_context(MatchStore(path, create=False))
            chosen += [(store, match) for match in store.matches() if match.key.startswith(args.match or "")]
        if not chosen:
            if args.match:
                raise ConfigError("match", args.match, "a match of this store")
            raise ConfigError("store", " ".join(map(str, paths)), "one with a match")
        yield chosen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Print the tables of the matches in a store: ratings, results, time, failures."
    add_store_arguments(parser)
    told = "fix this engine's rating and show all others on that scale; may be repeated"
    parser.add_argument("--anchor", action="append", default=[], metavar="NAME=ELO", help=told)
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object with everything that the tables show"
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="write one page with tables, graphs and all games")
    parser.add_argument(
        "--overwrite", action="store_true", help="let --html replace a file that is no page of these matches"
    )
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="write pictures into this folder")
    parser.add_argument(
        "--clocks", action="store_true", help="show how much of its clock each engine used before it solved the game"
    )
    parser.add_argument(
        "--failures", action="store_true", help="list the games that ended in a failure, with the engine's last words"
    )


@guarded("match report")
def run(args: argparse.Namespace) -> int:
    """Print the report; return 0, 1 for a store that cannot be read, 2 for a match that is not in it."""
    check_outputs({"--html": args.html}, store=database(*stores_of(args)))
    with chosen_matches(args) as chosen:
        if args.html is not None:
            keys = [match.key for _, match in chosen]
            refuse_taken(
                args.html, overwrite=args.overwrite, is_own=lambda path: is_page_of(path, keys), word=OVERWRITE
            )
        known = anchors_of(args.anchor, [match for _, match in chosen])
        walks = {match.key: walk for store, match in chosen if (walk := stored_walk(store, match)) is not None}
        # The engines of a tuning are others in each iteration.
        to_pool = [(store, match) for store, match in chosen if match.key not in walks]
        pool = pooled(to_pool) if len(to_pool) > 1 else None
        if args.html is None:
            tallies = [tally_of(store, match) for store, match in chosen]
        else:
            drawn = [drawn_match(store, match, anchors_in(match.names, known)) for store, match in chosen]
            tallies = [one.tally for one in drawn]
            with whole_file(args.html) as file:
                file.writelines(part.encode("utf-8", "replace") for part in html_of(chosen, drawn, known, pool))
        if args.json:
            facts = {
                "matches": [
                    match_facts(store, match, tally, anchors_in(match.names, known))
                    for (store, match), tally in zip(chosen, tallies, strict=True)
                ]
            }
            for one in facts["matches"]:
                if one["key"] in walks:
                    one["tuning"] = tuning_facts(walks[one["key"]])
            write_lines([json.dumps(facts if pool is None else {**facts, "pool": _pool_facts(pool, known)})])
            return 0
        if args.html is not None and is_standard_output(args.html):
            return 0
        for (store, match), tally in zip(chosen, tallies, strict=True):
            standing = tuning_lines(walks[match.key]) if match.key in walks else ()
            write_lines([*report_lines(store, match, anchors_in(match.names, known), standing, tally), ""])
            if args.clocks:
                write_lines([*clock_table(store, match).lines(), ""])
            if args.failures:
                write_lines(failure_records(store, match))
            if args.pictures is not None:
                from othello_bot.arena.pictures import write_pictures, write_walk

                write_lines(map(str, write_pictures(store, match, args.pictures)))
                if match.key in walks:
                    write_lines([str(write_walk(walks[match.key], match, args.pictures))])
        if pool is not None:
            write_lines(pool.lines(anchors_in(pool.names, known)))
    return 0


def anchors_of(words: Sequence[str], matches: Sequence[StoredMatch]) -> dict[str, float]:
    """Return the known ratings by name; raise ConfigError for a word that is not NAME=ELO, or an unknown name."""
    names = sorted({name for match in matches for name in match.names})
    known: dict[str, float] = {}
    for word in words:
        name, equals, text = word.rpartition("=")
        try:
            known[name] = parse_decimal(text, -10_000, 10_000)
        except NotationError as error:
            raise ConfigError("anchor", word, f"NAME=ELO ({error})") from error
        if not equals or name not in names:
            raise ConfigError("anchor", word, f"NAME=ELO with one of the names {', '.join(names)}")
    return known


# -- for programs -----------------------------------------------------------------------------------------------------


def match_facts(store: MatchStore, match: StoredMatch, tally: Tally, anchors: Anchors | None = None) -> dict[str, Any]:
    """Return what the tables of a match tell, as JSON writes it; a number that is not finite is None."""
    config = match.config
    return {
        "key": match.key,
        "event": config.event,
        "begun": datetime.fromtimestamp(match.created, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": match.machine,
        "format": config.format,
        "openings": config.openings.source,
        "seed": config.seed,
        "rounds": config.rounds,
        "games": tally.games,
        "repeats": tally.repeats,
        "black_wins": tally.black_wins,
        "white_wins": tally.white_wins,
        "endings": {ending.value: count for ending, count in tally.endings.items()},
        "played_again": len(tally.stopped),
        "overhead_ms": _mean(tally.overhead_ms),
        "stalls": {
            "number": tally.stall_s.count,
            "seconds": tally.stall_s.count * tally.stall_s.mean,
            "longest_s": tally.longest_stall_s,
            "games": tally.stalled_games,
        },
        "engines": _engine_facts(store, match, tally, anchors),
        "meetings": [
            _meeting_facts(match.names, pair, meeting, tally.run) for pair, meeting in sorted(tally.meetings.items())
        ],
        "notes": _notes(match.shown_names, tally, anchors),
    }


def _notes(names: Sequence[str], tally: Tally, anchors: Anchors | None) -> list[str]:
    """Return what the tables say of what numbers mean."""
    told = (failed_meetings(names, tally), unpaired_games(tally))
    return [*rating_notes(names, tally, rated(len(names), tally, anchors), anchors), *filter(None, told)]


def _pool_facts(pool: PooledMatches, known: dict[str, float]) -> dict[str, Any]:
    """Return the facts of several matches together."""
    engines = []
    anchors = anchors_in(pool.names, known)
    for slot, (name, rating) in enumerate(zip(pool.names, rated(len(pool.names), pool.tally, anchors), strict=True)):
        wins, draws, losses = results_of(slot, pool.tally.meetings)
        one = {"name": name, **_rating_facts(rating)}
        engines.append({**one, "won": wins, "drawn": draws, "lost": losses})
    meetings = sorted(pool.tally.meetings.items())
    return {
        "games": pool.tally.games,
        "engines": engines,
        "meetings": [_meeting_facts(pool.names, pair, meeting, None) for pair, meeting in meetings],
        "notes": [*pool.notes, *_notes(pool.shown_names, pool.tally, anchors)],
    }


def _engine_facts(store: MatchStore, match: StoredMatch, tally: Tally, anchors: Anchors | None) -> list[dict[str, Any]]:
    """Return the facts of each engine, by slot."""
    identities, uses = store.identities(match.id), clock_uses(match, store.games(match.id))
    facts = []
    for slot, (name, rating) in enumerate(zip(match.names, rated(len(match.names), tally, anchors), strict=True)):
        wins, draws, losses = results_of(slot, tally.meetings)
        engine, use = tally.engines[slot], uses[slot]
        clock = {
            "games": use.games,
            "used": _mean(use.used),
            "left_s": _mean(use.left_s),
            "solved_at": _mean(use.solved_at),
            "over_plan": _mean(use.over_plan),
            "overtime_s": _mean(use.overtime_s),
            "overtime_most_s": use.overtime_most_s,
            "lost_on_time": use.forfeits,
        }
        facts.append(
            {
                "name": name,
                "identities": identities.get(slot, []),
                "limits": str(match.config.engines[slot].limits),
                **_rating_facts(rating),
                "won": wins,
                "drawn": draws,
                "lost": losses,
                "moves": engine.moves,
                "seconds": engine.seconds,
                "latency_s": _mean(engine.latency_s),
                "retries": engine.retries,
                "failures": {ending.value: count for ending, count in engine.failures.items()},
                "reasons": [
                    {"ending": reason.ending.value, "words": reason.words, "games": reason.count}
                    for reason in engine.reasons.values()
                ],
                "clock": clock if use.games or use.forfeits else None,
            }
        )
    return facts


def _meeting_facts(
    names: Sequence[str], pair: tuple[int, int], meeting: Meeting, run: SequentialRun | None
) -> dict[str, Any]:
    """Return the facts of the games between two engines, from the first one's view."""
    test = None
    if run is not None:
        test = {
            "elo0": run.test.elo0,
            "elo1": run.test.elo1,
            "model": run.test.model,
            "llr": run.log_likelihood_ratio,
            "lower": run.test.lower,
            "upper": run.test.upper,
            "verdict": run.verdict.value,
            "pairs": list(run.counts),
        }
    return {
        "first": names[pair[0]],
        "second": names[pair[1]],
        "won": meeting.wins,
        "drawn": meeting.draws,
        "lost": meeting.losses,
        "pairs": list(meeting.pairs),
        "repeated_pairs": meeting.repeated_pairs,
        "openings": len(meeting.openings),
        "elo": _interval(elo(meeting.scores)),
        "normalised_elo": _interval(normalised_elo(meeting.scores)),
        "superior": _finite(likelihood_of_superiority(meeting.scores)),
        "discs": _mean(meeting.discs),
        "discs_error": _finite(meeting.discs.standard_error),
        "sprt": test,
    }


def _rating_facts(rating: Rating) -> dict[str, Any]:
    is_fixed = rating.low == rating.high
    return {
        "elo": _finite(rating.elo),
        "low": None if is_fixed else _finite(rating.low),
        "high": None if is_fixed else _finite(rating.high),
        "group": rating.group + 1,
        "no_interval": "fixed" if is_fixed else rating.why,
    }


def _interval(estimate: Estimate) -> dict[str, Any]:
    ends = {"low": _finite(estimate.low), "high": _finite(estimate.high)}
    return {"value": _finite(estimate.value), **ends, "no_interval": estimate.why}


def _mean(moments: RunningMoments) -> float | None:
    return moments.mean if moments.count else None


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


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
        limits = engine.limits
        if limits.settings is not None:
            yield (
                name,
                f"st={limits.move_time_s:g}" if limits.control is None else str(limits.control),
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

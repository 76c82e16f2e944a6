"""What a store tells about a match afterwards, as text; the pictures are made by `pictures`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

from othello_bot.arena.reports import Ending
from othello_bot.arena.sprt import Sprt
from othello_bot.arena.store import Store
from othello_bot.arena.stored import StoredMatch
from othello_bot.arena.summary import summary_lines
from othello_bot.arena.tally import Tally
from protocol.notation import Color
from protocol.wire import clean


def tally_of(store: Store, match: StoredMatch) -> Tally:
    """Return the counts of a stored match."""
    tally = Tally(len(match.names))
    tally.add_all(store.results(match.id))
    return tally


def sprt_of(match: StoredMatch) -> Sprt | None:
    """Return the sequential test of a stored match."""
    settings = match.config["sprt"]
    return None if settings is None else Sprt(**settings)


def report_lines(store: Store, match: StoredMatch) -> list[str]:
    """Return what a match was and how it stands."""
    begun = datetime.fromtimestamp(match.created, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    openings = match.config["openings"]
    identities = store.identities(match.id)
    lines = [
        f"match {match.key[:8]}{' ' + match.config['event'] if match.config['event'] else ''}, begun {begun}"
        f" on {match.machine}",
        f"openings {openings['source']}, {match.config['format']}, seed {match.config['seed']}",
        *(_engine_line(engine, identities.get(slot, [])) for slot, engine in enumerate(match.config["engines"])),
        "",
    ]
    return lines + summary_lines(match.names, tally_of(store, match), sprt_of(match))


def failure_records(store: Store, match: StoredMatch) -> Iterator[str]:
    """Yield the lines about each game that ended by a failure: who, how, why, its moves, the engine's last words."""
    for game in store.games(match.id):
        result = game.result
        if result.loser is None or Ending(result.ending).by_rule:
            continue
        task = result.task
        black, white = match.names[task.black], match.names[task.white]
        loser = black if result.loser is Color.BLACK else white
        yield f"{black} - {white} (opening {task.round + 1}): {loser} lost by {result.ending}"
        yield from (f"  {clean(line)}" for line in result.detail.splitlines())
        yield f"  moves: {game.moves}"
        yield from (f"    {clean(line)}" for line in game.last_words)
        yield ""


def _engine_line(engine: dict[str, Any], identities: list[str]) -> str:
    """Return what an engine is, how it is limited, and what it says it is: who fails to start says nothing."""
    limits = engine["limits"]
    control = limits["control"]
    words = [engine["name"], "is", engine["strategy"] or " ".join(engine["command"]) or engine["kind"]]
    if control is not None:
        moves = "" if control["moves"] is None else f"{control['moves']}/"
        words.append(f"tc={moves}{control['main_s']:g}+{control['increment_s']:g}")
    words += [
        f"{short}={limits[name]:g}"
        for short, name in (("st", "move_time_s"), ("depth", "depth"), ("nodes", "nodes"), ("level", "level"))
        if limits[name] is not None
    ]
    words += [f"{name}={value}" for name, value in engine["options"]]
    said = [identity for identity in identities if identity != engine["name"]]
    if said:
        words.append(f"({' and '.join(said)})")
    return " ".join(words)

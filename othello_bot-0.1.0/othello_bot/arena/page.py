"""A report as one HTML file: tables, a graph of Elo and LLR by game, and each game on a board that replays.

The file is self-contained: it loads no font and makes no request. Names and other outside text are escaped.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from othello_bot import svg
from othello_bot.arena.games import MoveReport
from othello_bot.arena.match import stage_lines
from othello_bot.arena.ratings import Rating
from othello_bot.arena.report import (
    Anchors,
    ChosenMatches,
    PooledMatches,
    ReportTable,
    closing_lines,
    crosstable,
    meeting_lines,
    meetings_table,
    percent,
    places,
    rated,
    results_of,
    settings_lines,
    signed,
    standings,
)
from othello_bot.arena.statistics import elo
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import StoredGame, StoredMatch
from othello_bot.arena.tally import Tally
from othello_bot.base.errors import counted
from othello_bot.base.files import read_regular
from othello_bot.base.notation import PASS, move_name
from othello_bot.base.visible import visible
from othello_bot.rules import Position, parse_moves, squares_of

MOST_GAMES: Final = 1000
"""Games of a match that can be replayed, the first ones; tables and graphs count all."""

_POINTS: Final = 200
"""Most points of a graph."""

_WIDTH, _HEIGHT, _MARGIN = 900, 220, 44

_COLORS: Final = ("#1d7a4f", "#b7791f", "#2b6cb0", "#c0392b", "#7b4fa3", "#4a5568")

STYLE: Final = """
:root { color-scheme: light dark; --page: #f6f5f1; --card: #fff; --ink: #22252a; --soft: #5c636b; --hair: #dedbd2 }
@media (prefers-color-scheme: dark) {
  :root { --page: #15181b; --card: #1e2226; --ink: #e6e7e8; --soft: #a5adb5; --hair: #32383e }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 1060px; margin: 0 auto; padding: 28px 20px 60px }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; overflow-wrap: anywhere }
section { background: var(--card); border: 1px solid var(--hair); border-radius: 12px; padding: 16px 20px;
  margin: 0 0 20px; overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th { color: var(--soft); font-size: .82rem } th, td { text-align: right; padding: 4px 10px; white-space: pre }
td { border-top: 1px solid var(--hair) } th:first-child, td:first-child, .list td { text-align: left }
.about { color: var(--soft); overflow-wrap: anywhere; margin: 2px 0 }
svg { max-width: 100%; height: auto } svg text { fill: var(--soft); font: 12px system-ui, sans-serif }
.viewer { display: grid; grid-template-columns: minmax(220px, 360px) 1fr; gap: 20px; margin-top: 14px }
@media (max-width: 640px) { .viewer { grid-template-columns: 1fr } }
.board { display: grid; grid-template-columns: repeat(8, 1fr); aspect-ratio: 1; background: #24593d; padding: 4px;
  gap: 1px }
.board div { background: #2f8f5b; display: grid; place-items: center }
.board i { width: 82%; height: 82%; border-radius: 50%; position: relative }
.board i.X { background: #16181a } .board i.O { background: #f7f7f4 }
.board .placed { outline: 2px solid #ffd54a; outline-offset: -2px }
.moves { max-height: 300px; overflow-y: auto; font-family: ui-monospace, monospace; font-size: .85rem }
.moves button.now { font-weight: 700; text-decoration: underline }
.moves button { all: unset; cursor: pointer; padding: 1px 6px; display: block; white-space: pre }
.moves button:focus-visible { outline: 2px solid #2b6cb0 }
.list { max-height: 340px; overflow: auto }
"""

SCRIPT: Final = """
"use strict";
for (const section of document.querySelectorAll("section.games")) {
  const games = JSON.parse(section.querySelector("script").textContent);
  const viewer = section.querySelector(".viewer");
  const [title, side, list] = ["h3", ".side", ".moves"].map(name => viewer.querySelector(name));
  const cells = [...viewer.querySelectorAll(".board div")];
  let game = null, boards = [], ply = 0;
  const played = (board, move) => {
    const after = [...board];
    for (const at of move.at < 0 ? [] : [move.at, ...move.flips]) after[at] = move.color;
    return after;
  };
  const show = number => {
    ply = Math.max(0, Math.min(boards.length - 1, number));
    const move = ply ? game.moves[ply - 1] : null;
    cells.forEach((cell, at) => {
      const disc = boards[ply][at];
      cell.replaceChildren();
      if (disc !== "-") cell.append(Object.assign(document.createElement("i"), {className: disc}));
      cell.className = move && move.at === at ? "placed" : "";
    });
    const count = disc => boards[ply].filter(one => one === disc).length;
    const clock = color => {
      const own = game.moves.slice(0, ply).filter(one => one.color === color && one.told).pop();
      return own ? ", " + own.told : "";
    };
    side.textContent = `${game.black} ${count("X")}${clock("X")}\\n${game.white} ${count("O")}${clock("O")}`;
    [...list.children].forEach((button, at) => button.classList.toggle("now", at === ply));
    const [row, frame] = [list.children[ply], list].map(one => one.getBoundingClientRect());
    list.scrollTop += Math.min(0, row.top - frame.top) + Math.max(0, row.bottom - frame.bottom);
  };
  const open = number => {
    game = games[number];
    viewer.hidden = false;
    title.textContent = game.title;
    boards = [[...game.start]];
    for (const move of game.moves) boards.push(played(boards[boards.length - 1], move));
    list.replaceChildren(...boards.map((_, at) => {
      const button = document.createElement("button");
      const move = at ? game.moves[at - 1] : null;
      button.textContent = move ? `${String(at).padStart(2)}. ${move.name} ${move.told}` : " start";
      button.onclick = () => show(at);
      return button;
    }));
    show(game.opening);
  };
  const ways = {first: () => 0, back: () => ply - 1, on: () => ply + 1, last: () => boards.length - 1};
  for (const [name, to] of Object.entries(ways)) viewer.querySelector("." + name).onclick = () => show(to());
  viewer.addEventListener("keydown", event => {
    const way = {ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last"}[event.key];
    if (way) { event.preventDefault(); show(ways[way]()); }
  });
  section.querySelectorAll(".list button").forEach((button, number) => { button.onclick = () => open(number); });
  if (games.length) open(0);
}
"""


def anchors_in(names: Sequence[str], known: Mapping[str, float]) -> dict[int, float]:
    """Return the known ratings of engines, by slot."""
    return {slot: known[name] for slot, name in enumerate(names) if name in known}


class DrawnMatch(NamedTuple):
    """The counts of a match, and as parts of the page its graphs: of the ratings by game, and of the sequential test."""

    tally: Tally
    elos: str
    ratios: str


def html_of(
    chosen: ChosenMatches,
    drawn: Sequence[DrawnMatch],
    known: Mapping[str, float] | None = None,
    pool: PooledMatches | None = None,
) -> Iterator[str]:
    """Yield the parts of the page.

    `drawn` has what `drawn_match` returns of each match, `known` ratings by name, `pool` the matches together.
    """
    keys = [match.key for _, match in chosen]
    yield from framed("othello-bot match report", _report(chosen, drawn, known or {}, pool), keys)


_MATCHES: Final = '<meta name="othello-bot-matches" content="'

_SEARCHED_BYTES: Final = 1 << 20
"""How much of the beginning of a file is searched for the matches of which it is a page."""


def is_page_of(path: Path, keys: Iterable[str]) -> bool:
    """Return whether a file is a page of matches, all of which are among those with these keys. Raise OSError."""
    found = re.search(rf'{_MATCHES}([0-9a-f ]*)">'.encode(), read_regular(path, _SEARCHED_BYTES))
    return found is not None and set(found[1].decode().split()) <= set(keys)


def framed(title: str, content: Iterable[str], keys: Iterable[str]) -> Iterator[str]:
    """Yield the parts of a page with this content, which tells of the matches with these keys."""
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f'{_MATCHES}{" ".join(keys)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline';"
    yield " script-src 'unsafe-inline'\">"
    yield f"<title>{text_html(title)}</title><style>{STYLE}</style></head><body><main>"
    yield from content
    yield f"</main><script>{SCRIPT}</script></body></html>\n"


def _report(
    chosen: ChosenMatches, drawn: Sequence[DrawnMatch], known: Mapping[str, float], pool: PooledMatches | None
) -> Iterator[str]:
    """Yield the content of a report."""
    if pool is not None:
        anchors = anchors_in(pool.names, known)
        title, *notes = pool.lines(anchors)
        yield f"<h1>{text_html(title)}</h1>"
        yield "".join(f'<p class="about">{text_html(line)}</p>' for line in notes[: notes.index("")])
        yield f"<section>{table_html(standings(pool.shown_names, pool.tally, anchors))}</section>"
        yield from _crosstable(pool.shown_names, pool.tally)
    for (store, match), one in zip(chosen, drawn, strict=True):
        yield from _match(store, match, one, anchors_in(match.names, known))


def ladder_html(
    names: Sequence[str],
    tally: Tally,
    ratings: Sequence[Rating],
    anchors: Anchors,
    latest: Sequence[Mapping[str, Any]],
    keys: Iterable[str] = (),
) -> Iterator[str]:
    """Yield the parts of a ladder's page: ratings, results of each player by opponent, games as from `game_data`.

    `keys` are those of the matches that make up the ladder.
    """
    title = f"ladder: {counted(len(names), 'player')}, {counted(tally.games, 'game')}"
    order = places(len(names), tally, anchors)
    ranking = sorted(range(len(names)), key=lambda slot: -order[slot])
    content = [f"<h1>{title}</h1><section>{table_html(standings(names, tally, anchors))}</section><section>"]
    for slot in ranking:
        table = table_html(_opponents(slot, ranking, names, tally, ratings))
        content.append(f"<details><summary>{text_html(names[slot])} against each opponent</summary>{table}</details>")
    told = (f'<p class="about">{text_html(line)}</p>' for line in closing_lines(names, tally) if line)
    content += ["</section><section>", *told, "</section>"]
    yield from framed(title, [*content, *games_html("latest games", latest)], keys)


def _opponents(
    slot: int, ranking: Sequence[int], names: Sequence[str], tally: Tally, ratings: Sequence[Rating]
) -> ReportTable:
    """Return the results of one player against each opponent, in the order of a ranking."""
    rows = []
    for other in ranking:
        pair = (min(slot, other), max(slot, other))
        if (meeting := tally.meetings.get(pair)) is not None:
            won, drawn, lost = results_of(slot, {pair: meeting})
            score = percent(won + drawn / 2, meeting.games)
            rows.append(
                (
                    names[other],
                    signed(ratings[other].elo) if math.isfinite(ratings[other].elo) else "-",
                    *map(str, (meeting.games, won, drawn, lost)),
                    score,
                )
            )
    return ReportTable("", ("opponent", "its Elo", "games", "won", "drawn", "lost", "score"), tuple(rows))


def _crosstable(names: Sequence[str], tally: Tally) -> Iterator[str]:
    """Yield who met whom, if there are more than two engines."""
    if len(names) > 2:
        tables = (crosstable(names, tally), meetings_table(names, tally.meetings))
        yield f"<section>{''.join(map(table_html, tables))}</section>"


def text_html(text: object) -> str:
    """Return a text from outside as a part of the page."""
    return escape(visible(str(text)))


def _match(store: MatchStore, match: StoredMatch, drawn: DrawnMatch, anchors: Anchors) -> Iterator[str]:
    names, tally = match.shown_names, drawn.tally
    about, *settings = settings_lines(store, match)
    yield f"<h1>{text_html(about)}</h1>"
    yield "".join(f'<p class="about">{text_html(line)}</p>' for line in settings)
    yield f"<section>{table_html(standings(names, tally, anchors))}</section>"
    yield from _crosstable(names, tally)
    yield drawn.elos + drawn.ratios
    told = [*closing_lines(names, tally), *stage_lines(match.config, tally.meetings)]
    if len(names) == 2 and tally.meetings:
        told = [*meeting_lines(names, (0, 1), tally.meetings[0, 1], tally.run), *told]
    yield "<section>" + "".join(f'<p class="about">{text_html(line)}</p>' for line in told if line) + "</section>"
    shown = [game for _, game in zip(range(MOST_GAMES), store.games(match.id), strict=False)]
    first = f" (the first {MOST_GAMES})" if tally.games > MOST_GAMES else ""
    yield from games_html(f"{counted(tally.games, 'game')}{first}", [game_data(match, game) for game in shown])


def table_html(table: ReportTable) -> str:
    """Return a table as a part of the page."""
    heads = "".join(f'<th scope="col">{text_html(head)}</th>' for head in table.heads)
    rows = "".join("<tr>" + "".join(f"<td>{text_html(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    title = f"<caption>{text_html(table.title)}</caption>" if table.title else ""
    notes = "".join(f'<p class="about">{text_html(note)}</p>' for note in table.notes)
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{notes}"


# -- graphs -----------------------------------------------------------------------------------------------------------


def drawn_match(store: MatchStore, match: StoredMatch, anchors: Anchors) -> DrawnMatch:
    """Count a match and draw its graphs."""
    results = list(store.results(match.id))
    tally, points = Tally(len(match.names), sprt=match.config.sprt), _POINTS if len(match.names) == 2 else _POINTS // 4
    step = max(1, math.ceil(len(results) / points))
    names = match.shown_names if len(match.names) > 2 else match.shown_names[:1]
    lines: list[list[tuple[float, float]]] = [[] for _ in names]
    band: list[tuple[float, float, float]] = []
    ratios: list[tuple[float, float]] = []
    for number, result in enumerate(results, 1):
        tally.add(result)
        if number % step and number != len(results):
            continue
        if len(names) > 1:
            for line, rating in zip(lines, rated(len(names), tally, anchors, intervals=False), strict=True):
                if math.isfinite(rating.elo):
                    line.append((number, rating.elo))
            continue
        found = elo(tally.meetings[0, 1].scores)
        if math.isfinite(found.low) and math.isfinite(found.high):
            lines[0].append((number, found.value))
            band.append((number, found.low, found.high))
        if tally.run is not None:
            ratios.append((number, tally.run.log_likelihood_ratio))
    graph = _graph("Elo by game", len(results), names, lines, band)
    if match.config.sprt is None:
        return DrawnMatch(tally, graph, "")
    bounds = (match.config.sprt.lower, match.config.sprt.upper)
    drawn = _graph("log-likelihood ratio by game", len(results), ("LLR",), [ratios], [], bounds)
    return DrawnMatch(tally, graph, drawn)


def _graph(
    title: str,
    games: int,
    names: Sequence[str],
    lines: Sequence[Sequence[tuple[float, float]]],
    band: Sequence[tuple[float, float, float]],
    bounds: Sequence[float] = (),
) -> str:
    """Return a section with a graph; empty without points."""
    if not any(lines):
        return ""
    # The first errors are many times the last ones: they do not decide the scale.
    settled = band[len(band) // 2 :]
    heights = [y for line in lines for _, y in line] + [y for _, *ends in settled for y in ends] + [0.0, *bounds]
    marks = _marks(min(heights), max(heights))
    low, high = marks[0], marks[-1]

    def place(x: float, y: float) -> tuple[float, float]:
        y = max(low, min(high, y))
        across = _MARGIN + (_WIDTH - 2 * _MARGIN) * x / max(1, games)
        return across, 10 + (_HEIGHT - 40) * (high - y) / (high - low)

    parts = []
    if band:
        around = [place(x, top) for x, _, top in band] + [place(x, bottom) for x, bottom, _ in reversed(band)]
        parts.append(svg.element("polygon", points=svg.points(around), fill=_COLORS[0], opacity=0.2))
    for y in (0.0, *bounds):
        ends = svg.points((place(0, y), place(games, y)))
        parts.append(svg.element("polyline", points=ends, fill="none", stroke="currentColor", opacity=0.3))
    for number, (name, line) in enumerate(zip(names, lines, strict=True)):
        color, drawn = _COLORS[number % len(_COLORS)], svg.points(place(x, y) for x, y in line)
        tip = svg.element("title", text_html(name))
        parts.append(svg.element("polyline", tip, points=drawn, fill="none", stroke=color, stroke_width=2))
    for y in marks:
        named = f"{y:+g}" if y else "0"
        parts.append(svg.element("text", named, x=_MARGIN - 6, y=place(0, y)[1], text_anchor="end", dy=4))
    end = {"x": _WIDTH - _MARGIN, "y": _HEIGHT - 6, "text_anchor": "end"}
    parts.append(svg.element("text", counted(games, "game"), **end))
    legend = " · ".join(
        f'<span style="color:{_COLORS[number % len(_COLORS)]}">&#9632;</span> {text_html(name)}'
        for number, name in enumerate(names)
    )
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    picture = svg.element("svg", *parts, viewBox=box, width=_WIDTH, role="img", aria_label=title)
    return f'<section><h2>{title}</h2>{picture}<p class="about">{legend}</p></section>'


def _marks(low: float, high: float) -> list[float]:
    """Return the marks of an axis from `low` to `high`: multiples of 1, 2 or 5 times a power of ten, at most six."""
    reach = max(high - low, 1.0)
    power = 10.0 ** math.floor(math.log10(reach / 5))
    step = next(power * factor for factor in (1, 2, 5, 10) if reach / (power * factor) <= 5)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 6) for number in range(first, max(last, first + 1) + 1)]


# -- games ------------------------------------------------------------------------------------------------------------


def games_html(title: str, data: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the list of games whose `game_data` are given, and the board that replays them."""
    yield f'<section class="games"><h2>{title}</h2><div class="list"><table><tbody>'
    for game in data:
        yield f'<tr><td><button type="button">show</button></td><td>{text_html(game["title"])}</td></tr>'
    yield "</tbody></table></div>"
    # Markup in the JSON must not end the script: < is escaped.
    yield f'<script type="application/json">{json.dumps(data).replace("<", chr(92) + "u003c")}</script>'
    yield '<div class="viewer" tabindex="0" hidden><div><h3></h3><div class="board">' + "<div></div>" * 64 + "</div><p>"
    for name, sign, told in (
        ("first", "&#8676;", "to the start"),
        ("back", "&#8592;", "one move back"),
        ("on", "&#8594;", "one move on"),
        ("last", "&#8677;", "to the end"),
    ):
        yield f'<button type="button" class="{name}" aria-label="{told}">{sign}</button> '
    yield '</p></div><div><p class="side about" style="white-space:pre-line"></p><div class="moves"></div></div></div>'
    yield "</section>"


def game_data(match: StoredMatch, game: StoredGame) -> dict[str, Any]:
    """Return what the board needs of a game."""
    result = game.result
    black, white = (match.shown_names[slot] for slot in result.slots)
    points = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[result.black_points]
    discs = "" if result.discs is None else f" ({result.discs:+d})"
    detail = f": {visible(result.detail)}" if result.detail else ""
    title = f"{result.round + 1}.{result.leg + 1} {black} - {white} {points}{discs}, {result.ending.value}{detail}"
    played = {move.ply: move for move in game.played}
    moves: list[dict[str, Any]] = []
    position = Position.parse(game.start)
    start = position.to_string().split()[0]
    for ply, move in enumerate(parse_moves(game.moves)):
        before, position = position, position.play(move)
        # Turned discs were the opponent's and are now those of who has just moved: the opponent again.
        turned = before.opponent & position.opponent
        moves.append(
            {
                "at": move if move != PASS else -1,
                "name": move_name(move),
                "color": before.color.disc,
                "told": _told(played[ply]) if ply in played else "",
                "flips": list(squares_of(turned)),
            }
        )
    return {
        "title": title,
        "black": black,
        "white": white,
        "start": start,
        "opening": game.opening_plies,
        "moves": moves,
    }


def _told(report: MoveReport) -> str:
    """Return score, time and clock of a move."""
    score = "" if report.score is None else f"{report.score:+g}, "
    left = "" if report.left_s is None else f", {report.left_s:.1f} s left"
    return f"{score}{report.used_s:.2f} s{left}"

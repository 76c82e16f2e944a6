"""Reviews as one HTML file: the table of players, and of each game its drawn graph and the moves that lost discs.

Colours are CSS classes of `STYLE`, so that one page serves light and dark screens and paper; it loads nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from html import escape
from itertools import pairwise
from typing import Final

from othello_bot import svg
from othello_bot.base.errors import counted
from othello_bot.base.notation import PASS, Color, format_transcript, move_name
from othello_bot.base.visible import visible
from othello_bot.engine import people
from othello_bot.review.game_review import GameReview
from othello_bot.review.judgement import MIDGAME_EMPTIES, OPENING_EMPTIES, JudgedMove, Phase
from othello_bot.review.store import Heading
from othello_bot.review.text_report import (
    HEADS,
    SHOWN_PLIES,
    PlayerTable,
    cells,
    grade_name,
    number,
    people_words,
    player_name,
    result_text,
)
from othello_bot.rules import Position

STYLE: Final = """
:root {
  color-scheme: light dark;
  --page: #f6f5f1; --card: #ffffff; --ink: #22252a; --soft: #6a7078; --hair: #dedbd2; --accent: #1d7a4f;
  --bad: #d8432f; --line: #1d7a4f;
  --area: #1d7a4f26; --shade: #00000009; --warn: #b7791f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181b; --card: #1e2226; --ink: #e6e7e8; --soft: #9aa2aa; --hair: #32383e; --accent: #58c48d;
    --bad: #ff6b57; --line: #58c48d;
    --area: #58c48d2b; --shade: #ffffff0a; --warn: #e5b454;
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 1060px; margin: 0 auto; padding: 28px 20px 60px }
h1 { font-size: 1.7rem; margin: 0 0 2px; letter-spacing: -.01em }
h2 { font-size: 1.2rem; margin: 0 }
p.about { color: var(--soft); margin: 0 0 22px }
article, .players { background: var(--card); border: 1px solid var(--hair); border-radius: 14px; padding: 20px 22px;
  margin: 0 0 22px }
.players { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th { text-align: right; font-weight: 600; color: var(--soft); font-size: .82rem; padding: 4px 10px }
td { text-align: right; padding: 6px 10px; border-top: 1px solid var(--hair) }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
td:first-child { font-weight: 600 }
header.game { display: flex; flex-wrap: wrap; gap: 4px 14px; align-items: baseline; margin-bottom: 12px }
header.game span { color: var(--soft) }
header.game .result { color: var(--ink); font-weight: 700; font-variant-numeric: tabular-nums }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 10px 26px;
  margin-bottom: 14px }
.side { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline }
.side b { font-size: 1.25rem; font-variant-numeric: tabular-nums }
.side span { color: var(--soft); font-size: .88rem }
.side i, figcaption i { display: inline-block; width: .8em; height: .8em; border-radius: 50%;
  border: 1px solid var(--soft) }
i.black { background: #16181a } i.white { background: #fff }
.slips { display: grid; grid-template-columns: repeat(auto-fill, minmax(188px, 1fr)); gap: 18px; margin-top: 16px }
figure { margin: 0 } figcaption { font-size: .86rem; margin-top: 6px; line-height: 1.4 }
figcaption .lost { font-weight: 700 } .inaccuracy { color: var(--soft) } .mistake { color: var(--warn) }
.blunder { color: var(--bad) } figcaption code { color: var(--soft); font: .8rem/1.4 ui-monospace, monospace }
.moves { margin: 14px 0 0; color: var(--soft); font: .82rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
svg { display: block; width: 100%; height: auto } svg.board { max-width: 240px }
svg.board text { fill: var(--soft); font-size: 19px }
.mark { fill: var(--soft); font: 10px system-ui, sans-serif; text-anchor: middle }
.mark[text-anchor=end] { text-anchor: end }
.phase { fill: none } .phase.midgame { fill: var(--shade) }
.tick { stroke: var(--hair); stroke-width: .7 } .axis { stroke: var(--soft); stroke-width: .9 }
.area { fill: var(--area) } .line { fill: none; stroke: var(--line); stroke-width: 2; stroke-linejoin: round }
.slip.black { fill: #16181a } .slip.white { fill: #fff } .slip { stroke: var(--bad); stroke-width: 1.8 }
@media (max-width: 480px) { main { padding: 16px 10px 40px } article, .players { padding: 14px 12px } }
@media print { body { background: none } article { break-inside: avoid } }
"""


GRAPH_WIDTH: Final = 720
GRAPH_HEIGHT: Final = 190
LOSS_HEIGHT: Final = 44
LEFT: Final = 34
TICKS: Final = (-64, -30, -10, 0, 10, 30, 64)
"""Sizes of a graph, and the scores that its axis names."""

LARGEST_BAR: Final = 24
"""Loss in discs that has a bar of full height."""


def board(position: Position, move: JudgedMove) -> str:
    """Return a board before a move: the played move crossed out, the better one in a ring."""
    played, better = move_name(move.move), move_name(move.best.move)
    label = f"{position.color.name.title()} to move: {played} was played, {better} was better"
    return svg.board(position, crossed=move.move, ringed=move.best.move, label=label, size=240)


def graph(review: GameReview) -> str:
    """Return the graph of a game: the score after each move from Black's view, and the discs that each move lost."""
    moves = review.moves
    step = (GRAPH_WIDTH - LEFT - 4) / max(1, len(moves))
    places = [(float(LEFT), _height(_black_score(moves[0], moves[0].best.discs)))] if moves else []
    places += [(LEFT + step * move.ply, _height(_black_score(move, move.score))) for move in moves]
    middle = _height(0)
    last = places[-1][0] if places else LEFT
    return svg.element(
        "svg",
        *_phases(review, step),
        *(_tick(score) for score in TICKS),
        svg.element("polygon", class_="area", points=svg.points([(LEFT, middle), *places, (last, middle)])),
        svg.element("polyline", class_="line", points=svg.points(places)),
        *(_mark_of_slip(move, LEFT + step * move.ply, step) for move in moves if move.loss),
        svg.element("text", "lost", class_="mark", x=LEFT - 4, y=GRAPH_HEIGHT + 14, text_anchor="end"),
        class_="graph",
        viewBox=f"0 0 {GRAPH_WIDTH} {GRAPH_HEIGHT + LOSS_HEIGHT}",
        role="img",
        aria_label="the score after each move, for Black, and the discs that each move lost",
    )


def _black_score(move: JudgedMove, score: int) -> int:
    return score if move.color is Color.BLACK else -score


def _height(score: float) -> float:
    """Return the height of a score; the scale shrinks towards large scores, where a disc matters less."""
    middle = GRAPH_HEIGHT / 2
    return middle - math.copysign((abs(score) / 64) ** 0.6, score) * (middle - 10)


def _tick(score: int) -> str:
    y = _height(score)
    line = svg.element("path", class_="tick" if score else "axis", d=f"M{LEFT} {y:.1f}H{GRAPH_WIDTH - 4}")
    name = f"{score:+d}" if score else "0"
    return line + svg.element("text", name, class_="mark", x=LEFT - 4, y=y + 3, text_anchor="end")


def _phases(review: GameReview, step: float) -> Iterator[str]:
    """Yield the borders between the phases, and the names of those that the game has."""
    borders = [("opening", 61), ("midgame", OPENING_EMPTIES), ("endgame", MIDGAME_EMPTIES), ("", 1)]
    for (name, highest), (_, lowest) in pairwise(borders):
        plies = [move.ply for move in review.moves if lowest <= review.empties(move) < highest]
        if plies:
            x, width = LEFT + step * (plies[0] - 1), step * len(plies)
            yield svg.element("rect", class_=f"phase {name}", x=x, y=0, width=width, height=GRAPH_HEIGHT)
            yield svg.element("text", name, class_="mark", x=x + width / 2, y=GRAPH_HEIGHT - 4)


def _mark_of_slip(move: JudgedMove, x: float, step: float) -> str:
    """Return the dot of a slip on the line, and its bar below."""
    height = min(1.0, move.loss / LARGEST_BAR) * (LOSS_HEIGHT - 6)
    return svg.element(
        "g",
        svg.element("title", f"{move.ply}. {move_name(move.move)} lost {move.loss}"),
        svg.element("circle", cx=x, cy=_height(_black_score(move, move.score)), r=4.2),
        svg.element("rect", x=x - step * 0.4, y=GRAPH_HEIGHT + 4, width=step * 0.8, height=height, rx=1.5),
        class_=f"slip {move.color.name.lower()}",
    )


def is_drawable(move: JudgedMove) -> bool:
    """Return whether a move and the better one are squares of a board."""
    return PASS not in (move.move, move.best.move)


DRAWN_GAMES: Final = 200
"""Games that are drawn, the first ones; the table of players counts all of them."""


def html_of(reviews: Iterable[tuple[Heading, GameReview]]) -> Iterator[str]:
    """Yield the parts of the page."""
    table = PlayerTable()
    games: list[str] = []
    level = 0
    for heading, review in reviews:
        table.add(heading, review)
        level = review.level
        if len(games) < DRAWN_GAMES:
            games.append("".join(_game(heading, review)))
    title = f"{counted(table.games, 'game')} reviewed"
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{STYLE}</style></head><body><main>"
    yield f"<h1>{title}</h1>"
    yield f'<p class="about">othello-bot, level {level}. The table shows the mean loss of a move in discs, in all and'
    yield " by phase. Graphs show the score for Black. On the boards, the cross is the played move and the ring the"
    yield f" better one.{f' The first {DRAWN_GAMES} games are drawn.' if table.games > DRAWN_GAMES else ''}</p>"
    yield from _players(table)
    yield from games
    yield "</main></body></html>\n"


def _text(text: str) -> str:
    """Return a text of others as a part of the page."""
    return escape(visible(text))


def _players(table: PlayerTable) -> Iterator[str]:
    """Yield the table of players."""
    yield '<div class="players"><table><thead><tr>'
    yield "".join(f'<th scope="col">{head}</th>' for head in HEADS)
    yield "</tr></thead><tbody>"
    for name, tally in table.ranking():
        yield "<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in cells(name, tally)) + "</tr>"
    yield "</tbody></table></div>"


def _game(heading: Heading, review: GameReview) -> Iterator[str]:
    """Yield the section of a game."""
    names = " – ".join(_text(player_name(heading, color)) for color in Color)
    about = [text for text in (heading.event, heading.date, f"{heading.file}, {heading.place}") if text]
    yield f'<article><header class="game"><h2>{names}</h2>'
    yield f'<span class="result">{result_text(heading)}</span><span>{_text(" · ".join(about))}</span></header>'
    yield '<div class="sides">' + "".join(_side(heading, review, color) for color in Color) + "</div>"
    yield graph(review)
    ratings = review.ratings()
    drawn = [move for move in review.moves if is_drawable(move)]
    notable = [move for move in drawn if move.loss or people_words(move, ratings[move.color])]
    if notable:
        yield '<div class="slips">' + "".join(_slip(review, move, ratings[move.color]) for move in notable) + "</div>"
    yield f'<p class="moves">{review.game.transcript()}</p></article>'


def _side(heading: Heading, review: GameReview, color: Color) -> str:
    """Return a player's accuracy, in all and by phase."""
    player = review.player(color)
    total = player.total
    phases = ", ".join(
        f"{phase.value} {number(player.phases[phase].accuracy, 0)} %" for phase in Phase if player.phases[phase].moves
    )
    rating = "" if player.rating is None else f"<span>plays like a player rated {player.rating}</span>"
    return (
        f'<div class="side"><i class="{color.name.lower()}"></i>{_text(player_name(heading, color))}'
        f" <b>{number(total.accuracy, 1)} %</b><span>{counted(total.loss, 'disc')} lost</span>"
        f"<span>{phases}</span>{rating}</div>"
    )


def _slip(review: GameReview, move: JudgedMove, rating: people.RatingEstimate | None) -> str:
    """Return the board of a move that lost discs, with what was better, or of one that few people find."""
    grade = grade_name(move.loss)
    lost = f' <span class="lost {grade}">&minus;{move.loss} {grade}</span>' if move.loss else ""
    scores = f"{move_name(move.move)} {move.score:+d}"
    if move.loss:
        scores += f", {move_name(move.best.move)} {move.best.score:+d}"
    said = people_words(move, rating)
    line = _text(format_transcript(move.best.pv[:SHOWN_PLIES], separator=" "))
    return (
        f"<figure>{board(review.game.position_at(move.ply - 1), move)}<figcaption>"
        f'<i class="{move.color.name.lower()}"></i> {move.ply}. {move_name(move.move)}'
        f"{lost}<br>{scores}<br>{f'{said}<br>' if said else ''}"
        f"<code>{line}</code></figcaption></figure>"
    )

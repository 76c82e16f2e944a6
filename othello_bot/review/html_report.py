"""Reviews as one HTML file: the table of players, and of each game its graph and the moves that lost discs.

The file needs nothing else: no script, no font, no request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from othello_bot.base.errors import counted
from othello_bot.base.notation import Color, format_transcript, move_name
from othello_bot.base.visible import visible
from othello_bot.review.drawings import DEFINITIONS, board, graph, is_drawable
from othello_bot.review.game_review import GameReview
from othello_bot.review.html_style import STYLE
from othello_bot.review.judgement import JudgedMove
from othello_bot.review.store import Heading
from othello_bot.review.table import HEADS, PlayerTable, cells, number, player_name
from othello_bot.review.tally import Phase
from othello_bot.review.text_report import SHOWN_PLIES, grade_name, result_text

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
    yield f"<title>{title}</title><style>{STYLE}</style></head><body>{DEFINITIONS}<main>"
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
    slips = [move for move in review.mistakes() if is_drawable(move)]
    if slips:
        yield '<div class="slips">' + "".join(_slip(review, move) for move in slips) + "</div>"
    yield f'<p class="moves">{review.game.transcript()}</p></article>'


def _side(heading: Heading, review: GameReview, color: Color) -> str:
    """Return a player's accuracy, in all and by phase."""
    player = review.player(color)
    total = player.total
    phases = ", ".join(
        f"{phase.value} {number(player.phases[phase].accuracy, 0)} %" for phase in Phase if player.phases[phase].moves
    )
    return (
        f'<div class="side"><i class="{color.name.lower()}"></i>{_text(player_name(heading, color))}'
        f" <b>{number(total.accuracy, 1)} %</b><span>{counted(total.loss, 'disc')} lost</span>"
        f"<span>{phases}</span></div>"
    )


def _slip(review: GameReview, move: JudgedMove) -> str:
    """Return the board of a move that lost discs, with what was better."""
    grade = grade_name(move.loss)
    line = _text(format_transcript(move.best.pv[:SHOWN_PLIES], separator=" "))
    return (
        f"<figure>{board(review.game.position_at(move.ply - 1), move)}<figcaption>"
        f'<i class="{move.color.name.lower()}"></i> {move.ply}. {move_name(move.move)}'
        f' <span class="lost {grade}">&minus;{move.loss} {grade}</span><br>'
        f"{move_name(move.move)} {move.score:+d}, {move_name(move.best.move)} {move.best.score:+d}<br>"
        f"<code>{line}</code></figcaption></figure>"
    )

"""Drawings: every disc and mark is where it belongs."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from othello_bot import svg
from othello_bot.base.notation import Color
from othello_bot.engine import Engine, Options
from othello_bot.review import JudgedMove, review_game
from othello_bot.review.html_report import board, graph
from othello_bot.rules import Game, Position
from tests.review.games import line
from tests.rules.strategies import random_game

SVG = "{http://www.w3.org/2000/svg}"


def test_a_board_shows_discs_and_both_moves() -> None:
    picture = board(Position.start(), JudgedMove(1, Color.BLACK, line("d3", 0), line("c4", 9), 9))
    drawn = ElementTree.fromstring(picture)
    found = {(circle.get("fill"), *square_of(circle)) for circle in drawn.iter(f"{SVG}circle")}
    discs = {(svg.BLACK, 4, 3), (svg.BLACK, 3, 4), (svg.WHITE, 3, 3), (svg.WHITE, 4, 4)}
    assert found == {*discs, ("none", 2, 3)}
    cross = next(path for path in drawn.iter(f"{SVG}path") if path.get("stroke") == svg.MARK)
    assert str(cross.get("d")).startswith(
        f"M{svg.MARGIN + 3.5 * svg.SQUARE - 12:g} {svg.MARGIN + 2.5 * svg.SQUARE - 12:g}"
    )
    assert "Black to move: d3 was played, c4 was better" in str(drawn.get("aria-label"))


def test_white_to_move_keeps_its_colour() -> None:
    position = Game.from_transcript("f5").position
    drawn = board(position, JudgedMove(2, Color.WHITE, line("f4", -9), line("d6", 0), 9))
    assert drawn.count(f'fill="{svg.BLACK}"') == 4 and drawn.count(f'fill="{svg.WHITE}"') == 1


def test_a_graph_has_a_point_for_each_move_and_a_bar_for_each_loss() -> None:
    with Engine(Options(hash=1)) as engine:
        review = review_game(engine, random_game(3), 0)
    drawn = ElementTree.fromstring(graph(review))
    [polyline] = drawn.findall("polyline")
    assert len(str(polyline.get("points")).split()) == len(review.moves) + 1
    assert len(drawn.findall("g")) == len(review.mistakes()) > 0
    names = [text.text for text in drawn.findall("text")]
    assert {"opening", "midgame", "endgame"} <= set(names)


def test_a_review_draws_the_last_position_with_what_each_move_lost() -> None:
    with Engine(Options(hash=1)) as engine:
        review = review_game(engine, random_game(3, 20), 0)
    picture = review._repr_svg_()
    texts = [text.text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert picture.count("<circle") == 4 + 20 + 1
    for move in review.mistakes():
        texts.remove(f"-{move.loss}")
    assert set(texts) == {*"abcdefgh12345678"} and review.mistakes()


def test_a_game_without_moves_has_an_empty_graph() -> None:
    with Engine(Options(hash=1)) as engine:
        assert not ElementTree.fromstring(graph(review_game(engine, Game(), 0))).findall("g")


def square_of(circle: ElementTree.Element) -> tuple[int, int]:
    x, y = (float(circle.get(name, 0)) for name in ("cx", "cy"))
    return int((x - svg.MARGIN) // svg.SQUARE), int((y - svg.MARGIN) // svg.SQUARE)

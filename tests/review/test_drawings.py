"""Drawings: every disc and mark is where it belongs."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from othello_bot.base.notation import Color
from othello_bot.engine import Engine, Options
from othello_bot.review import JudgedMove, review_game
from othello_bot.review.html_report import CELL, DEFINITIONS, EDGE, board, graph
from othello_bot.rules import Game, Position
from tests.review.games import line
from tests.rules.strategies import random_game


def test_a_board_shows_discs_and_both_moves() -> None:
    drawn = ElementTree.fromstring(board(Position.start(), JudgedMove(1, Color.BLACK, line("d3", 0), line("c4", 9), 9)))
    discs = {
        (circle.get("class"), round((float(circle.get("cx", 0)) - EDGE) / CELL - 0.5), row_of(circle))
        for circle in drawn.findall("circle")
    }
    assert {disc for disc in discs if disc[0] == "disc black"} == {("disc black", 4, 3), ("disc black", 3, 4)}
    assert {disc for disc in discs if disc[0] == "disc white"} == {("disc white", 3, 3), ("disc white", 4, 4)}
    assert {disc for disc in discs if disc[0] == "better"} == {("better", 2, 3)}
    assert "Black to move: d3 was played, c4 was better" in str(drawn.get("aria-label"))


def test_white_to_move_keeps_its_colour() -> None:
    position = Game.from_transcript("f5").position
    drawn = board(position, JudgedMove(2, Color.WHITE, line("f4", -9), line("d6", 0), 9))
    assert drawn.count("disc black") == 4 and drawn.count("disc white") == 1


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
    texts = [text.text for text in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]
    assert picture.count("<circle") == 4 + 20 + 1
    for move in review.mistakes():
        texts.remove(f"-{move.loss}")
    assert set(texts) == {*"abcdefgh12345678"} and review.mistakes()


def test_a_game_without_moves_has_an_empty_graph() -> None:
    with Engine(Options(hash=1)) as engine:
        assert not ElementTree.fromstring(graph(review_game(engine, Game(), 0))).findall("g")


def test_the_definitions_are_well_formed() -> None:
    assert ElementTree.fromstring(DEFINITIONS).find("defs") is not None
    assert not re.search("https?:", DEFINITIONS)


def row_of(circle: ElementTree.Element) -> int:
    return round((float(circle.get("cy", 0)) - EDGE) / CELL - 0.5)

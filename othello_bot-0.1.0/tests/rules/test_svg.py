"""Pictures of boards: discs, the last move and values, in valid XML."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from othello_bot import svg
from othello_bot.rules import Game, Position

NAMESPACE = "{http://www.w3.org/2000/svg}"


def circles(picture: str) -> list[tuple[str | None, str | None, str | None]]:
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{NAMESPACE}svg"
    return [(each.get("fill"), each.get("cx"), each.get("cy")) for each in root.iter(f"{NAMESPACE}circle")]


def test_a_position_draws_its_discs() -> None:
    found = circles(Position.start()._repr_svg_())
    assert sorted(found) == sorted(
        [("#f5f5f5", "199", "199"), ("#111111", "249", "199"), ("#111111", "199", "249"), ("#f5f5f5", "249", "249")]
    )
    assert circles(Position(0, 0)._repr_svg_()) == []


def test_a_game_marks_its_last_move() -> None:
    game = Game()
    assert len(circles(game._repr_svg_())) == 4
    for move, mark in (("f5", (svg.MARK, "299", "249")), ("d6", (svg.MARK, "199", "299"))):
        game.play(move)
        assert circles(game._repr_svg_())[-1] == mark
    assert len(circles(svg.board(game.position, last_move="pass"))) == 6


def test_values_stand_on_their_squares() -> None:
    picture = svg.board(Position.start(), values={19: 3, 26: -1.5, 37: "<best>"}, size=300)
    root = ElementTree.fromstring(picture)
    texts = {each.text: (each.get("x"), each.get("y")) for each in root.iter(f"{NAMESPACE}text")}
    assert texts["+3"] == ("199", "149") and texts["-1.5"] == ("149", "199") and "<best>" in texts
    assert {"a", "h", "1", "8"} <= texts.keys() and root.get("width") == "300"


def test_a_value_on_the_last_move_leaves_it_readable() -> None:
    game = Game.from_transcript("f5d6")
    picture = svg.board(game.position, last_move="d6", values={43: -2, 37: 1})
    texts = {each.text: each.get("fill") for each in ElementTree.fromstring(picture).iter(f"{NAMESPACE}text")}
    assert ("none", "199", "299") in circles(picture)
    assert (texts["-2"], texts["+1"]) == ("#111", "#fff")


@pytest.mark.parametrize(
    "arguments", [{"last_move": 65}, {"last_move": "z9"}, {"values": {64: 1}}, {"values": {"f5": 1}}, {"size": 0}]
)
def test_what_is_not_drawn(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        svg.board(Position.start(), **arguments)

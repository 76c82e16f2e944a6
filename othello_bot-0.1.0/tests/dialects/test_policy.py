"""The commands `policy` and `gogui-policy`."""

from __future__ import annotations

import json

import pytest

from tests.session.harness import in_process, replies


def test_moves_come_likeliest_first_and_add_up_to_one() -> None:
    text, as_json = replies(in_process("play f5d6c3\npolicy\npolicy --json\n"))[1:3]
    moves = [json.loads(line) for line in as_json.removeprefix("= ").split("\n")]
    chances = [move["probability"] for move in moves]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) == pytest.approx(1, abs=1e-4)
    assert [line.split()[0] for line in text.removeprefix("= ").split("\n")] == [move["move"] for move in moves]


def test_rating_and_flags_come_in_any_order() -> None:
    asked = ("900 --alone", "--alone 900", "1500", "", "1500 --alone")
    lines = ["play f5d6c3", *(f"policy {words}" for words in asked), ""]
    _, one, other, mean, default, alone = replies(in_process("\n".join(lines)))[:6]
    assert one == other
    assert mean == default != alone


@pytest.mark.parametrize("arguments", ["strong", "0", "-5", "1500 1600", "--aloen", "1e3", "99999"])
def test_what_is_no_rating_is_refused(arguments: str) -> None:
    (reply,) = replies(in_process(f"policy {arguments}\n"))[:1]
    assert reply.startswith("?")


def test_a_pass_and_the_end_are_told() -> None:
    over = f"setposition {64 * 'X'} X"
    replied = replies(in_process(f"{over}\npolicy\npolicy --json\ngogui-policy\n"))
    assert [replied[1], replied[3]] == ["= the game is over", "= TEXT the game is over"]
    assert json.loads(replied[2].removeprefix("= "))["game_over"] is True


def test_gogui_draws_percentages() -> None:
    drawn = replies(in_process("play f5\ngogui-policy 1900\n"))[1].removeprefix("= ").split("\n")
    assert [line.split()[0] for line in drawn] == ["COLOR", "LABEL", "TEXT"]
    assert drawn[2] == "TEXT People rated 1900"

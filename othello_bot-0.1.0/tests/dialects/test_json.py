"""Answers as JSON: one object a line, with the same content as the words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.session.harness import in_process, replies

GAME = "setoption depth 3\nsetoption selectivity 100\nplay f5d6c3d3\n"


def answers(text: str) -> list[str]:
    """Return the bodies of the replies to the last lines of a conversation, after those of `GAME`."""
    return [reply[2:] for reply in replies(in_process(GAME + text))[3:]]


def objects(reply: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in reply.split("\n")]


def test_hints() -> None:
    words, as_json = answers("hint 3\nhint 3 --json\n")
    found = objects(as_json)
    assert [hint["rank"] for hint in found] == [1, 2, 3]
    for hint, line in zip(found, words.split("\n")[:3], strict=True):
        rank, move, score, depth, *pv = line.split()
        assert (str(hint["rank"]), hint["move"], hint["pv"]) == (rank, move, pv)
        assert (hint["score"], f"{hint['depth']}@{hint['selectivity']}%") == (int(score), depth)
        assert hint["opening"] == "Perpendicular" and hint["exact"] is False and hint["bound"] == "exact"


def test_an_analysis() -> None:
    words, as_json, last = answers("analyze\nanalyze --json\nanalyze --json 1\n")
    found = objects(as_json)
    assert [judged["ply"] for judged in found] == [1, 2, 3, 4]
    assert [judged["color"] for judged in found] == ["black", "white", "black", "white"]
    for judged, line in zip(found, words.split("\n"), strict=True):
        ply, _, move, score, _, best, best_score, _, loss, _, *book = line.split()
        assert [str(judged["ply"]), judged["move"], judged["best"]] == [ply, move, best]
        assert [judged["score"], judged["best_score"], judged["loss"]] == [int(score), int(best_score), int(loss)]
        assert book[:3] == ["book", "loss", str(judged["book"]["loss"])]
    assert [judged["ply"] for judged in objects(last)] == [4]


def test_statistics_and_evaluation() -> None:
    _, words, as_json, evaluated = answers("hint\nstats\nstats --json\neval --json\n")
    [found] = objects(as_json)
    assert f"nodes {found['nodes']}\n" in words and " ".join(found["pv"]) in words
    assert found["stopped"] is False and found["thought_ahead_s"] is None
    assert (found["planned_s"], found["maximum_s"], found["foreseen"], found["replies"]) == (None, None, 0, 0)
    assert "planned" not in words
    assert objects(evaluated)[0].keys() == {"color", "empties", "score"}


def test_statistics_under_a_clock() -> None:
    lines = "setoption book off\nsetoption depth 2\ntime_settings 100 0 0\ngenmove b\nstats\nstats --json\n"
    *_, words, as_json = answers(lines)
    [found] = objects(as_json)
    assert 0 < found["planned_s"] < found["maximum_s"] < 100
    assert f"planned {found['planned_s']:.3f} s, at most {found['maximum_s']:.3f} s" in words


def test_where_there_is_no_move() -> None:
    over = "setposition " + "X" * 63 + "O X"
    passing = "setposition " + "-XOOOOOO" + "-" * 56 + " X"
    lines = f"{over}\nhint --json\neval --json\n{passing}\nhint --json\n"
    found = [json.loads(reply[2:]) for reply in replies(in_process(lines)) if reply.startswith("= {")]
    assert found[0] == {"game_over": True, "score": 62}
    assert found[1]["score"] == 62
    assert found[2] == {"rank": 1, "move": "pass"}


@pytest.mark.parametrize("line", ["hint 1 2 --json", "eval 1", "stats --json 3", "hint --jsn", "analyze 1 2 --json"])
def test_other_arguments_are_refused(line: str) -> None:
    [reply] = replies(in_process(f"{line}\n"))
    assert reply.startswith("? ")

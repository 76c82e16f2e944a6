"""ENGINE-PROTOCOL: a script's commands and the expected answers."""

from __future__ import annotations

import re

import pytest

from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, LiveSession, in_process

BOARD = "---------------------------OX------XO---------------------------X"
FULL = "X" * 40 + "O" * 24 + "X"
OVER = ", move PA, depth 0, @100%, B+16.00 <= v <= B+16.00, , node 0, time 0.000"
P = "ENGINE-PROTOCOL"

TABLE = [
    (f"{P} init\n", ["ready."]),
    (f"{P.lower()} init\n\n\n", ["ready.", "ready.", "ready."]),
    (f"{P} get-version\n", ["version: othello-bot 0.1.0", "ready."]),
    (f"{P} new-position\n{P} empty-hash\n{P} get-search-infos\n{P} stop\n", ["ready."] * 4),
    (f"{P} feed-hash {BOARD} -2 4 10 100 f5d6\n", ["ready."]),
    (f"{P} quit\n{P} init\n", ["bye bye."]),
    (f"{P} init\n{P} castle\n", ["ready.", "ERROR: unknown command 'castle'", "ready."]),
    (
        f"{P} midgame-search {FULL} -64 64 5 100\n",
        [f"{FULL}, move PA, depth 0, @100%, B+16.00 <= v <= B+16.00, , node 0, time 0.000", "ready."],
    ),
]


@pytest.mark.parametrize(("sent", "expected"), TABLE)
def test_table(sent: str, expected: list[str]) -> None:
    assert in_process(sent).splitlines() == expected


def test_a_midgame_search_improves_and_ends() -> None:
    lines = in_process(f"{P} init\n{P} midgame-search {BOARD} -64 64 5 100\n").splitlines()
    depths = []
    for line in lines[1:-1]:
        match = re.fullmatch(
            rf"{BOARD}, move [A-H][1-8], depth (\d+), @100%, B[+-]\d+\.00 <= v <= B[+-]\d+\.00, ([a-h][1-8])+,"
            r" node \d+, time \d+\.\d{3}",
            line,
        )
        assert match is not None, line
        depths.append(int(match[1]))
    assert depths == sorted(depths) and depths[-1] == 5
    assert lines[-1] == "ready."


def test_an_endgame_search_is_exact() -> None:
    # Six empty squares.
    board = "X" * 29 + "O" * 29 + "------" + "X"
    lines = in_process(f"{P} init\n{P} endgame-search {board} -64 64 100\n").splitlines()
    bounds = re.search(r"B([+-]\d+\.00) <= v <= B([+-]\d+\.00)", lines[-2])
    assert bounds is not None and bounds[1] == bounds[2]


def test_errors_are_answered_and_end_with_ready() -> None:
    sent = f"{P} init\n{P} midgame-search nonsense 0 1 2 3\n{P} endgame-search {BOARD} 5 4 100\nhello\n"
    lines = in_process(sent).splitlines()
    assert [line.split(":")[0] for line in lines] == ["ready.", "ERROR", "ready.", "ERROR", "ready.", "ERROR", "ready."]


def test_stop_and_polls_while_a_search_runs() -> None:
    search = FakeSearch(blocks=True, reports=1)
    with LiveSession(search, SMALL) as live:
        live.send(f"{P} init", f"{P} midgame-search {BOARD} -64 64 20 73")
        live.wait_for("depth 1, @73%")
        live.send("", f"{P} get-search-infos")
        live.wait_for("ok.\nnode 100, time ")
        live.send(f"{P} stop")
        live.wait_for("\nready.\n")
        live.send(f"{P} init")
    text = live.writer.text
    assert text.count("ready.") == 3
    assert search.runs[0][1].depth == 20 and search.runs[0][1].selectivity == 73


def test_quit_ends_a_search_at_once() -> None:
    search = FakeSearch(blocks=True, reports=1)
    with LiveSession(search, SMALL) as live:
        live.send(f"{P} init", f"{P} midgame-search {BOARD} -64 64 20 73")
        live.wait_for("depth 1, @73%")
        live.send(f"{P} quit")
        live.wait_for("\nready.\nbye bye.\n")
        assert search.stopping


@pytest.mark.parametrize(
    ("precision", "selectivity"), [(0, 73), (73, 73), (74, 87), (90, 95), (98, 98), (99, 99), (100, 100)]
)
def test_precision(precision: int, selectivity: int) -> None:
    search = FakeSearch()
    in_process(f"{P} init\n{P} midgame-search {BOARD} -1.5 0.5 10 {precision}\n", search=search)
    limits = search.runs[0][1]
    assert (limits.selectivity, limits.alpha, limits.beta) == (selectivity, -2, 1)

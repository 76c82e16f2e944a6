"""GRhino 0.16.1 (gtp-rhino) plays whole matches against this engine through the arena."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from othello_bot.rules.game import Game

ARENA = (sys.executable, "-m", "othello_bot", "match")
PATIENCE_S = 600

MATCHES = {
    "inside of the arena": (["engine", "level=1"], ["tc=inf"], 10),
    "as a process": (["self", "proto=gtp", "level=1"], ["tc=inf"], 5),
    # The machine may be busy: the clock must be understood, but milliseconds do not matter.
    "with a clock": (["self", "proto=gtp", "margin=60"], ["tc=2+0.1"], 1),
    "told of no pass": (["self", "proto=gtp", "level=1", "passes=off"], ["tc=inf"], 5),
}
"""The settings of this engine, the time control of both or of GRhino, and the number of openings."""


def play(store: Path, ours: list[str], time: list[str], rounds: int) -> list[dict[str, Any]]:
    """Play a match and return its games as `match export` writes them."""
    with_time = ours if any(word.startswith("level") for word in ours) else [*ours, *time]
    engines = ["--engine", *with_time, "--engine", "cmd=gtp-rhino", "name=GRhino", "margin=60", *time]
    match = [*ARENA, *engines, "--rounds", str(rounds), "--store", str(store), "--display", "quiet"]
    subprocess.run(match, check=True, capture_output=True, timeout=PATIENCE_S)
    export = [*ARENA, "export", str(store), "--form", "jsonl"]
    done = subprocess.run(export, check=True, capture_output=True, text=True, timeout=PATIENCE_S)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", MATCHES)
def test_every_game_is_played_to_its_end(tmp_path: Path, name: str) -> None:
    """GRhino refuses commands for forced passes (? syntax error): no game may be lost by that."""
    ours, time, rounds = MATCHES[name]
    games = play(tmp_path / "store.db", ours, time, rounds)
    assert len(games) == 2 * rounds
    for played in games:
        assert played["ending"] == "board", played["detail"]
        game = Game.from_transcript(played["moves"])
        assert game.is_over and game.final_score == played["discs"]
        assert "GTP GRhino 0.16.1" in (played["black_identity"], played["white_identity"])


def test_a_refused_pass_is_told_in_the_engines_words(tmp_path: Path) -> None:
    """GRhino is sent its passes here; its refusal loses the game, with the reason and the last lines kept."""
    store = tmp_path / "store.db"
    engines = ["--engine", "cmd=gtp-rhino", "name=GRhino", "margin=60", "tc=inf", "passes=on", "--engine", "random"]
    match = [*ARENA, *engines, "--rounds", "5", "--store", str(store), "--display", "plain"]
    done = subprocess.run(match, check=True, capture_output=True, text=True, timeout=PATIENCE_S)
    reasons = [f"refusal: refused 'play {color} pass': syntax error" for color in "bw"]
    assert any(f"({reason})" in done.stdout for reason in reasons)
    assert re.search(r"^  GRhino: (\d+ x )?refusal: refused 'play [bw] pass': syntax error$", done.stdout, re.MULTILINE)
    report = [*ARENA, "report", str(store), "--failures"]
    told = subprocess.run(report, check=True, capture_output=True, text=True, timeout=PATIENCE_S).stdout
    assert "GRhino lost by refusal" in told
    assert "    < ? syntax error\n" in told

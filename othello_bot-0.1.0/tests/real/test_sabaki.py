"""Sabaki's GTP module, @sabaki/gtp, runs this engine: whole games, jumps in a game, and analyses that it interrupts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from othello_bot.base.notation import PASS, parse_move
from othello_bot.rules.game import Game

ENGINE = (sys.executable, "-m", "othello_bot", "--option", "hash=1")
PATIENCE_S = 300


def play(node_modules: Path, scenario: str, *options: str) -> dict[str, Any]:
    """Run a scenario of sabaki.js and return what it prints."""
    script = Path(__file__).with_name("sabaki.js")
    done = subprocess.run(
        ["node", str(script), scenario, *ENGINE, *options],
        env={**os.environ, "NODE_PATH": str(node_modules)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    assert set(result["codes"]) == {0}
    return result


@pytest.mark.parametrize("level", [1, 4])
def test_a_whole_game(node_modules: Path, level: int) -> None:
    result = play(node_modules, "game", "--option", f"level={level}", "--option", "book_randomness=0")
    game = Game()
    for color, vertex in result["moves"]:
        move = parse_move(vertex)
        if game.is_over:
            assert move == PASS
        else:
            assert color == game.position.color.letter.upper()
            game.play(move)
    assert game.is_over
    winner = "B" if game.final_score > 0 else "W"
    assert result["scores"] == [f"{winner}+{abs(game.final_score)}" if game.final_score else "0"] * 2
    assert result["stderr"] == []


def test_jumps_in_a_game(node_modules: Path) -> None:
    result = play(node_modules, "jumps")
    assert result["boards"] == ["f5d6c3d3c4", "f5d6", "f5d6c3d3c4", "f5d6c3f4", ""]
    assert "undo" in result["sent"]


VARIATION = re.compile(r"((?:[A-Za-z]+ \S+ )+)pv ((?:[A-Za-z]\d+|pass)(?: (?:[A-Za-z]\d+|pass))*)")
"""What Sabaki's parseAnalysis asks of each variation: pairs of a key and a value, then "pv" and vertices up to the end.
"""


def variations(line: str) -> list[dict[str, str]]:
    """Read a line of analysis like src/modules/analysis.js of SabakiHQ/Sabaki v0.60, but refuse what it would skip."""
    found = []
    for part in re.split(r"\s*info\s+", line)[1:]:
        match = VARIATION.fullmatch(part.strip())
        assert match is not None, part
        words = match[1].split()
        pairs = dict(zip(words[::2], words[1::2], strict=True))
        assert re.fullmatch(r"[A-Za-z]\d+", pairs["move"])
        assert match[2].split()[0].lower() == pairs["move"].lower()
        found.append(pairs)
    return found


def test_streamed_analysis(node_modules: Path) -> None:
    result = play(node_modules, "analysis")
    assert result["position"] == "f5"
    for name, stream in result["streams"].items():
        assert not stream["error"]
        assert stream["after"] == "2", "the interrupting command gets its own answer"
        for line in stream["lines"]:
            read = variations(line)
            assert {pairs["move"].lower() for pairs in read} == {"d6", "f4", "f6"}
            for pairs in read:
                assert int(pairs["visits"]) >= 0
                # Ten-thousandths in Leela Zero's dialect, a probability in KataGo's.
                assert 0 <= float(pairs["winrate"]) <= (10_000 if name == "lz-analyze" else 1)
                assert name == "lz-analyze" or "scoreLead" in pairs

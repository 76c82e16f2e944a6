"""scripts/analysis-margin: a solved reference counts with the loss that it finds, and a run goes on where it ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from othello_bot.rules import Position
from tests.kernel.positions import minimax

ROOT = Path(__file__).resolve().parents[2]
EMPTIES = 6


def measured(out: Path, positions: int) -> tuple[str, list[dict[str, object]]]:
    words = ["--kinds", "endgame", "--endgame-empties", str(EMPTIES), str(EMPTIES), "--selectivities", "73"]
    words += ["--positions", str(positions), "--out", str(out)]
    ended = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "analysis-margin"), *words],
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout, [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def true_loss(line: dict[str, object]) -> int:
    position = Position.parse(str(line["position"]))

    def value(after: Position) -> int:
        return after.score() if after.is_over else minimax(after.mover, after.opponent, {})

    scores = {move: -value(position.play(move)) for move in position.legal_moves}
    played = position.play(str(line["move"]))
    return max(scores.values()) + value(played)


def test_a_solved_reference_has_the_true_loss_and_a_run_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "margins.jsonl"
    _, first = measured(out, 4)
    table, lines = measured(out, 6)
    assert [line["number"] for line in lines] == list(range(6)) and lines[:4] == first
    assert [line["reference"] for line in lines] == list(map(true_loss, lines))
    assert any(line["reference"] for line in lines)
    assert table.splitlines()[2].startswith("| 73% to the end | 6 |")

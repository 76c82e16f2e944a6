"""The ProbCut model and the gate."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from othello_bot.arena.config import MatchConfig, PlayLimits
from othello_bot.arena.display import PlainDisplay
from othello_bot.arena.sprt import Sprt, SprtVerdict
from othello_bot.cluster import Workers
from othello_bot.evaluation import probcut, weights
from othello_bot.rules.position import Position
from othello_bot.training import probcut_statistics, trial_steps
from othello_bot.training.progress import Unfinished
from tests.training.running import train

MIDGAME = [1.4, 0.35, -0.45, -0.01, -0.3, -0.8]
ENDGAME = [1.3, 0.4, -0.6, 0.1, -1.0, -0.2]


def sigma(coefficients: list[float], empties: int, depth: int, shallow: int) -> float:
    """Return what the kernel's model computes, by the formula."""
    terms = probcut.terms(empties, depth, shallow)
    return math.exp(sum(factor * term for factor, term in zip(coefficients, terms, strict=True)))


def test_kernel_has_the_formula_of_the_file() -> None:
    model = probcut.load()
    midgame_set, endgame_set = probcut.read_coefficients()
    for empties, depth, shallow in ((24, 8, 4), (40, 11, 5), (52, 3, 1), (20, 20, 8), (12, 12, 0)):
        expected = sigma(endgame_set if depth >= empties else midgame_set, empties, depth, shallow)
        assert model.sigma(empties, depth, shallow) == pytest.approx(expected, rel=1e-4)


def test_shallower_searches_are_further_off() -> None:
    midgame_set, _ = probcut.read_coefficients()
    sigmas = [sigma(midgame_set, 30, 10, shallow) for shallow in (0, 2, 4, 6, 8)]
    assert sigmas == sorted(sigmas, reverse=True)


@pytest.mark.parametrize(
    "content", ["", "{}", '{"midgame": [1], "endgame": [1]}', '{"midgame": "abcdef", "endgame": 1}']
)
def test_damaged_model_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "model.json"
    path.write_text(content)
    with pytest.raises(probcut.ProbCutError, match=r"model\.json"):
        probcut.read_coefficients(path)


def test_fit_finds_the_formula_behind_the_statistics() -> None:
    made = {
        (empties, depth, shallow): (
            sigma(ENDGAME if depth == empties else MIDGAME, empties, depth, shallow),
            400,
        )
        for empties in (10, 12, 14, 16, 20, 30, 40, 50)
        for depth in (*range(2, 10), *((empties,) if empties <= 20 else ()))
        for shallow in range(depth % 2, min(depth, 9), 2)
    }
    found_midgame, found_endgame, error = probcut_statistics.fit(made)
    assert error < 0.01
    assert sigma(found_midgame, 36, 12, 6) == pytest.approx(sigma(MIDGAME, 36, 12, 6), rel=0.03)
    assert sigma(found_endgame, 18, 18, 8) == pytest.approx(sigma(ENDGAME, 18, 18, 8), rel=0.03)


def test_statistics_come_from_pairs_of_one_parity(tmp_path: Path) -> None:
    position = Position.start()
    group = probcut_statistics.Group(60, ((position.mover, position.opponent),) * 12, (1, 2, 3, 4))
    with Workers(1) as workers:
        measured = probcut_statistics.measure(workers, None, [group], Unfinished(tmp_path / "statistics.unfinished"))
    assert {key[1:] for key in measured} == {(1, 0), (2, 0), (3, 0), (4, 0), (3, 1), (4, 2)}


def test_the_model_that_is_written_stands_beside_the_weights(tmp_path: Path) -> None:
    assert probcut.beside(weights.PACKED_FILE) == probcut.DEFAULT_FILE
    assert train(["fit-probcut", "--folder", str(tmp_path)]) == 2  # nobody overwrites the shipped one by chance


def test_a_function_of_the_gate_is_kept_as_it_was(tmp_path: Path) -> None:
    path, folder = tmp_path / "new.weights", tmp_path / "gate"
    path.write_bytes(weights.unpacked().read_bytes())
    first = trial_steps.Contender(path, folder)
    assert first.files[1].read_bytes() == probcut.DEFAULT_FILE.read_bytes()  # it has no model of its own
    assert trial_steps.Contender(weights.unpacked(), folder).files == first.files
    content = json.loads(probcut.DEFAULT_FILE.read_bytes())
    content["midgame"][0] += 1
    probcut.beside(path).write_text(json.dumps(content))
    second = trial_steps.Contender(path, folder)
    assert second.files != first.files
    assert second.files[1].read_bytes() == probcut.beside(path).read_bytes()
    probcut.beside(path).write_text("{}")
    with pytest.raises(probcut.ProbCutError):
        trial_steps.Contender(path, folder)
    path.write_bytes(b"weights")
    with pytest.raises(weights.WeightsError):
        trial_steps.Contender(path, folder)
    assert len(list(folder.iterdir())) == 4


def few_games(new: trial_steps.Contender, old: trial_steps.Contender, pairs: int) -> MatchConfig:
    """Return a gate of players that search two plies, whatever the time: the same on every machine."""
    config = trial_steps.gate_match(new, old, trial_steps.TEST, 0.02, pairs, 3, 1, "")
    return replace(config, engines=tuple(replace(each, limits=PlayLimits(depth=2)) for each in config.engines))


@pytest.mark.slow
def test_the_gate_counts_pairs_from_the_view_of_the_new_function_and_goes_on(tmp_path: Path) -> None:
    """The shipped weights against the hand-made evaluation: the better one must come out ahead."""
    new, old = trial_steps.Contender(weights.unpacked(), tmp_path), trial_steps.Contender(None, tmp_path)
    said: list[str] = []
    for pairs, before in ((3, 0), (6, 6), (6, 12)):
        match = trial_steps.play_gate(few_games(new, old, pairs), (new, old), tmp_path, PlainDisplay(said.append, 20))
        assert (match.resumed, match.tally.games) == (before, 2 * pairs)
    counts = match.tally.meetings[0, 1].pairs
    assert sum(points * count for points, count in enumerate(counts)) > 2 * sum(counts) == 12
    other = trial_steps.play_gate(few_games(old, new, 1), (old, new), tmp_path, PlainDisplay(said.append, 20))
    assert other.resumed == 0


def test_only_a_winner_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = tmp_path / "data" / "evaluation.packed"
    path = tmp_path / "new.weights"
    path.write_bytes(weights.unpacked().read_bytes())
    probcut.beside(path).write_bytes(probcut.DEFAULT_FILE.read_bytes() + b"\n")
    verdicts = iter((SprtVerdict.CONTINUE, SprtVerdict.H0, SprtVerdict.H1))

    def run(config: MatchConfig, functions: Any, folder: Path, display: Any) -> Any:
        assert (config.sprt, config.rounds) == (Sprt(0, 5), 7)
        return SimpleNamespace(verdict=next(verdicts))

    monkeypatch.setattr(trial_steps, "play_gate", run)
    words = ["gate", str(path), "--against", str(path), "--folder", str(tmp_path), "--elo1", "5", "--pairs", "7"]
    monkeypatch.setattr(weights, "PACKED_FILE", shipped)
    monkeypatch.setattr(weights, "pack", lambda content: b"packed " + content)
    monkeypatch.setattr(probcut, "DEFAULT_FILE", probcut.beside(shipped))
    for expected in (1, 1, 0):
        assert not shipped.exists()
        assert train([*words, "--install"]) == expected
    assert shipped.read_bytes() == b"packed " + path.read_bytes()
    assert probcut.beside(shipped).read_bytes() == probcut.beside(path).read_bytes()
    assert "bounds: 0 against 5 Elo" in capsys.readouterr().out
    assert train([*words, "--elo0", "9"]) == 2


@pytest.mark.slow
def test_a_function_is_installed_packed_or_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, data = tmp_path / "new.weights", tmp_path / "data"
    parts = weights.split(weights.unpacked().read_bytes())
    content = weights.to_bytes(list(parts.stage_of_empties), bytes(len(parts.reduced)))
    path.write_bytes(content)
    model = probcut.DEFAULT_FILE.read_bytes() + b"\n"
    monkeypatch.setattr(weights, "PACKED_FILE", data / "evaluation.packed")
    monkeypatch.setattr(probcut, "DEFAULT_FILE", data / "evaluation.probcut.json")
    for damage in (b"{}", model):
        assert not data.exists()
        probcut.beside(path).write_bytes(damage)
        assert train(["install", str(path)]) == (0 if damage == model else 2)
    assert weights.unpack(weights.PACKED_FILE.read_bytes(), "packed") == content
    assert probcut.DEFAULT_FILE.read_bytes() == model
    path.write_bytes(content[:-1])
    assert train(["install", str(path)]) == 2
    assert weights.unpack(weights.PACKED_FILE.read_bytes(), "packed") == content

"""The option evaluation_file: other weights than the shipped ones, and the ProbCut model beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import OptionError, Options
from othello_bot.evaluation import probcut, weights
from othello_bot.rules.position import Position
from tests.session.harness import in_process

OPTIONS = Options(hash=1, book=False)
POSITION = Position.start().play(19)


def nothing(path: Path) -> Path:
    """Write a function that finds every position even, as the shipped one has stages and weights; return its file."""
    parts = weights.split(weights.unpacked().read_bytes())
    path.write_bytes(weights.to_bytes(list(parts.stage_of_empties), bytes(len(parts.reduced))))
    return path


def test_a_file_takes_the_place_of_the_shipped_weights(tmp_path: Path) -> None:
    path = nothing(tmp_path / "my weights")
    with Engine(OPTIONS) as engine:
        shipped = engine.evaluate(POSITION)
        engine.set_option("evaluation_file", path)
        assert engine.evaluate(POSITION) == 0 != shipped
        engine.set_option("evaluation", "handmade")
        assert engine.evaluate(POSITION) != 0
        engine.set_option("evaluation", "learned")
        assert engine.evaluate(POSITION) == 0
        engine.set_option("evaluation_file", "none")
        assert engine.evaluate(POSITION) == shipped
    with Engine(OPTIONS.with_value("evaluation_file", str(path))) as engine:
        assert engine.evaluate(POSITION) == 0
    said = in_process(f"native\nsetoption evaluation_file {path}\nplay f5\neval\n")
    assert "0.00" in said, said


def test_what_is_no_function_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    path = nothing(tmp_path / "new.weights")
    damaged = tmp_path / "damaged.weights"
    damaged.write_bytes(path.read_bytes()[:-1])
    spoilt = nothing(tmp_path / "spoilt.weights")
    probcut.beside(spoilt).write_text("{}")
    for number, text in enumerate(("[" * 100_000, '{"midgame":[1' + "0" * 400 + '],"endgame":[]}', '[["midgame"]]')):
        hostile = nothing(tmp_path / f"{number}.weights")
        probcut.beside(hostile).write_text(text)
    with Engine(OPTIONS.with_value("evaluation_file", str(path))) as engine:
        for file in (tmp_path / "none.weights", tmp_path, damaged, spoilt, *tmp_path.glob("[0-9].weights")):
            with pytest.raises(OptionError, match="expected a weights file"):
                engine.set_option("evaluation_file", file)
            assert engine.options.evaluation_file == str(path)
            assert engine.evaluate(POSITION) == 0
    with pytest.raises(OptionError, match="expected a weights file"):
        Engine(OPTIONS.with_value("evaluation_file", str(damaged)))


def test_each_engine_prunes_by_the_model_beside_its_own_weights(tmp_path: Path) -> None:
    path = tmp_path / "cautious.weights"
    path.write_bytes(weights.unpacked().read_bytes())
    content = json.loads(probcut.DEFAULT_FILE.read_bytes())
    for name in ("midgame", "endgame"):
        content[name][0] += 10  # errors so large that nothing is ever pruned
    probcut.beside(path).write_text(json.dumps(content))

    def nodes(engine: Engine, selectivity: int) -> int:
        engine.clear()
        return engine.search(POSITION, Limits(depth=10, selectivity=selectivity)).nodes

    with Engine(OPTIONS) as bold:
        before = nodes(bold, 73)
        with Engine(OPTIONS.with_value("evaluation_file", str(path))) as cautious:
            assert nodes(cautious, 73) == nodes(bold, 100) > before
        assert nodes(bold, 73) == before

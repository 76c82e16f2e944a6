"""`othello-bot puzzles`: which positions are puzzles, their scores and ratings, what is chosen, what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from othello_bot.cli import main
from othello_bot.formats import obf
from othello_bot.formats.reading import problems_of_file
from othello_bot.policy import LEAST_RATING, MOST_RATING, model_file
from othello_bot.rules import Game
from othello_bot.tools.puzzles import CLEARLY_BETTER_DISCS, Puzzle, spread
from tests.kernel.positions import minimax
from tests.rules.strategies import random_game

GAMES = [random_game(seed) for seed in range(4)]


def made(folder: Path, *words: str, games: list[Game] | None = None) -> list[str]:
    """Return the lines that the command makes of some games."""
    source, out = folder / "games.txt", folder / "puzzles.obf"
    source.write_text("".join(f"{game.transcript()}\n" for game in games or GAMES))
    assert main(["puzzles", str(source), str(out), "--overwrite", *words]) == 0
    return out.read_text().splitlines()


def rating(line: str) -> int:
    found = re.search("% rating ([0-9]+)$", line)
    assert found is not None
    return int(found[1])


def test_puzzles_are_the_positions_with_one_good_move_and_have_the_scores_of_all(tmp_path: Path) -> None:
    lines = made(tmp_path, "--empties", "2-5")
    found = {line.split(";")[0]: obf.parse_line(line) for line in lines}
    expected = set()
    for game in GAMES:
        for ply in range(game.ply + 1):
            position = game.position_at(ply)
            if 2 <= position.empties <= 5 and len(position.legal_moves) > 1:
                after = {move: position.play(move) for move in position.legal_moves}
                scores = {move: -minimax(one.mover, one.opponent, {}) for move, one in after.items()}
                best, second, *_ = sorted(scores.values(), reverse=True)
                if best > 0 >= second or best - second >= CLEARLY_BETTER_DISCS:
                    expected.add(position.to_string())
                    problem = found[position.to_string()]
                    assert problem is not None and dict(problem.scores) == scores
    assert set(found) == expected


def test_puzzles_are_rated_and_the_easiest_come_first(tmp_path: Path) -> None:
    lines = made(tmp_path)
    ratings = [rating(line) for line in lines]
    assert ratings == sorted(ratings) and LEAST_RATING <= ratings[0] < 700 and 1500 < ratings[-1] <= MOST_RATING
    assert len(list(problems_of_file(tmp_path / "puzzles.obf"))) == len(lines)


@pytest.mark.parametrize("damage", [lambda file: file.unlink(), lambda file: file.write_bytes(b"OBPEOPLE")])
def test_without_the_model_of_people_puzzles_are_rated_by_the_depth_of_search(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    damage: Callable[[Path], object],
) -> None:
    usual = made(tmp_path, "--empties", "5-8")
    file = tmp_path / "policy.packed"
    file.touch()
    damage(file)
    monkeypatch.setattr(model_file, "FILE", file)
    model_file.shipped.cache_clear()
    try:
        lines = made(tmp_path, "--empties", "5-8")
    finally:
        monkeypatch.undo()
        model_file.shipped.cache_clear()
    assert "rated by the depth of search" in capsys.readouterr().err
    assert {line.split(" % ")[0] for line in lines} == {line.split(" % ")[0] for line in usual}
    ratings = [rating(line) for line in lines]
    assert ratings == sorted(ratings) and ratings[0] == 1123 < ratings[-1] <= MOST_RATING


def test_symmetric_positions_are_one_puzzle(tmp_path: Path) -> None:
    game = GAMES[0]
    mirrored = Game()
    mirrored.play_moves(move if move == 64 else 8 * (move & 7) + (move >> 3) for move in game.moves)
    assert len(made(tmp_path, games=[game, mirrored])) == len(made(tmp_path, games=[game]))


def test_a_number_of_puzzles_is_spread_over_the_ratings_and_prefers_those_that_decide_a_game() -> None:
    position = Game().position
    margin, deciding = (obf.Problem(position, {19: best, 26: second}) for best, second in ((20, 10), (2, -2)))
    puzzles = [Puzzle(margin, 600), Puzzle(margin, 610), Puzzle(deciding, 620), Puzzle(margin, 1500)]
    assert [one.rating for one in spread(puzzles, 2)] == [620, 1500]
    assert [one.rating for one in spread(puzzles, 3)] == [620, 1500, 600]
    assert len(spread(puzzles, 9)) == 4
    lost = Puzzle(obf.Problem(position, {19: -10, 26: -20}), 600)
    assert spread([lost, puzzles[0]], 1) == [puzzles[0]]


def test_a_game_that_cannot_be_read_hides_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games.txt").write_text(f"{GAMES[0].transcript()}\nf5a1\n{GAMES[1].transcript()}\n")
    assert main(["puzzles", str(tmp_path / "games.txt"), str(tmp_path / "out.obf")]) == 1
    said = capsys.readouterr()
    assert "a1" in said.err and "of 3 games" in said.out


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["games.txt", "there.obf"], 2, "existing file"),
        (["nowhere.txt", "out.obf"], 2, "nowhere.txt"),
        (["short.txt", "out.obf"], 1, "no puzzle in 1 game"),
        (["games.txt", "out.obf", "--empties", "30"], 2, "from 2 to 24"),
        (["games.txt", "out.obf", "--empties", "9-25"], 2, "from 2 to 24"),
        (["games.txt", "out.obf", "--count", "0"], 2, "of at least 1"),
    ],
)
def test_what_cannot_be_done_is_said_and_writes_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.txt").write_text(GAMES[0].transcript())
    Path("short.txt").write_text("f5d6")
    Path("there.obf").write_text("kept")
    try:
        assert main(["puzzles", *words]) == code
    except SystemExit as error:
        assert error.code == code
    assert told in capsys.readouterr().err
    assert Path("there.obf").read_text() == "kept" and not Path("out.obf").exists()

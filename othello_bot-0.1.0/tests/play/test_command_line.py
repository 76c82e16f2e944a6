"""`othello-bot play` from the command line: arguments, seeds, saving, the analysis, a real process."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from othello_bot import strategies
from othello_bot.base.errors import INTERRUPTED
from othello_bot.base.notation import move_name
from othello_bot.formats.writing import open_games
from othello_bot.play import command as play
from othello_bot.strategies import Strategy
from othello_bot.strategies.marappan import RandomGames
from tests.play.evening import Evening, arguments


def test_command_line_plays_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.ggf"
    assert play.run(arguments("--black", "weighted", "--white", "random", "--save", str(path), "--seed", "3")) == 0
    assert open_games(path).read(0).game.is_over
    assert "the game is over" in capsys.readouterr().out
    assert play.run(arguments("--load", str(path), "--black", "weighted", "--white", "random")) == 0
    assert play.run(arguments("--load", str(tmp_path / "none"))) == 1
    assert "none" in capsys.readouterr().err


def test_a_name_that_a_shell_has_passed_on_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert play.run(arguments("--black", "weighted", "--white", "random", "--save", ">game.ggf")) == 0
    assert open_games(tmp_path / ">game.ggf").read(0).game.is_over


def test_one_of_several_games_is_chosen_by_its_number_and_the_others_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, other = tmp_path / "games.txt", tmp_path / "other.txt"
    path.write_text("f5\nd3c3\n")
    words = ["--black", "weighted", "--white", "random", "--load", str(path)]
    assert play.run(arguments(*words)) == 1
    assert "expected the number of one, 1 to 2, after the name" in capsys.readouterr().err
    assert play.run(arguments(*words, "2", "--save", str(other))) == 0
    assert other.read_text().startswith("d3c3")
    capsys.readouterr()
    for wrong, message in (
        (["3"], "expected 1 to 2"),
        (["x"], "expected a file, and the number"),
        (["1", "2"], "expected a"),
    ):
        assert play.run(arguments(*words, *wrong)) == 1
        assert message in capsys.readouterr().err
    assert play.run(arguments(*words, "2", "--save", str(path))) == 1
    assert "or --overwrite as well" in capsys.readouterr().err and path.read_text() == "f5\nd3c3\n"


def test_a_place_that_cannot_be_saved_to_is_refused_before_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in (tmp_path / "none" / "game.ggf", tmp_path):
        assert play.run(arguments("--black", "weighted", "--white", "random", "--save", str(place))) == 1
        shown = capsys.readouterr()
        assert shown.out == "" and "expected a file in a folder that exists" in shown.err


class OpeningEvening(Evening):
    """A game in which a person always answers in the same way: with the first legal move."""

    def read_line(self, prompt: str) -> str:
        position = self.session.game.position
        return "quit" if position.is_over else move_name(position.legal_moves[0])


@pytest.mark.slow
def test_seeds_play_several_games_and_a_seed_repeats_its_own() -> None:
    # Few, because this person is soon so far behind that nothing but the best move is drawn.
    games = [OpeningEvening(white="engine:1", seed=seed).moves for seed in (*range(20), 3)]
    assert len(set(games)) >= 3
    assert games[3] == games[20]


def test_the_seed_is_random_shown_and_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for name in ("one.ggf", "two.sgf", "three.pgn", "four.txt"):
        path = tmp_path / name
        assert play.run(arguments("--black", "random", "--white", "random", "--save", str(path))) == 0
        shown.append(capsys.readouterr().out.splitlines()[0])
        assert shown[-1].startswith("seed ") and shown[-1] in path.read_text()
        assert open_games(path).read(0).game.is_over
    assert len(set(shown)) == 4


@pytest.mark.slow
def test_a_given_seed_plays_the_same_game(tmp_path: Path) -> None:
    games = []
    for seed in ("7", "7", "8"):
        path = tmp_path / "game.txt"
        words = ["--black", "random", "--white", "engine:0", "--save", str(path), "--seed", seed, "--overwrite"]
        assert play.run(arguments(*words)) == 0
        games.append(path.read_text())
    assert games[0] == games[1] and games[0].split("#")[0] != games[2].split("#")[0]
    assert games[0].endswith(" # seed 7\n")


@pytest.mark.parametrize("seed", ["-1", "seven", "9" * 20])
def test_a_seed_that_is_none(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments("--seed", seed)
    assert "expected 0 to 9223372036854775807, or random" in capsys.readouterr().err


def test_command_line_lists_and_analyzes(capsys: pytest.CaptureFixture[str]) -> None:
    assert play.run(arguments("--strategies")) == 0
    shown = capsys.readouterr().out
    assert all(f"\n{name} " in shown for name in strategies.names())
    assert "\n    completion=N: empty squares from which the game is searched to its end, 14 by default\n" in shown
    assert play.run(arguments("--analyze", "marappan:1", "--games", "2")) == 0
    assert "marappan:1 against random moves: 2 games:" in capsys.readouterr().out
    assert play.run(arguments("--analyze", "engine")) == 2


def test_games_without_analyze_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert play.run(arguments("--black", "random", "--white", "random", "--games", "3")) == 1
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (
        "",
        "othello-bot play: --games '3': expected --analyze as well, whose games they are\n",
    )


def test_a_wrong_setting_of_a_strategy_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments("--black", "iago:3:fast")
    assert capsys.readouterr().err.endswith(" --black: 'iago:3:fast': expected no settings (setting 'fast')\n")


@pytest.mark.parametrize(
    "words",
    [
        ["--black", "nobody"],
        ["--suggest", "human"],
        ["--minutes", "0"],
        ["--minutes", "soon"],
        ["--games", "0"],
        ["--analyze", "human"],
    ],
)
def test_bad_arguments(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments(*words)
    assert "expected" in capsys.readouterr().err


def test_ctrl_c_ends_an_analysis_with_what_it_has(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(strategy: Strategy, games: int, seed: int, should_stop: Callable[[], bool]) -> RandomGames:
        assert not should_stop()
        signal.raise_signal(signal.SIGINT)
        assert should_stop()
        return RandomGames(wins=3, draws=0, losses=1, time_s=1.0)

    monkeypatch.setattr(play, "analyze", interrupted)
    before = signal.getsignal(signal.SIGINT)
    assert play.run(arguments("--analyze", "marappan:6")) == INTERRUPTED
    assert "marappan:6 against random moves: 4 games: 3 won" in capsys.readouterr().out
    assert signal.getsignal(signal.SIGINT) == before


@pytest.mark.process
def test_a_real_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "othello_bot", "play", "--white", "weighted"],
        input="f5\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "white (weighted) plays" in done.stdout and "\033[" not in done.stdout


@pytest.mark.parametrize("words", [("1", "2"), ("x",), ("-1",), ("1234567890",)])
def test_what_is_no_number_of_a_game_is_refused_as_it_was_given(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.txt").write_text("f5\n")
    assert play.run(arguments("--load", "games.txt", *words)) == 1
    said = capsys.readouterr().err
    assert f"--load 'games.txt {' '.join(words)}': expected a file, and the number of one of its games" in said


def test_an_increment_without_a_time_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert play.run(arguments("--increment", "5")) == 1
    assert "--increment '5': expected --minutes as well" in capsys.readouterr().err

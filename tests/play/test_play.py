"""The terminal game: players by name, moves and commands, clocks, files, the command line."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from othello_bot import strategies
from othello_bot.engine import CHAMPION, PLAYERS_OPTIONS, Engine, Limits, Options, find_option, options_of
from othello_bot.engine.option_arguments import argument
from othello_bot.errors import InputError
from othello_bot.formats.detect import read_games
from othello_bot.formats.files import open_games
from othello_bot.formats.record import LARGEST_FILE_BYTES
from othello_bot.play import command as play
from othello_bot.play.clocks import Clocks
from othello_bot.play.commands import obey
from othello_bot.play.front import Front, PlainFront
from othello_bot.play.players import ENGINE_OPTIONS, EnginePlayer, PlayerError, StrategyPlayer, parse_player
from othello_bot.play.seats import Players
from othello_bot.play.table import Table
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from othello_bot.strategies import Strategy
from othello_bot.strategies.marappan import Analysis
from othello_bot.terminal.look import Look
from othello_bot.terminal.scene import Scene
from protocol.clocks import ClockState
from protocol.notation import PASS, Color, move_name, parse_square


class Shown(PlainFront):
    """Shows a board in one line."""

    def show(self, scene: Scene) -> None:
        self.say(f"[{scene.position.to_string()}] {scene.black.clock} {scene.white.clock} {scene.facts}")


class Evening:
    """A table with its transcript: lines go in, everything shown is kept."""

    def __init__(
        self,
        *lines: str | Callable[[], str],
        black: str = "human",
        white: str = "human",
        game: Game | None = None,
        clocks=None,
        seed=1,
    ):
        self.lines = iter(lines)
        self.shown: list[str] = []
        self.prompts: list[str] = []
        with Players(parse_player(black), parse_player(white), parse_player("marappan:1"), seed) as players:
            self.front = self.make_front()
            self.table = Table(game or Game(), players, clocks, self.front, obey=obey)
            self.table.play()

    def make_front(self) -> Front:
        return Shown(self.shown.append, Look(), self.read_line)

    def read_line(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            line = next(self.lines)
        except StopIteration:
            raise EOFError from None
        return line if isinstance(line, str) else line()

    @property
    def text(self) -> str:
        return "".join(self.shown)

    @property
    def moves(self) -> str:
        return self.table.game.transcript()


def test_two_people() -> None:
    evening = Evening("f5", "D6", " c3 ", "quit")
    assert evening.moves == "f5d6c3"
    assert evening.prompts == ["black> ", "white> ", "black> ", "white> "]
    assert evening.text.endswith("goodbye\n")
    assert f"[{evening.table.game.position.to_string()}]" in evening.text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("e3", "illegal move 'e3': expected d3 c4 f5 e6"),
        ("pass", "illegal move 'pass': expected d3 c4 f5 e6"),
        ("z9", "move 'z9': expected a move such as f5, or a command"),
        ("dance wildly", "move 'dance wildly': expected a move"),
        ("f5 please", "move 'f5 please': expected a move"),
        ("undo", "cannot undo 1: expected a move of yours before it"),
        ("undo x", "undo 'x': expected a number of moves"),
        ("undo 0", "expected a number of moves"),
        ("redo", "cannot redo 1: expected an undo before it"),
        ("save", "save '': expected the name of a file"),
        ("load", "load '': expected the name of a file"),
        ("load /does/not/exist", "/does/not/exist: No such file"),
        ("save /does/not/exist/game.ggf", "/does/not/exist/game.ggf: No such file"),
    ],
)
def test_a_line_that_cannot_be_obeyed_changes_nothing(line: str, message: str) -> None:
    evening = Evening(line, "moves", "quit")
    assert message in evening.text
    assert "d3 c4 f5 e6" in evening.text
    assert evening.moves == ""


def test_a_person_against_a_strategy() -> None:
    evening = Evening("f5", "quit", white="weighted")
    assert evening.table.game.ply == 2
    assert "white (weighted) plays" in evening.text
    assert evening.prompts == ["black> ", "black> "]


def test_two_strategies_play_to_the_end_without_a_line() -> None:
    evening = Evening(black="weighted", white="random")
    assert evening.table.game.is_over and evening.prompts == []
    score = evening.table.game.score
    assert ("the game is over: a draw" if not score else f"wins by {abs(score)};") in evening.text


def test_passes_are_played_for_the_player() -> None:
    must_pass = Position.parse("-XXXXXXO" + "O" * 56 + " X")
    evening = Evening("a1", game=Game(must_pass))
    assert "black has no legal move and passes" in evening.text
    assert evening.table.game.moves == (PASS, 0)
    assert evening.prompts == ["white> ", "over> "]
    assert "white wins by 64; black 0, white 64\n" in evening.text


ONE_MOVE_LEFT = Position.parse("-" + "O" * 6 + "X" + "O" * 56 + " X")


def test_a_finished_game_can_be_saved_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "end.ggf"
    evening = Evening("a1", f"save {path}", "a1", "resign", "suggest", "undo", "a1", "quit", game=Game(ONE_MOVE_LEFT))
    assert evening.prompts == ["black> ", *["over> "] * 5, "black> ", "over> "]
    assert open_games(path).read(0).game.is_over
    assert evening.text.count("the game is over: white wins by 48") == 2
    assert evening.text.count("expected undo, new, load, save or quit") == 3
    assert "resigns" not in evening.text and evening.text.endswith("goodbye\n")


def test_resigning_ends_the_game_until_it_is_taken_back() -> None:
    evening = Evening("f5", "resign", "d6", "undo", "d3", "quit")
    assert evening.prompts == ["black> ", "white> ", "over> ", "over> ", "black> ", "white> "]
    assert evening.moves == "d3"


def test_without_a_person_nobody_is_asked_at_the_end() -> None:
    assert Evening(black="weighted", white="random", game=Game(ONE_MOVE_LEFT)).prompts == []


def test_undo_and_redo_between_people() -> None:
    evening = Evening("f5", "d6", "undo", "undo", "redo", "quit")
    assert evening.moves == "f5"
    assert Evening("f5", "d6", "undo 2", "quit").moves == ""
    assert Evening("f5", "d6", "undo 3", "quit").moves == "f5d6"
    assert Evening("f5", "undo", "d3", "redo", "quit").moves == "d3", "another move forgets what was taken back"


def test_undo_against_a_strategy_takes_back_its_answer_too() -> None:
    evening = Evening("f5", "undo", "quit", white="weighted")
    assert evening.moves == "" and evening.prompts == ["black> "] * 3
    again = Evening("f5", "undo", "redo", "quit", white="weighted")
    assert again.table.game.ply == 2
    as_white = Evening("undo", "quit", black="weighted")
    assert "cannot undo" in as_white.text and as_white.table.game.ply == 1


def test_suggestions_list_the_points_of_every_move() -> None:
    evening = Evening("suggest", "hint", "quit")
    for move in ("d3", "c4", "f5", "e6"):
        assert evening.text.count(f"{move}  +6 points") == 2


def test_other_advisers_name_a_move() -> None:
    adviser = StrategyPlayer("weighted", seed=0)
    assert adviser.suggest(Position.start()) == ["d3"]
    assert adviser.suggest(Position.parse("-XXXXXXO" + "O" * 56 + " X")) == ["pass"]


def test_resigning_and_help() -> None:
    evening = Evening("help", "f5", "resign")
    assert "white resigns: black wins" in evening.text
    assert "take back your last move" in evening.text


class Stopwatch:
    """A clock whose time goes by where a test says so."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def then(self, seconds: float, line: str) -> Callable[[], str]:
        """Return a function that types the line after this many seconds."""

        def typed() -> str:
            self.now_s += seconds
            return line

        return typed


def test_clocks_count_and_forfeit() -> None:
    watch = Stopwatch()
    evening = Evening(watch.then(10, "f5"), watch.then(61, "d6"), clocks=Clocks(60, 2, watch))
    assert evening.prompts == ["black 1:00> ", "white 1:00> ", "over> "]
    assert "white has no time left and forfeits: black wins" in evening.text
    assert evening.moves == "f5"
    assert "] 0:52 1:00 ()" in evening.text, "the board shows both clocks"


def test_the_clock_runs_between_commands() -> None:
    watch = Stopwatch()
    lines = [watch.then(20, "moves"), watch.then(41, "help"), "f5", "quit"]
    evening = Evening(*lines, clocks=Clocks(60, 0, watch))
    assert evening.prompts == ["black 1:00> ", "black 0:40> ", "over> ", "over> "], "time is up at the second command"
    assert "black has no time left and forfeits: white wins" in evening.text
    assert evening.moves == ""


def test_clock_state_for_the_engine() -> None:
    watch = Stopwatch()
    clocks = Clocks(60, 2, watch)
    clocks.start()
    watch.now_s = 10
    assert clocks.stop(Color.BLACK)
    assert clocks.state(Color.BLACK) == ClockState(52, 2)
    clocks.start()
    watch.now_s = 15
    assert clocks.left_s(Color.BLACK, running=True) == 47 and clocks.left_s(Color.BLACK) == 52
    assert clocks.charge(Color.BLACK)
    assert (clocks.left_s(Color.BLACK), clocks.left_s(Color.WHITE), clocks.turn_s) == (47, 60, 5)
    assert clocks.restarted().left_s(Color.BLACK) == 60


def test_taking_back_costs_time() -> None:
    watch = Stopwatch()
    evening = Evening(watch.then(5, "f5"), watch.then(20, "undo"), "quit", clocks=Clocks(60, 0, watch))
    assert evening.prompts == ["black 1:00> ", "white 1:00> ", "black 0:55> "]


@pytest.mark.parametrize("name", ["game.ggf", "game.sgf", "game.pgn", "game.txt"])
def test_save_and_load(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    evening = Evening("f5", "d6", "c3", f"save {path}", "d3", f"load {path}", "quit")
    assert f"saved in {path}" in evening.text
    assert evening.moves == "f5d6c3"
    assert [item.name for item in tmp_path.iterdir()] == [name]
    record = next(read_games(path.read_text()))
    assert record.black == ("" if name.endswith("txt") else "human")
    assert name.endswith("txt") or record.date == time.strftime("%Y-%m-%d")


def test_a_game_from_another_start_is_saved_with_it(tmp_path: Path) -> None:
    start = Position.start().play(parse_square("f5")).play(parse_square("f6"))
    game = Game(start)
    game.play(parse_square("e6"))
    Evening(f"save {tmp_path}/game.txt", game=game)
    assert open_games(tmp_path / "game.txt").read(0).game == game


@pytest.mark.parametrize("content", [b"", b"not a game", b"f5f5", b"\xff\xfe\x00", b"f5 " * LARGEST_FILE_BYTES])
def test_a_file_that_is_no_game(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match="expected"):
        open_games(path)
    evening = Evening("f5", f"load {path}", "quit")
    assert "expected" in evening.text and evening.moves == "f5"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nobody", "human, engine, engine:LEVEL, engine:strength=STRENGTH, or one of random"),
        ("", "human, engine"),
        ("iago:0", "1 to 60"),
        ("engine:61", "0 to 60"),
        ("engine:fast", "0 to 60"),
        ("engine:", "0 to 60"),
        ("engine:strength=fast", "a strength of 1 to .*beginner"),
        ("human:3", "human, engine"),
    ],
)
def test_players_that_do_not_exist(text: str, expected: str) -> None:
    with pytest.raises(PlayerError, match=expected):
        parse_player(text)


def test_a_strategy_does_not_overstep_its_clock() -> None:
    move = StrategyPlayer("minimax:30", seed=0).choose(Position.start(), ClockState(2.0))  # hours without the clock
    assert move in Position.start().legal_moves


def test_a_strategy_that_thinks_ahead_answers_from_what_it_prepared() -> None:
    player = StrategyPlayer("textbook:1:think-ahead=4", seed=0)
    start = Position.start()
    player.think_ahead(start)
    assert player._thinking is not None
    player._thinking.join()
    after = start.play(parse_square("f5"))
    assert player.choose(after, None) in after.legal_moves
    assert player._strategy.hits == 1  # type: ignore[attr-defined]
    player.close()


def test_leaving_does_not_wait_for_an_answer_that_is_being_prepared() -> None:
    player = StrategyPlayer("textbook:30:think-ahead", seed=0)
    player.think_ahead(Position.start())
    thread = player._thinking
    player.close()
    assert thread is not None and not thread.is_alive()


@pytest.fixture
def engine_player() -> Iterator[EnginePlayer]:
    player = EnginePlayer("engine:1", Engine(Options(level=1)))
    yield player
    player.close()


def test_the_engine_plays_and_advises(engine_player: EnginePlayer) -> None:
    after = Position.start().play(parse_square("f5"))
    assert engine_player.choose(after, None) in after.legal_moves
    assert engine_player.choose(after, ClockState(10.0)) in after.legal_moves
    advice = engine_player.suggest(after)
    assert len(advice) == 3 and all("discs" in line for line in advice)
    must_pass = Position.parse("-XXXXXXO" + "O" * 56 + " X")
    assert engine_player.choose(must_pass, None) == PASS
    assert engine_player.suggest(must_pass) == ["pass"]


@pytest.mark.parametrize(
    ("player", "words", "title", "limits"),
    [
        ("engine", "", "engine, level 21", Limits(level=21)),
        ("engine", "--level 3", "engine, level 3", Limits(level=3)),
        ("engine:4", "--level 3", "engine, level 4", Limits(level=4)),
        ("engine", "--move-time 500", "engine, 0.5 s a move", Limits(move_time_s=0.5)),
        ("engine:4", "--depth 2", "engine, level 4, depth 2", Limits(level=4, depth=2)),
        ("iago", "--level 3", "iago", None),
        ("human", "--level 3", "human", None),
    ],
)
def test_options_count_for_every_engine_and_its_own_level_wins(
    player: str, words: str, title: str, limits: Limits | None
) -> None:
    options = options_of(arguments(*words.split()), ENGINE_OPTIONS)
    spec = parse_player(player)
    assert spec.title(options) == title
    made = spec.make(1, options)
    if limits is None:
        assert not isinstance(made, EnginePlayer)
    else:
        assert isinstance(made, EnginePlayer)
        assert made._engine.default_limits() == limits
        made.close()


def test_every_option_of_a_player_is_an_argument_of_play(capsys: pytest.CaptureFixture[str]) -> None:
    for name in PLAYERS_OPTIONS:
        option = find_option(name)
        value = option.choices()[0] if option.choices else "off" if option.kind == "boolean" else "2"
        found = options_of(arguments(argument(name), value), ENGINE_OPTIONS)
        assert found == ENGINE_OPTIONS.with_text(name, value), name
    with pytest.raises(SystemExit):
        arguments("--level", "61")
    assert "expected 0 to 60" in capsys.readouterr().err


def test_a_level_is_kept_beside_a_clock() -> None:
    made = parse_player("engine:1").make(1)
    assert isinstance(made, EnginePlayer)
    clock = ClockState(60.0)
    assert made._engine.default_limits(clock) == Limits(level=1, clock=clock)
    made.close()


def test_a_level_of_the_command_line_is_shown_and_used(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--black", "engine", "--white", "engine:1", "--level", "0", "--book", "off", "--seed", "1"]
    assert play.run(arguments(*words)) == 0
    assert "engine, level 0 (black) plays engine, level 1 (white)" in capsys.readouterr().out


def test_a_weak_engine_gives_the_advice_of_full_strength() -> None:
    after = Position.start().play(parse_square("f5"))
    advice = []
    for strength in (1, CHAMPION):
        player = EnginePlayer("engine", Engine(Options(seed=3, level=1, strength=strength)))
        advice.append(player.suggest(after))
        player.close()
    assert advice[0] == advice[1]


def test_strength_on_the_command_line_is_for_an_engine_without_a_level(capsys: pytest.CaptureFixture[str]) -> None:
    for white, title in (("engine", "strength beginner"), ("engine:1", "level 1"), ("engine:strength=2", "strength 2")):
        words = ["--black", "random", "--white", white, "--strength", "Beginner", "--seed", "3"]
        assert play.run(arguments(*words)) == 0
        assert f"random (black) plays engine, {title} (white)" in capsys.readouterr().out


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(words)


def test_command_line_plays_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.ggf"
    assert play.run(arguments("--black", "weighted", "--white", "random", "--save", str(path), "--seed", "3")) == 0
    assert open_games(path).read(0).game.is_over
    assert "the game is over" in capsys.readouterr().out
    assert play.run(arguments("--load", str(path), "--black", "weighted", "--white", "random")) == 0
    assert play.run(arguments("--load", str(tmp_path / "none"))) == 1
    assert "none" in capsys.readouterr().err


def test_a_place_that_cannot_be_saved_to_is_refused_before_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in (tmp_path / "none" / "game.ggf", tmp_path):
        assert play.run(arguments("--black", "weighted", "--white", "random", "--save", str(place))) == 1
        shown = capsys.readouterr()
        assert shown.out == "" and "expected a file in a folder that exists" in shown.err


class Opening(Evening):
    """Ten plies of a game in which a person answers with the first legal one of always the same moves."""

    answers = "f5 f6 e6 f4 g5 e7 c5 c6 d3 c4 c3 e3 f3 d2 d6 d7 g4 g6"

    def read_line(self, prompt: str) -> str:
        legal = list(map(move_name, self.table.game.position.legal_moves))
        return "quit" if self.table.game.ply >= 10 else next(move for move in self.answers.split() if move in legal)


def test_twenty_games_have_ten_openings_and_a_seed_repeats_its_own() -> None:
    games = [Opening(white="engine:1", seed=seed).moves for seed in (*range(20), 3)]
    assert len(set(games)) >= 10
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


@pytest.mark.parametrize("words", [["--strategies"], ["--black", "weighted", "--white", "random"]])
def test_a_reader_that_has_seen_enough(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "othello_bot", "play", *words],
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_command_line_lists_and_analyzes(capsys: pytest.CaptureFixture[str]) -> None:
    assert play.run(arguments("--strategies")) == 0
    shown = capsys.readouterr().out
    assert all(f"\n{name} " in shown for name in strategies.names())
    assert "\n    completion=N: empty squares from which the game is searched to its end, 14 where not given\n" in shown
    assert play.run(arguments("--analyze", "marappan:1", "--games", "2")) == 0
    assert "marappan:1 against random moves: 2 games:" in capsys.readouterr().out
    assert play.run(arguments("--analyze", "engine")) == 2


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
    def interrupted(strategy: Strategy, games: int, seed: int, should_stop: Callable[[], bool]) -> Analysis:
        assert not should_stop()
        signal.raise_signal(signal.SIGINT)
        assert should_stop()
        return Analysis(wins=3, draws=0, losses=1, time_s=1.0)

    monkeypatch.setattr(play, "analyze", interrupted)
    before = signal.getsignal(signal.SIGINT)
    assert play.run(arguments("--analyze", "marappan:6")) == play.INTERRUPTED
    assert "marappan:6 against random moves: 4 games: 3 won" in capsys.readouterr().out
    assert signal.getsignal(signal.SIGINT) == before


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

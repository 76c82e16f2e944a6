"""`import othello_bot`: what it hands out, and what it says to a value of a wrong type."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import othello_bot
from othello_bot import PASS, Color, Engine, Game, InputError, Limits, Options, Position, move_name, parse_move
from othello_bot.formats.reading import games_of_content, games_of_file
from othello_bot.formats.record import GameRecord
from othello_bot.formats.writing import open_games, write_game, write_games
from othello_bot.review import review_game

WRONG = [None, 3.5, b"f5", [None], object(), {"f5": 1}]

ACCEPTED = {"Game.play_moves": (b"f5", {"f5": 1}), "games_of_content": (b"f5",)}
"""Values of these that a call accepts."""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(Options(hash=8, book=False)) as made:
        yield made


CALLS: dict[str, Callable[[Any], object]] = {
    "Position.parse": Position.parse,
    "Position.from_board": Position.from_board,
    "Position, mover": lambda value: Position(value, 0),
    "Position, color": lambda value: Position(0, 0, value),
    "Position.from_colors": lambda value: Position.from_colors(0, 0, value),
    "Position.play": Position.start().play,
    "Position.disc_at": Position.start().disc_at,
    "Game.from_transcript": Game.from_transcript,
    "Game.play": Game().play,
    "Game.play_transcript": Game().play_transcript,
    "Game.play_moves": Game().play_moves,
    "Game.undo": Game().undo,
    "Game.redo": Game().redo,
    "Game.position_at": Game().position_at,
    "Game.color_at": Game().color_at,
    "move_name": move_name,
    "parse_move": parse_move,
    "games_of_file": games_of_file,
    "games_of_content": games_of_content,
    "open_games": open_games,
    "write_games": lambda value: write_games([], value),
    "write_games, games": lambda value: write_games(value, "no/such/folder/game.ggf"),
    "write_game": lambda value: write_game(GameRecord(), value),
    "Limits, considered": lambda value: Limits(considered=value),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_value_of_a_wrong_type_is_told_with_what_is_accepted(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    accepted: tuple[object, ...] = ACCEPTED.get(call, ())
    for value in [*(value for value in WRONG if value not in accepted), *(("f5",) if accepted else ())]:
        if call == "write_games, games" and isinstance(value, bytes | list | dict):
            continue  # their members are what is wrong, after the file was asked for
        with pytest.raises(InputError, match="expected ") as raised:
            CALLS[call](value)
        assert str(raised.value).count("object has no") == 0
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_type_given_to_an_engine(engine: Engine) -> None:
    for value in WRONG:
        for call in (
            lambda value: engine.search(value, Limits(depth=1)),
            lambda value: engine.analyze(value),
            lambda value: engine.set_option(value, "1"),
            lambda value: review_game(engine, value),
            lambda value: review_game(value, Game()),
        ):
            with pytest.raises(InputError, match="expected "):
                call(value)


def test_a_path_may_be_a_text_or_a_path(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    game = Game.from_transcript("f5d6c3")
    write_games([GameRecord(game)], str(path))
    for given in (path, str(path)):
        (found,) = games_of_file(given)
        assert found.checked().game == game
        assert open_games(given).read(0).game == game


def test_discs_and_the_final_score_are_told_apart() -> None:
    game = Game.from_transcript("f5d6c5")
    assert (game.discs, game.final_score) == ((5, 2), 60)
    assert (game.position.discs, game.position.color, game.position.score()) == ((5, 2), Color.WHITE, -60)
    full = Position(((1 << 33) - 1), ((1 << 31) - 1) << 33)
    assert (full.discs, Game(full).final_score) == ((33, 31), 2)


def test_a_game_is_printed_as_a_board() -> None:
    game = Game.from_transcript("f5")
    assert str(game) == str(game.position)
    assert str(game).splitlines()[5] == "5 . . . X X X . . 5"


def test_errors_and_passes_come_from_the_package() -> None:
    errors = {name for name in othello_bot.__all__ if isinstance(getattr(othello_bot, name), type)}
    for name in ("InputError", "IllegalMove", "PositionError", "FormatError", "NotationError", "LimitError"):
        assert name in errors and issubclass(getattr(othello_bot, name), InputError)
    for name in ("OptionError", "CannotUndo", "CannotRedo"):
        assert issubclass(getattr(othello_bot, name), InputError)
    for name in ("EngineBusy", "EngineClosed"):
        assert issubclass(getattr(othello_bot, name), RuntimeError)
    assert (PASS, move_name(PASS)) == (64, "pass")


@pytest.mark.process
def test_files_of_a_users_folder_take_no_place_of_ours(tmp_path: Path) -> None:
    for name in ("protocol", "kernel", "base", "engine"):
        (tmp_path / f"{name}.py").write_text(f"raise RuntimeError('a user's {name}.py')\n")
    program = "import othello_bot; from othello_bot.protocol import gtp; print(othello_bot.Position.start().empties)"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("60\n", "")

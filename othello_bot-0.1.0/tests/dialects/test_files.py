"""The commands about files in a pipe: formats by their endings, refusals, the content of a saved game."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from othello_bot.base.clocks import TimeControl
from othello_bot.formats import wthor
from othello_bot.formats.record import GameRecord
from othello_bot.formats.writing import LARGEST_LISTED_BYTES, open_games
from othello_bot.rules import Game
from tests.session.harness import check_dialogue, in_process, replies

COMPRESSED = ((".gz", b"\x1f\x8b"), (".bz2", b"BZh"), (".xz", b"\xfd7zXZ"), (".GZ", b"\x1f\x8b"))
"""Endings of compressed files, and how these begin."""


@pytest.mark.parametrize("kind", ["ggf", "sgf", "pgn", "txt"])
@pytest.mark.parametrize(("ending", "magic"), [("", b""), *COMPRESSED])
def test_a_game_is_saved_and_loaded(kind: str, ending: str, magic: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"a game.{kind}{ending}"
    check_dialogue(f"""
> play f5d6c3
=
> save {path}
=
> new
=
> load {path}
= 3 moves, white to move
> transcript
= f5d6c3
""")
    assert path.read_bytes().startswith(magic)


def test_nothing_is_replaced_without_the_word(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("old")
    check_dialogue(f"""
> f5
=
> save {path}
? cannot save file: existing file 'game.sgf': expected another name, or the word overwrite after it
> printsgf {path}
? cannot save file: existing file 'game.sgf': expected another name, or the word overwrite after it
> transcript
= f5
""")
    assert path.read_text() == "old"
    in_process(f"f5\nprintsgf {path} overwrite\n")
    assert "B[f5]" in path.read_text()


def test_a_shells_sign_is_not_part_of_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_dialogue("""
> save > game.txt
? cannot save file: file to save in '> game.txt': expected the name alone, without >, or in quotes
> printsgf >game.sgf
? cannot save file: file to save in '>game.sgf': expected the name alone, without >, or in quotes
> save | less
? cannot save file: file to save in '| less': expected the name alone, without |, or in quotes
> save < game.txt overwrite
? cannot save file: file to save in '< game.txt overwrite': expected the name alone, without <, or in quotes
> save game.txt > other.txt
? cannot save file: file to save in 'game.txt > other.txt': expected the name alone, without >, or in quotes
> save 2>game.txt
? cannot save file: file to save in '2>game.txt': expected the name alone, without 2>, or in quotes
> save "game.txt" > "other.txt"
? cannot save file: file to save in '"game.txt" > "other.txt"': expected the name alone, without >, or in quotes
> save ">game.txt"
=
> save ">game.txt" overwrite
=
> save "a > b.txt"
=
> save a->b, c.txt
=
""")
    assert {path.name for path in tmp_path.iterdir()} == {">game.txt", "a > b.txt", "a->b, c.txt"}


def test_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    in_process("f5\nsave ~/game.txt\nprintsgf ~/game.sgf\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.sgf", "game.txt"]
    check_dialogue("> load ~/game.txt\n= 1 move, white to move\n> loadsgf ~/game.sgf\n= white")


@pytest.mark.parametrize("command", ["printsgf", "save"])
def test_players_date_and_clocks(command: str, tmp_path: Path) -> None:
    path = tmp_path / f"game.{'sgf' if command == 'printsgf' else 'ggf'}"
    in_process(f"kata-time_settings fischer 60 2\nsetoption name Rose\nsetoption depth 1\nf5\ngo\n{command} {path}\n")
    record = open_games(path).read(0)
    assert (record.black, record.white, record.date) == ("opponent", "Rose", time.strftime("%Y-%m-%d"))
    assert record.clock == TimeControl(60, 2)


def test_several_games_need_a_number(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("f5\nc4e3\n")
    check_dialogue(f"""
> games {path}
= 1 ? - ?  f5
2 ? - ?  c4e3
> load {path}
? cannot load file: 2 games in ...: expected the number of one, 1 to 2, after the name
> load {path} 2
= 2 moves, black to move
> load {path} 3
? cannot load file: game 3: expected 1 to 2
> transcript
= c4e3
""")


def test_what_is_no_game_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none.txt"
    path.write_text("nonsense")
    check_dialogue(f"""
> f5
=
> load {path}
? cannot load file: transcript 'nonsense': ...
> load
? syntax error: a file is missing (usage: load file [number])
> save {tmp_path}/game.wtb
? cannot save file: game without a result 'f5': expected a finished game, or one whose result is known
> save {tmp_path}/game.jou
? cannot save file: file to save in 'game.jou': expected a name ending in .ggf, .sgf, .pgn, .json, .obf, .txt, .wtb
> transcript
= f5
""")


def test_the_score() -> None:
    check_dialogue("""
> play f5d6c5f4e3f6g5e6e7
=
> score
= black wins by 64; black 13, white 0, and 51 empty squares count for the winner
""")


def test_what_would_block_is_refused_and_the_game_kept(tmp_path: Path) -> None:
    pipe, one, two = tmp_path / "pipe", tmp_path / "one.ggf", tmp_path / "two.ggf"
    os.mkfifo(pipe)
    one.symlink_to(two)
    two.symlink_to(one)
    special = "not a file, but a pipe or a device"
    check_dialogue(f"""
> play f5d6c3
=
> save {pipe}
? cannot save file: {pipe}: {special}
> save {pipe} overwrite
? cannot save file: {pipe}: {special}
> printsgf {pipe}
? cannot save file: {pipe}: {special}
> save /dev/null
? cannot save file: /dev/null: {special}
> save {one}
? cannot save file: {one}: Too many levels of symbolic links
> save {tmp_path} overwrite
? cannot save file: {tmp_path}: Is a directory
> load {pipe}
? cannot load file: {pipe}: {special}
> setoption log_file {pipe}
? option log_file ...: expected a writable file (a pipe that nobody reads)
> transcript
= f5d6c3
""")


def test_a_log_that_nobody_reads_any_more_ends_and_the_session_goes_on(tmp_path: Path) -> None:
    pipe = tmp_path / "log"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    said = in_process(f"setoption log_file {pipe}\n" + "showboard\n" * 300 + "transcript\n")
    os.close(reader)
    assert said.endswith("\n\n=\n\n")


@pytest.mark.parametrize("ending", [ending for ending, _ in COMPRESSED])
def test_a_base_is_not_compressed(ending: str, tmp_path: Path) -> None:
    base = tmp_path / f"base.wtb{ending}"
    assert "cannot save file: file to save in 'base.wtb" in in_process(f"f5\nsave {base}\n")
    assert not base.exists()


def test_what_never_ends_or_never_answers_is_refused_and_the_game_kept(tmp_path: Path) -> None:
    """A pipe without anybody at its other end would block the commands behind it, `stop` and `quit` too."""
    pipe, loop, large = tmp_path / "pipe.ggf", tmp_path / "loop.ggf", tmp_path / "large.ggf"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    with large.open("wb") as file:
        file.truncate(LARGEST_LISTED_BYTES + 1)
    places = [pipe, loop, large, tmp_path, "/dev/zero", "/proc/self/mounts", "/dev/stdin"]
    for command in ("load", "games", "loadsgf"):
        found = replies(in_process("play f5\n" + "".join(f"{command} {place}\n" for place in places) + "transcript\n"))
        assert found[-1] == "= f5"
        assert all(reply.startswith("? cannot load file: ") for reply in found[1:-1]), found
        assert len(found) == len(places) + 2


@pytest.mark.parametrize("option", ["log_file", "book_file", "evaluation_file", "base_file"])
def test_a_pipe_is_no_file_of_an_option(option: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines = [f"setoption {option} {place}" for place in (pipe, tmp_path)]
    found = replies(in_process("play f5\n" + "\n".join(lines) + f"\ntranscript\ngetoption {option}\n"))
    assert all(reply.startswith(f"? option {option} '") for reply in found[1:3]), found
    assert found[3:] == ["= f5", "= none"]


def test_names_beside_a_base_are_read_from_files_alone(tmp_path: Path) -> None:
    pack = wthor.Base()
    pack.add(wthor.pack_game(GameRecord(Game.from_transcript("f5d6"), result=2.0)))
    (tmp_path / "games.wtb").write_bytes(pack.games(0))
    os.mkfifo(tmp_path / "games.jou")
    assert replies(in_process(f"load {tmp_path}/games.wtb\ntranscript\n"))[1] == "= f5d6"

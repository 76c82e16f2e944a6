"""`othello-bot completion`: every command and option of the help is in every script; tests/real asks the shells."""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

import pytest

from othello_bot.cli import SUBCOMMANDS, main, parsers
from othello_bot.tools.completion import ArgumentWord, declared

SHELLS = ("bash", "zsh", "fish")


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def test_what_parsers_declare() -> None:
    parser = argparse.ArgumentParser(prog="x", add_help=False)
    parser.add_argument("file", metavar="FILE", help="100%% a file")
    parser.add_argument("--format", "-f", choices=("ggf", "sgf"))
    parser.add_argument("--log", type=Path)
    parser.add_argument("--book", metavar="{on,off}", nargs="?")
    parser.add_argument("--quiet", action="store_true", help=argparse.SUPPRESS)
    sub = argparse.ArgumentParser(description="Make one. Then another.")
    commands = declared({"": argparse.ArgumentParser(add_help=False), "x": parser, "x y": sub})
    assert commands["x"] == (
        ArgumentWord((), "100% a file", takes_value=True, files=True),
        ArgumentWord(("--format", "-f"), "", takes_value=True, values=("ggf", "sgf")),
        ArgumentWord(("--log",), "", takes_value=True, files=True),
        ArgumentWord(("--book",), "", values=("on", "off")),
        ArgumentWord(("--quiet",), ""),
        ArgumentWord((), "Make one", values=("y",)),
    )
    assert [word.values for word in commands[""]] == [("x",)]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_there(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(shell, capsys)
    for name, parser in parsers().items():
        assert name in text
        for action in parser._actions:
            for option in action.option_strings:
                kind = "-l" if option.startswith("--") else "-s" if len(option) == 2 else "-o"
                assert (f"{kind} {option.lstrip('-')}" if shell == "fish" else option) in text
            for choice in action.choices or ():
                assert str(choice) in text
    assert len(SUBCOMMANDS) + 1 == len(parsers())


def completed(line: str, folder: Path, text: str) -> set[str]:
    """Return what bash offers for the last word of a line."""
    words = line.split(" ")
    array = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({array}) COMP_CWORD={len(words) - 1}"
    check = f'{text}\n{asked}\n_othello_bot\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    run = subprocess.run(["bash", "--norc", "-c", check], capture_output=True, text=True, check=True, cwd=folder)
    return set(run.stdout.split())


@pytest.mark.process
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("othello-bot conv", {"convert"}),
        ("othello-bot n", {"native", "nboard"}),
        ("othello-bot match re", {"report"}),
        ("othello-bot match report --he", {"--help"}),
        ("othello-bot convert --format w", {"wtb"}),
        ("othello-bot convert --unique s", {"symmetry"}),
        ("othello-bot convert ga", {"games.ggf"}),
        ("othello-bot convert a b --over", {"--overwrite"}),
        ("othello-bot completion ", {"bash", "fish", "zsh"}),
        ("othello-bot --leve", {"--level"}),
        ("othello-bot --book ", {"on", "off"}),
        ("othello-bot --hash ", set()),
        ("othello-bot --level ", {"auto"}),
        ("othello-bot --book-file ga", {"games.ggf"}),
        ("othello-bot --selectivity 9", {"95", "98", "99"}),
        ("othello-bot --strength gr", {"grandmaster"}),
        ("othello-bot convert --format =", {"ggf", "sgf", "pgn", "json", "obf", "txt", "wtb"}),
        ("othello-bot convert --format = w", {"wtb"}),
        ("othello-bot book gr", {"grow"}),
        ("othello-bot book grow --posi", {"--positions"}),
        ("othello-bot book grow ga", {"games.ggf"}),
        ("othello-bot play-as rust-reversi BL", {"BLACK"}),
        ("othello-bot help inst", {"install"}),
        ("othello-bot help conv", {"convert"}),
    ],
)
def test_what_bash_offers(line: str, expected: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "games.ggf").touch()
    assert completed(line, tmp_path, script("bash", capsys)) == expected


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["completion", "csh"])
    assert "bash" in capsys.readouterr().err

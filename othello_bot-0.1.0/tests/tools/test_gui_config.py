"""`othello-bot gui-config`: what front-ends ask, and changes to their own files that keep everything else."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from othello_bot.arena import settings
from othello_bot.cli import main
from othello_bot.tools import gui_config

ARGUMENTS = "--arguments=--level 10"
COMMAND = ["/opt/othello-bot", "--level", "10"]


@pytest.fixture(autouse=True)
def _command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gui_config, "start_command", lambda: ["/opt/othello-bot"])


def printed(program: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["gui-config", program, ARGUMENTS]) == 0
    return capsys.readouterr().out


def test_gogui(capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(printed("gogui", capsys).splitlines()[0])
    assert words == ["gogui", "-program", "/opt/othello-bot --level 10"]


def test_nboard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = printed("nboard", capsys)
    assert "Name               othellobot\n" in text and "Working Directory  /opt\n" in text
    assert text.endswith("Command            /opt/othello-bot --level 10\n")
    monkeypatch.setattr(gui_config, "start_command", lambda: ["/my games/othello-bot"])
    assert main(["gui-config", "nboard"]) == 2
    assert "word of the command '/my games/othello-bot': expected one without spaces" in capsys.readouterr().err


def test_the_arena_reads_its_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = printed("arena", capsys)
    path = tmp_path / "match.toml"
    path.write_text(text + '\n[[engine]]\nplayer = "iago"\n')
    config = settings.match_config(settings.read_toml(path))
    assert config.engines[0].name == "othello-bot"
    assert list(config.engines[0].command) == COMMAND
    line = shlex.split(text.splitlines()[-1].removeprefix("# "))
    words = line[line.index("--engine") + 1 : line.index("--engine", 4)]
    engine = settings.engine_config(settings.settings_of_words(words))
    assert list(engine.command) == COMMAND


def test_overwriting_without_a_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gui-config", "quarry", "--overwrite"]) == 2
    assert "option '--overwrite': expected --write or --file with it" in capsys.readouterr().err


def test_quarry(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    section = printed("quarry", capsys)
    assert section == (
        '[GTP Engine "othello-bot"]\nScreen name format = "%n"\nName = "othello-bot"\n'
        'Command line = "/opt/othello-bot --level 10"\nSupported games = "Reversi"\n'
    )
    path = tmp_path / ".quarry"
    path.write_text('[GTP Engine "other"]\nName = "other"\n\n[Board]\nSize = 8\n')
    words = ["gui-config", "quarry", "--file", str(path), ARGUMENTS]
    assert main(words) == 0
    once = path.read_text()
    assert once == f'[GTP Engine "other"]\nName = "other"\n\n[Board]\nSize = 8\n\n{section}'
    assert main(words) == 2
    assert "engine in Quarry's file 'othello-bot': expected none of this name" in capsys.readouterr().err
    assert path.read_text() == once
    path.write_text(section.replace("10", "3") + "\n[Board]\nSize = 8\n")
    assert main(["gui-config", "quarry", "--file", str(path), "--overwrite", ARGUMENTS]) == 0
    assert path.read_text() == f"[Board]\nSize = 8\n\n{section}"


def test_sabaki(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    entry = {"name": "othello-bot", "path": "/opt/othello-bot", "args": "--level 10", "commands": ""}
    assert json.loads(printed("sabaki", capsys)) == {"engines.list": [entry]}
    path = tmp_path / "new" / "settings.json"
    words = ["gui-config", "sabaki", "--file", str(path), ARGUMENTS]
    assert main(words) == 0
    assert json.loads(path.read_text()) == {"engines.list": [entry]}
    other = {"name": "KataGo", "path": "/k", "args": ""}
    path.write_text(json.dumps({"a": 1, "engines.list": [other]}))
    assert main(words) == 0
    assert json.loads(path.read_text()) == {"a": 1, "engines.list": [entry, other]}
    assert main(words) == 2
    assert main([*words[:4], "--overwrite"]) == 0
    assert [engine["args"] for engine in json.loads(path.read_text())["engines.list"]] == ["", ""]


@pytest.mark.parametrize("content", ["{", "[]", '{"engines.list": 1}', '{"engines.list": [1]}'])
def test_a_foreign_file_is_not_changed(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "settings.json"
    path.write_text(content)
    assert main(["gui-config", "sabaki", "--file", str(path)]) == 2
    assert "Sabaki's settings" in capsys.readouterr().err
    assert path.read_text() == content


@pytest.mark.parametrize("program", ["quarry", "sabaki"])
def test_a_file_that_is_no_text_is_not_changed(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "settings"
    path.write_bytes(b"\xff\xfe\0")
    assert main(["gui-config", program, f"--file={path}"]) == 2
    assert capsys.readouterr().err.endswith("expected text in UTF-8 (invalid start byte)\n")
    assert path.read_bytes() == b"\xff\xfe\0"


def test_a_program_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gui-config", "gogui", "--write"]) == 2
    assert "program with a file of its own 'gogui': expected quarry or sabaki" in capsys.readouterr().err


def test_how_the_engine_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.undo()
    (script,) = gui_config.start_command()
    assert Path(script).is_file() and Path(script).name == "othello-bot"
    monkeypatch.setattr(gui_config, "_CHECKOUT", tmp_path / "none")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert gui_config.start_command() == [str(tmp_path / "python"), "-m", "othello_bot"]
    (tmp_path / "othello-bot").touch(mode=0o755)
    assert gui_config.start_command() == [str(tmp_path / "othello-bot")]

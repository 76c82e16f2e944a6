"""The pages about the arena are complete, and their commands work."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from othello_bot.arena import checks, command, export, ladder, report_command, tune
from othello_bot.arena.adjudication import Ending
from othello_bot.arena.report import meeting_lines, standings
from othello_bot.arena.settings import ENGINE_KEYS, match_config, read_toml
from othello_bot.arena.tally import Tally
from othello_bot.engine import PLAYERS_OPTIONS
from tests.arena.builders import met

ROOT = Path(__file__).resolve().parents[2]

DOCUMENT = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")

CHECKS = (ROOT / "docs" / "arena-check.md").read_text(encoding="utf-8")

TUNING = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")

COOKBOOK = (ROOT / "docs" / "arena-cookbook.md").read_text(encoding="utf-8")

COMMANDS = re.findall(r"^\$ othello-bot match (-.*)$", DOCUMENT + COOKBOOK, re.MULTILINE)


def test_the_pages_have_commands() -> None:
    assert len(COMMANDS) >= 7


def parser() -> argparse.ArgumentParser:
    return parser_of(command)


def parser_of(module: ModuleType) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(allow_abbrev=False)
    module.add_arguments(made)
    return made


def test_every_option_setting_and_ending_is_explained() -> None:
    made = [parser(), *map(parser_of, (report_command, export, checks, ladder, tune))]
    engine = {f"--{name.replace('_', '-')}" for name in PLAYERS_OPTIONS}
    options = {word for one in made for word in one._option_string_actions if word.startswith("--")}
    options -= engine | {"--help"}
    assert len(options) > 20
    settings = [f"{key}=" for key in ENGINE_KEYS if key != "option"]
    names = [*options, *settings, "option.NAME=", *(end.value for end in Ending)]
    # The first column of a table, alone or with what follows an option.
    explained = set(re.findall(r"^\| `([\w .-]+=?)", DOCUMENT + CHECKS + TUNING, re.MULTILINE))
    explained |= {words.split(" ")[0] for words in explained if words.startswith("--")}
    assert [name for name in names if name not in explained] == []


def test_every_check_is_explained() -> None:
    names = {check.name for listed in checks.CHECKS.values() for check in listed}
    explained = re.findall(r"`([a-z ]+)`", CHECKS)
    assert names - set(explained) == set()


def test_the_tables_that_are_shown_are_those_that_are_printed() -> None:
    text = DOCUMENT
    (heads,) = re.findall(r"^engine +Elo .*$", text, re.MULTILINE)
    assert tuple(re.split("  +", heads)) == standings(("A", "B"), Tally(2)).heads
    meeting = met(26, 0, 14, [1, 0, 6, 0, 13])
    meeting.discs.add(1.0)
    meeting.discs.add(2.0)
    for line in meeting_lines(("A", "B"), (0, 1), meeting, None):
        # The same words, whatever the names and numbers.
        words = map(re.escape, re.split(r"[+-]?[\d.]+|\bA\b|\bB\b", line))
        pattern = "[^ ,;]+".join(words)
        assert re.search(f"^{pattern}$", text, re.MULTILINE), line


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_of_the_pages_make_sense(line: str) -> None:
    # The example machine has more cores than this one may have.
    config, openings = command.configuration(parser().parse_args([*shlex.split(line), "--force-concurrency"]))
    assert openings.of_round(0).moves
    assert len(config.engines) >= 2


def test_the_file_makes_sense(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", DOCUMENT, re.DOTALL)
    path = tmp_path / "match.toml"
    path.write_text(text)
    config = match_config(read_toml(path))
    assert [engine.name for engine in config.engines] == ["new", "old", "Edax"]
    assert config.rules.solve_empties == 12

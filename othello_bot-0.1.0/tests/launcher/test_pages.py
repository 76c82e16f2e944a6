"""The users' pages: every command line is one that the program accepts, and docs/questions.md's commands run."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_bot import cli
from othello_bot.daemon import process as daemon
from tests.formats.samples import names_file, passing_game, wthor_file
from tests.launcher.checkout import REPOSITORY
from tests.launcher.test_examples import QUEST_ANSWERS, served

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
PAGES += [
    *sorted((REPOSITORY / "docs" / "python").glob("*.md")),
    *sorted((REPOSITORY / "docs" / "development").glob("*.md")),
]
QUESTIONS = REPOSITORY / "docs" / "questions.md"
PATIENCE_S = 120


def command_lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the command lines of a page, each with whether it is whole: a sentence may only name a command."""
    for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            if kind in ("", "text") or line.startswith("$ "):
                yield line, True
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for line in prose.replace("\\\n", " ").splitlines():
        if line.startswith("    "):
            yield line, True
    for line in re.findall(r"`([^`]+)`", prose.replace("\n", " ")):
        yield line, False


def words_of(line: str) -> list[str]:
    """Return the arguments of othello-bot in a command line; [] if there is none, or one that is shortened."""
    line = re.split(r"\s#\s|\s[|<>]\s|\s2?>\s|;", line.strip().removeprefix("$ "))[0] if "'" not in line else line
    if not re.match(r"(?:\S*/)?othello-bot\b(?![-.\]])", line) or "..." in line:
        return []
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return []
    for mark in ("|", "<", ">", "2>", "&"):
        words = words[: words.index(mark)] if mark in words else words
    return words[1:] if not any(re.fullmatch(r"[A-Z_]{2,}|\[.*|.*\]", word) for word in words) else []


def found_commands() -> list[tuple[str, tuple[str, ...], bool]]:
    found: dict[tuple[str, tuple[str, ...], bool], None] = {}
    for page in PAGES:
        for line, whole in command_lines(page.read_text(encoding="utf-8")):
            if words := words_of(line):
                found[str(page.relative_to(REPOSITORY)), tuple(words), whole] = None
    return list(found)


def test_every_command_line_of_a_page_is_accepted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its options exist and its values are read; whether its files exist is another matter."""
    for module, _ in cli.SUBCOMMANDS.values():
        monkeypatch.setattr(importlib.import_module(module), "run", lambda args: 0)
    monkeypatch.setattr(daemon, "run", lambda *arguments: 0)
    monkeypatch.setattr(cli, "ENDED_BY_SIGNALS", frozenset())
    commands, refused = found_commands(), []
    assert len(commands) > 150
    for page, words, whole in commands:
        try:
            code = cli.main(words)
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        said = capsys.readouterr().err
        if code and (whole or "arguments are required" not in said):
            refused.append(f"{page}: othello-bot {shlex.join(words)}: {said.splitlines()[-1]}")
    assert refused == []


@pytest.mark.parametrize(
    "page",
    [
        REPOSITORY / "README.md",
        *sorted((REPOSITORY / "docs").glob("*.md")),
        *sorted((REPOSITORY / "docs/python").glob("*.md")),
    ],
)
def test_a_page_for_users_is_no_laboratory(page: Path) -> None:
    """Days of runs, commits and machines stand in docs/development; examples of files may have dates."""
    prose = re.sub(
        r"^```.*?^```$|`[^`]*`|\]\([^)]*\)", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    days = re.findall(r"\b20\d\d-\d\d-\d\d\b", prose)
    commits = re.findall(r"\bcommit [0-9a-f]{7}|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b", prose)
    machines = re.findall(r"EPYC|Xeon|Sapphire|busy cores|beside other work", prose)
    assert days + commits + machines == []


def sections() -> dict[str, str]:
    """Return the answers of docs/questions.md by their questions."""
    parts = re.split(r"^## (.*)$", QUESTIONS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_each_answer_is_short_and_leads_on() -> None:
    assert len(sections()) >= 20
    for question, answer in sections().items():
        prose = re.sub(r"^```.*?^```$|^\|.*$", "", answer, flags=re.MULTILINE | re.DOTALL)
        assert question.endswith("?") and len(prose.split()) <= 75, question
        assert "](" in answer or "\n```console\n" in answer, question


@pytest.mark.process
def test_the_commands_of_the_questions_run(tmp_path: Path) -> None:
    """In their order, because a book that was learned is fixed later."""
    (tmp_path / "docs").symlink_to(REPOSITORY / "docs")
    (tmp_path / "games.pgn").write_text('[Black "ann"]\n[White "ben"]\n\n1. f5 d6 2. c3 d3 3. c4 f4 *\n')
    (tmp_path / "WTH_2001.wtb").write_bytes(wthor_file([passing_game()]))
    (tmp_path / "WTHOR.JOU").write_bytes(names_file(["Tastet Marc", "", "Brown"], 20))
    (tmp_path / "WTHOR.TRN").write_bytes(names_file(["", "Paris"], 26))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    variables = os.environ | {"PATH": path, "XDG_CACHE_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    commands = re.findall(r"^\$ (.*)$", QUESTIONS.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) >= 15
    with served(QUEST_ANSWERS) as (address, _):
        for command in commands:
            if " web " in command:
                serve(f"{command} --port 0 --no-browser", tmp_path, variables)
                continue
            told = command.replace("--time 1m", "--time 1s").replace("--hash 256", "--hash 1")
            told = told.replace("quest.py ", f"quest.py --server {address} ")
            ended = subprocess.run(
                ["/bin/sh", "-c", told],
                cwd=tmp_path,
                env=variables,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=PATIENCE_S,
                check=False,
            )
            assert ended.returncode == 0, f"{told}: {ended.stdout}{ended.stderr}"
    assert "Tastet" in (tmp_path / "tastet.pgn").read_text()


def serve(command: str, folder: Path, variables: dict[str, str]) -> None:
    """Start the page, wait until it says where it is, and end it."""
    words = ["/bin/sh", "-c", f"exec {command}"]
    with subprocess.Popen(
        words, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        patience = threading.Timer(PATIENCE_S, process.kill)
        patience.start()
        assert process.stdout is not None
        assert any(b"http://" in line for line in process.stdout)
        patience.cancel()
        process.terminate()

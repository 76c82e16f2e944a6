"""`othello-bot help`: the documentation by topic, where the package is installed and in a checkout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from othello_bot.cli import SUBCOMMANDS, main
from othello_bot.tools import help_topics
from tests.launcher.checkout import REPOSITORY

PAGES = sorted((REPOSITORY / "docs").glob("*.md"))


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["help", *words]) == 0
    return capsys.readouterr().out


def test_every_page_is_a_topic(capsys: pytest.CaptureFixture[str]) -> None:
    listed = dict(re.findall(r"^  (\S+) +(.+)$", shown(capsys), re.MULTILINE))
    assert set(listed) == {page.stem for page in PAGES} | {"protocols"}
    assert listed["arena"] == "The arena"
    for page in PAGES:
        assert shown(capsys, page.stem) == page.read_text(encoding="utf-8")
    assert shown(capsys, "Protocols") == (REPOSITORY / "protocol" / "README.md").read_text(encoding="utf-8")


def test_pages_for_those_who_change_the_code_are_no_topics() -> None:
    assert not {path.stem for path in (REPOSITORY / "docs" / "development").glob("*.md")} & set(help_topics.topics())


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_a_command_shows_its_own_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["help", *name.split()])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: othello-bot {name} [")


def test_an_unknown_topic_names_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "chess"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"othello-bot help: topic 'chess': expected one of {PAGES[0].stem}, ")


def test_an_installed_package_has_its_own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = tmp_path / "documents"
    installed.mkdir()
    (installed / "arena.md").write_text("# The installed arena\n", encoding="utf-8")
    monkeypatch.setattr(help_topics, "FOLDERS", (installed, REPOSITORY / "docs"))
    assert list(help_topics.topics()) == ["arena", "protocols"]
    assert help_topics.page("arena") == "# The installed arena\n"

"""`othello-bot help`: the documentation by topic, where the package is installed and in a checkout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from othello_bot.base.visible import columns_of
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
    for page in [*PAGES, REPOSITORY / "protocol" / "README.md"]:
        text = shown(capsys, "Protocols" if page.stem == "README" else page.stem)
        source = page.read_text(encoding="utf-8")
        prose = re.sub(r"^ *```.*?^ *```$|^    .*?$", "", source, flags=re.DOTALL | re.MULTILINE)
        words = re.findall(r"[a-z]{4,}", re.sub(r"<!--.*?-->|\]\([^)]*\)", "", prose, flags=re.DOTALL))
        assert set(words) <= set(re.findall(r"[a-z]+", text)), "no word is lost"
        code = re.sub(r"(?m)^    .*$", "", text)
        assert not re.search(r"(?m)^#|^\|.*\|$|\]\(|\*\*", code), page
        wide = [line for line in code.split("\n") if columns_of(line) > 80]
        assert not wide or re.search(r"\S{40}", text), page


def test_pages_for_those_who_change_the_code_are_no_topics() -> None:
    assert all(page.parent.name != "development" for page in help_topics.topics().values())


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
    assert help_topics.page("arena") == "The installed arena\n===================\n"


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        ("hint", "a command of a session\nsyntax: hint [n] [--json]\nalso: suggest\neffect: "),
        ("go", "a command of a session\nsyntax: genmove [colour]"),
        ("book-loss", "an option: --book-loss, or setoption book_loss in a session\nbook_loss = "),
    ],
)
def test_what_a_session_knows_is_explained(topic: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, topic).startswith(told)


def test_a_mistyped_topic_is_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "strenght"]) == 2
    assert "did you mean strength?" in capsys.readouterr().err

"""Loading and saving for a person or a script: questions at a terminal, refusals in a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_bot.base.errors import shown
from othello_bot.base.output import words_of
from othello_bot.base.outputs import FileTaken
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game
from othello_bot.session.keeping import (
    SHOWN_CHOICES,
    GameUnclear,
    agrees,
    choose,
    load,
    offer_to_save,
    save,
    split_number,
    split_overwrite,
)

RECORD = GameRecord(Game.from_transcript("f5"))


class Somebody:
    """A person with prepared answers."""

    def __init__(self, *answers: str | None) -> None:
        self.answers: Iterator[str | None] = iter(answers)
        self.asked: list[str] = []
        self.told: list[str] = []

    def ask(self, question: str) -> str | None:
        self.asked.append(question)
        return next(self.answers)

    def tell(self, text: str) -> None:
        self.told.append(text)


@pytest.mark.parametrize(("answer", "agreed"), [("y", True), ("YES ", True), ("n", False), ("", False), (None, False)])
def test_silence_is_no(answer: str | None, agreed: bool) -> None:
    assert agrees(Somebody(answer), "really?") is agreed


def test_a_choice_by_number_or_by_a_part_of_the_title() -> None:
    titles = [f"game of {name}" for name in ("Ann", "Bo", "Anna")]
    assert choose(Somebody("2"), "game", titles) == 1
    person = Somebody("ANN", "7", "nobody", "3")
    assert choose(person, "game", titles) == 2
    assert person.told[3:5] == ["    1  game of Ann", "    3  game of Anna"]
    assert person.told[5] == "'7': expected an integer from 1 to 3" and person.told[6] == "no game has 'nobody'"
    for answer in ("", None):
        assert choose(Somebody(answer), "game", titles) is None


def test_long_lists_are_shown_in_part() -> None:
    person = Somebody("1000")
    assert choose(person, "game", ["x"] * 1000) == 999
    assert len(person.told) == SHOWN_CHOICES + 1 and "985 more" in person.told[-1]


def test_a_pipe_is_told_the_word_that_forces(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("old")
    with pytest.raises(FileTaken, match="expected another name, or the word overwrite after it"):
        save(RECORD, str(path), None)
    assert path.read_text() == "old"
    assert save(RECORD, str(path), None, overwrite=True) == path
    assert path.read_text() == "f5\n"


def test_a_person_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("old")
    with pytest.raises(FileTaken):
        save(RECORD, str(path), Somebody("n"))
    assert path.read_text() == "old"
    save(RECORD, str(path), Somebody("y"))
    assert path.read_text() == "f5\n"


def test_one_of_several_games(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("f5\nc4\nd3\n")
    assert load(str(path), 3, None).game.transcript() == "d3"
    path.write_text("f5\nc4\n")
    assert load(str(path), 2, None).game.transcript() == "c4"
    assert load(str(path), None, Somebody("2")).game.transcript() == "c4"
    with pytest.raises(GameUnclear, match=r"2 games in .*expected the number of one, 1 to 2, after the name"):
        load(str(path), None, None)
    with pytest.raises(GameUnclear, match="game 3: expected 1 to 2"):
        load(str(path), 3, None)
    assert load(str(path), 1, None).game.transcript() == "f5"
    with pytest.raises(GameUnclear, match="game 0: expected 1 to 2"):
        load(str(path), 0, None)
    with pytest.raises(GameUnclear):
        load(str(path), None, Somebody(None))


def test_the_only_game_of_a_file_needs_no_number(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("f5d6\n")
    person = Somebody()
    assert load(str(path), None, person).game.transcript() == "f5d6" and not person.asked
    assert load(str(path), 1, None).game.transcript() == "f5d6"
    with pytest.raises(GameUnclear, match="game 2: expected 1 to 1"):
        load(str(path), 2, None)


def test_numbers_that_choose_nothing() -> None:
    titles = ["one", "two 1234567890"]
    for number in ("0", "3", "9" * 10, "9" * 100):
        person = Somebody(number, "")
        assert choose(person, "game", titles) is None
        # After a wrong number, the list is not shown again.
        assert person.told == [
            "    1  one",
            "    2  two 1234567890",
            f"{shown(number)}: expected an integer from 1 to 2",
        ]
    for number in ("1", "2"):
        assert choose(Somebody(number), "game", titles) == int(number) - 1
    person = Somebody("x" * 50, "\u00b2", "")
    assert choose(person, "game", titles) is None
    assert person.told[2:] == [f"no game has {'x' * 40!r}", "no game has '\u00b2'"]
    assert person.asked == ["which game, 1 to 2? (Enter for none) "] * 3


def test_lists_as_long_as_the_screen_are_shown_whole() -> None:
    person = Somebody("")
    choose(person, "game", ["x"] * SHOWN_CHOICES)
    assert len(person.told) == SHOWN_CHOICES and person.told[-1] == "   15  x"
    person = Somebody("")
    choose(person, "game", ["x"] * (SHOWN_CHOICES + 1))
    assert person.told[-1] == "       and 1 more: part of a name lists those that have it"


def test_why_a_file_cannot_be_used() -> None:
    assert words_of(OSError(2, "No such file", "a.ggf")) == "a.ggf: No such file"
    assert words_of(OSError(28, "No space left")) == "No space left"
    assert words_of(OSError("broken")) == "broken"
    assert words_of(GameUnclear("game", 3, "1 to 2")) == "game 3: expected 1 to 2"


def test_an_offer_goes_on_until_it_is_saved_or_given_up(tmp_path: Path) -> None:
    person = Somebody("/no/such/place/game.ggf", f"{tmp_path}/game.ggf")
    assert offer_to_save(lambda: RECORD, person)
    assert person.told == ["/no/such/place/game.ggf: No such file or directory", f"saved in {tmp_path}/game.ggf"]
    for answer in ("", "n", " No "):
        assert offer_to_save(lambda: RECORD, Somebody(answer)) is False
    assert offer_to_save(lambda: RECORD, Somebody(None)) is None


def test_a_shells_sign_is_no_part_of_the_name_that_an_offer_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    person = Somebody("> game.txt", "save > game.txt", "save game.txt | less", '">game.txt"')
    assert offer_to_save(lambda: RECORD, person)
    refused = "file to save in '> game.txt': expected the name alone, without >, or in quotes"
    piped = "file to save in 'game.txt | less': expected the name alone, without |, or in quotes"
    assert person.told == [refused, refused, piped, "saved in >game.txt"]


def test_a_command_a_move_or_a_yes_is_no_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answers = ("y", "Yes", "quit", "new", "f5", "undo 2", "help save", ".", "..")
    person = Somebody(*answers, "save game.txt")
    assert offer_to_save(lambda: RECORD, person)
    expected = "expected a name with an ending such as game.ggf, or Enter for no"
    assert person.told == [*(f"file '{answer}': {expected}" for answer in answers), "saved in game.txt"]
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


@pytest.mark.parametrize(
    ("text", "name", "overwrite"),
    [
        ("a b.ggf", "a b.ggf", False),
        ("a b.ggf  overwrite", "a b.ggf", True),
        ("overwrite", "overwrite", False),
        (" overwrite", " overwrite", False),
        ("a overwrite b", "a overwrite b", False),
    ],
)
def test_the_word_after_a_name(text: str, name: str, overwrite: bool) -> None:
    assert split_overwrite(text) == (name, overwrite)


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("a b.ggf", "a b.ggf", None),
        ("a b.ggf 17", "a b.ggf", 17),
        ("17", "17", None),
        (" 17", " 17", None),
        ("a 123456789", "a", 123456789),
        ("a 1234567890", "a 1234567890", None),
        ("a 12345678901", "a 12345678901", None),
        ("a \u0661", "a \u0661", None),
        ("a 1\u00b2", "a 1\u00b2", None),
    ],
)
def test_the_number_after_a_name(text: str, name: str, number: int | None) -> None:
    assert split_number(text) == (name, number)

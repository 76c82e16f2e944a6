"""What is typed at the table besides moves: players, levels, sides and clocks, new games, files, leaving."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot import strategies
from othello_bot.base.clocks import ClockState, TimeControl
from othello_bot.base.notation import Color
from othello_bot.dialects.completion import session_completion
from othello_bot.dialects.gtp import COMMANDS as SESSION_COMMANDS
from othello_bot.engine import Steps, options_of
from othello_bot.formats.writing import open_games
from othello_bot.play import command
from othello_bot.play.adviser import Adviser
from othello_bot.play.commands import COMMANDS, FOR_PEOPLE
from othello_bot.play.session import PlayingSession
from othello_bot.rules import Game
from othello_bot.terminal.keyboard import Lines
from othello_bot.terminal.picture import TerminalLook, clock_text
from tests.play.evening import ONE_MOVE_LEFT, SMALL, Evening, OneLine, Stopwatch, arguments


def test_the_help_fits_a_screen() -> None:
    lines = Evening("help", "quit").text.split("help\n", 1)[1].split("\ngoodbye")[0].split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("a move such as f5"))
    shown = lines[start:]
    assert len(shown) + 1 <= 24 and max(map(len, shown)) <= 80
    for name, declared in COMMANDS.items():
        if declared.for_people is not None:
            assert any(declared.for_people[0] in line for line in shown), name


def test_the_words_for_a_command_are_those_of_the_session() -> None:
    for name, declared in COMMANDS.items():
        session = SESSION_COMMANDS.get(name)
        if session is not None:
            assert declared.aliases == session.aliases
            assert (declared.for_people is None) == (session.for_people is None)
    assert {name for name, declared in SESSION_COMMANDS.items() if declared.for_people is not None} <= set(COMMANDS)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("undo", "In `othello-bot play` your own moves count"),
        ("redo", "effect: Replays n moves that were taken back"),
        ("WHITE", "syntax: white [player]"),
        ("q", "syntax: quit\nalso: exit, q"),
        ("go", "syntax: genmove\nalso: go\neffect: Lets your adviser choose a move"),
        ("policy", "syntax: policy [rating]"),
        ("dance", "unknown command"),
    ],
)
def test_the_help_for_one_word(word: str, line: str) -> None:
    assert line in Evening(f"help {word}", "quit").text


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - set(SESSION_COMMANDS) | {"genmove", "hint"}))
def test_the_examples_of_its_own_commands_are_understood(name: str) -> None:
    sent = [line.removeprefix("> ") for line in COMMANDS[name].example.split("\n") if line.startswith("> ")]
    text = Evening(*sent, "quit", white="engine:1", adviser="weighted").text
    assert sent and "expected" not in text and "cannot" not in text and "unknown" not in text


def test_wide_letters_of_an_input_method_are_read() -> None:
    assert Evening("ｆ５", "Ｄ６", "ｕｎｄｏ", "ｆ４", "quit").moves == "f5f4"


def test_hints_in_the_number_that_is_asked_for() -> None:
    start = Evening("quit").text.count("points")
    assert start == 0
    assert Evening("hint", "quit").text.count("points") == 4
    assert Evening("hint 2", "quit").text.count("points") == 2
    assert "hint 'x': expected a number of moves, 1 to 999" in Evening("hint x", "quit").text
    for line, count in (("hint", 3), ("suggest 6", 6)):
        text = Evening("f5d6c3d3", line, "quit", adviser="engine:1").text
        assert re.findall(r"^(\d) [a-h][1-8] ", text, re.MULTILINE) == [str(rank) for rank in range(1, count + 1)]


@pytest.mark.slow
def test_after_the_end_the_game_is_reviewed_listed_and_taken_back() -> None:
    evening = Evening("transcript", "a1", "transcript", "review", "review", "undo", "quit", game=Game(ONE_MOVE_LEFT))
    assert "no move yet\n" in evening.text and "\na1\n" in evening.text
    assert evening.text.count("black: no move with a choice, 0 discs lost\n") == 2
    assert "review tells which moves lost discs" in evening.text
    assert evening.prompts[-1] == "black> "


def test_a_review_in_the_middle_of_a_game_names_the_moves_that_lost_discs() -> None:
    evening = Evening("review", "f5", "f4", "c3", "review", "quit")
    assert "review 'this game': expected one with moves" in evening.text
    assert re.search(r"^move +played +score +best +score +loss +grade +line$", evening.text, re.MULTILINE)
    assert re.search(r"^white: accuracy \d+ %, \d+ discs lost", evening.text, re.MULTILINE)
    assert evening.moves == "f5f4c3"


def test_a_load_offers_to_save_the_game_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    path.write_text("f5d6c3")
    answers = iter((False, True, True))
    monkeypatch.setattr(PlayingSession, "offer_to_save", lambda session: next(answers))
    evening = Evening("d3", f"load {path}", f"load {path}", "quit")
    assert "the game goes on\n" in evening.text
    assert evening.moves == "f5d6c3"


@pytest.mark.parametrize(
    ("players", "greeting"),
    [
        ({}, "two people play; type a move such as f5, or help"),
        ({"white": "engine:3"}, "you play black against engine, level 3; type a move such as f5, or help"),
        ({"black": "weighted"}, "you play white against weighted; type a move such as f5, or help"),
        ({"black": "weighted", "white": "random"}, "weighted (black) plays random (white)"),
    ],
)
def test_how_to_begin_is_said(players: dict[str, str], greeting: str) -> None:
    black, white = players.get("black", "human"), players.get("white", "human")
    evening = Evening(game=Game(ONE_MOVE_LEFT), black=black, white=white)
    assert greeting in evening.text.split("\n")


@pytest.mark.slow
def test_the_level_is_chosen_inside() -> None:
    evening = Evening("level 1", "level 61", "f5", "quit", white="engine:3")
    assert "you play black against engine, level 1; type" in evening.text
    assert "level '61': expected 0 to 60" in evening.text
    assert "white (engine:1) plays" in evening.text


def test_the_strength_is_chosen_inside() -> None:
    evening = Evening("strength beginner", "strength 0", "strength", "f5", "quit", white="engine:3")
    assert "you play black against engine, strength beginner; type" in evening.text
    assert "strength '0': expected 1 to" in evening.text
    assert "beginner\n" in evening.text
    assert "white (engine:strength=beginner) plays" in evening.text


@pytest.mark.slow
def test_a_strength_without_a_name_is_shown_as_a_number() -> None:
    assert "you play black against engine, strength 2; type" in Evening("strength 2", "quit", white="engine").text


@pytest.mark.slow
def test_a_level_after_a_strength_is_the_engine_again() -> None:
    evening = Evening("strength 1", "level 2", "quit", white="engine")
    assert evening.session.seats.name(Color.WHITE) == "engine:2"
    assert "you play black against engine, level 2; type" in evening.text


@pytest.mark.parametrize("setting", ["level", "strength"])
def test_a_level_and_a_strength_need_an_engine(setting: str) -> None:
    assert f"{setting} '5': expected an engine in the game" in Evening(f"{setting} 5", white="weighted").text
    assert "players 'human, weighted': expected an engine in the game" in Evening(setting, white="weighted").text


@pytest.mark.parametrize(
    ("side", "people"), [("white", {Color.WHITE}), ("black", {Color.BLACK}), ("both", set(Color)), ("none", set())]
)
def test_the_side_is_chosen_inside(side: str, people: set[Color]) -> None:
    evening = Evening(f"side {side}", "quit", white="weighted", game=Game(ONE_MOVE_LEFT))
    assert {color for color in Color if evening.session.seats.computer(color) is None} == people
    for color in Color:
        assert color in people or evening.session.seats.name(color) == "weighted"


def test_without_an_opponent_the_engine_takes_the_other_side() -> None:
    evening = Evening("side white", "quit", game=Game(ONE_MOVE_LEFT))
    assert evening.session.seats.name(Color.BLACK) == "engine"


def test_sides_are_switched() -> None:
    evening = Evening("f5", "switch", "quit", white="weighted")
    assert "you play white against weighted" in evening.text
    assert evening.session.game.ply == 3, "the opponent plays on for black"
    assert evening.prompts[-1] == "white> "


def test_somebody_else_sits_down() -> None:
    evening = Evening("white weighted", "white nobody", "f5", "quit")
    assert "white (weighted) plays" in evening.text
    assert "player 'nobody': expected human, engine" in evening.text


def test_clocks_are_chosen_inside() -> None:
    watch = Stopwatch()
    evening = Evening(
        "clock 5 3",
        "clock x",
        "clock 1_0",
        "clock 0",
        "clock 1 2 3",
        "clock off",
        "quit",
        clock=(60, 0),
        now_s=watch,
    )
    assert evening.prompts[:2] == ["black 1:00> ", "black 5:00> "] and evening.prompts[-1] == "black> "
    assert evening.text.count("expected minutes for each player") == 4
    assert "] 5:00 5:00 ()" in evening.text


@pytest.mark.parametrize(
    ("text", "shown"), [("1:30", "1:30"), ("90s+2", "1:30"), ("5 minutes", "5:00"), ("1+0.01", "1:00")]
)
def test_times_are_written_as_people_write_them(text: str, shown: str) -> None:
    evening = Evening(f"clock {text}", "quit", now_s=Stopwatch())
    assert evening.prompts == ["black> ", f"black {shown}> "]
    assert clock_text(arguments("--minutes", text).minutes.main_s) == shown


def test_making_a_player_is_on_nobodys_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Stopwatch()

    def make(spec: str, seed: int = 0) -> strategies.Strategy:
        watch.now_s += 50
        return weighted

    weighted = strategies.make("weighted")
    monkeypatch.setattr(strategies, "make", make)
    evening = Evening(watch.then(20, "white weighted"), watch.then(10, "moves"), "quit", clock=(60, 0), now_s=watch)
    assert evening.prompts == ["black 1:00> ", "black 0:40> ", "black 0:30> "]


def test_a_new_game_starts_the_clocks_anew() -> None:
    watch = Stopwatch()
    evening = Evening(watch.then(20, "f5"), "new", "quit", clock=(60, 0), now_s=watch)
    assert evening.moves == "" and evening.prompts == ["black 1:00> ", "white 1:00> ", "black 1:00> "]


def test_a_new_game_after_the_end() -> None:
    evening = Evening("resign", "new", "f5", "quit")
    assert evening.moves == "f5" and evening.prompts == ["black> ", "over> ", "black> ", "white> "]


def test_the_adviser_plays_a_move() -> None:
    evening = Evening("go", "quit")
    assert evening.session.game.ply == 1 and "black (human) plays" in evening.text


GAMES = ("", "f5d6c3d3c4f4f6", "c4c5d6c7d7e3c6b6", "d3e3f2c5f5f3e6f1d6g5")


@pytest.mark.parametrize(
    "adviser", ["engine:6", "engine:strength=18", "engine:strength=novice", "weighted", "marappan:1"]
)
@pytest.mark.parametrize("words", ["", "--book-randomness 100", "--variety much --strength casual"])
def test_the_adviser_plays_the_first_move_of_its_hint(adviser: str, words: str) -> None:
    options = options_of(arguments(*words.split()), SMALL)
    level = {"engine:strength=18": replace(options, level=5)}.get(adviser, options)
    for moves, before in zip(GAMES, (["hint"], ["hint 1"], [], ["hint"]), strict=True):
        lines = [*before, "go", "undo", "hint", "quit"]
        game = Game.from_transcript(moves)
        evening = Evening(*lines, game=game, adviser=adviser, options=replace(level, hash=2, seed=7))
        (played,) = re.findall(r"plays (..)\n", evening.text)
        # An engine numbers its moves, marappan:1 gives them points, weighted names one.
        hints = re.findall(r"^(?:1 )?([a-h][1-8])(?: |$)", evening.text, re.MULTILINE)
        assert hints[0] == played


def test_an_adviser_who_is_a_person_says_what_is_better() -> None:
    lines = Evening("hint 4", "quit", game=Game.from_transcript(GAMES[2]), adviser="engine:strength=novice").text
    found = re.findall(r"^\d ([a-h][1-8]) ([+-]?\d+) ", lines, re.MULTILINE)
    scores = [int(score) for _, score in found]
    assert len(found) == len({move for move, _ in found}) == 4
    assert scores[1:] == sorted(scores[1:], reverse=True) and scores[0] <= scores[1]


def test_the_result_says_how_empty_squares_count() -> None:
    evening = Evening("e7", game=Game.from_transcript("f5d6c5f4e3f6g5e6"))
    expected = "the game is over: black wins by 64; black 13, white 0, and 51 empty squares count for the winner"
    assert expected in evening.text


def test_score_and_words_of_leaving() -> None:
    for word in ("quit", "exit", "q", "QUIT"):
        evening = Evening("score", word, "f5")
        assert "black 2, white 2\n" in evening.text and evening.moves == ""


def test_a_tab_completes_words_and_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    complete = session_completion(Evening("quit").session, FOR_PEOPLE)
    assert complete("", "un") == ["undo "] and complete("", "f") == ["f5 "]
    assert complete("side ", "b") == ["black ", "both "] and complete("side black ", "") == []
    (tmp_path / "my game.ggf").touch()
    monkeypatch.chdir(tmp_path)
    assert complete("load ", "m") == ["my game.ggf"] and complete("load my ", "g") == ["game.ggf"]


# -- somebody who can be asked ----------------------------------------------------------------------------------------


class AskedPerson(OneLine):
    """A person who has prepared answers."""

    answers: Iterator[str | None] = iter(())

    def ask(self, question: str) -> str | None:
        self.tell(question)
        return next(self.answers)


class Interview(Evening):
    """An evening with somebody who answers questions."""

    def __init__(self, *lines: str, answers: list[str | None], **more: str) -> None:
        self.answers = answers
        super().__init__(*lines, **more)  # type: ignore[arg-type]

    def make_terminal(self) -> Lines:
        terminal = AskedPerson(self.shown.append, TerminalLook(), self.read_line)
        terminal.person = terminal
        terminal.answers = iter(self.answers)
        return terminal


@pytest.mark.parametrize("word", ["quit", "new"])
def test_a_game_that_would_be_lost_is_offered_to_be_saved(word: str, tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    evening = Interview("f5", word, "quit", answers=[str(path)])
    assert "save the game first?" in evening.text and f"saved in {path}" in evening.text
    assert open_games(path).read(0).game.transcript() == "f5"


def test_control_c_at_the_question_keeps_the_game() -> None:
    evening = Interview("f5", "new", "moves", "quit", answers=[None, ""])
    assert evening.moves == "f5" and "the game goes on" in evening.text


def test_a_saved_game_is_not_asked_about(tmp_path: Path) -> None:
    evening = Interview("f5", f"save {tmp_path}/a.ggf", "quit", answers=[])
    assert "save the game first?" not in evening.text


def test_the_end_of_input_asks_too() -> None:
    assert "save the game first?" in Interview("f5", answers=[None]).text


def test_a_saved_game_tells_players_date_and_clocks(tmp_path: Path) -> None:
    watch = Stopwatch()
    path = tmp_path / "a.ggf"
    evening = Evening(watch.then(7, "f5"), f"save {path}", white="weighted", clock=(300, 2), now_s=watch)
    record = open_games(path).read(0)
    assert (record.black, record.white, record.date) == ("human", "weighted", time.strftime("%Y-%m-%d"))
    assert record.clock == TimeControl(300, 2) and record.notes[0].seconds == 7
    assert record.comment == "seed 1" and evening.session.game.ply == 2


def test_a_resigned_game_is_saved_as_one(tmp_path: Path) -> None:
    path = tmp_path / "a.ggf"
    Evening("f5", "resign", f"save {path}")
    record = open_games(path).read(0)
    assert (record.ending, record.result) == ("resignation", 64)


@pytest.mark.parametrize(
    ("words", "black", "white"),
    [
        ([], "human", "engine"),
        (["--black", "weighted"], "weighted", "human"),
        (["--white", "weighted"], "human", "weighted"),
        (["--white", "human"], "engine", "human"),
        (["--black", "human"], "human", "engine"),
        (["--black", "human", "--white", "human"], "human", "human"),
        (["--black", "weighted", "--white", "random"], "weighted", "random"),
    ],
)
def test_who_sits_where(words: list[str], black: str, white: str) -> None:
    parsed = arguments(*words)
    assert tuple(spec.text for spec in command._seats(parsed.black, parsed.white)) == (black, white)


def test_a_file_of_another_game_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.txt"
    path.write_text("f5")
    words = ["--black", "weighted", "--white", "random", "--save", str(path)]
    assert command.run(arguments(*words)) == 1
    assert "expected another name, or --overwrite as well" in capsys.readouterr().err and path.read_text() == "f5"
    assert command.run(arguments(*words, "--load", str(path))) == 0, "going on with a game replaces it"
    assert path.read_text().startswith("f5") and len(path.read_text()) > 60
    assert command.run(arguments(*words, "--overwrite")) == 0


@pytest.mark.parametrize(("clock", "left_s"), [((60, 0), 60.0), (None, None)])
def test_the_adviser_who_moves_for_a_person_keeps_to_the_clock(
    clock: tuple[float, float] | None, left_s: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[float | None] = []

    def choose(player: Adviser, game: Game, clock: ClockState | None) -> Steps[int]:
        seen.append(None if clock is None else clock.remaining_s)
        return game.position.legal_moves[0]
        yield  # a generator, as the adviser's

    monkeypatch.setattr(Adviser, "choose", choose)
    assert Evening("go", "quit", clock=clock, now_s=Stopwatch()).session.game.ply == 1
    assert seen == [left_s]

"""Edax's console: sessions in this process and real ones, read as the scripts read them that drive Edax by its text."""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Iterator

import pexpect
import pytest
from hypothesis import given
from hypothesis import strategies as st

from othello_bot.base.notation import PASS, START, move_name
from othello_bot.daemon.edax_arguments import console_meaning
from othello_bot.dialects.edax import Console, EdaxDialect
from othello_bot.protocol import edax
from othello_bot.rules.game import Game
from othello_bot.session import Output
from othello_bot.session.session import Session
from tests.session.fake_search import FakeSearch
from tests.session.harness import COMMAND, SMALL, TIMEOUT_S, EndedSession, Forced, LiveSession, run_in_process

OPTIONS = SMALL.with_value("book", "off").with_value("depth", "1").with_value("seed", "1")
BLACK_MUST_PASS = "d3c3e6d2d1e1b2c1"
WIPED_OUT = "d3c3f5f4f3d2d1e3b3"
LAST_LINE = "  A B C D E F G H            WHITE            A  B  C  D  E  F  G  H\n"


def console(mode: int = 3, verbosity: int = edax.SILENT) -> Forced:
    """Return the maker of a console."""

    def forced(session: Session, output: Output) -> EdaxDialect:
        return EdaxDialect(session, output, Console(console_meaning, mode, verbosity))

    return forced


def run(*lines: str, mode: int = 3, verbosity: int = edax.SILENT) -> EndedSession:
    """Run a console over these lines, after the empty one that stands for its start."""
    sent = "".join(f"{line}\n" for line in ("", *lines))
    return run_in_process(sent, options=OPTIONS, forced=console(mode, verbosity))


def answers(*lines: str, mode: int = 3) -> list[str]:
    """Return what is written for the start and for each line, up to the prompt, without boards."""
    text = run(*lines, mode=mode).text
    assert text == "" or text.endswith(">"), text
    return re.split(r"(?:^|(?<=\n)|(?<=>))>", text)[:-1]


def transcript(*lines: str, mode: int = 3) -> str:
    """Return the game after these lines."""
    return run(*lines, mode=mode).session.game.transcript(passes=True)


def test_moves_and_taking_back() -> None:
    assert answers("f5", "D6", "play c3 d3", "undo", "u", "redo", "r") == [
        "", "\nYou play F5\n", "\nYou play D6\n", "", "", "", "", ""
    ]  # fmt: skip
    assert transcript("f5", "D6", "play c3 d3", "undo", "u", "r") == "f5d6c3"
    assert transcript("f5", "d6", "new", "f5") == transcript("f5", "init", "F5") == "f5"
    assert transcript(f"play {BLACK_MUST_PASS}a3") == f"{BLACK_MUST_PASS}paa3"


def test_edax_plays_a_legal_move() -> None:
    first, second = answers("go", "go")[1:]
    for text in (first, second):
        assert re.fullmatch(r"\n\nEdax plays [A-H][1-8]\n", text)
    game = transcript("go", "go")
    assert [first[13:15].lower(), second[13:15].lower()] == [game[:2], game[2:]]


def test_a_pass_is_ps() -> None:
    assert answers(f"play {BLACK_MUST_PASS}", "a3", "go", "undo", "pass")[2:] == [
        'WARNING: Unknown command/Illegal move: "a3 ": expected ps\n',
        "\n\nEdax plays PS\n",
        "",
        "\nYou play PS\n",
    ]
    assert answers("ps")[1] == 'WARNING: Unknown command/Illegal move: "ps ": expected d3 c4 f5 e6\n'


def test_the_end_of_the_game() -> None:
    over = "\n*** Game Over ***\n"
    assert answers(f"play {WIPED_OUT}", "go", "a1", "hint", "undo")[1:] == [
        over,
        f"\n{over}",
        f'WARNING: Unknown command/Illegal move: "a1 ": expected init or new, because the game is over\n{over}',
        f"{edax.TABLE_BEGINS}{edax.TABLE_ENDS}{over}",
        "",
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("e3", 'Unknown command/Illegal move: "e3 ": expected d3 c4 f5 e6'),
        ("frobnicate 3", 'Unknown command/Illegal move: "frobnicate 3": expected a move, or a command that help lists'),
        ("set elvel 3", 'Unknown command/Illegal move: "set elvel 3": expected a move, or a command that help lists'),
        ("set gtp", 'Unknown command/Illegal move: "set gtp": expected a move, or a command that help lists'),
        ("solve x", 'Unknown command/Illegal move: "solve x": expected a move, or a command that help lists'),
        ("play f5a1", "illegal move 'a1': expected f4 d6 f6"),
        ("undo", "cannot undo 1: expected a move before it"),
        ("redo", "cannot redo 1: expected an undo before it"),
        ("level 99", "option level '99': expected 0 to 60, or auto"),
        ("l", "option '-l': expected a value after it"),
        ("move-time soon", "option -move-time 'soon': expected a time like 5 (seconds), 1:30, 90 s, 5 min or 2h30m"),
        ("mode 7", "expected an integer from 0 to 3, got '7'"),
        ("x" * 70_000, f"command '{'x' * 57}...': expected a line of at most 65536 bytes"),
    ],
)
def test_a_refused_line_says_why_and_changes_nothing(line: str, reason: str) -> None:
    found = run(line)
    assert found.text == f">WARNING: {reason}\n>"
    assert found.session.game == Game() and found.session.engine.options == OPTIONS


def test_modes_let_edax_answer_or_begin() -> None:
    game = Game.from_transcript(transcript("mode 0", "f5", "hint", "level 2"))
    assert game.ply == 2 and game.transcript().startswith("f5")
    assert Game.from_transcript(transcript(mode=1)).ply == 1
    text = answers(mode=1)[0]
    assert re.fullmatch(r"\n\nEdax plays [A-H][1-8]\n", text)
    # A move taken back is one of each side; the person is to move again.
    assert transcript("mode 0", "f5", "undo") == "" and transcript("mode 0", "f5", "undo", "redo")[:2] == "f5"
    assert Game.from_transcript(transcript("mode 2")).is_over
    assert run("mode 2").text.endswith("\n*** Game Over ***\n>")


def test_stop_ends_the_search_and_the_mode() -> None:
    search = FakeSearch(blocks=True)
    with LiveSession(search, OPTIONS, console()) as live:
        live.send("", "mode 2")
        assert search.began.wait(30)
        live.send("stop")
        live.wait_for("\n\nEdax plays D3\n>>")
        live.send("c3")
        live.wait_for(">>\nYou play C3\n>")
    assert live.writer.text.count("Edax plays") == 1


def test_options_of_edax_and_ours() -> None:
    lines = ["level 3", "set n-tasks = 1", "hash-table-size 16", "book-usage on", "seed 5", "set name Rose"]
    options = run(*lines, "ponder on").session.engine.options
    changed = (options.level, options.threads, options.hash, options.book, options.seed, options.name, options.ponder)
    assert changed == (3, 1, 1, True, 5, "Rose", True)
    assert "\tlevel: 3\n" in answers("level 3", "options")[2]
    timed = run("move-time 2.5", "game-time 5m").session
    assert timed.engine.options.move_time == 2500 and timed.clocks.black.settings.main_s == 300
    by_level = run("move-time 2.5", "game-time 5:00", "level 4").session
    assert by_level.engine.options.move_time is None and by_level.clocks.state(Game().position.color) is None


def test_an_option_without_a_meaning_is_noted_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert answers("set book-randomness 10") == ["", ""]
    assert capsys.readouterr().err == "othello-bot: skipped, without a meaning here: -book-randomness\n"


@pytest.mark.parametrize("separator", ["", "/", " "])
def test_a_set_up_board_is_where_new_begins(separator: str) -> None:
    board = separator.join(START.cells[row : row + 8] for row in range(0, 64, 8)) + " O"
    for lines in (["f5", f"setboard {board}"], [f"setboard {board}", "f4", "new"]):
        session = run(*lines).session
        assert session.game.ply == 0 and str(session.position.board) == f"{START.cells} O"


@pytest.mark.parametrize(
    "cells", ["-" * 64, "X" * 64, "O" + "-" * 63, "X" * 32 + "O" * 32, "XO" * 32, "-" * 63 + "X", "XO-" * 21 + "X"]
)
def test_odd_boards_end_nothing(cells: str) -> None:
    text = run(f"setboard {cells} X", "go", "hint 5", "a1", "undo", "mode 2", verbosity=edax.PROGRESS).text
    assert text.endswith("\n>") and text.count(LAST_LINE) >= 6


def test_hints_know_the_legal_moves() -> None:
    rows = answers("play f5", "hint 1000")[2].split("\n")[3:-2]
    assert {row[53:55].lower() for row in rows} == {"d6", "f4", "f6"}
    assert len(answers("hint 2")[1].split("\n")) == 7
    assert answers(f"play {BLACK_MUST_PASS}", "hint 3")[2] == edax.TABLE_BEGINS + edax.TABLE_ENDS


def test_moves_of_the_book_have_rows_of_their_own() -> None:
    forced = console(verbosity=edax.NORMAL)
    text = run_in_process("\nlevel 1\nhint 1\nf5\ngo\n", options=SMALL, forced=forced).text
    assert len(re.findall(r"^book +[+-]\d+ {42}[a-hA-H][1-8]$", text, re.MULTILINE)) == 2


def test_the_progress_of_a_search_has_a_row_for_each_depth() -> None:
    text = run("depth 4", "go", verbosity=edax.PROGRESS).text
    table = text[text.index(" depth|") :].split("\n\nEdax plays")[0].split("\n")
    assert [int(row[:6].split("@")[0]) for row in table[2:-1]] == [1, 2, 3, 4, 4]
    assert table[1] == table[-1]


def test_every_command_is_followed_by_the_board_and_one_prompt() -> None:
    lines = ["level 1", "f5", "a1", "foo", "hint", "go", "undo", "init", "setboard x", "options", "help", "version"]
    text = run(*lines, verbosity=edax.NORMAL).text
    assert text.count(LAST_LINE + "\n>") == 1 + len(lines) == text.count(LAST_LINE)
    assert run("", "# a comment", verbosity=edax.NORMAL).text.endswith(LAST_LINE + "\n>\n>\n>")


WORDS = (*edax.WORDS, "f5", "d6", "c3", "a1", "ps", "hint", "mode", "book", "level", "verbose", "on", "5")
LINES = st.sampled_from(WORDS) | st.text(max_size=20)


@pytest.mark.slow
@given(st.lists(st.lists(LINES | st.integers(-1, 9).map(str), max_size=3).map(" ".join), max_size=8), st.integers(0, 3))
def test_no_lines_end_the_console(lines: list[str], mode: int) -> None:
    sent = [line.replace("\n", " ") for line in lines if not line.strip().lower().startswith(("q", "exit"))]
    found = run(*sent, "stop", "version", mode=mode)
    assert found.text.endswith("othello-bot 0.1.0\n>") or found.session.position.is_over


# -- as scripts do ----------------------------------------------------------------------------------------------------


class EdaxScript:
    """Edax as a child process, as scripts start it."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "play-as", "edax", "--hash", "1", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def to_prompt(self) -> str:
        """Read up to a `>` at the beginning of a line, character by character."""
        assert self.process.stdout is not None
        text = ""
        while (character := self.process.stdout.read(1)) != ">" or not (text == "" or text.endswith("\n")):
            assert character, f"ended after {text!r}"
            text += character
        return text

    def to_board(self) -> list[str]:
        """Read lines up to the last one of a board and the empty one behind it."""
        assert self.process.stdout is not None
        lines = ["", ""]
        while lines[-2:] != [LAST_LINE, "\n"]:
            lines.append(self.process.stdout.readline())
            assert lines[-1], "ended"
        return lines

    def twelve_lines(self) -> str:
        """Read up to twelve lines behind `Edax plays`; return the move."""
        assert self.process.stdout is not None
        while not (line := self.process.stdout.readline()).startswith("Edax plays "):
            assert line, "ended"
        for _ in range(12):
            assert self.process.stdout.readline()
        return line.split(" ")[2][:-1]


@pytest.fixture
def script(request: pytest.FixtureRequest) -> Iterator[EdaxScript]:
    found = EdaxScript(*request.param)
    yield found
    found.process.kill()
    found.process.communicate(timeout=TIMEOUT_S)


def reply(game: Game, chance: random.Random) -> str:
    """Play a random move and return it as scripts send it."""
    move = chance.choice(game.position.legal_moves or (PASS,))
    game.play(move)
    return "PS" if move == PASS else move_name(move).upper()


def play(game: Game, move: str) -> None:
    """Play Edax's move, which must be legal."""
    game.play("pass" if move == "PS" else move.lower())


@pytest.mark.process
@pytest.mark.parametrize("script", [["-q", "-level", "1", "-book-usage", "off"]], indirect=True)
def test_a_script_that_reads_up_to_the_prompt(script: EdaxScript) -> None:
    """Silent, a move and `go` in turn, as in 2Bear/othello-zero."""
    chance, game = random.Random(1), Game()
    script.to_prompt()
    while not game.is_over:
        script.send(reply(game, chance))
        script.to_prompt()
        script.send("go")
        said = script.to_prompt()
        if game.is_over:
            assert said == "\n\n*** Game Over ***\n"
        else:
            play(game, said.split("plays ")[-1][:2])
    script.send("quit")
    assert script.process.wait(TIMEOUT_S) == 0


@pytest.mark.process
@pytest.mark.parametrize("script", [[]], indirect=True)
def test_a_script_that_reads_up_to_the_board(script: EdaxScript) -> None:
    """`play` and `go` in turn, and who won from the board, as in SakodaShintaro/Miacis."""
    chance, game = random.Random(2), Game()
    script.to_board()
    for setting in ("set verbose 1", "set level 1", "init"):
        script.send(setting)
        script.to_board()
    while not game.is_over:
        script.send("go")
        lines = script.to_board()
        play(game, next(line[-3:-1] for line in lines if "Edax plays" in line))
        if not game.is_over:
            script.send("play " + reply(game, chance))
            lines = script.to_board()
    assert any("Game over" in line for line in lines)
    (won,) = (line.split() for line in lines if "won" in line)
    assert won[won.index("won") - 1] == ("Black" if game.position.black_score() > 0 else "White")


@pytest.mark.process
@pytest.mark.parametrize("script", [["-mode", "1", "-l", "1"]], indirect=True)
def test_a_script_that_counts_lines(script: EdaxScript) -> None:
    """Edax begins, and answers each move on its own, as in zvzv1919/Othello-Testground."""
    chance, game = random.Random(3), Game()
    play(game, script.twelve_lines())
    for _ in range(8):
        script.send(reply(game, chance).lower())
        play(game, script.twelve_lines())


@pytest.mark.process
def test_commands_in_advance_are_answered_in_order() -> None:
    """All of the input at once, as a build of Edax in the browser is driven."""
    sent = f"setboard {START.cells} O\ngo\nquit\n"
    command = [*COMMAND, "play-as", "edax", "-l", "1", "-verbose", "0"]
    done = subprocess.run(command, input=sent, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
    assert re.fullmatch(r">>\n\nEdax plays (C5|D6|E3|F4)\n>", done.stdout) and done.stderr == ""


@pytest.mark.process
def test_a_person_at_a_terminal() -> None:
    environment = {**os.environ, "TERM": "dumb"}
    arguments = [*COMMAND[1:], "play-as", "edax", "-q", "-l", "1"]
    child = pexpect.spawn(COMMAND[0], arguments, timeout=TIMEOUT_S, encoding="utf-8", env=environment)
    child.expect_exact(">")
    child.sendline("mode 0")
    child.expect_exact(">")
    child.sendline("f5")
    child.expect(r"You play F5\r\n\r\n\r\nEdax plays (D6|F4|F6)\r\n>")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


@pytest.mark.process
@pytest.mark.parametrize(
    ("options", "sent", "said"),
    [
        (["-edax", "-q"], "quit\n", ">"),
        (["-gtp", "-q"], "1 name\n", "=1 othello-bot\n\n"),
        (["-l", "1"], "verbose 0\n", ">"),
    ],
)
def test_edax_options_choose_the_protocol_here_too(options: list[str], sent: str, said: str) -> None:
    command = [*COMMAND, "play-as", "edax", *options]
    done = subprocess.run(command, input=sent, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
    assert done.stdout.endswith(said) and (options[0] == "-l") == (LAST_LINE in done.stdout)


@pytest.mark.process
@pytest.mark.parametrize("help_option", ["--help", "-h", "-help"])
def test_help_of_the_console(help_option: str) -> None:
    command = [*COMMAND, "play-as", "edax", "-l", "3", help_option]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=True)
    assert done.stdout.startswith("usage: othello-bot play-as edax [OPTION ...]")

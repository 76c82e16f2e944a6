"""Command lines of other programs' scripts, and our own arguments that start a session.

Each command line of `REAL` comes from a public project, named in its row; the program's name is omitted and values that
a script computes are filled in.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import FunctionType

import pytest

from othello_bot.base.clocks import TimeControl
from othello_bot.cli import main, parsers, session_parser
from othello_bot.daemon import edax_arguments
from othello_bot.daemon.edax_arguments import FOREIGN, ArgumentError, translate
from othello_bot.engine.option_arguments import argument, options_of, settings_of
from othello_bot.engine.options import OPTIONS, Options, Value
from tests.launcher.checkout import REPOSITORY
from tests.session.harness import COMMAND, TIMEOUT_S, replies

EGAROUCID = "Nyanyan/Egaroucid"
EDAX = "abulmo/edax-reversi"
NEURAL = "natsutteatsuiyone/neural-reversi"

REAL = [
    # Egaroucid's matches: its own console, Edax and Neural Reversi with what the scripts append to each.
    (EGAROUCID, "bin/battle.py", "-quiet -nobook -l 5 -t 4", {"book": False, "level": 5, "threads": 4}, ""),
    (EGAROUCID, "bin/battle.py", "-q -l 5 -n 4", {"level": 5, "threads": 4}, ""),
    (
        EGAROUCID,
        "bin/battle_parallel.py",
        "-quiet -nobook -eval ./../model/20260325_1/eval.egev2 -l 5 -t 1",
        {"book": False, "level": 5},
        "-eval",
    ),
    (EGAROUCID, "bin/battle_gtp.py", "-gtp -quiet -nobook -l 5 -t 4", {"book": False, "level": 5, "threads": 4}, ""),
    (EGAROUCID, "bin/battle_gtp.py", "-gtp -q -l 5 -n 4", {"level": 5, "threads": 4}, ""),
    (EGAROUCID, "bin/battle_gtp.py", "gtp -l 5 --threads 4", {"level": 5, "threads": 4}, ""),
    (EGAROUCID, "bin/egaroucid_vs_edax.py", "-quiet -nobook -level 15", {"book": False, "level": 15}, ""),
    (EGAROUCID, "bin/egaroucid_vs_edax.py", "-q -level 15", {"level": 15}, ""),
    (
        EGAROUCID,
        "bin/egaroucid_vs_edax_time.py",
        "-quiet -noise -nobook -ponder -t 8 -hash 28 -time 300 -logfile log/1.txt",
        {"book": False, "ponder": True, "threads": 8, "hash": 4096, "log_file": "log/1.txt"},
        "-noise",
    ),
    (
        EGAROUCID,
        "bin/egaroucid_vs_edax_time.py",
        "-q -l 50 -ponder on -n 8 -h 28 -game-time 300",
        {"level": 50, "ponder": True, "threads": 8, "hash": 4096},
        "",
    ),
    (EGAROUCID, "bin/egaroucid_vs_egaroucid_book.py", "-quiet -l 9 -thread 15", {"level": 9, "threads": 15}, ""),
    (EGAROUCID, "bin/tools/autoplay_egaroucid_edax.py", "-l 11 -thread 31 -quiet", {"level": 11, "threads": 31}, ""),
    (EGAROUCID, "bin/tools/autoplay_egaroucid_edax.py", "-l 11 -q", {"level": 11}, ""),
    (
        EGAROUCID,
        "bin/ggs/ggs_client.py",
        "-t 8 -quiet -noise -ponder -showvalue -noautopass -hash 27 -logfile log.txt",
        {"threads": 8, "ponder": True, "hash": 2048, "log_file": "log.txt"},
        "-noise -showvalue -noautopass",
    ),
    # Edax as other projects start it.
    ("suragnair/alpha-zero-general", "othello/README.md", "-gtp -l 10", {"level": 10}, ""),
    ("weltyc/nboard", "src/com/welty/nboard/nboard/selector/OpponentSelectionWindow_LINUX.html", "-nboard", {}, ""),
    ("jamOne-/kiwi-zero", "edaxPlayer/edaxPlayer.go", "--cassio", {}, ""),
    ("felixonmars/aur3-mirror", "edax-reversi/gtp2.sh", "-gtp", {}, ""),
    (
        "2Bear/othello-zero",
        "api.py",
        "-q -eval-file data/eval.dat -book-file data/book.dat",
        {},
        "-eval-file -book-file",
    ),
    (
        "lavox/libedax4py",
        "example/example1.py",
        "-book-file ../data/book.dat -eval-file ../data/eval.dat -level 17",
        {"level": 17},
        "-book-file -eval-file",
    ),
    (
        "sensuikan1973/libedax4dart",
        "example/example.dart",
        "-book-file ./resources/test_book.dat -level 16",
        {"level": 16},
        "-book-file",
    ),
    (
        EDAX,
        "src/NMakefile",
        "-l 18 -auto-store on -auto-start on -repeat 2 -auto-quit on -mode 2 -book-file book.pgo",
        {"level": 18},
        "-auto-store -auto-start -repeat -auto-quit -mode -book-file",
    ),
    # Neural Reversi, whose match runner takes any command.
    (NEURAL, "crates/match-runner/README.md", "gtp --level 10", {"level": 10}, ""),
    (NEURAL, "crates/cli/README.md", "gtp --hash-size 512 --threads 2", {"hash": 512, "threads": 2}, ""),
]

REAL_COMMANDS = [
    (EGAROUCID, "bin/ffotest.py", "-l 60 -hash 20 -nobook -solve FILE -thread 2"),
    (EGAROUCID, "bin/ffotest_edax.py", "-l 60 -h 20 -solve FILE -n 2"),
    (EGAROUCID, "bin/midtest.py", "-l 23 -nobook -thread 2 -solve FILE"),
    (EDAX, "src/NMakefile", "-l 60 -solve FILE"),
]
"""Command lines that solve the problems of a file and end."""

PROBLEM = "XXOOXOXXOOOOXOXOXXXOOOOOXOXOXOXOXXOOXOXOXOXXOOXOXOXOX-XOXOXOXOX- X;\n"


@pytest.fixture(autouse=True)
def much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edax_arguments, "available_mib", lambda: 1 << 20)


def started(line: str) -> tuple[str | None, dict[str, Value], TimeControl | None, list[str]]:
    """Return the dialect, the options that differ from the defaults, the clock, and the skipped arguments."""
    translation = translate(line.split())
    assert not translation.command
    parsed = session_parser().parse_args(translation.words)
    options = options_of(parsed)
    changed = {
        option.name: options.value(option.name) for option in OPTIONS if options.value(option.name) != option.default
    }
    return parsed.protocol or parsed.dialect, changed, parsed.game_time, translation.skipped


@pytest.mark.parametrize(("repository", "path", "line", "options", "skipped"), REAL)
def test_a_real_command_line(repository: str, path: str, line: str, options: dict[str, object], skipped: str) -> None:
    dialect, changed, game_time, unused = started(line)
    assert changed == options
    assert unused == skipped.split()
    named: list[str | None] = [name for name in ("gtp", "nboard", "cassio") if name in line.replace("-", " ").split()]
    assert [dialect] == (named or [None])
    assert game_time == (TimeControl(300) if "time 300" in line else None)


@pytest.mark.slow
@pytest.mark.parametrize(("repository", "path", "line"), REAL_COMMANDS)
def test_a_real_command_line_that_solves(
    repository: str, path: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = tmp_path / "ffo.txt"
    problems.write_text(PROBLEM)
    assert main(line.replace("FILE", str(problems)).split()) == 0
    captured = capsys.readouterr()
    assert captured.out.count("\n") == 3 and " 0 of 0 right" in captured.out
    assert captured.err == ""


@pytest.mark.parametrize(
    ("repository", "path", "line", "words"),
    [
        (EGAROUCID, "bin/perft.py", "-perft 8 1", "perft 8"),
        (EDAX, "src/Makefile", "-l 60 -bench 10 -n 1", "bench --threads 1"),
        (EGAROUCID, "bin/ffotest.py", "-v", "--version"),
    ],
)
def test_a_real_command_line_of_another_kind(repository: str, path: str, line: str, words: str) -> None:
    assert translate(line.split()).words == words.split()


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("-h auto -n-tasks 3", {"threads": 3}),
        ("-hash-table-size 17", {"hash": 2}),
        ("-h 10", {"hash": 1}),
        ("-d 8 -selectivity 0", {"depth": 8, "selectivity": 73}),
        ("-selectivity 5", {"selectivity": 100}),
        ("-move-time 1:05", {"move_time": 65_000}),
        ("-move-time 5.9 -level 32", {"move_time": 5900, "level": 32}),
        ("-move-time 1:00:00.25", {"move_time": 3_600_250}),
        ("-ponder off -book-usage on", {}),
        ("-book-randomness 0 -name Rose", {"name": "Rose"}),
        ("-ui-log-file ui.log", {"log_file": "ui.log"}),
        ("-thread 0", {}),
        ("--n-tasks 2 --book-usage off", {"threads": 2, "book": False}),
        ("-l 3 --level 7 --option level=9", {"level": 9}),
    ],
)
def test_other_options_of_edax(line: str, options: dict[str, object]) -> None:
    assert started(line)[1] == options


def test_t_is_the_threads_or_beside_n_the_time() -> None:
    assert started("-t 2")[1:3] == ({"threads": 2}, None)
    assert started("-n 2 -t 1:00:00")[1:3] == ({"threads": 2}, TimeControl(3600))


def test_h_alone_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["-h"], ["-l", "3", "-h"], ["-?"], ["-help"], ["--help"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        assert capsys.readouterr().out.startswith("usage: othello-bot [OPTION ...]")


def test_a_table_larger_than_half_of_the_free_memory_is_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edax_arguments, "available_mib", lambda: 3000)
    translation = translate(["-h", "28"])
    assert translation.words == ["--hash", "1024"]
    assert translation.warning == "-h 28 does not fit into memory, so the table has 1024 MiB"


def test_every_skipped_option_is_named_in_one_line() -> None:
    line = "-verbose 0 -width 80 -verbose 1 -book-randomness 4 -noise 5 -echo -l 1"
    assert translate(line.split()).warning == (
        "skipped, without a meaning here: -verbose -width -book-randomness -noise -echo"
    )
    assert translate(line.split()).words == ["--level", "1"]


@pytest.mark.parametrize(
    ("line", "mode", "verbosity"),
    [("", 3, 1), ("-q", 3, 0), ("-mode 1 -vv", 1, 2), ("-m 2 -verbose 0", 2, 0), ("-verbose 1 -quiet -l 3", 3, 0)],
)
def test_edax_console_takes_who_plays_and_how_much_is_shown(line: str, mode: int, verbosity: int) -> None:
    found = translate(line.split(), console=True)
    assert (found.mode, found.verbosity, found.warning) == (mode, verbosity, "")
    start = edax_arguments.console_of(found)
    assert (start.mode, start.verbosity) == (mode, verbosity)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("-l", "option '-l': expected a value after it"),
        ("-h 99", "option -h '99': expected an integer from 0 to 40"),
        ("-selectivity 6", "option -selectivity '6': expected an integer from 0 to 5"),
        ("-move-time soon", "option -move-time 'soon': expected a time like 5 (seconds)"),
        ("-move-time 1:2:3:4:5", "option -move-time '1:2:3:4:5': expected a time like 5 (seconds)"),
        ("-move-time 1:", "option -move-time '1:': expected a time like 5 (seconds)"),
        ("-perft 8 2", "option -perft '8 2': expected a depth and 1"),
        ("-ggs", "argument '-ggs': expected one that --help or `othello-bot help command-lines` lists"),
        ("-xboard -l 3", "argument '-xboard': expected one that --help or `othello-bot help command-lines` lists"),
    ],
)
def test_refused(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ArgumentError) as caught:
        translate(line.split())
    assert str(caught.value).startswith(said)
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    captured = capsys.readouterr()
    assert ended.value.code == 2 and captured.out == "" and said in captured.err


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_has_a_long_argument(option) -> None:  # type: ignore[no-untyped-def]
    values = {"integer": "2", "boolean": "off", "choice": None, "text": "a b", "word": "Rose"}
    value = values[option.kind.value] or option.named_values[-1]
    parsed = session_parser().parse_args([argument(option.name), value])
    assert settings_of(parsed) == [(option.name, option.read(value))]
    assert options_of(parsed) == Options().with_value(option.name, value)
    assert argument(option.name) in session_parser().format_help()


@pytest.mark.parametrize(("text", "told"), [("300", "300"), ("5:00", "300"), ("5m+3", "300+3"), ("1 min 30 s", "90")])
def test_the_time_of_a_game_is_written_as_people_write_times(text: str, told: str) -> None:
    assert str(session_parser().parse_args(["--game-time", text]).game_time) == told


@pytest.mark.parametrize(
    "line",
    [
        *["--level 61", "--ponder maybe", "--option hsah=1", "--option hash=0"],
        *["paly", "--gpt", "--game-time 0"],
    ],
)
def test_a_bad_argument_says_what_would_be_accepted(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    captured = capsys.readouterr()
    assert ended.value.code == 2 and captured.out == "" and "expected " in captured.err


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("paly", "play"),
        ("--gpt", "--gtp"),
        ("-levle 3", "--level"),
        ("play --levle 3", "--level"),
        ("book grwo x.book", "grow"),
        ("book grow --levle 3 x.book", "--level"),
        ("match check --protocl gtp x", "--proto"),
        ("gui-config sabakki", "sabaki"),
        ("completion bahs", "bash"),
    ],
)
def test_a_mistyped_word_is_answered_with_what_may_have_been_meant(
    line: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    assert ended.value.code == 2 and f"did you mean {meant}?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("\u2013level 5", "en dash (U+2013)"),
        ("\u2014\u2014level=5", "em dash (U+2014)"),
        ("-\u2013level 5", "en dash (U+2013)"),
        ("play \u2014level 5", "em dash (U+2014)"),
        ("match \u2212rounds 2", "minus sign (U+2212)"),
        ("convert \uff0d\uff0doverwrite a b", "fullwidth hyphen-minus (U+FF0D)"),
        ("\u2011help", "non-breaking hyphen (U+2011)"),
    ],
)
def test_an_option_with_another_dash_names_the_dash(line: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    told = capsys.readouterr().err
    assert ended.value.code == 2 and name in told and "expected --" in told


def test_a_file_whose_name_begins_with_a_dash_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("\u2013mine.txt").write_text("f5d6c3\n")
    assert main(["convert", "\u2013mine.txt", "out.pgn"]) == 0


def test_every_option_of_edax_is_in_the_documents() -> None:
    assert edax_arguments.markdown_table() in (REPOSITORY / "docs" / "command-lines.md").read_text(encoding="utf-8")
    names = [name for option in FOREIGN for name in option.names.split()]
    assert len(names) == len(set(names))


@pytest.mark.process
def test_a_log_that_cannot_be_written_is_named_before_the_first_line() -> None:
    """In a process: the session has begun by then, and leaves signals ignored when it ends."""
    done = subprocess.run([*COMMAND, "--option", "log_file=/no/such/log"], input=b"name\n", capture_output=True)
    assert done.returncode == 2 and done.stdout == b"" and b"/no/such/log" in done.stderr


@pytest.mark.process
def test_a_real_process_plays_and_warns_once() -> None:
    line = "-gtp -q -l 1 -n 1 -h 16 -eval-file data/eval.dat -verbose 0 -game-time 60"
    done = subprocess.run(
        [*COMMAND, *line.split()],
        input=b"name\ngetoption level\nclocks\nplay b f5\ngenmove w\nquit\n",
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    name, level, clocks, played, move, _ = replies(done.stdout.decode())
    assert (name, level, clocks, played) == ("= othello-bot", "= 1", "= black 60.000 white 60.000", "=")
    assert move in ("= d6", "= f6", "= f4")
    assert done.stderr.decode() == "othello-bot: skipped, without a meaning here: -eval-file -verbose\n"


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser and those of its subcommands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                yield from actions(subparser)


@pytest.mark.parametrize("text", ["\u0663", "1_0", " 1", "nan", "inf", "9" * 5000, "0x1"])
def test_every_number_of_every_command_is_read_by_the_same_rules(text: str) -> None:
    numbers = 0
    for name, parser in parsers().items():
        for action in actions(parser):
            if isinstance(action.type, FunctionType) and isinstance(action.default, (int, float)):
                numbers += 1
                with pytest.raises(argparse.ArgumentTypeError, match="expected"):
                    action.type(text)
            assert action.type not in (int, float), (name, action.dest)
    assert numbers > 20


def test_every_command_is_described_in_whole_sentences() -> None:
    for parser in parsers().values():
        steps = [
            list(action.choices.values())
            for action in parser._actions
            if isinstance(action, argparse._SubParsersAction)
        ]
        for one in (parser, *chain.from_iterable(steps)):
            assert one.description is None or re.fullmatch(r"[A-Z].*\.", one.description, re.DOTALL), one.prog


@pytest.mark.parametrize(
    "words",
    ["puzzles {} out", "label {} out.npz", "convert {} out.pgn", "solve {}", "review {}", "book learn a.book {}"],
)
def test_a_file_that_is_not_there_is_named_in_words(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words.format("/no/such/file.pgn").split()) in (1, 2)
    told = capsys.readouterr().err
    assert "/no/such/file.pgn: No such file or directory" in told and "Errno" not in told

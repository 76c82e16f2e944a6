"""Options in every dialect: an option alone tells its value, and each one has its effect or is said to have none."""

from __future__ import annotations

from typing import Any

import pytest

from othello_bot.base.clocks import Clocks, TimeSettings, TimeSystem
from othello_bot.daemon.edax_arguments import console_meaning
from othello_bot.dialects.choice import make
from othello_bot.dialects.edax import Console, EdaxDialect
from othello_bot.engine.options import OPTIONS, Option, Options
from othello_bot.session import DialectAdapter, Output, Session
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, Forced, replies, run_in_process

CHANGED = {
    "hash": "2",
    "threads": "1",
    "level": "7",
    "depth": "2",
    "move_time": "250",
    "nodes": "1000",
    "strength": "novice",
    "ponder": "on",
    "book": "off",
    "variety": "much",
    "book_randomness": "10",
    "book_loss": "3",
    "book_depth": "20",
    "book_avoid": "off",
    "book_file": "none",
    "move_overhead": "50",
    "seed": "17",
    "base_file": "none",
    "log_file": "none",
    "selectivity": "100",
    "contempt": "50",
    "evaluation": "handmade",
    "evaluation_file": "none",
    "strategy": "weighted",
    "strategy_depth": "2",
    "live_graphics": "off",
    "name": "Rose",
}
"""A value of every option, as listings show it; another one than the default where that needs no file."""

BASE = Options(**CHANGED)  # type: ignore[arg-type]  # texts are read

GTP_ALONE = (
    "setoption {}",
    "1 setoption {}",
    "setoption name {}",
    "setoption name {} value",
    "kata-set-param {}",
    "getoption {}",
)


def console(session: Session, output: Output) -> EdaxDialect:
    return EdaxDialect(session, output, Console(console_meaning, verbosity=0))


def test_the_table_is_complete() -> None:
    assert list(CHANGED) == [option.name for option in OPTIONS]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_alone_tells_its_value_and_changes_nothing(option: Option) -> None:
    lines = [line.format(option.name) for line in GTP_ALONE]
    ended = run_in_process("".join(f"{line}\n" for line in lines), options=BASE)
    assert [text.split(maxsplit=1)[1] for text in replies(ended.text)] == [CHANGED[option.name]] * len(lines)
    assert ended.session.engine.options == BASE


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
@pytest.mark.parametrize("line", ["set {}", "{}", "set {} ="])
def test_an_option_alone_tells_its_value_in_the_console_of_edax(option: Option, line: str) -> None:
    ended = run_in_process(f"\n{line.format(option.name)}\nquit\n", options=BASE, forced=console)
    assert f"\t{option.name}: {CHANGED[option.name]}\n" in ended.text
    assert ended.session.engine.options == BASE


def test_a_setting_of_gogui_alone_tells_its_value() -> None:
    ended = run_in_process("gogui-settings level\ngogui-settings book\ngogui-settings strength\n", options=BASE)
    assert replies(ended.text) == ["= 7", "= off", "= novice"]
    assert ended.session.engine.options == BASE


@pytest.mark.parametrize("message", ["set depth", "set contempt", "set depth ", "set contempt "])
def test_a_message_of_nboard_without_its_number_changes_nothing(
    message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ended = run_in_process(f"nboard 2\nset depth 9\n{message}\nping 1\n", options=BASE)
    assert ended.session.engine.options == BASE
    assert ended.text.splitlines()[-1] == "pong 1"
    assert "message ignored" in capsys.readouterr().err


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_auto_and_none_reset_every_option(option: Option) -> None:
    words = [*option.absent, "auto", "None"]
    for word in words:
        ended = run_in_process(f"setoption {option.name} {word}\n", options=BASE)
        assert replies(ended.text) == ["="], word
        reset = ended.session.engine.options.value(option.name)
        assert reset == option.default or option.name == "seed", word  # a seed is drawn


START = "---------------------------OX------XO---------------------------X"
CASSIO = f"ENGINE-PROTOCOL init\nENGINE-PROTOCOL midgame-search {START} -64 64 20 73\n"
MOVES: dict[str, tuple[str, Forced | None]] = {
    "gtp": ("1 genmove b\n", None),
    "native": ("genmove\n", None),
    "nboard": ("nboard 2\ngo\n", None),
    "cassio": (CASSIO, None),
    "edax": ("\ngo\nquit\n", console),
}
"""For each dialect, lines that ask for a move in the first position."""

EFFECTS: dict[str, dict[str, str]] = {
    "level": {"level": "7"},
    "depth": {"depth": "2"},
    "nodes": {"nodes": "1000"},
    "move_time": {"move_time": "250"},
    "move_overhead": {"move_time": "1000", "move_overhead": "0"},
    "selectivity": {"selectivity": "100"},
    "strength": {"strength": "novice"},
    "book": {"book": "on"},
    "strategy": {"strategy": "weighted"},
    "strategy_depth": {"strategy": "iago", "strategy_depth": "1"},
}
"""Options that decide about a move, with what makes a difference to be seen."""


def observed(dialect: str, options: dict[str, str], capsys: pytest.CaptureFixture[str]) -> tuple[list[Any], str]:
    """Return the searches that a move takes in a dialect, and what stderr tells."""
    lines, forced = MOVES[dialect]
    search = FakeSearch()
    chosen = Options(**{"hash": 1, "seed": 1, "book": "off", **options})  # type: ignore[arg-type]
    ended = run_in_process(lines, search=search, options=chosen, forced=forced)
    searches = [(limits, budget.maximum_s) for _, limits, budget, _ in search.runs]
    engine = ended.session.engine
    strategy = engine.options.strategy, engine.options.strategy_depth if "iago" in engine.options.strategy else 0
    return [searches, strategy], capsys.readouterr().err


def told_names(text: str) -> set[str]:
    """Return the options that a line of stderr says to have no effect."""
    return set(text.strip().partition("without effect in this protocol: ")[2].split(", "))


@pytest.mark.parametrize("name", EFFECTS)
@pytest.mark.parametrize("dialect", MOVES)
def test_an_option_has_its_effect_or_is_said_to_have_none(
    dialect: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = EFFECTS[name]
    without = {key: value for key, value in given.items() if key != name}
    before, now = observed(dialect, without, capsys), observed(dialect, given, capsys)
    told = name in told_names(before[1]) | told_names(now[1])
    assert (before[0] != now[0]) != told


@pytest.mark.parametrize("dialect", MOVES)
def test_nothing_is_told_about_options_that_are_not_set(dialect: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert observed(dialect, {"book": "on"}, capsys)[1] == ""


@pytest.mark.parametrize("dialect", MOVES)
@pytest.mark.parametrize("name", ["ponder", "contempt", "live_graphics"])
def test_options_for_some_protocols_are_told_in_the_others(
    dialect: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    effects = {
        "ponder": {"gtp", "native", "nboard", "edax"},
        "contempt": {"nboard"},
        "live_graphics": {"gtp", "native"},
    }
    told = name in told_names(observed(dialect, {name: CHANGED[name]}, capsys)[1])
    assert told == (dialect not in effects[name])


def test_an_option_without_effect_is_told_when_it_is_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert replies(run_in_process("setoption contempt 50\nsetoption contempt 0\n").text) == ["=", "="]
    assert capsys.readouterr().err == "othello-bot: without effect in this protocol: contempt\n"
    assert run_in_process("nboard 2\nset contempt 50\n").session.engine.options.contempt == 50
    assert capsys.readouterr().err == ""


def test_all_limits_of_a_request_count_in_cassios_protocol() -> None:
    search = FakeSearch()
    options = SMALL.with_value("move_time", "250").with_value("depth", "30").with_value("nodes", "5")
    run_in_process(CASSIO, search=search, options=options)
    limits = search.runs[0][1]
    assert (limits.depth, limits.move_time_s, limits.nodes, limits.selectivity) == (20, 0.25, 5, 73)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "othellobot12"),
        ({"depth": "4"}, "othellobot4"),
        ({"depth": "20"}, "othellobot12"),
        ({"nodes": "1000"}, "othellobot"),
        ({"move_time": "1000"}, "othellobot"),
        ({"strategy": "weighted"}, "othellobotweighted"),
        ({"strength": "novice"}, "othellobotnovice"),
    ],
)
def test_the_name_in_nboard_tells_the_depth_that_is_played(options: dict[str, str], name: str) -> None:
    ended = run_in_process("nboard 2\nset depth 12\n", options=Options(hash=1, **options))  # type: ignore[arg-type]
    assert ended.text.splitlines()[-1] == f"set myname {name}"


@pytest.mark.parametrize(
    ("dialect", "told"), [("cassio", True), ("nboard", True), ("native", False), ("gtp", False), ("edax", False)]
)
def test_the_time_of_a_game_is_told_where_it_has_no_effect(
    dialect: str, told: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    def clocked(session: Session, output: Output) -> DialectAdapter:
        session.clocks = Clocks.start(TimeSettings(TimeSystem.ABSOLUTE, 60))
        return console(session, output) if dialect == "edax" else make(dialect, session, output)

    run_in_process("", forced=clocked)
    assert ("without effect in this protocol: --game-time" in capsys.readouterr().err) == told

"""From words and TOML to a checked configuration."""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from othello_bot.arena import command
from othello_bot.arena.config import (
    MatchConfig,
    MatchFormat,
    OpeningConfig,
    OpeningOrder,
    PlayerKind,
    PlayLimits,
    ResignRule,
    Rules,
    as_json,
    check_cores,
    from_json,
)
from othello_bot.arena.errors import ArenaError, ConfigError, MissingExtra, guarded
from othello_bot.arena.report import _engine_line
from othello_bot.arena.settings import (
    LARGEST_FILE_BYTES,
    engine_config,
    match_config,
    read_toml,
    settings_of_toml,
    settings_of_words,
    with_options,
)
from othello_bot.arena.sprt import Sprt, SprtModel
from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import InputError
from tests.arena.builders import engines, match


def parsed(*words: str) -> MatchConfig:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    command.add_arguments(parser)
    return command.configuration(parser.parse_args(words))[0]


def test_all_settings_of_a_process() -> None:
    (engine,) = engines(
        "cmd='edax -gtp' proto=gtp name=Edax dir=/ tc=60+1 st=2s depth=9 nodes=1000 level=5 margin=250ms restart=on"
        " start=3 timeout=0:07 init='book off' init='verbose 0' option.threads=2"
    )
    assert engine.kind is PlayerKind.PROCESS
    assert engine.command == ("edax", "-gtp")
    assert (engine.name, engine.folder, engine.dialect) == ("Edax", "/", "gtp")
    assert engine.limits == PlayLimits(TimeControl(60, 1), 2.0, 9, 1000, 5)
    assert (engine.margin_s, engine.restart, engine.start_s, engine.timeout_s) == (0.25, True, 3.0, 7.0)
    assert engine.init == ("book off", "verbose 0")
    assert engine.options == (("threads", "2"),)
    assert engine.threads == 2


def test_players_that_are_no_processes() -> None:
    inside, outside, strategy = engines("engine level=3", "self st=0.1", "mini-othello:4:end=12")
    assert (inside.kind, outside.kind, strategy.kind) == (PlayerKind.ENGINE, PlayerKind.SELF, PlayerKind.STRATEGY)
    assert strategy.strategy == "mini-othello:4:end=12"
    assert [inside.name, outside.name] == ["othello-bot", "othello-bot-2"]
    # The arena supplies the openings, unless the book is switched on.
    assert dict(inside.options)["book"] == "off"
    (own_book,) = engines("engine level=3 option.book=on")
    assert dict(own_book.options)["book"] == "on"


def test_a_strength_is_an_option_of_our_engine_and_needs_no_limits() -> None:
    weak, outside = engines("engine strength=beginner", "self strength=2")
    assert dict(weak.options)["strength"] == "beginner" and dict(outside.options)["strength"] == "2"
    assert [weak.name, outside.name] == ["strength-beginner", "strength-2"]
    assert weak.limits == PlayLimits()


def test_our_own_engine_as_a_process_speaks_what_it_is_told_to() -> None:
    plain, gtp, nboard = engines("self st=1", "self st=1 proto=gtp passes=on", "self st=1 proto=nboard")
    assert (plain.dialect, gtp.dialect, nboard.dialect) == ("native", "gtp", "nboard")
    assert (plain.passes, gtp.passes) == ("learn", "on")


def test_a_match_that_says_nothing_of_passes_has_the_key_that_it_had_before_they_could_be_set() -> None:
    process = "cmd='edax -gtp' st=1 name=Edax"
    assert match(process, "random").key == "9ddc81f348e2cad8ec8e52cd5275212d6f949eb2934b6a5a51f69f023784cc9c"
    assert match(f"{process} passes=learn", "random").key == match(process, "random").key
    assert len({match(f"{process} {words}", "random").key for words in ("", "passes=on", "passes=off")}) == 3


def test_the_depth_of_a_strategy() -> None:
    (strategy,) = engines("iago depth=5")
    assert strategy.strategy == "iago:5"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("level=3", "either cmd=COMMAND"),
        ("engine cmd=edax st=1", "either cmd=COMMAND"),
        ("nosuch st=1", "engine, self, or a strategy"),
        ("engine", "tc=inf for none"),
        ("engine st=0", "a time from 0.001"),
        ("engine st=fast", "a time like 5 .seconds., 1:30"),
        ("engine depth=2.5", "1 to 60"),
        ("engine depth=auto level=auto", "tc=inf for none"),
        ("engine depth=61", "1 to 60"),
        ("engine st=1 colour=red", "cmd, proto"),
        ("engine st=1 st=2", "once"),
        ("one\r\nline two", "'two': expected it once, and it is one line already"),
        ("engine st=1 option.hash=many", "engine option hash 'many': expected"),
        ("engine st=1 option.nosuch=1", "engine option name 'nosuch': expected one of hash"),
        ("engine st=1 proto=gtp", "together with cmd="),
        ("engine strength=grandmother", "engine option strength 'grandmother': expected"),
        ("iago strength=2", "tc, st or depth"),
        ("iago proto=gtp", "tc, st or depth"),
        ("self st=1 proto=gopher", "gtp, nboard, native"),
        ("cmd=edax st=1 passes=never", "learn, on, off"),
        ("cmd=ntest st=1 proto=nboard passes=off", "proto=gtp only"),
        ("self st=1 passes=off", "proto=gtp only"),
        ("cmd=edax st=1 proto=xboard", "gtp, nboard, native"),
        ("cmd='edax st=1", "No closing"),
        ("cmd=edax st=1 dir=/no/such/folder", "a folder that exists"),
        (f"cmd=edax st=1 dir={'a' * 300}", "a folder that exists"),  # longer than a name can be
        (f"cmd={'a' * 5000} st=1", "at most 4096 characters"),  # beyond, splitting it takes long
        ("cmd=edax st=1 restart=maybe", "on or off"),
        ("iago:2 level=3", "tc, st or depth"),
        ("random tc=5/", "time control"),
    ],
)
def test_senseless_engines_are_refused_with_what_would_be_right(words: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        engine_config(settings_of_words(words.split(" ") if "'" not in words else [words.replace("'", '"')]))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"rounds": 0}, "rounds"),
        ({"concurrency": 0}, "concurrency"),
        ({"openings": OpeningConfig("start"), "sprt": Sprt(0, 5), "rounds": 10**9}, "rounds"),
    ],
)
def test_senseless_matches_are_refused(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        match(**settings)


@pytest.mark.parametrize(
    ("name", "told"),
    [("format", "pair, gauntlet, round-robin"), ("order", "sequential, random"), ("affinity", "on or off")],
)
def test_words_that_are_no_choice_are_refused(name: str, told: str) -> None:
    with pytest.raises(ConfigError, match=f"{name} 'carousel': expected {told}"):
        match_config({"engine": [{"player": "random"}] * 2, name: "carousel"})


def test_cross_checks() -> None:
    with pytest.raises(ConfigError, match="at least two"):
        match("random")
    with pytest.raises(ConfigError, match="a different name"):
        match("random name=A", "random name=A")
    with pytest.raises(ConfigError, match="gauntlet or round-robin"):
        match("random", "random", "random")
    with pytest.raises(ConfigError, match="two engines"):
        match("random", "random", "random", format="gauntlet", sprt=Sprt(0, 5))


def test_no_more_games_at_once_than_cores_unless_forced() -> None:
    many = match(concurrency=10_000)
    with pytest.raises(ConfigError, match="--force-concurrency"):
        check_cores(many, forced=False)
    check_cores(many, forced=True)
    check_cores(match(concurrency=10_000, cluster="tcp://somewhere:8786"), forced=False)
    threads = match("engine level=1 option.threads=256", "random")
    with pytest.raises(ConfigError, match="256 threads"):
        check_cores(threads, forced=False)


def test_a_match_on_the_command_line() -> None:
    config = parsed(
        *["-engine", "engine", "name=new", "-engine", "engine", "name=old", "option.threads=1", "-each", "st=0.1"],
        *["--rounds", "20", "--openings", "random", "--opening-plies", "6", "--resign", "40/3", "--adjudicate", "12"],
        *["--sprt", "elo0=0", "elo1=10", "alpha=0.1", "model=logistic", "--seed", "7", "--event", "a test"],
    )
    assert [engine.name for engine in config.engines] == ["new", "old"]
    assert {engine.limits for engine in config.engines} == {PlayLimits(move_time_s=0.1)}
    assert (config.format, config.rounds, config.seed, config.event) == ("pair", 20, 7, "a test")
    assert config.openings == OpeningConfig("random", 6)
    assert config.rules.resign == ResignRule(40, 3)
    assert config.rules.solve_empties == 12
    assert config.sprt == Sprt(0, 10, 0.1, 0.05, SprtModel.LOGISTIC)


def test_a_match_in_a_file_and_options_over_it(tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    path.write_text(
        """
        rounds = 30
        openings = "random"
        seed = 3
        sprt = { elo0 = -5, elo1 = 5 }

        [each]
        st = 0.2
        option = { hash = 16 }

        [[engine]]
        player = "engine"
        name = "new"
        option = { threads = 1, book = true }

        [[engine]]
        cmd = ["edax", "-gtp"]
        restart = true
        """
    )
    config = parsed("--config", str(path), "--rounds", "5")
    assert config.rounds == 5
    assert config.seed == 3
    assert config.sprt == Sprt(-5, 5)
    new, edax = config.engines
    assert dict(new.options) == {"hash": "16", "threads": "1", "book": "on"}
    assert edax.command == ("edax", "-gtp")
    assert edax.restart
    assert edax.limits.move_time_s == 0.2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rounds =", "a TOML file"),
        ("round = 5", "rounds"),
        ("engine = 5", "tables"),
        ("engine = [1]", "table of settings"),
        ("[[engine]]\nplayer='random'\noption=3", "tc, st or depth"),
        ("rounds=" + "[" * 50_000, "a TOML file"),
        ("rounds=" + "{a=" * 50_000, "a TOML file"),
        ("a." * 50_000 + "a=1", "dots in a line"),
        (r'openings="a\u0000b"', "no name of a file may have"),
        ("#" * (LARGEST_FILE_BYTES + 1), "at most"),
        ("rounds=1.5\n[[engine]]\nplayer='random'\n[[engine]]\nplayer='random'", "an integer"),
        ("sprt={elo0=1}\n[[engine]]\nplayer='random'\n[[engine]]\nplayer='random'", "elo1="),
        ("sprt={elo0=0,elo1=5,model='bayesian'}\n[[engine]]\nplayer='random'\n[[engine]]\nplayer='random'", "logistic"),
    ],
)
def test_senseless_files_are_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "match.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        match_config(read_toml(path))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_match_in_a_file_of_a_windows_editor(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "match.toml"
    path.write_bytes("rounds = 30\r\nevent = 'Zoë'\r\n".encode(encoding))
    assert read_toml(path)["rounds"] == 30


def test_toml_without_a_reader_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", lacking)
    with pytest.raises(MissingExtra, match=r"-m pip install -e .*\[arena\]"):
        settings_of_toml("", "match.toml")


def test_the_key_of_a_match_is_that_of_its_games() -> None:
    plain = match()
    assert plain.key == match(rounds=7, concurrency=2, cluster="tcp://x:1").key
    others = (match(seed=2), match("random name=A", "random name=C"), match(sprt=Sprt(0, 1)))
    assert len({plain.key, *(other.key for other in others)}) == 4


def test_a_changed_file_of_openings_makes_another_match(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    keys = []
    for line in ("f5d6", "f5f6"):
        path.write_text(line)
        keys.append(parsed("--engine", "random", "name=A", "--engine", "random", "--openings", str(path)).key)
    assert keys[0] != keys[1]


def test_no_engines_is_an_error_that_shows_how(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args([])) == 2
    assert "--engine engine level=1" in capsys.readouterr().err


EVERYTHING = match(
    "cmd='edax -gtp' tc=40/60+1 st=2 depth=9 nodes=1000 level=5 margin=0.25 restart=on start=3 timeout=7 dir=/"
    " init='book off' option.threads=2 name=Edax",
    "engine tc=5+0.05 option.hash=16",
    "iago:3",
    "self st=0.1 name=us",
    format=MatchFormat.GAUNTLET,
    rounds=7,
    openings=OpeningConfig("random", 10, OpeningOrder.SEQUENTIAL),
    rules=Rules(ResignRule(40, 3), 12),
    seed=9,
    event="test",
    concurrency=2,
)
TESTED = match("engine st=1 name=a", "engine st=2 name=b", sprt=Sprt(0, 5, model=SprtModel.LOGISTIC))


@pytest.mark.parametrize("config", [EVERYTHING, TESTED, match()])
def test_a_configuration_is_read_back_as_it_was_written(config: MatchConfig) -> None:
    again = from_json(json.loads(json.dumps(as_json(config))))
    assert again == config
    assert again.key == config.key
    # Workers keep their engines by configuration.
    assert set(again.engines) == set(config.engines)


def test_matches_of_earlier_versions_keep_their_keys() -> None:
    """A match is found again by its key, so what is hashed for it must not change."""
    assert EVERYTHING.key == "cf4bf7409f5104a8505625bd2463b5a864e96a095fc5edbe1d6345892103bf4e"
    assert TESTED.key == "e76c40ef157a8df38b4562e8e81b4f87b0065e98b8bf6e63e06e6dc067f69e6d"


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content.update(tables=2),
        lambda content: content.pop("engines"),
        lambda content: content["engines"][0].update(kind="oracle"),
        lambda content: content["engines"][1]["limits"].update(control={"main_s": "long"}),
        lambda content: content["engines"][0].update(options=[["threads"]]),
        lambda content: content["engines"][0].update(margin_s="0.1"),
        lambda content: content.update(format="carousel"),
    ],
)
def test_what_is_no_configuration_is_not_read_as_one(damage: Callable[[Any], object]) -> None:
    content = json.loads(json.dumps(as_json(EVERYTHING)))
    damage(content)
    with pytest.raises((KeyError, TypeError, ValueError)):
        from_json(content)


@pytest.mark.parametrize("discs", [0, 0.0, -1, 64.5, 65])
def test_scores_that_nobody_resigns_at(discs: float) -> None:
    assert (ResignRule(64, 1).discs, ResignRule(0.5, 60).discs) == (64, 0.5)
    with pytest.raises(ConfigError, match="resignation score"):
        ResignRule(discs, 1)


@pytest.mark.parametrize("empties", [-1, 25])
def test_empties_that_are_not_adjudicated_at(empties: int) -> None:
    assert (Rules(solve_empties=0).solve_empties, Rules(solve_empties=24).solve_empties) == (0, 24)
    with pytest.raises(ConfigError, match="empties to adjudicate at"):
        Rules(solve_empties=empties)


def test_a_limit_that_is_auto_or_zero_is_none_and_lifts_one_for_all() -> None:
    for text in ("auto", "0"):
        (engine,) = engines(f"engine st=1 depth={text} nodes={text}")
        assert engine.limits == PlayLimits(move_time_s=1.0)
    with pytest.raises(ConfigError, match="depth '': expected 1 to 60 plies, or auto"):
        engines("engine st=1 depth=")
    assert engines("engine st=1 level=0")[0].limits.level == 0
    both = [{"player": "engine", "depth": "auto"}, {"player": "engine"}]
    config = match_config({"each": {"depth": 5, "st": 1}, "engine": both})
    assert [engine.limits.depth for engine in config.engines] == [None, 5]
    assert with_options({"player": "engine", "st": 1}, [("depth", None), ("nodes", None), ("move_time", None)]) == {
        "player": "engine",
        "st": 1,
    }


@pytest.mark.parametrize("words", ["st=1 start=0", "st=1 start=0.09", f"nodes={10**15 + 1}"])
def test_numbers_out_of_range_are_refused(words: str) -> None:
    (engine,) = engines(f"cmd=a proto=gtp nodes={10**15} start=0.1")
    assert (engine.limits.nodes, engine.start_s) == (10**15, 0.1)
    with pytest.raises(ConfigError, match=f"{words.split()[-1].split('=')[0]}.*(time from|1 to 1000)"):
        engines(f"cmd=a proto=gtp {words}")


@pytest.mark.parametrize(("count", "rounds", "warned"), [(3, 4, True), (3, 3, False), (4, 3, False), (None, 9, False)])
def test_openings_that_are_repeated_are_told_of(
    count: int | None, rounds: int, warned: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    openings = SimpleNamespace(count=count)
    monkeypatch.setattr(command, "configuration", lambda args: (match(rounds=rounds), openings))
    monkeypatch.setattr(command, "play", lambda *arguments: None)
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args([])) == 0
    told = f"othello-bot match: {rounds} rounds of {count} openings repeat them\n" if warned else ""
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("error", "code"),
    [(ConfigError("rounds", 0, "1 or more"), 2), (ArenaError("no room"), 1), (OSError("no disk"), 1)],
)
def test_an_error_of_a_command_is_told_in_a_line(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    @guarded("match")
    def run(args: argparse.Namespace) -> int:
        raise error

    assert run(argparse.Namespace()) == code
    assert capsys.readouterr().err == f"othello-bot match: {error}\n"


def test_limits_are_told_as_they_are_set() -> None:
    assert str(PlayLimits()) == "no limit"
    assert str(PlayLimits(TimeControl(60, 1), 0.5, 9, 1000, 5)) == "tc=60+1 st=0.5 depth=9 nodes=1000 level=5"
    assert str(PlayLimits(move_time_s=2.0)) == "st=2"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("random name=A", "A is random"),
        ("cmd='edax -gtp' proto=gtp st=1 name=E", "E is edax -gtp st=1"),
        ("self depth=3 name=S option.hash=2 option.book=off", "S is self depth=3 hash=2 book=off"),
    ],
)
def test_a_report_tells_what_an_engine_is(words: str, told: str) -> None:
    (engine,) = engines(words)
    assert _engine_line(engine, []) == told
    assert _engine_line(engine, [engine.name, "X 1", "X 2"]) == f"{told} (X 1 and X 2)"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("self option.ponder=on depth=3", ["ponder"]),
        ("self proto=nboard option.ponder=on option.contempt=5 tc=2", []),
        ("self proto=gtp option.contempt=5 option.live_graphics=on tc=2", ["contempt", "live_graphics"]),
        ("engine option.ponder=on tc=2", ["ponder"]),
        ("self option.ponder=off option.contempt=0 depth=3", []),
        ("cmd=x option.ponder=on depth=3", []),
    ],
)
def test_options_without_effect_are_told(spec: str, told: list[str]) -> None:
    (engine,) = engines(spec)
    assert list(command.without_effect(engine)) == told

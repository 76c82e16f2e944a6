"""Programs that only choose moves: a JSON object a turn, Botzone's requests; illegal moves that may be mended; memory."""

from __future__ import annotations

import json
import random
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from othello_bot.arena import players
from othello_bot.arena.adjudication import Ending
from othello_bot.arena.engine_host import EngineHost
from othello_bot.arena.errors import ArenaError, ConfigError
from othello_bot.arena.openings import Opening
from othello_bot.base.boards import parse_board
from othello_bot.base.notation import PASS, RESIGN, START, Color, move_name
from othello_bot.protocol import conversation_json
from othello_bot.protocol.conversation import Send
from othello_bot.protocol.conversation_json import (
    KEEP_RUNNING,
    BotzoneConversation,
    JsonConversation,
    SimpleBotzoneConversation,
)
from othello_bot.protocol.errors import EngineGarbage, EngineUnsupported
from othello_bot.rules.game import Game, parse_moves
from othello_bot.rules.position import Position
from tests.arena.builders import engines, job, mock_spec, random_game
from tests.protocol.script import ArrivedLine, Stage, drive, fault

LATE = Opening(Position.start(), random_game(random.Random(565), Opening(Position.start())).moves[:50])
"""Few moves are left, and Black must pass at once."""


def told(log: Path) -> list[dict[str, Any]]:
    """Return the objects that a mock has received."""
    return [json.loads(line) for line in log.read_text().splitlines()]


@pytest.mark.process
def test_a_turn_has_board_legal_moves_last_move_and_clocks(host: EngineHost, tmp_path: Path) -> None:
    log = tmp_path / "log"
    report = host.play(job(mock_spec("--log", str(log), dialect="json", settings="tc=60+1"), "random"))
    assert report.outcome.ending is Ending.BOARD
    assert report.identities[0] == "Mock 1.5"
    hello, *turns = told(log)
    assert hello == {"type": "hello", "game": "othello", "version": 1}
    game = Game()
    game.play_moves(report.moves)
    for turn in turns:
        position = game.position_at(turn["ply"])
        assert (turn["type"], turn["game"], turn["color"]) == ("turn", 1, "black")
        assert f"{turn['board']} X" == position.to_string()
        assert turn["legal"] == [move_name(move) for move in position.legal_moves]
        assert turn["last"] == move_name(report.moves[turn["ply"] - 1])
        assert parse_moves(turn["moves"]) == report.moves[: turn["ply"]]
        assert 0 < turn["seconds"] <= 200 and turn["clocks"]["black"]["increment"] == 1
    own = [move for move in report.played if move.color is Color.BLACK]
    assert len(own) == len(turns)
    assert {(move.score, move.depth, move.nodes) for move in own} == {(1.5, "4", 99)}


@pytest.mark.process
def test_the_bot_of_the_page_plays_a_game(host: EngineHost, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "protocol" / "README.md").read_text(encoding="utf-8")
    bot = tmp_path / "bot.py"
    bot.write_text(re.findall(r"```python\n(import json, sys\n.*?)```", page, re.DOTALL)[0])
    words = f"cmd={shlex.quote(shlex.join([sys.executable, str(bot)]))} proto=json st=60 start=120"
    report = host.play(job(words, "random"))
    assert report.outcome.ending is Ending.BOARD
    assert report.identities[0] == "First Move 1"


def test_a_turn_without_a_clock_or_a_move_before() -> None:
    conversation = JsonConversation(fault)
    conversation.legal = Position.start().legal_moves
    stage = Stage(
        '> {"type": "turn", "game": 0, "ply": 0, "color": "black", "board": "'
        + START.cells
        + '", "legal": ["d3", "c4", "f5", "e6"], "last": null, "moves": "", "seconds": null, "clocks": null}\n'
        '< thinking\n< [1]\n< {"move": "resign"}'
    )
    assert stage.run(conversation.best_move()).move == RESIGN


@pytest.mark.parametrize(
    "answer",
    ['{"move": 37}', '{"move": ""}', '{"move": "z9"}', '{"move": null}', '{"move": ["f5"]}'],
)
def test_an_answer_that_is_no_move(answer: str) -> None:
    conversation = JsonConversation(fault)
    with pytest.raises(EngineGarbage, match="answered a turn with no move"):
        drive(conversation.best_move(), answering(answer))


@pytest.mark.parametrize("score", ['"much"', "NaN", "Infinity", "true", "1e300", "null", "[1]"])
def test_a_score_that_is_no_number_is_none(score: str) -> None:
    answer = '{"move": "F5", "score": ' + score + ', "nodes": -1e999}'
    best = drive(JsonConversation(fault).best_move(), answering(answer))
    assert (best.move, best.score, best.nodes) == (37, None, None)


def answering(answer: str) -> Callable[[Any], Any]:
    """Return what takes whatever is sent, and answers with one line."""
    return lambda request: 0.5 if isinstance(request, Send) else ArrivedLine(answer, 1.0)


def test_nonsense_instead_of_objects_is_garbage() -> None:
    conversation = JsonConversation(fault)
    with pytest.raises(EngineGarbage, match="no answer but: 'hello'"):
        Stage('> {"type": "hello", "game": "othello", "version": 1}\n< hello\n...').run(conversation.handshake())
    with pytest.raises(EngineUnsupported, match=r"set the option depth in this dialect \(json\)"):
        Stage("").run(conversation.set_option("depth", "4"))


@pytest.mark.process
@pytest.mark.parametrize("dialect", ["json", "botzone"])
@pytest.mark.parametrize(
    ("flags", "ending"),
    [
        ("--crash-at 2", Ending.CRASH),
        ("--stall-at 1", Ending.STALL),
        ("--nonsense-at 2", Ending.GARBAGE),
        ("--illegal-at 2", Ending.ILLEGAL),
        ("--garbage-at 2", Ending.GARBAGE),
    ],
)
def test_failures(host: EngineHost, dialect: str, flags: str, ending: Ending, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the one that stalls has a short time, at its first move: a bot of Botzone also starts in that time."""
    monkeypatch.setattr(conversation_json, "END_S", 60)
    quirks = ["--quirks", "keep"] if dialect == "botzone" else []
    settings = "st=0.5" if ending is Ending.STALL else "st=60"
    report = host.play(job(mock_spec(*flags.split(), *quirks, dialect=dialect, settings=settings), "random"))
    assert report.outcome.ending is ending
    assert report.outcome.loser is Color.BLACK


@pytest.mark.process
@pytest.mark.parametrize("side", [Color.BLACK, Color.WHITE])
@pytest.mark.parametrize("quirks", ["saves", "keep"])
def test_a_bot_of_botzone_plays_a_game(host: EngineHost, side: Color, quirks: str, tmp_path: Path) -> None:
    """The mock replays every game by the rules, so a request too few or too many would be illegal."""
    log = tmp_path / "log"
    bot = mock_spec("--log", str(log), "--quirks", quirks, dialect="botzone", settings="st=60")
    words = (bot, "random") if side is Color.BLACK else ("random", bot)
    game = job(*words, opening=LATE if quirks == "saves" else Opening(Position.start(), LATE.moves[:46]))
    report = host.play(game)
    assert report.outcome.ending is Ending.BOARD, report.outcome
    assert PASS in report.moves
    requests = told(log)
    whole = [request for request in requests if "requests" in request]
    own = [move for move in report.played if move.color is side]
    assert len(requests) == len(own)
    assert (len(whole) == len(requests)) is ("keep" not in quirks)
    assert (whole[0]["requests"][0] == {"x": -1, "y": -1}) is (side is Color.BLACK)
    if quirks == "saves":
        assert [request.get("data", 0) for request in whole] == list(range(len(own)))
    log.unlink()
    second = host.play(game)
    assert second.outcome.ending is Ending.BOARD
    assert "data" not in told(log)[0] and "requests" in told(log)[0]


@pytest.mark.process
@pytest.mark.parametrize("quirks", ["bare", "text,keep", "simple", "simple,keep"])
def test_other_forms_of_a_response(host: EngineHost, quirks: str) -> None:
    dialect = "botzone-simple" if "simple" in quirks else "botzone"
    bot = mock_spec("--quirks", quirks, dialect=dialect, settings="st=60")
    report = host.play(job("random", bot, opening=LATE))
    assert report.outcome.ending is Ending.BOARD, report.outcome


@pytest.mark.process
def test_a_bot_that_neither_stays_nor_ends_is_ended(host: EngineHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation_json, "END_S", 0.01)
    report = host.play(job(mock_spec("--quirks", "hang", dialect="botzone"), "random", opening=LATE))
    assert report.outcome.ending is Ending.BOARD


@pytest.mark.parametrize(
    "response", ["[1, 2]", '{"x": 8, "y": 0}', '{"x": "3", "y": 2}', '{"x": true, "y": 1}', "null"]
)
def test_a_response_that_is_no_place(response: str) -> None:
    with pytest.raises(EngineGarbage, match="coordinates off the board"):
        drive(BotzoneConversation(fault).best_move(), answering('{"response": ' + response + "}"))


@pytest.mark.parametrize(
    "line", ["", "3", "3 4 5", "a b", "8 0", "-1 0", "1.0 2", '{"x": 3, "y": 2}', "9" * 9999 + " 1"]
)
def test_a_line_that_is_no_place(line: str) -> None:
    with pytest.raises(EngineGarbage, match="coordinates off the board"):
        drive(SimpleBotzoneConversation(fault).best_move(), answering(line))


def test_the_simple_interaction_is_lines_of_numbers() -> None:
    """As Botzone's own samples read it: a count, then requests and responses in turn, then what was saved."""
    bot = SimpleBotzoneConversation(fault)
    answer = "< 5 4\n< thought for 0.1 s\n< saved\n< for ever\n< and ever\n..."
    assert Stage(f"> 1\n> -1 -1\n{answer}").run(bot.best_move()).move == 37
    bot.renewed()
    saved = "> saved\n> for ever\n> and ever"
    Stage("").run(bot.play(43))
    stage = Stage(f"> 2\n> -1 -1\n> 5 4\n> 3 5\n{saved}\n< 2 2\n< {KEEP_RUNNING}\n> 0 0\n< 1 1\n...")
    assert stage.run_on(bot.best_move()).move == 18
    stage.run_on(bot.play(0))
    assert stage.run(bot.best_move()).move == 9


def test_what_a_bot_saves() -> None:
    """`data` is what the last turn saved, `globaldata` what was saved last; nothing saved is no key."""
    bot = BotzoneConversation(fault)
    for saving, expected in (
        ({"data": 1, "globaldata": "g"}, {}),
        ({"data": None}, {"data": 1, "globaldata": "g"}),
        ({"globaldata": ""}, {"globaldata": "g"}),
    ):
        bot.renewed()
        Stage("").run(bot.set_position(START, ()))
        request = {"requests": [{"x": -1, "y": -1}], "responses": [], **expected, "time_limit": "", "memory_limit": ""}
        answer = {"response": {"x": 5, "y": 4}, **saving}
        Stage(f"> {json.dumps(request)}\n< {json.dumps(answer)}\n...").run(bot.best_move())


def test_a_kept_bot_gets_the_last_move_alone_and_after_its_own_pass_the_whole_game() -> None:
    bot = BotzoneConversation(fault)
    stage = Stage(
        '> {"requests": [{"x": -1, "y": -1}], "responses": [], "time_limit": "", "memory_limit": ""}\n'
        '< {"response": {"x": 5, "y": 4}}\n< ' + KEEP_RUNNING + '\n> {"x": 3, "y": 5}\n< {"response": {"x": 2, "y": 2}}'
        "\n..."
    )
    assert stage.run_on(bot.best_move()).move == 37
    stage.run_on(bot.play(43))
    assert stage.run(bot.best_move()).move == 18
    assert bot.spent
    with pytest.raises(EngineUnsupported, match="set up a board"):
        Stage("").run(bot.set_position(parse_board(START.cells + " O"), ()))


@pytest.mark.process
def test_a_board_that_a_bot_cannot_be_given_ends_the_match(host: EngineHost) -> None:
    opening = Opening(Position.parse("-" * 27 + "OX------XO" + "-" * 27 + " O"))
    with pytest.raises(ArenaError, match="openings from the usual start would do"):
        host.play(job(mock_spec(dialect="botzone"), "random", opening=opening))


# -- illegal moves ----------------------------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.parametrize("dialect", ["gtp", "nboard", "json", "botzone"])
def test_an_engine_may_mend_an_illegal_move(host: EngineHost, dialect: str) -> None:
    quirks = ["--quirks", "keep"] if dialect == "botzone" else []
    spec = mock_spec("--illegal-at", "2", *quirks, dialect=dialect, settings="st=60 illegal=retry")
    report = host.play(job("random", spec, opening=Opening(Position.start(), LATE.moves[:44])))
    assert report.outcome.ending is Ending.BOARD, report.outcome
    # A bot of Botzone is started anew after an illegal move, and the mock counts its moves from one again.
    assert report.retries == (0, 1) or (dialect == "botzone" and report.retries[1] > 1)


@pytest.mark.process
def test_an_engine_that_mends_nothing_loses(host: EngineHost, tmp_path: Path) -> None:
    log = tmp_path / "log"
    spec = mock_spec("--always-illegal", "--log", str(log), dialect="json", settings="st=60 illegal=retry")
    report = host.play(job(spec, "random"))
    assert (report.outcome.ending, report.outcome.loser) == (Ending.ILLEGAL, Color.BLACK)
    assert report.retries == (3, 0)
    assert [len(turn.get("illegal", [])) for turn in told(log) if turn["type"] == "turn"] == [0, 1, 2, 3]


@pytest.mark.process
def test_all_answers_to_a_position_have_the_time_of_one(host: EngineHost) -> None:
    spec = mock_spec("--always-illegal", "--move-delay", "0.4", dialect="json", settings="st=0.5 illegal=retry")
    assert host.play(job(spec, "random")).outcome.ending is Ending.TIME


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("random illegal=retry", "setting illegal"),
        ("random memory=100", "setting memory"),
        ("engine level=1 memory=100", "setting memory"),
        ("self level=1 proto=json", "gtp, nboard, native"),
        ("self level=1 memory=0", "memory"),
        ("self level=1 memory=much", "memory"),
        ("self level=1 illegal=maybe", "lose, retry"),
    ],
)
def test_settings_that_make_no_sense(words: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        engines(words)


# -- memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.process
def test_an_engine_that_takes_too_much_memory_loses_the_game(host: EngineHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "LOOK_S", 0.05)
    spec = mock_spec("--hog-at", "2", "--hog-delay", "60", settings="tc=inf memory=200")
    report = host.play(job("random", spec))
    assert (report.outcome.ending, report.outcome.loser) == (Ending.MEMORY, Color.WHITE)
    assert report.outcome.detail.startswith("used ") and report.outcome.detail.endswith(" MiB of 200 MiB")
    assert report.outcome.ending.is_failure and report.outcome.last_words
    # The next game is played by a new process.
    report = host.play(job("random", mock_spec(settings="tc=inf memory=200"), opening=LATE))
    assert report.outcome.ending is Ending.BOARD


@pytest.mark.process
def test_the_memory_of_what_an_engine_starts_counts(host: EngineHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "LOOK_S", 0.05)
    child = "import time; memory = b'z' * (300 << 20); time.sleep(600)"
    program = (
        f"import os, subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}], start_new_session=True);"
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    spec = mock_spec("--stall-at", "1", settings="tc=inf memory=250")
    words = shlex.split(shlex.split(spec)[0].removeprefix("cmd="))
    command = shlex.join([sys.executable, "-c", program, *words])
    report = host.play(job(f"cmd={shlex.quote(command)} tc=inf memory=250 start=120", "random"))
    assert report.outcome.ending in (Ending.MEMORY, Ending.NO_START)
    assert "MiB of 250 MiB" in report.outcome.detail


@pytest.mark.process
def test_players_that_are_asked_have_a_latency(host: EngineHost) -> None:
    kinds: Counter[bool] = Counter()
    for dialect in ("gtp", "nboard", "json"):
        latency_s, none = host.play(job(mock_spec(dialect=dialect), "random", opening=LATE)).latencies_s
        assert none is None
        kinds[latency_s is not None] += 1
    assert kinds == {True: 2, False: 1}

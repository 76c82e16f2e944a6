"""Games: the arena enforces legality, clocks and endings, whatever the engines do."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from othello_bot.arena.adjudication import Ending, Failure, GameOutcome, ResignWatch
from othello_bot.arena.config import EngineConfig, ResignRule, Rules
from othello_bot.arena.engine_host import EngineHost
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.game_runner import Solve, play_game
from othello_bot.arena.games import GameReport
from othello_bot.arena.openings import Opening, RandomOpenings
from othello_bot.arena.players import ArenaPlayer, InnerPlayer
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.engine import Limits, SearchResult, Steps, carried_out
from othello_bot.rules import Game, Position, position_of
from othello_bot.strategies import Strategy
from tests.arena.builders import OPENING, engines, job, mock_spec, random_game
from tests.protocol.processes import is_gone_within

pytestmark = pytest.mark.process


def replayed(report: GameReport) -> Game:
    """Replay the game of a report by the rules and return it."""
    game = Game(report.opening.start)
    for move in report.moves:
        game.play(move)
    return game


@pytest.mark.parametrize(
    ("black", "white"),
    [
        (mock_spec(), mock_spec("--seed", "2", dialect="nboard")),
        ("random", mock_spec("--no-list")),
        (mock_spec("--quirks", "upper,spaced"), "weighted"),
    ],
)
def test_a_whole_game_between_players_of_every_kind(host: EngineHost, black: str, white: str) -> None:
    report = host.play(job(black, white))
    game = replayed(report)
    assert report.outcome.ending is Ending.BOARD
    assert game.is_over
    assert report.outcome.discs == game.final_score
    assert report.outcome.loser is None
    assert report.outcome.detail == ""
    own = [move for move in game.moves[8:] if move != PASS]
    assert len(report.played) == len(own)
    assert [move.color for move in report.played] == [game.position_at(move.ply).color for move in report.played]


def test_an_engine_that_tells_its_thoughts_is_quoted(host: EngineHost) -> None:
    report = host.play(job(mock_spec(dialect="nboard"), "random"))
    first = next(move for move in report.played if move.color is Color.BLACK)
    assert (first.score, first.depth, first.nodes) == (1.5, "8", 1234)


@pytest.mark.parametrize(
    ("side", "flags", "settings", "ending", "words"),
    [
        (Color.BLACK, ("--crash-at", "7"), "st=5", Ending.CRASH, "the corner is a lie"),
        (Color.WHITE, ("--crash-at", "7"), "st=5", Ending.CRASH, "the corner is a lie"),
        (Color.WHITE, ("--die-at", "2"), "st=5", Ending.CRASH, "exit code -9"),
        (Color.BLACK, ("--exit-at", "2"), "st=5", Ending.EXIT, "ended by itself"),
        (Color.WHITE, ("--illegal-at", "3"), "st=5", Ending.ILLEGAL, "legal were"),
        (Color.BLACK, ("--nonsense-at", "3"), "st=5", Ending.GARBAGE, "the best one"),
        (Color.WHITE, ("--garbage-at", "3"), "st=0.1", Ending.GARBAGE, "segmentation of the board"),
        (Color.BLACK, ("--refuse-at", "2"), "st=5", Ending.REFUSAL, "out of ideas"),
        (Color.WHITE, ("--crash-on-start",), "st=5", Ending.NO_START, "no weights found"),
        (Color.BLACK, ("--resign-at", "2"), "st=5", Ending.RESIGNATION, ""),
    ],
)
def test_whoever_misbehaves_loses_with_the_reason_recorded(
    host: EngineHost, side: Color, flags: tuple[str, ...], settings: str, ending: Ending, words: str
) -> None:
    bad = mock_spec(*flags, settings=settings)
    report = host.play(job(bad, "random") if side is Color.BLACK else job("random", bad))
    assert (report.outcome.ending, report.outcome.loser) == (ending, side)
    assert words in report.outcome.detail and "\n" not in report.outcome.detail
    assert bool(report.outcome.last_words) is (ending is not Ending.RESIGNATION)
    assert report.outcome.black_points == (0 if side is Color.BLACK else 1)
    assert report.outcome.discs is None
    replayed(report)


def games_with_a_pass(host: EngineHost, black: str, white: str) -> GameReport:
    """Play games until one has a forced pass, and return its report."""
    for number in range(20):
        report = host.play(job(black, white, opening=RandomOpenings(8, number).of_round(0), seed=str(number)))
        assert (report.outcome.ending, report.outcome.detail, report.outcome.last_words) == (Ending.BOARD, "", ())
        if PASS in report.moves:
            return report
    raise AssertionError("no game had a pass")


@pytest.mark.parametrize(("settings", "told"), [("st=5", 1), ("st=5 passes=learn", 1), ("st=5 passes=off", 0)])
def test_an_engine_that_refuses_a_pass_is_told_of_no_more_and_plays_on(
    host: EngineHost, tmp_path: Path, settings: str, told: int
) -> None:
    log = tmp_path / "log"
    spec = mock_spec("--quirks", "passing", "--log", str(log), settings=settings)
    for _ in range(2):
        games_with_a_pass(host, spec, "random")
    assert log.read_text().count(" pass") == told


def test_an_engine_that_must_hear_of_passes_loses_when_it_refuses_one(host: EngineHost) -> None:
    spec = mock_spec("--quirks", "passing", settings="st=5 passes=on")
    reports = [
        host.play(job(spec, "random", opening=RandomOpenings(8, number).of_round(0), seed=str(number)))
        for number in range(20)
    ]
    refused = [report for report in reports if report.outcome.ending is Ending.REFUSAL]
    assert refused
    for report in refused:
        assert report.outcome.loser is Color.BLACK
        assert report.outcome.detail in (f"refused 'play {color} pass': syntax error" for color in "bw")
        assert report.moves[-1] == PASS


def test_of_a_failure_the_moves_and_the_last_words_are_kept(host: EngineHost) -> None:
    report = host.play(job("random", mock_spec("--crash-at", "3", "--flood-stderr", "50")))
    assert report.outcome.ending is Ending.CRASH
    assert report.outcome.detail == "crashed (exit code 3): assertion failed: the corner is a lie"
    # The opening, two moves of White's and those of Black before each of its turns.
    assert len(report.moves) == 8 + 2 * 2 + 1
    words = [line for line in report.outcome.last_words if not line.startswith("! chatter")]
    assert words[-4:] == ["> time_left w 5 1", "< =", "> genmove w", "! assertion failed: the corner is a lie"]
    assert f"> play b {move_name(report.moves[-1])}" in words
    assert "< =" in words
    assert len(report.outcome.last_words) <= 80


def test_bytes_that_are_no_text_are_kept_as_what_can_be_printed(host: EngineHost) -> None:
    report = host.play(job(mock_spec("--binary-at", "1"), "random"))
    assert report.outcome.detail == r"crashed (exit code 3): [1mcore \xff\xfe"
    assert report.outcome.last_words[-1] == r"! [1mcore \xff\xfe"


def test_an_engine_that_stalls_loses_soon_after_its_time_is_up(host: EngineHost) -> None:
    report = host.play(job(mock_spec("--stall-at", "2", settings="st=0.05 margin=0"), "random"))
    assert (report.outcome.ending, report.outcome.loser) == (Ending.STALL, Color.BLACK)
    assert "silent" in report.outcome.detail and "> genmove b" in report.outcome.last_words


def test_an_engine_without_a_clock_stalls_after_its_timeout(host: EngineHost) -> None:
    report = host.play(job("random", mock_spec("--stall-at", "1", settings="tc=inf timeout=0.2")))
    assert (report.outcome.ending, report.outcome.loser) == (Ending.STALL, Color.WHITE)


@pytest.mark.parametrize("settings", ["st=0.05 margin=0", "tc=2/0.3+0.01 margin=0"])
def test_an_engine_that_answers_too_late_loses_on_time(host: EngineHost, settings: str) -> None:
    report = host.play(job(mock_spec("--move-delay", "0.2", settings=settings), "random"))
    assert (report.outcome.ending, report.outcome.loser) == (Ending.TIME, Color.BLACK)
    assert " of 0." in report.outcome.detail and "> genmove b" in report.outcome.last_words


def test_within_its_margin_nobody_loses_on_time(host: EngineHost) -> None:
    report = host.play(job("random st=0.001 margin=60", "random st=0.001 margin=60"))
    assert report.outcome.ending is Ending.BOARD


def test_a_slow_start_is_waited_for_as_long_as_is_said(host: EngineHost) -> None:
    patient = host.play(job(mock_spec("--start-delay", "0.4", settings="st=5 start=30"), "random"))
    assert patient.outcome.ending is Ending.BOARD
    impatient = host.play(job(mock_spec("--start-delay", "9", settings="st=5 start=0.2"), "random"))
    assert (impatient.outcome.ending, impatient.outcome.loser) == (Ending.NO_START, Color.BLACK)


def test_after_a_failure_the_next_game_has_a_fresh_engine(host: EngineHost, tmp_path: Path) -> None:
    log = tmp_path / "log"
    spec = mock_spec("--crash-at", "7", "--log", str(log))
    endings = [host.play(job(spec, "random", seed=str(number))).outcome.ending for number in range(3)]
    assert endings == [Ending.CRASH] * 3
    assert log.read_text().count("list_commands") == 3


@pytest.mark.parametrize(("policy", "starts"), [("off", 1), ("on", 3)])
def test_the_restart_policy(host: EngineHost, tmp_path: Path, policy: str, starts: int) -> None:
    log = tmp_path / "log"
    spec = mock_spec("--log", str(log), settings=f"st=5 restart={policy}")
    for number in range(3):
        assert host.play(job(spec, "random", seed=str(number))).outcome.ending is Ending.BOARD
    assert log.read_text().count("list_commands") == starts


def test_an_engine_that_ignores_quit_is_ended_all_the_same(tmp_path: Path) -> None:
    child_file = tmp_path / "child"
    spec = mock_spec("--ignore-quit", "--ignore-terminate", "--leave-child", "--child-file", str(child_file))
    host = EngineHost()
    host.play(job(spec, "random"))
    child = int(child_file.read_text())
    os.kill(child, 0)
    host.close()
    # On a busy machine, a killed process may take a moment to end.
    assert is_gone_within(child, 60)


def test_options_init_lines_and_clocks_reach_the_engine(host: EngineHost, tmp_path: Path) -> None:
    log = tmp_path / "log"
    spec = mock_spec("--log", str(log), settings="tc=60+1 init='komi 5' option.threads=1 depth=4")
    host.play(job(spec, "random"))
    lines = log.read_text().splitlines()
    assert "komi 5" in lines
    assert "setoption name threads value 1" in lines
    assert "setoption name depth value 4" in lines
    assert "kata-time_settings fischer 60 1" in lines
    assert any(line.startswith("time_left b ") for line in lines)
    assert lines.index("komi 5") < lines.index("setoption name threads value 1") < lines.index("clear_board")


@pytest.mark.parametrize(
    "spec",
    [
        "cmd=/no/such/program st=1",
        mock_spec(settings="st=1 option.nonexistent=1"),
        mock_spec("--no-list", settings="level=3"),
        mock_spec(dialect="nboard", settings="level=3"),
    ],
)
def test_what_makes_a_match_senseless_ends_it(host: EngineHost, spec: str) -> None:
    with pytest.raises(ArenaError):
        host.play(job(spec, "random"))


def test_a_board_that_an_engine_cannot_be_given_ends_the_match(host: EngineHost) -> None:
    with pytest.raises(ArenaError, match="openings from the usual start"):
        game = Game.from_transcript("f5d6c3")
        spec = mock_spec("--no-list", settings="tc=inf")
        host.play(job(spec, "random", opening=Opening(game.position)))


def test_an_opening_from_a_board(host: EngineHost) -> None:
    position = Game.from_transcript("f5d6c3").position
    report = host.play(job(mock_spec(), mock_spec(dialect="nboard"), opening=Opening(position)))
    assert report.outcome.ending is Ending.BOARD
    assert report.played[0].color is Color.WHITE
    assert replayed(report).is_over


def test_games_of_the_same_seed_are_the_same(host: EngineHost) -> None:
    first, again, other = (host.play(job("random", "random", seed=seed)).moves for seed in ("1", "1", "2"))
    assert first == again != other


@pytest.mark.parametrize("player", ["engine level=1", "self level=1"])
def test_our_own_engine_takes_its_seed_from_the_game(host: EngineHost, player: str) -> None:
    varied = f"{player} option.book=on option.book_randomness=100"

    def moves(seed: str, *, settings: str = "") -> tuple[int, ...]:
        return host.play(job(f"{varied} {settings}", "weighted", opening=Opening(Position.start()), seed=seed)).moves

    assert moves("1") == moves("1")
    assert len({moves(str(seed)) for seed in range(6)}) > 2
    assert moves("1", settings="option.seed=5") == moves("2", settings="option.seed=5")


class ScriptedPlayer(ArenaPlayer):
    """Plays the lowest legal move and reports the scores in a list."""

    def __init__(self, config: EngineConfig, scores: Sequence[float] = ()) -> None:
        super().__init__(config)
        self.scores = list(scores)
        self.heard: list[int] = []

    def start(self) -> None:
        pass

    def new_game(self, game: Game, seed: str) -> None:
        pass

    def played(self, move: int) -> None:
        self.heard.append(move)

    def choose(
        self, place: Position | Game, limits: Limits, on_report: Callable[[SearchResult], None] | None = None
    ) -> Steps[EvaluatedMove]:
        yield from ()
        return EvaluatedMove(position_of(place).legal_moves[0], self.scores.pop(0) if self.scores else None)


def scripted_game(scores: Sequence[float], rules: Rules, solve: Solve = lambda position: 0) -> GameReport:
    players = tuple(ScriptedPlayer(config, scores) for config in engines("random", "random"))
    return play_game(job("random", "random", rules=rules), (players[0], ScriptedPlayer(players[1].config)), solve)


def test_a_side_that_thinks_itself_lost_resigns_by_the_rule() -> None:
    report = scripted_game([-41, -39, -40, -64, -50, -1], Rules(ResignRule(40, 3)))
    assert (report.outcome.ending, report.outcome.loser) == (Ending.RESIGN_RULE, Color.BLACK)
    assert sum(move.color is Color.BLACK for move in report.played) == 5
    assert scripted_game([-41, -39, -40, -64, -30, -1], Rules(ResignRule(40, 3))).outcome.ending is Ending.BOARD
    assert scripted_game([-64] * 60, Rules()).outcome.ending is Ending.BOARD


def test_the_solver_ends_the_game_where_that_is_agreed() -> None:
    asked: list[Position] = []

    def solve(position: Position) -> int:
        asked.append(position)
        return 6

    report = scripted_game([], Rules(solve_empties=11), solve)
    assert report.outcome.ending is Ending.SOLVED
    assert len(asked) == 1
    assert asked[0].empties <= 11
    assert report.outcome.discs == (6 if asked[0].color is Color.BLACK else -6)
    assert replayed(report).position == asked[0]


def test_the_solver_of_the_arena_is_right(host: EngineHost) -> None:
    report = host.play(job("random", "random", rules=Rules(solve_empties=8)))
    assert report.outcome.ending is Ending.SOLVED

    def best(position: Position) -> int:
        if position.is_over:
            return position.score()
        return max(-best(position.play(move)) for move in position.legal_moves or (PASS,))

    end = replayed(report).position
    assert report.outcome.discs == (best(end) if end.color is Color.BLACK else -best(end))


def test_both_players_hear_of_forced_passes() -> None:
    first, second = (ScriptedPlayer(config) for config in engines("random", "random"))
    # A game in which the lowest moves lead to a pass.
    report = play_game(job("random", "random"), (first, second), lambda position: 0)
    passes = report.moves.count(PASS)
    assert passes > 0
    assert [player.heard.count(PASS) for player in (first, second)] == [passes, passes]


def test_a_strategy_that_raises_loses(host: EngineHost, monkeypatch: pytest.MonkeyPatch) -> None:
    from othello_bot import strategies

    def broken(strategy: Strategy, position: Position, should_stop: Callable[[], bool]) -> None:
        raise RuntimeError("out of tricks")

    monkeypatch.setattr(strategies, "choose", broken)
    report = host.play(job("random", "weighted"))
    assert (report.outcome.ending, report.outcome.loser) == (Ending.CRASH, Color.BLACK)
    assert "out of tricks" in report.outcome.detail
    assert report.outcome.last_words[0] == "Traceback (most recent call last):"
    assert report.outcome.last_words[-1] == "RuntimeError: out of tricks"


def test_our_own_engine_inside_and_as_a_process(host: EngineHost) -> None:
    settings = "option.evaluation=handmade option.hash=1 depth=2 start=120"
    report = host.play(job(f"engine {settings}", f"self {settings}"))
    assert report.outcome.ending is Ending.BOARD
    assert report.identities[0] == report.identities[1]
    for color in Color:
        thoughts = [(move.score, move.depth, move.nodes) for move in report.played if move.color is color]
        assert thoughts[0][1].startswith("2@")
        assert None not in thoughts[0]


@pytest.mark.parametrize("proto", ["gtp", "nboard"])
@pytest.mark.parametrize("limit", ["level=1", "depth=2", "nodes=500", "st=0.02", "tc=2+0.01"])
def test_our_own_engine_as_a_process_in_the_dialects_of_hosts(host: EngineHost, proto: str, limit: str) -> None:
    settings = f"proto={proto} option.evaluation=handmade option.hash=1 start=120 margin=60 timeout=60"
    opening = Opening(Position.start(), random_game(random.Random(3), OPENING).moves[:50])
    report = host.play(job(f"self {settings} {limit} name=process", "random", opening=opening))
    assert (report.outcome.ending, report.outcome.detail) == (Ending.BOARD, "")
    assert report.identities[0].startswith("othellobot" if proto == "nboard" else "othello-bot ")
    assert replayed(report).is_over


def test_our_own_engine_takes_no_module_from_its_folder(host: EngineHost, tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("raise RuntimeError('not the library')")
    settings = f"dir={tmp_path} option.evaluation=handmade option.hash=1 depth=1 start=120"
    assert host.play(job(f"self {settings}", "random")).outcome.ending is Ending.BOARD


def test_failures_say_what_happened() -> None:
    assert str(Failure(Ending.STALL, "silent for 3 s")) == "stall: silent for 3 s"
    assert Ending.STALL.is_failure
    assert not Ending.RESIGN_RULE.is_failure


@pytest.mark.parametrize("color", list(Color))
def test_the_resign_rule_counts_the_bad_moves_of_a_side_in_a_row(color: Color) -> None:
    watch = ResignWatch(ResignRule(40, 2))
    assert watch.judge(color, -40) is None and watch.judge(color.opponent, -64) is None
    assert watch.judge(color, None) is None and watch.judge(color, -41) is None
    assert watch.judge(color, -40) == GameOutcome(Ending.RESIGN_RULE, color, detail="2 scores of -40 or worse")


@pytest.mark.parametrize("color", list(Color))
def test_the_resign_rule_counts_from_the_first_move(color: Color) -> None:
    assert ResignWatch(ResignRule(40, 1)).judge(color, -40) is not None
    watch = ResignWatch(ResignRule(40, 2))
    assert watch.judge(color, -40) is None
    assert watch.judge(color, -40) is not None


def test_a_strategy_is_charged_the_time_of_its_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 100.25])
    monkeypatch.setattr("othello_bot.arena.players.time", SimpleNamespace(perf_counter=lambda: next(times)))
    player = InnerPlayer(engines("random")[0])
    player.start()
    player.new_game(Game(), "1")
    assert carried_out(player.choose(Game(), Limits())).time_s == 0.25
    player.close()

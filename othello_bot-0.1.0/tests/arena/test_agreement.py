"""Games that end because both engines report the same winner."""

from __future__ import annotations

import json

import pytest

from othello_bot.arena.adjudication import AgreementWatch, Ending
from othello_bot.arena.config import MatchConfig, ResignRule, Rules, as_json, from_json
from othello_bot.arena.engine_host import EngineHost
from othello_bot.arena.errors import ConfigError
from othello_bot.base.notation import Color
from tests.arena.builders import engines, job

BLACK, WHITE = Color.BLACK, Color.WHITE


@pytest.mark.parametrize(
    ("scores", "loser"),
    [
        ([20, -20, 20, -20], WHITE),
        ([-20, 20, -20, 25], BLACK),
        ([20, -20, 20, -19.5], None),
        ([20, 20, 20, 20], None),
        ([20, -20, None, -20, 20, -20], None),
        ([20, -20, None, -20, 20, -20, 20], WHITE),
        ([20, -20, -20, -20, 20, -20, 20], WHITE),
    ],
)
def test_both_must_report_the_same_winner_for_so_many_moves(scores: list[float | None], loser: Color | None) -> None:
    watch = AgreementWatch(ResignRule(20, 2))
    outcomes = [watch.judge(Color(ply % 2), score) for ply, score in enumerate(scores)]
    assert outcomes[:-1] == [None] * (len(scores) - 1)
    last = outcomes[-1]
    assert (None if last is None else last.loser) is loser
    if last is not None:
        assert last.ending is Ending.AGREEMENT and not last.ending.is_failure


def test_without_the_rule_games_go_on() -> None:
    watch = AgreementWatch(None)
    assert [watch.judge(Color(ply % 2), 64.0 if ply % 2 else -64.0) for ply in range(20)] == [None] * 20


def test_a_game_ends_by_agreement(host: EngineHost) -> None:
    report = host.play(job("engine level=1", "engine level=1 name=other", rules=Rules(agree=ResignRule(1, 1))))
    assert report.outcome.ending is Ending.AGREEMENT
    assert "both expect " in report.outcome.detail


def test_a_match_without_the_rule_has_the_key_that_it_had_before_the_rule_existed() -> None:
    config = MatchConfig(engines=engines("random name=A", "random name=B"))
    assert "agree" not in config.identity
    other = MatchConfig(engines=config.engines, rules=Rules(agree=ResignRule(20, 4)))
    assert other.key != config.key
    assert from_json(json.loads(json.dumps(as_json(other)))) == other


def test_the_rule_is_read_like_that_of_resigning() -> None:
    assert ResignRule.parse("20/4", "agree") == ResignRule(20, 4)
    with pytest.raises(ConfigError, match="agree 'much'"):
        ResignRule.parse("much", "agree")

"""How many people find a move, what is said of it, and the rating that moves look like."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot.base.notation import Color
from othello_bot.cli import main
from othello_bot.engine import Engine, Limits, Options
from othello_bot.engine.people import RATINGS, RatingEstimate, estimate
from othello_bot.review import GameReview, JudgedMove, review_game
from othello_bot.review.judgement import Chances
from othello_bot.review.store import from_bytes, to_bytes
from othello_bot.review.text_report import people_words
from othello_bot.rules import Game
from tests.review.games import line
from tests.rules.strategies import random_game

GAME = (
    "f5d6c5f4e3c6d3g5e6f6g3b5h6h4g6g4f7f3e7c4c3d7b4h3f2c7a6f1h5h7g1e1d1e2d2b6d8a5a4b7g2h2a8a7b8c8e8c1b1c2b2b3a3h1g7a1"
    "a2h8g8f8"
)
RATED = RatingEstimate(1500, 100)


@pytest.fixture(scope="module")
def review() -> GameReview:
    with Engine(Options(hash=1, book=False)) as engine:
        return review_game(engine, Game.from_transcript(GAME), 4)


def flat(share: float) -> tuple[float, ...]:
    return (math.log(share),) * len(RATINGS)


def judged(loss: int, played: float, found: float, *, only: bool = False) -> JudgedMove:
    played_line, best = line("c4", -loss), line("d6" if loss else "c4", 0)
    return JudgedMove(3, Color.BLACK, played_line, best, loss, Chances(flat(played), flat(found), only))


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (judged(0, 0.04, 0.04, only=True), "only 4 % of players rated 1500 find this"),
        (judged(0, 0.001, 0.001, only=True), "only 1 % of players rated 1500 find this"),
        (judged(0, 0.04, 0.04), ""),  # other moves are as good
        (judged(0, 0.3, 0.3, only=True), ""),
        (judged(8, 0.52, 0.04), "52 % of players rated 1500 make this mistake; 4 % find d6"),
        (judged(2, 0.52, 0.3), "52 % of players rated 1500 make this inaccuracy; 30 % find d6"),
        (judged(12, 0.2, 0.04), "only 4 % of players rated 1500 find d6"),
        (judged(12, 0.2, 0.5), ""),
        (replace(judged(12, 0.2, 0.04), chances=None), ""),
    ],
)
def test_few_find_it_and_many_make_it_are_told(move: JudgedMove, words: str) -> None:
    assert people_words(move, RATED) == words
    assert people_words(move, None) == ""


def test_chances_between_the_noted_ratings_are_interpolated() -> None:
    chances = Chances(tuple(math.log(rating / 5000) for rating in RATINGS), flat(0.25))
    for rating in (500, 1000, 1490, 1950):
        assert chances.played_by(rating) == pytest.approx(rating / 5000, rel=0.01)
    assert chances.found_by(1234) == pytest.approx(0.25)
    assert chances.played_by(99) == chances.played_by(500) and chances.played_by(9999) == chances.played_by(1950)


def test_moves_like_those_of_a_rating_are_estimated_so_and_more_of_them_more_surely() -> None:
    for rating in (900, 1400, 1900):
        few, many = (estimate([-count * ((one - rating) / 1000) ** 2 for one in RATINGS]) for count in (20, 2000))
        assert abs(many.rating - rating) < 15
        assert abs(few.rating - 1400) < abs(rating - 1400) or rating == 1400
        assert many.error < few.error
    nothing = estimate([0.0] * len(RATINGS))
    assert abs(nothing.rating - 1400) < 15 and 230 < nothing.error < 280


def test_every_move_with_a_choice_has_its_chances_and_each_player_a_rating(review: GameReview) -> None:
    for move in review.moves:
        position = review.game.position_at(move.ply - 1)
        if move.chances is None:
            assert position.legal_bits.bit_count() < 2 or move.ply == 1  # the first moves are symmetric
            continue
        assert all(0 < math.exp(one) <= 1.0001 for one in (*move.chances.played, *move.chances.best))
        if move.best.move == move.move:
            assert move.chances.played == move.chances.best
    for rating in review.ratings().values():
        assert rating is not None and 500 <= rating.rating <= 1950 and 50 <= rating.error <= 255


def test_random_moves_look_weaker_than_those_of_a_tournament(review: GameReview) -> None:
    with Engine(Options(hash=1, book=False)) as engine:
        random = review_game(engine, random_game(5), 0)
    weakest = min(one.rating for one in review.ratings().values() if one)
    assert all(one.rating < weakest for one in random.ratings().values() if one)


def test_only_moves_are_those_whose_alternatives_are_worse(review: GameReview) -> None:
    only = [move for move in review.moves if move.chances is not None and move.chances.only]
    assert all(move.loss == 0 for move in only)
    with Engine(Options(hash=1, book=False)) as engine:
        for move in (one for one in only if review.empties(one) <= 12):
            found = engine.search(review.game.position_at(move.ply - 1), Limits(depth=60, multi_pv=2))
            assert found.lines[0].move == move.move and found.lines[1].discs < found.lines[0].discs


def test_a_stored_review_says_the_same(review: GameReview) -> None:
    again = from_bytes(review.game, to_bytes(review))
    assert again == review and again.ratings() == review.ratings()


@pytest.fixture
def output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.txt").write_text(GAME + "\n")
    found = {}
    for form in ("--json", "--csv", "text"):
        words = [] if form == "text" else [form]
        assert main(["review", "--level", "4", "--processes", "1", str(tmp_path / "a.txt"), *words]) == 0
        found[form] = capsys.readouterr().out
    main(["review", "--level", "4", "--json", "--html", str(tmp_path / "a.html"), str(tmp_path / "a.txt")])
    found["html"] = (tmp_path / "a.html").read_text()
    return found


def test_every_form_of_a_review_tells_it(output: dict[str, str]) -> None:
    found = json.loads(output["--json"])
    sides = [found["players"][color] for color in ("black", "white")]
    rated = [f"{side['rating']} ± {side['rating_error']}" for side in sides]
    noted = [move for move in found["moves"] if move["note"]]
    assert noted
    for form in ("text", "html"):
        assert all(one in output[form] for one in rated)
        assert output[form].count("of players rated") == len(noted)
    assert ",rating,rating_error," in output["--csv"].splitlines()[0]
    assert all(f",{side['rating']},{side['rating_error']}," in output["--csv"] for side in sides)
    for move in found["moves"]:
        assert (move["played_by"] is None) == (move["found_by"] is None)
        assert move["played_by"] is None or 0 <= move["played_by"] <= 1

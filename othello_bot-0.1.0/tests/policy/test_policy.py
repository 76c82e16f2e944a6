"""What people play: the shipped model, its file, and what the engine says of positions."""

from __future__ import annotations

import hashlib
import math
import subprocess
import sys
from array import array
from pathlib import Path

import pytest

from othello_bot.base.errors import DamagedInstallation, InputError
from othello_bot.engine import Engine, Options
from othello_bot.engine.people import PRIOR, STYLE, WEIGHT
from othello_bot.engine.strength import HIGHEST_PERSON, STEPS
from othello_bot.kernel import policy_sizes
from othello_bot.policy import (
    DEPTHS,
    LEAST_RATING,
    MOST_RATING,
    PolicyError,
    Tables,
    model_file,
    pack,
    probabilities,
    shipped,
    unpack,
)
from othello_bot.rules import Game, Position

SIZES = policy_sizes()
OPTIONS = Options(hash=1, book=False)
ROOT = Path(__file__).resolve().parents[2]


def tables() -> Tables:
    """Return a small model."""
    kept, boards = array("i", [0, 5, 70_000, SIZES["vector_rows"], SIZES["rows"] - 1]), array("I", [3, 2**32 - 1])
    vectors = bytes(index % 256 for index in range(4 * SIZES["width"]))
    shares = bytes(range(5 * SIZES["shares"]))
    networks = array("f", [index % 9 / 8 for index in range(SIZES["networks"])])
    return Tables(kept, boards, vectors, shares, 0.25, 0.5, networks)


def test_a_model_is_stored_and_read_back() -> None:
    assert unpack(pack(tables()), "test") == tables()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda data: b"", "begins with OBPEOPL2"),
        (lambda data: b"GIF89a" + data, "begins with OBPEOPL2"),
        (lambda data: data[:-1], "damaged"),
        (lambda data: data[:50] + bytes([data[50] ^ 1]) + data[51:], "damaged"),
        (lambda data: data[:8] + hashlib.sha256(b"").digest(), "model of this version"),
        (lambda data: data[:8] + hashlib.sha256(b"junk").digest() + b"junk", "model of this version"),
    ],
)
def test_a_damaged_file_is_told(damage: object, words: str) -> None:
    assert callable(damage)
    with pytest.raises(PolicyError, match=words):
        unpack(damage(pack(tables())), "test")


def test_a_missing_model_is_a_damaged_installation(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_file, "FILE", tmp_path / "policy.packed")  # type: ignore[operator]
    with pytest.raises(DamagedInstallation, match=r"policy.packed.*install the program again"):
        model_file.shipped.__wrapped__()


def test_the_shipped_model_is_small() -> None:
    assert model_file.FILE.stat().st_size <= 2 << 20
    assert shipped() is shipped()


def test_probabilities_add_up_to_one_and_follow_the_rating() -> None:
    position = Game.from_transcript("f5d6c3d3c4").position
    weak, strong, unknown = (probabilities(position, rating) for rating in (700, 2200, None))
    for chances in (weak, strong, unknown):
        assert sorted(chances) == list(position.legal_moves)
        assert math.fsum(chances.values()) == pytest.approx(1, abs=1e-5)
    assert weak != strong != unknown


@pytest.mark.parametrize("as_scored", [False, True])
def test_ratings_end_where_the_data_do(as_scored: bool) -> None:
    position = Game.from_transcript("f5d6c3d3c4").position
    scores = [dict.fromkeys(position.legal_moves, 2)] * len(DEPTHS) if as_scored else None
    at = {
        rating: probabilities(position, rating, None, scores) for rating in (0, 499, 500, 501, 1949, 1950, 1951, 9999)
    }
    assert at[0] == at[499] == at[500] != at[501]
    assert at[9999] == at[1951] == at[1950] != at[1949]


def test_at_a_glance_ratings_end_earlier() -> None:
    game = Game.from_transcript("f5d6c3d3c4")
    with Engine(OPTIONS) as engine:
        at = {rating: engine.policy(game, rating, alone=True) for rating in (1799, 1800, 1801, 9999)}
        assert at[1799] != at[1800] == at[1801] == at[9999]
        assert engine.policy(game, 1801) != engine.policy(game, 1800)
        assert engine.policy(game, 2500) == engine.policy(game, 1950) != engine.policy(game, 1949)
        with pytest.raises(InputError, match="finite number"):
            engine.policy(game, math.inf, alone=True)


def test_the_steps_of_strength_ask_for_no_rating_beyond_the_data() -> None:
    people = [step.person.rating for step in STEPS if step.person is not None]
    assert (min(people), max(people)) == (LEAST_RATING, MOST_RATING)
    assert HIGHEST_PERSON == MOST_RATING


def test_every_page_names_the_ratings_at_which_people_end() -> None:
    pages = ("docs/policy.md", "docs/strength.md", "docs/browser.md", "docs/tool-server.md")
    for page in (*pages, "protocol/README.md", "othello_bot/web/static/study.js"):
        assert str(MOST_RATING) in (ROOT / page).read_text("utf-8"), page
    words = " ".join((ROOT / "docs/policy.md").read_text("utf-8").split())
    mean, spread = PRIOR
    assert f"a prior of {mean:g} ± {spread:g}" in words
    assert f"counts {WEIGHT:g} times" in words and f"by {STYLE:g} points" in words


@pytest.mark.parametrize("rating", [math.nan, math.inf])
def test_a_rating_that_is_no_number_is_refused(rating: float) -> None:
    with pytest.raises(InputError, match="finite number"):
        probabilities(Position.start(), rating)


def test_people_answer_the_first_move_as_their_openings_do() -> None:
    with Engine(OPTIONS) as engine:
        chances = engine.policy(Game.from_transcript("f5"), 1500)
    assert max(chances, key=chances.__getitem__) in (43, 45)  # d6, the perpendicular, or f6, the diagonal
    assert chances[29] < 0.1  # f4, the parallel


def test_people_take_a_corner_that_costs_nothing() -> None:
    # a1 is offered beside poor moves; White's edge has no holes.
    position = Position.parse("-OOOOOX-" + "--XXXX--" + "--XOOX--" + "--XOOX--" + "--XXXX--" + 24 * "-" + "X")
    with Engine(OPTIONS) as engine:
        for alone in (True, False):
            assert engine.policy(position, 1500, alone=alone)[0] > 0.5


def test_without_a_move_there_is_nothing_to_play() -> None:
    full = Position.parse(64 * "X" + "O")
    with Engine(OPTIONS) as engine:
        assert engine.policy(full) == {}


def test_the_search_makes_a_difference_and_asks_nothing_of_the_engine() -> None:
    game = Game.from_transcript("f5d6c3d3c4f4c5b3c2e3")
    with Engine(OPTIONS) as engine:
        blended, alone = engine.policy(game), engine.policy(game, alone=True)
        assert blended != alone and sorted(blended) == sorted(alone)
        assert engine.policy(game) == blended


def test_the_last_move_counts() -> None:
    game = Game.from_transcript("f5d6c3d3c4f4c5b3c2e3")
    with Engine(OPTIONS) as engine:
        assert engine.policy(game) != engine.policy(game.position)


@pytest.mark.process
def test_a_session_starts_without_the_model() -> None:
    program = (
        "import sys\n"
        "from othello_bot import Engine, Options, Position\n"
        "from othello_bot.policy.model_file import shipped\n"
        "with Engine(Options(hash=1, book=False, level=1)) as engine: engine.choose(Position.start())\n"
        "sys.exit(shipped.cache_info().currsize)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

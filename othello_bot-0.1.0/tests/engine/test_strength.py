"""The option `strength`: names and numbers, who plays at it, and what it leaves alone."""

from __future__ import annotations

import itertools

import pytest

from othello_bot.base.notation import Color
from othello_bot.book.book import Book
from othello_bot.engine.engine import Engine
from othello_bot.engine.limits import Limits
from othello_bot.engine.options import OptionError, Options
from othello_bot.engine.people import UNLIKELY, PeopleModel, PersonChooser
from othello_bot.engine.player import Choice
from othello_bot.engine.request import carried_out
from othello_bot.engine.strength import CHAMPION, NAMES, STEPS, Person, in_words, step
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.session.fake_search import FakeSearch
from tests.session.harness import SMALL, in_process, replies

START = Position.start()
LEVEL = next(number for number, one in enumerate(STEPS, 1) if one.level is not None)
"""The lowest step that is a level of the engine."""


def choose_now(engine: Engine, position: Position, limits: Limits) -> Choice:
    return carried_out(engine.player.choose(position, limits), engine.answer)


def test_steps_have_numbers_and_some_have_names() -> None:
    assert Options().strength == CHAMPION == len(STEPS)
    assert Options().text("strength") == "champion"
    assert Options().with_value("strength", "Beginner").strength == 1
    assert [Options().with_value("strength", name).strength for name, _ in NAMES] == [number for _, number in NAMES]
    names = {number: name for name, number in NAMES}
    assert Options().with_value("strength", "2").text("strength") == names.get(2, "2")
    assert [number for _, number in NAMES] == sorted({number for _, number in NAMES})


@pytest.mark.parametrize("text", ["0", "-1", str(CHAMPION + 1), "99", "3001", "grandmother", "", "1500.5"])
def test_what_is_no_step_and_no_rating_is_refused(text: str) -> None:
    rating = r"a rating of 100 to 3000 \(people end at 1950\)"
    with pytest.raises(OptionError, match=f"expected 1 to {CHAMPION}, {rating}, or beginner, .*n"):
        Options().with_value("strength", text)


@pytest.mark.parametrize(("rating", "nearest"), [(100, 500), (570, 610), (1350, 1350), (1400, 1350), (3000, 1950)])
def test_a_rating_is_the_step_of_the_nearest_one(rating: int, nearest: int) -> None:
    for given in (str(rating), rating):
        person = step(Options(strength=given).strength).person
        assert person is not None and person.rating == nearest


def test_steps_are_told_in_words() -> None:
    assert in_words(Options(strength="club").strength) == "rated 1350"
    assert in_words(CHAMPION) == "the engine"
    assert in_words(CHAMPION - 1) == f"the engine at level {step(CHAMPION - 1).level}"


def test_the_lower_steps_are_people_then_levels_then_the_engine_as_it_is() -> None:
    kinds = ["person" if one.person else "champion" if one.level is None else "level" for one in STEPS]
    assert kinds == sorted(kinds, key=["person", "level", "champion"].index)
    assert kinds.count("champion") == 1
    levels = [one.level for one in STEPS if one.level is not None]
    assert levels == sorted(set(levels))


def test_people_are_rated_higher_look_more_and_choose_more_narrowly_with_each_step() -> None:
    people = [one.person for one in STEPS if one.person is not None]
    for weaker, stronger in itertools.pairwise(people):
        assert weaker.rating <= stronger.rating and weaker.look <= stronger.look and weaker.width >= stronger.width
        assert weaker != stronger
    club = dict(NAMES)["club"]
    upper = [one.person for one in STEPS[club - 1 :] if one.person is not None]
    assert all(one.look >= 1 and one.width == 1 for one in upper) and upper[0].look == 1


def test_a_person_plays_instead_of_the_search() -> None:
    search = FakeSearch()
    options = SMALL.with_value("strength", "1").with_value("seed", "5")
    game = Game.from_transcript("f5d6c3")
    with Engine(options, search=search) as engine:
        choice = carried_out(engine.player.choose(game, Limits(level=21)), engine.answer)
        person = step(1).person
        assert person is not None
        assert (choice.move, choice.source) == (PersonChooser(person, 5).choose(game.position, 18), "person")
    assert search.runs == []


def test_a_person_draws_from_what_people_of_the_rating_play() -> None:
    position = Game.from_transcript("f5d6c3d3c4").position
    expected = PeopleModel().chances(position, 1350, None)
    drawn = [PersonChooser(Person(1350), seed).choose(position) for seed in range(300)]
    for move, chance in expected.items():
        assert drawn.count(move) / 300 == pytest.approx(chance, abs=0.09)


def test_nobody_plays_a_move_that_no_person_would_consider() -> None:
    position = Game.from_transcript("f5d6c3d3c4f4c5b3c2").position
    weakest = step(1).person
    assert weakest is not None
    alone = PeopleModel().chances(position, weakest.rating, None, alone=True)
    considered = PersonChooser(weakest, 0).chances(position, None)
    assert set(considered) == {move for move, chance in alone.items() if chance >= UNLIKELY * max(alone.values())}
    assert len(considered) > 1


def test_people_pass_where_they_must() -> None:
    assert PersonChooser(Person(1500), 1).choose(Position.parse(64 * "X" + " X")) == 64


@pytest.mark.parametrize("number", [1, 5, 7, 10, 14])
def test_no_limit_changes_what_a_person_plays(number: int) -> None:
    position = Game.from_transcript("f5d6c3d3c4f4").position
    options = SMALL.with_value("strength", str(number)).with_value("seed", "5").with_value("book", "off")
    with Engine(options) as engine:
        every = [Limits(level=1), Limits(level=60, depth=1), Limits(nodes=1), Limits(move_time_s=60.0)]
        assert len({choose_now(engine, position, limits).move for limits in every}) == 1
        engine.set_option("level", 30)
        engine.set_option("depth", 2)
        assert choose_now(engine, position, engine.default_limits()).move == choose_now(engine, position, every[0]).move


def test_a_level_counts_for_itself_and_time_only_as_a_limit() -> None:
    search = FakeSearch()
    with Engine(SMALL.with_value("strength", str(LEVEL)), search=search, book=Book()) as engine:
        choose_now(engine, START, Limits(level=60, depth=1, nodes=7, move_time_s=5.0))
    (limits,) = [limits for _, limits, _, _ in search.runs]
    assert limits == Limits(level=step(LEVEL).level, move_time_s=5.0)


def test_the_champion_plays_as_without_the_option() -> None:
    runs = []
    for options in (SMALL, SMALL.with_value("strength", "champion")):
        search = FakeSearch()
        with Engine(options, search=search, book=Book()) as engine:
            choose_now(engine, START, Limits(depth=3))
        runs.append([limits for _, limits, _, _ in search.runs])
    assert runs[0] == runs[1] == [Limits(depth=3)]


def test_people_play_their_own_openings() -> None:
    game = Game.from_transcript("f5")
    for number, one in enumerate(STEPS, 1):
        with Engine(SMALL.with_value("strength", str(number)), search=FakeSearch()) as engine:
            assert (choose_now(engine, game.position, Limits(level=1)).source == "book") == (one.person is None)


def test_hints_and_analysis_stay_those_of_the_engine() -> None:
    lines = "setoption level 3\nplay f5d6c3\nhint 2\nanalyze 2\nstats\n"
    plain, weak = (replies(in_process(f"setoption strength {name}\n{lines}")) for name in ("champion", "beginner"))
    assert plain[3:5] == weak[3:5]


def test_the_same_seed_plays_the_same_game_and_another_one_does_not() -> None:
    def game(seed: int) -> str:
        lines = ["setoption strength beginner", f"setoption seed {seed}", *["genmove"] * 12, "transcript\n"]
        return replies(in_process("\n".join(lines)))[-1]

    assert game(1) == game(1)
    assert len({game(seed) for seed in range(5)}) > 3


@pytest.mark.slow
def test_a_rating_follows_from_the_moves_of_games() -> None:
    people_model = PeopleModel()
    assert people_model.rating([]) == pytest.approx((1400, 255), abs=15)
    found = []
    for rating in (900, 1500, 2100):
        person, games = PersonChooser(Person(rating), 7), []
        for start in ("f5d6c3", "f5f6e6f4"):
            game = Game.from_transcript(start)
            while game.position.empties > 36:
                game.play(person.choose(game.position, game.moves[-1]) if not game.position.must_pass else 64)
            games.append(game)
        both = [(game, color) for game in games for color in Color]
        mean, error = people_model.rating(both)
        found.append(mean)
        assert error < 250
    assert found == sorted(found) and found[0] < 1300 and found[2] > 1600

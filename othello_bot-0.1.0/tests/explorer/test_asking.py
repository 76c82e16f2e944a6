"""What a base says about positions, against a slow count of all games."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from othello_bot.base.errors import InputError
from othello_bot.base.notation import PASS, Color, format_transcript, parse_square
from othello_bot.explorer import GameBase, Players, Selection, games_of
from othello_bot.formats.record import GameRecord, Range, plain
from othello_bot.formats.writing import write_games
from othello_bot.rules import SYMMETRIES, Game, Position
from tests.explorer.games import PROGRAMS, SHORT, as_slow, built, made_up, slow_explored

RECORDS = made_up()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> GameBase:
    return built(tmp_path_factory.mktemp("base") / "games.base", RECORDS)


def sample(count: int, seed: int = 5) -> list[Position]:
    """Return positions of the games, the start among them, some of them mirrored."""
    rng = random.Random(seed)
    found = [Position.start()]
    while len(found) < count:
        game = rng.choice(RECORDS).game
        found.append(game.position_at(rng.randrange(game.ply + 1)).transform(rng.choice(SYMMETRIES)))
    return found


def test_every_count_is_that_of_a_slow_loop(base: GameBase) -> None:
    assert len(base) == len(RECORDS)
    for position in sample(60):
        assert as_slow(base.explore(position)) == slow_explored(position, RECORDS), position


def _by(players: str, opponents: str, color: Color | None) -> Callable[[GameRecord], bool]:
    def takes(record: GameRecord) -> bool:
        black, white = plain(record.black), plain(record.white)
        as_black = players in black and opponents in white and color is not Color.WHITE
        return as_black or (players in white and opponents in black and color is not Color.BLACK)

    return takes


def _rated(record: GameRecord, low: float, high: float) -> bool:
    return all(rating is not None and low <= rating <= high for rating in (record.black_rating, record.white_rating))


def _programs(record: GameRecord) -> int:
    return (record.black in PROGRAMS) + (record.white in PROGRAMS)


LIST = Players(names={plain(name) for name in PROGRAMS})
SELECTIONS: tuple[tuple[Selection, Callable[[GameRecord], bool]], ...] = (
    (Selection(years=Range(2000, 2010)), lambda one: one.date[:4] in ("2004", "2010")),
    (Selection(rating=Range(1200, 2300)), lambda one: _rated(one, 1200, 2300)),
    (Selection(player="aberg"), _by("aberg", "", None)),
    (Selection(player="BO", color=Color.WHITE), _by("bo", "", Color.WHITE)),
    (Selection(player="cy", color=Color.BLACK, opponent="ed"), _by("cy", "ed", Color.BLACK)),
    (Selection(player="cy", opponent="bo"), _by("cy", "bo", None)),
    (Selection(event="cup"), lambda one: one.event == "Tokyo Cup"),
    (Selection(results=frozenset(("black",))), lambda one: (one.result or 0) > 0),
    (Selection(results=frozenset(("draw", "white"))), lambda one: one.result is not None and one.result <= 0),
    (Selection(results=frozenset(("unknown",))), lambda one: one.result is None),
    (Selection(between="people", programs=LIST), lambda one: _programs(one) == 0),
    (Selection(between="programs", programs=LIST), lambda one: _programs(one) == 2),
    (Selection(between="both", programs=LIST), lambda one: _programs(one) == 1),
    (Selection(years=Range(1999, 1999), player="ann"), lambda one: one.date == "1999" and _by("ann", "", None)(one)),
    (Selection(player="nobody"), lambda one: False),
)


@pytest.mark.parametrize(("selection", "takes"), SELECTIONS)
def test_every_filter_counts_as_a_slow_loop(
    base: GameBase, selection: Selection, takes: Callable[[GameRecord], bool]
) -> None:
    records = [record for record in RECORDS if takes(record)]
    for position in sample(12):
        assert as_slow(base.explore(position, selection)) == slow_explored(position, records), position
    assert len(list(base.all_games(selection))) == len(records)


def test_symmetric_moves_are_one_and_the_rightmost_is_shown(base: GameBase) -> None:
    (first,) = base.explore(Position.start()).moves
    assert first.move == parse_square("f5")
    assert first.symmetric == tuple(map(parse_square, ("d3", "c4", "e6")))


@pytest.mark.parametrize("index", SYMMETRIES)
def test_an_opening_in_any_of_eight_directions_is_one(base: GameBase, index: int) -> None:
    position = Game.from_transcript("f5d6c3").position
    there = base.explore(position.transform(index))
    assert there.counts == base.explore(position).counts
    assert all(move.move in there.position.legal_moves for move in there.moves)


def test_a_position_counts_by_whichever_moves_it_was_reached(tmp_path: Path) -> None:
    lines = "f5d6c3d3c4", "f5d6c4d3c3"
    with built(
        tmp_path / "b",
        [GameRecord(Game.from_transcript(line + more)) for line, more in zip(lines, ("f4", "b3"), strict=True)],
    ) as base:
        both = base.explore(Game.from_transcript(lines[0]).position)
    assert both.counts.games == 2
    assert {(one.move, one.counts.games) for one in both.moves} == {(parse_square("f4"), 1), (parse_square("b3"), 1)}


def test_a_forced_pass_and_the_end_of_games_are_told(tmp_path: Path) -> None:
    game = next(one for one in (record.game for record in RECORDS) if PASS in one.moves and one.is_over)
    with built(tmp_path / "b", [GameRecord(game)]) as base:
        passed = base.explore(game.position_at(game.moves.index(PASS)))
        assert [(one.move, one.counts.games) for one in passed.moves] == [(PASS, 1)]
        last = base.explore(game.position)
        assert (last.ended, last.moves) == (1, ())
        assert last.counts.won + last.counts.drawn + last.counts.lost == 1


def test_a_position_that_nobody_reached_has_no_games(base: GameBase) -> None:
    explored = base.explore(Position(1, 2))
    assert (explored.counts.games, explored.moves) == (0, ())


def test_games_behind_a_number_come_newest_or_strongest_first_a_page_at_a_time(base: GameBase) -> None:
    position = Game.from_transcript("f5").position
    everything = base.games(position, count=1000)
    assert len(everything) == base.explore(position).counts.games
    dates = [one.date for one in everything]
    assert dates == sorted(dates, reverse=True)
    pages = [one.number for first in range(0, 20, 7) for one in base.games(position, first=first, count=7)]
    assert pages == [one.number for one in everything[:21]]
    strongest = base.games(position, order="strongest", count=1000)
    sums = [(one.black_rating or 0) + (one.white_rating or 0) for one in strongest]
    assert sums == sorted(sums, reverse=True)
    assert {one.number for one in strongest} == {one.number for one in everything}
    for one in everything:
        there = one.game().position_at(one.ply)
        assert there.canonical()[0].mover == position.canonical()[0].mover


def test_games_of_a_move_are_as_many_as_it_says(base: GameBase) -> None:
    for position in sample(20):
        for one in base.explore(position).moves:
            for move in (one.move, *one.symmetric):
                assert len(base.games(position, move, count=1000)) == one.counts.games


def test_games_refuse_an_unknown_order_and_too_many(base: GameBase) -> None:
    with pytest.raises(InputError, match="newest or strongest"):
        base.games(Position.start(), order="oldest")
    with pytest.raises(InputError, match="at most 10000"):
        base.games(Position.start(), first=9990, count=20)
    with pytest.raises(InputError, match="1 to 120"):
        base.game(121)


def test_a_game_comes_back_as_it_was(base: GameBase) -> None:
    for number, record in enumerate(RECORDS, 1):
        found = base.game(number)
        assert (found.black, found.white, found.event, found.date) == (
            record.black,
            record.white,
            record.event,
            record.date,
        )
        assert found.game().position == record.game.position
        assert found.result == record.result


def test_a_novelty_is_the_first_move_after_which_no_earlier_game_is_left(tmp_path: Path) -> None:
    known = [
        GameRecord(Game.from_transcript(SHORT[:20]), black="Old", date="1990"),
        GameRecord(Game.from_transcript(SHORT[:12]), date="2020"),
    ]
    with built(tmp_path / "b", known) as base:
        game = Game.from_transcript(SHORT)
        novelty = base.novelty(game, "2000")
        assert (novelty.ply, novelty.move, novelty.games) == (10, parse_square(SHORT[20:22]), 1)
        assert [one.black for one in novelty.followed] == ["Old"]
        assert base.novelty(game, "1980").ply == 0
        assert base.novelty(Game.from_transcript(SHORT[:8])).move is None
        assert base.novelty(known[0].game, own=1).ply == 6


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"color": Color.BLACK}, "name of a player"),
        ({"opponent": "Bo"}, "name of a player"),
        ({"results": frozenset(("loss",))}, "black, white, draw, unknown"),
        ({"between": "people"}, "list of the programs"),
        ({"between": "robots", "programs": LIST}, "people, programs, both"),
    ],
)
def test_filters_that_do_not_fit_together_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Selection(**wrong)  # type: ignore[arg-type]


def test_it_answers_in_an_event_loop_too(base: GameBase) -> None:
    assert asyncio.run(base.explore_async(Position.start())) == base.explore(Position.start())


def test_lines_are_as_long_as_enough_games_have_them(tmp_path: Path) -> None:
    moves = "f5d6c3d3c4", "f5d6c3d3c4f4", "d3c5f6f5e6", "f5d6c4", "f5f6", "f5d6c4d3c3"
    with built(tmp_path / "b", [GameRecord(Game.from_transcript(line)) for line in moves]) as base:
        assert [format_transcript(line) for line in base.lines(2, 20)] == ["f5d6c3d3c4", "f5d6c4"]
        assert [format_transcript(line) for line in base.lines(2, 2)] == ["f5d6"]
        assert list(base.lines(7, 20)) == []
        after = Game.from_transcript("f5d6c4").position
        assert [format_transcript(line) for line in base.lines(1, 2, after)] == ["d3c3"]


def test_a_base_is_read_where_files_of_games_are(base: GameBase, tmp_path: Path) -> None:
    found = [one.checked() for one in games_of(base.path)]
    assert [(one.black, one.date, one.result) for one in found] == [
        (one.black, one.date, one.result) for one in RECORDS
    ]
    write_games(RECORDS[:3], tmp_path / "g.ggf")
    assert len(list(games_of(tmp_path / "g.ggf"))) == 3

"""One choice at every door: the same seed and options play the same move in the same game, whoever asks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from othello_bot.base.clocks import ClockState
from othello_bot.base.notation import move_name
from othello_bot.engine.async_engine import AsyncEngine as PlayingEngine
from othello_bot.engine.engine import Engine
from othello_bot.engine.options import Options
from othello_bot.engine.request import carried_out
from othello_bot.play.players import Seats, parse_player
from othello_bot.review.engines import AsyncEngine
from othello_bot.rules.game import Game
from othello_bot.tools.mcp_server import McpGames
from othello_bot.web.messages import AskMove, parse
from othello_bot.web.work import choose_move
from tests.play.evening import Evening
from tests.session.harness import in_process, replies

HOURS = ClockState(3600.0)

Door = Callable[[Options, str], str]
"""Returns the move that a door plays with these options after these moves."""


def python(options: Options, moves: str) -> str:
    with Engine(options) as engine:
        return move_name(engine.choose(Game.from_transcript(moves)).move)


def session(options: Options, moves: str) -> str:
    plays = "".join(f"play {moves[at : at + 2]}\n" for at in range(0, len(moves), 2))
    return replies(in_process(f"{plays}genmove\n", options=options))[-1].split()[-1].lower()


def gtp(options: Options, moves: str) -> str:
    plays = "".join(f"play {'bw'[at // 2 % 2]} {moves[at : at + 2]}\n" for at in range(0, len(moves), 2))
    return replies(in_process(f"{plays}genmove {'bw'[len(moves) // 2 % 2]}\n", options=options))[-1].split()[-1].lower()


def asyncio_engine(options: Options, moves: str) -> str:
    async def chosen() -> int:
        async with PlayingEngine(options) as engine:
            game = Game.from_transcript(moves)
            choosing = asyncio.ensure_future(engine.choose(game))
            await asyncio.sleep(0)
            game.play(game.position.legal_moves[0])  # the choice is that of the game as it was
            return (await choosing).move

    return move_name(asyncio.run(chosen()))


def game_server(options: Options, moves: str) -> str:
    async def chosen() -> int:
        async with PlayingEngine(options) as player:
            return (await player.choose(Game.from_transcript(moves), HOURS)).move

    return move_name(asyncio.run(chosen()))


def tool_server(options: Options, moves: str) -> str:
    async def chosen() -> str:
        table = McpGames()
        async with AsyncEngine(options) as table._engine:
            return await table.best_move(moves, options.text("strength"), 10)

    return asyncio.run(chosen()).split()[0]


def terminal(options: Options, moves: str) -> str:
    game, engine = Game.from_transcript(moves), parse_player("engine")
    assert options.seed is not None
    with Seats(engine, engine, engine, options.seed - game.position.color, options) as seats:
        player = seats.computer(game.position.color)
        assert player is not None
        return move_name(player.choose(game).move)


def adviser(options: Options, moves: str) -> str:
    evening = Evening("go", "quit", game=Game.from_transcript(moves), adviser="engine", options=options)
    return evening.moves.split()[-1][-2:]


def page(options: Options, moves: str) -> str:
    ask = parse(f'{{"do": "move", "id": 1, "moves": "{moves}", "strength": {options.strength}, "seed": 4}}')
    assert isinstance(ask, AskMove)
    with Engine(options) as engine:
        return str(carried_out(choose_move(engine, ask, 3600.0), engine.answer)["move"])


DOORS: tuple[Door, ...] = (session, gtp, asyncio_engine, tool_server, terminal)
OPENINGS = ("f5d6c3d3c4f4f6", "c4c5d6c7d7e3c6b6", "d3e3f2c5f5f3e6f1d6g5")
"""Games in which people play other moves if they do not know the last one."""


def options_of(moves: str, **settings: object) -> Options:
    return Options(hash=2, level=6, seed=len(moves), **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize(
    "settings",
    [
        {"strength": "novice"},
        {"strength": "strong"},
        {"variety": "little"},
        {"variety": "much"},
        {"book_randomness": 60},
    ],
    ids=str,
)
def test_a_seed_plays_the_same_move_at_every_door(door: Door, settings: dict[str, object]) -> None:
    for moves in OPENINGS:
        options = options_of(moves, **settings)
        assert door(options, moves) == python(options, moves)


@pytest.mark.parametrize("strength", ["beginner", "novice", "casual", "club", "strong"])
@pytest.mark.parametrize("door", [game_server, adviser], ids=lambda door: door.__name__)
def test_people_know_the_last_move_also_as_advisers_and_on_the_game_server(door: Door, strength: str) -> None:
    for moves in OPENINGS:
        options = options_of(moves, strength=strength)
        assert door(options, moves) == python(options, moves)


@pytest.mark.parametrize("settings", [{"strength": "strong"}, {"variety": "little"}], ids=str)
def test_the_page_plays_the_same_with_the_seed_of_its_move(settings: dict[str, object]) -> None:
    for moves in OPENINGS:
        seed = 4 * 129 + len(moves) // 2
        options = options_of(moves, **settings)
        assert page(options, moves) == python(replace(options, seed=seed), moves)


def test_the_last_move_matters_to_people() -> None:
    """The tests above mean something: a position alone gives other moves."""
    differing = 0
    for moves in OPENINGS:
        for seed in range(20):
            with Engine(Options(hash=1, strength="strong", seed=seed)) as engine:
                game = Game.from_transcript(moves)
                differing += engine.choose(game).move != engine.choose(game.position).move
    assert differing > 0

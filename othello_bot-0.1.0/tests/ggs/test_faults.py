"""Matches at the fake server, without faults and with each of them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from othello_bot.base.notation import format_transcript
from othello_bot.engine import Options
from othello_bot.engine.async_engine import AsyncEngine
from othello_bot.ggs.client import LoginRefused
from othello_bot.ggs.policy import Acceptance, Policy
from tests.ggs.fake_server import FakeServer
from tests.ggs.playing import QUICK, PlayingClient, RandomPlayer, both, offering, running, until


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 120.0))


def require_all_saved_once(server: FakeServer, *players: PlayingClient) -> None:
    """Fail unless each game that ended is saved once by each player, with all its moves and its result."""
    played = sorted(
        (
            match.players[game.black],
            format_transcript(move for move, _, _ in game.moves),
            match.black_result(game),
        )
        for match in server.finished
        for game in match.games
    )
    for player in players:
        saved = [(one.black, format_transcript(one.game.moves), one.result) for one in player.saved()]
        assert sorted(saved) == played
    assert not server.timeouts


async def play(
    folder: Path, kind: str = "s8r18", matches: int = 1, faults: dict[str, object] | None = None
) -> tuple[FakeServer, PlayingClient, PlayingClient]:
    """Play matches that ann offers to ben."""
    async with FakeServer() as server:
        for name, value in (faults or {}).items():
            setattr(server.faults, name, value)
        ann, ben = both(server, folder, kind)
        async with running(ann, ben):
            await until(lambda: len(server.finished) >= matches)
            await until(lambda: len(ann.saved()) == len(ben.saved()) == sum(len(one.games) for one in server.finished))
            require_all_saved_once(server, ann, ben)
        return server, ann, ben


@pytest.mark.slow
@pytest.mark.parametrize("kind", ("8", "8b", "8w", "s8", "s8r18"))
def test_a_match_of_each_type(tmp_path: Path, kind: str) -> None:
    async def match() -> None:
        server, ann, ben = await play(tmp_path, kind)
        assert not server.refusals
        ended = {match.name(index) for match in server.finished for index in range(len(match.games))}
        assert ended.isdisjoint(game.id for game in ann.games), "a game that ended is followed still; a new one may be"
        for player in (ann, ben):
            assert isinstance(player.player, RandomPlayer) and player.player.ahead
        (record, *_) = ann.saved()
        assert record.clock is not None and (record.clock.main_s, record.clock.grace_s) == (300.0, 120.0)
        assert record.black_rating == 1720.0 and record.place == "GGS/os"
        own = [
            note for ply, note in record.notes.items() if (record.game.color_at(ply) == 0) == (record.black == "ann")
        ]
        assert all(note.score == 1.5 for note in own), "our scores are saved though they were not sent"
        assert any("ben" in line and "move" in line and ":" in line and "left" in line for line in ann.statuses)

    run(match())


@pytest.mark.slow
@pytest.mark.parametrize(
    "faults",
    (
        {"pieces": 40},
        {"pieces": 100, "delay_s": 0.001},
        {"garbage": {"ann": b"\xff\xfb\x01\x00\x1b[2J\xc3\x28 noise \r\n|   A B C\n", "ben": b"/os: update .1\n"}},
        {"lost": {"ann": 2, "ben": 1}},
        {"damaged": {"ann": 3, "ben": 3}},
        {"clocks": {"ann": "-00:10,0:0//02:00,0:0", "ben": "99:99:99,0:0//00:00,0:0"}},
        {"clocks": {"ann": "no clock at all"}, "damaged": {"ben": 1}},
    ),
    ids=("pieces", "delay", "garbage", "lost", "damaged", "clocks", "unreadable"),
)
def test_faults_of_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: dict[str, object]) -> None:
    monkeypatch.setattr("othello_bot.ggs.client.ECHO_S", 0.1)
    monkeypatch.setattr("othello_bot.ggs.client.ASK_AGAIN_S", 0.05)

    async def match() -> None:
        async with FakeServer() as server:
            ann, ben = both(server, tmp_path)
            async with running(ann, ben):
                await until(lambda: bool(ann.games) and bool(ben.games))
                for name, value in faults.items():
                    if isinstance(value, dict):
                        getattr(server.faults, name).update(value)
                    else:
                        setattr(server.faults, name, value)
                if "no clock at all" in str(faults):
                    await asyncio.sleep(0.3)
                    server.faults.clocks.clear()
                await until(lambda: bool(server.finished))
                await until(lambda: len(ann.saved()) >= 2 and len(ben.saved()) >= 2)
                server.faults.clocks.clear()
                done = len(server.finished)
                await until(lambda: len(server.finished) > done, 20)
                await until(lambda: len(ann.saved()) == len(ben.saved()) == 2 * len(server.finished))
                require_all_saved_once(server, ann, ben)

    run(match())


@pytest.mark.slow
def test_cuts_of_the_connection(tmp_path: Path) -> None:
    async def matches() -> None:
        source = random.Random(5)
        async with FakeServer() as server:
            ann, ben = both(server, tmp_path)
            async with running(ann, ben):
                for _ in range(12):
                    await until(lambda: bool(ann.games) and bool(ben.games))
                    await asyncio.sleep(source.uniform(0.0, 0.08))
                    server.cut(source.choice(("ann", "ben")))
                done = len(server.finished)
                await until(lambda: len(server.finished) > done)
                await until(lambda: not server.matches and not ann.ledger.interrupted and not ben.ledger.interrupted)
                await until(lambda: len(ann.saved()) == len(ben.saved()) == 2 * len(server.finished))
                require_all_saved_once(server, ann, ben)
            assert ann.runner.connections + ben.runner.connections >= 10

    run(matches())


def test_a_match_that_ended_while_we_were_away_is_saved_from_the_archive(tmp_path: Path) -> None:
    async def match() -> None:
        async with FakeServer() as server:
            ann, ben = (
                PlayingClient("ann", server, tmp_path, offering("s8", "ben", every_s=60.0)),
                PlayingClient("ben", server, tmp_path),
            )
            async with running(ann, ben):
                await until(lambda: any(game.ply > 20 for game in ann.games))
                server.faults.mute = {"ann"}
                ended = next(iter(server.matches.values()))
                server.faults.lost = {}
                server.cut("ann")
                await until(lambda: bool(server.stored) and "ann" not in server.writers)
                counter = next(iter(server.stored))
                ended = server.stored.pop(counter)
                for game in ended.games:
                    while not game.position.is_over:
                        legal = game.position.legal_moves
                        move = legal[0] if legal else 64
                        game.moves.append((move, "", "1.00"))
                        game.position = game.position.play(move)
                server.archive[counter] = ended
                server.finished.append(ended)
                server.faults.mute = set()
                server.cut("ann")
                await until(lambda: len(ann.saved()) == 2 and len(ben.saved()) == 2)
            require_all_saved_once(server, ann, ben)

    run(match())


def test_an_aborted_match_is_saved_without_a_result_and_counts_against_who_left(tmp_path: Path) -> None:
    async def match() -> None:
        async with FakeServer() as server:
            policy = Policy(Acceptance(breaks=2, abort_plies=60))
            ann = PlayingClient("ann", server, tmp_path, policy, player=RandomPlayer(1, 0.02))
            ben = PlayingClient("ben", server, tmp_path, offering("8", "ann"), player=RandomPlayer(2, 0.02))
            async with running(ann, ben):
                for count in (1, 2):
                    await until(lambda: any(game.ply > 3 for game in ann.games))
                    server._command("ben", ["tell", "/os", "abort", next(iter(server.matches))])
                    await until(lambda count=count: len(ann.saved()) == count)  # type: ignore[misc]
                await until(lambda: any("tell ben Sorry" in line for name, line in server.received if name == "ann"))
            records = ann.saved()
            assert [record.result for record in records] == [None, None] and not server.finished
            assert records[0].comment == "aborted" and records[0].game.ply > 3

    run(match())


def test_the_server_goes_quiet_and_comes_back(tmp_path: Path) -> None:
    async def match() -> None:
        async with FakeServer() as server:
            pauses = QUICK.__class__(**{**{name: getattr(QUICK, name) for name in QUICK.__slots__}, "silence_s": 0.3})
            ann = PlayingClient("ann", server, tmp_path, offering("s8r18", "ben"), pauses)
            ben = PlayingClient("ben", server, tmp_path)
            async with running(ann, ben):
                await until(lambda: bool(ann.games))
                server.faults.mute = {"ann"}
                await until(lambda: ann.runner.connections > 1)
                server.faults.mute = set()
                await until(lambda: bool(server.finished))
                await until(lambda: len(ann.saved()) >= 2)
            assert any("the server is silent" in line for line in ann.reports)

    run(match())


def test_a_wrong_password_ends_the_client_and_is_in_no_log(tmp_path: Path) -> None:
    async def attempt() -> None:
        async with FakeServer() as server:
            ann = PlayingClient("ann", server, tmp_path, password="hunter2")
            with pytest.raises(LoginRefused, match="ann"):
                await ann.runner.run()
            ann.log.close()
            log = (tmp_path / "ann.log").read_text()
            assert "> (password)" in log and "> ann" in log and "hunter2" not in log + str(ann.reports)

    run(attempt())


def test_people_get_help_and_the_score_only_when_they_ask(tmp_path: Path) -> None:
    async def talk() -> None:
        async with FakeServer() as server:
            ann = PlayingClient("ann", server, tmp_path)
            ben = PlayingClient("ben", server, tmp_path, offering("8", "ann"), player=RandomPlayer(2, 0.05))
            async with running(ann, ben):
                await until(lambda: any(game.ply > 3 for game in ann.games))
                for text in ("hello", "hello", "what is your score?"):
                    server._write("ann", f"\nben: {text}\nREADY\n")
                await until(lambda: any("my score" in line for _, line in server.received))
            said = [line for name, line in server.received if name == "ann" and line.startswith("tell ben")]
            assert len(said) == 2 and "I am a program" in said[0] and "+1.5 (4@100%)" in said[1]
            plays = [line for name, line in server.received if name == "ann" and "play" in line]
            assert plays and all("//" in line for line in plays), "moves are sent without their score"

    run(talk())


@pytest.mark.slow
def test_the_engine_plays_both_boards(tmp_path: Path) -> None:
    async def match() -> None:
        options = Options(level=1, hash=1, threads=1, ponder=True)
        async with FakeServer() as server, AsyncEngine(options) as engine:
            ann = PlayingClient("ann", server, tmp_path, offering("s8r18", "ben"), player=engine)
            ben = PlayingClient("ben", server, tmp_path)
            async with running(ann, ben):
                await until(lambda: bool(server.finished))
                await until(lambda: len(ann.saved()) == len(ben.saved()) == 2 * len(server.finished))
                require_all_saved_once(server, ann, ben)

    run(match())


def test_leaving_waits_for_the_match(tmp_path: Path) -> None:
    async def match() -> None:
        async with FakeServer() as server:
            ann, ben = both(server, tmp_path)
            async with running(ben):
                task = asyncio.create_task(ann.runner.run())
                await until(lambda: bool(ann.games))
                ann.runner.leave()
                await task
                await until(lambda: len(ben.saved()) == 2)
            assert len(server.finished) == 1
            require_all_saved_once(server, ann, ben)

    run(match())

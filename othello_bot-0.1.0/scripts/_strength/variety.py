"""What variety costs: the moves of `play` and of the page, with variety and without, judged by a deeper search.

The champion plays as each door has it by default, from the start position with the book. Its moves before ply `PLIES` are
judged at level `LEVEL` with an empty table: the best move's score once, and the played move's if it is another. Games
and judgements are kept in a database, so that the same command resumes, and positions are judged once for all games.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from othello_bot.base.files import cache_folder
from othello_bot.base.notation import PASS
from othello_bot.base.version import __version__
from othello_bot.engine import Engine, Limits, Options, carried_out
from othello_bot.engine.strength import CHAMPION
from othello_bot.engine.variety import CLOSE_DISCS, FOR_PEOPLE, VARIED_PLIES, VARIETIES
from othello_bot.play.players import ENGINE_OPTIONS
from othello_bot.rules import Game, Position
from othello_bot.web.engines import default_options
from othello_bot.web.guard import Bounds
from othello_bot.web.messages import AskMove
from othello_bot.web.work import choose_move

PLIES: Final = 20
LEVEL: Final = 24

SLIP: Final = 2
"""Discs from which on a loss counts."""

DOORS: Final = ("play", "page")
OPPONENTS: Final = ("novice", "random")
DETERMINISTIC: Final = "weighted"
"""An opponent that always plays the same, so that only variety makes games differ."""


class VarietyRow(NamedTuple):
    """Games of one door against one opponent: their own moves, those that lose SLIP discs or more, the largest loss."""

    games: int
    different: int
    moves: int
    slips: int
    largest: int

    def __str__(self) -> str:
        share = 100 * self.slips / max(1, self.moves)
        return (
            f"{self.games} games, {self.different} different, {self.moves} moves, {share:.2f} % lose {SLIP} discs or more,"
            f" the largest loss is {self.largest}"
        )


def opponent_of(name: str, seed: int) -> Options:
    """Return the options of an opponent: a strength or a strategy."""
    return Options(hash=1, seed=seed, strength=name) if name == "novice" else Options(hash=1, seed=seed, strategy=name)


class VarietyStore(AbstractContextManager["VarietyStore"]):
    """The games and judgements so far."""

    def __init__(self, path: Path | None = None) -> None:
        path = path or cache_folder() / "variety.db"
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path)
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS judged (place TEXT, move INT, best INT, score INT, UNIQUE (place, move))"
        )
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS games (player TEXT, seed INT, moves TEXT, UNIQUE (player, seed))"
        )
        self._judge: Engine | None = None

    def __exit__(self, *exception: object) -> None:
        self._database.close()
        if self._judge is not None:
            self._judge.close()

    def moves(self, door: str, opponent: str, variety: str, seed: int) -> str:
        """Return a game of the door; play it if it is not stored. See `played` for its length."""
        # What decides about the moves, so that other ones are played again.
        rules = [VARIETIES[variety], VARIED_PLIES, CLOSE_DISCS] if variety != "off" else []
        player = json.dumps([__version__, door, opponent, variety, repr(rules), last_ply(opponent)])
        row = self._database.execute("SELECT moves FROM games WHERE player = ? AND seed = ?", (player, seed)).fetchone()
        if row is None:
            row = (played(door, opponent, variety, seed),)
            self._database.execute("INSERT INTO games VALUES (?, ?, ?)", (player, seed, *row))
            self._database.commit()
        return str(row[0])

    def losses(self, moves: str, own: int) -> Iterator[int]:
        """Yield what each own move lost, `own`: 0 for Black's and 1 for White's."""
        game = Game.from_transcript(moves)
        for ply, move in enumerate(game.moves):
            before = game.position_at(ply)
            if before.color == own and move != PASS and len(before.legal_moves) > 1:
                yield self._loss(before, move)

    def _loss(self, position: Position, move: int) -> int:
        _, best, score = self._judged(position, PASS)
        return 0 if move == best else max(0, score - self._judged(position, move)[2])

    def _judged(self, position: Position, move: int) -> tuple[int, int, int]:
        """Return a move, the best one and the score of the move; the best move for PASS."""
        place = position.to_string()
        row = self._database.execute(
            "SELECT move, best, score FROM judged WHERE place = ? AND move = ?", (place, move)
        ).fetchone()
        if row is None:
            self._judge = self._judge or Engine(Options(book=False))
            self._judge.clear()
            considered = frozenset() if move == PASS else frozenset((move,))
            found = self._judge.search(position, Limits(level=LEVEL, considered=considered))
            row = (move, found.move, found.score)
            self._database.execute("INSERT OR REPLACE INTO judged VALUES (?, ?, ?, ?)", (place, *row))
            self._database.commit()
        return int(row[0]), int(row[1]), int(row[2])

    def row(self, door: str, opponent: str, variety: str, count: int) -> VarietyRow:
        """Play and judge the games with the seeds 0 and on; every second one as White."""
        games = [self.moves(door, opponent, variety, seed) for seed in range(count)]
        losses = [loss for seed, moves in enumerate(games) for loss in self.losses(moves, seed % 2)]
        slips = sum(loss >= SLIP for loss in losses)
        return VarietyRow(count, different(games), len(losses), slips, max(losses, default=0))


def different(games: Sequence[str]) -> int:
    """Return the number of different games; symmetric ones are the same."""
    return len({tuple(one.canonical()[0] for one in positions(moves)) for moves in games})


def positions(moves: str) -> list[Position]:
    """Return the positions of a game."""
    game = Game.from_transcript(moves)
    return [game.position_at(ply) for ply in range(game.ply + 1)]


def last_ply(opponent: str) -> int:
    """Return the plies to play: those that are judged, or whole games where these are only compared."""
    return 128 if opponent == DETERMINISTIC else PLIES


def played(door: str, opponent: str, variety: str, seed: int) -> str:
    """Return the moves of a game that a door's engine plays as Black (even seeds) or White, up to `last_ply`."""
    options = default_options() if door == "page" else ENGINE_OPTIONS
    assert options.variety == FOR_PEOPLE, "what is measured is what people meet"
    game = Game()
    with (
        Engine(replace(options, strength=CHAMPION, variety=variety, seed=seed)) as engine,
        Engine(opponent_of(opponent, seed)) as other,
    ):
        while game.ply < last_ply(opponent) and not game.is_over:
            if game.position.color != seed % 2:
                game.play(other.choose(game).move)
            elif door == "page" and not game.position.must_pass:
                ask = AskMove(1, game.copy(), engine.options.strength, "", seed, None)
                reply = carried_out(choose_move(engine, ask, Bounds().move_s), engine.answer)
                game.play(reply["move"])
            else:
                game.play(engine.choose(game).move)
    return game.transcript(passes=True)


def report(games: int, seeds: int, doors: Sequence[str], opponents: Sequence[str]) -> Iterator[str]:
    """Yield the figures, as they are found."""
    with VarietyStore() as store:
        for door in doors:
            for color in (0, 1):
                found = [store.moves(door, DETERMINISTIC, FOR_PEOPLE, seed) for seed in range(color, 2 * seeds, 2)]
                name = ("black", "white")[color]
                yield f"{door}, {name}, against {DETERMINISTIC}: {different(found)} different games of {seeds}"
        for count in sorted({min(games, 20), min(games, 60), games}):
            for door in doors:
                for opponent in opponents:
                    for variety in ("off", FOR_PEOPLE):
                        yield f"{door} against {opponent}, variety {variety}: {store.row(door, opponent, variety, count)}"

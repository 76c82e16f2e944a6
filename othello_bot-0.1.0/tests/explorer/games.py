"""Made-up games, and a slow count of what they say about a position, to check the fast one against."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from othello_bot.base.notation import PASS, Color
from othello_bot.explorer import Builder, Counts, Explored, GameBase
from othello_bot.formats.record import GameRecord
from othello_bot.formats.writing import write_games
from othello_bot.rules import SYMMETRIES, Game, Position, transform_square
from tests.rules.strategies import random_game

PLAYERS = ("Ann Åberg", "Bo", "Cy Young", "Edax", "Logistello")
EVENTS = ("Paris Open", "Tokyo Cup", "")
PROGRAMS = ("Edax", "Logistello")
XOT = random_game(3, 8).position
SHORT = "f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2"


def made_up(count: int = 120, seed: int = 1) -> list[GameRecord]:
    """Return games: whole and broken off, with symmetric and transposed openings, with and without ratings."""
    rng = random.Random(seed)
    records = []
    for number in range(count):
        opening = rng.choice(("", "f5", "f5d6c3", "f5f6e6f4", "f5d6c4d3c3", "f5d6c3d3c4"))
        game = Game.from_transcript(opening) if number % 10 else random_game(number, 4, XOT)
        length = rng.choice((rng.randrange(3, 30), 128))
        while not game.is_over and game.ply < length:
            game.play(rng.choice(game.position.legal_moves[: 2 if game.ply < 9 else None] or (PASS,)))
        black, white = rng.sample(PLAYERS, 2)
        record = GameRecord(mirrored(game, rng.randrange(8)), black=black, white=white, event=rng.choice(EVENTS))
        record = replace(record, date=rng.choice(("", "1999", "2004-05-06", "2010-01", "2021-12-31")))
        if rng.random() < 0.5:
            record = replace(record, black_rating=float(rng.randrange(1000, 2500)))
        if rng.random() < 0.5:
            record = replace(record, white_rating=float(rng.randrange(1000, 2500)))
        if game.is_over:
            record = replace(record, result=float(game.final_score))
        elif rng.random() < 0.7:
            record = replace(record, result=float(rng.randrange(-32, 33) * 2))
        records.append(record)
    return records


def mirrored(game: Game, index: int) -> Game:
    """Return the same game on the board that a symmetry makes."""
    start = game.start if game.start == Position.start() else game.start.transform(index)
    if start == Position.start() and Position.start().transform(index) != start:
        index = 0
    image = Game(start)
    image.play_moves(transform_square(move, index) for move in game.moves)
    return image


def built(path: Path, records: Sequence[GameRecord], ending: str = ".ggf") -> GameBase:
    """Return the base of some games, open."""
    source = path.with_suffix(ending)
    write_games(records, source)
    with Builder(path) as builder:
        builder.add([source])
    return GameBase(path)


def slow_counts(
    position: Position, records: Iterable[GameRecord]
) -> tuple[int, int, dict[frozenset[int], list[GameRecord]]]:
    """Return how many games reach a position, how many end in it, and those that go on, by their move in it, which
    stands together with the moves that the symmetry of the position makes the same.
    """
    images = [position.transform(index) for index in SYMMETRIES]
    bits = [(one.mover, one.opponent) for one in images]
    own = [index for index in SYMMETRIES if bits[index] == bits[0]]
    reached, ended = 0, 0
    found: dict[frozenset[int], list[GameRecord]] = {}
    for record in records:
        game = record.game
        for ply in range(game.ply + 1):
            there = game.position_at(ply)
            if (there.mover, there.opponent) not in bits:
                continue
            reached += 1
            if ply == game.ply:
                ended += 1
                break
            index = bits.index((there.mover, there.opponent))
            move = next(one for one in (*range(64), PASS) if transform_square(one, index) == game.moves[ply])
            same = frozenset(transform_square(move, symmetry) for symmetry in own)
            found.setdefault(same, []).append(replace(record, game=_at(game, ply)))
            break
    return reached, ended, found


def _at(game: Game, ply: int) -> Game:
    """Return the game up to a ply: its position says whose move is counted."""
    shorter = game.copy()
    shorter.undo(game.ply - ply)
    return shorter


def slow_explored(position: Position, records: Sequence[GameRecord]) -> tuple[int, int, dict[frozenset[int], Counts]]:
    """Return what Explored says, counted one game after the other."""
    reached, ended, found = slow_counts(position, records)
    return reached, ended, {moves: _counts(games) for moves, games in found.items()}


def _counts(records: Sequence[GameRecord]) -> Counts:
    results, ratings, years = [], [], []
    for record in records:
        is_white = record.game.position.color is Color.WHITE
        if record.result is not None:
            results.append(-record.result if is_white else record.result)
        rating = record.white_rating if is_white else record.black_rating
        ratings += [] if rating is None else [rating]
        years += [int(record.date[:4])] if record.date else []
    return Counts(
        len(records),
        sum(result > 0 for result in results),
        sum(result == 0 for result in results),
        sum(result < 0 for result in results),
        sum(results) / len(results) if results else None,
        sum(ratings) / len(ratings) if ratings else None,
        min(years, default=None),
        max(years, default=None),
    )


def as_slow(explored: Explored) -> tuple[int, int, dict[frozenset[int], Counts]]:
    """Return an answer in the form of slow_explored()."""
    moves = {frozenset((one.move, *one.symmetric)): one.counts for one in explored.moves}
    return explored.counts.games, explored.ended, moves

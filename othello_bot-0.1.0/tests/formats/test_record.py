"""Records of games: the moves of a file, played together or one by one."""

from __future__ import annotations

import random

import pytest

from othello_bot.base.errors import FormatError
from othello_bot.base.notation import PASS, Color
from othello_bot.formats.record import FileMove, GameRecord, MoveNote
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.formats.samples import WIPE_OUT

SHORT_PASS = "d3c3e6d2d1e1b2c1"
"""After these moves white must pass."""


def random_line(rng: random.Random) -> tuple[Position, list[FileMove]]:
    """Return a start and the moves of a game as files have them: with or without passes and colours, now and then with
    a fault.
    """
    game = Game(Game.from_transcript(SHORT_PASS if rng.random() < 0.3 else "").position)
    start = game.position
    while not game.is_over:
        game.play(rng.choice(game.position.legal_moves) if game.position.legal_moves else PASS)
    tells_color, tells_passes = rng.random() < 0.7, rng.random() < 0.5
    line = []
    for ply, move in enumerate(game.moves):
        if move == PASS and not tells_passes:
            continue
        color = game.color_at(ply)
        if ply and game.moves[ply - 1] == PASS and not tells_passes and rng.random() < 0.5:
            color = color.opponent  # as it is before the pass
        note = MoveNote(1.0, float(ply)) if rng.random() < 0.5 else None
        line.append(FileMove(move, 10 * ply, color if tells_color else None, note))
    line += [FileMove(PASS, 999, Color.BLACK)] * rng.randrange(3)
    if rng.random() < 0.5:
        place = rng.randrange(len(line))
        fault = {"move": rng.randrange(65)} if rng.random() < 0.5 else {"color": rng.choice(tuple(Color))}
        line[place] = line[place]._replace(**fault)
    return start, line


def test_moves_played_together_are_those_played_one_by_one() -> None:
    rng = random.Random(1)
    refused = 0
    for _ in range(300):
        start, line = random_line(rng)
        together, singly = GameRecord(Game(start)), GameRecord(Game(start))
        error: FormatError | None = None
        try:
            for one in line:
                singly.add_line([one])
        except FormatError as found:
            error = found
        if error is None:
            together.add_line(line)
        else:
            refused += 1
            with pytest.raises(FormatError) as caught:
                together.add_line(line)
            assert str(caught.value) == str(error)
        assert together == singly
    assert 50 < refused < 250


def test_a_line_is_added_to_the_moves_before_it() -> None:
    record = GameRecord(Game.from_transcript("f5"))
    record.add_line([FileMove(43, 3, Color.WHITE, MoveNote(2.0))])
    assert record.game.transcript() == "f5d6"
    assert record.notes == {1: MoveNote(2.0)}


def test_a_pass_out_of_turn_is_refused() -> None:
    record = GameRecord(Game.from_transcript(WIPE_OUT))
    record.add_line([FileMove(PASS, 0, Color.BLACK), FileMove(PASS, 1, Color.BLACK)])
    record = GameRecord(Game.from_transcript(SHORT_PASS))
    with pytest.raises(FormatError, match="move out of turn"):
        record.add_line([FileMove(PASS, 7, record.game.position.color.opponent)])

"""A reader of an engine's lines as strict as NBoard's: ResponseParser.java and its neighbours in weltyc/othello.

A line that makes those throw, which NBoard shows as an error, fails here; so does one that they skip as unknown.
"""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from othello_bot.base.notation import PASS, move_name
from othello_bot.rules.game import Game
from tests.session.harness import SMALL, in_process

NUMBER = r"[+-]?\d+(?:\.\d*)?"
"""CReader.readDoubleNoExponent: a sign, digits and one decimal point."""

MOVE = r"(?:[A-H][1-8]|PA)"
LINES = {
    "set": r"set myname \w+",
    "status": r"status(?: .*)?",
    "pong": r"pong \d+",
    "learned": r"learned",
    "nodestats": rf"nodestats \d+ {NUMBER}",
    "analysis": rf"analysis \d+ {NUMBER}",
    # A word that begins with the move, one value or two, an integer, and a depth that begins with an integer.
    "search": rf"search {MOVE}\S* ({NUMBER})(?:,({NUMBER}))? \d+ \d+\S*(?: .*)?",
    "book": rf"book {MOVE}\S* ({NUMBER})(?:,({NUMBER}))? \d+ \d+\S*(?: .*)?",
    "===": rf"=== {MOVE}(?:/(?:{NUMBER})?(?:/(?:{NUMBER})?)?)?",
}


def read(text: str) -> Counter[str]:
    """Read all lines of an engine; return how many there were of each kind."""
    kinds: Counter[str] = Counter()
    for line in text.splitlines():
        kind = line.split()[0]
        match = re.fullmatch(LINES[kind], line)
        assert match is not None, line
        if kind in ("search", "book") and match[2]:
            assert float(match[2]) <= float(match[1]), f"worth less to whom a draw is worth more: {line}"
        kinds[kind] += 1
    return kinds


def a_game_with_a_pass(chance: random.Random) -> list[int]:
    """Return random moves to the end of a game with a forced pass."""
    game = Game()
    while PASS not in game.moves:
        game = Game()
        while not game.is_over:
            game.play(chance.choice(game.position.legal_moves or (PASS,)))
    return list(game.moves)


def ggf(moves: list[int]) -> str:
    """Return the game as NBoard writes it on a German desktop, with a person's seconds as Java writes them."""
    words = ["PA" if move == PASS else move_name(move).upper() for move in moves]
    notes = ("", "/-1,50/2.25", "//2.7680000000000002", "//1.0E-4")
    text = "".join(f"{'BW'[ply % 2]}[{word}{notes[ply % 4]}]" for ply, word in enumerate(words))
    board = "---------------------------O*------*O---------------------------"
    return f"(;GM[Othello]PC[NBoard]PB[x [y]]PW[y]RE[?]TI[5:00,5]TY[8]BO[8 {board} *]{text};)"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_is_read_without_an_error(seed: int) -> None:
    """Hints or a move at each move of a game with passes; at its end the values of all its positions.

    The game is learned now and then only, because each time takes a second.
    """
    chance = random.Random(seed)
    moves = a_game_with_a_pass(chance)
    sent = ["nboard 2", f"set contempt {chance.choice((-100, 0, 100))}"]
    requests = ["go"]
    learned = range(5, len(moves) + 1, 20)
    for ply in range(len(moves) + 1):
        requests.append(chance.choice(("go", "hint 1", "hint 4")))
        sent += [f"set game {ggf(moves[:ply])}", f"set depth {1 + ply % 3}", f"ping {ply}", requests[-1]]
        sent += ["learn"] * (ply in learned)
    kinds = read(in_process("\n".join([*sent, "go", "analyze"]) + "\n", options=SMALL))
    assert kinds["==="] == requests.count("go")
    assert kinds["analysis"] == len(moves) + 1
    assert kinds["learned"] == len(learned) > 1
    assert kinds["search"] > len(requests) and kinds["book"] > 0


def test_the_reader_is_strict() -> None:
    """Lines that NBoard rejects as damaged are rejected here."""
    for line in ("search F5 1e3 0 4", "search F5 1.0 x 4", "search F5 1.0 0 d4", "=== f5", "nodestats 1e6 1", "pong x"):
        kind = line.split()[0]
        assert re.fullmatch(LINES[kind], line) is None

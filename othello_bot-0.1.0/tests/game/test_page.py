"""One game while it is played, the engine's and the page's: the same scripts lead to the same boards, clocks and ends."""

from __future__ import annotations

import contextlib
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from othello_bot.base.clocks import Clocks, TimeSettings, TimeSystem
from othello_bot.base.notation import PASS, Color
from othello_bot.game import AfterTheGame, EndedBy, LiveGame
from othello_bot.rules import CannotUndo, Game, IllegalMove, Position
from tests.rules.strategies import random_game
from tests.web import conftest as web

pytestmark = [pytest.mark.process, pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")]

SCRIPTS = 200
SIDES = "XO"
SHOWN_S = 0.9
"""Seconds for which the page shows a forced pass."""


class Script:
    """Random steps of a few games, and what `LiveGame` says after each."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.steps: list[tuple[str, Any]] = []
        self.states: list[dict[str, Any]] = []
        self.now_s = 0.0
        self.live = LiveGame()
        self.people: frozenset[Color] = frozenset()
        self.paused = False
        for _ in range(self.random.randint(1, 2)):
            self.play_game()

    def play_game(self) -> None:
        chance = self.random
        self.begin()
        for _ in range(50):
            action = chance.random()
            if action < 0.78:
                self.move()
            elif action < 0.9:
                self.undo()
            elif action < 0.94:
                self.pause()
            elif action < 0.96 or self.live.is_over:
                self.wait(chance.uniform(5, 40))
            elif action < 0.98:
                self.resign()
            else:
                self.wait(chance.uniform(0.001, 3))
            if self.live.is_over and chance.random() < 0.4:
                return

    def step(self, act: str, value: Any = None) -> None:
        """Note a step that was taken; the clock of the side that can move now runs."""
        live = self.live
        if live.since_s is None and not live.is_over and not live.position.must_pass and not self.paused:
            self.live = live = live.started(self.now_s)
        self.steps.append((act, value))
        ending = None
        if live.ending is not None:
            assert live.black_score is not None
            reason = "time" if live.ending.by is EndedBy.TIME else live.ending.by.value
            ending = [reason, SIDES[live.black_score > 0]]
        left = [pytest.approx(live.left_s(color, self.now_s), abs=1e-6) for color in Color] if live.is_clocked else None
        self.states.append(
            {
                "board": live.position.to_string(),
                "moves": list(live.game.moves),
                "left": left,
                "ending": ending,
                "over": live.is_over,
            }
        )

    def begin(self) -> None:
        start = Position.start()
        if self.random.random() < 0.5:  # late in a game, where passes are
            game = random_game(self.random.randrange(10**6))
            ply = game.moves.index(PASS) if PASS in game.moves else 50
            start = game.position_at(max(0, ply - self.random.randint(0, 4)))
        people = self.random.choice(([Color.BLACK, Color.WHITE], [Color.BLACK], [Color.WHITE], []))
        increment_s = self.random.choice((0, 0, 2))
        clocked = self.random.random() < 0.7
        self.people = frozenset(people)
        self.paused = False
        control = TimeSettings(TimeSystem.FISCHER, 60.0, increment_s) if clocked else TimeSettings()
        self.live = LiveGame(Game(start), Clocks.start(control))
        value = {
            "start": start.to_string(),
            "people": [SIDES[color] for color in people],
            "control": {"minutes": 1, "increment": increment_s} if clocked else None,
        }
        self.step("begin", value)
        self.forced_pass()

    def move(self) -> None:
        """Let the side to move play after a while, sometimes where it may not."""
        if self.paused and self.live.color not in self.people:
            self.pause()
        self.wait(self.random.choice((0.0, self.random.uniform(0.003, 4))))
        if self.paused and self.live.color in self.people:  # a person who plays goes on
            self.paused = False
            if not self.live.is_over:
                self.live = self.live.started(self.now_s)
        legal = self.live.position.legal_moves
        person = self.live.color in self.people
        move = self.random.choice(legal) if legal and (not person or self.random.random() < 0.95) else 27
        with contextlib.suppress(IllegalMove, AfterTheGame):
            self.live = self.live.play(move, self.now_s)
        self.now_s += 0.0 if self.live.is_clocked else 0.45
        self.step("move", move)
        self.forced_pass()

    def forced_pass(self) -> None:
        """Let the page show the pass of a side without a move, which costs nobody any time."""
        if not self.live.is_over and self.live.position.must_pass:
            self.now_s += SHOWN_S
            self.live = self.live.play(PASS)
            self.step("wait", 1000 * SHOWN_S)
            if self.random.random() < 0.4:
                self.undo()

    def undo(self) -> None:
        """Take the last move of a person back, and with it an early end; the page refuses that after a loss on time."""
        live = self.live
        if live.ending is None or live.ending.by is not EndedBy.TIME:
            try:
                count = 1 + (live.ending is not None)
                self.live = live.charged(self.now_s).undo(count, self.people or frozenset(Color))
            except CannotUndo:
                pass
        self.step("undo")

    def resign(self) -> None:
        """Let the one person resign, or else the side to move."""
        loser = next(iter(self.people)) if len(self.people) == 1 else self.live.color
        self.live = self.live.lost(EndedBy.RESIGNATION, loser, self.now_s)
        self.step("resign")

    def pause(self) -> None:
        if not self.live.is_over:
            self.paused = not self.paused
            self.live = self.live.charged(self.now_s)
            self.step("pause")

    def wait(self, seconds: float) -> None:
        self.now_s += seconds
        if self.live.flag_fell(self.now_s):
            self.live = self.live.lost(EndedBy.TIME, now_s=self.now_s)
        self.step("wait", 1000 * seconds)


def test_the_page_plays_as_the_engine_does(tmp_path: Path) -> None:
    scripts = [Script(seed) for seed in range(SCRIPTS)]
    states = [state for script in scripts for state in script.states]
    assert {state["ending"] and state["ending"][0] for state in states} == {None, "resignation", "time"}
    assert sum(PASS in state["moves"] for state in states) > 200
    undone = [
        (before["moves"], after["moves"])
        for script in scripts
        for (act, _), before, after in zip(script.steps[1:], script.states, script.states[1:], strict=False)
        if act == "undo"
    ]
    assert sum(before.count(PASS) > after.count(PASS) for before, after in undone) > 50
    page = web.run_modules(
        tmp_path, Path(web.__file__).with_name("live.mjs").read_text(), [script.steps for script in scripts]
    )
    for seed, (script, found) in enumerate(zip(scripts, page, strict=True)):
        for number, (step, expected, shown) in enumerate(zip(script.steps, script.states, found, strict=True)):
            assert shown == expected, f"script {seed}, step {number}: {step}"

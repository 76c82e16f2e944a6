"""Games and matches of the fake server, and their text; the marks of the sources are those of `fake_server`."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.rules import Position

RATING = 1720.0


def clock_text(seconds: float) -> str:
    whole = int(seconds)  # [server] whole seconds, cut off
    sign, whole = ("-", -whole) if whole < 0 else ("", whole)
    return f"{sign}{whole // 60:02}:{whole % 60:02}"


def ranks(position: Position) -> list[str]:
    cells = position.to_string().split(" ")[0].replace("X", "*")
    letters = "   A B C D E F G H"
    rows = [f" {rank + 1} {' '.join(cells[8 * rank : 8 * rank + 8])} {rank + 1} " for rank in range(8)]
    return ["", letters, *rows, letters, "", f"{'O' if position.color else '*'} to move"]  # [session]


def random_start(discs: int, source: random.Random) -> Position:
    while True:
        position = Position.start()
        while 64 - position.empties < discs and position.legal_bits:
            position = position.play(source.choice(position.legal_moves))
        if 64 - position.empties == discs and position.legal_bits:
            return position


@dataclass
class ServedGame:
    """One game: the players are named, `black` is 0 if the one who asked plays Black."""

    black: int
    start: Position
    left_s: list[float]
    position: Position = field(init=False)
    moves: list[tuple[int, str, str]] = field(default_factory=list)
    running_since: float | None = None
    late: set[int] = field(default_factory=set)
    moved: bool = False
    pace: float = 1.0

    def __post_init__(self) -> None:
        self.position = self.start

    @property
    def to_move(self) -> int:
        return self.black if self.position.color is Color.BLACK else 1 - self.black

    def left(self, player: int) -> float:
        running = self.running_since is not None and self.to_move == player
        spent_s = (time.monotonic() - (self.running_since or 0.0)) * self.pace if running else 0.0
        return self.left_s[player] - spent_s

    def undo(self) -> None:
        moves = [move for move, _, _ in self.moves[:-1]]
        self.moves = self.moves[:-1]
        self.position = self.start
        for move in moves:
            self.position = self.position.play(move)


@dataclass
class ServedMatch:
    id: str
    players: tuple[str, str]
    kind: str
    clock: str
    rated: bool
    games: list[ServedGame]
    aborting: set[str] = field(default_factory=set)
    clocks: dict[str, str] = field(default_factory=dict)

    @property
    def synchro(self) -> bool:
        return self.kind.startswith("s")

    def name(self, game: int) -> str:
        return f"{self.id}.{game}" if self.synchro else self.id

    @property
    def head(self) -> str:
        one, two = self.players
        return f"{self.id} {RATING:.0f} {one} {RATING:.0f} {two} {self.kind} {'R' if self.rated else 'U'}"

    def _players(self, game: ServedGame, *, settings: bool = False) -> list[str]:
        lines = []
        for player in (game.black, 1 - game.black):
            name = self.players[player]
            initial, _, extension = [*self.clock.split("/"), "", ""][:3]
            if settings:
                clock = f"{initial}//{extension or '00:00'}"  # [server] in a join with moves
            else:
                count = sum(index % 2 == (player != game.black) for index in range(len(game.moves)))
                left = clock_text(game.left(player))
                clock = f"{left},{count}:0//{extension or '00:00'},{count}:0"  # [session]
                clock = self.clocks.get(name, clock)
            lines.append(f"{name:<8} ({RATING:6.1f} {'*' if player == game.black else 'O'}) {clock}")
        return lines

    def _now(self, game: ServedGame) -> list[str]:
        number = len(game.moves)
        move, score, seconds = game.moves[-1] if game.moves else (PASS, "", "")
        text = self._move(move, score, seconds) if game.moves else "PASS"
        return [f"{number:3d}: {text}", *self._players(game), *ranks(game.position)]  # [session]

    def _move(self, move: int, score: str, seconds: str) -> str:
        return f"{'PA' if move == PASS else move_name(move)}/{score}/{seconds}"

    def join(self, index: int) -> list[str]:
        """Return the message that shows a game with all its moves."""
        game = self.games[index]
        lines = [f"join {self.name(index)} {self.kind} K?", f"{len(game.moves)} move(s)"]  # [session]
        if game.moves:
            lines += [*self._players(game, settings=True), *ranks(game.start)]  # [server] [edax]
            lines += [f"{number:3d}: {self._move(*move)}" for number, move in enumerate(game.moves[:-1], 1)]
        return lines + self._now(game)

    def update(self, index: int) -> list[str]:
        """Return the message that shows a game after a move."""
        return [f"update {self.name(index)} {self.kind} K?", *self._now(self.games[index])]  # [session]

    def ggf(self, game: ServedGame) -> str:
        """Return a game as the archive has it. [server]"""
        cells = game.start.to_string().split(" ")[0].replace("X", "*")
        turn = "O" if game.start.color else "*"
        text = f"(;GM[Othello]PC[GGS/os]DT[2026.11.26_05:17:39.UTC]PB[{self.players[game.black]}]"
        text += f"PW[{self.players[1 - game.black]}]RB[1720]RW[1720]TI[{self.clock}]TY[{self.kind}]"
        text += f"RE[{self.black_result(game):+.3f}]BO[8 {cells} {turn}]"
        color = game.start.color
        for move, score, seconds in game.moves:
            text += f"{'W' if color else 'B'}[{self._move(move, score, seconds)}]"
            color = color.opponent
        return f"{text};)"

    def black_result(self, game: ServedGame) -> float:
        """Return the score of a finished game for Black; who was late first loses at least by little."""
        if not game.position.is_over:
            return 0.0
        score = float(game.position.black_score())
        if game.late:
            late_is_black = min(game.late) == game.black
            score = min(score, -2.0) if late_is_black else max(score, 2.0)
        return score

    def result(self, game: ServedGame) -> float:
        """Return the result from the view of the player who asked."""
        return self.black_result(game) * (1 if game.black == 0 else -1)

"""What other libraries' Othello does, seen by playing scripted games in them.

Runs as a program in the environment of one library: `python probes.py NAME` prints its row of the table in
docs/python/other-libraries.md as JSON. `move` and `board` are the expressions of the table's last column. Each is evaluated
at every move of every game, and must give the library's move for a square, and our position for the library's board.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.rules import HALF_TURN, Game, Position

COLUMNS: Final = ("squares", "begins", "pass", "illegal move", "end", "empty squares", "what to convert")

GAMES: Final = {
    "full": "c4c5b6d3c2a7d6e7d7e3b5d2f7b1b7c6e6e8d1a8c7a4b8c3f5e1b3c1b2a2d8f8a1f6g7g4b4a3g8a6g5g6a5h7h3g3g2h6f2g1"
    "f4h8h5f3h1h4f1c8h2e2",
    "pass": "c4c3f5b4a4a5c2a3--d2b2a2c1f6e2e3f4c5c6f2e1d6g7c7b7h8f7g5a1f3g2a7h7d3b8g1a6b3f1f8h6h5a8g3b5c8h3e6d1g4"
    "g8d7e8d8h4g6h2b6h1b1e7",
    "two passes": "e6f6c4e7e8d8g6g5g7f8g4h4--h8g8h6c8b8--e3f7f4e2e1h5c6h7c5f5c3d2g3b2d6h3a1b5c1b6d7d3b4c7f3f2a5b7a8a6f1"
    "a3b3c2a7a4b1d1h2g2a2g1h1",
    "early": "d3e3f6c5e2d6d7e7b6d2d1c7b8b7d8f7f8a5a7",
    "wipe-out": "e6f4e3f6g5d6e7f5c5",
}
"""Whole games: no pass; one after 8 moves; two of Black's alone; 22 to 1 discs after 19 moves; 13 to 0 after 9."""

WIPE_OUT: Final = 13
"""Black's discs at the end of the shortest game."""


def position(cells: Iterable[Any], signs: Any, color: Color) -> Position:
    """Return the position with these 64 cells from a1 to h8, and `color` to move; `signs` gives X, O or - for each."""
    return Position.parse("".join(signs[cell] for cell in cells) + color.disc)


class Probe:
    """One library: how to play in it. A library without games of its own gets its state from here."""

    package: str
    """The name on PyPI."""

    squares: str
    pass_words = "there is none"
    """The library's own way to pass."""

    move = "square"
    board = ""
    keeps_turn = True
    """Whether the library knows whose turn it is."""

    shows_over = True
    """Whether the library says that a game is over."""

    def version(self) -> str:
        """Return the version of the library."""
        return importlib.metadata.version(self.package)

    def named(self, game: Any) -> dict[str, Any]:
        """Return what the expressions use besides `game`, `square`, `color` and our names."""
        return {}

    def start(self) -> Any:
        """Return a new game."""
        raise NotImplementedError

    def legal(self, game: Any) -> list[Any] | None:
        """Return the library's legal moves; None where it lists none."""
        raise NotImplementedError

    def play(self, game: Any, move: Any, color: Color) -> Any:
        """Play the library's move and return the game."""
        raise NotImplementedError

    def skip(self, game: Any) -> Any:
        """Pass and return the game; raise NotImplementedError where there is no pass."""
        raise NotImplementedError

    def turn(self, game: Any) -> Color | None:
        """Return whose turn it is, as the library says."""
        return None

    def over(self, game: Any) -> bool:
        """Return whether the library says that the game is over."""
        raise NotImplementedError

    def begins(self, color: Color) -> str:
        """Return who begins, by the library's name for the side that `turn` gave."""
        return color.name.capitalize()

    def result(self, game: Any) -> float | None:
        """Return what the library says of the result, from Black's view: discs more, or 1, 0, -1."""
        return None

    def value(self, code: str, game: Any, square: int, color: Color) -> Any:
        """Return the value of an expression of the table."""
        ours = {"Position": Position, "HALF_TURN": HALF_TURN, "move_name": move_name, "position": position, "re": re}
        return eval(code, {**ours, "square": square, "color": color, "game": game, **self.named(game)})


class RustReversi(Probe):
    package = "rust-reversi"
    squares = "moves: 0 is a1, 63 is h8; bitboards: bit 0 is h8, bit 63 is a1"
    pass_words = "`do_pass()`"
    board = "Position(*game.get_board()[:2], color).transform(HALF_TURN)"

    def start(self) -> Any:
        self.library = importlib.import_module("rust_reversi")
        return self.library.Board()

    def legal(self, game: Any) -> list[Any] | None:
        return list(game.get_legal_moves_vec())

    def play(self, game: Any, move: Any, color: Color) -> Any:
        game.do_move(move)
        return game

    def skip(self, game: Any) -> Any:
        game.do_pass()
        return game

    def turn(self, game: Any) -> Color | None:
        return Color[str(game.get_turn()).upper()]

    def over(self, game: Any) -> bool:
        return bool(game.is_game_over())

    def result(self, game: Any) -> float | None:
        return int(game.black_piece_num() - game.white_piece_num())


class Creversi(Probe):
    package = "creversi-python"
    squares = "0 is a1, 63 is h8; bit 0 is a1"
    pass_words = "`move(64)` or `move_pass()`"
    board = "Position.parse(game.to_line() + color.disc)"

    def start(self) -> Any:
        return importlib.import_module("creversi").Board()

    def legal(self, game: Any) -> list[Any] | None:
        return list(game.legal_moves)

    def play(self, game: Any, move: Any, color: Color) -> Any:
        game.move(move)
        return game

    def skip(self, game: Any) -> Any:
        game.move_pass()
        return game

    def turn(self, game: Any) -> Color | None:
        return Color.BLACK if game.turn else Color.WHITE

    def over(self, game: Any) -> bool:
        return bool(game.is_game_over())

    def result(self, game: Any) -> float | None:
        return int(game.diff_num()) * (1 if game.turn else -1)


@dataclass
class Cells:
    """A board of a library that leaves the turn to its caller."""

    board: Any
    color: Color = Color.BLACK


class Pyreversi(Probe):
    package = "pyreversi"
    squares = "names `A1` to `H8`; `board[row][column]`, row 1 first"
    board = 'position(sum(board, []), {" ": "-", "X": "X", "O": "O"}, color)'
    move = "move_name(square).upper()"
    keeps_turn = False

    def start(self) -> Any:
        sys.argv[1:] = ["--nocolor"]
        plateau, self.rules = (importlib.import_module(f"pyreversi.{name}") for name in ("plateau", "rules"))
        return Cells([list(row) for row in plateau.INIT_PLATEAU])

    def named(self, game: Any) -> dict[str, Any]:
        return {"board": game.board}

    def legal(self, game: Any) -> list[Any] | None:
        return list(self.rules.available_moves(game.board, game.color.disc))

    def play(self, game: Any, move: Any, color: Color) -> Any:
        self.rules.calcul_nouveau_plateau(game.board, color.disc, move)
        return Cells(game.board, color.opponent)

    def skip(self, game: Any) -> Any:
        return Cells(game.board, game.color.opponent)

    def over(self, game: Any) -> bool:
        return bool(self.rules.end_game(game.board))

    def result(self, game: Any) -> float | None:
        return int(self.rules.score("X", game.board) - self.rules.score("O", game.board))


class Othellopy(Probe):
    package = "othellopy"
    squares = "(row, column) from (0, 0), which is a1; `board[row][column]`"
    board = 'position(sum(board, []), "-XO", color)'
    move = "divmod(square, 8)"

    def start(self) -> Any:
        self.library = importlib.import_module("othellopy.game")
        self.base = importlib.import_module("othellopy.players.base").BasePlayer
        return []

    def run(self, moves: list[Any]) -> tuple[Any, Any, Any]:
        """Play the moves; return the board and the colour of the player who is asked next, or the result."""
        left = list(moves)

        class Stop(Exception):
            pass

        class Scripted(self.base):  # type: ignore[name-defined, misc, unused-ignore]
            def next_move(self, board: Any) -> Any:
                if not left:
                    raise Stop(board, self.color)
                return left.pop(0)

        try:
            result = self.library.OthelloGame(Scripted, Scripted, move_timeout_seconds=None).play()
        except Stop as asked:
            return asked.args[0], asked.args[1], None
        return result.board, None, result

    def named(self, game: Any) -> dict[str, Any]:
        return {"board": self.run(game)[0]}

    def legal(self, game: Any) -> list[Any] | None:
        return None

    def play(self, game: Any, move: Any, color: Color) -> Any:
        return [*game, move]

    def turn(self, game: Any) -> Color | None:
        color = self.run(game)[1]
        return None if color is None else Color[color.name]

    def over(self, game: Any) -> bool:
        return self.run(game)[2] is not None

    def result(self, game: Any) -> float | None:
        result = self.run(game)[2]
        if result.forfeit:
            return 1 if result.winner_name == "BLACK" else -1
        return int(result.black_score - result.white_score)


class Reversi42(Probe):
    package = "reversi42"
    squares = "`Move(x, y)` from (1, 1), which is a1, x is the file; bit 0 is a1"
    pass_words = "`pass_turn()`"
    move = "Move(square % 8 + 1, square // 8 + 1)"
    board = "Position.from_colors(game.black, game.white, color)"

    def start(self) -> Any:
        self.moves = importlib.import_module("Reversi.Game").Move
        return importlib.import_module("Reversi.BitboardGame").BitboardGame()

    def named(self, game: Any) -> dict[str, Any]:
        return {"Move": self.moves}

    def legal(self, game: Any) -> list[Any] | None:
        return list(game.get_move_list())

    def play(self, game: Any, move: Any, color: Color) -> Any:
        game.move(move)
        return game

    def skip(self, game: Any) -> Any:
        game.pass_turn()
        return game

    def turn(self, game: Any) -> Color | None:
        return Color("BW".index(game.turn))

    def over(self, game: Any) -> bool:
        return bool(game.is_finish())

    def result(self, game: Any) -> float | None:
        return int(game.black_cnt - game.white_cnt)


class SimpleOthello(Probe):
    package = "simple-othello"
    squares = "0 is a1, 63 is h8; `state[row][column]`, Black is -1"
    pass_words = "`step(CFG.pass_)`"
    board = 'position(sum(game.state, []), "-OX", color)'

    def start(self) -> Any:

        class CFG:
            first_player, second_player, pass_ = -1, 1, -1

        self.done, self.reward = False, 0
        game = importlib.import_module("simple_othello.othello").Othello(CFG)
        game.reset()
        return game

    def legal(self, game: Any) -> list[Any] | None:
        return list(game.get_legal_actions())

    def play(self, game: Any, move: Any, color: Color) -> Any:
        _, self.reward, self.done = game.step(move)
        return game

    def skip(self, game: Any) -> Any:
        return self.play(game, -1, Color.BLACK)

    def turn(self, game: Any) -> Color | None:
        return Color.BLACK if game.player == -1 else Color.WHITE

    def over(self, game: Any) -> bool:
        return bool(self.done)

    def result(self, game: Any) -> float | None:
        return float(self.reward) * (1 if game.player == 1 else -1)  # from the view of the side that has just moved


class CliOthello(Probe):
    package = "cli-othello"
    squares = "(row, column) from (0, 0), which is a1; `cells[8 * row + column]`"
    move = "divmod(square, 8)"
    board = 'position(board.cells, "-XO", color)'
    keeps_turn = False

    def start(self) -> Any:
        return Cells(importlib.import_module("cli_othello.board").Board())

    def named(self, game: Any) -> dict[str, Any]:
        return {"board": game.board}

    def legal(self, game: Any) -> list[Any] | None:
        return list(game.board.legal_moves(game.color + 1))

    def play(self, game: Any, move: Any, color: Color) -> Any:
        if not game.board.play(*move, color + 1):
            raise Refused("`False`")
        return Cells(game.board, color.opponent)

    def skip(self, game: Any) -> Any:
        return Cells(game.board, game.color.opponent)

    def over(self, game: Any) -> bool:
        return bool(game.board.is_game_over())

    def result(self, game: Any) -> float | None:
        return int(game.board.count(1) - game.board.count(2))


class OpenSpiel(Probe):
    package = "open_spiel"
    squares = "0 is a1, 63 is h8"
    pass_words = "`apply_action(64)`"
    board = "Position.parse(str(game))"

    def start(self) -> Any:
        return importlib.import_module("pyspiel").load_game("othello").new_initial_state()

    def legal(self, game: Any) -> list[Any] | None:
        return list(game.legal_actions())

    def play(self, game: Any, move: Any, color: Color) -> Any:
        game.apply_action(move)
        return game

    def skip(self, game: Any) -> Any:
        game.apply_action(PASS)
        return game

    def turn(self, game: Any) -> Color | None:
        return None if game.is_terminal() else Color(game.current_player())

    def over(self, game: Any) -> bool:
        return bool(game.is_terminal())

    def result(self, game: Any) -> float | None:
        return float(game.returns()[0])


class Pgx(Probe):
    package = "pgx"
    squares = "0 is a1, 63 is h8"
    pass_words = "`step` with 64"
    board = 'position(game._x.board.tolist(), ("-XO", "-OX")[color], color)'

    def start(self) -> Any:
        pgx, self.jax = importlib.import_module("pgx"), importlib.import_module("jax")
        self.numpy = importlib.import_module("numpy")
        if not hasattr(self, "environment"):
            self.environment = pgx.make("othello")
            self.stepped = self.jax.jit(self.environment.step)
            self.begun = self.jax.jit(self.environment.init)
        return self.begun(self.jax.random.PRNGKey(0))

    def begins(self, color: Color) -> str:
        players = {int(self.begun(self.jax.random.PRNGKey(key)).current_player) for key in range(20)}
        return f"{color.name.capitalize()}, who is player {' or '.join(map(str, sorted(players)))} by chance"

    def legal(self, game: Any) -> list[Any] | None:
        return [int(action) for action in self.numpy.flatnonzero(game.legal_action_mask)]

    def play(self, game: Any, move: Any, color: Color) -> Any:
        return self.stepped(game, move)

    def skip(self, game: Any) -> Any:
        return self.stepped(game, PASS)

    def turn(self, game: Any) -> Color | None:
        return Color(int(game._x.turn))

    def over(self, game: Any) -> bool:
        return bool(game.terminated)

    def result(self, game: Any) -> float | None:
        return float(game.rewards[int(game.current_player) ^ int(game._x.turn)])


class Textarena(Probe):
    package = "textarena"
    squares = "`[row, column]` from `[0, 0]`, which is a1"
    pass_words = "any text"
    move = 'f"[{square // 8}, {square % 8}]"'
    board = 'position(sum(board, []), {"": "-", "B": "X", "W": "O"}, color)'

    def start(self) -> Any:
        library = importlib.import_module("textarena")
        game = library.make("Othello-v0")
        game.reset(num_players=2, seed=1)
        self.done = False
        return game

    @staticmethod
    def inner(game: Any) -> Any:
        while hasattr(game, "env"):
            game = game.env
        return game

    def named(self, game: Any) -> dict[str, Any]:
        return {"board": self.inner(game).board}

    def legal(self, game: Any) -> list[Any] | None:
        return [f"[{row}, {column}]" for row, column in self.inner(game).state.game_state["valid_moves"]]

    def play(self, game: Any, move: Any, color: Color) -> Any:
        self.done, _ = game.step(move)
        return game

    def skip(self, game: Any) -> Any:
        return self.play(game, "I have no move", Color.BLACK)

    def turn(self, game: Any) -> Color | None:
        return Color(self.inner(game).state.current_player_id)

    def over(self, game: Any) -> bool:
        return bool(self.done)

    def result(self, game: Any) -> float | None:
        return float(game.close()[0][0])


class Ludax(Probe):
    package = "ludax"
    squares = "0 is a1, 63 is h8"
    pass_words = "`step` with 64"
    board = 'position(game.game_state.board[0].tolist(), "XO-", color)'

    def start(self) -> Any:
        self.jax, self.numpy = importlib.import_module("jax"), importlib.import_module("numpy")
        if not hasattr(self, "environment"):
            games = importlib.import_module("ludax.games")
            self.environment = importlib.import_module("ludax").LudaxEnvironment(game_str=games.reversi)
            self.stepped, self.begun = self.jax.jit(self.environment.step), self.jax.jit(self.environment.init)
        return self.begun(self.jax.random.PRNGKey(0))

    def legal(self, game: Any) -> list[Any] | None:
        return [int(action) for action in self.numpy.flatnonzero(game.legal_action_mask)]

    def play(self, game: Any, move: Any, color: Color) -> Any:
        return self.stepped(game, self.numpy.int16(move))

    def skip(self, game: Any) -> Any:
        return self.play(game, PASS, Color.BLACK)

    def turn(self, game: Any) -> Color | None:
        return Color(int(game.game_state.current_player))

    def over(self, game: Any) -> bool:
        return bool(game.terminated | game.truncated)

    def result(self, game: Any) -> float | None:
        return float(game.rewards[0])


class Kaggle(Probe):
    package = "kaggle-environments"
    squares = "0 is a1, 63 is h8; the observation has names and `board[row][column]`"
    pass_words = '`{"submission": 64}`'
    board = (
        'position(sum(json.loads(observation["observationString"])["board"], []), {"": "-", "x": "X", "o": "O"}, color)'
    )

    def start(self) -> Any:
        if not hasattr(self, "environment"):
            self.environment = importlib.import_module("kaggle_environments").make("open_spiel_othello")
        self.environment.reset(2)
        self.environment.step([{"submission": -1}, {"submission": -1}])
        return self.environment

    def named(self, game: Any) -> dict[str, Any]:
        return {"observation": game.state[0].observation, "json": json}

    def legal(self, game: Any) -> list[Any] | None:
        return None

    def play(self, game: Any, move: Any, color: Color) -> Any:
        actions = [{"submission": -1}, {"submission": -1}]
        actions[color]["submission"] = move
        game.step(actions)
        return game

    def skip(self, game: Any) -> Any:
        return self.play(game, PASS, self.turn(game) or Color.BLACK)

    def turn(self, game: Any) -> Color | None:
        found = [index for index in (0, 1) if game.state[index].status == "ACTIVE"]
        return Color(found[0]) if found else None

    def over(self, game: Any) -> bool:
        return bool(game.done)

    def result(self, game: Any) -> float | None:
        return float(game.state[0].reward)


class Pyffish(Probe):
    package = "pyffish"
    squares = "`P@a1`; row 1 is at the bottom, so d3 is `P@d6`; FEN from row 8"
    pass_words = "a disc of the mover's that stays, like `d4d4`, as `legal_moves` names it"
    move = '"P@" + move_name(square ^ 56)'
    board = (
        r"""position(re.sub(r"\d", lambda n: "-" * int(n[0]), fen.split("[")[0].replace("/", "")), """
        """{"-": "-", "P": "X", "p": "O"}, color)"""
    )

    def start(self) -> Any:
        self.library = importlib.import_module("pyffish")
        self.fen = self.library.start_fen("flipello")
        return []

    def named(self, game: Any) -> dict[str, Any]:
        return {"fen": self.library.get_fen("flipello", self.fen, game)}

    def legal(self, game: Any) -> list[Any] | None:
        return list(self.library.legal_moves("flipello", self.fen, game))

    def play(self, game: Any, move: Any, color: Color) -> Any:
        return [*game, move]

    def skip(self, game: Any) -> Any:
        stay = [move for move in self.legal(game) or [] if not move.startswith("P")]
        if not stay:
            raise Refused("not legal")
        return [*game, stay[0]]

    def turn(self, game: Any) -> Color | None:
        return Color("wb".index(self.library.get_fen("flipello", self.fen, game).split()[1]))

    def begins(self, color: Color) -> str:
        return f"{color.opponent.name.capitalize()}, with the discs on d4 and e5, as `w` in the FEN"

    def over(self, game: Any) -> bool:
        return not self.legal(game) or any(
            getattr(self.library, f"is_{kind}_game_end")("flipello", self.fen, game)[0]
            for kind in ("immediate", "optional")
        )

    def result(self, game: Any) -> float | None:
        value = self.library.game_result("flipello", self.fen, game)
        return float((value > 0) - (value < 0)) * (1 if self.turn(game) is Color.BLACK else -1)


class ReversiAi(Probe):
    """Only advises: it has no game, so its row is made otherwise."""

    package = "reversi-ai"
    squares = "`board[row][column]`, Black is 1, White 2; moves are (column, row) from (0, 0), which is a1"

    def observed(self) -> dict[str, str]:
        """Return the row of the library."""
        library = importlib.import_module("reversi_ai._reversi_ai")
        library.init()

        def asked(game: Game) -> tuple[list[int], float]:
            black, white = game.position.black, game.position.white
            rows = [
                [(black >> square & 1) + 2 * (white >> square & 1) for square in range(8 * y, 8 * y + 8)]
                for y in range(8)
            ]
            found = library.minimax_moves(rows, 1 + game.position.color, 1, 1.0, 1.0)
            return [8 * row + column for column, row in found["moves"]], found["val"] - 100_000

        for transcript in GAMES.values():
            game = Game()
            for move in Game.from_transcript(transcript).moves:
                moves, _ = asked(game)
                assert move == PASS or (moves and set(moves) <= set(game.position.legal_moves))
                game.play(move)
        before, after = Game.from_transcript(GAMES["pass"][:16]), Game.from_transcript(GAMES["wipe-out"])
        discs = before.discs[0] - before.discs[1]
        blocked, ended = asked(before), asked(after)
        return {
            "begins": "the caller says",
            "pass": "no moves are proposed",
            "illegal move": "it only proposes moves",
            "end": "a side has no move, even if the other has" if blocked == ([], discs) else "neither side has a move",
            "empty squares": counted(ended[1]) if ended[0] == [] else "no result",
            "what to convert": "`8 * row + column`",
        }


class Grhino(Probe):
    package = "GRhino"
    squares = "names (GTP)"
    pass_words = "`play b pass`"
    move = "move_name(square)"
    board = 'Position.parse("".join(rows).replace(" ", "").replace(".", "-") + color.disc)'

    def start(self) -> Any:
        """Return the commands so far: the program is asked anew each time, because it takes back no error."""
        return ["clear_board"]

    def version(self) -> str:
        return self.asked(["version"]).removeprefix("= ")

    @staticmethod
    @functools.cache
    def answers(text: str) -> list[str]:
        """Return the answers to some commands, each line one."""
        done = subprocess.run(
            ["gtp-rhino"], input=f"{text}\nquit\n", capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout.split("\n\n")

    def asked(self, commands: list[str]) -> str:
        """Return the answer to the last command."""
        return self.answers("\n".join(commands))[len(commands) - 1]

    def named(self, game: Any) -> dict[str, Any]:
        return {"rows": re.findall(r"^ +[1-8]((?: [.XO]){8})", self.asked([*game, "showboard"]), re.MULTILINE)}

    def legal(self, game: Any) -> list[Any] | None:
        return None

    def play(self, game: Any, move: Any, color: Color) -> Any:
        after = [*game, f"play {color.letter} {move}"]
        answer = self.asked(after)
        if not answer.startswith("="):
            raise Refused(f"`{answer}`")
        return after

    def turn(self, game: Any) -> Color | None:
        found = re.search("Next move: (Black|White)", self.asked([*game, "showboard"]))
        return None if found is None else Color[found[1].upper()]

    def over(self, game: Any) -> bool:
        return "Game ended" in self.asked([*game, "showboard"])

    def result(self, game: Any) -> float | None:
        winner, discs = self.asked([*game, "final_score"]).removeprefix("= ").split("+")
        return int(discs) * (1 if winner == "B" else -1)


class Refused(Exception):
    """A library refuses a move by its answer; the message is that answer."""


PROBES: Final = {
    probe.package: probe
    for probe in (
        RustReversi,
        Creversi,
        Pyreversi,
        Othellopy,
        Reversi42,
        SimpleOthello,
        CliOthello,
        OpenSpiel,
        Pgx,
        Textarena,
        Ludax,
        Kaggle,
        Pyffish,
        ReversiAi,
        Grhino,
    )
}


@dataclass
class Seen:
    """What one game showed."""

    begins: Color | None
    at_pass: list[str]
    late: int | None = None
    """How many passes after the end the library says that the game is over; None if it never does."""

    early: str = ""
    different: str = ""
    result: float | None = None


def replay(probe: Probe, transcript: str) -> Seen:
    """Play a game in a library and hold each of its positions against ours."""
    game, ours = probe.start(), Game()
    seen = Seen(probe.turn(game), [])
    for move in Game.from_transcript(transcript).moves:
        if probe.over(game):
            seen.early = f"over after {ours.ply} moves"
            return seen
        if move == PASS:
            legal = probe.legal(game)
            if probe.keeps_turn and probe.turn(game) is not ours.position.color:
                seen.at_pass.append("skipped")
            else:
                seen.at_pass.append("unlisted" if legal is None else f"{len(legal)} listed")
                game = probe.skip(game)
            ours.play(PASS)
        else:
            game = probe.play(game, probe.value(probe.move, game, move, ours.position.color), ours.position.color)
            ours.play(move)
        theirs = probe.value(probe.board, game, move, ours.position.color)
        expected = ours.position
        if (theirs.black, theirs.white) != (expected.black, expected.white):
            discs = (theirs.black ^ expected.black).bit_count()
            seen.different = f"{discs} other discs after {move_name(move)}"
            return seen
        legal = probe.legal(game)
        if legal is not None and expected.legal_moves:
            wanted = [probe.value(probe.move, game, square, expected.color) for square in expected.legal_moves]
            if sorted(map(str, legal)) != sorted(map(str, wanted)):
                seen.different = f"other legal moves after {ours.ply} moves"
                return seen
    for passes in range(4):
        if probe.over(game):
            seen.late, seen.result = passes, probe.result(game)
            break
        with contextlib.suppress(NotImplementedError):
            game = probe.skip(game)
    return seen


def end_words(games: dict[str, Seen]) -> str:
    """Return when a library ends games."""
    late = [games[name].late for name in ("full", "early", "wipe-out")]
    words = {0: "at once", 1: "after one more pass", 2: "after two passes", 3: "after three passes", None: "never"}
    if late == [0, 0, 0]:
        text = "neither side has a move"
    elif len(set(late)) == 1:
        text = f"{words.get(late[0], 'later')}, also on a full board"
    else:
        names = ("a full board", "no move for both", "a side without discs")
        told = (f"{name}: {words.get(value, 'later')}" for name, value in zip(names, late, strict=True))
        text = "; ".join(told)
    if games["two passes"].early:
        text = f"a full board: {words.get(late[0], 'later')}; else a side's second pass of the whole game"
    return text


def pass_words(probe: Probe, games: dict[str, Seen]) -> str:
    """Return how one passes in a library, and whether it may be done where there are moves."""
    kinds = set(games["pass"].at_pass + games["two passes"].at_pass)
    if kinds == {"skipped"}:
        return "none: the side that can move is asked again"
    if not probe.keeps_turn:
        return "the caller's: no legal move is listed"
    listed = {"0 listed": "no legal move is listed", "1 listed": "the only legal move", "unlisted": "must be played"}
    text = f"{probe.pass_words}: {' or '.join(sorted(listed.get(kind, kind) for kind in kinds))}"
    if any(game.different.endswith("after pass") for game in games.values()):
        text += "; it turned discs in one game of two"
    before = probe.start()
    color = probe.turn(before)
    try:
        after = probe.skip(before)
    except Exception:  # noqa: BLE001 - each library has errors of its own
        return text
    if probe.turn(after) is color or probe.over(after):
        return text
    return f"{text}; taken where there are moves, too"


def illegal_words(probe: Probe) -> str:
    """Return what a library does with a1 as the first move."""
    game = probe.start()
    before = probe.value(probe.board, game, 0, Color.BLACK)
    try:
        after = probe.play(game, probe.value(probe.move, game, 0, Color.BLACK), Color.BLACK)
        if probe.over(after):
            return "loses the game" if (probe.result(after) or 0) < 0 else "ends the game, not as a loss"
        position = probe.value(probe.board, after, 0, Color.WHITE)
    except Refused as answer:
        return f"is answered by {answer}"
    except Exception as error:  # noqa: BLE001 - each library has errors of its own
        return f"raises `{type(error).__name__}`"
    if (position.black, position.white) == (before.black, before.white):
        again = probe.play(after, probe.value(probe.move, after, 0, Color.BLACK), Color.BLACK)
        return "changes nothing; the second loses the game" if probe.over(again) else "changes nothing"
    gained = (position.black | position.white).bit_count() - 4
    return f"is played: {gained} disc more, none turned"


def counted(result: float | None) -> str:
    """Return whether empty squares count, by the result of the shortest wipe-out."""
    if result is None:
        return "no result"
    return {WIPE_OUT: f"not counted: {WIPE_OUT}", 64: "to the winner: 64", 1: "only who won"}.get(
        int(result), f"{result:g}"
    )


def observe(probe: Probe) -> dict[str, str]:
    """Return the row of a library."""
    about = {"version": probe.version(), "squares": probe.squares}
    if isinstance(probe, ReversiAi):
        return about | probe.observed()
    games = {name: replay(probe, transcript) for name, transcript in GAMES.items()}
    begins = games["full"].begins
    return about | {
        "begins": "the caller says" if begins is None else probe.begins(begins),
        "pass": pass_words(probe, games),
        "illegal move": illegal_words(probe),
        "end": end_words(games),
        "empty squares": counted(games["wipe-out"].result),
        "what to convert": "; ".join(f"`{code}`" for code in (probe.move, probe.board) if code not in ("square", ""))
        or "nothing",
    }


if __name__ == "__main__":
    print(json.dumps(observe(PROBES[sys.argv[1]]()), ensure_ascii=False))

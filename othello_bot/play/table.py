"""The table at which a terminal game is played: whose turn it is, what was typed, what is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from othello_bot.errors import InputError
from othello_bot.play.clocks import Clocks
from othello_bot.play.files import load_game, save_game
from othello_bot.play.players import ComputerPlayer, PlayerSpec
from othello_bot.rules import CannotRedo, CannotUndo, Game, Position
from protocol.notation import PASS, Color, NotationError, move_name, parse_move

HELP = """\
f5           play a move; a pass is played for you
suggest      ask for advice
moves        list your legal moves
board        draw the board again
undo [N]     take back your last move, or your last N
redo         play again what was taken back
save FILE    write the game: .ggf, .sgf, .pgn, or a transcript under any other name
load FILE    go on with the game of a file
resign       give up
quit         leave"""


SEEDS = 2**63
"""How many seeds there are: 0 up to this."""

OVER = "the game is over: expected undo, load, save or quit"


class PlayError(ValueError):
    """A line that cannot be obeyed; the game is as it was."""


class _Quit(Exception):
    """The person at the keyboard has left."""


class Players:
    """The two players and the adviser; the adviser is made when he is first asked."""

    def __init__(self, black: PlayerSpec, white: PlayerSpec, adviser: PlayerSpec, seed: int) -> None:
        """Begin a table; `seed` starts every random choice of the players."""
        self._specs = {Color.BLACK: black, Color.WHITE: white}
        self._adviser_spec = adviser
        self.seed = seed
        self._made: dict[Color, ComputerPlayer | None] = {}
        self._adviser: ComputerPlayer | None = None

    def __enter__(self) -> Players:
        # Each has a seed of its own, so that two random players do not play the same moves.
        self._made = {color: spec.make((self.seed + int(color)) % SEEDS) for color, spec in self._specs.items()}
        return self

    def __exit__(self, *exception: object) -> None:
        for player in (*self._made.values(), self._adviser):
            if player is not None:
                player.close()

    def computer(self, color: Color) -> ComputerPlayer | None:
        """Return the player of a colour, None where it is a human."""
        return self._made[color]

    @property
    def any_person(self) -> bool:
        """True where somebody sits at the keyboard."""
        return any(spec.is_human for spec in self._specs.values())

    def name(self, color: Color) -> str:
        """Return how a player is called."""
        return self._specs[color].text

    def advice(self, position: Position) -> list[str]:
        """Return the adviser's lines."""
        if self._adviser is None:
            self._adviser = self._adviser_spec.make(self.seed)
        assert self._adviser is not None, "the command line takes no human as adviser"
        return self._adviser.suggest(position)


class Table:
    """The game in progress: whose turn it is, what was typed, what is shown."""

    def __init__(
        self,
        game: Game,
        players: Players,
        clocks: Clocks | None,
        *,
        picture: Callable[[Position], str],
        write: Callable[[str], None],
        read_line: Callable[[str], str] = input,
    ) -> None:
        self.game = game
        self._players = players
        self._clocks = clocks
        self._picture = picture
        self._read_line = read_line
        self._write = write
        self._over = False
        self._commands: dict[str, Callable[[str], None]] = {
            "suggest": self._suggest,
            "hint": self._suggest,
            "moves": lambda rest: self._say(" ".join(map(move_name, self.game.position.legal_moves))),
            "board": lambda rest: self._draw(),
            "undo": self._undo,
            "redo": self._redo,
            "save": self._save,
            "load": self._load,
            "resign": self._resign,
            "help": lambda rest: self._say(HELP),
            "quit": self._quit,
            "exit": self._quit,
        }

    def play(self) -> None:
        """Play until the game ends or the person leaves."""
        self._say(f"seed {self._players.seed}")
        self._draw()
        try:
            while True:
                while not self.game.is_over and not self._over:
                    self._turn()
                if self.game.is_over:
                    self._announce()
                if not self._players.any_person:
                    return
                self._after_the_end()
        except _Quit:
            self._say("goodbye")

    def _turn(self) -> None:
        """Let the player to move make one move, or a person type one line."""
        position = self.game.position
        color = position.color
        if position.must_pass:
            self._say(f"{color.name.lower()} has no legal move and passes")
            self.game.play(PASS)
            return
        computer = self._players.computer(color)
        if self._clocks is not None:
            self._clocks.start()
        if computer is None:
            self._ask(position)
        else:
            clock = None if self._clocks is None else self._clocks.state(color)
            self._made(computer.choose(position, clock))

    def _ask(self, position: Position) -> None:
        """Read lines until one of them is a move or changes the game, or the time is up."""
        color = position.color
        opponent = self._players.computer(color.opponent)
        if opponent is not None:
            opponent.think_ahead(position)
        while self.game.position is position and not self._over:
            if self._clocks is None:
                self._obey_line(f"{color.name.lower()}> ")
            elif self._clocks.charge(color):
                self._obey_line(f"{color.name.lower()} {self._clocks.text(color)}> ")
            else:
                self._forfeit(color)

    def _after_the_end(self) -> None:
        """Read lines until one of them brings a game that is not over, or the person leaves."""
        game = self.game
        while self.game is game:
            self._obey_line("over> ")
        self._over = False

    def _obey_line(self, prompt: str) -> None:
        """Read a line and obey it; what is wrong with it is said."""
        try:
            line = self._read_line(prompt).strip()
        except EOFError:
            self._write("\n")
            raise _Quit from None
        try:
            self._obey(line)
        except (PlayError, InputError) as error:
            self._say(str(error))
        except OSError as error:
            self._say(f"{error.filename or 'the file'}: {error.strerror or error}")

    def _obey(self, line: str) -> None:
        """Obey a command or play a move; raise an error that says what would be accepted, and change nothing."""
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.lower())
        if command is not None:
            command(rest.strip())
        elif line and self._is_over:
            raise PlayError(OVER)
        elif line:
            try:
                move = parse_move(line)
            except NotationError:
                raise PlayError(f"{line[:20]!r}: expected a move like f5, or a command; help lists them") from None
            self.game.position.play(move)  # raises IllegalMove, which names the legal ones
            self._made(move)

    def _made(self, move: int) -> None:
        """Play a legal move, unless the time is up."""
        color = self.game.position.color
        if self._clocks is not None and not self._clocks.stop(color):
            self._forfeit(color)
            return
        self.game.play(move)
        self._say(f"{color.name.lower()} ({self._players.name(color)}) plays {move_name(move)}")
        self._draw()

    @property
    def _is_over(self) -> bool:
        """True where nobody is to move: the game has ended, or somebody has given it up or lost it on time."""
        return self._over or self.game.is_over

    def _forfeit(self, color: Color) -> None:
        """End the game for want of time."""
        self._over = True
        self._say(f"{color.name.lower()} has no time left and forfeits: {color.opponent.name.lower()} wins")

    def _announce(self) -> None:
        """Say how the game ended."""
        score = self.game.score
        winner = "black wins" if score > 0 else "white wins" if score < 0 else "a draw"
        position = self.game.position
        discs = f"black {position.black.bit_count()}, white {position.white.bit_count()}"
        self._say(f"the game is over: {winner}" + (f" by {abs(score)}" if score else "") + f" ({discs})")

    def _suggest(self, rest: str) -> None:
        if self._is_over:
            raise PlayError(OVER)
        for line in self._players.advice(self.game.position):
            self._say(line)

    def _undo(self, rest: str) -> None:
        """Take back as many own moves as asked for, with the answers and passes after them."""
        count = self._count(rest)
        twin = self.game.copy()
        for _ in range(count):
            if not twin.ply:
                raise CannotUndo("cannot undo", count, "no more moves than you have made")
            twin.undo()
            while twin.ply and not self._is_for_a_person(twin.position):
                twin.undo()
        if not self._is_for_a_person(twin.position):
            raise CannotUndo("cannot undo", count, "no more moves than you have made")
        self._replace(twin)

    def _redo(self, rest: str) -> None:
        """Play taken-back moves again until it is a person's turn."""
        twin = self.game.copy()
        if not twin.redoable:
            raise CannotRedo("cannot redo", 1, "an undo before it")
        twin.redo()
        while twin.redoable and not self._is_for_a_person(twin.position):
            twin.redo()
        self._replace(twin)

    def _is_for_a_person(self, position: Position) -> bool:
        """Say whether a person has a move to make there."""
        return self._players.computer(position.color) is None and not position.must_pass

    def _replace(self, game: Game) -> None:
        """Go on with another game; the time spent until now is spent."""
        if self._clocks is not None and not self._is_over:
            self._clocks.charge(self.game.position.color)
        self.game = game
        self._draw()

    def _save(self, rest: str) -> None:
        if not rest:
            raise PlayError("save: expected the name of a file")
        self.save_as(Path(rest))
        self._say(f"saved in {rest}")

    def save_as(self, path: Path) -> None:
        """Write the game with the players' names and the seed; raise OSError where that fails."""
        black, white = self._players.name(Color.BLACK), self._players.name(Color.WHITE)
        save_game(self.game, black, white, path, comment=f"seed {self._players.seed}")

    def _load(self, rest: str) -> None:
        if not rest:
            raise PlayError("load: expected the name of a file")
        self._replace(load_game(Path(rest)))

    def _resign(self, rest: str) -> None:
        if self._is_over:
            raise PlayError(OVER)
        self._over = True
        color = self.game.position.color
        self._say(f"{color.name.lower()} resigns: {color.opponent.name.lower()} wins")

    def _quit(self, rest: str) -> None:
        raise _Quit

    @staticmethod
    def _count(text: str) -> int:
        """Return the number that follows a command, 1 where there is none."""
        if not text:
            return 1
        if text.isascii() and text.isdigit() and len(text) < 4 and int(text):
            return int(text)
        raise PlayError(f"undo {text[:20]!r}: expected a number of moves, 1 or more")

    def _draw(self) -> None:
        self._say(self._picture(self.game.position))

    def _say(self, text: str) -> None:
        self._write(f"{text}\n")



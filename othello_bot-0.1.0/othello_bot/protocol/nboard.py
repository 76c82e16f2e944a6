"""NBoard 2: the GUI's messages as typed commands, the engine's answers as typed responses, and the reverse.

Sources: Chris Welty's instructions/Protocol.htm of NTest and the parsers of NBoard itself. The text of a message is its
line, without its end. Both sides ignore unknown lines. The game (GGF) is an opaque string here; ``nboard_values`` reads
and writes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from othello_bot.base import notation
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import NotationError, format_decimal
from othello_bot.base.visible import visible
from othello_bot.protocol.nboard_values import (
    Depth,
    NBoardError,
    annotated,
    evaluation_text,
    first_words,
    move_text,
    one_word,
    parse_annotated,
    parse_depth,
    read_evaluation,
    read_integer,
    read_move,
    read_number,
    split_verb,
)

PROTOCOL_VERSION: Final = 2


# -- GUI to engine ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """``nboard N``: the first line."""

    version: int = PROTOCOL_VERSION

    def __str__(self) -> str:
        return f"nboard {self.version}"


@dataclass(frozen=True, slots=True)
class SetDepth:
    """``set depth N``: the largest midgame depth in plies; the engine answers with its name."""

    depth: int

    def __str__(self) -> str:
        return f"set depth {self.depth}"


@dataclass(frozen=True, slots=True)
class SetGame:
    """``set game GGF``: the whole game, including its clocks; later messages refer to its last position."""

    ggf: str

    def __str__(self) -> str:
        return f"set game {self.ggf}".rstrip()


@dataclass(frozen=True, slots=True)
class SetContempt:
    """``set contempt N``: the value of a draw for black in hundredths of a disc."""

    contempt: float

    def __str__(self) -> str:
        return f"set contempt {format_decimal(self.contempt).removesuffix('.00')}"


@dataclass(frozen=True, slots=True)
class Move:
    """``move F5/1.25/3.2``, or the bare ``F5`` of version 1."""

    played: EvaluatedMove

    def __str__(self) -> str:
        return f"move {annotated(self.played)}"


@dataclass(frozen=True, slots=True)
class Hint:
    """``hint N``: analyse the best N moves, without limit, until the next command."""

    moves: int = 1

    def __str__(self) -> str:
        return f"hint {self.moves}"


@dataclass(frozen=True, slots=True)
class Go:
    """``go``: choose a move without playing it."""

    def __str__(self) -> str:
        return "go"


@dataclass(frozen=True, slots=True)
class Ping:
    """``ping N``: stop thinking, then answer ``pong N``; nothing from before may be printed after it."""

    number: int

    def __str__(self) -> str:
        return f"ping {self.number}"


@dataclass(frozen=True, slots=True)
class Learn:
    """``learn``: add the game to the book."""

    def __str__(self) -> str:
        return "learn"


@dataclass(frozen=True, slots=True)
class Analyze:
    """``analyze``: evaluate every position of the game."""

    def __str__(self) -> str:
        return "analyze"


@dataclass(frozen=True, slots=True)
class New:
    """``new [8]``, an extension of NTest: a new game from the usual start."""

    def __str__(self) -> str:
        return "new"


@dataclass(frozen=True, slots=True)
class Quit:
    """``quit``."""

    def __str__(self) -> str:
        return "quit"


Command: TypeAlias = Hello | SetDepth | SetGame | SetContempt | Move | Hint | Go | Ping | Learn | Analyze | New | Quit

_WORDS_ALONE: Final[dict[str, Command]] = {
    "go": Go(),
    "learn": Learn(),
    "analyze": Analyze(),
    "quit": Quit(),
    "new": New(),
}


def parse_command(line: str) -> Command | None:
    """Return the GUI's command, or None for a line to ignore: empty or unknown.

    Raise NBoardError for a known command with an unreadable argument; the state is unchanged.
    """
    verb, rest = split_verb(line)
    name = verb.lower()
    if name in _WORDS_ALONE:
        return _WORDS_ALONE[name]
    if name == "nboard":
        return Hello(read_integer(rest or "1"))
    if name == "set":
        variable, value = split_verb(rest)
        return _parse_set(variable.lower(), value)
    if name == "move":
        return Move(parse_annotated(rest))
    if name == "hint":
        return Hint(max(1, read_integer(split_verb(rest)[0] or "1")))
    if name == "ping":
        return Ping(read_integer(split_verb(rest)[0]))
    if not rest and notation.is_move(verb.partition("/")[0]):
        return Move(parse_annotated(verb))
    return None


def _parse_set(variable: str, value: str) -> Command | None:
    if variable == "depth":
        return SetDepth(max(1, read_integer(value)))
    if variable == "contempt":
        return SetContempt(read_number(value))
    if variable == "game":
        return SetGame(value)
    return None


# -- engine to GUI ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """``=== F5/12.34/1.5``: the answer to ``go``, and only to ``go``."""

    played: EvaluatedMove

    def __str__(self) -> str:
        return f"=== {annotated(self.played)}"


@dataclass(frozen=True, slots=True)
class SearchLine:
    """``search`` or ``book``: one move's evaluation while analysing.

    Attributes:
        pv: the principal variation, beginning with the move considered.
        evaluation: discs, from the mover's view; may be NaN if an engine has none.
        depth: the depth, or the confidence of a solve.
        text: anything.
        book: the value comes from the opening book.
        games: with ``book``, the number of games; else 0.
        white_draws: the evaluation if draws count for white, for engines that send two.
    """

    pv: tuple[int, ...]
    evaluation: float
    depth: Depth
    text: str = ""
    book: bool = False
    games: int = 0
    white_draws: float | None = None

    def __str__(self) -> str:
        pv = "".join(move_text(move) for move in self.pv) or "PA"
        evaluation = evaluation_text(self.evaluation)
        if self.white_draws is not None:
            evaluation += "," + evaluation_text(self.white_draws)
        games = self.games if self.book else 0
        head = f"{'book' if self.book else 'search'} {pv} {evaluation} {games} {self.depth}"
        return f"{head} {' '.join(self.text.split())}".rstrip()


@dataclass(frozen=True, slots=True)
class NodeStats:
    """``nodestats``: positions and seconds since the search began."""

    nodes: int
    time_s: float

    def __str__(self) -> str:
        return f"nodestats {max(0, self.nodes)} {format_decimal(max(0.0, self.time_s), 3)}"


@dataclass(frozen=True, slots=True)
class Status:
    """``status``: the text of the GUI's status line, empty to clear it."""

    text: str = ""

    def __str__(self) -> str:
        return f"status {visible(' '.join(self.text.split()))}".rstrip()


@dataclass(frozen=True, slots=True)
class MyName:
    """``set myname``: one word."""

    name: str

    def __str__(self) -> str:
        return f"set myname {one_word(self.name)}"


@dataclass(frozen=True, slots=True)
class Pong:
    """``pong N``."""

    number: int

    def __str__(self) -> str:
        return f"pong {self.number}"


@dataclass(frozen=True, slots=True)
class Learned:
    """``learned``."""

    def __str__(self) -> str:
        return "learned"


@dataclass(frozen=True, slots=True)
class Analysis:
    """``analysis N eval``: the mover's value after N moves, counting passes; 0 is the start."""

    moves_made: int
    evaluation: float

    def __str__(self) -> str:
        return f"analysis {self.moves_made} {format_decimal(self.evaluation)}"


Response: TypeAlias = Chosen | SearchLine | NodeStats | Status | MyName | Pong | Learned | Analysis


def parse_response(line: str) -> Response | None:
    """Return the response in an engine's line, or None for a line without meaning to a GUI.

    Raise NBoardError for a known line with damaged arguments (NBoard shows an error dialog then).
    """
    verb, rest = split_verb(line)
    if verb == "===":
        return Chosen(parse_annotated(rest))
    if verb in ("search", "book"):
        return _parse_search(rest, book=verb == "book")
    if verb == "nodestats":
        nodes, time_s = first_words(rest, 2, "nodestats NODES SECONDS")
        return NodeStats(int(read_number(nodes)), read_number(time_s))
    if verb == "status":
        return Status(rest)
    if verb == "set":
        variable, value = split_verb(rest)
        if variable != "myname" or not value:
            raise NBoardError(line, "set myname NAME")
        return MyName(value.split()[0])
    if verb == "pong":
        return Pong(read_integer(first_words(rest, 1, "pong N")[0]))
    if verb in ("learned", "learn"):
        # NTest sends "learn"; a program that waits for the end of learning should not hang because of one letter.
        return Learned()
    if verb == "analysis":
        moves_made, evaluation = first_words(rest, 2, "analysis MOVES EVAL")
        return Analysis(read_integer(moves_made), read_number(evaluation))
    return None


def _parse_search(rest: str, *, book: bool) -> SearchLine:
    words = rest.split(maxsplit=4)
    if len(words) < 4:
        raise NBoardError(rest, "PV EVAL GAMES DEPTH [TEXT]")
    evaluation, _, white_draws = words[1].partition(",")
    return SearchLine(
        _parse_pv(words[0]),
        read_evaluation(evaluation),
        parse_depth(words[3]),
        words[4] if len(words) > 4 else "",
        book,
        read_integer(words[2]),
        read_evaluation(white_draws) if white_draws else None,
    )


def _parse_pv(text: str) -> tuple[int, ...]:
    # Only the first two fields are guaranteed; an unreadable rest is no reason to lose the line.
    first = read_move(text[:2])
    try:
        return notation.parse_transcript(text)
    except NotationError:
        return (first,)

"""Values in the messages of GGS, the Generic Game Server: types of matches, clocks, players, moves and boards.

Sources: https://www.skatgame.net/mburo/ggsa/clock and .../types, and what the server's own code writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from othello_bot.base.clocks import ClockState, TimeControl
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import (
    Board,
    Color,
    NotationError,
    parse_decimal,
    parse_move,
    seconds_of,
)
from othello_bot.protocol.nboard_values import with_details

LONGEST_NAME: Final = 8
"""Most characters of a login."""

_LOGIN: Final = re.compile(rf"[^\s._,\\:/|][^\s,\\:/|]{{1,{LONGEST_NAME - 1}}}", re.ASCII)
_TYPE: Final = re.compile(r"(s?)(\d{1,2})((?:[abkw]|r\d{0,2}){0,8})", re.IGNORECASE | re.ASCII)
_TIME: Final = re.compile(r"(-?)(?:(\d{1,4})\.)?(?:(\d{1,4}):)??(?:(\d{1,4}):)?(\d{1,6})", re.ASCII)
_PART: Final = re.compile(r"([^,]*)(?:,(N?)(\d{0,3})(?::(\d{1,3}))?)?", re.ASCII)
_PLAYED: Final = re.compile(
    r"([A-Ha-h][1-8]|pa(?:ss)?)(?:/([^/\s]{0,20})(?:/([^/\s]{0,20}))?)?", re.IGNORECASE | re.ASCII
)


def parse_login(text: str) -> str:
    """Return a login: 2 to 8 characters, the first neither a dot nor an underscore. Raise NotationError."""
    if not (_LOGIN.fullmatch(text) and text.isprintable()):
        raise NotationError(text, "a login of 2 to 8 letters and digits")
    return text


@dataclass(frozen=True, slots=True)
class MatchType:
    """A type of match, such as ``8``, ``8w``, ``s8r18`` or ``8k``.

    Attributes:
        size: squares in a row (88 is the octagon of 10 rows).
        synchro: two games at once with colours swapped.
        random_discs: discs of a random start, 0 where the server chooses; None is the usual start.
        komi: a bid decides who plays which colour.
        anti: fewer discs win.
        color: the colour of the player who asks; None leaves it to the server.
    """

    size: int = 8
    synchro: bool = False
    random_discs: int | None = None
    komi: bool = False
    anti: bool = False
    color: Color | None = None

    def __str__(self) -> str:
        color = "" if self.color is None else self.color.letter
        random = "" if self.random_discs is None else f"r{self.random_discs or ''}"
        letters = ("k" if self.komi else "") + ("a" if self.anti else "") + color + random
        return f"{'s' if self.synchro else ''}{self.size}{letters}"


def parse_match_type(text: str) -> MatchType:
    """Return the type of match; raise NotationError."""
    match = _TYPE.fullmatch(text)
    if match is None:
        raise NotationError(text, "a type of match (8, 8b, 8w, s8, 8r18, s8r18)")
    synchro, size, rest = match[1] != "", int(match[2]), match[3].lower()
    discs = re.search(r"r(\d*)", rest)
    color = Color.BLACK if "b" in rest else Color.WHITE if "w" in rest else None
    return MatchType(size, synchro, None if discs is None else int(discs[1] or 0), "k" in rest, "a" in rest, color)


def parse_time(text: str) -> float:
    """Return the seconds in ``SS``, ``MM:SS``, ``HH:MM:SS`` or ``D.HH:MM:SS``, which may be negative.

    Raise NotationError.
    """
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise NotationError(text, "a time like 05:00")
    sign, *parts = match.groups()
    return (-1.0 if sign else 1.0) * seconds_of(*parts)


def format_time(seconds: float) -> str:
    """Return whole seconds as ``MM:SS`` or ``H:MM:SS``."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{f'{hours}:' if hours else ''}{minutes:02}:{rest:02}"


def _parts(text: str) -> list[tuple[float, bool, int, int | None]]:
    """Return time, ``N``, and both numbers of each part of a clock; raise NotationError."""
    found = []
    for index, part in enumerate([*text.split("/", 3), "", ""][:3]):
        match = _PART.fullmatch(part.replace(" ", ""))
        if match is None or (index == 0 and not match[1]):
            raise NotationError(text, "a clock like 05:00//02:00")
        time_s = parse_time(match[1]) if match[1] else 0.0
        found.append((time_s, bool(match[2]), int(match[3] or 0), None if match[4] is None else int(match[4])))
    return found


def parse_clock(text: str) -> TimeControl:
    """Return the time control ``initial/increment/extension``; raise NotationError.

    It has a number of moves where a part has one, or another rule (``N``) applies.
    """
    parts = initial, increment, extension = _parts(text)
    plain = not any(part[1] for part in parts) and not initial[2] and increment[2] < 2 and not extension[2]
    moves = None if plain else max(1, *(part[2] for part in parts))
    return TimeControl(max(0.0, initial[0]), max(0.0, increment[0]), moves, max(0.0, extension[0]))


def format_clock(clock: TimeControl) -> str:
    """Return a time control without a number of moves as the server reads it, without empty parts at the end."""
    later = [format_time(part_s) if part_s else "" for part_s in (clock.increment_s, clock.grace_s)]
    return "/".join([format_time(clock.main_s), *later]).rstrip("/")


def parse_time_shown(text: str) -> tuple[ClockState, float]:
    """Return a player's clock in a game, ``00:56,1:0//02:00,1:0``, and the time to come after its flag.

    What remains is negative after the flag fell. Raise NotationError.
    """
    initial, increment, extension = _parts(text)
    made, of = initial[2], initial[3] or 0
    moves_to_go = max(1, of - made) if of else None
    return ClockState(initial[0], max(0.0, increment[0]), moves_to_go), max(0.0, extension[0])


@dataclass(frozen=True, slots=True)
class Standing:
    """A player as a board shows him: ``color`` is None before a komi game has decided it.

    ``grace_s`` is what his clock gets after its flag fell.
    """

    name: str
    rating: float
    color: Color | None
    clock: ClockState
    grace_s: float


def parse_played(text: str) -> EvaluatedMove:
    """Return the move of ``F5/1.25/3.47``; see `with_details`. Raise NotationError."""
    match = _PLAYED.fullmatch(text.strip())
    if match is None:
        raise NotationError(text, "a move like f5/1.25/3.47")
    return with_details(parse_move(match[1]), (match[2] or "", match[3] or ""))


_COLORS: Final = {"*": Color.BLACK, "X": Color.BLACK, "O": Color.WHITE}
_RANK: Final = re.compile(r"\|\s*([1-8]) ((?:[-*XO] ){7}[-*XO])(?: [1-8])?\s*")
_PLAYER: Final = re.compile(r"\|(\S+)\s*\(\s*([+-]?\d{1,6}(?:\.\d{1,6})?)\s+([*XO?])\)\s*(\S.*)")
_MOVE: Final = re.compile(r"\|\s*(\d{1,3}): (\S+)\s*")
_TURN: Final = re.compile(r"\|([*XO]) to move\s*")
_COUNT: Final = re.compile(r"\|(\d{1,3}) move\(s\)\s*")
_KOMI: Final = re.compile(r"K(\?|[+-]?\d{1,4}(?:\.\d{1,6})?)")


@dataclass(frozen=True, slots=True)
class BoardText:
    """A game as the server shows it.

    Attributes:
        game: its number, such as ``.5``, or ``.5.0`` in a synchro match.
        joined: it is shown with all its moves from its start; else after its last move.
        type: the type of match.
        komi: discs that Black gives, None where nobody does.
        ply: moves made, passes among them.
        last: the last move, None before the first.
        players: both, Black first where colours are known.
        board: the position.
        start: with ``joined``, the position before the first move; else None.
        moves: with ``joined``, all moves.
        settings: with ``joined`` and moves, both players with the clocks that they began with.
    """

    game: str
    joined: bool
    type: MatchType
    komi: float | None
    ply: int
    last: EvaluatedMove | None
    players: tuple[Standing, Standing]
    board: Board
    start: Board | None = None
    moves: tuple[EvaluatedMove, ...] = ()
    settings: tuple[Standing, Standing] | None = None

    @property
    def match(self) -> str:
        """The number of the match, without that of the game in it."""
        return match_of(self.game)

    def player(self, name: str) -> Standing | None:
        """Return one of the players, None for anybody else."""
        return next((one for one in self.players if one.name == name), None)


@dataclass(frozen=True, slots=True)
class Damaged:
    """A board of a game that cannot be read; `game` is "" if not even its number can."""

    game: str
    lines: tuple[str, ...]


def match_of(game: str) -> str:
    """Return the match of a game: ``.5`` for ``.5.0``."""
    return ".".join(game.split(".")[:2])


def read_board(words: Sequence[str], lines: Sequence[str]) -> BoardText | Damaged:
    """Return the board that `words`, those of the first line, and the lines below tell."""
    try:
        return _read(words, lines)
    except (NotationError, ValueError):
        game = words[1] if len(words) > 1 and re.fullmatch(r"\.\d{1,9}(?:\.\d)?", words[1]) else ""
        return Damaged(game, (" ".join(words), *lines))


def _read(words: Sequence[str], lines: Sequence[str]) -> BoardText:
    if len(words) < 3 or not re.fullmatch(r"\.\d{1,9}(?:\.\d)?", words[1]):
        raise NotationError(" ".join(words), "join or update, a game and its type")
    komi = _KOMI.fullmatch(words[3]) if len(words) > 3 else None
    joined = words[0] == "join"
    boards = _boards(lines)
    players = [_standing(match) for match in map(_PLAYER.fullmatch, lines) if match is not None]
    if not boards or len(players) not in (2, 4):
        raise NotationError(" ".join(words), "two players and a board")
    moves = list(_moves(lines))
    ply = moves[-1][0] if moves else 0
    last = moves[-1][1] if moves and ply else None
    if joined:
        count = next((int(match[1]) for match in map(_COUNT.fullmatch, lines) if match is not None), None)
        numbers = [number for number, _ in moves if number]
        if count is None or numbers != list(range(1, count + 1)) or len(boards) != (2 if count else 1):
            raise NotationError(" ".join(words), "all moves, and the board before them")
    elif not moves or len(boards) != 1 or len(players) != 2:
        raise NotationError(" ".join(words), "a move, two players and a board")
    return BoardText(
        words[1],
        joined,
        parse_match_type(words[2]),
        None if komi is None or komi[1] == "?" else parse_decimal(komi[1]),
        ply,
        last,
        (players[-2], players[-1]),
        boards[-1],
        boards[0] if joined else None,
        tuple(played for number, played in moves if number and played is not None) if joined else (),
        (players[0], players[1]) if joined and len(players) == 4 else None,
    )


def _standing(match: re.Match[str]) -> Standing:
    return Standing(match[1], parse_decimal(match[2]), _COLORS.get(match[3]), *parse_time_shown(match[4]))


def _moves(lines: Iterable[str]) -> Iterable[tuple[int, EvaluatedMove | None]]:
    """Yield the numbered moves; number 0 stands for none yet."""
    for match in map(_MOVE.fullmatch, lines):
        if match is not None:
            number = int(match[1])
            yield number, parse_played(match[2]) if number else None


def _boards(lines: Iterable[str]) -> list[Board]:
    """Return the boards: eight ranks in order, then who is to move."""
    boards: list[Board] = []
    ranks: list[str] = []
    for line in lines:
        rank, turn = _RANK.fullmatch(line), _TURN.fullmatch(line)
        if rank is not None:
            if int(rank[1]) != len(ranks) + 1:
                raise NotationError(line, f"rank {len(ranks) + 1}")
            ranks.append(rank[2].replace(" ", "").replace("*", "X"))
        elif turn is not None:
            boards.append(Board("".join(ranks), _COLORS[turn[1]]))
            ranks = []
    if ranks:
        raise NotationError(f"{len(ranks)} ranks", "a board and who is to move")
    return boards

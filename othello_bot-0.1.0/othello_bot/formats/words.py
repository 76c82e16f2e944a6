"""The words of a pasted line: moves, numbers and names, with the brackets and the marks between them.

A note in brackets holds no move. A remark holds words that may mention moves: in brackets, or behind a mark such as a
tab, a semicolon or an arrow (`remarks`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from othello_bot.base.notation import PASS, parse_square
from othello_bot.base.visible import plain

MOST_LINE_MOVES: Final = 128
"""Most moves of a line that are read: more than a game has."""

_MOST_WORDS: Final = 1024
"""Words and numbers of a line that are looked at: more than the moves of a game with long notes."""

_LEAST_MOVES: Final = 2
"""Fewest moves before a remark that mentions moves."""

_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−ー―", "-"))
_LATIN: Final = "0-9A-Za-z\u00c0-\u024f"
_TOKEN: Final = re.compile(
    rf"(?P<latin>[{_LATIN}]+)|(?P<other>パス|패스|(?:(?!パス|패스)[^\W_{_LATIN}])+)"
    r"|(?P<arrow>[→⇒➡⟶←⇐⬅⟵]|-{1,2}>|={1,2}>|<-{1,2}|<={1,2})|(?P<dashes>-{2,})|(?P<ats>@{2,})|(?P<open>[(\[{【〔「『《〈]|<(?![-=<])|/\*)"
    r"|(?P<close>[)\]}】〕」』》〉]|(?<![-=])>|\*/)|(?P<quote>[\"“”„«»]|(?<!\w)['‘’]|['‘’](?!\w))|(?P<tab>\t)|(?P<bar>\|)|(?P<slashes>//)"
    r"|(?P<dash>(?<=\s)-(?=\s))|(?P<reference>※)|(?P<equals>[:=])|(?P<semicolon>;)|(?P<comma>[,、])|(?P<gap> {2,})"
)
ALL_MOVES: Final = re.compile("(?:[a-h][1-8]|pass|pa|ps)+")
_MOVE: Final = re.compile("[a-h][1-8]|pass|pa|ps")
_NUMBERED: Final = re.compile("([0-9]{1,3})((?:[a-h][1-8])+)")
_DAMAGED: Final = re.compile("[a-h][09]|[ac-h][0-9]{2}|[a-h][1-8][a-z]|[i-z][1-8]")
TWO_MOVES: Final = re.compile("(?:[a-h][1-8]){2}")
_MEASURE: Final = re.compile("[0-9]+(?:s|sec|ms|m|min|st|nd|rd|th)")
_SCORE: Final = re.compile("[bw][0-9]{2}")
_PASSES: Final = ("--", "@@", "@@@@", "パス", "패스")
_COLORS: Final = frozenset(
    (
        *("black", "white", "b", "w", "x", "o", "noir", "blanc", "schwarz", "weiss", "weiß", "nero", "bianco", "negro"),
        *("黒", "白", "黑", "先手", "後手", "后手", "先番", "後番", "黒番", "白番", "흑", "백"),
    )
)
_LABELS: Final = frozenset(
    (
        *("move", "moves", "ply", "plies", "game", "games", "transcript", "transcripts", "kifu", "sequence", "line"),
        *("opening", "result", "score", "no", "nr", "id", "play", "手", "手目", "目", "第", "着", "棋譜", "棋谱", "局"),
    )
)


@dataclass(slots=True)
class Token:
    """A word or a number of a line. One that is `damaged` looks like moves."""

    start: int
    end: int
    text: str
    moves: tuple[int, ...] = ()
    number: int | None = None
    damaged: bool = False
    is_note: bool = False
    """Whether it stands in brackets without a move."""
    is_name: bool = False
    """Whether it is a word of a language, and neither a number, a label nor the name of a colour."""
    is_label: bool = False
    """Whether it is a word such as "game" or "line", which says what its neighbours are."""
    is_remark: bool = False
    """Whether it stands for a remark, whatever that mentions."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark of some `kind` in a line, where it ends, and the index of the token behind it."""

    kind: str
    start: int
    end: int
    index: int


def usual_letters(line: str) -> str:
    """Return a line in the letters that moves have; numbers in circles stand apart from the squares beside them."""
    if line.isascii():
        return line
    line = "".join(f" {char} " if unicodedata.category(char) == "No" else char for char in line)
    line = plain(line).translate(_DASHES)
    return "".join(char for char in line if unicodedata.category(char) not in ("Cf", "Mn"))


def tokens_of(line: str) -> tuple[list[Token], list[Mark]]:
    """Return the tokens of a line, those of prose only up to a number of words, and the marks between them."""
    found = _Tokens(line)
    for match in _TOKEN.finditer(line):
        if not found.add(match):
            break
    return found.finish()


class _Tokens:
    """Collects the tokens of a line, and finds its notes and remarks in brackets."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._tokens: list[Token] = []
        self._marks: list[Mark] = []
        self._opened: list[tuple[int, int, int]] = []
        """Token, moves and place behind each open bracket."""
        self._notes: list[tuple[int, int]] = []
        self._moves = self._words = 0
        self._last_bracket: tuple[int, int, int] | None = None
        """Token, place behind and place of the end of a bracket with moves that may be a remark if the line ends."""
        self._has_moves_in_brackets = False

    def add(self, match: re.Match[str]) -> bool:
        """Add what a match has found; return whether the line goes on."""
        kind = match.lastgroup or ""
        if kind == "open":
            self._opened.append((len(self._tokens), self._moves, match.end()))
        elif kind == "close":
            if self._opened:
                self._close(match.start())
        elif kind in ("latin", "other") or match[0] in _PASSES:
            token = _token(match.start(), match[0])
            self._tokens.append(token)
            self._moves += len(token.moves) + token.damaged
            self._words += not token.moves
        elif kind not in ("dashes", "ats"):
            self._marks.append(Mark(kind, match.start(), match.end(), len(self._tokens)))
        return self._moves <= MOST_LINE_MOVES and self._words <= _MOST_WORDS

    def _close(self, place: int) -> None:
        """End a bracket: it has a note, a remark, or moves of the game."""
        begin, moves_before, behind = self._opened.pop()
        inside = self._tokens[begin:]
        if self._moves == moves_before:
            if self._line[behind - 1] != "<":
                self._note(begin)
        elif moves_before >= _LEAST_MOVES and any(token.is_name for token in inside):
            self._remark(begin, behind, place)
            self._moves = moves_before
        elif moves_before >= _LEAST_MOVES and not self._has_moves_in_brackets and not self._opened:
            self._last_bracket = begin, behind, place
            self._has_moves_in_brackets = True
        else:
            self._has_moves_in_brackets = True

    def _note(self, begin: int) -> None:
        while self._notes and self._notes[-1][0] >= begin:
            self._notes.pop()
        self._notes.append((begin, len(self._tokens)))

    def _remark(self, begin: int, behind: int, place: int) -> None:
        """Put one token in place of those from one on."""
        text = self._line[behind:place]
        start = behind + len(text) - len(text.lstrip())
        self._tokens[begin:] = [Token(start, behind + len(text.rstrip()), text.strip(), is_name=True, is_remark=True)]
        while self._marks and self._marks[-1].index > begin:
            self._marks.pop()
        self._note(begin)

    def finish(self) -> tuple[list[Token], list[Mark]]:
        """Return the tokens and the marks. What is in a bracket with which the line ends, or in one that does not end, is a
        remark if two moves stand before it; but not where the line has other moves in brackets.
        """
        while self._opened:
            begin, moves_before, behind = self._opened.pop()
            inside = self._tokens[begin:]
            if moves_before >= _LEAST_MOVES and self._moves > moves_before and any(token.is_name for token in inside):
                self._remark(begin, behind, len(self._line))
        if self._last_bracket is not None:
            begin, behind, place = self._last_bracket
            if not _TOKEN_BEHIND.search(self._line, place):
                self._remark(begin, behind, place)
        for begin, end in self._notes:
            for token in self._tokens[begin:end]:
                token.is_note = True
        return self._tokens, self._marks


_TOKEN_BEHIND: Final = re.compile(r"[^\W_]|-{2}|@{2}")


def _token(start: int, text: str) -> Token:
    """Return the token of a word or a number."""
    end = start + len(text)
    word = text.lower()
    if word.isdecimal():
        return Token(start, end, text, number=int(word) if len(word) <= 3 else 0)
    if word in _PASSES:
        return Token(start, end, text, (PASS,))
    if ALL_MOVES.fullmatch(word):
        return Token(start, end, text, tuple(map(_move, _MOVE.findall(word))))
    numbered = _NUMBERED.fullmatch(word)
    if numbered is not None:
        return Token(start, end, text, tuple(map(_move, _MOVE.findall(numbered[2]))), int(numbered[1]))
    if _DAMAGED.fullmatch(word) or TWO_MOVES.search(word):
        return Token(start, end, text, damaged=True)
    known = word in _COLORS or word in _LABELS or _MEASURE.fullmatch(word) or _SCORE.fullmatch(word)
    return Token(start, end, text, is_name=not known, is_label=word in _LABELS)


def _move(name: str) -> int:
    return PASS if name[0] == "p" else parse_square(name)

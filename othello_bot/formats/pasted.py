"""Lines of moves as people paste them: numbers, brackets, signs and letters of other scripts, and web pages.

A line is read as tokens: moves, numbers, and words that are neither. What separates them has no meaning.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from protocol.notation import PASS, parse_square

MOST_LINE_MOVES: Final = 128
"""Limit above the number of moves that a line can have."""

ROW_END: Final = "\x1e"
"""What ends a row of a web page within a line of its source."""

_PAGE: Final = re.compile(
    r"<(?:!doctype|html|body|table|t[drh]|br|p|div|span|li|ol|ul|b|i|pre|font)\b[^<>]*>", re.IGNORECASE
)
_HIDDEN: Final = {"<script": "</script", "<style": "</style", "<!--": "-->"}
_HIDDEN_BEGIN: Final = re.compile(r"<script\b|<style\b|<!--", re.IGNORECASE)
_BREAK: Final = re.compile(r"<(?:br|/?p|/?div|/?li|/?tr|/?table|/?h\d)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-z!][^<>]*>", re.IGNORECASE)
_LABELS: Final = re.compile(r"(?<!\w)(?:black\b|white\b|[bw](?=\s*:))\s*:?|[黒白●○◯⚫⚪]\s*:?", re.IGNORECASE)
_NO_MEANING: Final = str.maketrans(dict.fromkeys("()[]{}\"'`*_<>=~!?\\•·→➜⇒…「」『』、。|,;/+:", " "))
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−ー―", "-"))
_RULE: Final = re.compile(r"-{3,}")
"""Dashes that draw a line; two of them are a pass."""

_EMOJI_FORM: Final = "\ufe0f"
"""What follows a sign that is to be shown as a picture."""

_PASSES: Final = r"pass|pa|ps|--|@@@@|@@|パス"
_TOKEN: Final = re.compile(
    rf"(?P<moves>(?:[a-h][1-8]|(?:{_PASSES}))+)(?![a-z0-9])"
    r"|(?P<number>\d{1,3})(?:\s?\.+|(?![a-z0-9])|(?=[a-h][1-8]))"
    r"|(?P<separator>[\s.-])"
    r"|(?P<word>[^\s-]+)",
    re.IGNORECASE,
)
_MOVE: Final = re.compile(rf"[a-h][1-8]|{_PASSES}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PastedLine:
    """The tokens of a line: its moves, the number before the first move, and the words that have no meaning here.

    `unreadable` is the first such word, `word_count` how many there are; `before` is the number of moves before it.
    """

    moves: tuple[int, ...] = ()
    number: int | None = None
    unreadable: str = ""
    word_count: int = 0
    before: int = 0

    @property
    def is_caption(self) -> bool:
        """Whether the line is prose, such as the names of the players, rather than moves."""
        if not self.moves:
            return not _looks_like_moves(self.unreadable)
        return self.word_count > len(self.moves)


def plain_text(text: str) -> str:
    """Return the text that a web page shows, with ROW_END between its rows; any other text as it is.

    The line breaks of the source are kept.
    """
    if _PAGE.search(text) is None:
        return text
    text = _BREAK.sub(lambda tag: ROW_END + _line_breaks(tag[0]), _without_hidden(text))
    return html.unescape(_TAG.sub(lambda tag: " " + _line_breaks(tag[0]), text))


def _line_breaks(text: str) -> str:
    return "\n" * text.count("\n")


def _without_hidden(text: str) -> str:
    """Return a page without its scripts, styles and comments; what is never closed ends with the page."""
    shown = []
    place = 0
    while (begin := _HIDDEN_BEGIN.search(text, place)) is not None:
        end = re.compile(re.escape(_HIDDEN[begin[0].lower()]), re.IGNORECASE).search(text, begin.end())
        stop = len(text) if end is None else end.end()
        shown += [text[place : begin.start()], _line_breaks(text[begin.start() : stop])]
        place = stop
    return "".join([*shown, text[place:]])


def parse_pasted(line: str) -> PastedLine:
    """Return the tokens of a line without a comment."""
    if not line.isascii():
        # Numbers in circles would run together with the names of the squares.
        line = "".join(f" {char} " if unicodedata.category(char) == "No" else char for char in line)
        line = unicodedata.normalize("NFKC", line).translate(_DASHES)
        line = "".join(char for char in line if char != _EMOJI_FORM and unicodedata.category(char) != "Cf")
    line = _RULE.sub(" ", _LABELS.sub(" ", line)).translate(_NO_MEANING)
    moves: list[int] = []
    number: int | None = None
    unreadable, words, before = "", 0, 0
    for token in _TOKEN.finditer(line):
        if token["moves"]:
            names = _MOVE.findall(token["moves"])
            moves += (parse_square(name) if name[0] in "abcdefghABCDEFGH" else PASS for name in names)
            if len(moves) > MOST_LINE_MOVES:
                return PastedLine(
                    tuple(moves[:MOST_LINE_MOVES]), number, "more moves than a game has", 1, MOST_LINE_MOVES
                )
        elif token["number"]:
            if number is None and not moves:
                number = int(token["number"])
        elif token["word"]:
            if not words:
                unreadable, before = token["word"], len(moves)
            words += 1
            if words > MOST_LINE_MOVES:
                break  # prose, however long the line is
    return PastedLine(tuple(moves), number, unreadable, words, before)


def _looks_like_moves(word: str) -> bool:
    """Return whether a word is damaged moves, like f5d6x3, rather than a word of a language."""
    return re.search(r"(?:[a-h][1-8]){2}", word, re.IGNORECASE) is not None

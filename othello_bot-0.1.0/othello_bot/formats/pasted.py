"""Games as people paste them: lines of moves, rows of web pages, drawings of boards, and score sheets.

Lines of moves have numbers, labels, names, dates, results and notes, in letters of any script. What stands before the
first and after the last word that looks like a move is no part of the game. Between moves there may be numbers, names
of the colours, signs, and notes in brackets. Any other word there is an error, so that no game is cut short.

A board in eight rows is a position, and squares with the numbers of the moves are a game. The latter are the score
sheets of tournaments. The squares of the start and those never played hold a sign or nothing.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import unquote

from othello_bot.base.boards import MOST_ROWS, SHORTEST_ROW, Grid, drawn_board, read_grid
from othello_bot.base.errors import FormatError
from othello_bot.base.notation import move_name, square_name
from othello_bot.formats.record import GameRecord
from othello_bot.formats.remarks import without_remarks
from othello_bot.formats.words import ALL_MOVES, MOST_LINE_MOVES, TWO_MOVES, Token, tokens_of, usual_letters
from othello_bot.rules import Game, IllegalMove, Position

ROW_END: Final = "\x1e"
"""What ends a row of a web page within a line of its source."""

_PAGE: Final = re.compile(
    r"<(?:!doctype|html|body|table|t[drh]|br|p|div|span|li|ol|ul|b|i|pre|font|applet|param)\b[^<>]*>", re.IGNORECASE
)
_HIDDEN: Final = {"<script": "</script", "<style": "</style", "<!--": "-->"}
_HIDDEN_BEGIN: Final = re.compile(r"<script\b|<style\b|<!--", re.IGNORECASE)
_BREAK: Final = re.compile(r"<(?:br|/?p|/?div|/?li|/?tr|/?table|/?h\d)\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-z!][^<>]*>", re.IGNORECASE)
_PARAM: Final = re.compile(r"<param\b([^<>]*)>", re.IGNORECASE)
_VALUE: Final = re.compile(r"""\bvalue\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


def plain_text(text: str) -> str:
    """Return the text that a web page shows, with ROW_END between its rows; any other text as it is.

    The line breaks of the source are kept.
    """
    if _PAGE.search(text) is None:
        return text
    text = _PARAM.sub(_told, _without_hidden(text))
    text = _BREAK.sub(lambda tag: ROW_END + _line_breaks(tag[0]), text)
    return html.unescape(_TAG.sub(lambda tag: " " + _line_breaks(tag[0]), text))


def _told(tag: re.Match[str]) -> str:
    """Return the value of a parameter of an applet as a row."""
    found = _VALUE.search(tag[1])
    if found is None:
        return _line_breaks(tag[1])
    value = found[1] or found[2] or found[3] or ""
    return f"{_line_breaks(tag[1][: found.start()])}{ROW_END}{value}{ROW_END}{_line_breaks(tag[1][found.end() :])}"


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


__all__ = ["MOST_ROWS", "SHORTEST_ROW", "PastedDiagram", "read"]

_CENTRE: Final = (27, 28, 35, 36)


@dataclass(frozen=True, slots=True)
class PastedDiagram:
    """A drawing at the beginning of some rows: the game, or why it is not one, and the number of rows that it takes."""

    result: GameRecord | FormatError
    rows: int


def read(rows: Sequence[str], before: Sequence[str] = ()) -> PastedDiagram | None:
    """Return the drawing that begins with the first of these rows; None if none does.

    The rows `before` it, and those after it, may say whose turn it is on a board.
    """
    grid = read_grid(rows)
    if grid is None:
        return None
    board = None if _is_sheet(grid) else drawn_board(rows, before)
    if board is None:
        return _sheet(grid)
    return PastedDiagram(GameRecord(Game(Position.from_board(board[0]))), board[1])


def _is_sheet(grid: Grid) -> bool:
    """Return whether the numbers of a grid are those of moves: none on the start's squares, or none twice."""
    numbers = [cell for cell in grid.cells if cell.isdecimal() and int(cell)]
    centre = {grid.cells[square] for square in _CENTRE}
    return bool(numbers) and (centre.isdisjoint(numbers) or len(set(numbers)) == len(numbers))


def _sheet(grid: Grid) -> PastedDiagram | None:
    """Return the game of a sheet, with the error if its numbers make no game; None for a sheet without a number."""
    cells = [int(cell) if cell.isdecimal() else 0 for cell in grid.cells]
    squares = {number: square for square, number in enumerate(cells) if number}
    if not squares:
        return None
    last = max(squares)
    if len(squares) != sum(map(bool, cells)) or len(squares) != last:
        missing = next((number for number in range(1, last + 1) if cells.count(number) != 1), last)
        value = f"move {missing} {cells.count(missing)} times"
        return PastedDiagram(FormatError("score sheet", value, "each number from 1 once"), grid.rows)
    moves = [squares[number] for number in range(1, last + 1)]
    taken = Position.start().black | Position.start().white
    for move in moves:
        if taken >> move & 1:
            expected = "no number on the squares of the start"
            return PastedDiagram(FormatError("score sheet", square_name(move), expected), grid.rows)
    game = Game()
    try:
        game.play_moves(moves)
    except IllegalMove as error:
        where = f"move {error.index + 1}"
        return PastedDiagram(FormatError("illegal move", move_name(error.move), error.expected, where=where), grid.rows)
    return PastedDiagram(GameRecord(game), grid.rows)


LONGEST_LINE: Final = 1 << 14
"""Characters of a line that are looked at."""

_LEAST_LINK_MOVES: Final = 4
"""Fewest moves in a link that are taken for a game."""

_LINK: Final = re.compile(r"(?:https?://|(?<![\w.])www\.(?=[a-z0-9]))\S+", re.IGNORECASE)
_SOURCE_COMMENT: Final = re.compile(r"\s*/\*([^*]*)\*/([^\"']*[\"'].*)")
"""A comment of C before a line with quotes."""

_SOURCE_SIGNS: Final = re.compile(r"""["']\s*[,;]?\s*(?:[)}\]][)}\],;\s]*(?:/\*|//)?|/\*|//)|/\*|\*/""")
"""Signs of C between names and comments."""

_MOST_LABEL_MOVES: Final = 2
"""Most words before a colon that look like moves and may be names, such as a1 and b2."""


@dataclass(frozen=True, slots=True)
class PastedLine:
    """What a line says: its moves, the number before the first one, and the words around them as a comment.

    `unreadable` is the first word that spoils the moves, `before` how many moves stand before it. `doubtful` is a word
    before the moves that looks like a damaged move, and may be a name. The first `label_moves` moves stand before a
    colon, and may be names too.
    """

    moves: tuple[int, ...] = ()
    number: int | None = None
    unreadable: str = ""
    before: int = 0
    doubtful: str = ""
    label_moves: int = 0
    comment: str = ""
    is_caption: bool = False
    """Whether the line is prose, such as the names of the players, rather than moves."""


def parse_pasted(line: str) -> PastedLine:
    """Return what a line without its comment says."""
    if len(line) > LONGEST_LINE:
        line = line[:LONGEST_LINE]
        told = parse_pasted(line)
        return replace(told, unreadable="a line that is too long", is_caption=not told.moves)
    line = usual_letters(line)
    if (comment := _SOURCE_COMMENT.match(line)) is not None and any(
        token.moves or token.damaged for token in tokens_of(comment[1])[0]
    ):
        line = f"{comment[2]} // {comment[1]}"  # where it may mention moves
    tokens = without_remarks(line, *tokens_of(line))
    names = sum(token.is_name and not token.is_note for token in tokens)
    _drop_dashes(tokens)
    found = [index for index, token in enumerate(tokens) if token.moves]
    if not found:
        return _without_moves(tokens, names)
    first, last = found[0], found[-1]
    for index, token in enumerate(tokens[last + 1 :], last + 1):
        if token.damaged and (index == last + 1 or token.text[0].lower() in "abcdefgh"):
            last = index
    moves = tuple(move for token in tokens for move in token.moves)
    bad = next((token for token in tokens[first : last + 1] if token.damaged or token.is_name > token.is_note), None)
    unreadable, before = ("", 0) if bad is None else (bad.text, _moves_before(tokens, bad))
    if bad is None and len(moves) > MOST_LINE_MOVES:
        unreadable, before = "more moves than a game has", MOST_LINE_MOVES
    notes = [_prefix(line, tokens[:first]), *_notes(tokens[first:last]), _words(line, tokens[last + 1 :])]
    return PastedLine(
        moves[:MOST_LINE_MOVES],
        _number(line, tokens[: first + 1]),
        unreadable,
        before,
        next((token.text for token in tokens[:first] if token.damaged), ""),
        _label_moves(line, tokens, len(moves)),
        " ".join(_SOURCE_SIGNS.sub(" ", " ".join(filter(None, notes))).split()),
        names > len(moves) and not _is_certain(line, tokens, first),
    )


def _drop_dashes(tokens: Sequence[Token]) -> None:
    """Do not take dashes between the moves and a name for a pass; the rules insert one that is omitted there."""
    for way in (tokens, tokens[::-1]):
        named = False
        for token in way:
            named = named or token.is_name
            if named and token.text.startswith("--"):
                token.moves = ()
            elif token.moves or token.damaged:
                break


def _without_moves(tokens: Sequence[Token], names: int) -> PastedLine:
    """Return a line without a move: a number, prose, or a word that may have been moves."""
    damaged = next((token.text for token in tokens if token.damaged), "")
    number = tokens[0].number if len(tokens) == 1 else None
    is_caption = names > 0 and not TWO_MOVES.search(damaged.lower())
    return PastedLine(number=number, unreadable="" if is_caption else damaged, is_caption=is_caption)


def _moves_before(tokens: Iterable[Token], one: Token) -> int:
    return sum(len(token.moves) for token in tokens if token.start < one.start)


def _is_certain(line: str, tokens: Sequence[Token], first: int) -> bool:
    """Return whether a line has moves next to each other, or a label or a number before its moves."""
    for before, after in itertools.pairwise(tokens):
        if before.moves and after.moves:
            return True
    return any(len(token.moves) > 1 for token in tokens) or (first > 0 and _is_label(line, tokens[first - 1]))


def _is_label(line: str, token: Token) -> bool:
    """Return whether a colon or an equals sign stands behind a word, or a dot behind a number."""
    behind = line[token.end : token.end + 4].lstrip()[:1]
    if line[token.end : token.end + 4].lstrip(" )]").startswith(":"):
        return True
    return behind == "=" or (token.number is not None and behind in (".", ")"))


def _prefix(line: str, tokens: Sequence[Token]) -> str:
    """Return the text before the moves, empty for a label such as "Moves:" or "Game 12:" and for an identifier."""
    names = [token for token in tokens if token.is_name]
    if (
        len(names) == 1
        and not names[0].is_remark
        and (_is_label(line, tokens[-1]) or any(map(str.isdigit, names[0].text)))
    ):
        return ""
    return _words(line, tokens)


def _words(line: str, tokens: Sequence[Token]) -> str:
    """Return the text from the first word of a language on; empty without one."""
    first = next((index for index, token in enumerate(tokens) if token.is_name), None)
    if first is None:
        return ""
    while first > 0 and tokens[first - 1].number is None and line[tokens[first - 1].end : tokens[first].start] == "-":
        first -= 1  # a label may be a part of a name: No-Kan
    text = line[tokens[first].start : tokens[-1].end]
    closed = ")" if text.count("(") > text.count(")") and line.startswith(")", tokens[-1].end) else ""
    return " ".join((text + closed).split())


def _notes(tokens: Iterable[Token]) -> Iterable[str]:
    """Return the words of notes between moves; none if they are only numbers."""
    notes = [token for token in tokens if token.is_note and token.number is None]
    return [token.text for token in notes] if any(token.is_name for token in notes) else ()


def _number(line: str, tokens: Sequence[Token]) -> int | None:
    """Return the number of the first move, the last of these tokens; a date or an identifier is not one."""
    if tokens[-1].number is not None:
        return tokens[-1].number
    numbers = [token for token in tokens[:-1] if token.number is not None]
    if not numbers or any(token.is_name for token in tokens if token.start > numbers[-1].start):
        return None
    number = numbers[-1].number
    if len(numbers) > 1 and not _is_label(line, numbers[-1]):
        return None
    return number if number is not None and 0 < number < 1000 else None


def _label_moves(line: str, tokens: Sequence[Token], count: int) -> int:
    """Return how many moves stand before the first colon if they are few, and most stand behind it."""
    before = 0
    for token in tokens[: 4 * _MOST_LABEL_MOVES]:
        before += len(token.moves)
        if _is_label(line, token):
            return before if 0 < before <= _MOST_LABEL_MOVES and count > 2 * before else 0
    return 0


def without_links(line: str) -> str:
    """Return a line without addresses of the web; if it has no other moves, with those in its addresses."""
    if "." not in line or ("://" not in line and "www." not in line.lower()):
        return line
    rest = _LINK.sub(" ", line)
    if any(token.moves for token in tokens_of(usual_letters(rest))[0]):
        return rest
    return f"{rest} {' '.join(map(_moves_of_link, _LINK.findall(line)))}"


def _moves_of_link(link: str) -> str:
    """Return the first moves in a link that are enough for a game; empty without any."""
    found: list[str] = []
    for word in [*re.split("[^0-9A-Za-z]+", unquote(link)), ""]:
        if word and ALL_MOVES.fullmatch(word.lower()):
            found.append(word)
        elif sum(map(len, found)) >= 2 * _LEAST_LINK_MOVES:
            break
        else:
            found.clear()
    return " ".join(found)

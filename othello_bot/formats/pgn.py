"""PGN as arenas, Edax and PlayOK write it for Othello: tag pairs, then "1. f5 d6 2. c3 ..." and the result.

The result is from the view of Black, who moves first: 1-0 means that Black won. A pass is "pass" or "--". The FEN tag
holds a start other than the usual one. Comments in the form of chess arenas, "{+2.00/14 1.2s}", hold score and time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from othello_bot.errors import FormatError, InputError
from othello_bot.formats.fen import format_fen, parse_position
from othello_bot.formats.found import Reading, TextFormat
from othello_bot.formats.record import UNTOLD_MARGIN, ClockSetting, FileMove, GameRecord, MoveNote, first_game
from othello_bot.rules import Game, Position
from protocol.notation import PASS, move_name, parse_move
from protocol.visible import visible

_LINE_LENGTH: Final = 80
_TEXT: Final = re.compile(r"\S")
_TOKEN: Final = re.compile(
    r"""\s*(?:
      \[\s*(?P<tag>\w{1,64})\s+"(?P<value>[^"\\]*(?:\\.[^"\\]*)*)"\s*\]
    | \{(?P<comment>[^}]*)\} | ;(?P<line>[^\n]*) | %[^\n]*
    | (?P<bracket>[()])
    | \$\d{1,3}
    | (?P<result>1-0|0-1|1/2-1/2|\*|\d{1,2}-\d{1,2})(?=\s|\[|$)
    | (?P<number>\d{1,3}\s*\.+)
    | (?P<move>[a-h][1-8]|pass|pa|ps|--)[!?+\#]{0,2}(?=[\s{;()]|$|\d{1,3}\.)
    )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_BETWEEN_GAMES: Final = re.compile(
    r'''(?:(?<=\n\n)|(?<=\n\r\n))[ \t]*\[[ \t]*\w+[ \t]+"|^[ \t]*\[[ \t]*Event[ \t]+"''', re.IGNORECASE | re.MULTILINE
)
_NUMBER: Final = r"\d{1,7}(?:\.\d{1,6})?"
_NOTE: Final = re.compile(rf"\s*([+-]?{_NUMBER})?(?:/\d{{1,3}}%?)?(?:(?:^|\s+)({_NUMBER})\s?s)?\s*")
_TIME_CONTROL: Final = re.compile(rf"({_NUMBER})(?:\+({_NUMBER}))?")
_BARE_RESULTS: Final = {"1-0": UNTOLD_MARGIN, "0-1": -UNTOLD_MARGIN, "1/2-1/2": 0.0}
_ISO_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_PGN_DATE: Final = re.compile(r"\d{4}\.\d\d\.\d\d")
_ENDINGS: Final = {"time forfeit": "time", "resignation": "resignation", "agreement": "agreement", "abandoned": "left"}
_TERMINATIONS: Final = {ending: termination for termination, ending in _ENDINGS.items()}
_TEXTS: Final = {
    "event": "event",
    "site": "place",
    "date": "date",
    "round": "round",
    "black": "black",
    "white": "white",
}


def read_games(text: str) -> Iterator[GameRecord]:
    """Yield the games of a PGN text, only their main lines; raise FormatError at the first invalid game.

    A game begins with the first tag pair or move after the result or the moves of the previous game.
    """
    return FORMAT.records(text)


def read_game(text: str) -> GameRecord:
    """Return the first game of a PGN text; raise FormatError if there is none."""
    return first_game(read_games(text), "PGN", text, "tag pairs and moves like 1. f5 d6")


def _find(text: str, place: int) -> int:
    """Return the offset where the next game may begin, -1 if only white space is left."""
    found = _TEXT.search(text, place)
    return -1 if found is None else found.start()


def _read_at(text: str, place: int, limit: int) -> Reading:
    """Return the game at offset `place`, None if there is only waste, and the offset behind it."""
    record: GameRecord | None = None
    line: list[FileMove] = []
    stated = "*"
    depth = opened = 0
    while (found := _TEXT.search(text, place, limit)) is not None:
        place = found.start()
        token = _TOKEN.match(text, place, limit)
        if token is None:
            expected = 'a tag like [Black "name"], a move like f5, or a result'
            raise FormatError("PGN", text[place : place + 16].strip(), expected, place)
        if token["tag"] and line:
            break
        place = token.end()
        if token["bracket"]:
            opened = opened if depth else token.start("bracket")
            depth += 1 if token["bracket"] == "(" else -1
            if depth < 0:
                raise FormatError("PGN", ")", "a ( before it", place)
        elif depth:
            continue
        elif token["tag"]:
            record = record or GameRecord()
            value = re.sub(r"\\(.)", r"\1", token["value"], flags=re.DOTALL).strip()
            if token["tag"].lower() == "result":
                stated = value
            _read_tag(record, token["tag"].lower(), value, token.start("value"))
        elif token["move"]:
            record = record or GameRecord()
            line.append(FileMove(parse_move(token["move"]), token.start("move")))
        elif token["result"] and record is not None:
            return _finished(record, line, stated if token["result"] == "*" else token["result"]), place
        elif token["comment"] and _BETWEEN_GAMES.search(token["comment"]):
            raise FormatError("PGN comment", token["comment"][:16], "a } before the next game", token.start("comment"))
        elif token["comment"] and record is not None:
            if line:
                line[-1] = _with_note(line[-1], token["comment"])
            else:
                record.comment = " ".join(token["comment"].split())
    if depth:
        raise FormatError("PGN", text[opened : opened + 16], "a ) after it", opened)
    return None if record is None else _finished(record, line, stated), place


FORMAT: Final = TextFormat("PGN", _find, _read_at, _BETWEEN_GAMES)
"""The format for readers of any file. A game begins with a tag after an empty line, or with the tag Event."""


def _read_tag(record: GameRecord, name: str, value: str, place: int) -> None:
    """Store the information of a tag pair."""
    if value.strip("?") == "":
        return
    if name == "date" and _PGN_DATE.fullmatch(value):
        record.date = value.replace(".", "-")
    elif name in _TEXTS:
        setattr(record, _TEXTS[name], value)
    elif name in ("blackelo", "whiteelo"):
        rating = re.match(r"\d{1,5}(?:\.\d{1,4})?", value)
        setattr(record, f"{name[:5]}_rating", float(rating[0]) if rating else None)
    elif name == "fen":
        try:
            record.game = Game(parse_position(value))
        except InputError as error:
            raise FormatError("FEN", error.value, error.expected, place) from error
    elif name == "timecontrol" and (clock := _TIME_CONTROL.fullmatch(value)):
        record.clock = ClockSetting(float(clock[1]), float(clock[2] or 0))
    elif name == "termination":
        record.ending = _ENDINGS.get(value.lower(), "")


def _finished(record: GameRecord, line: list[FileMove], text: str) -> GameRecord:
    """Return the record with its moves, and the score that a result implies, from Black's view: an unknown margin for a
    plain win.

    The result of a finished game is ignored, because the board tells more.
    """
    record.add_line(line)
    if record.game.is_over:
        record.result = None
    elif text in _BARE_RESULTS:
        record.result = _BARE_RESULTS[text]
    elif (discs := re.fullmatch(r"(\d{1,2})-(\d{1,2})", text)) is not None:
        record.result = float(int(discs[1]) - int(discs[2]))
    return record


def _with_note(move: FileMove, comment: str) -> FileMove:
    """Return a move with the score and the time in a comment on it, if it has them."""
    match = _NOTE.fullmatch(comment)
    if match is None or not (match[1] or match[2]):
        return move
    note = MoveNote(float(match[1]) if match[1] else None, float(match[2]) if match[2] else None)
    return move._replace(note=note)


def write_game(record: GameRecord) -> str:
    """Return a game as PGN: its tag pairs, an empty line, its moves in lines of at most 80 characters."""
    game = record.game
    tags = [
        ("Event", record.event or "?"),
        ("Site", record.place or "?"),
        ("Date", record.date.replace("-", ".") if _ISO_DATE.fullmatch(record.date) else record.date or "????.??.??"),
        ("Round", record.round or "?"),
        ("Black", record.black or "?"),
        ("White", record.white or "?"),
        ("Result", _result_text(record)),
    ]
    if record.black_rating is not None:
        tags.append(("BlackElo", f"{record.black_rating:g}"))
    if record.white_rating is not None:
        tags.append(("WhiteElo", f"{record.white_rating:g}"))
    if record.clock is not None:
        tags.append(("TimeControl", f"{record.clock.base_s:g}+{record.clock.increment_s:g}"))
    if record.ending:
        tags.append(("Termination", _TERMINATIONS.get(record.ending, record.ending)))
    if game.start != Position.start():
        tags.append(("FEN", format_fen(game.start)))
    words = [f"{{{_plain(record.comment)}}}"] if record.comment else []
    for ply, move in enumerate(game.moves):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        words.append("pass" if move == PASS else move_name(move))
        note = record.notes.get(ply)
        if note is not None:
            score = "" if note.score is None else f"{note.score:+.2f}"
            seconds = "" if note.seconds is None else f"{note.seconds:.3f}s"
            words.append(f"{{{f'{score} {seconds}'.strip()}}}")
    words.append(_result_text(record))
    header = "\n".join(f'[{name} "{_escape(value)}"]' for name, value in tags)
    return f"{header}\n\n{_wrap(words)}\n"


def _result_text(record: GameRecord) -> str:
    """Return the result as PGN writes it, from Black's view."""
    result = record.known_result
    if result is None:
        return "*"
    return "1/2-1/2" if result == 0 else "1-0" if result > 0 else "0-1"


def _wrap(words: list[str]) -> str:
    """Return the words joined into lines."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _LINE_LENGTH:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return "\n".join(lines)


def _plain(comment: str) -> str:
    """Return a comment without the brace that would end it; PGN cannot escape it."""
    return " ".join(comment.replace("}", ")").split())


def _escape(value: str) -> str:
    """Return a tag's value with the characters escaped that would end it."""
    return " ".join(visible(value).replace("\\", "\\\\").replace('"', '\\"').split())

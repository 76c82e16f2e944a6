"""What is written: our games, each once, one GGF line at the end of a file, and the log, which never holds a password.

A rated match that somebody leaves is stored by the server and goes on later, perhaps under another number. A match may
also end while we are away: then the history lists it, and the archive has its games.
"""

from __future__ import annotations

import io
import logging
import os
import re
from collections.abc import Callable, Iterable, Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from othello_bot.base.descriptors import is_special, opened, refuse_dash
from othello_bot.base.errors import FormatError
from othello_bot.base.files import open_regular, open_to_append, sync
from othello_bot.base.outputs import refuse_binary
from othello_bot.formats import ggf
from othello_bot.formats.record import GameRecord
from othello_bot.ggs.games import Following, goes_on, is_continued
from othello_bot.protocol.ggs import Listed
from othello_bot.protocol.ggs_commands import GgsCommand, logged

SETTLED_S: Final = 150.0
"""Seconds after which an interrupted game that the server does not know is saved as it is: it may need some time to
notice that we were gone.
"""


class Ledger:
    """Our games until they are saved, each once. `report` gets lines for the person who runs the client."""

    def __init__(
        self, file: LedgerFile, report: Callable[[str], None], now: Callable[[], float], settled_s: float = SETTLED_S
    ) -> None:
        self._file = file
        self.report = report
        self._now = now
        self._settled_s = settled_s
        self._unsaved: list[Following] = []
        self._interrupted: dict[int, tuple[Following, float, str]] = {}
        self._seen: set[str] | None = None
        self._looking: set[str] = set()

    @property
    def interrupted(self) -> list[Following]:
        """The games that wait to go on."""
        return [game for game, *_ in self._interrupted.values()]

    @property
    def saved(self) -> int:
        """Games saved so far."""
        return self._file.saved

    def interrupt(self, game: Following, stored: str = "") -> None:
        """Put a game aside until it goes on; `stored` is the number of its match in the archive, "" if unknown."""
        if not game.ended:
            self._interrupted[id(game)] = (game, self._now(), stored)

    def resume(self, game: Following, stored: str) -> Following | None:
        """Take the first board of a match; return the interrupted game that it continues, None if it is a new one.

        `stored` is the number in the archive of the match that the server resumes, "" if it named none: then the moves
        on the board tell. Nothing that we know of the game is lost, and a game of a resumed match that has ended and
        been saved is not saved again.
        """
        waiting = [(number == stored != "", one) for one, _, number in self._interrupted.values()]
        fitting = [
            (is_named, -abs(game.ply - one.ply), one.ply, one)
            for is_named, one in waiting
            if is_continued(one, game) and (is_named or min(one.ply, game.ply) > 0)
        ]
        if game.record.game.is_over and game.ply and not game.ended:
            game.ended = self._file.holds(game.record)
        if not fitting:
            return None
        *_, earlier = max(fitting, key=lambda one: one[:-1])
        game.take_over(earlier)
        del self._interrupted[id(earlier)]
        return earlier

    def finish(self, game: Following, result: float | None, comment: str = "") -> None:
        """Save a game that has ended, with a result in discs from Black's view, or None."""
        if game.ended:
            return
        game.end(result, comment=comment)
        told = "no result" if result is None else f"{result:+g} for black"
        self.report(f"{game.id}: {game.record.black} - {game.record.white}: {told}")
        if game.ply or result is not None:
            self._unsaved.append(game)
            self.write()

    def write(self) -> None:
        """Save what could not be saved before."""
        while self._unsaved:
            try:
                self._file.save(self._unsaved[0].record)
            except OSError as error:
                self.report(f"{self._file.path}: {error.strerror}; {len(self._unsaved)} to save as soon as that works")
                return
            self._unsaved.pop(0)

    # -- what the server's archive knows ----------------------------------------------------------------------------

    def forget_questions(self) -> None:
        """Take that no answer comes any more: the connection is gone."""
        self._looking.clear()

    def note_archived(self, number: str) -> None:
        """Take the number of a match in the archive whose games need not be looked for."""
        if self._seen is not None and number:
            self._seen.add(number)

    def new_in(self, history: Listed) -> list[str]:
        """Return the matches of our history to look at: those that came while games of ours were interrupted."""
        numbers = {number for number, _, _, _ in history.matches}
        if self._seen is None or not self._interrupted:
            self._seen = numbers
            return []
        opponents = {game.opponent for game in self.interrupted}
        new = sorted(row[0] for row in history.matches if row[0] not in self._seen and opponents & {row[1], row[2]})
        self._looking.update(new)
        self._seen |= numbers
        return new

    def take_archived(self, text: str) -> None:
        """Save our interrupted games that a match of the archive, in GGF, has to the end."""
        if self._looking:
            self._looking.pop()
        try:
            records = list(ggf.FORMAT.records(text))
        except FormatError as error:
            self.report(f"a match of the archive cannot be read: {error}")
            return
        for record in records:
            for game in self.interrupted:
                if game.ply and goes_on(game.record, record) and record.known_result is not None:
                    del self._interrupted[id(game)]
                    record.notes.update(game.own_notes(record))
                    game.record = record
                    self.finish(game, record.known_result)
                    break

    def settle(self, stored_with: Iterable[str]) -> None:
        """Save interrupted games as they are if the server has none stored with their opponents: they were aborted."""
        if self._looking:
            return
        opponents = set(stored_with)
        for game, since_s, _ in list(self._interrupted.values()):
            if game.opponent not in opponents and self._now() - since_s >= self._settled_s:
                del self._interrupted[id(game)]
                self.finish(game, None)


_SEARCHED_BYTES: Final = 1 << 20
"""How much of the end of the file is searched for a game that may have been saved before: thousands of games."""


class LedgerFile:
    """The file that gets our games. Raise OSError where it cannot be written, InputError where it holds no text."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.saved = 0
        """Games written by this process."""

    def check(self) -> None:
        """Raise OSError unless games can be appended; the folder is created."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        refuse_binary(self.path)
        open_to_append(self.path).close()

    def save(self, record: GameRecord) -> None:
        """Append a game and wait until the disk has it. A line that another process left half written is ended."""
        data = (ggf.write_game(record) + "\n").encode()
        with open_to_append(self.path) as file:
            if file.readable() and file.seekable() and file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                data = data if file.read(1) == b"\n" else b"\n" + data
            while data:
                data = data[file.write(data) :]
            sync(file)
        self.saved += 1

    def holds(self, record: GameRecord) -> bool:
        """Return whether one of the last games is this one, with all its moves.

        Lines are compared as they were written: to read a thousand games would take longer than a move may.
        """
        wanted = _identity(ggf.write_game(record))
        try:
            with open_regular(self.path) as file:
                file.seek(0, os.SEEK_END)
                file.seek(max(0, file.tell() - _SEARCHED_BYTES))
                lines = file.read().decode("utf-8", "replace").splitlines()
        except OSError:  # no file, or none that can be read: it is saved again rather than lost
            return False
        return any(_identity(line) == wanted for line in lines)


def _identity(line: str) -> tuple[list[str], list[str]]:
    """Return what tells a game from others in a line of GGF: players and start, and the moves without their notes."""
    return _WHO_AND_WHERE.findall(line), _MOVES.findall(line)


_WHO_AND_WHERE: Final = re.compile(r"(?:PB|PW|BO)\[[^\]]*")
_MOVES: Final = re.compile(r"\][BW]\[(\w\w)")


FILE_BYTES: Final = 4 << 20
FILES: Final = 5
"""Older files that are kept, named FILE.1 to FILE.5."""


def log_files(path: Path | None) -> list[Path]:
    """Return the files of a log, the older ones among them; none without a path."""
    if path is None or is_special(path):
        return [] if path is None else [path]
    return [path, *(path.with_name(f"{path.name}.{number}") for number in range(1, FILES + 1))]


class _LogFile(RotatingFileHandler):
    """A log file of which nothing depends: what cannot be written is missing, and standard error shows no trace."""

    def _open(self) -> io.TextIOWrapper:
        return open(self.baseFilename, "a", encoding="utf-8", errors="backslashreplace", opener=opened)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name of the library
        """Take that a line could not be written."""


class Log:
    """Appends to the log; without a path it does nothing.

    Raise OSError if the file cannot be opened, InputError if it holds no text.
    """

    def __init__(self, path: Path | None, file_bytes: int = FILE_BYTES) -> None:
        self.hide: Callable[[str], str] = str
        """Hides the password in a text."""
        self._handler: _LogFile | None = None
        if path is not None:
            refuse_dash(path)
            refuse_binary(path)
            # What is no file of its own cannot be renamed.
            most_bytes = 0 if is_special(path) else file_bytes
            self._handler = _LogFile(path, maxBytes=most_bytes, backupCount=FILES, encoding="utf-8")
            self._handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))

    def received(self, frame: Sequence[str]) -> None:
        """Log the lines of a frame."""
        for line in self.hide("\n".join(frame)).split("\n"):
            self._write("<", line)

    def sent(self, command: GgsCommand) -> None:
        """Log a command, hiding a password."""
        self._write(">", logged(command))

    def note(self, text: str) -> None:
        """Log what the client reports itself."""
        self._write("#", text)

    def close(self) -> None:
        """Close the file."""
        if self._handler is not None:
            self._handler.close()

    def _write(self, mark: str, text: str) -> None:
        if self._handler is not None:
            self._handler.handle(logging.LogRecord("ggs", logging.INFO, "", 0, f"{mark} {self.hide(text)}", None, None))

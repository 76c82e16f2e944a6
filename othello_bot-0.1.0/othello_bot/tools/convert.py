"""`othello-bot convert IN... OUT`: games of every format into one file of another, filtered and without duplicates."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from typing import Final, TextIO

from othello_bot.base.descriptors import opened, refuse_dash
from othello_bot.base.errors import InputError, WorkError, counted, shown
from othello_bot.base.notation import argument_type, integer
from othello_bot.base.output import ProgressLine, guarded, report, write_to_stderr
from othello_bot.base.outputs import FileTaken, check_outputs, refuse_taken
from othello_bot.base.visible import visible
from othello_bot.engine import available_cores
from othello_bot.formats.record import Range
from othello_bot.formats.writing import ENDINGS, ending_of, game_sink, inputs_of, user_path, written_files
from othello_bot.tools.conversion import (
    RESULTS,
    SAME_MOVES,
    SAME_UNDER_SYMMETRY,
    Conversion,
    FileTask,
    GameFilter,
    Totals,
)

SHOWN_FAILURES: Final = 50
"""Most messages about single games on stderr."""

_POSITIONS: Final = ".obf"
_EPILOG: Final = (
    "formats: GGF, SGF, PGN, JSON of Othello Quest, XOF (read only), transcripts in any shape (.txt), positions (.obf)"
    " and WTHOR bases (.wtb, with the names in the .jou and .trn beside it). The content of IN decides its"
    " format; it may be compressed (gzip, bzip2, xz, ZIP); - is standard input. The ending of OUT, or --format, selects"
    " the format to write; OUT may end in .gz, .bz2 or .xz too. A .wtb file holds the games of one year; with {year} in"
    " its name, OUT is one file a year.\n\n"
    "exit code: 0; 1 if games could not be read or written, which are reported and skipped, or if there was none to"
    " write; 2 for wrong arguments."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = "Convert game files: read games of any format and write the selected ones to one file."
    parser.epilog = _EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", nargs="+", metavar="IN", help="files to read")
    parser.add_argument("out", metavar="OUT", help="file to write")
    parser.add_argument("--overwrite", action="store_true", help="replace OUT if it exists")
    formats = [ending[1:] for ending in ENDINGS]
    parser.add_argument("--format", choices=formats, help="format of OUT; default: its ending")
    parser.add_argument("--player", default="", metavar="NAME", help="only games of a player with NAME in the name")
    parser.add_argument("--black", default="", metavar="NAME", help="only games in which such a player has black")
    parser.add_argument("--white", default="", metavar="NAME", help="only games in which such a player has white")
    parser.add_argument(
        "--year", type=argument_type(Range.parse), metavar="YEARS", help="only games of these years: 1999, 1990-1999"
    )
    parser.add_argument(
        "--result", choices=RESULTS, action="append", default=[], help="only games that this side won; may be repeated"
    )
    length = "only games with this many discs played: 60, 50-60, 20-"
    parser.add_argument("--length", type=argument_type(Range.parse), metavar="DISCS", help=length)
    parser.add_argument(
        "--unique",
        nargs="?",
        const=SAME_MOVES,
        default="",
        choices=(SAME_MOVES, SAME_UNDER_SYMMETRY),
        help="write each game once: games with the same moves, or also those of a mirrored or rotated board",
    )
    parser.add_argument(
        "--empties", type=integer(0, 60), metavar="N", help="for .obf: the positions with N empty squares"
    )
    parser.add_argument("--errors", metavar="FILE", help=f"write all messages to FILE; stderr shows {SHOWN_FAILURES}")
    parser.add_argument("--processes", type=integer(1, 256), metavar="N", help="default: the number of cores")


@guarded("convert", stopped="interrupted; {args.out} was not written")
def run(args: argparse.Namespace) -> int:
    """Convert the files; return 0, 1 if games failed or none was written, 2 for wrong arguments, 130 after Ctrl-C."""
    began = time.monotonic()
    out = user_path(args.out)
    ending = ending_of(out, f".{args.format}" if args.format else "")
    task = FileTask(_filter(args), ending, args.unique, args.empties)
    if args.empties is not None and ending != _POSITIONS:
        raise InputError("--empties", args.empties, f"OUT to be a file of positions ({_POSITIONS})")
    outputs = {"OUT": written_files(out, ending), "--errors": None if args.errors is None else user_path(args.errors)}
    check_outputs(outputs, input=inputs_of(map(user_path, args.files)))
    try:
        with _Failures(args.errors, args.overwrite) as failures, ProgressLine(sys.stderr) as progress:

            def tell(message: str) -> None:
                progress.clear()
                failures.tell(message)

            with game_sink(out, ending=ending, overwrite=args.overwrite) as sink:
                conversion = Conversion(task, sink, tell, lambda totals: progress.show(summary(totals)))
                conversion.run(map(user_path, args.files), args.processes or available_cores())
                progress.clear()
                if not conversion.totals.written:
                    wanted = f"a game in IN ({summary(conversion.totals)})"
                    raise WorkError(f"nothing to write to {shown(out.name)}: expected {wanted}")
            failures.sum_up()
            failures.note("not read", conversion.totals.left_out)
            failures.note(f"not stored in {ending}", conversion.totals.lost)
    except FileTaken as error:
        raise InputError(error.what, error.value, f"{error.expected}, or --overwrite") from error
    totals = conversion.totals
    write_to_stderr(visible(f"{out}: {summary(totals)}, {time.monotonic() - began:.1f} s") + "\n")
    return 1 if totals.failed else 0


def summary(totals: Totals) -> str:
    """Return what became of the games, in one line."""
    parts = [f"{counted(totals.read, 'game')} read", f"{totals.written} written"]
    parts += [f"{totals.skipped} skipped"] if totals.skipped else []
    parts += [counted(totals.duplicates, "duplicate")] if totals.duplicates else []
    parts += [f"{totals.failed} failed"] if totals.failed else []
    return ", ".join(parts)


def _filter(args: argparse.Namespace) -> GameFilter:
    return GameFilter(args.player, args.black, args.white, args.year, frozenset(args.result), args.length)


class _Failures:
    """The messages about games that failed: the first on stderr, all in a file if one is wanted."""

    def __init__(self, name: str | None, overwrite: bool) -> None:
        self._path = None if name is None else user_path(name)
        self._overwrite = overwrite
        self._file: TextIO | None = None
        self._count = 0

    def __enter__(self) -> _Failures:
        """Open the file; raise FileTaken if it exists and may not be replaced."""
        if self._path is not None:
            refuse_taken(self._path, overwrite=self._overwrite)
            refuse_dash(self._path)
            self._file = open(self._path, "w", encoding="utf-8", errors="replace", opener=opened)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def tell(self, message: str) -> None:
        """Show or keep a message."""
        self._count += 1
        if self._file is not None:
            self._file.write(message + "\n")
        if self._count <= SHOWN_FAILURES:
            report(message, "convert")

    def note(self, what: str, kinds: Counter[str]) -> None:
        """Say what the games have lost, and how many of them."""
        if kinds:
            message = f"{what}: {', '.join(f'{kind} ({count})' for kind, count in sorted(kinds.items()))}"
            if self._file is not None:
                self._file.write(message + "\n")
            report(message, "convert")

    def sum_up(self) -> None:
        """Say how many messages were not shown."""
        hidden = self._count - SHOWN_FAILURES
        if hidden > 0:
            where = "; --errors FILE keeps all" if self._path is None else f"; all are in {self._path}"
            report(f"... and {hidden} more{where}", "convert")

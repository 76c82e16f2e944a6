"""What a command prints beside its results: messages on stderr and progress on a terminal; and readers that are gone."""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TextIO, TypeVar

from othello_bot.base.errors import INTERRUPTED, UserError, WorkError
from othello_bot.base.notation import NotationError, parse_integer
from othello_bot.base.visible import visible, wrapped

if TYPE_CHECKING:
    from typing_extensions import Buffer


NARROWEST: Final = 20
"""Fewest columns for which lines are broken."""


def report(message: str | Exception, command: str = "") -> None:
    """Write a message, or what an error says, to stderr as one visible line, marked so that no host takes it for a reply.

    `command` is the command of othello-bot that says it, "" for a session. Hosts read the stderr of a session, so that
    its message stays one line unless that is a terminal. If stderr is closed, the message is lost.
    """
    text = visible(message if isinstance(message, str) else words_of(message))
    line = f"{' '.join(('othello-bot', command)).strip()}: {text}"
    for_people = command or (sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty())
    write_to_stderr("".join(f"{part}\n" for part in (broken(line, sys.stderr) if for_people else [line])))


def words_of(error: Exception) -> str:
    """Return what an error says: of a file, its name and what is wrong with it, without Python's number."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror if error.filename is None else f"{error.filename}: {error.strerror}"
    return str(error) or ("not enough memory" if isinstance(error, MemoryError) else type(error).__name__)


RunCommand = Callable[["argparse.Namespace"], int]


def guarded(
    command: str,
    *,
    refused: int = 2,
    failed: int = 2,
    stopped: str = "",
    also: tuple[type[Exception], ...] = (),
) -> Callable[[RunCommand], RunCommand]:
    """Make a command report on stderr what is wrong with its input or the system, and return the exit code.

    `refused` is the code for invalid input, `failed` that for a file or memory; work that cannot go on has 1, and so have
    the errors in `also`. After Ctrl-C it says `stopped`, in which {args.NAME} is an argument. A command with parts is
    named with `args.part`.
    """

    errors: tuple[type[Exception], ...] = (WorkError, *also)

    def decorate(run: RunCommand) -> RunCommand:
        @functools.wraps(run)
        def guarded_run(args: argparse.Namespace) -> int:
            name = f"{command} {getattr(args, 'part', '')}".rstrip()
            try:
                return run(args)
            except KeyboardInterrupt:
                if stopped:
                    report(stopped.format(args=args), name)
                return INTERRUPTED
            except BrokenPipeError:
                raise  # the reader has closed its end: the command line handles that
            except (UserError, OSError, MemoryError) as error:
                report(error, name)
                return refused if isinstance(error, UserError) else failed
            except errors as error:
                first, *trace = str(error).splitlines() or [type(error).__name__]
                report(first, name)
                write_to_stderr("".join(f"{visible(line)}\n" for line in trace))
                return 1

        return guarded_run

    return decorate


def tell(lines: Iterable[str]) -> None:
    """Write lines to stdout, made visible, and on a terminal broken between words."""
    sys.stdout.write("".join(f"{part}\n" for line in lines for part in broken(visible(line), sys.stdout)))
    sys.stdout.flush()


def broken(line: str, stream: TextIO | None) -> list[str]:
    """Return the parts of a line for the width of a terminal; elsewhere the line."""
    columns = terminal_columns(stream)
    return [line] if columns is None else wrapped(line, columns)


def terminal_columns(stream: TextIO | None) -> int | None:
    """Return the width of the terminal behind a stream, or COLUMNS instead if that is set; None elsewhere.

    Programs get whole lines, even if somebody has set COLUMNS for them.
    """
    if stream is None or stream.closed or not stream.isatty():
        return None
    with contextlib.suppress(NotationError):
        return max(parse_integer(os.environ.get("COLUMNS", ""), 1, 99_999), NARROWEST)
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, NARROWEST)
    except (OSError, ValueError):
        return None


def write_to_stderr(text: str) -> None:
    """Write whole lines to stderr in one piece. If stderr is closed, they are lost."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):  # a broken stderr cannot be reported anywhere else
        sys.stderr.write(text)
        sys.stderr.flush()


class _Lossy(io.FileIO):
    """A descriptor that accepts everything; what cannot be written is lost."""

    def write(self, data: Buffer, /) -> int:
        """Write, or do nothing; return the size of the data."""
        with contextlib.suppress(OSError):  # a full disk or a closed pipe: it cannot be reported anywhere else
            super().write(data)
        return memoryview(data).nbytes


def make_stderr_lossy() -> None:
    """Let writes to stderr never fail: a message that nobody can read changes neither the work nor the exit code."""
    if sys.stderr is not None:
        raw = _Lossy(sys.stderr.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(raw), sys.stderr.encoding, "backslashreplace", line_buffering=True
        )


def open_closed_streams() -> None:
    """Put streams in place of stdin and stdout where the process began without them: an empty one, and one that takes
    nothing; so no file that is opened later gets their descriptors.
    """
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDONLY)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
            setattr(sys, name, os.fdopen(descriptor, mode, encoding="utf-8", closefd=False))


def flush_stdout() -> None:
    """Flush stdout; raise OSError if that fails, except where nobody reads it any more.

    Then what is still buffered is dropped, which would fail again at exit.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise


EVERY_S: Final = 0.5
"""Seconds between two changes of the line, and before it appears."""

_Item = TypeVar("_Item")


def progress_bar(unit: str = "") -> Callable[[int, int], None]:
    """Return a function that draws the progress of some work, called with the amounts done and in total.

    It draws a bar of tqdm, in a notebook too, or a line on a terminal if tqdm is not installed.
    """
    try:
        bars = importlib.import_module("tqdm.auto")
    except ImportError:
        return ProgressLine(sys.stderr, unit=unit).told
    bar: Any = None

    def told(done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            bar = bars.tqdm(total=total, initial=done, unit=f" {unit or 'done'}")
        bar.update(done - bar.n)
        if done >= total:
            bar.close()
            bar = None

    return told


class ProgressLine:
    """A line that is rewritten in place on a terminal, and removed at the end of a `with` block. Does nothing if the
    stream is not a terminal.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic, unit: str = "") -> None:
        self._stream = stream
        self._unit = f" {unit}" if unit else ""
        self._first: tuple[float, int] | None = None
        self._clock = clock
        self._shown_at = clock() if stream.isatty() else float("inf")
        self._is_shown = False

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Show a text, not too often."""
        if self._clock() - self._shown_at >= EVERY_S:
            import shutil  # imported here: a session starts without it

            self._stream.write(f"\r{visible(text, shutil.get_terminal_size().columns - 1)}\x1b[K")
            self._stream.flush()
            self._shown_at = self._clock()
            self._is_shown = True

    def clear(self) -> None:
        """Remove the line; call it before anything else is written."""
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._is_shown = False

    def told(self, done: int, total: int) -> None:
        """Show how far some work is, with the rate since the first call and the time that is left; remove it at the end."""
        now_s = self._clock()
        self._first = self._first or (now_s, done)
        rate = (done - self._first[1]) / max(now_s - self._first[0], 1e-9)
        left = f", {(total - done) / rate / 60:.1f} min left" if rate else ""
        self.show(f"{done:,} of {total:,}{self._unit}, {rate:,.{int(0 < rate < 10)}f} a second{left}")
        if done >= total:
            self.clear()

    def count(self, items: Iterable[_Item], told: Callable[[int], str]) -> Iterator[_Item]:
        """Yield the items; meanwhile the line tells how many there were, in the words of `told`."""
        for number, item in enumerate(items, 1):
            self.show(told(number))
            yield item
        self.clear()

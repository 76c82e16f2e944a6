"""The ways in which an engine can misbehave, as flags that all mock engines share.

Moves are counted from 1, over all games of the process: `--crash-at 3` crashes at the request of the third move. A mock
plays the legal move that `--seed` chooses, and knows only as much of the game as that requires.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from othello_bot.base.notation import PASS
from othello_bot.rules.position import Position

GARBAGE = "\x1b[31m%%% segmentation of the board %%%\x1b[0m"

GARBAGE_LINES = 1500
"""More than any controller has patience for."""


def say(text: str) -> None:
    """Write to stdout and flush it."""
    sys.stdout.write(text)
    sys.stdout.flush()


def complain(text: str) -> None:
    """Write a line to stderr and flush it."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _format(prog: str) -> argparse.HelpFormatter:
    """Return what formats help; with a given width, it starts without looking at the terminal."""
    return argparse.HelpFormatter(prog, width=100)


class Misbehaviour:
    """The flags, and the moments at which they take effect."""

    def __init__(self, description: str) -> None:
        self.flags = self.parser(description).parse_args()
        self.random = random.Random(self.flags.seed)
        self.moves_asked = 0
        self.memory = b""

    @staticmethod
    def parser(description: str) -> argparse.ArgumentParser:
        """Return the parser of the flags."""
        parser = argparse.ArgumentParser(description=description, formatter_class=_format)
        for name, meaning in (
            ("crash", "exit with code 3"),
            ("die", "end by SIGKILL"),
            ("exit", "exit with code 0"),
            ("stall", "answer nothing any more"),
            ("illegal", "answer an illegal move"),
            ("garbage", "answer what is not the protocol"),
            ("nonsense", "answer in the protocol's frame, but no move"),
            ("mute", "close stdout and live on"),
            ("refuse", "refuse to move, in the protocol's own way where it has one"),
            ("resign", "resign, where the protocol can"),
            ("endless", "answer a line of a megabyte"),
            ("binary", "print bytes that are no text to stderr and exit with code 3"),
            ("hog", "keep 300 MiB of memory from then on"),
        ):
            parser.add_argument(f"--{name}-at", type=int, metavar="MOVE", help=meaning)
        parser.add_argument("--always-illegal", action="store_true", help="answer nothing but illegal moves")
        parser.add_argument("--start-delay", type=float, default=0.0, metavar="SECONDS", help="start slowly")
        parser.add_argument("--move-delay", type=float, default=0.0, metavar="SECONDS", help="think so long")
        parser.add_argument("--play-delay", type=float, default=0.0, metavar="SECONDS", help="be told moves so slowly")
        parser.add_argument("--hog-delay", type=float, default=0.0, metavar="SECONDS", help="be busy with that memory")
        parser.add_argument("--crash-on-start", action="store_true", help="exit with code 3 before the first answer")
        parser.add_argument("--ignore-quit", action="store_true", help="ignore quit and the end of input")
        parser.add_argument("--ignore-terminate", action="store_true", help="ignore SIGTERM")
        parser.add_argument("--deaf", action="store_true", help="never read anything")
        parser.add_argument("--banner", action="store_true", help="greet on stdout, unasked")
        parser.add_argument("--noise", type=int, default=0, metavar="LINES", help="chatter before each answer")
        parser.add_argument("--flood-stderr", type=int, default=0, metavar="LINES", help="chatter on stderr at start")
        parser.add_argument("--last-words", type=int, default=0, metavar="LINES", help="chatter on stderr at the end")
        parser.add_argument("--leave-child", action="store_true", help="start a process that outlives this one")
        parser.add_argument("--child-file", metavar="FILE", help="where the id of that process is written")
        parser.add_argument("--no-list", action="store_true", help="know neither name nor list_commands")
        parser.add_argument("--quirks", default="", help="words for the habits of real engines")
        parser.add_argument("--log", metavar="FILE", help="write every line received there")
        parser.add_argument("--seed", type=int, default=1)
        return parser

    def begin(self) -> None:
        """Misbehave at the start, if told to."""
        flags = self.flags
        if flags.ignore_terminate:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if flags.leave_child:
            import subprocess  # imported here, because hundreds of tests start mocks

            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            Path(flags.child_file).write_text(str(child.pid))
        _chatter(flags.flood_stderr)
        if flags.crash_on_start:
            complain("no weights found")
            sys.exit(3)
        time.sleep(flags.start_delay)
        if flags.banner:
            say("Mock Engine, all rights reversed\nstatus of the art\n\n")
        if flags.deaf:
            time.sleep(600)

    def lines(self) -> Iterator[str]:
        """Yield the lines of stdin; at the end of input end, unless told to ignore that."""
        for line in sys.stdin:
            if self.flags.log:
                with open(self.flags.log, "a") as log:
                    log.write(line)
            for number in range(self.flags.noise):
                say(f"thinking about thinking {number}\n")
            yield line.strip()
        if self.flags.ignore_quit:
            time.sleep(600)

    def quits(self) -> bool:
        """Return whether `quit` is obeyed."""
        return not self.flags.ignore_quit

    def is_time_for(self, name: str) -> bool:
        """Return whether this is the move at which `--NAME-at` strikes."""
        return bool(self.moves_asked == getattr(self.flags, f"{name}_at"))

    def choose(self, position: Position) -> int | None:
        """Return the move, or None if the misbehaviour already was the answer."""
        self.moves_asked += 1
        if self.is_time_for("crash"):
            complain("assertion failed: the corner is a lie")
            sys.exit(3)
        if self.is_time_for("binary"):
            sys.stderr.buffer.write(b"\x1b[1mcore \xff\xfe\n")
            sys.exit(3)
        if self.is_time_for("die"):
            os.kill(os.getpid(), signal.SIGKILL)
        if self.is_time_for("exit"):
            sys.exit(0)
        if self.is_time_for("stall"):
            time.sleep(600)
        if self.is_time_for("mute"):
            os.close(1)
            time.sleep(600)
        if self.is_time_for("garbage"):
            say((GARBAGE + "\n") * GARBAGE_LINES)
            return None
        if self.is_time_for("endless"):
            say("x" * 1_000_000 + "\n")
            return None
        if self.is_time_for("hog"):
            self.memory = b"z" * (300 << 20)
            time.sleep(self.flags.hog_delay)
        time.sleep(self.flags.move_delay)
        legal = position.legal_moves
        if self.is_time_for("illegal") or self.flags.always_illegal:
            return next(square for square in range(64) if square not in legal)
        return self.random.choice(legal) if legal else PASS


@contextlib.contextmanager
def quiet_end() -> Iterator[None]:
    """End without a traceback when the controller is gone, as a good engine does."""
    try:
        yield
    except BrokenPipeError:
        os._exit(0)


def run(description: str | None, serve: Callable[[Misbehaviour], None]) -> None:
    """Run a mock program: let it misbehave at the start, if told to, and serve until its reader is gone."""
    trouble = Misbehaviour(description or "")
    with quiet_end():
        trouble.begin()
        serve(trouble)
        _chatter(trouble.flags.last_words)


def _chatter(lines: int) -> None:
    for number in range(lines):
        complain(f"chatter {number} " + "z" * 100)

"""An engine as a child process: start it, talk to it with deadlines, stop it reliably.

Three threads read and write independently, so that none can block another: the caller's, one for the engine's stdout
(bounded: an engine that floods its output is blocked) and one for its stderr (only the last lines are kept).

Nothing is left behind. The engine runs in its own session, so that its whole process group, including its children, can
be killed; ``stop`` asks first and kills last; running engines are killed when the interpreter ends. If this process
itself is killed, a guardian, a shell that waits on a pipe, kills the group a second after the pipe has closed.
(PR_SET_PDEATHSIG would be simpler, but it fires when the *thread* that started the engine ends, and a pool of workers
has such threads.) A child of the engine may leave the group for a session of its own; on Linux the guardian finds it by
a mark in the environment, which only a child with an environment made anew lacks.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from othello_bot.base import posix
from othello_bot.base.errors import shown
from othello_bot.protocol.errors import (
    Awaited,
    EngineCrashed,
    EngineEnded,
    EngineError,
    EngineExited,
    EngineGarbage,
    EngineNotStarted,
    EngineStalled,
)
from othello_bot.protocol.wire import InputLine, LineReader, Mailbox

STDERR_LINES: Final = 200
STDERR_LINE_BYTES: Final = 4096

CHECK_S: Final = 0.2
"""Seconds between two checks whether the process is alive: a child of the engine may hold its stdout open."""

LAST_WORDS_S: Final = 0.5
"""Seconds to wait for stdout and stderr after an engine's end."""

_KILLED: Final = -9
"""The exit code of a process that was killed."""

OnLine = Callable[[str, str], None]
"""Receives each line, from several threads, with a mark: ``>`` sent, ``<`` from stdout, ``!`` from stderr."""

_E = TypeVar("_E", bound=EngineError)


@dataclass(frozen=True, slots=True)
class Received:
    """A line of the engine's stdout, and its time of arrival (``time.monotonic``)."""

    text: str
    at: float


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that each step of ``stop`` waits before the next; the last step always succeeds."""

    quit_s: float = 1.0
    end_of_input_s: float = 0.5
    terminate_s: float = 0.5
    kill_s: float = 10.0


class EngineProcess:
    """One engine. A context manager: leaving the block stops it.

    Only one thread at a time may send and receive; any thread may call ``stop``.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: str | Path | None = None,
        env: Mapping[str, str] | None = None,
        name: str = "",
        patience: Patience | None = None,
        on_line: OnLine | None = None,
    ) -> None:
        """Store the command; ``env`` is added to the environment of this process."""
        self.command = tuple(command)
        self.name = name or (Path(self.command[0]).name if self.command else "engine")
        self.owner_pid: int | None = None
        """The id of the process that started it."""
        self.stderr_bytes = 0
        """Bytes that it has written to its stderr so far."""
        self.stopped_by: str | None = None
        """The step that ended it: ``itself``, ``quit``, ``end of input``, ``terminate`` or ``kill``."""
        self._cwd = cwd
        self._env = env
        self._patience = patience or Patience()
        self._tell = on_line or (lambda mark, line: None)
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._mailbox = Mailbox()
        self._popen: subprocess.Popen[bytes] | None = None
        self._mark = ""
        self._guardian: subprocess.Popen[bytes] | None = None
        self._readers: list[LineReader] = []
        self._send_lock = threading.Lock()
        self._end_lock = threading.RLock()
        self._stopping = False
        self._reaped = False
        self.exit_code: int | None = None
        """The exit code, negative for a signal; None until it has ended."""
        self._seen_dead_at: float | None = None

    def __enter__(self) -> EngineProcess:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """The process id, once started."""
        return None if self._popen is None else self._popen.pid

    @property
    def family(self) -> tuple[int, ...]:
        """The ids of the living processes of its group and of those that have left it, where the system shows them."""
        return () if self._popen is None or self._reaped else posix.family(self._popen.pid, self._mark)

    @property
    def running(self) -> bool:
        """Whether the process has been started and has not ended."""
        return self._popen is not None and not self._reaped and not self._has_exited()

    @property
    def stderr_tail(self) -> tuple[str, ...]:
        """The last lines of its stderr."""
        return tuple(self._stderr)

    def fault(self, kind: type[_E], message: str) -> _E:
        """Return an error of that class with this engine's circumstances, for the caller to raise."""
        return kind(message, self.name, self.exit_code, self.stderr_tail)

    def start(self) -> None:
        """Start the program. Raise EngineNotStarted."""
        if self._popen is not None:
            raise self.fault(EngineNotStarted, "was already started; an EngineProcess is for one run")
        if not self.command:
            raise self.fault(EngineNotStarted, "there is no command to start")
        # A name of its own: an engine may start engines, whose marks are added to this one.
        mark = f"OTHELLO_BOT_ENGINE_{os.urandom(8).hex()}"
        self._mark = f"{mark}=1"
        try:
            self._popen = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=self._cwd,
                env={**os.environ, **(self._env or {}), mark: "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise self.fault(EngineNotStarted, f"cannot start {posix.start_failure(self.command[0], error)}") from error
        self.owner_pid = os.getpid()
        _living.add(self)
        try:
            self._guardian = posix.start_guardian(self._popen.pid, self._mark)
        except OSError as error:
            self.kill()
            raise self.fault(EngineNotStarted, f"cannot start its guardian: {error}") from error
        stdin, stdout, stderr = posix.pipes(self._popen)
        posix.never_block(stdin)
        for reader in (
            LineReader(stdout, self._keep_stdout, self._end_of_stdout, name=f"{self.name} stdout"),
            LineReader(stderr, self._keep_stderr, _raise_in_thread, STDERR_LINE_BYTES, name=f"{self.name} stderr"),
        ):
            try:
                reader.start()
            except RuntimeError as error:
                self.kill()
                raise self.fault(EngineNotStarted, f"cannot start a thread to read it: {error}") from error
            self._readers.append(reader)

    def _end_of_stdout(self, error: BaseException | None) -> None:
        self._mailbox.end()
        _raise_in_thread(error)

    def _keep_stdout(self, line: InputLine) -> None:
        self._tell("<", line.text)
        self._mailbox.put(line)

    def _keep_stderr(self, line: InputLine) -> None:
        self.stderr_bytes += line.length + line.complete
        self._stderr.append(line.text)
        self._tell("!", line.text)

    def send(self, text: str, within_s: float = 5.0) -> float:
        """Send ``text`` unchanged and return the time of sending (``time.monotonic``); any answer to it is later.

        Raise EngineStalled if the engine does not read its input, EngineCrashed or EngineExited if it has ended.
        """
        if self._popen is None:
            raise self.fault(EngineNotStarted, "was not started")
        try:  # errors are created outside the lock: cleaning up closes stdin, which takes the lock
            sent_at = self._write(text, within_s, urgent=False)
        except TimeoutError:
            raise self.silence(Awaited.INPUT, within_s) from None
        if sent_at is None:
            raise self._ended()
        return sent_at

    def _write(self, text: str, within_s: float, *, urgent: bool) -> float | None:
        """Return the time of writing, None if the engine no longer reads. Text that is not ``urgent`` gives way to a
        ``stop``.

        Raise TimeoutError if the engine is alive but does not read.
        """
        for line in text.splitlines():
            self._tell(">", line)
        data = memoryview(text.encode("utf-8", "surrogateescape"))
        went_at = time.monotonic()
        deadline = went_at + within_s
        with self._send_lock:
            while data:
                stdin = -1 if self._popen is None else posix.pipes(self._popen)[0]
                if stdin < 0 or (self._stopping and not urgent):
                    return None
                try:
                    # Read the clock before, not after: the answer might arrive before this thread continues.
                    went_at = time.monotonic()
                    data = data[os.write(stdin, data) :]
                except BlockingIOError:
                    left = deadline - time.monotonic()
                    if left <= 0:
                        raise TimeoutError from None
                    posix.wait_writable(stdin, min(left, CHECK_S))
                except OSError:
                    return None
        return went_at

    def poll(self) -> Received | None:
        """Return the next line of its stdout, or None if there is none now; never block.

        Raise EngineGarbage for an endless line.
        """
        item = self._mailbox.take()
        if item is None:
            return None
        line, at = item
        if line.overlong:
            error = self.fault(EngineGarbage, f"printed a line of {line.length} bytes")
            error.line = line.text
            raise error
        return Received(line.text, at)

    @property
    def over(self) -> bool:
        """Whether nothing more will arrive, except what already has (check before ``poll``, not after)."""
        if self._popen is None or self._reaped or self._mailbox.ended:
            return True
        if not self._has_exited():
            return False
        # A child of the engine may hold its stdout open; the engine's own output arrives soon.
        now = time.monotonic()
        self._seen_dead_at = self._seen_dead_at or now
        return now - self._seen_dead_at > LAST_WORDS_S

    def wait(self, timeout_s: float) -> None:
        """Block until ``poll`` may have a new line; never longer than ``CHECK_S``."""
        self._mailbox.wait(min(timeout_s, CHECK_S))

    def receive(self, within_s: float, awaited: Awaited = Awaited.REPLY) -> Received:
        """Return the next line of its stdout.

        Raise EngineStalled after ``within_s`` seconds, EngineCrashed or EngineExited if no line will ever come,
        EngineGarbage for an endless one.
        """
        deadline = time.monotonic() + within_s
        while True:
            # Return a line that is already there without checking the process, which needs a system call.
            if (received := self.poll()) is not None:
                return received
            over = self.over
            if (received := self.poll()) is not None:
                return received
            left = deadline - time.monotonic()
            if over or left <= 0:
                raise self.silence(awaited, within_s)
            self.wait(left)

    def silence(self, awaited: Awaited, waited_s: float) -> EngineError:
        """Return the error for an engine that does not answer: EngineStalled, or how it ended if it has.

        An engine that has ended is cleaned up first, which may take a second.
        """
        if self.over or self._has_exited():
            return self._ended()
        if awaited is Awaited.INPUT:
            what = "does not read its input"
        else:
            since = f"for {waited_s:.3g} s" if waited_s > 0 else "when its time is already used up"
            begun = self._readers[0].beginning if self._readers else ""
            after = f" after {shown(begun)} without a line end" if begun else ""
            what = f"is silent {since}{after} (waiting: {awaited})"
        error = self.fault(EngineStalled, what)
        error.awaited, error.waited_s = awaited, waited_s
        return error

    def stop(self, farewell: str = "quit\n") -> int | None:
        """End the process for certain and return its exit code: quit command, closed stdin, terminate, kill.

        Also end the processes that the engine has started. Never raise because of a misbehaving engine; calling it
        again, or without starting first, is harmless.
        """
        if self._popen is None:
            return None
        with self._end_lock:
            if self._reaped:
                return self.exit_code
            self._stopping = True
            self._mailbox.discard()
            steps: list[tuple[str, Callable[[], None], float]] = [
                # It may have ended by itself.
                ("itself", lambda: None, 0.0),
                ("quit", lambda: self._say(farewell), self._patience.quit_s if farewell else 0.0),
                ("end of input", self._close_stdin, self._patience.end_of_input_s),
                ("terminate", lambda: self.signal_group(certain=False), self._patience.terminate_s),
                ("kill", lambda: self.signal_group(certain=True), self._patience.kill_s),
            ]
            for name, act, patience_s in steps:
                act()
                if self._await_exit(patience_s):
                    self.stopped_by = name
                    break
            self._finish()
            return self.exit_code

    def kill(self) -> None:
        """End the process and its group at once."""
        if self._popen is None:
            return
        with self._end_lock:
            if not self._reaped:
                self._mailbox.discard()
                self.signal_group(certain=True)
                self.stopped_by = "kill"
                self._finish()

    def _ended(self) -> EngineEnded:
        """Clean up after an engine that ended unexpectedly, and return the error that describes it."""
        if self._popen is None:
            return self.fault(EngineExited, "was not started")
        with self._end_lock:
            if not self._reaped:
                itself = self._await_exit(LAST_WORDS_S)
                self.signal_group(certain=True)
                self._finish()
                # The kill changes nothing for a process that was ending already: it keeps its own exit code.
                if not itself and self.exit_code in (None, _KILLED):
                    self.exit_code = None
                    self.stopped_by = "kill"
                    return self.fault(EngineExited, "closed its output without ending")
                self.stopped_by = "itself"
        if self.stopped_by not in ("itself", None):
            return self.fault(EngineExited, "has been stopped")
        if self.exit_code == 0:
            return self.fault(EngineExited, "ended by itself")
        return self.fault(EngineCrashed, f"crashed{posix.signal_text(self.exit_code)}")

    def _has_exited(self) -> bool:
        """Return whether it has ended, if possible without reaping it, so that its group's id stays reserved."""
        return self._popen is None or self._reaped or posix.has_exited(self._popen)

    def _await_exit(self, timeout_s: float) -> bool:
        deadline = time.monotonic() + timeout_s
        pause_s = 0.001
        while not self._has_exited():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(pause_s, left))
            pause_s = min(2 * pause_s, 0.02)
        return True

    def _say(self, farewell: str) -> None:
        if farewell:
            with contextlib.suppress(TimeoutError):
                # An engine that does not read will not obey; the next steps are stronger.
                self._write(farewell, 0.1, urgent=True)

    def _close_stdin(self) -> None:
        if self._popen is not None and self._popen.stdin is not None:
            with self._send_lock, contextlib.suppress(OSError):
                self._popen.stdin.close()

    def signal_group(self, *, certain: bool) -> None:
        """Ask its group to end (SIGTERM), or kill it (SIGKILL); return at once."""
        if self._popen is not None and not self._reaped:
            posix.signal_group(self._popen, certain=certain)

    def _finish(self) -> None:
        """Reap the process, end the rest of its group, and close everything."""
        if self._popen is None:
            return
        # The leader is a zombie until it is reaped below, so the group's id cannot be reused yet.
        self.signal_group(certain=True)
        self._close_stdin()
        try:
            self.exit_code = self._popen.wait(self._patience.kill_s)
        except subprocess.TimeoutExpired:
            self.exit_code = None
        self._reaped = True
        _living.discard(self)
        posix.dismiss_guardian(self._guardian)
        self._mailbox.end()
        for reader, pipe in zip(self._readers, (self._popen.stdout, self._popen.stderr), strict=False):
            # Do not close a pipe that another process holds open while a thread is reading it.
            if reader.join(LAST_WORDS_S) and pipe is not None:
                pipe.close()


_living: weakref.WeakSet[EngineProcess] = weakref.WeakSet()


@atexit.register
def kill_all() -> None:
    """Kill every engine that this process has started and not stopped; also called when the interpreter ends."""
    for engine in list(_living):
        # After a fork, the child has the list too, but the engines are not its own.
        if engine.owner_pid == os.getpid():
            engine.kill()


def _raise_in_thread(error: BaseException | None) -> None:
    """Report the end of the thread with a traceback: reading a pipe never fails, so this is a programming error."""
    if error is not None:
        raise error

"""Where a session's lines come from and go to: a pipe (`Lines`), or the terminal of a person (`Keyboard`).

A `Keyboard` has editing, history and completion; Ctrl-C; questions.

Ctrl-C discards the current line. While the engine thinks, input is not read by lines: typed text is collected, echoed
after the line with the engine's thinking, and passed to the next prompt.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base import posix
from othello_bot.base.output import report
from othello_bot.base.visible import visible, wrapped
from othello_bot.terminal.picture import Scene, TerminalLook
from othello_bot.terminal.screen import Screen, draw

if TYPE_CHECKING:
    from othello_bot.session.keeping import User


def complete_word(words: Iterable[str], beginning: str) -> list[str]:
    """Return those of `words` that begin with the text, in any case, each followed by a space."""
    return [f"{word} " for word in words if word.lower().startswith(beginning.lower())]


def complete_path(before: str, text: str) -> list[str]:
    """Return the completions of `text`, the last word of a file's name that `before` begins.

    Folders end with a slash. `~` is the home folder and stays as typed. Names that begin with a dot are offered only
    after a dot.
    """
    typed = before.lstrip() + text
    folder, _, beginning = typed.rpartition("/")
    folder = f"{folder}/" if "/" in typed else ""
    try:
        entries = sorted(os.scandir(os.path.expanduser(folder) or "."), key=lambda entry: entry.name)
    except OSError:
        return []
    names = [
        folder + entry.name + ("/" if entry.is_dir() else "")
        for entry in entries
        if entry.name.startswith(beginning) and (beginning or not entry.name.startswith("."))
    ]
    return [name[len(typed) - len(text) :] for name in names]


HISTORY_LINES: Final = 1000

Complete = Callable[[str, str], Sequence[str]]
"""Completions of the word at the cursor, given the line before that word, and the word's beginning."""

Tick = Callable[[], float | None]
"""Called while a line is typed; returns the seconds until the next call, None for never."""


class LineDropped(Exception):
    """Ctrl-C: the line was discarded. `text` is what had been typed."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.text = text


class Lines:
    """Plain lines, in and out; each board is written below the last one."""

    person: User | None = None
    """The user who can be asked; None in a pipe."""
    screen: Screen | None = None
    """The terminal, which can overwrite what it shows; None in a pipe."""
    complete: Complete
    """The completions of the line that is typed."""
    interrupted = False
    """Whether Ctrl-C arrived while no line was read; the reader resets it."""

    def __init__(
        self, write: Callable[[str], object], look: TerminalLook, read_line: Callable[[str], str] = input
    ) -> None:
        self._write = write
        self._read = read_line
        self.look = look

    def read_line(self, prompt: str, tick: Tick | None = None) -> str:
        """Return the next line; raise EOFError at the end. The time is looked at once the line has come."""
        return self._read(prompt)

    def tell(self, text: str) -> None:
        """Show whole lines."""
        self._write("".join(f"{visible(line)}\n" for line in text.split("\n")))

    def show(self, scene: Scene) -> None:
        """Show the board."""
        self._write(f"{draw(scene, self.look).text}\n")

    @property
    def line_so_far(self) -> str:
        """The typed part of the current line."""
        return ""

    @property
    def typed_so_far(self) -> str:
        """The typed part of an unfinished line that nobody reads yet."""
        return ""

    def listening(self) -> AbstractContextManager[None]:
        """Leave what comes meanwhile to the next `read_line`."""
        return contextlib.nullcontext()

    def collect(self, timeout_s: float) -> None:
        """Leave it."""

    def typed_line(self, timeout_s: float) -> str | None:
        """Leave it."""
        return None


class Keyboard(Lines):
    """A person at a terminal. A context manager: it restores the terminal and the signal handler.

    Ctrl-C keeps its usual effect if `for_people` returns false.
    """

    screen: Screen

    def __init__(
        self,
        screen: Screen,
        complete: Complete,
        for_people: Callable[[], bool] = lambda: True,
        *,
        keeps_history: bool = False,
    ) -> None:
        super().__init__(screen.write, screen.look)
        self.screen = screen
        self.person = self
        self.complete = complete
        self._for_people = for_people
        self._readline = posix.readline()
        self._history = _history_file() if keeps_history else None
        self._reading = False
        self._typed: deque[str] = deque()
        self._unfinished = ""
        self._former: Any = None

    def __enter__(self) -> Keyboard:
        self._former = signal.signal(signal.SIGINT, self._interrupt)
        readline = self._readline
        if readline is not None:
            readline.set_completer(self._completion)
            readline.set_completer_delims(" ")
            readline.set_history_length(HISTORY_LINES)
            # Escape sequences around pasted text mean nothing to a program that drives us through a terminal.
            readline.parse_and_bind("set enable-bracketed-paste off")
            readline.parse_and_bind("tab: complete")
            readline.set_startup_hook(self._begin_line)
            if self._history is not None:
                with contextlib.suppress(OSError):  # missing or unreadable: the history begins here
                    readline.read_history_file(self._history)
        return self

    def __exit__(self, *exception: object) -> None:
        signal.signal(signal.SIGINT, self._former)
        if self._readline is None:
            return
        self._readline.set_startup_hook(None)
        if self._history is None:
            return
        try:
            self._history.parent.mkdir(parents=True, exist_ok=True)
            self._readline.write_history_file(self._history)
        except OSError as error:
            report(f"the history was not saved in {self._history}: {error.strerror}")

    # -- lines ------------------------------------------------------------------------------------------------------

    def read_line(self, prompt: str, tick: Tick | None = None) -> str:
        """Return the next line; raise EOFError at the end, LineDropped after Ctrl-C, and the errors of `tick`."""
        self.screen.erase_renewed()
        if self._typed:
            text = self._typed.popleft()
            self.screen.write(f"{prompt}{text}\n")
            return text
        entered: deque[str] = deque()
        try:
            with self._ticking(tick, entered):
                self._reading = True
                # One call, so that a signal after Enter finds the line entered: handlers run between calls.
                entered.extend(map(input, (prompt,)))
        except EOFError:
            self.screen.write("\n")
            raise
        except LineDropped:
            self.screen.write("^C\n")
            raise
        except BaseException:
            self.screen.write("\n")
            raise
        finally:
            self._reading = False
        text = entered.popleft()
        self.screen.typed(prompt + text)
        return text

    def ask(self, question: str) -> str | None:
        """Return the answer to a question; None if it was not answered (Ctrl-C, Ctrl-D).

        A tab completes names of files, and the answer is not added to the history.
        """
        complete, self.complete = self.complete, complete_path
        lines = self._readline.get_current_history_length() if self._readline is not None else 0
        try:
            columns, _ = self.screen.size()
            *before, last = wrapped(visible(question), columns)
            self.screen.write("".join(f"{line}\n" for line in before))
            return self.read_line(last)
        except (EOFError, LineDropped):
            return None
        finally:
            self.complete = complete
            if self._readline is not None and self._readline.get_current_history_length() > lines:
                self._readline.remove_history_item(lines)

    def show(self, scene: Scene) -> None:
        """Draw the board, whose clocks can then tick."""
        columns, _ = self.screen.size()
        self.screen.show(draw(scene, self.look, columns))

    @property
    def line_so_far(self) -> str:
        """The typed part of the current line."""
        return str(self._readline.get_line_buffer()) if self._readline is not None else ""

    # -- while the engine thinks ------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Collect typed keys within the block, without echo, for `typed_line`."""
        if not self.screen.look.rewrites:  # typed text is echoed immediately, line by line
            yield
            return
        with posix.single_keys():
            yield

    def typed_line(self, timeout_s: float) -> str | None:
        """Return a line typed while no line was read, None if none is complete within the timeout.

        Raise EOFError for Ctrl-D at the beginning of a line.
        """
        if not self._typed:
            self.collect(timeout_s)
        return self._typed.popleft() if self._typed else None

    def collect(self, timeout_s: float) -> None:
        """Collect typed text for the next prompt; raise EOFError for Ctrl-D at the beginning of a line."""
        if posix.wait_readable(0, timeout_s):
            self._take(os.read(0, 4096).decode("utf-8", "ignore"))

    @property
    def typed_so_far(self) -> str:
        """The typed part of an unfinished line."""
        return self._unfinished

    def _take(self, keys: str) -> None:
        for key in keys:
            if key in "\r\n":
                self._typed.append(self._unfinished)
                self._unfinished = ""
            elif key == "\x04":
                if not self._unfinished:
                    raise EOFError
            elif key in "\x7f\b":
                self._unfinished = self._unfinished[:-1]
            elif key in "\x15\x1b":
                self._unfinished = ""
                if key == "\x1b":
                    return  # an arrow or function key: its remaining bytes are not text
            elif key.isprintable():
                self._unfinished += key

    # -- signals and readline ---------------------------------------------------------------------------------------

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if not self._for_people() and callable(self._former):
            self._former(number, frame)  # a program drives us through a terminal and expects the process to end
        if self._reading:
            self._reading = False
            raise LineDropped(self.line_so_far)
        self.interrupted = True
        self._unfinished = ""

    @contextlib.contextmanager
    def _ticking(self, tick: Tick | None, entered: Collection[str]) -> Iterator[None]:
        """Call `tick` by the alarm within the block until a line is `entered`: the cursor is on the next line then."""
        if tick is None:
            yield
            return
        with posix.ticking(lambda: None if entered else tick()):
            yield

    def _begin_line(self) -> None:
        """Insert the text typed while the engine was thinking into the new line; readline calls this."""
        if self._unfinished and self._readline is not None:
            self._readline.insert_text(self._unfinished)
            self._unfinished = ""

    def _completion(self, text: str, state: int) -> str | None:
        """Return the completion number `state` of `text`, None after the last; readline calls this."""
        readline = self._readline
        assert readline is not None
        before = readline.get_line_buffer()[: readline.get_begidx()]
        found = self.complete(before, text)
        return found[state] if state < len(found) else None


def _history_file() -> Path:
    """Return the file of the history, by the XDG convention."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(state) / "othello-bot" / "history"

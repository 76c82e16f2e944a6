"""Errors of an engine that runs as a process, one class for each kind.

Each error carries the engine's name, its exit code if it has ended, and its last lines of stderr, because the reader of
the error has no other source of information (OpenBench#201). All of them survive pickling, so a worker process can pass
them on.
"""

from __future__ import annotations

from enum import Enum
from typing import Any


class EngineError(Exception):
    """Something went wrong with an engine.

    Attributes:
        message: the event, without the circumstances.
        engine: the engine's name.
        exit_code: the process's exit code, negative for a signal; None if it has not ended by itself.
        stderr: the last lines that it wrote to stderr.
    """

    def __init__(
        self, message: str, engine: str = "engine", exit_code: int | None = None, stderr: tuple[str, ...] = ()
    ) -> None:
        self.message = message
        self.engine = engine
        self.exit_code = exit_code
        self.stderr = stderr
        super().__init__(message)

    def __str__(self) -> str:
        code = "" if self.exit_code is None else f" (exit code {self.exit_code})"
        tail = "".join(f"\n  stderr: {line}" for line in self.stderr[-5:])
        return f"{self.engine}: {self.message}{code}{tail}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild from the attributes: subclasses differ in their constructors."""
        return _rebuild, (type(self), dict(self.__dict__))


def _rebuild(kind: type[EngineError], state: dict[str, Any]) -> EngineError:
    error = kind.__new__(kind, state["message"])
    error.__dict__.update(state)
    return error


class EngineNotStarted(EngineError):
    """The program could not be executed."""


class EngineEnded(EngineError):
    """The process is gone, or has closed its output, while an answer was due."""


class EngineCrashed(EngineEnded):
    """The engine ended with a signal or an exit code other than 0."""


class EngineExited(EngineEnded):
    """The engine ended with exit code 0, or closed its output, before it was told to."""


class Awaited(str, Enum):
    """What an engine has to do in time."""

    START = "start"
    """Its first answer."""
    REPLY = "reply"
    MOVE = "move"
    INPUT = "input"
    """To read what it is sent."""

    __str__ = str.__str__


class EngineStalled(EngineError):
    """The engine is alive but has not answered within the deadline.

    Attributes:
        awaited: the missing event.
        waited_s: time waited in seconds.
    """

    awaited: Awaited = Awaited.REPLY
    waited_s: float = 0.0


class EngineGarbage(EngineError):
    """The engine wrote a line that violates its protocol.

    Attributes:
        line: the offending line, or its beginning.
    """

    line: str = ""


class EngineRefused(EngineError):
    """The engine refused a command in the form of its protocol.

    Attributes:
        command: the command.
        reason: the engine's reason.
    """

    command: str = ""
    reason: str = ""


class EngineUnsupported(EngineError):
    """The engine, or its protocol, cannot do what was requested; nothing was sent."""

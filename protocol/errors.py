"""What can go wrong with an engine that is driven as a process, as different things.

Each error carries the engine's name, its exit code where it has ended, and its last lines of stderr, because the one
who reads the error has no other way to find out (OpenBench#201).  All of them survive pickling, so a worker process
can hand them on.
"""

from __future__ import annotations

from typing import Any


class EngineError(Exception):
    """Something went wrong with an engine.

    Attributes:
        message: what happened, without the circumstances.
        engine: the engine's name.
        exit_code: the process's exit code, negative for a signal; None when it has not ended by itself.
        stderr: the last lines that it wrote there.
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
        """Return the message with the circumstances."""
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
    """The program could not be executed at all."""


class EngineEnded(EngineError):
    """The process is gone, or has closed its output, while something was expected of it."""


class EngineCrashed(EngineEnded):
    """It ended with a signal or an exit code other than 0."""


class EngineExited(EngineEnded):
    """It ended with exit code 0, or closed its output, before it was told to."""


class EngineStalled(EngineError):
    """It lives and says nothing within the deadline.

    Attributes:
        phase: what was waited for: ``start``, ``reply``, ``move`` or ``input`` (it does not read what it is sent).
        waited_s: for how long.
    """

    phase: str = "reply"
    waited_s: float = 0.0


class EngineGarbage(EngineError):
    """It said something that is not its protocol.

    Attributes:
        line: the offending line, or its beginning.
    """

    line: str = ""


class EngineIllegalMove(EngineGarbage):
    """It answered with a move that the rules forbid; judged by the caller, who knows the rules.

    Attributes:
        move: 0..63, 64 for a pass.
    """

    move: int = -1


class EngineRefused(EngineError):
    """It refused a command, in the way its protocol provides for.

    Attributes:
        command: the command.
        reason: its words.
    """

    command: str = ""
    reason: str = ""


class EngineUnsupported(EngineError):
    """The engine, or its protocol, has no way to do what was asked; nothing was sent."""

"""The operating system: child processes, descriptors, alarms, signals and the terminal's keys.

This is the one module that uses what only POSIX has (Linux, macOS, the BSDs). Python in a browser (Pyodide) has no
processes, signals and threads: there, no child can be started, and the functions that need them raise NotPosix.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

if TYPE_CHECKING:  # imported where they are used, because an engine starts faster without them
    import asyncio
    import subprocess

Child: TypeAlias = "subprocess.Popen[bytes]"

_Function = TypeVar("_Function", bound=Callable[..., object])


class NotPosix(RuntimeError):
    """Something was requested that only a POSIX system has."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} needs a POSIX system such as Linux or macOS; this one is {sys.platform}")


HAS_PROCESSES: Final = sys.platform not in ("emscripten", "wasi")
"""Whether the platform has processes and signals; Python in a browser (Pyodide) has none."""

HAS_THREADS: Final = HAS_PROCESSES
"""Whether the platform has threads; Python in a browser has none."""


def needs_posix(function: _Function, has_processes: bool = HAS_PROCESSES) -> _Function:
    """Return the function, or one that raises NotPosix where there are no processes and signals. A decorator."""
    if has_processes:
        return function

    def refused(*arguments: object, **named: object) -> object:
        raise NotPosix(function.__name__.replace("_", " "))

    return refused  # type: ignore[return-value]


def busy_processes() -> float | None:
    """Return how many processes wanted a core in the last minute, on average; None where the system does not tell."""
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


# -- child processes ---------------------------------------------------------------------------------------------------

# A line means that the child has ended; the end of the pipe without a line means that the parent is gone. Processes
# that left the group are found by their environment, where the system shows it (Linux); some may fork meanwhile.
_GUARDIAN: Final = """
read -r done || { sleep 1; kill -s KILL -- "-$1"; }
for attempt in 1 2 3; do
    found=$(grep -Fls "$2" /proc/[0-9]*/environ) || [ -n "$found" ] || exit 0
    for file in $found; do
        process=${file#/proc/}
        kill -s KILL "${process%/environ}"
    done
done
"""


def has_exited(child: Child) -> bool:
    """Return whether the child has ended, if possible without reaping it, so that its group's id stays reserved."""
    if not hasattr(os, "waitid"):
        return child.poll() is not None
    try:
        return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def signal_group(child: Child, *, certain: bool) -> None:
    """Ask the child's whole group to end (SIGTERM), or kill it (SIGKILL); do nothing if the group is gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL if certain else signal.SIGTERM)


def start_failure(program: str, error: OSError | ValueError) -> str:
    """Return a program's name, and in words why it cannot be started."""
    if not isinstance(error, OSError):
        return f"{program}: {error}"
    # The folder in which it would run, where that is what is missing.
    place = program if error.filename is None else os.fsdecode(error.filename)
    if not place:
        return "a program without a name"
    if os.path.isdir(place):
        return f"{place}: it is a folder"
    if isinstance(error, FileNotFoundError) and os.path.isfile(place):
        return f"{place}: the interpreter or loader that it names does not exist"
    return f"{place}: {error.strerror or error}"


def start_guardian(group: int, mark: str) -> Child:
    """Start a shell that kills the process group when this process is gone.

    When it is dismissed or this process is gone, it also kills what left the group, on Linux: the processes whose
    environment has the text `mark`, which no other process may have. Raise OSError if no shell can be started.
    """
    import subprocess

    return subprocess.Popen(
        ["/bin/sh", "-c", _GUARDIAN, "engine-guardian", str(group), mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        bufsize=0,
        start_new_session=True,
    )


def dismiss_guardian(guardian: Child | None) -> None:
    """Let the guardian end without killing the group, which has ended."""
    import subprocess

    if guardian is None or guardian.stdin is None:
        return
    with contextlib.suppress(OSError):
        guardian.stdin.write(b"\n")
        guardian.stdin.close()
    try:
        guardian.wait(2.0)
    except subprocess.TimeoutExpired:
        guardian.kill()
        guardian.wait()


def family(group: int, mark: str) -> tuple[int, ...]:
    """Return the ids of the living processes that are in a process group or have `mark` in their environment.

    Empty where the system does not show its processes as Linux does.
    """
    found: list[int] = []
    for process in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        place = f"/proc/{process}"
        with contextlib.suppress(OSError):
            # The name of the program, in brackets, may hold anything: state, parent and group follow it.
            state, _, its_group = _content(f"{place}/stat").rpartition(b")")[2].split()[:3]
            if state not in (b"Z", b"X") and (
                int(its_group) == group or mark.encode() in _content(f"{place}/environ").split(b"\0")
            ):
                found.append(int(process))
    return tuple(found)


def resident_mib(processes: Iterable[int]) -> float:
    """Return the resident memory of processes in MiB, 0 for what has ended and where the system does not show it."""
    pages = 0
    for process in processes:
        with contextlib.suppress(OSError):
            pages += int(_content(f"/proc/{process}/statm").split()[1])
    return pages * int(os.sysconf("SC_PAGE_SIZE")) / (1 << 20) if pages else 0.0


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def pipes(child: Child) -> tuple[int, int, int]:
    """Return the descriptors of stdin, stdout and stderr; -1 for a closed one."""
    pipes = (child.stdin, child.stdout, child.stderr)
    stdin, stdout, stderr = (-1 if pipe is None or pipe.closed else pipe.fileno() for pipe in pipes)
    return stdin, stdout, stderr


def signal_text(code: int | None) -> str:
    """Return `` by SIGKILL`` for the exit code of a child that a signal ended, else an empty text."""
    if code is None or code >= 0:
        return ""
    with contextlib.suppress(ValueError):
        return f" by {signal.Signals(-code).name}"
    return f" by signal {-code}"


@needs_posix
def exists(process: int) -> bool:
    """Return whether there is a process with this id, of any owner."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


# -- the machine -------------------------------------------------------------------------------------------------------


def can_start_threads() -> bool:
    """Return whether a thread can be started now, by starting one."""
    import threading

    probe = threading.Thread(target=str, name="probe", daemon=True)
    try:
        probe.start()
    except RuntimeError:
        return False
    probe.join()
    return True


def available_cores() -> int:
    """Return the number of cores that this process may use, at least 1; its CPU affinity counts where there is one."""
    if not HAS_THREADS:
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def own_cores(wanted: int) -> Iterator[bool]:
    """Bind this process, and those that it starts within the block, to cores that no other one has bound in this way.

    Yield false, and bind nothing, if there are not this many. Raise OSError where the system cannot bind processes.
    """
    import tempfile

    if not hasattr(os, "sched_setaffinity"):
        raise OSError("this system cannot bind processes to cores")
    before, own, path = os.sched_getaffinity(0), set[int](), f"{tempfile.gettempdir()}/othello-bot-core-"
    with contextlib.ExitStack() as locks:
        for core in sorted(before):
            with contextlib.suppress(OSError):  # the lock of another user cannot be opened
                if len(own) < wanted and locks.enter_context(sole_holder(f"{path}{core}.lock")):
                    own.add(core)
        locks.callback(os.sched_setaffinity, 0, before)
        os.sched_setaffinity(0, own if len(own) == wanted else before)
        yield len(own) == wanted


def uptime_s() -> float:
    """Return seconds on a clock that also runs while the machine sleeps, where the system has one (Linux)."""
    import time

    clock: int | None = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if clock is None else time.clock_gettime(clock)


def installed_mib() -> int | None:
    """Return the memory of the machine in MiB; None if the system does not report it."""
    try:
        return int(os.sysconf("SC_PHYS_PAGES")) * int(os.sysconf("SC_PAGE_SIZE")) >> 20
    except (AttributeError, OSError, ValueError):
        return None


_GROUP_FILES: Final = {
    False: ("memory.max", "memory.current", "inactive_file"),
    True: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}
"""Files of a control group with its limit and its use of memory, and the row of its statistics with what can be freed
at once; True: of version 1.
"""


def available_mib(system: Path = Path("/")) -> int | None:
    """Return the memory available without swapping, in MiB; None if the system does not report it.

    `system` is the folder that holds proc and sys. A limit of the control group, which is how containers and services
    are limited, counts.
    """
    free_mib = _free_mib(system / "proc/meminfo")
    return min((free for free in (free_mib, *_left_to_groups_mib(system)) if free is not None), default=None)


def _free_mib(meminfo: Path) -> int | None:
    try:
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) // 1024
    except OSError:
        pass  # no /proc: all memory counts
    return installed_mib()


def _left_to_groups_mib(system: Path) -> Iterator[int]:
    """Yield what the limits of the control groups of this process, and of those above them, leave, in MiB."""
    try:
        groups = (system / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return  # a system without control groups
    for _, controllers, path in (line.split(":", 2) for line in groups):
        if controllers and "memory" not in controllers.split(","):
            continue
        root = system / "sys/fs/cgroup" / ("memory" if controllers else "")
        place = root / path.lstrip("/")
        # In a container, the path may be the one that the system outside sees; its own group is then at the root.
        for folder in (place, *place.parents):
            if folder.is_relative_to(root):
                yield from _left_to_group_mib(folder, *_GROUP_FILES[bool(controllers)])


def _left_to_group_mib(folder: Path, limit: str, usage: str, reclaimable: str) -> Iterator[int]:
    """Yield what a group's limit leaves, in MiB; nothing if it has none."""
    try:
        most_bytes, used_bytes = int((folder / limit).read_text()), int((folder / usage).read_text())
        rows = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        yield max(0, most_bytes - used_bytes + int(rows.get(reclaimable, 0))) >> 20
    except (OSError, ValueError):
        pass  # no such folder, or no limit ("max")


# -- descriptors -------------------------------------------------------------------------------------------------------


@needs_posix
def wait_readable(fd: int, timeout_s: float | None = None) -> bool:
    """Block until a read would not block, at most for the timeout; return whether it would not."""
    return bool(select.select([fd], [], [], timeout_s)[0])


def wait_writable(fd: int, timeout_s: float | None = None) -> None:
    """Block until a pipe has room, at most for the timeout."""
    import selectors

    with selectors.DefaultSelector() as selector:
        selector.register(fd, selectors.EVENT_WRITE)
        selector.select(timeout_s)


def never_block(fd: int) -> None:
    """Make reads and writes that would block raise BlockingIOError."""
    os.set_blocking(fd, False)


def open_unblocked(path: str, flags: int) -> int:
    """Return the descriptor of a file that is opened without waiting, as `open` takes its `opener`.

    Opening a pipe fails instead of waiting for somebody at its other end; so do reads and writes that would wait.
    """
    return os.open(path, flags | os.O_NONBLOCK, 0o666)


def has_lost_reader(fd: int) -> bool:
    """Return whether the other end of a pipe or socket is closed; False for a file, or if the system cannot tell."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(fd, 0)
    return any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))


@needs_posix
def yield_to_others(most_mib: int) -> None:
    """Lower this process's priority and limit its memory, in MiB."""
    import resource

    os.nice(10)
    with contextlib.suppress(ValueError, OSError):  # a lower limit holds already
        resource.setrlimit(resource.RLIMIT_AS, (most_mib << 20, most_mib << 20))


# -- signals -----------------------------------------------------------------------------------------------------------


@needs_posix
def call_after(seconds: float, action: Callable[[], None]) -> None:
    """Call `action` once after some seconds, by an alarm that interrupts the main thread; not while Python shuts down: its
    handlers are gone then, and an alarm would kill the process.
    """

    def alarm(number: int, frame: FrameType | None) -> None:
        action()

    signal.signal(signal.SIGALRM, alarm)
    atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)
    signal.setitimer(signal.ITIMER_REAL, seconds)


@needs_posix
@contextlib.contextmanager
def ticking(tick: Callable[[], float | None]) -> Iterator[None]:
    """Call `tick` at once and, by alarms within the block, after as many seconds as it returned; None: never again.

    An alarm comes through while readline waits for a key.
    """

    def ring(number: int, frame: FrameType | None) -> None:
        again_s = tick()
        if again_s is not None:
            signal.setitimer(signal.ITIMER_REAL, max(again_s, 0.001))

    former = signal.signal(signal.SIGALRM, ring)
    try:
        ring(signal.SIGALRM, None)
        yield
    finally:
        if signal.getsignal(signal.SIGALRM) is ring:  # otherwise a signal that ends the process has replaced it
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, former)


@needs_posix
def call_on_end_signals(loop: asyncio.AbstractEventLoop, action: Callable[[], None]) -> None:
    """Call `action` from the event loop when SIGINT or SIGTERM arrives, instead of their usual effect."""
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, action)


# -- the terminal ------------------------------------------------------------------------------------------------------


@needs_posix
@contextlib.contextmanager
def single_keys() -> Iterator[None]:
    """Deliver each key of the terminal on standard input at once and without echo within the block."""
    import termios

    before = termios.tcgetattr(0)
    changed = termios.tcgetattr(0)
    changed[3] &= ~(termios.ICANON | termios.ECHO)
    changed[6][termios.VMIN], changed[6][termios.VTIME] = 1, 0
    termios.tcsetattr(0, termios.TCSADRAIN, changed)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)


@needs_posix
@contextlib.contextmanager
def sole_holder(path: str | os.PathLike[str]) -> Iterator[bool]:
    """Hold a lock file within the block; yield false, at once, if another process holds it.

    The system drops the lock when the process ends, however it ends. The file stays: another process may be opening it.
    Raise OSError if it cannot be made or locked.
    """
    import fcntl

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def readline() -> ModuleType | None:
    """Return Python's readline; None if Python was built without it, and lines have no editing."""
    try:
        import readline
    except ImportError:
        return None
    return readline

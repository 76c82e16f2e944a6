"""How much there is to read: the modules of the engine, those that a session loads, and those on the way of a move."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from types import FrameType, GeneratorType

import pytest

from othello_bot.engine.deepening import Search
from othello_bot.engine.engine import Engine
from othello_bot.engine.options import Options
from othello_bot.session.loop import CommandLoop
from tests.house.source import nodes
from tests.house.test_rooms import MODULES, ROOT
from tests.house.test_sizes import is_python, sources
from tests.session.harness import in_process

MOST_MODULES = 250
MOST_ON_THE_WAY = 6
"""Modules from the parsed line of `genmove` to the call of the kernel."""

MOST_LOADED = 75
"""Modules after the reply to `name`, compiled ones included."""

_SESSION = """
import atexit, sys

def loaded():
    ours = [name for name in sys.modules if name.partition(".")[0] == "othello_bot"]
    print(*sorted(ours), sep="\\n", file=sys.stderr)

atexit.register(loaded)
sys.argv = ["othello-bot"]
from othello_bot.cli import main
sys.exit(main())
"""


def test_there_are_few_modules() -> None:
    assert sum(path.suffix == ".py" for path in MODULES.values()) <= MOST_MODULES


@pytest.mark.process
def test_a_session_loads_few_modules_before_its_first_reply() -> None:
    session = subprocess.run(
        [sys.executable, "-c", _SESSION], cwd=ROOT, input="name\nquit\n", capture_output=True, text=True, timeout=60
    )
    loaded = session.stderr.split()
    assert session.stdout.startswith("= othello-bot") and "othello_bot.kernel.core" in loaded
    assert len(loaded) <= MOST_LOADED, loaded


def _modules(frame: FrameType | None) -> Iterator[str]:
    """Yield the modules on the stack from a frame up to the command loop, or to the start of its thread.

    Those of the generators that the loop drives count as well.
    """
    while frame is not None and frame.f_code is not CommandLoop.run.__code__:
        yield frame.f_globals["__name__"]
        steps = getattr(frame.f_locals.get("self"), "_steps", None)
        while isinstance(steps, GeneratorType):
            if steps.gi_frame is not None:
                yield steps.gi_frame.f_globals["__name__"]
            steps = steps.gi_yieldfrom
        frame = frame.f_back


def test_a_move_takes_few_modules_from_its_line_to_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stacks where a search is handed over and where the kernel is called, with the generators that wait for it."""
    on_the_way: list[str] = []
    go = Engine.go

    class Kernel:
        def __init__(self, kernel: object) -> None:
            self._kernel = kernel

        def __getattr__(self, name: str) -> object:
            if name == "iterate":
                on_the_way.extend(_modules(sys._getframe(1)))
            return getattr(self._kernel, name)

    def recorded(engine: Engine, *arguments: object, **named: object) -> None:
        on_the_way.extend(_modules(sys._getframe(1)))
        go(engine, *arguments, **named)  # type: ignore[arg-type]

    search = Search(1)
    monkeypatch.setattr(search, "_searcher", Kernel(search._searcher))
    monkeypatch.setattr(Engine, "go", recorded)
    options = Options(hash=1, depth=2, book=False)
    assert in_process("genmove\n", search=search, options=options).startswith("= ")
    ours = {name for name in on_the_way if name.startswith("othello_bot.")} | {"othello_bot.engine.engine"}
    assert {"othello_bot.dialects.commands.game", "othello_bot.engine.deepening"} < ours
    assert len(ours) <= MOST_ON_THE_WAY, sorted(ours)


ONE_IDEA = frozenset(("AsyncEngine", "Clock", "Engine", "Hint", "Killer", "Move", "Play", "Quit", "Refused", "Stop"))
"""Names of several classes that are one idea: the public engines, which also analyze games, beside those that they
extend; a command or an answer that several dialects have; fakes that several tests have of one thing.
"""


def test_a_class_name_has_one_meaning() -> None:
    places: dict[str, list[str]] = {}
    for path in sources():
        if is_python(path):
            for node in nodes(path):
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: found for name, found in places.items() if len(found) > 1 and name not in ONE_IDEA} == {}

"""Our dataclasses, made late, beside those of the library: the same classes, once with each decorator."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from protocol import dataclass as ours

SOURCE = '''
from __future__ import annotations
from typing import ClassVar

@dataclass(frozen=True, slots=True)
class Point:
    """A frozen one."""
    x: int
    y: int = 2
    LIMIT: ClassVar[int] = 9
    def __post_init__(self) -> None:
        if self.x > self.LIMIT:
            raise ValueError("too far")

@dataclass(frozen=True, slots=True)
class Named(Point):
    name: str = field(default="none", compare=False, metadata={"unit": "words"})
    marks: list[int] = field(default_factory=list)

@dataclass(slots=True)
class Changing:
    value: int = 0
    def __repr__(self) -> str:
        return "own"

@dataclass(frozen=True)
class Open:
    value: int = 0
    def __eq__(self, other: object) -> bool:
        return True

@dataclass
class Empty:
    pass

@dataclass(frozen=True)
class One:
    value: object = None
    def __hash__(self) -> int:
        return 7
'''


def classes(library: Any) -> ModuleType:
    """Return a module with the classes of SOURCE, made by a library."""
    module = ModuleType(f"made_by_{library.__name__.replace('.', '_')}")
    module.__dict__.update(dataclass=library.dataclass, field=library.field)
    sys.modules[module.__name__] = module
    exec(SOURCE, module.__dict__)
    return module


BOTH = [classes(dataclasses), classes(ours)]
ATTEMPTS: list[Callable[[Any], object]] = [
    lambda m: repr(m.Point(1)),
    lambda m: repr(m.Named(1, 3, "a", [4])),
    lambda m: repr(m.Changing(3)),
    lambda m: repr(m.Empty()),
    lambda m: m.Point(10),
    lambda m: m.Point(),
    lambda m: m.Point(1, 2, 3),
    lambda m: m.Point(x=1, z=3),
    lambda m: setattr(m.Point(1), "x", 2),
    lambda m: delattr(m.Point(1), "x"),
    lambda m: setattr(m.Open(1), "value", 2),
    lambda m: setattr(m.Changing(1), "other", 2),
    lambda m: (m.Point(1) == m.Point(1), m.Point(1) == m.Point(2), m.Point(1) == m.Named(1), m.Point(1) == (1, 2)),
    lambda m: (m.Named(1, name="a") == m.Named(1, name="b"), m.Named(1, 3) == m.Named(1, 4)),
    lambda m: (m.Open(1) == m.Open(2), m.Empty() == m.Empty(), m.Changing(1) == m.Changing(1)),
    lambda m: (hash(m.Point(1)), hash(m.One(3)), hash(m.Open(1))),
    lambda m: hash(m.Changing(1)),
    lambda m: hash(m.Named(1)),
    lambda m: (m.Point.__match_args__, m.Named.__match_args__, m.Empty.__match_args__),
    lambda m: (m.Point.__slots__, m.Named.__slots__, m.Point.__doc__, m.Named.__qualname__),
    lambda m: (m.Named(1).marks, m.Named(1).marks is m.Named(1).marks),
    lambda m: (m.Open.value, hasattr(m.Point(1), "__dict__")),
    lambda m: repr(dataclasses.replace(m.Named(1), name="new")),
    lambda m: repr(dataclasses.replace(m.Named(1), other="new")),
    lambda m: dataclasses.asdict(m.Named(1)),
    lambda m: (dataclasses.is_dataclass(m.Empty), dataclasses.astuple(m.Named(1))),
    lambda m: [(each.name, each.compare, dict(each.metadata)) for each in dataclasses.fields(m.Named)],
    lambda m: [repr(copy.deepcopy(one)) for one in (m.Named(1), m.Changing(4), m.Open(5))],
    lambda m: [pickle.loads(pickle.dumps(one)) == one for one in (m.Named(1), m.Changing(4), m.One(5))],
    lambda m: [list(inspect.signature(one).parameters) for one in (m.Point, m.Named, m.Empty)],
    lambda m: inspect.signature(m.Point.__init__).parameters["y"].annotation,
    lambda m: m.dataclass(type("Wrong", (), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})),
    lambda m: m.dataclass(type("Wrong", (), {"__annotations__": {"a": "list"}, "a": []})),
]


def outcome(attempt: Callable[[Any], object], module: ModuleType) -> tuple[str, str]:
    """Return what an attempt gives, or the kind of error that it raises."""
    try:
        return "", str(attempt(module))
    except (TypeError, ValueError, AttributeError) as error:
        return type(error).__name__, ""


@pytest.mark.parametrize("number", range(len(ATTEMPTS)))
def test_a_class_made_late_behaves_as_the_librarys(number: int) -> None:
    theirs, own = (outcome(ATTEMPTS[number], module) for module in BOTH)
    assert own == theirs


def test_what_is_no_field_cannot_be_assigned_either() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):  # the library's own raises TypeError before Python 3.14
        BOTH[1].Point(1).other = 2


def test_replace_and_fields_know_both_kinds() -> None:
    for module in BOTH:
        assert ours.replace(module.Point(1), y=5) == module.Point(1, 5)
        assert [each.name for each in ours.fields(module.Named(1))] == ["x", "y", "name", "marks"]
        assert ours.fields(module.Named)[2].metadata["unit"] == "words"


def test_the_library_may_derive_from_ours_but_not_the_other_way_round() -> None:
    theirs, own = BOTH
    space = {"__annotations__": {"z": "int"}, "z": 3}
    derived: Any = dataclasses.dataclass(frozen=True)(type("Derived", (own.Point,), space))
    assert repr(derived(1)) == "Derived(x=1, y=2, z=3)"
    with pytest.raises(TypeError, match="a dataclass of the library"):
        ours.dataclass(frozen=True)(type("Derived", (theirs.Point,), {}))


def test_the_start_of_a_session_does_without_the_library() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "othello_bot", "--gtp"]
    ended = subprocess.run(command, input="name\nquit\n", capture_output=True, text=True, check=True)
    names = {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}
    assert "protocol.dataclass" in names and not names & {"dataclasses", "inspect"}

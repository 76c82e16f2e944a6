"""What scripts/mutate is made of: its tables, how it chooses tests, puts a fault into a module and keeps results."""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "scripts" / "_mutants"
FAULTS = tomllib.loads((FOLDER / "kernel.toml").read_text(encoding="utf-8"))["fault"]

MODULE = '''"""A module."""
LIMIT = 3


class Counter:
    """Counts."""

    step = 1

    def count(self, number):
        """Count on."""
        if number > LIMIT:
            return (
                number + self.step
            )
        return [one for one in range(number)]
'''


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the package that scripts/mutate is made of."""
    monkeypatch.syspath_prepend(str(FOLDER.parent))
    return importlib.import_module("_mutants")


def module_of(tools: ModuleType, name: str) -> Any:
    return importlib.import_module(f"{tools.__name__}.{name}")


def made(tmp_path: Path) -> Any:
    """Return the module as imported from a file."""
    path = tmp_path / "counting.py"
    path.write_text(MODULE)
    spec = importlib.util.spec_from_file_location("counting", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("before", "after", "counted"),
    [
        ("> LIMIT", "< LIMIT", [3, [0, 1, 2, 3, 4]]),
        ("number + self", "number - self", [[0, 1], 4]),
        ("[one for", "[-one for", [[0, -1], 6]),
    ],
)
def test_a_fault_is_put_into_functions_that_are_imported(
    tools: ModuleType, tmp_path: Path, before: str, after: str, counted: list[object]
) -> None:
    module, swapping = made(tmp_path), module_of(tools, "swapping")
    counter, path = module.Counter(), module.__file__
    assert [counter.count(2), counter.count(5)] == [[0, 1], 6]
    swapping.swap(swapping.functions_by_file()[path], path, MODULE, MODULE.replace(before, after))
    assert [counter.count(2), counter.count(5)] == counted


def test_a_module_may_be_imported_through_a_link(tools: ModuleType, tmp_path: Path) -> None:
    folder, link = tmp_path.resolve() / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to("folder")
    counter = made(link).Counter()
    functions = module_of(tools, "swapping").functions_by_file()[str(folder / "counting.py")]
    assert functions == [type(counter).count]


@pytest.mark.process
def test_the_copy_has_the_files_and_links_of_the_checkout(tools: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "protocol").mkdir()
    (tmp_path / "protocol" / "of_an_earlier_run.py").touch()
    for _ in range(2):
        module_of(tools, "copies").copy_of_the_checkout(tmp_path)
    assert (tmp_path / "othello_bot" / "protocol").readlink() == Path("..", "protocol")
    assert (tmp_path / "protocol" / "wire.py").read_bytes() == (ROOT / "protocol" / "wire.py").read_bytes()
    assert not (tmp_path / "protocol" / "of_an_earlier_run.py").exists()


def test_every_part_names_modules_and_tests_that_there_are(tools: ModuleType) -> None:
    kernel, parts = module_of(tools, "kernel"), module_of(tools, "parts").PARTS.values()
    tests = [test for part in parts for test in (*part.tests, *part.slow)]
    tests += [*kernel.TESTS, *(f"tests/kernel/{name}.py" for name in kernel.TESTS_OF.values())]
    for path, _, name in (test.partition("::") for test in tests):
        assert (ROOT / path).exists(), path
        assert not name or f"\ndef {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path}::{name}"
    assert all(part.files(ROOT) for part in parts)
    assert [file for file in kernel.TESTS_OF if not (ROOT / kernel.KERNEL / file).exists()] == []


@pytest.mark.parametrize(("before", "after"), [("LIMIT = 3", "LIMIT = 4"), ("step = 1", "step = 2")])
def test_what_only_importing_runs_is_not_swapped(tools: ModuleType, tmp_path: Path, before: str, after: str) -> None:
    module, swapping = made(tmp_path), module_of(tools, "swapping")
    functions = swapping.functions_by_file()[module.__file__]
    with pytest.raises(swapping.NotSwappableError):
        swapping.swap(functions, module.__file__, MODULE, MODULE.replace(before, after))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (2, [range(2, 3)]),
        (8, [range(8, 9)]),
        (10, [range(10, 11), range(11, 17)]),
        (14, [range(13, 16), range(11, 17)]),
    ],
)
def test_the_lines_around_a_fault(tools: ModuleType, line: int, expected: list[range]) -> None:
    assert module_of(tools, "places").lines_around(ast.parse(MODULE), line) == expected


def test_tests_are_chosen_by_the_lines_they_run(tools: ModuleType) -> None:
    seconds = {"a::slow": 3.0, "a::quick": 1.0, "b::one": 2.0, "b::broken": 0.1, "b::slowest": 100.0}
    lines = {"m.py": {"2": [""], "12": ["a::slow", "a::quick", "b::one", "b::broken", "b::slowest"], "13": ["a::slow"]}}
    chooser = module_of(tools, "chooser").TestChooser(seconds, ["b::broken"], lines, [])
    assert chooser.tests(Path("m.py"), MODULE, 14) == ["a::slow"]
    assert chooser.tests(Path("m.py"), MODULE, 12) == ["b::one", "a::quick", "a::slow"]
    assert chooser.tests(Path("m.py"), MODULE, 2) == ["b::one", "a::quick", "a::slow"]
    looking = module_of(tools, "chooser").TestChooser(seconds | {"c/test_values.py::looks": 0.1}, [], lines, [])
    assert looking.tests(Path("m.py"), MODULE, 2)[0] == "c/test_values.py::looks"
    assert "c/test_values.py::looks" not in looking.tests(Path("m.py"), MODULE, 12)
    assert chooser.runs_at_import(Path("m.py"), MODULE, 2)
    assert not chooser.runs_at_import(Path("m.py"), MODULE, 12)
    assert chooser.seconds(["a::slow", "b::one"]) == 5.0


def test_what_nothing_found_is_tried_again_with_other_tests(tools: ModuleType, tmp_path: Path) -> None:
    results = module_of(tools, "results").Results
    first = results(tmp_path / "part.json", "tests")
    first.keep("found", "tests/test_a.py::test_a")
    first.keep("survived", "")
    same, other = results(tmp_path / "part.json", "tests"), results(tmp_path / "part.json", "other tests")
    assert [same.found_by(key) for key in ("found", "survived", "new")] == ["tests/test_a.py::test_a", "", None]
    assert [other.found_by(key) for key in ("found", "survived", "new")] == ["tests/test_a.py::test_a", None, None]
    assert [other.survived_before(key) for key in ("found", "survived", "new")] == [False, True, False]


def test_annotations_get_no_faults(tools: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "annotated.py"
    path.write_text("def add(one: int | None, other: int = 1 | 2) -> int | None:\n    return one or other\n")
    spans = module_of(tools, "annotations").idle_spans(path)
    is_in = module_of(tools, "annotations").is_in
    assert [is_in((1, column), spans) for column in (17, 40, 49)] == [True, False, True]


def test_stars_that_unpack_are_no_operators(tools: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "stars.py"
    path.write_text("def join(one, *, two):\n    return {**one, 'all': two ** 2 * (3 + 4)}\n")
    spans = module_of(tools, "annotations").operator_spans(path)
    is_in = module_of(tools, "annotations").is_in
    assert not is_in((1, 14), spans) and not is_in((2, 12), spans)
    line = path.read_text().splitlines()[1]
    assert all(is_in((2, line.index(operator)), spans) for operator in ("** 2", "* (", "+ 4"))


def test_the_list_of_survivors_keeps_its_reasons(tools: ModuleType, tmp_path: Path) -> None:
    fault, survivors = module_of(tools, "fault").Fault, module_of(tools, "survivors").Survivors
    one = fault("a.py:3:4", "Add_Sub", "", '--- \n+++ \n@@ -3 +3 @@\n-    "é" + two\n+    "é" - two')
    other = fault("a.py:9:4", "Eq_Is", "", "--- \n+++ \n@@ -9 +9 @@\n-    one == two\n+    one is two")
    survivors("part", tmp_path).write([one, other])
    path = tmp_path / "part.toml"
    assert [survivors("part", tmp_path).reason(each) for each in (one, other)] == ["", ""]
    path.write_text(path.read_text("utf-8").replace('reason = ""', 'reason = "why"', 1), "utf-8")
    survivors("part", tmp_path).write([one])
    assert [survivors("part", tmp_path).reason(each) for each in (one, other)] == ["why", ""]
    assert tomllib.loads(path.read_text("utf-8"))["survivor"] == [
        {"module": "a.py", "line": '"é" + two', "became": '"é" - two', "reason": "why"}
    ]


def test_every_survivor_has_a_reason_and_stands_in_its_module(tools: ModuleType) -> None:
    for path in sorted(module_of(tools, "survivors").FOLDER.glob("*.toml")):
        for survivor in tomllib.loads(path.read_text(encoding="utf-8"))["survivor"]:
            assert survivor["reason"], survivor
            lines = (ROOT / survivor["module"]).read_text(encoding="utf-8").splitlines()
            assert survivor["line"].splitlines()[0] in [line.strip() for line in lines], survivor["line"]


@pytest.mark.process
def test_the_end_of_what_a_fault_makes_hang(tools: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    trial = importlib.import_module("trial")

    def forever(signs: int) -> dict[str, object]:
        trial.ChosenTests({"tests": [], "test_timeout_s": 0.01}, signs).pytest_runtest_logstart()
        while True:
            pass

    limits = {"timeout_s": 60.0, "test_timeout_s": 60.0}
    assert trial.in_a_child(forever, limits) == {"found_by": trial.HANGS}
    assert trial.in_a_child(lambda signs: {"found_by": os.write(signs, b" ")}, limits) == {"found_by": 1}


def test_no_fault_of_the_kernel_stands_twice() -> None:
    assert len({fault["name"] for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["name"])
def test_what_a_fault_of_the_kernel_replaces_stands_once(fault: dict[str, str]) -> None:
    source = (ROOT / "othello_bot" / "kernel" / fault["file"]).read_text(encoding="utf-8")
    assert source.count(fault["old"]) == 1
    assert fault["new"] != fault["old"]

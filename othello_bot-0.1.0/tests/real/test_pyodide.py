"""The engine in Python for browsers: its tests in Pyodide, under Node.js."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from othello_bot.suites.bench import signature
from tests.real.conftest import PATIENCE_S, REPOSITORY, python_of_page, run

ROOMS = ("rules", "kernel", "policy", "book", "formats", "review", "engine")

LEFT_OUT = {
    "test_what_is_no_function_is_refused_and_changes_nothing": "its deep nesting is more than a stack of JavaScript holds",
    "test_books_that_are_not_there": "errors have other numbers",
    "test_doors": "sessions answer from a thread",
    "test_a_choice_is_the_move_of_a_session_with_the_same_options": "sessions answer from a thread",
    "test_the_same_seed_plays_the_same_game_and_another_one_does_not": "sessions answer from a thread",
}
"""Tests of which no error tells what Pyodide lacks. Those of properties would take as long as all others."""

TESTERS = ("pytest==9.0.2", "hypothesis==6.135.26", "pytest-xdist==3.8.0", "typing-extensions==4.15.0")
"""Versions without compiled parts."""

INSTALLER = "micropip==0.11.1"
"""The first version that knows the tag of the wheel; it is for Python 3.13 and newer."""

LEAST_PASSED = 2000


def bare_checkout(folder: Path, *further: str) -> Path:
    """Make a folder with what tests read of a checkout, without the engine; return it.

    Its folder `packages` has what runs them, and further packages.
    """
    shutil.copytree(REPOSITORY / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("docs", "protocol"):
        shutil.copytree(REPOSITORY / name, folder / name)
    for name in ("setup.cfg", "README.md"):
        shutil.copy2(REPOSITORY / name, folder)
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-cache-dir", "--no-compile", "--only-binary=:all:")
    for packages in (TESTERS, further):
        if packages:
            # It is for a newer Python than this one, as Pyodide's is.
            newer = () if packages is TESTERS else ("--no-deps", "--ignore-requires-python")
            run(*pip, *newer, "--upgrade", "--target", folder / "packages", *packages, cwd=folder)
    return folder


def test_the_tests_of_the_engine_pass_in_pyodide(for_browsers: Path, node_modules: Path, tmp_path: Path) -> None:
    folder = bare_checkout(tmp_path / "checkout", INSTALLER)
    (folder / "tests" / "test_signature.py").write_text(
        "from othello_bot.suites.bench import signature\n\n\n"
        f"def test_signature() -> None:\n    assert signature() == {signature()}\n"
    )
    names = " and ".join(f"not {name}" for name in LEFT_OUT)
    chosen = (
        "-m",
        "not real and not process and not slow and not hypothesis",
        "-k",
        names,
        *(f"tests/{room}" for room in ROOMS),
    )
    options = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "tests.real.in_pyodide", "-q", "-rs")
    words = ("pytest", *options, *chosen, "tests/test_signature.py")
    (wheel,) = for_browsers.glob("*wasm32.whl")
    script = Path(__file__).with_name("pyodide.mjs")
    ran = subprocess.run(
        ["node", script, node_modules / "pyodide", wheel, folder, *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-1000:]
    *_, last = ran.stdout.strip().splitlines()
    print(f"in Pyodide, {', '.join(ROOMS)}: {last}")
    print("\n".join(re.findall(r"SKIPPED .*", ran.stdout)))
    print(
        "not asked: what starts processes or takes long, properties;",
        "; ".join(f"{name}: {why}" for name, why in LEFT_OUT.items()),
    )
    passed = re.search(r"(\d+) passed", last)
    assert passed and int(passed[1]) > LEAST_PASSED, last


def test_the_page_has_what_its_engine_imports_at_any_time(
    for_browsers: Path, node_modules: Path, tmp_path: Path
) -> None:
    (engine,) = (for_browsers / "page").glob("engine-*.zip")
    (wheel,) = for_browsers.glob("*wasm32.whl")
    names = sorted(reached("othello_bot.web.worker"))
    assert len(names) > 100

    def lacking(python: Path, engine: Path) -> list[str]:
        return run("node", Path(__file__).with_name("imports.mjs"), python, engine, *names, cwd=tmp_path).split()

    assert lacking(python_of_page(for_browsers), engine) == lacking(node_modules / "pyodide", wheel)


def reached(module: str) -> set[str]:
    """Return the modules that a module imports when it runs, and those that they do, in functions, too."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        package = REPOSITORY / name.replace(".", "/")
        source = package / "__init__.py" if package.is_dir() else package.with_suffix(".py")
        if name in found or name.startswith("othello_bot") and not source.is_file():
            continue  # a function, or the kernel
        found.add(name)
        waiting.append(name.rpartition(".")[0] or name)
        waiting += imported(source) if source.is_file() else ()
    return found


def imported(source: Path) -> Iterator[str]:
    """Yield what a file names in its imports, but for those of types."""
    waiting: list[ast.AST] = [ast.parse(source.read_text())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module.startswith("othello_bot"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            waiting += ast.iter_child_nodes(node)

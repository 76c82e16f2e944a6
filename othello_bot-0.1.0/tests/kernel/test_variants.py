"""The variants of the kernel: which one a process loads, that it loads no other, and that all search alike.

Continuous integration builds all of them; otherwise the tests take what is built and runs here.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from othello_bot import kernel
from othello_bot.kernel import processor, variants
from othello_bot.suites.bench import SIGNATURE

FOLDER = Path(kernel.__file__).parent
ROOT = FOLDER.parents[1]
USABLE = [name for name in kernel.BUILT if name in (variants.NATIVE, *variants.runnable(processor.level()))]

LOADED = """
import importlib, json, sys
from pathlib import Path
from othello_bot import kernel
for path in Path(kernel.__path__[0]).glob("*.so"):
    importlib.import_module("othello_bot.kernel." + path.name.partition(".")[0])
files = {module.__file__ for name, module in sys.modules.items() if name.startswith("othello_bot.kernel.")}
maps = Path("/proc/self/maps")
if maps.exists():
    files |= {line.split()[-1] for line in maps.read_text().splitlines() if "othello_bot/kernel/" in line}
print(json.dumps([kernel.VARIANT, sorted(path for path in files if path.endswith(".so"))]))
"""
"""Loads every compiled module and prints the variant's name and the compiled files that are in the process."""


def forced(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process with the variant forced."""
    variables = os.environ | {"OTHELLO_BOT_ARCH": name}
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=variables, cwd=ROOT, capture_output=True, text=True, check=False)


def folder_of(place: Path, *names: str) -> Path:
    """Return a package's folder with these variants."""
    for name in names:
        (place / name).mkdir()
        (place / name / "board.so").touch()
    return place


@pytest.mark.parametrize(("level", "expected"), [(0, "baseline"), (3, "x86-64-v3"), (4, "x86-64-v4")])
def test_the_best_variant_that_works_is_loaded(tmp_path: Path, level: int, expected: str) -> None:
    folder = folder_of(tmp_path, "baseline", "x86-64-v3", "x86-64-v4")
    assert variants.choose(folder, level, None) == expected
    assert variants.choose(folder, level, "") == expected
    assert variants.choose(folder, level, "baseline") == "baseline"


def test_a_processor_beyond_what_was_built_takes_the_best_there_is(tmp_path: Path) -> None:
    assert variants.choose(folder_of(tmp_path, "baseline", "x86-64-v3"), 4, None) == "x86-64-v3"


def test_a_folder_without_modules_is_no_variant(tmp_path: Path) -> None:
    (folder_of(tmp_path, "baseline") / "x86-64-v3").mkdir()
    assert variants.built(tmp_path) == ["baseline"]


def test_a_native_build_was_asked_for_and_runs(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "baseline", "x86-64-v3", "native")
    assert variants.choose(folder, 4, None) == "native"
    assert variants.choose(folder, 4, "x86-64-v3") == "x86-64-v3"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sse9", "OTHELLO_BOT_ARCH=sse9: expected x86-64-v3 or baseline"),
        ("native", "OTHELLO_BOT_ARCH=native: the kernel was not built for it: expected x86-64-v3 or baseline"),
        ("x86-64-v4", "OTHELLO_BOT_ARCH=x86-64-v4: this processor cannot run it: expected x86-64-v3 or baseline"),
    ],
)
def test_a_variant_that_cannot_be_loaded_is_refused_with_the_list(tmp_path: Path, name: str, message: str) -> None:
    folder = folder_of(tmp_path, "baseline", "x86-64-v3", "x86-64-v4")
    with pytest.raises(variants.KernelError) as refused:
        variants.choose(folder, 3, name)
    assert str(refused.value) == message


def test_a_processor_that_can_run_nothing_is_told_what_is_there(tmp_path: Path) -> None:
    with pytest.raises(variants.KernelError, match="that this processor can run: x86-64-v3"):
        variants.choose(folder_of(tmp_path, "x86-64-v3"), 0, None)


@pytest.mark.process
def test_the_command_line_refuses_an_unknown_variant_in_one_line() -> None:
    ended = forced("sse9", "-m", "othello_bot", "version")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("othello-bot: OTHELLO_BOT_ARCH=sse9: expected ")
    assert ended.stderr.count("\n") == 1 and all(name in ended.stderr for name in USABLE)


@pytest.mark.process
@pytest.mark.parametrize("name", USABLE)
def test_a_process_loads_no_module_of_another_variant(name: str) -> None:
    ended = forced(name, "-c", LOADED)
    assert ended.returncode == 0, ended.stderr
    variant, files = json.loads(ended.stdout)
    assert variant == name
    own = [path for path in files if Path(path).parent == FOLDER / name]
    shared = [path for path in files if Path(path).parent == FOLDER]
    assert [Path(path).name.partition(".")[0] for path in (*shared, *own)] == ["processor", "core"]
    assert len(files) == 2


@pytest.mark.process
@pytest.mark.parametrize("name", USABLE)
def test_every_variant_searches_alike(name: str) -> None:
    ended = forced(name, "-m", "othello_bot", "bench", "--quiet")
    assert ended.stdout.split()[-1:] == [str(SIGNATURE)], ended.stderr


@pytest.mark.process
@pytest.mark.parametrize("name", USABLE)
def test_the_verbose_version_says_which_variant_runs(name: str) -> None:
    lines = forced(name, "-m", "othello_bot", "version", "--verbose").stdout.splitlines()
    assert lines[1].startswith(f"kernel {name} (") and lines[1].endswith(f"built: {', '.join(kernel.BUILT)})")


def test_what_can_be_built_is_what_can_be_loaded() -> None:
    tree = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
    [built] = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "VARIANTS"
    ]
    assert {name for names in built.values() for name in names} | {"baseline"} == set(variants.LEVELS)

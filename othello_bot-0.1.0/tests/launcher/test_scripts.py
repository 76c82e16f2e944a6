"""The scripts in Python: what the starting Python lacks, they find in the checkout's environment."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys

import pytest

from tests.launcher.checkout import REPOSITORY, Checkout

pytestmark = pytest.mark.process

PARTS = {"measure": "batches", "figures": "readme"}
"""A part of each program that has parts."""

BARE = (sys.executable, "-S", "-E", "-s")
"""A Python without packages, as a system's often is."""


def in_python() -> list[str]:
    files = [path for path in (REPOSITORY / "scripts").iterdir() if path.is_file()]
    return sorted(path.name for path in files if "python" in path.read_text(encoding="utf-8").split("\n")[0])


def start(checkout: Checkout, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = checkout.environment(**variables)
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """Return a checkout whose environment has everything that any script needs."""
    checkout = Checkout.make(tmp_path_factory.mktemp("complete"))
    checkout.run(script="test")
    assert checkout.builds() == 1
    return checkout


@pytest.mark.parametrize("name", ["measure", "figures"])
def test_it_makes_the_environment_of_a_fresh_checkout(fresh: Checkout, name: str) -> None:
    script, part = str(fresh.root / "scripts" / name), PARTS[name]
    ended = start(fresh, *BARE, script, part, "two words")
    assert "Traceback" not in ended.stderr
    assert f"scripts/{name}: first start: setting up once" in ended.stderr
    assert fresh.builds() == 1
    assert fresh.asked("-E")[-1][1:-1] == ["-s", "-E", script, part, "two words"]


@pytest.mark.parametrize("name", in_python())
def test_it_goes_on_in_the_environment_of_the_checkout(complete: Checkout, name: str) -> None:
    script, part = str(complete.root / "scripts" / name), PARTS.get(name, "--some")
    ended = start(complete, *BARE, script, part, "two words")
    assert ended.stderr == ""
    assert complete.builds() == 1
    assert complete.asked("-E")[-1][1:-1] == ["-s", "-E", script, part, "two words"]


def test_it_installs_the_extras_that_it_needs(built: Checkout) -> None:
    start(built, *BARE, str(built.root / "scripts" / "figures"), "protocols")
    assert built.builds() == 1
    start(built, *BARE, str(built.root / "scripts" / "measure"), "batches")
    assert built.builds() == 2


def test_what_is_missing_there_as_well_is_said_in_a_line(fresh: Checkout) -> None:
    """With nothing in the checkout's environment either, it does not loop."""
    script = str(fresh.root / "scripts" / "measure")
    shell = ("/bin/sh", "-c", 'OTHELLO_BOT_ENTERED=$$ exec "$@"', "sh")
    ended = start(fresh, *shell, *BARE, script, "batches")
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr.count(os.linesep) == 1
    assert ended.stderr.startswith("scripts/measure: ") and "in the checkout's environment either" in ended.stderr


def test_an_engine_that_is_installed_from_elsewhere_is_not_the_one(fresh: Checkout) -> None:
    script = str(fresh.root / "scripts" / "measure")
    ended = start(fresh, sys.executable, script, "variant-speed")
    assert "scripts/measure: first start: setting up once" in ended.stderr
    assert fresh.asked("-E")[-1][1:-1] == ["-s", "-E", script, "variant-speed"]


@pytest.mark.parametrize("name", ["measure", "figures"])
def test_each_of_its_parts_starts_where_nothing_is_missing(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each tells its arguments; the players' list and the tables have none and are left out."""
    program = REPOSITORY / "scripts" / name
    listed = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=True)
    assert listed.stderr == ""
    parts = re.findall(r"^  (\S+) ", listed.stdout, re.MULTILINE)
    assert PARTS[name] in parts
    monkeypatch.syspath_prepend(str(program.parent))
    # One process for all, because the libraries that they import take long.
    for part in sorted({*parts} - {"players", "protocols"}):
        monkeypatch.setattr(sys, "argv", [str(program), part, "--help"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(program), run_name="__main__")
        said = capsys.readouterr()
        assert (ended.value.code, said.err) == (0, "")
        assert f"usage: {name} {part} " in said.out or f"scripts/{name} {part}" in said.out


def test_an_unknown_part_is_refused_with_those_that_there_are() -> None:
    program = str(REPOSITORY / "scripts" / "measure")
    ended = subprocess.run([sys.executable, program, "luck"], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "luck: expected one of performance, " in ended.stderr


def test_there_are_at_most_twelve_programs() -> None:
    assert len([path for path in (REPOSITORY / "scripts").iterdir() if path.is_file()]) <= 12

"""scripts/test and .ci/run: set up with the test packages, run all three checks, and tell of each that fails."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.launcher.checkout import REPOSITORY, Checkout

PARALLEL = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile")


def test_it_installs_the_extras_and_passes_arguments_to_pytest(fresh: Checkout) -> None:
    ended = fresh.run("-k", "symmetry and not slow", "tests/rules", script="test")
    assert ended.returncode == 0, ended.stderr
    [install] = fresh.asked("pip", "install")
    assert any("test" in str(word) for word in install if str(word).startswith(".["))
    assert [line[1:-1] for line in fresh.asked("-m")[-3:]] == [
        ["-m", "ruff", "check", "."],
        ["-m", "mypy"],
        ["-m", "pytest", *PARALLEL, "-k", "symmetry and not slow", "tests/rules"],
    ]


@pytest.mark.parametrize("failing", ["ruff", "mypy", "pytest"])
def test_each_failure_counts_and_stops_no_other(built: Checkout, failing: str) -> None:
    ended = built.run(script="test", FAKE_FAILS=failing)
    assert ended.returncode == 1
    assert f"failed: {failing}" in ended.stderr
    assert built.asked("-m", "pytest")


def test_the_engine_keeps_the_extras(built: Checkout) -> None:
    """A kernel rebuilt by the launcher does not make scripts/test build once more."""
    assert "adding the packages" in built.run(script="test").stderr
    assert built.builds() == 2
    built.touch("othello_bot/kernel/board.pyx")
    built.run()
    assert built.builds() == 3
    built.run(script="test")
    assert built.builds() == 3


def test_continuous_integration_runs_the_same(fresh: Checkout) -> None:
    directory = fresh.root / ".ci"
    directory.mkdir()
    (directory / "run").write_bytes((REPOSITORY / ".ci" / "run").read_bytes())
    ended = subprocess.run(
        ["/bin/sh", str(directory / "run"), "-x"],
        env=fresh.environment(),
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert fresh.asked("-m", "pytest", *PARALLEL, "-x")


@pytest.mark.parametrize("before", [signal.SIG_IGN, signal.SIG_DFL])
def test_the_suite_listens_to_sigint_in_the_background_too(before: signal.Handlers) -> None:
    """`scripts/test &`: the shell has SIGINT ignored, and the tests of interrupted processes must pass all the same."""
    program = "import signal, tests.conftest; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    shell = ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh"] if before is signal.SIG_IGN else []
    ended = subprocess.run(
        [*shell, sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert ended.stdout == "False\n"

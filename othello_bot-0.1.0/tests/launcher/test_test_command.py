"""scripts/test and .ci/run: what they install, which checks they run, and how they report failures."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

from tests.launcher.checkout import REPOSITORY, Checkout

pytestmark = pytest.mark.process


def given_to_pytest(checkout: Checkout) -> list[list[str]]:
    """Return the arguments of each run of pytest."""
    return [line[3:-1] for line in checkout.asked("-m", "pytest")]


def test_it_installs_the_extras_and_passes_arguments_to_pytest(fresh: Checkout) -> None:
    ended = fresh.run("-k", "symmetry and not slow", "tests/rules", script="test")
    assert ended.returncode == 0, ended.stderr
    [install] = fresh.asked("pip", "install", "-e")
    assert any("test" in str(word) for word in install if str(word).startswith(".["))
    [words] = given_to_pytest(fresh)
    assert words[-3:] == ["-k", "symmetry and not slow", "tests/rules"]


@pytest.mark.parametrize("variables", [{}, {"FAKE_UV": "fails"}])
def test_uv_fetches_the_packages_and_pip_what_is_left(fresh: Checkout, variables: dict[str, str]) -> None:
    assert fresh.run(script="test", **variables).returncode == 0
    asked = [line for line in fresh.asked("install") if "setup.cfg" in line or "-e" in line]
    assert [line[0] for line in asked] == ["uv", "python"]
    assert {"test", "dev", "--no-build-isolation"} < set(asked[0][:-1])


@pytest.mark.parametrize("script", ["test", "release"])
def test_help_explains_and_does_nothing_else(script: str) -> None:
    command = [str(REPOSITORY / "scripts" / script), "--help"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert f"scripts/{script}" in ended.stdout and not ended.stdout.startswith("#")


@pytest.mark.parametrize("failing", ["ruff", "cython-lint", "mypy", "pytest"])
def test_each_failure_counts_and_stops_no_other(built: Checkout, failing: str) -> None:
    module = "cython_lint.cython_lint" if failing == "cython-lint" else failing
    ended = built.run(script="test", FAKE_FAILS=module)
    assert ended.returncode == 1
    assert f"failed: {failing}" in ended.stderr
    assert built.asked("-m", "pytest")


def test_the_engine_keeps_the_extras(built: Checkout) -> None:
    """A kernel rebuilt by the launcher does not make scripts/test build once more."""
    assert "adding the packages" in built.run(script="test").stderr
    assert built.builds() == 2
    built.touch("othello_bot/kernel/core.pyx")
    built.run()
    assert built.builds() == 3
    built.run(script="test")
    assert built.builds() == 3


PROGRAMS = (
    "gtp-rhino",
    "quarry",
    "Xvfb",
    "xdotool",
    "node",
    "npm",
    "zsh",
    "fish",
    "chromium",
    "chromedriver",
    "firefox-esr",
    "nginx",
    "openssl",
    "systemd-analyze",
    "mmdebstrap",
    "qemu-aarch64-static",
)
"""What tests/real plays against."""

REAL = [
    *("-m", "real", "-o", "testpaths=tests/real", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"),
]
"""How pytest is asked to run tests/real."""


def add_tool(checkout: Checkout, name: str, script: str = "") -> None:
    tool = checkout.tools / name
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)


def start_ci(checkout: Checkout, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    directory = checkout.root / ".ci"
    directory.mkdir(exist_ok=True)
    (directory / "run").write_bytes((REPOSITORY / ".ci" / "run").read_bytes())
    return subprocess.run(
        ["/bin/sh", str(directory / "run"), *arguments],
        env=checkout.environment(**variables),
        input="",
        capture_output=True,
        text=True,
        check=False,
    )


def test_continuous_integration_runs_both(fresh: Checkout) -> None:
    for name in PROGRAMS:
        add_tool(fresh, name)
    add_tool(fresh, "ccache", 'exec "$@"')
    ended = start_ci(fresh, "-x")
    assert ended.returncode == 0, ended.stderr
    assert fresh.asked("pip", "-e")[0][-1]["CC"] == "ccache cc"
    [suite, real] = given_to_pytest(fresh)
    assert suite[-1] == "-x" and real == REAL
    assert len(fresh.asked("-m", "sphinx")) == 1
    assert re.search(r"seconds: ruff \d+ ruff-format \d+ cython-lint \d+ pytest \d+ mypy \d+\n", ended.stdout)
    assert re.search(r"seconds: set-up and scripts/test \d+, scripts/test --real and scripts/docs \d+\n", ended.stdout)
    assert start_ci(fresh, FAKE_FAILS="sphinx").returncode == 1


def test_the_site_is_built_with_warnings_as_errors(fresh: Checkout) -> None:
    ended = fresh.run(script="docs")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == f"{fresh.root}/build/site/index.html\n"
    [[_, *words, _]] = fresh.asked("-m", "sphinx")
    assert "-W" in words and words[-2:] == ["docs/python", "build/site"]
    failed = fresh.run(script="docs", FAKE_FAILS="sphinx")
    assert (failed.returncode, failed.stdout) == (1, "")


def test_continuous_integration_installs_what_is_missing_and_tries_again(fresh: Checkout) -> None:
    """The first download of each kind fails."""
    tried, installed = fresh.tools / "tried", fresh.tools / "installed"
    for name in ("env", "ln"):
        (fresh.tools / name).symlink_to(str(shutil.which(name)))
    add_tool(fresh, "sleep")
    for name in PROGRAMS[:4]:
        add_tool(fresh, name)
    first_fails = f'[ -e "{tried}-$1" ] || {{ : >"{tried}-$1"; exit 100; }}'
    bring = [f'[ "$1" = update ] || ln -s "{fresh.tools}/sleep" "{fresh.tools}/{name}"' for name in PROGRAMS[4:]]
    add_tool(fresh, "apt-get", "\n".join([f'echo "$@" >>"{installed}"', first_fails, *bring]))
    ended = start_ci(fresh)
    assert ended.returncode == 0, ended.stderr
    asked = [line.split() for line in installed.read_text().splitlines()]
    assert [words[0] for words in asked] == ["update", "update", "install", "install"]
    assert asked[-1][-12:] == [
        "nodejs",
        "npm",
        "zsh",
        "fish",
        "chromium",
        "chromium-driver",
        "firefox-esr",
        "openssl",
        "systemd",
        "mmdebstrap",
        "qemu-user-static",
        "ccache",
    ]
    assert len(fresh.asked("-m", "pytest")) == 2


def test_continuous_integration_fails_where_they_cannot_be_installed(fresh: Checkout) -> None:
    (fresh.tools / "env").symlink_to(str(shutil.which("env")))
    add_tool(fresh, "sleep")
    add_tool(fresh, "apt-get", "exit 100")
    assert start_ci(fresh).returncode == 1
    assert not fresh.asked("-m", "pytest")


def test_the_programs_that_real_games_lack_are_named_in_a_line(fresh: Checkout) -> None:
    ended = fresh.run("--real", script="test")
    assert ended.returncode == 1
    [line] = ended.stderr.splitlines()
    assert line.startswith("scripts/test: --real needs programs that are missing here: sudo apt-get install ")
    assert line.endswith(
        "xvfb xdotool nodejs npm zsh fish chromium chromium-driver firefox-esr openssl systemd mmdebstrap qemu-user-static"
    )
    assert not fresh.asked()


def test_it_says_in_a_line_what_the_page_lacks(built: Checkout) -> None:
    [line] = [one for one in built.run(script="test").stderr.splitlines() if "skipped" in one]
    assert line.endswith("sudo apt-get install chromium chromium-driver nodejs npm, then scripts/test --real")


def test_the_types_of_the_page_are_checked_where_it_is_possible(built: Checkout) -> None:
    for name in ("chromium", "chromedriver"):
        add_tool(built, name)
    add_tool(built, "node", f'echo "$@" >"{built.tools}/checked"; exit 1')
    ended = built.run(script="test")
    assert "skipped: the types of the page" in ended.stderr and ended.returncode == 0
    add_tool(built, "tsc")
    ended = built.run(script="test")
    assert ended.returncode == 1 and "failed: tsc" in ended.stderr and "skipped" not in ended.stderr
    assert (built.tools / "checked").read_text().endswith("/tsc -p tests/web\n")


def test_real_games_take_arguments_as_well(built: Checkout) -> None:
    for name in PROGRAMS:
        add_tool(built, name)
    ended = built.run("--real", "-k", "quarry", script="test")
    assert ended.returncode == 0, ended.stderr
    assert given_to_pytest(built) == [[*REAL, "-k", "quarry"]]
    assert not built.asked("-m", "ruff")


def test_libraries_take_arguments_as_well(built: Checkout) -> None:
    ended = built.run("--libraries", "--newest", "-k", "pgx", script="test")
    assert ended.returncode == 0, ended.stderr
    [words] = given_to_pytest(built)
    assert "testpaths=tests/libraries" in words and words[-3:] == ["--newest", "-k", "pgx"]


def test_a_path_of_real_tests_runs_only_those() -> None:
    path = "tests/real/test_readme.py"
    command = [sys.executable, "-m", "pytest", *REAL, "-n", "0", "--collect-only", "-q", "--no-header", path]
    ended = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert f"{path}::test_its_examples_show_the_present_output" in ended.stdout, ended.stderr
    assert all(line.startswith(f"{path}::") for line in ended.stdout.splitlines() if "::" in line)


@pytest.mark.parametrize("failing", ["", "pytest"])
def test_the_fast_run_is_pytest_alone(built: Checkout, failing: str) -> None:
    ended = built.run("--fast", "tests/rules", script="test", FAKE_FAILS=failing)
    assert ended.returncode == bool(failing)
    [words] = given_to_pytest(built)
    assert "not real and not process and not slow" in words and words[-1] == "tests/rules"
    assert not built.asked("-m", "ruff") and not built.asked("-m", "mypy")


@pytest.mark.parametrize(("minutes", "failing"), [("0", ""), ("600", "pytest")])
def test_exploring_runs_the_property_tests_until_something_fails(built: Checkout, minutes: str, failing: str) -> None:
    ended = built.run("--explore", minutes, "-x", script="test", FAKE_FAILS=failing)
    assert ended.returncode == bool(failing)
    [words] = given_to_pytest(built)
    assert words[:2] == ["-m", "hypothesis"] and words[-1] == "-x"
    assert not built.asked("-m", "ruff")


@pytest.mark.parametrize("arguments", [["--explore"], ["--explore", "x"], ["--explore", "-k", "symmetry"]])
def test_exploring_needs_to_know_how_long(fresh: Checkout, arguments: list[str]) -> None:
    ended = fresh.run(*arguments, script="test")
    assert ended.returncode == 2
    assert ended.stderr == "scripts/test: --explore needs a number of minutes, for example: scripts/test --explore 10\n"
    assert not fresh.asked()


def test_only_exploring_tries_other_examples_in_every_run() -> None:
    program = "import tests.conftest, hypothesis; print(hypothesis.settings.default.derandomize)"
    for variables, shown in (({}, "True\n"), ({"OTHELLO_BOT_TESTS": "explore"}, "False\n")):
        environment = {name: value for name, value in os.environ.items() if name != "OTHELLO_BOT_TESTS"} | variables
        ended = subprocess.run(
            [sys.executable, "-c", program], cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=True
        )
        assert ended.stdout == shown


@pytest.mark.parametrize("before", [signal.SIG_IGN, signal.SIG_DFL])
def test_the_suite_listens_to_sigint_in_the_background_too(before: signal.Handlers) -> None:
    """`scripts/test &`: the shell has SIGINT ignored, and the tests of interrupted processes must pass all the same."""
    program = "import signal, tests.conftest; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    shell = ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh"] if before is signal.SIG_IGN else []
    ended = subprocess.run(
        [*shell, sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert ended.stdout == "False\n"

"""The wheel for Linux on ARM, in an emulator: Debian's arm64 Python under qemu plays as this machine does.

Nothing here was seen on a real ARM machine. ``OTHELLO_BOT_ARM=all scripts/test --real tests/real/test_arm.py`` runs the
slow tests of the kernel and `bench` as well, which takes long.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from othello_bot.suites.bench import signature
from tests.real.conftest import REPOSITORY, run
from tests.real.test_pyodide import bare_checkout

PACKAGES = (
    *("python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "libc6", "libgcc-s1", "libexpat1"),
    *("zlib1g", "libssl3", "libffi8", "liblzma5", "libbz2-1.0", "libsqlite3-0", "libuuid1", "libcrypt1"),
)
"""Debian's Python and the libraries that it loads: 11 MB."""

ALL = os.environ.get("OTHELLO_BOT_ARM") == "all"

PATIENCE_S = 7200 if ALL else 900

CHOSEN = "not process" if ALL else "not process and not slow"
"""The tests of the kernel that are asked; those that start processes would start others in the emulator."""

LEFT_OUT = "tests/kernel/test_variants.py::test_what_can_be_built_is_what_can_be_loaded"
"""It reads setup.py, which no wheel has."""

LEAST_PASSED = 100

GAME = "f5d6c3\ngenmove\nf5f5\nhint 1\nquit\n"


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the packages beside this system, whose lists and settings stay as they are; return the folder."""
    work = tmp_path_factory.mktemp("arm64")
    (work / "lists" / "partial").mkdir(parents=True)
    (work / "packages").mkdir()
    settings = {
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Sandbox::User": "root",
        "Dir::State::lists": str(work / "lists"),
        "Dir::State::status": "/dev/null",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
    }
    words = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    run("apt-get", *words, "-qq", "update", cwd=work)
    run("apt-get", *words, "-qq", "download", *PACKAGES, cwd=work / "packages")
    for package in (work / "packages").iterdir():
        run("dpkg", "-x", package, work / "root", cwd=work)
    return work / "root"


@pytest.fixture(scope="module")
def checkout(distributions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel; return a checkout that has it, and what runs the tests, in its folder `packages`."""
    made = tmp_path_factory.mktemp("wheel")
    (source,) = distributions.glob("*.tar.gz")
    run(sys.executable, REPOSITORY / "scripts" / "_browser", "arm", source, made, cwd=made)
    (wheel,) = made.glob("*manylinux_2_28_aarch64.whl")
    folder = bare_checkout(made / "checkout")
    zipfile.ZipFile(wheel).extractall(folder / "packages")
    return folder


def answered(system: Path, checkout: Path, *words: str, said: str = "") -> str:
    """Return what Python on ARM prints for these arguments."""
    emulated = ("qemu-aarch64-static", "-L", str(system), str(system / "usr" / "bin" / "python3.11"))
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "OTHELLO_BOT_"))}
    ended = subprocess.run(
        [*emulated, *words],
        input=said,
        cwd=checkout,
        env=variables | {"PYTHONPATH": str(checkout / "packages"), "XDG_CACHE_HOME": str(checkout / "cache")},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-6000:] + ended.stderr[-2000:]
    return ended.stdout


def test_the_tests_of_the_kernel_pass(system: Path, checkout: Path) -> None:
    machine = "import platform; from othello_bot import kernel; print(platform.machine(), kernel.BRANCH)"
    assert answered(system, checkout, "-c", machine) == "aarch64 neon\n"
    pytest_of = ("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q")
    words = ("-m", CHOSEN, "--deselect", LEFT_OUT, "tests/kernel")
    *_, last = answered(system, checkout, *pytest_of, *words).strip().splitlines()
    print(f"on emulated ARM, the kernel's tests ({CHOSEN}): {last}")
    assert " failed" not in last and int(last.partition(" passed")[0]) > LEAST_PASSED, last


def test_a_session_over_pipes_answers_as_on_this_machine(system: Path, checkout: Path) -> None:
    session = answered(system, checkout, "-m", "othello_bot", "--level", "6", said=GAME)
    here = subprocess.run(
        [sys.executable, "-m", "othello_bot", "--level", "6"], input=GAME, capture_output=True, text=True, check=True
    )
    assert session == here.stdout and "illegal move 'f5'" in session


if ALL:

    def test_bench_prints_the_same_signature(system: Path, checkout: Path) -> None:
        assert f"Bench: {signature()}" in answered(system, checkout, "-m", "othello_bot", "bench")

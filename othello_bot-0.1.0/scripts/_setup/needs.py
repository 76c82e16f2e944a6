"""Requirements of a build on the machine, and how to install the missing ones."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path


class SetupError(Exception):
    """The set-up cannot continue; the message is one sentence for the user."""


@dataclass(frozen=True)
class Missing:
    """One missing requirement: in words, and as names of packages (none: part of another package there)."""

    what: str
    debian: str
    fedora: str
    macos: str


def missing_from_python(in_environment: bool) -> list[Missing]:
    """Return what the running Python lacks: venv with pip (or pip alone, inside the environment), the C headers."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    lacking = []
    try:
        if in_environment:
            import pip  # noqa: F401
        else:
            import ensurepip  # noqa: F401
            import venv  # noqa: F401
    except ImportError:
        lacking.append(Missing(f"the venv module of Python {version}", f"python{version}-venv", "python3", "python"))
    if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
        lacking.append(Missing(f"the C headers of Python {version}", f"python{version}-dev", "python3-devel", "python"))
    return lacking


def find_compiler() -> list[str] | None:
    """Return the command of a working C compiler, or None; if the variable CC is set, it is the only candidate."""
    named = os.environ.get("CC")
    candidates = [named] if named else [sysconfig.get_config_var("CC") or "cc", "cc", "gcc", "clang"]
    for candidate in candidates:
        command = shlex.split(candidate)
        if command and shutil.which(command[0]) and compiles(command):
            return command
    return None


def compiles(command: list[str]) -> bool:
    """Return whether the compiler compiles a program with a system header; on macOS, ``cc`` may only offer to install
    one.
    """
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, "probe.c")
        source.write_text("#include <stdio.h>\nint main(void) { return 0; }\n")
        ended = subprocess.run(
            [*command, "-c", str(source), "-o", str(source.with_suffix(".o"))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return ended.returncode == 0


def advice(lacking: list[Missing]) -> str:
    """Return one sentence with everything that is missing and how to install it on the common systems."""
    things = [one.what for one in lacking]
    what = things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"
    debian = " ".join(one.debian for one in lacking)
    fedora = " ".join(one.fedora for one in lacking)
    brew = '"brew install python"' if any(one.macos for one in lacking) else ""
    xcode = '"xcode-select --install"' if any(not one.macos for one in lacking) else ""
    macos = " and ".join(filter(None, (xcode, brew)))
    return (
        f"building needs {what}, not found on this machine: install with "
        f'"sudo apt install {debian}" (Debian, Ubuntu), "sudo dnf install {fedora}" (Fedora) or {macos} (macOS).'
    )


def require_tools(in_environment: bool) -> list[str]:
    """Return the compiler's command; raise SetupError that names all missing requirements at once."""
    lacking = missing_from_python(in_environment)
    compiler = find_compiler()
    if compiler is None:
        named = os.environ.get("CC")
        what = f"a C compiler that works (CC is set to {named!r})" if named else "a C compiler"
        lacking.insert(0, Missing(what, "build-essential", "gcc", ""))
    if compiler is None or lacking:
        raise SetupError(advice(lacking))
    return compiler

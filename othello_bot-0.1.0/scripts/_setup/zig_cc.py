#!/usr/bin/env python3
"""Compile with the C compiler of the package `ziglang` for a named target: an old glibc, musl, another machine, a browser.

Use it as the compiler of a build, with the target in OTHELLO_BOT_ZIG_TARGET, for instance x86_64-linux-gnu.2.17,
aarch64-linux-gnu.2.17 (docs/install.md) or wasm32-emscripten (scripts/_browser). Its names of processors
differ from those of GCC and Clang. In the isolated environment of `python -m build`, which lacks ziglang, the program
python-zig on the PATH starts it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

BROWSER = "wasm32-emscripten"

# Pyodide's modules share its memory and its functions; Node.js 20 refuses extended constant expressions. With bulk memory,
# Clang makes a memory.copy of each small structure, which V8 calls as a function; without, a few loads and stores.
BROWSER_FLAGS = ("-fPIC", "-msimd128", "-mno-extended-const", "-mno-bulk-memory", "-mno-bulk-memory-opt")
BROWSER_LINK = ("--shared", "--experimental-pic", "--import-memory", "--allow-undefined", "--strip-all")

# The system of the building machine, which a browser does not have.
FOREIGN = ("-pthread", "-isystem", "-L", "-l", "-Wl,", "-march=", "-mtune=")


def translated(argument: str) -> str:
    """Return an argument as zig writes it: -march=x86-64-v3 is -mcpu=x86_64_v3 there."""
    if argument.startswith("-march=x86-64"):
        return "-mcpu=" + argument.removeprefix("-march=").replace("-", "_")
    return argument


def library(zig: list[str]) -> Path:
    """Return the folder of zig's own headers."""
    said = subprocess.run([*zig, "env"], capture_output=True, text=True, check=True).stdout
    # A record of Zig's, or JSON in older versions: .lib_dir = "...", or "lib_dir": "...".
    line = next(line for line in said.splitlines() if "lib_dir" in line)
    return Path(line.split('"')[-2])


def for_browser(zig: list[str], arguments: list[str]) -> list[str]:
    """Return the command that compiles, or links, a module for Python in a browser.

    Emscripten's C library is musl with 32-bit pointers and 64-bit times, as that of riscv32 is, whose headers Zig has.
    """
    arguments = [argument for argument in arguments if not argument.startswith(FOREIGN)]
    if "-c" not in arguments:
        target = arguments[arguments.index("-o") + 1]
        objects = [argument for argument in arguments if argument.endswith(".o")]
        entry = "--export=PyInit_" + Path(target).name.partition(".")[0]
        return [*zig, "wasm-ld", *BROWSER_LINK, entry, *objects, "-o", target]
    own = library(zig)
    folders = (own / "libc/include/riscv32-linux-musl", own / "libc/include/generic-musl", own / "include")
    system = [word for folder in folders for word in ("-isystem", str(folder))]
    # The types that the compiler's own header defines: there, size_t is an unsigned long.
    theirs = [f"-D__DEFINED_{name}" for name in ("size_t", "ptrdiff_t", "max_align_t")]
    system += [*theirs, "-include", "stddef.h"]
    return [*zig, "cc", "-target", BROWSER, "-nostdinc", *system, *arguments, *BROWSER_FLAGS]


def main() -> None:
    """Become the compiler."""
    target = os.environ.get("OTHELLO_BOT_ZIG_TARGET")
    if not target:
        sys.exit("zig_cc.py: OTHELLO_BOT_ZIG_TARGET is not set: expected a target such as x86_64-linux-gnu.2.17")
    program = shutil.which("python-zig")
    zig = [program] if program else [sys.executable, "-m", "ziglang"]
    if target == BROWSER:
        command = for_browser(zig, sys.argv[1:])
    else:
        command = [*zig, "cc", "-target", target, *map(translated, sys.argv[1:])]
    os.execv(command[0], command)


if __name__ == "__main__":
    main()

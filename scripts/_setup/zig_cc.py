#!/usr/bin/env python3
"""Compile with the C compiler of the package `ziglang` for a named target: an old glibc, musl, another machine.

Use it as the compiler of a build, with the target in OTHELLO_BOT_ZIG_TARGET, for instance x86_64-linux-gnu.2.17 or
aarch64-linux-gnu.2.17 (docs/install.md). Its names of processors differ from those of GCC and Clang. In the isolated
environment of `python -m build`, which lacks ziglang, the program python-zig on the PATH starts it.
"""

from __future__ import annotations

import os
import shutil
import sys


def translated(argument: str) -> str:
    """Return an argument as zig writes it: -march=x86-64-v3 is -mcpu=x86_64_v3 there."""
    if argument.startswith("-march=x86-64"):
        return "-mcpu=" + argument.removeprefix("-march=").replace("-", "_")
    return argument


def main() -> None:
    """Become the compiler."""
    target = os.environ.get("OTHELLO_BOT_ZIG_TARGET")
    if not target:
        sys.exit("zig_cc.py: OTHELLO_BOT_ZIG_TARGET is not set: expected a target such as x86_64-linux-gnu.2.17")
    arguments = [translated(argument) for argument in sys.argv[1:]]
    program = shutil.which("python-zig")
    zig = [program] if program else [sys.executable, "-m", "ziglang"]
    os.execv(zig[0], [*zig, "cc", "-target", target, *arguments])


if __name__ == "__main__":
    main()

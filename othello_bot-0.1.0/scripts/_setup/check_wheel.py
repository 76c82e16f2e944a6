"""Check an installed package: all variants of its kernel that run here search alike. For cibuildwheel (pyproject.toml).

Run it with the Python of the environment that the package is installed in, from any folder but the checkout's.
"""

from __future__ import annotations

import os
import subprocess
import sys

from othello_bot.kernel import BUILT, VARIANT, processor, variants


def signature(variant: str) -> str:
    """Return what `bench` prints with a variant forced."""
    command = [sys.executable, "-m", "othello_bot", "bench", "--quiet"]
    variables = os.environ | {variants.VARIABLE: variant}
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    """Print the signature of each variant; return 0 if they are the same and at least one was found, else 1."""
    usable = [name for name in BUILT if name in (variants.NATIVE, *variants.runnable(processor.level()))]
    found = {name: signature(name) for name in usable}
    for name, line in found.items():
        print(f"{name}: {line}{'  (loaded by itself)' if name == VARIANT else ''}")
    for name in BUILT:
        if name not in usable:
            print(f"{name}: built, but this processor cannot run it")
    return 0 if len(set(found.values())) == 1 else 1


if __name__ == "__main__":
    sys.exit(main())

"""`othello-bot version`: the version and, with `--verbose`, what it runs on."""

from __future__ import annotations

import argparse
import platform
import sys

from othello_bot import kernel
from othello_bot.base.version import __version__
from othello_bot.kernel import BUILT, VARIANT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Print the version."
    parser.add_argument("--verbose", action="store_true", help="also the kernel, Python and the system")


def run(args: argparse.Namespace) -> int:
    """Print the version, and with --verbose what it runs on; return 0."""
    sys.stdout.write("\n".join(report() if args.verbose else [program()]) + "\n")
    return 0


def program() -> str:
    """Return the name and the version of the program."""
    return f"othello-bot {__version__}"


def report() -> list[str]:
    """Return the lines of the verbose report: the version, the kernel that runs and those built, Python, the system."""
    return [
        program(),
        f"kernel {VARIANT} ({kernel.BRANCH}; built: {', '.join(BUILT)})",
        f"python {platform.python_version()} ({platform.python_implementation()})",
        f"system {platform.system()} {platform.machine()}",
    ]

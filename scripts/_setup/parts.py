"""A program of several parts: its first word names the part that runs, in the environment that the part needs."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Mapping
from typing import NamedTuple

from _setup.enter import ROOT, enter


class SetupPart(NamedTuple):
    """What a part does, and what must be installed for it: the extras ("" or "test"), and modules to look for."""

    about: str
    extras: str = ""
    modules: tuple[str, ...] = ()


def run_part(folder: str, parts: Mapping[str, SetupPart], description: str | None) -> int:
    """Run the part that the command line names; return its exit status, or 2 for an unknown name and for an error of
    the user, a file or memory, which is said in one line.

    The part `some-name` is the function main() of FOLDER/some_name.py. It reads the rest of the command line.
    """
    program, words = sys.argv[0], sys.argv[1:]
    name = words[0] if words else "--help"
    if name in ("-h", "--help"):
        width = max(map(len, parts))
        lines = "".join(f"  {name:{width}}  {part.about}\n" for name, part in parts.items())
        print(f"{(description or '').strip()}\n\n{lines}", end="")
        return 0
    if name not in parts:
        print(f"{program}: {name}: expected one of {', '.join(parts)}", file=sys.stderr)
        return 2
    enter(parts[name].extras, *parts[name].modules)
    sys.path.insert(1, str(ROOT))  # some parts use what the tests drive a browser or a terminal with
    sys.argv = [f"{program} {name}", *words[1:]]
    from othello_bot.base.errors import INTERRUPTED, UserError
    from othello_bot.base.output import flush_stdout, words_of
    from othello_bot.base.visible import visible

    status = 0
    try:
        with contextlib.suppress(BrokenPipeError):  # nobody reads it any more
            status = int(importlib.import_module(f"{folder}.{name.replace('-', '_')}").main())
        flush_stdout()
    except KeyboardInterrupt:
        return INTERRUPTED
    except (UserError, OSError, MemoryError) as error:
        print(f"{sys.argv[0]}: {visible(words_of(error))}", file=sys.stderr)
        return 2
    return status

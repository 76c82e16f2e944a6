"""`othello-bot gui-config PROGRAM`: what a front-end needs to know to start the engine, printed or written to its file.

Facts: Quarry 0.2.0 keeps its engines in sections of ~/.quarry; Sabaki v0.60 in "engines.list" of its settings.json (see
src/components/drawers/PreferencesDrawer.js there); GoGui 1.6.0 and NBoard 2.0.0 ask in a dialog.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from othello_bot.base.descriptors import is_special, is_standard_output
from othello_bot.base.errors import InputError
from othello_bot.base.files import read_at_most, write_whole
from othello_bot.base.output import guarded, report
from othello_bot.formats.writing import user_path

NAME: Final = "othello-bot"
LARGEST_FILE_BYTES: Final = 1 << 22

_CHECKOUT: Final = Path(__file__).resolve().parents[2] / "scripts" / "othello-bot"


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A program: the text that is printed for a command, and, if it has a file of its own, where and how it changes.

    `merged` returns the file's new text from its current one; it raises InputError if the file is not the program's, or
    has the engine already and may not be changed.
    """

    text: Callable[[Sequence[str]], str]
    file: str = ""
    merged: Callable[[str, Sequence[str], bool], str] | None = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Print the settings with which a front-end starts the engine, or write them to the front-end's file."
    )
    parser.add_argument("program", choices=sorted(FRONT_ENDS), help="the front-end")
    arguments = "arguments of the engine: --arguments='--level 10 --threads 2'"
    parser.add_argument("--arguments", type=_words, default=[], metavar="TEXT", help=arguments)
    parser.add_argument("--write", action="store_true", help="write them to the program's own file (quarry, sabaki)")
    parser.add_argument("--file", metavar="FILE", help="the file to write; default: the usual place")
    parser.add_argument("--overwrite", action="store_true", help="replace an engine of the same name there")


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: expected words as a shell reads them ({error})") from error


@guarded("gui-config")
def run(args: argparse.Namespace) -> int:
    """Print or write the settings; return 0, or 2 if that is not possible."""
    front_end = FRONT_ENDS[args.program]
    command = [*start_command(), *args.arguments]
    if args.overwrite and not (args.write or args.file):
        raise InputError("option", "--overwrite", "--write or --file with it, as nothing is written without them")
    if args.write or args.file:
        _write(args.program, front_end, command, args.file, args.overwrite)
    else:
        sys.stdout.write(front_end.text(command))
    return 0


def start_command() -> list[str]:
    """Return the words that start this engine: the checkout's script, the installed command, or Python's module."""
    if _CHECKOUT.exists():
        return [str(_CHECKOUT)]
    beside = Path(sys.executable).with_name("othello-bot")
    found = str(beside) if beside.exists() else shutil.which("othello-bot")
    return [found] if found else [sys.executable, "-m", "othello_bot"]


def _write(name: str, front_end: FrontEnd, command: Sequence[str], file: str | None, overwrite: bool) -> None:
    """Change the program's file; raise InputError if it has none, if that is not text, or already has the engine."""
    if front_end.merged is None:
        expected = "quarry or sabaki; without --write, the others print what to type"
        raise InputError("program with a file of its own", name, expected)
    path = user_path(file or front_end.file)
    try:
        is_file = path.exists() and not is_special(path)
        present = read_at_most(path, LARGEST_FILE_BYTES, "settings").decode("utf-8") if is_file else ""
    except UnicodeDecodeError as error:
        raise InputError("settings file", str(path), f"text in UTF-8 ({error.reason})") from error
    write_whole(path, front_end.merged(present, command, overwrite).encode())
    told = f"{path} written; restart the program if it is running"
    report(told, "gui-config") if is_standard_output(path) else sys.stdout.write(f"{told}\n")


def _gogui(command: Sequence[str]) -> str:
    """Return the command line that starts GoGui with the engine."""
    program = shlex.join(command)
    return f"gogui -program {shlex.quote(program)}\n\nor in GoGui: Program, New Program, with the command\n{program}\n"


def _nboard(command: Sequence[str]) -> str:
    """Return what NBoard's dialog asks; raise InputError for a word with a space, at which it splits the command."""
    for word in command:
        if " " in word or ";" in word:
            raise InputError("word of the command", word, "one without spaces and semicolons, as NBoard splits there")
    # NBoard accepts letters and digits only, and looks for the command in the working directory.
    return (
        "in NBoard: Engine, Select Opponent, Add engine\n"
        f"Name               {NAME.replace('-', '')}\n"
        f"Working Directory  {Path(command[0]).parent}\n"
        f"Command            {' '.join(command)}\n"
    )


def quarry_section(name: str, command: str) -> str:
    """Return the section of Quarry's file for an engine."""
    values = {"Screen name format": "%n", "Name": name, "Command line": command, "Supported games": "Reversi"}
    return "\n".join([f'[GTP Engine "{name}"]', *(f'{key} = "{value}"' for key, value in values.items())]) + "\n"


def _quarry(command: Sequence[str]) -> str:
    """Return the section for Quarry's file."""
    return quarry_section(NAME, shlex.join(command))


def _quarry_merged(present: str, command: Sequence[str], overwrite: bool) -> str:
    """Return Quarry's file with the engine."""
    section = re.compile(rf'^\[GTP Engine "{re.escape(NAME)}"\]\n(?:(?!\[).*\n?)*', re.MULTILINE)
    if section.search(present):
        if not overwrite:
            raise InputError("engine in Quarry's file", NAME, "none of this name, or --overwrite")
        present = section.sub("", present)
    return (present.rstrip("\n") + "\n\n" if present.strip() else "") + _quarry(command)


def _sabaki_entry(command: Sequence[str]) -> dict[str, Any]:
    return {"name": NAME, "path": command[0], "args": shlex.join(command[1:]), "commands": ""}


def _sabaki(command: Sequence[str]) -> str:
    """Return the entry of Sabaki's settings."""
    return json.dumps({"engines.list": [_sabaki_entry(command)]}, indent=2) + "\n"


def _sabaki_merged(present: str, command: Sequence[str], overwrite: bool) -> str:
    """Return Sabaki's settings with the engine first."""
    try:
        settings = json.loads(present or "{}")
    except (ValueError, RecursionError) as error:
        raise InputError("Sabaki's settings", present[:40], f"JSON ({error})") from error
    engines = settings.get("engines.list", []) if isinstance(settings, dict) else None
    if not isinstance(engines, list) or not all(isinstance(engine, dict) for engine in engines):
        raise InputError("Sabaki's settings", present[:40], 'an object with a list "engines.list"')
    others = [engine for engine in engines if engine.get("name") != NAME]
    if len(others) < len(engines) and not overwrite:
        raise InputError("engine in Sabaki's settings", NAME, "none of this name, or --overwrite")
    settings["engines.list"] = [_sabaki_entry(command), *others]
    return json.dumps(settings, indent=2, ensure_ascii=False)


def _arena(command: Sequence[str]) -> str:
    """Return the engine of a match file of this arena, and as words of its command line."""
    words = "".join(f"    {json.dumps(word, ensure_ascii=False)},\n" for word in command)
    line = shlex.quote(f"cmd={shlex.join(command)}")
    return (
        f'# in a match file\n[[engine]]\nname = "{NAME}"\ncmd = [\n{words}]\ntc = "5+0.05"\n\n'
        f"# on the command line\n# othello-bot match --engine {line} name={NAME} tc=5+0.05 --engine iago\n"
    )


_SETTINGS: Final = "~/Library/Application Support" if sys.platform == "darwin" else "~/.config"
_SABAKI_FILE: Final = f"{_SETTINGS}/Sabaki/settings.json"

FRONT_ENDS: Final[dict[str, FrontEnd]] = {
    "gogui": FrontEnd(_gogui),
    "nboard": FrontEnd(_nboard),
    "quarry": FrontEnd(_quarry, "~/.quarry", _quarry_merged),
    "sabaki": FrontEnd(_sabaki, _SABAKI_FILE, _sabaki_merged),
    "arena": FrontEnd(_arena),
}
"""The front-ends by their names."""

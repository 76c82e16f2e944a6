"""`othello-bot completion SHELL`: a script that completes commands, options and values in bash, zsh or fish.

The script is made from the parsers of the command line, which also make the help.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from othello_bot.engine import named_values
from othello_bot.tools.help_topics import title, topics

PARSERS: Final = "parsers"
"""The name in the namespace of a function that returns the parser of each command; that of a session is called ""."""

_FILES: Final = re.compile(r"FILE|FOLDER|PATH|\bIN\b|\bOUT\b|DATABASE|STORE", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ArgumentWord:
    """An option or a positional argument: its spellings (none for a positional), what values it takes, and its help.

    `values` are the choices; `files` says whether a value is the name of a file; `takes_value` whether there is one.
    """

    names: tuple[str, ...]
    help: str
    takes_value: bool = False
    values: tuple[str, ...] = ()
    files: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Print a script that completes commands, options and values in a shell."
    parser.epilog = """bash: source <(othello-bot completion bash), in ~/.bashrc
zsh:  source <(othello-bot completion zsh), in ~/.zshrc after compinit
fish: othello-bot completion fish > ~/.config/fish/completions/othello-bot.fish
"""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("shell", choices=sorted(_SCRIPTS), help="the shell")


def run(args: argparse.Namespace) -> int:
    """Print the script; return 0."""
    make: Callable[[], Mapping[str, argparse.ArgumentParser]] = getattr(args, PARSERS)
    commands = declared(make())
    named = tuple(word for word in commands[""] if not word.names and not word.takes_value)
    commands["help"] += (*(ArgumentWord((), title(path), values=(topic,)) for topic, path in topics().items()), *named)
    sys.stdout.write(_SCRIPTS[args.shell](commands))
    return 0


Commands = dict[str, tuple[ArgumentWord, ...]]
"""The words of each command, by its name; those of a session by ""."""


def declared(parsers: Mapping[str, argparse.ArgumentParser]) -> Commands:
    """Return the words of each command, `book grow` among them. Names of commands stand among those of the session."""
    every = dict(parsers)
    for name, parser in parsers.items():
        for action in filter(_is_branch, parser._actions):
            every |= {f"{name} {word}": branch for word, branch in dict(action.choices or ()).items()}
    commands = {
        name: tuple(_word(action) for action in parser._actions if not _is_branch(action))
        for name, parser in every.items()
    }
    for name in filter(None, every):
        first, _, second = name.rpartition(" ")
        commands[first] += (ArgumentWord((), _about(every[name]), values=(second,)),)
    return commands


def _is_branch(action: argparse.Action) -> bool:
    """Return whether an action stands for commands with parsers of their own."""
    return isinstance(action, argparse._SubParsersAction)


def _about(parser: argparse.ArgumentParser) -> str:
    """Return what a command does: the first sentence of its description."""
    return " ".join((parser.description or "").split()).partition(". ")[0].rstrip(".")


def _word(action: argparse.Action) -> ArgumentWord:
    """Return what an action of a parser takes."""
    help_text = "" if action.help in (None, argparse.SUPPRESS) else str(action.help)
    help_text = " ".join(help_text.replace("%%", "%").split())
    if action.nargs == 0:
        return ArgumentWord(tuple(action.option_strings), help_text)
    shown = action.metavar if isinstance(action.metavar, str) else action.dest
    files = action.type is Path or bool(_FILES.search(shown))
    choices = tuple(map(str, action.choices or ())) or named_values(action) or _braced(shown)
    optional = bool(action.option_strings) and action.nargs == "?"
    return ArgumentWord(tuple(action.option_strings), help_text, not optional, choices, files and not choices)


def _braced(shown: str) -> tuple[str, ...]:
    """Return the values in a metavar like {on,off} or on|off; none for other metavars."""
    found = re.fullmatch(r"\{?([a-z0-9-]+(?:[,|][a-z0-9-]+)+)\}?", shown)
    return () if found is None else tuple(re.split("[,|]", found[1]))


def _bash(commands: Commands) -> str:
    """Return the script for bash."""
    lines = [
        "# completion of othello-bot in bash, made by: othello-bot completion bash",
        "_othello_bot_files() {",
        "    # Readline's own completion quotes names as needed; bash before 4 cannot ask for it.",
        '    compopt -o default 2>/dev/null || COMPREPLY+=($(compgen -f -- "$current"))',
        "}",
        "_othello_bot() {",
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= files= words=",
        "    COMPREPLY=()",
        "    # Bash takes --option=value for three words.",
        "    if [[ $current == = ]]; then current=",
        "    elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi",
        '    case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
    ]
    for name in (name for name in commands if " " in name):
        lines.append(f"        '{name}') ((COMP_CWORD > 2)) && command='{name}' ;;")
    lines.append("    esac")
    lines.append('    if [[ -z $command ]] && ((COMP_CWORD > 1)); then case "${COMP_WORDS[1]}" in')
    singles = "|".join(name for name in commands if name and " " not in name)
    lines += [f"        {singles}) command=${{COMP_WORDS[1]}} ;;", "    esac; fi", '    case "$command:$previous" in']
    for name, words in commands.items():
        for word in words:
            if word.names and (word.takes_value or word.values):
                spelled = "|".join(f"'{name}:{option}'" for option in word.names)
                lines.append(f"        {spelled}) {_bash_values(word)} ;;")
    lines += ["    esac", '    case "$command" in']
    for name, words in commands.items():
        options = " ".join(option for word in words for option in word.names)
        values = " ".join(value for word in words if not word.names for value in word.values)
        files = "; files=1" if any(word.files for word in words if not word.names) else ""
        lines.append(f"        '{name}') words='{options}'; [[ $current == -* ]] || words='{values}'{files} ;;")
    lines += [
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "    [[ -z $files || $current == -* ]] || _othello_bot_files",
        "    return 0",
        "}",
        "complete -F _othello_bot othello-bot",
    ]
    return "\n".join(lines) + "\n"


def _bash_values(word: ArgumentWord) -> str:
    """Return the statement that completes the value of an option."""
    if word.files:
        return "_othello_bot_files; return"
    if word.values:
        found = f"COMPREPLY=($(compgen -W '{' '.join(word.values)}' -- \"$current\"))"
        return f"{found}; return" if word.takes_value else f"{found}; [[ $current == -* ]] || return"
    return "return"


def _zsh(commands: Commands) -> str:
    """Return the script for zsh."""
    lines = [
        "#compdef othello-bot",
        "# completion of othello-bot in zsh, made by: othello-bot completion zsh",
        "_othello_bot() {",
        "    local command= current=$words[CURRENT] previous=$words[CURRENT-1]",
        "    local -a found",
        "    if [[ $current == -*=* ]]; then",
        "        previous=${current%%=*}",
        "        compset -P '*='",
        "        current=$PREFIX",
        "    fi",
        '    case "$words[2] $words[3]" in',
    ]
    for name in (name for name in commands if " " in name):
        lines.append(f"        ('{name}') ((CURRENT > 3)) && command='{name}' ;;")
    singles = "|".join(name for name in commands if name and " " not in name)
    lines += ["    esac", '    if [[ -z $command ]] && ((CURRENT > 2)); then case "$words[2]" in']
    lines += [f"        ({singles}) command=$words[2] ;;", "    esac; fi", '    case "$command:$previous" in']
    for name, words in commands.items():
        for word in words:
            if word.names and (word.takes_value or word.values):
                spelled = "|".join(f"'{name}:{option}'" for option in word.names)
                lines.append(f"        ({spelled}) {_zsh_values(word)} ;;")
    lines += ["    esac", '    case "$command" in']
    for name, words in commands.items():
        options = " ".join(_described(option, word.help) for word in words for option in word.names)
        values = " ".join(_described(value, word.help) for word in words if not word.names for value in word.values)
        files = " _files;" if any(word.files for word in words if not word.names) else ""
        lines.append(f"        ('{name}') if [[ $current == -* ]]; then found=({options})")
        lines.append(f"            else found=({values});{files} fi ;;")
    lines += [
        "    esac",
        "    ((#found)) && _describe 'othello-bot' found",
        "    return 0",
        "}",
        "compdef _othello_bot othello-bot",
    ]
    return "\n".join(lines) + "\n"


def _zsh_values(word: ArgumentWord) -> str:
    """Return the statement that completes the value of an option."""
    if word.files:
        return "_files; return"
    if word.values:
        return f"compadd -- {' '.join(word.values)}" + ("; return" if word.takes_value else "")
    return "return"


def _described(word: str, text: str) -> str:
    """Return a word with its description for _describe, quoted."""
    return _quoted(f"{word}:{text}" if text else word)


def _fish(commands: Commands) -> str:
    """Return the script for fish."""
    lines = [
        "# completion of othello-bot in fish, made by: othello-bot completion fish",
        "function __othello_bot_command",
        "    set -l words (commandline -opc)",
        "    set -l command",
        '    if test (count $words) -gt 2; and contains -- "$words[2] $words[3]" '
        + " ".join(_quoted(name) for name in commands if " " in name),
        '        set command "$words[2] $words[3]"',
        "    else if test (count $words) -gt 1; and contains -- $words[2] "
        + " ".join(name for name in commands if name and " " not in name),
        "        set command $words[2]",
        "    end",
        '    test "$command" = "$argv[1]"',
        "end",
        "complete -c othello-bot -f",
    ]
    for name, words in commands.items():
        begin = f"complete -c othello-bot -n '__othello_bot_command \"{name}\"'"
        for word in words:
            text = f" -d {_quoted(word.help)}" if word.help else ""
            if not word.names:
                if word.files:
                    lines.append(f"{begin} -F")
                lines += [f"{begin} -a {value}{text}" for value in word.values]
                continue
            spelled = "".join(_fish_option(option) for option in word.names)
            lines.append(begin + spelled + _fish_value(word) + text)
    return "\n".join(lines) + "\n"


def _fish_option(option: str) -> str:
    """Return how fish declares an option: long, of one letter, or long with a single dash."""
    kind = "-l" if option.startswith("--") else "-s" if len(option) == 2 else "-o"
    return f" {kind} {option.lstrip('-')}"


def _fish_value(word: ArgumentWord) -> str:
    """Return how fish declares the value of an option; where it may be missing, files are offered as well."""
    values = f" -a {_quoted(' '.join(word.values))}" if word.values else ""
    if word.files or (values and not word.takes_value):
        return " -r -F" + values
    return " -x" + values if word.takes_value else ""


def _quoted(text: str) -> str:
    """Return a text in single quotes as all three shells read it; a quote in it becomes a typographic one."""
    return "'" + text.replace("\\", "/").replace("'", "’") + "'"


_SCRIPTS: Final = {"bash": _bash, "zsh": _zsh, "fish": _fish}

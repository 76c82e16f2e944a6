"""The table of commands: each is declared once, with its syntax, effect and example.

`list_commands`, `help`, completion, the reference in protocol/README.md and the test of its examples are generated from
these declarations. The commands themselves are in `commands/`, one module a subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from othello_bot.protocol import gtp
from othello_bot.protocol.gtp import Command
from othello_bot.session import Answer, Job, JobOutcome, Session


class Call(Job[Any]):
    """One use of a command, passed to its handler."""

    command: Command

    def __init__(self, dialect: Any, command: Command, declaration: Declaration, asked_at_s: float) -> None:
        super().__init__(dialect, command, declaration.answer(command), asked_at_s)
        self.session: Session = dialect.session
        self.table: Mapping[str, Declaration] = dialect.table
        self.usage = declaration.usage

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words after the command."""
        return self.command.arguments

    def expect(self, least: int, most: int | None = None) -> tuple[str, ...]:
        """Return the arguments if there are `least` to `most` of them; raise GtpError `syntax error` with the usage
        otherwise.
        """
        return self.command.expect(least, most, self.usage)

    def open_stream(self) -> None:
        """Begin the reply now; its lines follow one by one with `stream`."""
        self.reply_open = True
        self.dialect.output.write(gtp.open_stream(self.command.id))

    def stream(self, text: str) -> None:
        """Write one line of an open reply."""
        self.dialect.output.write(gtp.stream_line(text))


Handler = Callable[[Call], JobOutcome]


@dataclass(frozen=True, slots=True)
class Declaration:
    """Everything about one command.

    `for_people` is the line of `help` for a command that people use, what to type and what it does, which several
    commands may share; None for commands of hosts. `aliases` are other words for the same command. `example` is a
    dialogue in a new session: lines that begin with `> ` are sent, the others are the replies, and `...` matches
    anything. `how` it is answered; where `ends_on_input` is set, it decides whether a use of the command is ended by input.
    """

    name: str
    arguments: str
    effect: str
    example: str
    how: Answer[Any]
    subject: str
    for_people: tuple[str, str] | None = None
    aliases: tuple[str, ...] = ()
    ends_on_input: Callable[[Command], bool] | None = None

    @property
    def usage(self) -> str:
        """The command with its arguments: `play [colour] move...`."""
        return f"{self.name} {self.arguments}".rstrip()

    def answer(self, command: Command) -> Answer[Any]:
        """Return how a use of the command is answered. With arguments it never stops a search: they are refused."""
        ends = self.how.ends_on_input if self.ends_on_input is None else self.ends_on_input(command)
        return replace(self.how, stops=self.how.stops and not command.arguments, ends_on_input=ends)


class CommandGroup:
    """Collects the declarations of one module."""

    def __init__(self, subject: str) -> None:
        self.subject = subject
        self.declarations: list[Declaration] = []

    def command(
        self,
        name: str,
        arguments: str,
        effect: str,
        example: str,
        *,
        for_people: tuple[str, str] | None = None,
        aliases: tuple[str, ...] = (),
        overtakes: bool = False,
        stops: bool = False,
        ends_on_input: bool | Callable[[Command], bool] = False,
        quits: bool = False,
    ) -> Callable[[Handler], Handler]:
        """Declare the decorated function as the handler of a command; see `Declaration` and `Answer`."""
        ends = ends_on_input if callable(ends_on_input) else None
        text, dialogue = " ".join(effect.split()), example.strip("\n")

        def declare(handler: Handler) -> Handler:
            execute: Any = handler
            how: Answer[Any] = Answer(execute, overtakes, stops, ends_on_input is True, quits)
            self.declarations.append(
                Declaration(name, arguments, text, dialogue, how, self.subject, for_people, aliases, ends)
            )
            return handler

        return declare


def assemble(groups: Iterable[CommandGroup]) -> dict[str, Declaration]:
    """Return the table of all groups, in order. Two commands of one name are a programming error."""
    table: dict[str, Declaration] = {}
    words: set[str] = set()
    for group in groups:
        for declaration in group.declarations:
            for word in (declaration.name, *declaration.aliases):
                if word in words:
                    raise AssertionError(f"{word} is declared twice")
                words.add(word)
            table[declaration.name] = declaration
    return table


def find(table: Mapping[str, Declaration], word: str) -> Declaration | None:
    """Return the command with a name or alias; None for an unknown one."""
    declaration = table.get(word)
    if declaration is not None:
        return declaration
    return next((declaration for declaration in table.values() if word in declaration.aliases), None)


def known_words(table: Mapping[str, Declaration]) -> list[str]:
    """Return the names and aliases of all commands."""
    return [word for declaration in table.values() for word in (declaration.name, *declaration.aliases)]


def reference(table: Mapping[str, Declaration]) -> str:
    """Return the command reference as Markdown, one entry a command, under a heading for each subject."""
    import textwrap  # imported here and below: a session starts without it

    lines: list[str] = []
    subject = ""
    for declaration in table.values():
        if declaration.subject != subject:
            subject = declaration.subject
            lines += [f"### {subject}", ""]
        other_words = " or ".join(f"`{word}`" for word in declaration.aliases)
        effect = f"{declaration.effect} Also {other_words}." if other_words else declaration.effect
        effect = textwrap.fill(effect, 120, break_long_words=False, break_on_hyphens=False)
        lines += [f"#### `{declaration.usage}`", "", effect, "", "```text", declaration.example, "```", ""]
    return "\n".join(lines)


COLUMNS: Final = 80
"""Columns of the smallest supported terminal."""

_TYPED_COLUMNS: Final = 24
_HOST_COLUMNS: Final = 32
_SUBJECTS: Final = ("Game", "Board", "Search", "Files", "Time", "Session")
"""The order of the commands for people."""

HOSTS: Final = "hosts"
"""The argument of `help` that lists the commands for programs."""


def help_for_people(table: Mapping[str, Declaration]) -> str:
    """Return the commands for people, one a line, under 80 columns and within 24 lines including the prompt."""
    lines = ["a move such as f5, or several such as f5d6c3, is played; Ctrl-C ends a search"]
    subject = ""
    found = [declaration for declaration in table.values() if declaration.for_people is not None]
    told: set[tuple[str, str]] = set()
    for declaration in sorted(found, key=lambda declaration: _SUBJECTS.index(declaration.subject)):
        assert declaration.for_people is not None
        if declaration.for_people in told:
            continue
        told.add(declaration.for_people)
        typed, meaning = declaration.for_people
        heading = "" if declaration.subject == subject else declaration.subject
        subject = declaration.subject
        lines.append(f"{heading:9}{typed:{_TYPED_COLUMNS}} {meaning}")
    lines.append(f"help COMMAND explains one command, help {HOSTS} lists those that programs use")
    return "\n".join(lines)


def help_for_hosts(table: Mapping[str, Declaration]) -> str:
    """Return the commands for hosts, one a line, grouped by subject."""
    import textwrap

    lines = []
    subject = ""
    for declaration in table.values():
        if declaration.for_people is not None:
            continue
        if declaration.subject != subject:
            subject = declaration.subject
            lines.append(f"{subject}:")
        effect = textwrap.shorten(declaration.effect.replace("`", ""), COLUMNS - _HOST_COLUMNS - 4, placeholder=" ...")
        lines.append(f"  {declaration.name:{_HOST_COLUMNS}} {effect}")
    return "\n".join(lines)


def help_of(declaration: Declaration) -> str:
    """Return syntax, effect and example of a command."""
    example = "\n".join(f"  {line}" for line in declaration.example.split("\n"))
    others = f"\nalso: {', '.join(declaration.aliases)}" if declaration.aliases else ""
    return f"syntax: {declaration.usage}{others}\neffect: {declaration.effect}\nexample:\n{example}"

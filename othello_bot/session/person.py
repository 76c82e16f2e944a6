"""The person at a terminal, as sessions and games see it; a pipe has none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

SHOWN_CHOICES: Final = 15
"""Choices listed at a time: on a screen of 24 lines they leave room for the question."""


class Person(Protocol):
    """A user who can be asked."""

    def ask(self, question: str) -> str | None:
        """Return the answer to a question of one line; None if the user cancelled (Ctrl-C, Ctrl-D)."""

    def tell(self, text: str) -> None:
        """Show whole lines."""


YES: Final = ("y", "yes")
NO: Final = ("n", "no")


def agrees(person: Person, question: str) -> bool:
    """Ask a yes-or-no question; an empty answer is no."""
    answer = person.ask(f"{question} [y/N] ")
    return (answer or "").strip().lower() in YES


def choose(person: Person, what: str, titles: Sequence[str]) -> int | None:
    """Let a person choose one of `titles` by its number; return its index, None if none was chosen.

    Only a few are listed at a time. Any other answer is taken as a part of a title and lists the titles that contain
    it.
    """
    found = list(range(len(titles)))
    while True:
        for index in found[:SHOWN_CHOICES]:
            person.tell(f"{index + 1:5}  {titles[index]}")
        if len(found) > SHOWN_CHOICES:
            person.tell(f"       and {len(found) - SHOWN_CHOICES} more: part of a name lists those that have it")
        answer = (person.ask(f"which {what}, 1 to {len(titles)}? ") or "").strip()
        if not answer:
            return None
        if answer.isascii() and answer.isdigit():
            if len(answer) < 10 and 1 <= int(answer) <= len(titles):
                return int(answer) - 1
            person.tell(f"{answer[:20]}: expected a number from 1 to {len(titles)}")
            found = []
        else:
            found = [index for index, title in enumerate(titles) if answer.lower() in title.lower()]
            if not found:
                person.tell(f"no {what} has {answer[:40]!r}")

"""Completion by tab: names of files anywhere, and words from a known list."""

from __future__ import annotations

import os
from collections.abc import Iterable


def complete_word(words: Iterable[str], beginning: str) -> list[str]:
    """Return those of `words` that begin with the text, in any case, each followed by a space."""
    return [f"{word} " for word in words if word.lower().startswith(beginning.lower())]


def complete_path(before: str, text: str) -> list[str]:
    """Return the completions of `text`, the last word of a file's name that `before` begins.

    Folders end with a slash. `~` is the home folder and stays as typed. Names that begin with a dot are offered only
    after a dot.
    """
    typed = before.lstrip() + text
    folder, _, beginning = typed.rpartition("/")
    folder = f"{folder}/" if "/" in typed else ""
    try:
        entries = sorted(os.scandir(os.path.expanduser(folder) or "."), key=lambda entry: entry.name)
    except OSError:
        return []
    names = [
        folder + entry.name + ("/" if entry.is_dir() else "")
        for entry in entries
        if entry.name.startswith(beginning) and (beginning or not entry.name.startswith("."))
    ]
    return [name[len(typed) - len(text) :] for name in names]

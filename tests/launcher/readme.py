"""What the README shows, taken apart: its Python, its console examples and its sessions at the prompt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"
FENCE = re.compile(r"(?P<note><!--[^>]*-->\n)?^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block: its language, its text, the line it begins at and the comment before it, if any."""

    language: str
    body: str
    line: int
    note: str


@dataclass(frozen=True)
class Example:
    """A command typed at a prompt and what it answers."""

    typed: str
    output: str
    line: int


def blocks(language: str) -> list[Block]:
    """The README's blocks in one language, in order."""
    text = README.read_text(encoding="utf-8")
    return [
        Block(found["language"], found["body"], text.count("\n", 0, found.start("body")) + 1, found["note"] or "")
        for found in FENCE.finditer(text)
        if found["language"] == language
    ]


def examples(block: Block, prompt: str) -> list[Example]:
    """The block's commands, each with the lines up to the next one; a line that ends in a backslash goes on."""
    found: list[Example] = []
    for number, line in enumerate(block.body.splitlines(keepends=True), block.line):
        if line.startswith(prompt):
            found.append(Example(line[len(prompt) :], "", number))
        elif found and found[-1].typed.endswith("\\\n"):
            found[-1] = Example(found[-1].typed + line, "", found[-1].line)
        elif found:
            found[-1] = Example(found[-1].typed, found[-1].output + line, found[-1].line)
    return found
